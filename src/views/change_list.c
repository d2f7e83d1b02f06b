/* What a revision or a change request changed, as a list. Contract: space_parts.h. */
#include <stdlib.h>

#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/*
 * LINES_OPEN: most lines of a difference that is unfolded at first. LINES_EACH, LINES_ALL: most
 * lines of a difference that is on the page, and of all of them together; a longer difference is
 * replaced by a link that shows it. SUMMARY_FROM: least number of changes that get a summary above
 * them; SUMMARY_OPEN: most changes of a summary that is unfolded at first.
 */
enum { LINES_OPEN = 40, LINES_EACH = 200, LINES_ALL = 400, SUMMARY_FROM = 3, SUMMARY_OPEN = 12 };

/* A list of changes as it is written. Its parts have numbers from 1; addresses have the numbers in the whole list. */
struct change_list {
	struct view *v;
	const char  *below, *query;
	const bool  *shown;   /* by number: whether the difference is on the page */
	struct talk *talk;    /* NULL: without comments */
	int          number;  /* of the change, from 1 */
	long         before;  /* number of changes in earlier parts of the list */
	long         full;    /* number of the change whose difference a link has opened; 0: none */
};

/* ---- parts of the list ---- */

enum { CHANGES_PART = 50, BEFORE_MOST = 1000000 };

/* The number of changes before the part that ?after=N names. */
static long
changes_before(struct view *v)
{
	const char *after = query_value(v, "after");
	long n = after != NULL ? strtol(after, NULL, 10) : 0;

	return n < 0 ? 0 : n > BEFORE_MOST ? BEFORE_MOST : n;
}

struct call
ask_changes(struct view *v, const char *of, const char *query)
{
	return ask_api(v, "GET", arena_printf(v->arena, "%s/changes?diff=true&limit=%d&offset=%ld%s", of, CHANGES_PART, changes_before(v), query), NULL);
}

const char *
part_query(struct view *v)
{
	long before = changes_before(v);

	return before > 0 ? arena_printf(v->arena, "after=%ld&", before) : "";
}

/* The address of this page with the same comparison, up to further parameters. */
static const char *
own_query(struct view *v, const char *part)
{
	const char *since = query_value(v, "since");

	return arena_printf(v->arena, "?%s%s", since != NULL ? path_of_ids(v, "since=%s&", since) : "", part);
}

static void
write_part_link(struct view *v, enum say label, long before)
{
	h_el(&v->h, "a", "class", "btn", "href", own_query(v, arena_printf(v->arena, "after=%ld", before)), NULL);
	h_text(&v->h, view_say(v, label));
	h_close(&v->h);
}

/* Links to the parts of the list before and after this one. more: number of changes after it. */
static void
write_parts(struct view *v, long before, double more)
{
	if (more > 0)
		h_leaf(&v->h, "p", "lead", view_say_with(v, SAY_MORE_CHANGES, arena_printf(v->arena, "%.0f", more)));
	if (before == 0 && more <= 0)
		return;
	h_el(&v->h, "p", "class", "actions", NULL);
	if (before > 0)
		write_part_link(v, SAY_FIND_BEFORE, before > CHANGES_PART ? before - CHANGES_PART : 0);
	if (more > 0)
		write_part_link(v, SAY_FIND_NEXT, before + CHANGES_PART);
	h_close(&v->h);
}

/* ---- differences of the source ---- */

/* Writes a link that loads the page again with this difference, which is left out because it is too long. */
static void
write_diff_link(struct change_list *l, size_t lines)
{
	struct view *v = l->v;

	h_el(&v->h, "a", "class", "step", "href", arena_printf(v->arena, "%sfull=%ld#change-%ld", own_query(v, part_query(v)), l->before + l->number,
	    l->before + l->number), NULL);
	h_text(&v->h, view_say_with(v, SAY_SHOW_DIFF, arena_printf(v->arena, "%zu", lines)));
	h_close(&v->h);
}

/* The number in this part of the change that ?full=N, or ?lines=PAGE, shows whole; 0: none. */
static long
number_of_full(struct view *v, const cJSON *list)
{
	const char *full = query_value(v, "full");
	const cJSON *one;
	long number = 0;

	cJSON_ArrayForEach(one, list) {
		number++;
		if (json_member(one, "lines") != NULL)
			return number;
	}
	return full != NULL ? strtol(full, NULL, 10) - changes_before(v) : 0;
}

const bool *
shown_changes(struct view *v, const cJSON *changes)
{
	const cJSON *list = json_member(changes, "changes"), *one;
	long number = 0, asked = number_of_full(v, list);
	bool *shown = arena_array(v->arena, (size_t)cJSON_GetArraySize(list) + 1, sizeof(*shown));
	size_t left = LINES_ALL;

	cJSON_ArrayForEach(one, list) {
		size_t lines = size_of_diff(json_text_or_empty(one, "diff")).lines;

		number++;
		shown[number] = lines > 0 && (number == asked || (lines <= LINES_EACH && lines <= left));
		if (shown[number] && number != asked)
			left -= lines < left ? lines : left;
	}
	return shown;
}

