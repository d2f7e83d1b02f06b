/*
 * Comments on a space, a change request, a page or a block, with replies (comment_forms.c has the forms). Those on a
 * block are shown at the block, the others in a list of their own; each leads to the one before and after it.
 * Contract: space_parts.h.
 */
#include <limits.h>

#include "base/json.h"
#include "base/sort.h"
#include "base/url.h"
#include "render/render.h"
#include "space_parts.h"

/* ---- which comments ---- */

static const char *
node_of(const cJSON *comment)
{
	return json_text_of(json_member(json_member(comment, "target"), "node"), "id");
}

/* The line of the difference of this change after which the comment is shown; 0: it is not shown there. */
static int64_t
line_in_change(struct talk *t, const cJSON *comment, const cJSON *change, int number)
{
	const char *node = node_of(comment), *page = json_text_of(json_member(json_member(comment, "target"), "page"), "id");
	const cJSON *one;

	if (node == NULL || page == NULL || !t->shown[number] || strcmp(page, json_text_or_empty(json_member(change, "page"), "id")) != 0)
		return 0;
	cJSON_ArrayForEach(one, json_member(change, "commented"))
		if (strcmp(json_text_or_empty(one, "node"), node) == 0)
			return shown_line(json_text_or_empty(change, "diff"), (int64_t)json_number_of(one, "first", 0),
			    (int64_t)json_number_of(one, "last", 0));
	return 0;
}

/* True if the comment is on the block, or on a block inside it. */
static bool
is_at(const cJSON *comment, const cJSON *block)
{
	const char *node = node_of(comment), *key = json_text_of(block, "key");
	const cJSON *one;

	if (node == NULL || key == NULL)
		return false;
	if (strcmp(node, key) == 0)
		return true;
	cJSON_ArrayForEach(one, json_member(block, "inside"))
		if (cJSON_IsString(one) && strcmp(one->valuestring, node) == 0)
			return true;
	return false;
}

/* Where the comment is shown: the number of its block or change, from 1, and the line there. number INT_MAX: at none. */
static void
find_place(struct talk *t, struct placed *p)
{
	const cJSON *list = t->blocks != NULL ? t->blocks : t->changes, *one;
	int number = 0;

	p->number = INT_MAX;
	cJSON_ArrayForEach(one, list) {
		number++;
		if (t->blocks == NULL && (p->line = line_in_change(t, p->comment, one, number)) == 0)
			continue;
		if (t->blocks != NULL && !is_at(p->comment, one))
			continue;
		p->number = number;
		return;
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

/* Sorts the comments as they are shown: those at blocks or changes in the order of the text, then the others. */
static void
put_in_order(struct talk *t)
{
	const cJSON *one;

	t->order = arena_array(t->v->arena, (size_t)cJSON_GetArraySize(t->items) + 1, sizeof(*t->order));
	cJSON_ArrayForEach(one, t->items) {
		struct placed *p = &t->order[t->count];

		*p = (struct placed){ .comment = one, .at = t->count++ };
		find_place(t, p);
		t->placed += p->number != INT_MAX;
	}
	sort_list(t->order, t->count, sizeof(*t->order), by_place);
}

void
open_talk(struct view *v, struct talk *t)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/comments?format=document&order=asc&limit=1000%s", t->api,
	    t->page != NULL ? path_of_ids(v, "&targetPage=%s", t->page) : ""), NULL);

	t->v = v;
	t->answer = c.answer;
	t->items = json_member(c.answer, "items");
	t->latest = "";
	put_in_order(t);
	v->review = t->count > 0 || t->changes != NULL || (t->blocks != NULL && t->may_write);
}

/* ---- one comment ---- */

static void
write_remark(struct talk *t, const cJSON *remark)
{
	const cJSON *document = json_member(json_member(remark, "body"), "document");
	const char *posted = json_text_or_empty(remark, "postedAt");
	struct view *v = t->v;

	/* Times of the API have a fixed form, so comparing them as text gives their order. */
	if (strcmp(posted, t->latest) > 0)
		t->latest = posted;
	h_leaf(&v->h, "strong", NULL, json_text_or_empty(json_member(remark, "postedBy"), "displayName"));
	h_text(&v->h, " ");
	h_leaf(&v->h, "small", NULL, show_minute(v, posted));
	if (document != NULL)
		write_rich_text(v, document);
}

