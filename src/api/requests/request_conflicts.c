/*
 * Lists and resolves the conflicts of a change request. The choices for a page become one change of
 * …/content, which writes the page as any other edit does. Contract: api/request_conflicts.h.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/request_conflicts.h"
#include "api/request_content.h"
#include "api/request_row.h"
#include "base/json.h"
#include "merge/request.h"
#include "store/blob.h"
#include "store/content.h"
#include "store/overlay.h"
#include "text/merge_text.h"

enum { BODY_MOST = 32 << 20 };

const struct shape MergeConflicts = { "MergeConflicts", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "conflicts", .doc = "Kind of object" },
	{ "revision", T_TEXT, F_REQ, .doc = "Id of the newest revision of the change request", .example = EXAMPLE_REVISION },
	{ "outdated", T_BOOL, F_REQ, .doc = "true: the change request must be updated from the primary content before conflicts can be "
	  "resolved" },
	{ "conflicts", T_LIST, F_REQ, .of = &MergeConflict, .doc = "Conflicts, in the order in which choices are sent" },
	{ 0 } } };
static const struct shape ConflictChoice = { "ConflictChoice", (const struct field[]){
	{ "page", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },
	{ "kind", T_ENUM, F_REQ, .set = CONFLICT_KINDS, .doc = "What both sides changed, as in the list of conflicts" },
	{ "take", T_ENUM, F_REQ, .set = "ours,theirs,both,text", .doc = "Version to take: that of the change request, that of the "
	  "primary content, both one after the other (only text), or `text`" },
	{ "text", T_TEXT, .doc = "With take `text`: Markdown in place of the lines, the title, or the slug", .example = "First day" },
	{ 0 } } };
const struct shape ResolveConflicts = { "ResolveConflicts", (const struct field[]){
	{ "revision", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Id of the revision of the change request whose conflicts were listed",
	  .example = EXAMPLE_REVISION },
	{ "choices", T_LIST, F_REQ, .min = 1, .max = 1000, .of = &ConflictChoice,
	  .doc = "One choice for each conflict of a page, in the order of the list; pages without choices keep their conflicts" },
	{ 0 } } };

/* ---- the list ---- */

static bool
is_outdated(struct req *r, const struct point *head)
{
	struct point main;

	return !point_head(r->db, r->arena, head->base, &main) || head->base_seq != main.seq;
}

/* GET …/conflicts */
HANDLER(listChangeRequestConflicts)
{
	const struct clash *clashes;
	struct point head;

	if (request_open_or_fail(r) != 0 || point_or_fail(r, &head) != 0)
		return -1;
	clashes = request_clashes_read(r->db, r->arena, &head);
	json_obj(&r->json);
	json_kstr(&r->json, "object", "conflicts");
	json_kstr(&r->json, "revision", head.revision);
	json_kbool(&r->json, "outdated", is_outdated(r, &head));
	conflicts_json(r, clashes);
	json_end(&r->json);
	return 0;
}

/* ---- one page ---- */

/* State while the conflicts of one page are resolved. */
struct resolving {
	struct req         *r;
	const struct point *head;
	const char         *page;
	cJSON              *change;      /* an element of `changes` for …/content */
	const char         *operation;
	const char         *properties;  /* choice for conflicts of properties: "theirs" or "ours"; NULL: no choice yet */
	struct str          body;        /* the page's text in the request; p NULL: not read yet */
	struct buf          text;        /* the text with the chosen lines inserted, up to `done` */
	size_t              done, line;  /* bytes and lines of `body` that `text` contains already; line counts from 1 */
};

static int
refuse_choice(struct resolving *x, int choice, const struct clash *c, const char *why)
{
	return fail_field(x->r, arena_printf(x->r->arena, "/choices/%d/take", choice), "%s (%s of page \"%s\")", why, c->kind,
	    c->title != NULL ? c->title : c->page);
}

/* The offset of this line in the body. */
static size_t
find_line(struct resolving *x, size_t line)
{
	size_t at = x->done;
	const char *end;

	for (; x->line < line && at < x->body.n; x->line++) {
		end = memchr(x->body.p + at, '\n', x->body.n - at);
		at = end != NULL ? (size_t)(end + 1 - x->body.p) : x->body.n;
	}
	return at;
}

