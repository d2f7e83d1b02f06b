/* The content of a page: properties, Markdown, documents and blocks. */
#include <cjson/cJSON.h>
#include <stddef.h>

#include "edit_parts.h"
#include "base/slug.h"
#include "edit/body_keep.h"
#include "expr/expr.h"
#include "layout/expressions.h"
#include "markdown/blocks.h"
#include "base/json.h"
#include "base/map.h"
#include "base/secret.h"
#include "text/merge_text.h"
#include "base/utf8.h"

/*
 * MAX_TITLE is in code points (docs/design/requests.md, "Limits"). MAX_BODY bounds buffers:
 * respelled links and serialised documents may be longer than the sent body.
 */
enum { MAX_TITLE = 1000, MAX_BODY = 16 << 20 };

/* ---- properties ---- */

/* Copies the named members of `from`; a member that it lacks stays unchanged. */
static void
copy_members(cJSON *into, const cJSON *from, const char *const *names)
{
	const cJSON *v;

	for (; *names != NULL; names++) {
		if ((v = cJSON_GetObjectItemCaseSensitive(from, *names)) == NULL)
			continue;
		cJSON_DeleteItemFromObjectCaseSensitive(into, *names);
		/* An empty string or null removes the property. */
		if (!cJSON_IsNull(v) && !(cJSON_IsString(v) && *v->valuestring == '\0'))
			cJSON_AddItemToObject(into, *names, cJSON_Duplicate(v, true));
	}
}

/* Requires a file of the space, a file that this batch inserts, or an address. */
static bool
check_file(struct edit *e, int k, const char *at, cJSON *picture)
{
	const char *id = json_text_or_empty(picture, "file"), *space = json_text_of(picture, "space");
	const struct edit_ref *ref = map_get(e->refs, str_of(id));
	struct node n;

	if (ref != NULL && ref->file) {
		cJSON_ReplaceItemInObjectCaseSensitive(picture, "file", cJSON_CreateString(ref->id));
		return true;
	}
	if ((space != NULL && strcmp(space, e->now.space) != 0) || !node_get(e->db, e->arena, &e->now, id, &n) || n.kind != NODE_FILE)
		return edit_fault(e, k, at, "is no file of this space");
	return true;
}

static bool
check_picture(struct edit *e, int k, const char *at, cJSON *picture)
{
	const char *kind = json_text_or_empty(picture, "kind"), *url = json_text_or_empty(picture, "url");

	if (strcmp(kind, "file") == 0)
		return check_file(e, k, at, picture);
	if (strcmp(kind, "url") != 0)
		return edit_fault(e, k, at, "is neither a file nor an address");
	return strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0 ||
	    edit_fault(e, k, at, "has an address that does not begin with https:// or http://");
}

/* Sets the cover among the properties. Its pictures are files of the space, or addresses. */
static bool
set_cover(struct edit *e, int k, const cJSON *c, cJSON *props)
{
	static const char *const names[] = { "ref", "refDark" };
	const cJSON *sent = cJSON_GetObjectItemCaseSensitive(c, "cover");
	cJSON *cover, *picture;
	int count = 0;

	if (sent == NULL)
		return true;
	cJSON_DeleteItemFromObjectCaseSensitive(props, "cover");
	if (cJSON_IsNull(sent))
		return true;
	cover = cJSON_Duplicate(sent, true);
	for (int i = 0; i < 2; i++) {
		picture = cJSON_GetObjectItemCaseSensitive(cover, names[i]);
		count += picture != NULL;
		if (picture != NULL && !check_picture(e, k, arena_printf(e->arena, "cover/%s", names[i]), picture))
			return false;
	}
	if (count == 0)
		return edit_fault(e, k, "cover", "has no picture: send ref or refDark, or null for no cover");
	/* Always present, as an import stores it (layout/layout.h). */
	if (cJSON_GetObjectItemCaseSensitive(cover, "yPos") == NULL)
		cJSON_AddNumberToObject(cover, "yPos", 0);
	cJSON_AddItemToObject(props, "cover", cover);
	return true;
}

