/*
 * The conflicts of a change request, each with its three texts and a choice. A write of a page resolves all
 * its conflicts, so a page is sent when each of its places is decided; what was typed for others is shown
 * again. A text that was typed for a place where another version is chosen is not dropped: the form comes again
 * and asks once more. Contract: space_parts.h.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/secret.h"
#include "base/url.h"
#include "space_parts.h"

enum { CHOICES_MOST = 1000 };

/* The field in which a person can type another text for a conflict. */
enum text_field { NO_FIELD, ONE_LINE, MANY_LINES };

/* How a kind of conflict is shown. The last entry, "", is for all kinds that have none of their own. */
static const struct kind {
	const char *kind;
	enum say    label;
	enum text_field field;
	bool        ours;      /* false: the request's version has no place in the tree */
} kinds[] = {
	{ "text", SAY_KIND_TEXT, MANY_LINES, true }, { "title", SAY_KIND_TITLE, ONE_LINE, true }, { "path", SAY_KIND_ADDRESS, ONE_LINE, true },
	{ "added", SAY_KIND_ADDRESS, ONE_LINE, true }, { "position", SAY_KIND_PLACE, NO_FIELD, true }, { "properties", SAY_KIND_PROPERTIES, NO_FIELD, true },
	{ "file", SAY_FILES, NO_FIELD, true }, { "deleted", SAY_KIND_DELETED, NO_FIELD, true }, { "", SAY_KIND_PLACE, NO_FIELD, false } };

static const struct kind *
find_kind(const cJSON *conflict)
{
	const char *kind = json_text_or_empty(conflict, "kind");
	size_t i = 0;

	while (*kinds[i].kind != '\0' && strcmp(kinds[i].kind, kind) != 0)
		i++;
	return &kinds[i];
}

/* The fields of a form about one conflict; "": the form has no such field. held: a hash of the text that its field had. */
struct choice { const char *page, *kind, *take, *text, *held; };

struct choices {
	struct choice list[CHOICES_MOST];
	int           count;
};

/* The field of the form for a conflict of the list: "take-3". */
static const char *
field_name(struct view *v, const char *name, int index)
{
	return arena_printf(v->arena, "%s-%d", name, index);
}

/* ---- what a form said before ---- */

/* The number of conflicts of the list before this one that are of its page. */
static int
number_in_page(const cJSON *conflicts, const cJSON *conflict)
{
	const cJSON *one;
	int n = 0;

	cJSON_ArrayForEach(one, conflicts) {
		if (one == conflict)
			return n;
		n += strcmp(json_text_or_empty(one, "page"), json_text_or_empty(conflict, "page")) == 0;
	}
	return n;
}

/* The member of `sent` that the field with this name ("take-3") is stored in; NULL: it is no field of a conflict. */
static const char **
find_choice_field(struct choices *sent, const char *name)
{
	struct choice *c;
	char *end;
	unsigned long i = strlen(name) > 5 && name[5] >= '0' && name[5] <= '9' ? strtoul(name + 5, &end, 10) : CHOICES_MOST;

	if (i >= CHOICES_MOST || *end != '\0')
		return NULL;
	c = &sent->list[i];
	return strncmp(name, "page-", 5) == 0 ? &c->page : strncmp(name, "kind-", 5) == 0 ? &c->kind :
	    strncmp(name, "take-", 5) == 0 ? &c->take : strncmp(name, "text-", 5) == 0 ? &c->text :
	    strncmp(name, "held-", 5) == 0 ? &c->held : NULL;
}

/* Reads the form in one pass: a look-up of each field by its name would take quadratic time. */
static const struct choices *
read_choices(struct view *v)
{
	struct choices *sent = arena_alloc(v->arena, sizeof(*sent));
	const char **place;

	for (int i = 0; i < CHOICES_MOST; i++)
		sent->list[i] = (struct choice){ "", "", "", "", "" };
	for (const struct pair *p = v->form; p != NULL; p = p->next)
		if ((place = find_choice_field(sent, p->name)) != NULL)
			*place = p->value;
	for (sent->count = 0; sent->count < CHOICES_MOST && *sent->list[sent->count].page != '\0'; sent->count++)
		;
	return sent;
}

/* A hash of a text as it is in a field; browsers send other ends of lines than they got. */
static const char *
hash_field(struct view *v, const char *text)
{
	return secret_hash_text(v->arena, plain_lines(v->arena, text));
}

/* True if the field of the conflict has another text than it had in the form. */
static bool
is_typed(struct view *v, const struct choice *c)
{
	return *c->held != '\0' && strcmp(hash_field(v, c->text), c->held) != 0;
}