static void
write_replies(struct talk *t, const cJSON *comment)
{
	struct view *v = t->v;
	struct call c;
	const cJSON *one;

	if (json_number_of(comment, "replies", 0) < 1)
		return;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s", t->api, path_of_ids(v, "/comments/%s/replies?format=document&limit=1000",
	    json_text_or_empty(comment, "id"))), NULL);
	h_el(&v->h, "ul", "class", "replies", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		h_open(&v->h, "li");
		write_remark(t, one);
		h_close(&v->h);
	}
	h_close(&v->h);
	write_left_out(v, c.answer);
}

/* ---- from one to the next ---- */

/* A link to a place of this page or another one of the request. */
static void
write_link_at(struct talk *t, const char *place, const char *label)
{
	struct html *h = &t->v->h;

	h_el(h, "a", "class", "step", "href", place, NULL);
	h_text(h, label);
	h_close(h);
}

static void
write_link_to(struct talk *t, const cJSON *comment, const char *label)
{
	write_link_at(t, arena_printf(t->v->arena, "#comment-%s", json_text_or_empty(comment, "id")), label);
}

/* The line of code that the comment is on, with a link to it; block NULL: the comment is at no block. */
static void
write_line(struct talk *t, const cJSON *comment, const cJSON *block)
{
	const char *node = node_of(comment);
	struct html *h = &t->v->h;
	const cJSON *line;

	cJSON_ArrayForEach(line, json_member(block, "lines")) {
		if (node == NULL || strcmp(json_text_or_empty(line, "key"), node) != 0)
			continue;
		h_el(h, "p", "class", "line-of", NULL);
		write_link_at(t, arena_printf(t->v->arena, "#line-%s", node),
		    view_say_with(t->v, SAY_LINE, arena_printf(t->v->arena, "%.0f", json_number_of(line, "number", 0))));
		h_text(h, " ");
		h_leaf(h, "code", NULL, json_text_or_empty(line, "text"));
		h_close(h);
	}
}

/* What a screen reader says when the comment gets the focus: its number of all, and its author. */
static const char *
label_of(struct talk *t, size_t i)
{
	const char *number = view_say_with(t->v, SAY_COMMENT_NUMBER, arena_printf(t->v->arena, "%zu/%zu", i + 1, t->count));

	return arena_printf(t->v->arena, "%s, %s", number, json_text_or_empty(json_member(t->order[i].comment, "postedBy"), "displayName"));
}

static void
write_comment(struct talk *t, size_t i, const cJSON *block)
{
	const cJSON *comment = t->order[i].comment, *page = json_member(json_member(comment, "target"), "page");
	const char *id = json_text_or_empty(comment, "id");
	bool resolved = strcmp(json_text_or_empty(comment, "status"), "resolved") == 0;
	struct html *h = &t->v->h;

	h_el(h, "li", "id", arena_printf(t->v->arena, "comment-%s", id), "class", resolved ? "resolved" : NULL, "tabindex", "-1",
	    "aria-label", label_of(t, i), NULL);
	if (resolved)
		h_leaf(h, "span", "tag", view_say(t->v, SAY_RESOLVED));
	if (json_flag_of(comment, "unread"))
		h_leaf(h, "span", "tag unread", view_say(t->v, SAY_UNREAD));
	if (json_flag_of(json_member(comment, "target"), "lost"))
		h_leaf(h, "span", "tag gone", view_say(t->v, SAY_LOST));
	write_line(t, comment, block);
	write_remark(t, comment);
	write_replies(t, comment);
	h_el(h, "div", "class", "actions", NULL);
	write_comment_buttons(t, comment);
	if (t->page == NULL && page != NULL)
		write_link_at(t, near_path(t->v, arena_printf(t->v->arena, "%s%s", t->below, path_of_ids(t->v, "/pages/%s#comment-%s", json_text_or_empty(page, "id"), id))),
		    view_say(t->v, SAY_ON_PAGE));
	if (i > 0)
		write_link_to(t, t->order[i - 1].comment, view_say(t->v, SAY_BEFORE_COMMENT));
	if (i + 1 < t->count)
		write_link_to(t, t->order[i + 1].comment, view_say(t->v, SAY_NEXT_COMMENT));
	h_close(h);
	h_close(h);
}