bool
edit_properties(struct edit *e, int k, const cJSON *c, struct node *n)
{
	static const char *const names[] = { "emoji", "icon", "description", "hidden", "noIndex",
		"noRobotsIndex", "condition", NULL };
	const cJSON *title = cJSON_GetObjectItemCaseSensitive(c, "title");
	const cJSON *condition = cJSON_GetObjectItemCaseSensitive(c, "condition");
	cJSON *props = cJSON_Parse(n->props);
	const char *error;

	/*
	 * The condition is parsed here, so that no page is stored with a condition that cannot be
	 * evaluated for visitors.
	 */
	if (cJSON_IsString(condition) && *condition->valuestring != '\0' &&
	    expr_parse(e->arena, str_of(condition->valuestring), &error) == NULL)
		return edit_fault(e, k, "condition", arena_printf(e->arena, "is no expression: %s", error));
	if (cJSON_IsString(title)) {
		if (utf8_count(str_of(title->valuestring)) > MAX_TITLE)
			return edit_fault(e, k, "title", "is longer than 1000 characters");
		n->title = title->valuestring;
	}
	copy_members(props, c, names);
	if (!set_cover(e, k, c, props))
		return false;
	n->props = cJSON_PrintUnformatted(props);
	return true;
}

const char *
edit_slug(struct edit *e, int k, const char *slug)
{
	char *own = slug_from_title(e->arena, str_of(slug));

	/* A slug is valid if making a slug of it changes nothing: one rule for both. */
	if (*slug == '\0' || strlen(slug) > 100 || strcmp(own, slug) != 0) {
		edit_fault(e, k, "slug", arena_printf(e->arena,
		    "must be 1 to 100 of a-z 0-9 . + _ -; \"%s\" would do", own));
		return NULL;
	}
	return slug;
}

/* ---- links of the batch ---- */

/* "./ref.md", "ref.md", "ref" and "./ref" name a page or file of this batch. */
static bool
ref_target(void *ctx, const struct doc_link *link, struct buf *out)
{
	struct edit *e = ctx;
	struct str s = link->spelling, anchor = { "", 0 };
	const struct edit_ref *r;
	const char *hash, *ref;

	if (str_starts(s, "./"))
		s = str_slice(s, 2, s.n);
	if ((hash = memchr(s.p, '#', s.n)) != NULL) {
		anchor = (struct str){ hash, (size_t)(s.p + s.n - hash) };
		s.n = (size_t)(hash - s.p);
	}
	ref = arena_strndup(e->arena, s.p, s.n);
	r = map_get(e->refs, str_of(ref));
	/* The whole spelling first: a ref may itself end in ".md". */
	if (r == NULL && s.n > 3 && strcmp(ref + s.n - 3, ".md") == 0)
		r = map_get(e->refs, (struct str){ ref, s.n - 3 });
	if (r == NULL)
		return false;
	buf_printf(out, "/%s/%s%.*s", r->file ? "files" : "pages", r->id, (int)anchor.n, anchor.p);
	return true;
}

static struct str
replace_refs(struct edit *e, struct str body)
{
	struct buf b;

	/* Most batches have no refs; their bodies need not be searched. */
	if (e->ref_count == 0)
		return body;
	buf_init(&b, e->arena, MAX_BODY * 4);
	doc_respell(&b, e->arena, body, ref_target, e);
	return buf_view(&b);
}

/* ---- documents ---- */