/* The version that is chosen for a conflict: a text that was typed needs no choice of its own. "": none. */
static const char *
chosen_version(struct view *v, const struct choice *c)
{
	return *c->take == '\0' && is_typed(v, c) ? "text" : c->take;
}

/* True if a text was typed for the conflict, and `take` would drop it. A form that was shown again for that has asked. */
static bool
drops_text(struct view *v, const struct choice *c, const char *take)
{
	return *take != '\0' && strcmp(take, "text") != 0 && is_typed(v, c);
}

/* The version that the form takes for a conflict; a button takes the same for all. */
static const char *
version_to_take(struct view *v, const struct choice *c)
{
	const char *all = form_value(v, "all");

	return *all != '\0' ? all : chosen_version(v, c);
}

/*
 * The index that a conflict had in the form that was sent; -1: it had none. The list may be another one by
 * now: places are known by page, kind and number within the page.
 */
static int
index_in_form(const struct choices *sent, const cJSON *conflicts, const cJSON *conflict)
{
	int wanted = sent->count > 0 ? number_in_page(conflicts, conflict) : 0, n = 0;

	for (int i = 0; i < sent->count; i++) {
		if (strcmp(sent->list[i].page, json_text_or_empty(conflict, "page")) != 0)
			continue;
		if (n++ == wanted)
			return strcmp(sent->list[i].kind, json_text_or_empty(conflict, "kind")) == 0 ? i : -1;
	}
	return -1;
}

/* ---- one conflict ---- */

/* A side's version: its text, the title of the page above, or that it is deleted. */
static void
write_version(struct view *v, const struct shown_space *s, const struct kind *k, enum say label, const char *text)
{
	struct html *h = &v->h;
	const cJSON *above;

	if (text == NULL && strcmp(k->kind, "deleted") != 0)
		return;
	h_leaf(h, "small", NULL, view_say(v, label));
	if (strcmp(k->kind, "position") == 0 && text != NULL) {
		above = find_page(s->pages, text);
		text = *text == '\0' ? s->title : above != NULL ? json_text_or_empty(above, "title") : text;
	}
	h_el(h, "pre", "dir", "auto", "tabindex", "0", NULL);
	h_text(h, text != NULL ? text : view_say(v, SAY_DELETED));
	h_close(h);
}

static void
write_choice(struct view *v, int index, const char *take, enum say label, bool chosen)
{
	struct html *h = &v->h;

	h_el(h, "label", "class", "pick", NULL);
	h_one(h, "input", "type", "radio", "name", field_name(v, "take", index), "value", take, "checked", chosen ? "" : NULL, NULL);
	h_text(h, view_say(v, label));
	h_close(h);
}

/* The height of a field that shows the whole text, if that is not longer than a screen. Long lines are broken by the field. */
static int
rows_for(const char *text)
{
	enum { LEAST = 4, MOST = 20, WIDTH = 60 };
	size_t rows = 1;

	for (const char *p = text; *p != '\0' && rows < MOST; p += *p == '\n') {
		size_t n = strcspn(p, "\n");

		rows += 1 + n / WIDTH;
		p += n;
	}
	return rows < LEAST ? LEAST : rows > MOST ? MOST : (int)rows;
}

static void
write_typed(struct view *v, int index, const struct kind *k, const char *text)
{
	struct html *h = &v->h;
	const char *name = field_name(v, "text", index), *label = view_say(v, SAY_TAKE_TEXT);

	if (k->field == ONE_LINE) {
		h_one(h, "input", "name", name, "value", text, "aria-label", label, "dir", "auto", "autocomplete", "off", NULL);
		return;
	}
	h_el(h, "textarea", "class", "source", "name", name, "rows", arena_printf(v->arena, "%d", rows_for(text)), "aria-label", label,
	    "dir", "auto", NULL);
	h_text(h, "\n");
	h_text(h, text);
	h_close(h);
}

/*
 * The hash that the form sends as held: is_typed() compares the text in the field with it. After a choice that would
 * drop a typed text it is the hash of that text, so that the same choice is accepted when it is sent again.
 */
static const char *
held_now(struct view *v, const char *ours, const struct choice *before)
{
	if (before != NULL && drops_text(v, before, version_to_take(v, before)))
		return hash_field(v, before->text);
	return before != NULL && *before->held != '\0' ? before->held : hash_field(v, ours);
}