/*
 * The link to the page on which the lines of this difference have links for comments on them, for people who may
 * comment, and not for a deleted page. On that page: the link back. A script shows the difference of that page in the
 * place of this one (assets/app/review.js).
 */
static void
write_lines_link(struct change_list *l, const cJSON *change)
{
	const char *page = json_text_of(json_member(change, "page"), "id"), *lines;
	bool shown = json_member(change, "lines") != NULL;

	if (l->talk == NULL || !l->talk->may_write || l->talk->closed || page == NULL ||
	    strcmp(json_text_or_empty(change, "type"), "page_deleted") == 0)
		return;
	lines = shown ? "" : path_of_ids(l->v, "lines=%s", page);
	h_el(&l->v->h, "a", "class", "step lines", "href", arena_printf(l->v->arena, "?%s%s#change-%ld", part_query(l->v), lines,
	    l->before + l->number), NULL);
	h_text(&l->v->h, view_say(l->v, shown ? SAY_CLOSE : SAY_COMMENT_LINE));
	h_close(&l->v->h);
}

static void
write_diff(struct change_list *l, const cJSON *change)
{
	size_t lines = size_of_diff(json_text_or_empty(change, "diff")).lines;
	struct html *h = &l->v->h;

	if (!l->shown[l->number]) {
		write_diff_link(l, lines);
		return;
	}
	h_el(h, "details", "class", "diff", "open", l->number == l->full || lines <= LINES_OPEN ? "" : NULL, NULL);
	h_leaf(h, "summary", NULL, view_say(l->v, SAY_SOURCE));
	write_lines_link(l, change);
	write_diff_lines(l->v, change, l->talk, l->number);
	h_close(h);
}

/* ---- what changed ---- */

static const struct change_kind {
	const char *type;
	enum say    label;
	const char *class;
} kinds[] = {
	{ "page_created", SAY_ADDED, "good" }, { "page_edited", SAY_CHANGED, NULL }, { "page_deleted", SAY_DELETED, "gone" },
	{ "page_moved", SAY_MOVED, NULL }, { "file_created", SAY_ADDED, "good" }, { "file_edited", SAY_CHANGED, NULL },
	{ "file_deleted", SAY_DELETED, "gone" }, { "reusable_content_created", SAY_ADDED, "good" },
	{ "reusable_content_edited", SAY_CHANGED, NULL }, { "reusable_content_deleted", SAY_DELETED, "gone" },
	{ "variables_edited", SAY_CHANGED, NULL } };

static const struct change_kind *
kind_of(const cJSON *change)
{
	const char *type = json_text_or_empty(change, "type");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].type, type) == 0)
			return &kinds[i];
	return NULL;
}

/* Title or name of what changed. */
static const char *
name_of(struct view *v, const cJSON *change)
{
	static const char *const objects[][2] = { { "page", "title" }, { "file", "name" }, { "reusableContent", "title" } };

	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		if (json_member(change, objects[i][0]) != NULL)
			return json_text_or_empty(json_member(change, objects[i][0]), objects[i][1]);
	return view_say(v, SAY_VARIABLES);
}

static void
write_object(struct change_list *l, const cJSON *change)
{
	const cJSON *page = json_member(change, "page");
	bool gone = strstr(json_text_or_empty(change, "type"), "deleted") != NULL;
	struct view *v = l->v;

	if (page != NULL && !gone && strcmp(json_text_or_empty(page, "type"), "document") == 0) {
		h_el(&v->h, "a", "href", near_path(v, arena_printf(v->arena, "%s/pages/%s%s", l->below,
		    url_segment(v->arena, str_of(json_text_or_empty(page, "id"))), l->query)), NULL);
		h_text(&v->h, json_text_or_empty(page, "title"));
		h_close(&v->h);
	} else {
		h_leaf(&v->h, "span", NULL, name_of(v, change));
	}
	if (page != NULL)
		h_leaf(&v->h, "small", NULL, json_text_or_empty(page, "path"));
}

/* The attributes that changed besides the text: "title: Old → New". */
static void
write_attributes(struct view *v, const cJSON *attributes)
{
	const cJSON *one;
	struct html *h = &v->h;

	cJSON_ArrayForEach(one, attributes) {
		const char *before = json_text_of(one, "before"), *after = json_text_of(one, "after");

		/* These attributes are hashes, or objects whose changes are in the difference of the source. */
		if (strcmp(one->string, "document") == 0 || strcmp(one->string, "downloadURL") == 0 || (before == NULL && after == NULL))
			continue;
		h_el(h, "p", "class", "attribute", NULL);
		h_text(h, one->string);
		h_text(h, ": ");
		if (before != NULL)
			h_leaf(h, "del", NULL, before);
		h_text(h, " ");
		if (after != NULL)
			h_leaf(h, "ins", NULL, after);
		h_close(h);
	}
}