static bool
ends_line(struct str s)
{
	return s.n == 0 || s.p[s.n - 1] == '\n';
}

/* Returns the lines that the choice puts in place of the request's. */
static const char *
chosen_lines(struct resolving *x, const struct clash *c, const char *take, const char *text)
{
	if (strcmp(take, "theirs") == 0)
		return c->theirs;
	if (strcmp(take, "text") == 0)
		return text;
	/* The primary content's text comes first, as when a merge keeps additions of both sides. */
	return merge_both(x->r->arena, str_of(c->theirs), str_of(c->ours)).p;
}

static bool
read_page(struct resolving *x, struct node *n)
{
	if (!node_get(x->r->db, x->r->arena, x->head, x->page, n))
		return false;
	return x->body.p != NULL || blob_get(x->r->db, x->r->arena, n->body, &x->body);
}

/*
 * Replaces the request's lines at a conflict by the chosen ones. Callers handle the conflicts of a
 * page in the order of its lines.
 */
static bool
choose_lines(struct resolving *x, const struct clash *c, const char *take, const char *text)
{
	size_t ours = strlen(c->ours), at;
	struct str lines;
	struct node n;

	if (!read_page(x, &n))
		return false;
	if (x->text.arena == NULL)
		buf_init(&x->text, x->r->arena, BODY_MOST);
	at = find_line(x, c->line);
	if (x->body.n - at < ours || memcmp(x->body.p + at, c->ours, ours) != 0)
		return false;
	lines = strcmp(take, "ours") == 0 ? str_of(c->ours) : str_of(chosen_lines(x, c, take, text));
	buf_put(&x->text, str_slice(x->body, x->done, at));
	buf_put(&x->text, lines);
	/* The next line must not be appended to the last chosen one. */
	if (!ends_line(lines) && at + ours < x->body.n)
		buf_char(&x->text, '\n');
	x->done = at + ours;
	for (const char *p = c->ours; (p = strchr(p, '\n')) != NULL; p++)
		x->line++;
	return true;
}

/* The page's index among its siblings in the primary content. */
static int
index_in_main(struct resolving *x, const struct node *n)
{
	struct point main = overlay_base(x->head);
	size_t count, i;
	struct node *list = node_children(x->r->db, x->r->arena, &main, n->parent, &count);

	for (i = 0; i < count; i++)
		if (strcmp(list[i].id, n->id) == 0)
			break;
	return (int)i;
}

/* Moves the page to its place in the primary content. */
static bool
choose_place(struct resolving *x)
{
	struct point main = overlay_base(x->head);
	struct node n;

	if (!node_get(x->r->db, x->r->arena, &main, x->page, &n))
		return false;
	if (*n.parent != '\0')
		cJSON_AddStringToObject(x->change, "into", n.parent);
	else
		cJSON_AddNullToObject(x->change, "into");
	cJSON_AddNumberToObject(x->change, "at", index_in_main(x, &n));
	return true;
}

static bool
choose_properties(struct resolving *x)
{
	const char *props;
	struct str front;

	if (!request_properties_of_main(x->r->db, x->r->arena, x->head, x->page, &props, &front))
		return false;
	cJSON_DeleteItemFromObject(x->change, "props");
	cJSON_DeleteItemFromObject(x->change, "front");
	cJSON_AddStringToObject(x->change, "props", props);
	cJSON_AddStringToObject(x->change, "front", arena_strndup(x->r->arena, front.p, front.n));
	return true;
}

/*
 * Sets the title or the slug of the change. Of a slug only the last segment is used: an import may
 * have stored a whole path.
 */
static void
choose_name(struct resolving *x, const char *member, const char *value)
{
	const char *last = strcmp(member, "slug") == 0 ? strrchr(value, '/') : NULL;

	cJSON_DeleteItemFromObject(x->change, member);
	cJSON_AddStringToObject(x->change, member, last != NULL ? last + 1 : value);
}