/* In a document a link without a target has its spelling as the id (document.h). */
static void
spell_id(struct buf *out, const char *prefix, const char *id)
{
	static const char of_ids[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	buf_printf(out, "%s%s", id[strspn(id, of_ids)] == '\0' ? prefix : "", id);
}

/* Spells a target by its id: this stays right when the target is moved or renamed. */
static bool
spell_by_id(void *ctx, struct arena *a, const struct doc_ref *ref, enum doc_use use,
    struct buf *out)
{
	(void)ctx;
	(void)a;
	(void)use;
	switch (ref->kind) {
	case REF_PAGE:       buf_printf(out, "/pages/%s", ref->id); return true;
	case REF_FILE:       spell_id(out, "/files/", ref->id); return true;
	case REF_SPACE:      buf_printf(out, "/spaces/%s", ref->id); return true;
	case REF_USER:       buf_printf(out, "/users/%s", ref->id); return true;
	case REF_COLLECTION: buf_printf(out, "/collections/%s", ref->id); return true;
	case REF_REUSABLE:   spell_id(out, "/reusable-contents/", ref->id); return true;
	case REF_URL:        buf_str(out, ref->url); return true;
	case REF_ANCHOR:
		if (ref->id != NULL)
			buf_printf(out, "/pages/%s", ref->id);
		buf_printf(out, "#%s", ref->anchor);
		return true;
	default:             return false;
	}
}

/* A text that identifies the target, however a link is spelled; used as a key. */
static struct str
text_by_id(struct edit_targets *t, const struct doc_ref *ref)
{
	struct buf b;

	buf_init(&b, t->edit->arena, MAX_BODY);
	spell_by_id(NULL, t->edit->arena, ref, USE_LINK, &b);
	return buf_view(&b);
}

/* Uses the page's own spelling if it still leads to the target, otherwise the id. */
static bool
spell_as_stored(void *ctx, struct arena *a, const struct doc_ref *ref, enum doc_use use,
    struct buf *out)
{
	struct edit_targets *t = ctx;
	const struct link_map_entry *e;
	struct doc_ref now;
	size_t i;

	/*
	 * The map is made with the first link of a document, so that the stored map is read once,
	 * and not once for each link.
	 */
	if (t->spelled == NULL) {
		t->spelled = map_new(t->edit->arena);
		for (i = 0; i < t->known.n; i++)
			map_add(t->spelled, text_by_id(t, &t->known.list[i].ref), &t->known.list[i]);
	}
	e = map_get(t->spelled, text_by_id(t, ref));
	if (e == NULL || !edit_resolve_link(t, a, e->spelling, use, &now) || !ref_same(&now, ref))
		return spell_by_id(NULL, a, ref, use, out);
	buf_put(out, e->spelling);
	return true;
}

/* Serialises document JSON to a body. */
static bool
body_from_json(struct edit *e, int k, const cJSON *json, struct edit_targets *t, struct str *body)
{
	struct doc_refs refs = { .spell = spell_as_stored, .ctx = t };
	const char *where = "", *why = "";
	/* where is a path within the document, which the fault appends to the member. */
	struct doc *d = doc_read(e->arena, json, &where, &why);
	struct buf b;

	if (d == NULL)
		return edit_fault(e, k, arena_printf(e->arena, "document/document%s", where), why);
	buf_init(&b, e->arena, MAX_BODY * 4);
	/* The body is written as Markdown, the form of stored content (content.h), whatever form the client sent. */
	doc_markdown(&b, d, &refs);
	*body = buf_view(&b);
	return true;
}

/*
 * The front matter when text without frontmatter is sent: the page keeps its own, and takes what
 * the sent text has if it has none, or if the text has comments there.
 */
static struct str
front_beside(struct edit *e, struct str old, struct str sent)
{
	struct page_file f;

	if (old.n > 0 && memmem(sent.p, sent.n, "<!--", 4) == NULL)
		return old;
	page_file_split(e->arena, old, &f);
	return str_of(arena_printf(e->arena, "%.*s%.*s", (int)f.matter, old.p, (int)sent.n, sent.p));
}

/* Frontmatter and heading of the Markdown override the members of the change, as in git sync. */
static bool
body_from_markdown(struct edit *e, int k, struct str sent, struct node *n, struct str *body)
{
	static const char *const names[] = { "emoji", "icon", "description", "hidden", "noIndex",
		"noRobotsIndex", "condition", "tags", "layout", "variables", NULL };
	struct page_file f;
	cJSON *props;

	page_file_split(e->arena, sent, &f);
	/* A condition with a fault that an import stored may be sent back unchanged. */
	if (f.condition_fault != NULL && !str_starts(n->front, arena_strndup(e->arena, f.front.p, f.matter)))
		return edit_fault(e, k, "document", arena_printf(e->arena, "has an \"if\" that is no expression: %s",
		    f.condition_fault));
	*body = f.body;
	if (f.h1 != NULL && *f.h1 != '\0')
		n->title = f.h1;
	/* With frontmatter, everything before the body is replaced by what was sent. */
	if (str_starts(f.front, "---")) {
		props = cJSON_Parse(n->props);
		copy_members(props, cJSON_Parse(f.props), names);
		n->props = cJSON_PrintUnformatted(props);
		n->front = f.front;
	} else {
		n->front = front_beside(e, n->front, f.front);
	}
	return true;
}

void
edit_take_resolution(const cJSON *c, struct node *n)
{
	const cJSON *props = cJSON_GetObjectItemCaseSensitive(c, "props"), *front = cJSON_GetObjectItemCaseSensitive(c, "front");

	if (cJSON_IsString(props))
		n->props = props->valuestring;
	if (cJSON_IsString(front))
		n->front = str_of(front->valuestring);
}

/* A stored body must be readable again: one beyond the limits of documents is refused. */
static bool
set_body(struct edit *e, int k, struct node *n, const struct packed *body, const char *fault, struct edit_page *p)
{
	if (fault != NULL)
		return edit_fault(e, k, "document", fault);
	blob_put_packed(e->db, e->arena, body);
	n->body = body->hash;
	p->body_changed = true;
	return true;
}

/* The content as it was sent: one of the two is NULL, or both are. */
struct sent {
	const cJSON *json;
	const cJSON *markdown;
	struct str   body;      /* of the Markdown */
};

static bool
read_sent(struct edit *e, int k, const cJSON *document, struct node *n, struct sent *s)
{
	const char *body = edit_text(document, "body");

	/*
	 * body: only the text, from the resolution of a conflict; clients cannot send this member.
	 */
	*s = (struct sent){ .json = cJSON_GetObjectItemCaseSensitive(document, "document"),
		.markdown = cJSON_GetObjectItemCaseSensitive(document, "markdown"), .body = str_of(body != NULL ? body : "") };
	if (s->json != NULL && s->markdown != NULL)
		return edit_fault(e, k, "document", "has both markdown and document; send one of them");
	return s->markdown == NULL || body_from_markdown(e, k, str_of(s->markdown->valuestring), n, &s->body);
}

/*
 * Makes the body to store. It depends only on what was sent, on the page's stored body and links,
 * and on the targets that t finds for the links.
 */
static bool
make_body(struct edit *e, int k, const struct sent *s, const struct node *n, struct edit_targets *t, struct str *body)
{
	struct doc_refs before = { .lookup = edit_resolve_stored_link, .spell = spell_by_id, .ctx = t, .self = n->id };
	struct doc_refs after = { .lookup = edit_resolve_link, .spell = spell_by_id, .ctx = t, .self = n->id };
	struct str old;

	*body = s->body;
	if (s->json != NULL && !body_from_json(e, k, s->json, t, body))
		return false;
	*body = replace_refs(e, *body);
	/* This follows the respelling, because body_keep() compares the body that will be stored. */
	if (n->body.n > 0 && edit_body(e, n->body, &old))
		*body = body_keep(e->arena, old, &before, *body, &after);
	return true;
}

/*
 * Why the body cannot replace the page's: it is beyond the limits, or contains an invalid
 * expression. Invalid expressions that an import left in the page are accepted, so that people can
 * edit the rest of it. d: its document if it was parsed, or NULL.
 */
static const char *
body_fault(struct edit *e, const struct node *n, struct str body, const struct doc *d)
{
	const struct expression_fault *f = d != NULL ? expression_faults_of(e->arena, d) :
	    expression_faults(e->arena, body), *before;
	const char *fault = d != NULL ? doc_fault(d) : doc_body_fault(body);
	struct str old;

	if (fault != NULL || f == NULL)
		return fault;
	before = n->body.n > 0 && edit_body(e, n->body, &old) ? expression_faults(e->arena, old) : NULL;
	while (f != NULL && expression_is_among(before, f->text))
		f = f->next;
	return f == NULL ? NULL : arena_printf(e->arena, "has %s that cannot be read, %s in line %zu: %s",
	    f->where, f->shown, f->line, f->why);
}

static const struct edit_prepared *
prepared_for(const struct edit_ahead *ahead, int k)
{
	const struct edit_prepared *m = ahead == NULL ? NULL : ahead->made;

	while (m != NULL && !(m->change == k && m->targets != NULL))
		m = m->next;
	return m;
}

/*
 * The body made ahead for the change, if the same would be made now. t: for the page as it is now.
 */
static const struct edit_prepared *
prepared_body(struct edit *e, int k, const struct node *n, struct edit_targets *t)
{
	const struct edit_prepared *m = prepared_for(e->ahead, k);

	/*
	 * The page may have been written meanwhile; another writer, or this batch, may have moved
	 * the target of a link.
	 */
	return m != NULL && str_eq(m->old_body, n->body) && str_eq(m->old_refs, n->refs) &&
	    edit_targets_unchanged(t, m->targets, true) ? m : NULL;
}

/*
 * True if the body made ahead is invalid and making it takes long. With too many keys it would be
 * invalid again.
 */
static bool
should_prepare_again(const struct edit *e, int k)
{
	const struct edit_prepared *m = prepared_for(e->ahead, k);

	return e->can_prepare_again && m != NULL && m->body.n >= EDIT_AHEAD_MIN && !e->ahead->keys_incomplete;
}

bool
edit_document(struct edit *e, int k, const cJSON *c, struct node *n, struct edit_page *p)
{
	const cJSON *document = cJSON_GetObjectItemCaseSensitive(c, "document");
	const struct edit_prepared *m;
	struct edit_targets t;
	struct packed stored;
	struct str body;
	struct sent s;

	if (document == NULL)
		return true;
	if (n->kind != NODE_DOCUMENT)
		return edit_fault(e, k, "document", arena_printf(e->arena, "is not for a %s page: it has none",
		    node_kind_name(n->kind)));
	if (!read_sent(e, k, document, n, &s))
		return false;
	edit_targets_now(&t, e, k, n);
	/*
	 * read_sent() runs in any case: it sets title and properties from what was sent, which is
	 * cheap.
	 */
	if ((m = prepared_body(e, k, n, &t)) != NULL)
		return set_body(e, k, n, &m->stored, m->fault, p);
	if ((e->must_prepare = should_prepare_again(e, k)))
		return false;
	if (!make_body(e, k, &s, n, &t, &body))
		return false;
	stored = (struct packed){ .hash = hash_of(e->arena, body), .bytes = body };
	return set_body(e, k, n, &stored, body_fault(e, n, body, NULL), p);
}

/* Checks the body, and finds the links of a large one with the same parse. */
static void
read_made(struct edit *e, const struct node *n, struct edit_prepared *m)
{
	struct arena *scratch;
	struct doc *d;

	if (doc_is_small(m->body)) {
		m->fault = body_fault(e, n, m->body, NULL);
		return;
	}
	scratch = arena_new(SIZE_MAX / 2);
	d = doc_parse_words(scratch, m->body, NULL, NULL);
	m->fault = body_fault(e, n, m->body, d);
	if (m->fault == NULL)
		m->links = doc_links_copy(e->arena, doc_links_of(scratch, d, m->body));
	m->linked = m->fault == NULL;
	arena_free(scratch);
}

/* Faults are not reported here: they are found again, in order, inside the transaction. */
struct edit_prepared *
edit_document_ahead(struct edit *e, int k, const cJSON *c, struct node *n)
{
	const cJSON *document = cJSON_GetObjectItemCaseSensitive(c, "document");
	struct edit_prepared *m = arena_alloc(e->arena, sizeof(*m));
	const struct edit_prepared *before;
	struct sent s;

	if (document == NULL || n->kind != NODE_DOCUMENT || !read_sent(e, k, document, n, &s))
		return NULL;
	*m = (struct edit_prepared){ .change = k, .old_body = n->body, .old_refs = n->refs,
		.targets = edit_targets_ahead(e, n) };
	if ((before = prepared_for(e->ahead, k)) != NULL)
		m->targets->before = before->targets->by_spelling;
	/* edit_apply() makes the body again and reports the fault. */
	if (!make_body(e, k, &s, n, m->targets, &m->body))
		return NULL;
	edit_targets_for_body(m->targets);
	read_made(e, n, m);
	m->stored = blob_pack(e->arena, m->body);
	return m;
}

/* ---- blocks ---- */

/* Index of the block with that key, or -1. */
static ptrdiff_t
find_key(const struct doc_block *blocks, size_t n, const char *key)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(blocks[i].key, key) == 0)
			return (ptrdiff_t)i;
	return -1;
}