/* The choices for a conflict. before: those of the form that was sent; NULL: it had none. */
static void
write_choices(struct view *v, int index, const cJSON *conflict, const struct kind *k, const struct choice *before)
{
	const char *take = before == NULL || drops_text(v, before, version_to_take(v, before)) ? "" : chosen_version(v, before);
	const char *ours = json_text_or_empty(conflict, "ours");

	if (k->ours)
		write_choice(v, index, "ours", SAY_TAKE_OURS, strcmp(take, "ours") == 0);
	write_choice(v, index, "theirs", SAY_TAKE_THEIRS, strcmp(take, "theirs") == 0);
	if (k->field == MANY_LINES)
		write_choice(v, index, "both", SAY_TAKE_BOTH, strcmp(take, "both") == 0);
	if (k->field != NO_FIELD) {
		write_choice(v, index, "text", SAY_TAKE_TEXT, strcmp(take, "text") == 0);
		write_typed(v, index, k, before == NULL ? ours : before->text);
		write_hidden(v, field_name(v, "held", index), held_now(v, ours, before));
	}
}

static void
write_conflict(struct view *v, const struct shown_space *s, const struct choices *sent, const cJSON *conflicts, const cJSON *one, int index, bool edit)
{
	int before = index_in_form(sent, conflicts, one);
	const struct kind *k = find_kind(one);
	struct html *h = &v->h;

	h_el(h, "li", "class", "change", NULL);
	h_open(h, "fieldset");
	h_open(h, "legend");
	h_leaf(h, "bdi", NULL, json_text_or_empty(one, "title"));
	h_text(h, " ");
	h_leaf(h, "span", "tag", view_say(v, k->label));
	h_close(h);
	write_version(v, s, k, SAY_CONFLICT_BASE, json_text_of(one, "base"));
	write_version(v, s, k, SAY_CONFLICT_OURS, json_text_of(one, "ours"));
	write_version(v, s, k, SAY_CONFLICT_THEIRS, json_text_of(one, "theirs"));
	if (edit && index < CHOICES_MOST) {
		write_hidden(v, field_name(v, "page", index), json_text_or_empty(one, "page"));
		write_hidden(v, field_name(v, "kind", index), json_text_or_empty(one, "kind"));
		write_choices(v, index, one, k, before < 0 ? NULL : &sent->list[before]);
	}
	h_close(h);
	h_close(h);
}

/* ---- the page ---- */

static void
write_submit(struct view *v, const char *class, const char *name, const char *value, enum say label)
{
	struct html *h = &v->h;

	h_el(h, "button", "type", "submit", "class", class, "name", name, "value", value, NULL);
	h_text(h, view_say(v, label));
	h_close(h);
}

static void
write_list(struct view *v, const struct shown_space *s, const struct choices *sent, const cJSON *answer, const char *below, bool edit)
{
	const cJSON *conflicts = json_member(answer, "conflicts"), *one;
	struct html *h = &v->h;
	int index = 0;

	if (edit) {
		write_form(v, arena_printf(v->arena, "%s/conflicts", below), NULL);
		write_hidden(v, "revision", json_text_or_empty(answer, "revision"));
		/* Enter in a field presses the first button of a form. */
		write_submit(v, "sr", "save", "1", SAY_SAVE_CHOICES);
	}
	h_el(h, "ol", "class", "changes", NULL);
	cJSON_ArrayForEach(one, conflicts)
		write_conflict(v, s, sent, conflicts, one, index++, edit);
	h_close(h);
	if (!edit)
		return;
	h_el(h, "div", "class", "actions", NULL);
	write_submit(v, "btn primary", "save", "1", SAY_SAVE_CHOICES);
	write_submit(v, "btn", "all", "ours", SAY_ALL_OURS);
	write_submit(v, "btn", "all", "theirs", SAY_ALL_THEIRS);
	h_close(h);
	h_close(h);
}

/* The texts that were typed for conflicts which are not in the list any more; they would be lost otherwise. */
static void
write_lost(struct view *v, const struct choices *sent, const cJSON *conflicts)
{
	bool kept[CHOICES_MOST] = { false };
	struct html *h = &v->h;
	const cJSON *one;
	int i;

	cJSON_ArrayForEach(one, conflicts)
		if ((i = index_in_form(sent, conflicts, one)) >= 0)
			kept[i] = true;
	for (i = 0; i < sent->count; i++) {
		if (kept[i] || strcmp(chosen_version(v, &sent->list[i]), "text") != 0)
			continue;
		h_el(h, "pre", "dir", "auto", "tabindex", "0", NULL);
		h_text(h, sent->list[i].text);
		h_close(h);
	}
}