/*
 * Resolves the conflict of a page that one side has deleted, or that has no valid place in the tree
 * there. The page is taken as a whole from one side.
 */
static int
choose_page(struct resolving *x, int k, const struct clash *c, const char *take)
{
	bool deleted = strcmp(c->kind, "deleted") == 0, ours = strcmp(take, "ours") == 0;

	if (!ours && strcmp(take, "theirs") != 0)
		return refuse_choice(x, k, c, "takes ours or theirs");
	if (!deleted && ours)
		return refuse_choice(x, k, c, "has no place in the tree: move or delete the page, or take theirs");
	if (deleted && (ours ? c->ours == NULL : c->theirs == NULL))
		x->operation = "delete_page";
	else if (!ours)
		x->operation = "revert_page";
	return 0;
}

/* How a conflict of each kind can be resolved other than by "ours": `typed` by "text", `both` by "both". */
static const struct way {
	const char *kind, *member;   /* member: the one of update_page that is set; NULL: none */
	bool        typed, both;
} ways[] = {
	{ "text", NULL, true, true }, { "title", "title", true, false }, { "path", "slug", true, false },
	{ "added", "slug", true, false }, { "properties", NULL, false, false }, { "position", NULL, false, false } };

static const struct way *
find_way(const struct clash *c)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(ways[i].kind, c->kind) == 0)
			return &ways[i];
	return NULL;
}

/*
 * Properties and frontmatter may both conflict. They contain the same data, so both are taken from
 * the same side.
 */
static int
choose_side(struct resolving *x, int k, const struct clash *c, const char *take)
{
	if (x->properties != NULL && strcmp(x->properties, take) != 0)
		return refuse_choice(x, k, c, "must be the same for all conflicts of the page's properties");
	x->properties = take;
	return 0;
}

/* Takes the text of the choice, or the primary content's value if it has none. */
static bool
take_other(struct resolving *x, const struct way *w, const struct clash *c, const char *text)
{
	const char *value = text != NULL ? text : c->theirs;

	if (w->member != NULL)
		return value != NULL && (choose_name(x, w->member, value), true);
	return strcmp(w->kind, "position") == 0 ? choose_place(x) : choose_properties(x);
}

static int
apply_choice(struct resolving *x, int k, const struct clash *c, const cJSON *choice)
{
	const char *take = json_text_or_empty(choice, "take"), *text = json_text_of(choice, "text");
	const struct way *w = find_way(c);
	bool typed = strcmp(take, "text") == 0;

	if (typed != (text != NULL))
		return refuse_choice(x, k, c, "has a text if take is text, and only then");
	if (strcmp(c->kind, "file") == 0)
		return refuse_choice(x, k, c, "is resolved by another file, or in git");
	if (w == NULL)
		return choose_page(x, k, c, take);
	if ((typed && !w->typed) || (strcmp(take, "both") == 0 && !w->both))
		return refuse_choice(x, k, c, "cannot be taken so");
	if (strcmp(c->kind, "properties") == 0 && choose_side(x, k, c, take) != 0)
		return -1;
	if (strcmp(c->kind, "text") == 0)
		return choose_lines(x, c, take, text) ? 0 : refuse_choice(x, k, c, "cannot be found in the page: write the page");
	if (strcmp(take, "ours") == 0)
		return 0;
	/* The primary content's page already has this address, so the request's own page is undone. */
	if (strcmp(c->kind, "added") == 0 && !typed) {
		x->operation = "revert_page";
		return 0;
	}
	return take_other(x, w, c, text) ? 0 : refuse_choice(x, k, c, "has no value to take: take ours, or revert the page");
}

/* ---- all pages ---- */

/* Returns the change for …/content that applies the choices for the page. */
static cJSON *
finish_page(struct resolving *x)
{
	cJSON *c = x->change, *document;
	bool update = strcmp(x->operation, "update_page") == 0;

	if (!update) {
		c = cJSON_CreateObject();
		cJSON_AddStringToObject(c, "page", x->page);
	} else if (x->text.arena != NULL) {
		buf_put(&x->text, str_slice(x->body, x->done, x->body.n));
		buf_char(&x->text, '\0');
		document = cJSON_AddObjectToObject(c, "document");
		cJSON_AddStringToObject(document, "body", x->text.p);
	}
	cJSON_AddStringToObject(c, "operation", x->operation);
	return c;
}