/*
 * Marks what happens to each block: reset[i] for the new body, restore[i] for the old one. A key
 * may belong to either body: a changed block has a new key.
 */
static bool
choose_blocks(struct edit *e, int k, const cJSON *keys, const struct doc_block *now, size_t n,
    const struct doc_block *then, size_t m, const ptrdiff_t *align, bool *reset, bool *restore)
{
	const cJSON *v;
	ptrdiff_t i;
	size_t j;

	cJSON_ArrayForEach(v, keys) {
		if ((i = find_key(now, n, v->valuestring)) >= 0) {
			reset[i] = true;
		} else if ((i = find_key(then, m, v->valuestring)) >= 0) {
			restore[i] = true;
		} else {
			return edit_fault(e, k, "block", arena_printf(e->arena,
			    "names no block of the page: %s", v->valuestring));
		}
	}
	/* The old block replaces the block that it became. */
	for (j = 0; j < n; j++)
		if (align[j] >= 0 && restore[align[j]])
			reset[j] = true;
	return true;
}

/*
 * Blocks that were no neighbours before are separated by a blank line: a paragraph would continue
 * in the next one.
 */
static void
put_block(struct buf *out, struct str block)
{
	size_t blank = 0, i;

	for (i = out->n; i > 0 && blank < 2 && strchr("\r\n", out->p[i - 1]) != NULL; i--)
		blank += out->p[i - 1] == '\n';
	if (out->n > 0 && block.n > 0)
		buf_str(out, blank == 0 ? "\n\n" : blank == 1 ? "\n" : "");
	buf_put(out, block);
}