static bool
is_picture(const cJSON *file)
{
	return strncmp(json_text_or_empty(file, "contentType"), "image/", 6) == 0;
}

/* Writes the picture of a file, with a label. label SAYS: no label. */
static void
write_picture(struct view *v, const cJSON *file, enum say label)
{
	if (!is_picture(file))
		return;
	h_open(&v->h, "figure");
	if (label != SAYS)
		h_leaf(&v->h, "figcaption", NULL, view_say(v, label));
	h_void(&v->h, "img");
	h_url(&v->h, "src", json_text_or_empty(file, "downloadURL"));
	h_attr(&v->h, "alt", json_text_or_empty(file, "name"));
	h_attr(&v->h, "loading", "lazy");
	h_close(&v->h);
}

/* The picture of a file; of one that was edited, both beside each other. */
static void
write_pictures(struct view *v, const cJSON *change)
{
	const cJSON *file = json_member(change, "file"), *before = json_member(change, "fileBefore");
	/* A new name alone leaves the picture as it is. */
	bool both = json_member(json_member(change, "attributes"), "downloadURL") != NULL;

	if (!is_picture(file) && !is_picture(before))
		return;
	h_el(&v->h, "div", "class", "pair", NULL);
	if (both)
		write_picture(v, before, SAY_BEFORE);
	write_picture(v, file, both ? SAY_AFTER : SAYS);
	h_close(&v->h);
}

static void
write_kind(struct view *v, const cJSON *change)
{
	const struct change_kind *kind = kind_of(change);

	if (kind != NULL)
		h_leaf(&v->h, "span", kind->class != NULL ? arena_printf(v->arena, "tag %s", kind->class) : "tag", view_say(v, kind->label));
	h_text(&v->h, " ");
}

static void
write_change(struct change_list *l, const cJSON *change)
{
	const char *diff = json_text_of(change, "diff");
	struct html *h = &l->v->h;

	h_el(h, "li", "class", "change", "id", arena_printf(l->v->arena, "change-%ld", l->before + l->number), "tabindex", "-1", NULL);
	h_el(h, "div", "class", "what", NULL);
	write_kind(l->v, change);
	write_object(l, change);
	h_close(h);
	write_attributes(l->v, json_member(change, "attributes"));
	write_pictures(l->v, change);
	if (diff != NULL && *diff != '\0')
		write_diff(l, change);
	h_close(h);
}

/* ---- the list ---- */

/* One row of the summary: a link to the change below, and how many lines it adds and removes. */
static void
write_jump(struct view *v, const cJSON *change, long number)
{
	struct diff_size size = size_of_diff(json_text_or_empty(change, "diff"));

	h_open(&v->h, "li");
	write_kind(v, change);
	h_el(&v->h, "a", "href", arena_printf(v->arena, "#change-%ld", number), NULL);
	h_text(&v->h, name_of(v, change));
	h_close(&v->h);
	if (size.added + size.removed > 0)
		h_leaf(&v->h, "small", NULL, arena_printf(v->arena, " +%zu \u2212%zu", size.added, size.removed));
	h_close(&v->h);
}

/* more: number of changes after those of the list. */
static void
write_summary(struct view *v, const cJSON *list, long before, double more)
{
	int n = cJSON_GetArraySize(list);
	const char *part = before > 0 || more > 0 ? arena_printf(v->arena, "%ld\u2013%ld / %.0f", before + 1, before + n, (double)before + n + more) :
	    arena_printf(v->arena, "%d", n);
	const cJSON *one;
	long number = before;

	h_el(&v->h, "details", "class", "jump", "open", n <= SUMMARY_OPEN ? "" : NULL, NULL);
	h_leaf(&v->h, "summary", NULL, view_say_with(v, SAY_CHANGED_PARTS, part));
	h_open(&v->h, "ul");
	cJSON_ArrayForEach(one, list)
		write_jump(v, one, ++number);
	h_close(&v->h);
	h_close(&v->h);
}

void
write_changes(struct view *v, const cJSON *changes, const char *below, const char *query, struct talk *t)
{
	const cJSON *list = json_member(changes, "changes"), *one;
	struct change_list l = { .v = v, .below = below, .query = query, .shown = shown_changes(v, changes), .talk = t,
		.before = changes_before(v), .full = number_of_full(v, list) };
	double more = json_number_of(changes, "more", 0);

	if (cJSON_GetArraySize(list) == 0 && l.before == 0) {
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_CHANGES));
		return;
	}
	if (cJSON_GetArraySize(list) >= SUMMARY_FROM)
		write_summary(v, list, l.before, more);
	h_el(&v->h, "ul", "class", "changes", "data-viewed", t != NULL && !t->closed ? view_say(v, SAY_VIEWED) : NULL, NULL);
	cJSON_ArrayForEach(one, list) {
		l.number++;
		write_change(&l, one);
	}
	h_close(&v->h);
	write_parts(v, l.before, more);
}