static bool
is_for_page(const cJSON *choice, const char *page)
{
	return strcmp(json_text_or_empty(choice, "page"), page) == 0;
}

/* Returns the next choice for the page, beginning with `choice`; *k becomes its index. */
static const cJSON *
next_choice(const cJSON *choice, const char *page, int *k)
{
	for (; choice != NULL && !is_for_page(choice, page); choice = choice->next)
		++*k;
	return choice;
}

/* Applies all choices for the page x->page. `choice` is the first of them, and k its index. */
static int
resolve_page(struct resolving *x, const struct clash *clashes, const cJSON *choice, int k)
{
	int first = k;

	x->change = cJSON_CreateObject();
	x->operation = "update_page";
	x->line = 1;
	cJSON_AddStringToObject(x->change, "page", x->page);
	for (const struct clash *c = clashes; c != NULL; c = c->next) {
		if (strcmp(c->page, x->page) != 0)
			continue;
		choice = next_choice(choice, x->page, &k);
		if (choice == NULL)
			return fail_field(x->r, arena_printf(x->r->arena, "/choices/%d/page", first),
			    "has more conflicts than choices: \"%s\"", c->title != NULL ? c->title : c->page);
		if (strcmp(json_text_or_empty(choice, "kind"), c->kind) != 0)
			return fail_field(x->r, arena_printf(x->r->arena, "/choices/%d/kind", k), "must be %s: choices have the order of the list", c->kind);
		if (apply_choice(x, k, c, choice) != 0)
			return -1;
		choice = choice->next;
		k++;
	}
	if (next_choice(choice, x->page, &k) != NULL)
		return fail_field(x->r, arena_printf(x->r->arena, "/choices/%d/page", k), "has fewer conflicts than choices");
	return 0;
}

/* True if an earlier choice is for the same page: then all choices for it have been applied. */
static bool
was_taken(const cJSON *choices, const cJSON *choice)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, choices) {
		if (one == choice)
			return false;
		if (is_for_page(one, json_text_or_empty(choice, "page")))
			return true;
	}
	return false;
}

/* Returns the changes of all pages, in the order of the first choice for each page. NULL after fail(). */
static cJSON *
make_changes(struct req *r, const struct point *head, const struct clash *clashes)
{
	const cJSON *choices = body_get(r, "choices"), *choice;
	cJSON *changes = cJSON_CreateArray();
	int k = 0;

	cJSON_ArrayForEach(choice, choices) {
		struct resolving x = { .r = r, .head = head, .page = json_text_or_empty(choice, "page") };

		if (!was_taken(choices, choice)) {
			if (resolve_page(&x, clashes, choice, k) != 0)
				return NULL;
			cJSON_AddItemToArray(changes, finish_page(&x));
		}
		k++;
	}
	return changes;
}

/* POST …/conflicts */
HANDLER(resolveChangeRequestConflicts)
{
	struct merge_outcome m = { 0 };
	struct point head;
	cJSON *changes;

	if (request_open_or_fail(r) != 0 || point_or_fail(r, &head) != 0)
		return -1;
	if (strcmp(head.revision, body_text(r, "revision")) != 0)
		return fail(r, E_CONFLICT, "the change request was written since revision %s: read its conflicts again", body_text(r, "revision"));
	if (is_outdated(r, &head))
		return fail(r, E_CONFLICT, "the primary content has changed: update the change request first");
	changes = make_changes(r, &head, request_clashes(r->db, r->arena, &head));
	if (changes == NULL || request_write(r, changes, "/choices") != 0)
		return -1;
	if (!point_head(r->db, r->arena, head.branch, &head))
		return fail(r, E_NOT_FOUND, "no change request %s", r->request.id);
	m.revision = head.revision;
	m.clashes = request_clashes(r->db, r->arena, &head);
	return reply_outcome(r, &m, "update");
}