/*
 * Writes the body with the restored blocks, each beside its old neighbours. A block with a new
 * predecessor is separated from it.
 */
static void
rebuild_body(struct buf *out, const struct doc_block *now, size_t n, const struct doc_block *then,
    size_t m, const ptrdiff_t *align, const bool *reset, const bool *restore)
{
	size_t i, next = 0, upto;
	bool apart = false;

	for (i = 0; i < n; i++) {
		/* align rises: restored blocks from before this one's old position come first. */
		upto = align[i] >= 0 ? (size_t)align[i] : next;
		for (; next < upto; next++)
			if (restore[next]) {
				put_block(out, then[next].source);
				apart = true;
			}
		if (align[i] >= 0)
			next = (size_t)align[i] + 1;
		/* The revert removes a block that the old body lacks. */
		if (reset[i] && align[i] < 0) {
			apart = true;
			continue;
		}
		(apart || reset[i] ? put_block : buf_put)(out, reset[i] ? then[align[i]].source : now[i].source);
		apart = reset[i];
	}
	for (; next < m; next++)
		if (restore[next])
			put_block(out, then[next].source);
}

/* Makes the reverted body; false after a fault. */
static bool
revert_body(struct edit *e, int k, const cJSON *keys, const struct node *now, const struct node *then, struct str *body)
{
	struct str new_body, old_body;
	struct doc_block *a, *b;
	ptrdiff_t *align;
	bool *reset, *restore;
	struct buf out;
	size_t n, m;

	if (!edit_body(e, now->body, &new_body) || !edit_body(e, then->body, &old_body))
		return edit_fault(e, k, "page", "has no body");
	a = doc_blocks(e->arena, new_body, &n);
	b = doc_blocks(e->arena, old_body, &m);
	align = block_align(e->arena, b, m, a, n);
	reset = arena_array(e->arena, n, sizeof(*reset));
	restore = arena_array(e->arena, m, sizeof(*restore));
	if (!choose_blocks(e, k, keys, a, n, b, m, align, reset, restore))
		return false;
	buf_init(&out, e->arena, MAX_BODY * 4);
	rebuild_body(&out, a, n, b, m, align, reset, restore);
	*body = buf_view(&out);
	return true;
}