/* ---- unread ones ---- */

/* A link to the first unread comment, with their number. */
static void
write_to_unread(struct talk *t)
{
	const cJSON *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++)
		if (json_flag_of(t->order[i].comment, "unread")) {
			first = first != NULL ? first : t->order[i].comment;
			n++;
		}
	if (n > 0)
		write_link_to(t, first, view_say_with(t->v, SAY_TO_UNREAD, arena_printf(t->v->arena, "%zu", n)));
}

void
write_comment_links(struct talk *t)
{
	bool offers = t->blocks != NULL && t->may_write && query_value(t->v, "comment") == NULL;

	if (!t->v->review || (t->count == 0 && !offers))
		return;
	h_el(&t->v->h, "div", "class", "actions", NULL);
	if (t->count > 0)
		write_link_to(t, t->order[0].comment, view_say_with(t->v, SAY_TO_COMMENTS, arena_printf(t->v->arena, "%zu", t->count)));
	write_to_unread(t);
	if (offers)
		write_link_at(t, arena_printf(t->v->arena, "?%scomment=", t->query), view_say(t->v, SAY_COMMENT_PART));
	h_close(&t->v->h);
	write_button_form(t);
}

/* The button is at the end of the page, where it takes no room from what people read. */
static void
write_shortcuts(struct talk *t)
{
	if (!t->v->review)
		return;
	h_el(&t->v->h, "div", "class", "actions", NULL);
	write_shortcuts_button(t->v, t->page != NULL ? arena_printf(t->v->arena, "%s%s", t->below, path_of_ids(t->v, "/pages/%s", t->page)) : t->below);
	h_close(&t->v->h);
}

/*
 * Writes the button that marks the comments as read. It is below the comments, and only where all
 * comments of the request are shown: the page of the request, not that of one of its pages.
 */
static void
write_mark_read(struct talk *t)
{
	bool some = false;

	for (size_t i = 0; i < t->count; i++)
		some = some || json_flag_of(t->order[i].comment, "unread");
	if (!some || t->page != NULL || *json_text_or_empty(json_member(t->answer, "next"), "page") != '\0')
		return;
	begin_talk_form(t, "read", NULL, NULL);
	write_hidden(t->v, "until", t->latest);
	write_button(t->v, "small", view_say(t->v, SAY_MARK_READ));
	h_close(&t->v->h);
}

/* ---- at a block or a line ---- */

bool
has_comment_at(const struct talk *t, int number, int64_t line)
{
	for (size_t i = 0; i < t->placed; i++)
		if (t->order[i].number == number && t->order[i].line == line)
			return true;
	return false;
}

void
write_comments_at(struct talk *t, int number, int64_t line, const cJSON *block)
{
	if (!has_comment_at(t, number, line))
		return;
	h_el(&t->v->h, "ul", "class", "comments", NULL);
	for (size_t i = 0; i < t->placed; i++)
		if (t->order[i].number == number && t->order[i].line == line)
			write_comment(t, i, block);
	h_close(&t->v->h);
}

/* A choice of one cell of a table, by row and column. */
static void
write_cells(struct talk *t, const cJSON *block)
{
	const cJSON *record, *column;
	int row = 0, n = 0;

	if (cJSON_GetArraySize(json_member(block, "records")) == 0)
		return;
	choice_begin(t->v, "cell", view_say(t->v, SAY_CELL));
	write_option(t->v, "", view_say(t->v, SAY_WHOLE_TABLE), false);
	cJSON_ArrayForEach(record, json_member(block, "records")) {
		row++;
		cJSON_ArrayForEach(column, json_member(block, "columns")) {
			/* A longer list would not be useful. */
			if (n++ >= 1000)
				break;
			write_option(t->v, arena_printf(t->v->arena, "%s/%s", record->valuestring, json_text_or_empty(column, "id")),
			    arena_printf(t->v->arena, "%d · %s", row, json_text_or_empty(column, "title")), false);
		}
	}
	choice_end(t->v);
}