/* refusal, failed: what is wrong with the choices that were sent; NULL: nothing. */
static void
show_list(struct view *v, const char *refusal, const struct call *failed)
{
	const char *api = path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1]);
	const char *below = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]);
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/conflicts", api), NULL);
	bool outdated = json_flag_of(c.answer, "outdated"), some;
	const struct choices *sent = read_choices(v);
	struct shown_space s;
	struct html *h = &v->h;

	if (!call_succeeded(v, &c) || !open_space(v, &s, "*", path_of_ids(v, "/change-requests/%s/content", v->ids[1]), below))
		return;
	some = cJSON_GetArraySize(json_member(c.answer, "conflicts")) > 0;
	s.pages = some ? s.pages : NULL;
	v->status = refusal != NULL ? 400 : failed != NULL ? failed->status : 200;
	space_begin(v, &s, TAB_REQUESTS, NULL, view_say(v, SAY_RESOLVE_CONFLICTS));
	h_leaf(h, "h1", NULL, view_say(v, some ? SAY_CONFLICTS : SAY_CONFLICTS_NONE));
	if (refusal != NULL)
		write_alert(v, refusal);
	if (failed != NULL)
		write_failure(v, failed, NULL);
	if (some)
		h_leaf(h, "p", "lead", view_say(v, outdated ? SAY_CONFLICTS_OUTDATED : may(&s, "edit") ? SAY_CONFLICTS_INTRO : SAY_CONFLICTS_LEAD));
	if (outdated && may(&s, "edit")) {
		write_form(v, arena_printf(v->arena, "%s/update", below), NULL);
		write_button(v, "primary", view_say(v, SAY_UPDATE));
		h_close(h);
	}
	write_lost(v, sent, json_member(c.answer, "conflicts"));
	if (some)
		write_list(v, &s, sent, c.answer, below, may(&s, "edit") && !outdated);
	h_el(h, "div", "class", "actions", NULL);
	write_link(v, "btn small", below, view_say(v, SAY_TO_REQUEST));
	h_close(h);
	page_end(v);
}

/* GET /app/spaces/ID/requests/ID/conflicts */
void
show_conflicts(struct view *v)
{
	show_list(v, NULL, NULL);
}

/* ---- saving ---- */

static const char *
typed_text(struct view *v, const char *text, bool lines)
{
	char *copy = plain_lines(v->arena, text);

	if (!lines)
		copy[strcspn(copy, "\n")] = '\0';
	return copy;
}

/* True if each conflict of the page has a choice. */
static bool
is_decided(struct view *v, const struct choices *sent, const char *page)
{
	for (int i = 0; i < sent->count; i++)
		if (strcmp(sent->list[i].page, page) == 0 && *chosen_version(v, &sent->list[i]) == '\0')
			return false;
	return true;
}

static void
add_choice(struct view *v, struct json *j, const struct choice *c, const char *take)
{
	json_obj(j);
	json_kstr(j, "page", c->page);
	json_kstr(j, "kind", c->kind);
	json_kstr(j, "take", take);
	if (strcmp(take, "text") == 0)
		json_kstr(j, "text", typed_text(v, c->text, strcmp(c->kind, "text") == 0));
	json_end(j);
}

/*
 * The body of the API call: the choices for those pages whose conflicts are all decided. *left: set
 * to true if other pages remain.
 */
static char *
make_choices_body(struct view *v, int *count, bool *left)
{
	const struct choices *sent = read_choices(v);
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_kstr(&j, "revision", form_value(v, "revision"));
	json_karr(&j, "choices");
	*count = 0;
	*left = false;
	for (int i = 0; i < sent->count; i++) {
		const struct choice *c = &sent->list[i];

		if (*form_value(v, "all") == '\0' && !is_decided(v, sent, c->page)) {
			*left = true;
			continue;
		}
		add_choice(v, &j, c, version_to_take(v, c));
		++*count;
	}
	json_end(&j);
	json_end(&j);
	return b.p;
}

/* True if a choice of the form would drop a text that was typed. */
static bool
drops_any(struct view *v)
{
	const struct choices *sent = read_choices(v);

	for (int i = 0; i < sent->count; i++)
		if (drops_text(v, &sent->list[i], version_to_take(v, &sent->list[i])))
			return true;
	return false;
}

/* POST /app/spaces/ID/requests/ID/conflicts */
void
resolve_conflicts(struct view *v)
{
	const char *below = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]);
	int count;
	bool left;
	char *body = make_choices_body(v, &count, &left);
	struct call c;

	if (count == 0 || drops_any(v)) {
		show_list(v, view_say(v, count == 0 ? SAY_CHOOSE_ALL : SAY_TYPED_BESIDE), NULL);
		return;
	}
	c = ask_api(v, "POST", arena_printf(v->arena, "%s/conflicts", path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1])), body);
	if (c.status == 401)
		go_sign_in(v, false);
	else if (!is_success(&c))
		show_list(v, NULL, &c);
	else if (left)
		/* The form is shown again, with the choices and texts for the remaining pages. */
		show_list(v, NULL, NULL);
	else if (strcmp(json_text_or_empty(c.answer, "result"), "conflicts") == 0)
		go_to(v, arena_printf(v->arena, "%s/conflicts", below));
	else
		go_to(v, arena_printf(v->arena, "%s?done=resolved", below));
}