/* The same as edit_document_ahead(), for a change that reverts blocks. */
struct edit_prepared *
edit_blocks_ahead(struct edit *e, int k, const cJSON *keys, const struct node *now, const struct node *then)
{
	struct edit_prepared *m = arena_alloc(e->arena, sizeof(*m));

	*m = (struct edit_prepared){ .change = k, .old_body = now->body, .old_refs = now->refs, .then_body = then->body };
	if (!revert_body(e, k, keys, now, then, &m->body))
		return NULL;
	m->fault = doc_body_fault(m->body);
	m->stored = blob_pack(e->arena, m->body);
	return m;
}

/* The body made ahead for the change, if it was made from the same two bodies. */
static const struct edit_prepared *
prepared_blocks(const struct edit *e, int k, const struct node *now, const struct node *then)
{
	const struct edit_prepared *m = e->ahead == NULL ? NULL : e->ahead->made;

	while (m != NULL && !(m->change == k && str_eq(m->old_body, now->body) && str_eq(m->then_body, then->body)))
		m = m->next;
	return m;
}

bool
edit_revert_blocks(struct edit *e, int k, const cJSON *keys, struct node *now,
    const struct node *then)
{
	const struct edit_prepared *m = prepared_blocks(e, k, now, then);
	const char *fault;
	struct packed stored;
	struct str body;

	if (m == NULL && !revert_body(e, k, keys, now, then, &body))
		return false;
	stored = m != NULL ? m->stored : (struct packed){ .hash = hash_of(e->arena, body), .bytes = body };
	/* Blocks of two bodies together may exceed the limits that each body kept. */
	fault = m != NULL ? m->fault : doc_body_fault(body);
	if (!set_body(e, k, now, &stored, fault, edit_touched(e, now->id, EDIT_UPDATED, NULL)))
		return false;
	edit_put(e, now);
	return true;
}