/* A choice of one line of code, by number and text. */
static void
write_lines(struct talk *t, const cJSON *block)
{
	const cJSON *line;

	if (cJSON_GetArraySize(json_member(block, "lines")) == 0)
		return;
	choice_begin(t->v, "line", view_say(t->v, SAY_CODE_LINE));
	write_option(t->v, "", view_say(t->v, SAY_WHOLE_CODE), false);
	cJSON_ArrayForEach(line, json_member(block, "lines"))
		write_option(t->v, json_text_or_empty(line, "key"),
		    arena_printf(t->v->arena, "%.0f · %s", json_number_of(line, "number", 0), json_text_or_empty(line, "text")), false);
	choice_end(t->v);
}

static void
write_block_form(struct talk *t, const cJSON *block)
{
	begin_talk_form(t, "comments", NULL, NULL);
	write_once(t->v);
	write_hidden(t->v, "node", json_text_or_empty(block, "key"));
	write_cells(t, block);
	write_lines(t, block);
	write_comment_field(t);
	h_close(&t->v->h);
}

/*
 * The link that opens the form at the block; the field takes the focus there. Scripts add the links to every page
 * (assets/app/review.js); without one, a link leads to the page that has them.
 */
static void
write_block_link(struct talk *t, const char *key, int number)
{
	struct html *h = &t->v->h;

	h_el(h, "a", "class", "say", "href", arena_printf(t->v->arena, "?%scomment=%s", t->query, key), NULL);
	h_attr(h, "aria-label", arena_printf(t->v->arena, "%s: %d", view_say(t->v, SAY_COMMENT), number));
	h_text(h, "+");
	h_close(h);
}

static void
write_block(struct talk *t, const cJSON *block, int number)
{
	const char *key = json_text_of(block, "key"), *wanted = query_value(t->v, "comment");
	bool asked = key != NULL && wanted != NULL && strcmp(wanted, key) == 0;
	struct html *h = &t->v->h;

	h_el(h, "div", "class", "b", "id", key != NULL ? arena_printf(t->v->arena, "b-%s", key) : NULL, NULL);
	h_raw(h, str_of(json_text_or_empty(block, "html")));
	if (key != NULL && t->may_write && wanted != NULL)
		write_block_link(t, key, number);
	write_comments_at(t, number, 0, block);
	if (asked && t->may_write)
		write_block_form(t, block);
	h_close(h);
}

void
write_talked_article(struct talk *t, const cJSON *rendered)
{
	const cJSON *blocks = json_member(rendered, "blocks"), *block;
	struct html *h = &t->v->h;
	int number = 0;

	write_comment_links(t);
	h_el(h, "article", "class", "prose", "dir", "auto", "data-say", t->may_write ? view_say(t->v, SAY_COMMENT) : NULL, NULL);
	cJSON_ArrayForEach(block, blocks)
		write_block(t, block, ++number);
	if (number == 0)
		h_leaf(h, "p", "lead", view_say(t->v, SAY_NO_TEXT));
	h_close(h);
	write_outline(t->v, json_member(rendered, "outline"));
}

/* ---- the others ---- */

void
write_comments(struct talk *t)
{
	struct html *h = &t->v->h;

	if (!t->may_write && t->placed == t->count) {
		write_shortcuts(t);
		return;
	}
	section_begin(t->v, "comments", view_say(t->v, SAY_COMMENTS), NULL);
	if (t->placed < t->count) {
		h_el(h, "ul", "class", "comments", NULL);
		for (size_t i = t->placed; i < t->count; i++)
			write_comment(t, i, NULL);
		h_close(h);
	}
	write_left_out(t->v, t->answer);
	write_mark_read(t);
	if (t->may_write) {
		begin_talk_form(t, "comments", NULL, NULL);
		write_once(t->v);
		write_text_area(t->v, "new-comment", "text", SAY_COMMENT, false);
		write_button(t->v, NULL, view_say(t->v, SAY_POST));
		h_close(h);
	}
	write_shortcuts(t);
	h_close(h);
}
