/*
 * Comments on a space, a change request, a page or a block, with replies, reactions and forms. Those on a
 * block are shown at the block, the others in a list of their own; each leads to the one before and after it.
 * Contract: space_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "render/render.h"
#include "space_parts.h"

/* ---- which comments ---- */

static const char *
node_of(const cJSON *comment)
{
	return json_text_of(json_member(json_member(comment, "target"), "node"), "id");
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

/* Sorts the comments as they are shown: those at blocks in the order of the text, then the others. */
static void
put_in_order(struct talk *t, const cJSON *blocks)
{
	size_t room = (size_t)cJSON_GetArraySize(t->items), n = 0;
	const cJSON *block, *one;
	int at = 0;

	t->order = arena_array(t->v->arena, room + 1, sizeof(*t->order));
	t->block_of = arena_array(t->v->arena, room + 1, sizeof(*t->block_of));
	cJSON_ArrayForEach(block, blocks) {
		at++;
		cJSON_ArrayForEach(one, t->items)
			if (n < room && is_at(one, block)) {
				t->block_of[n] = at;
				t->order[n++] = one;
			}
	}
	t->placed = n;
	cJSON_ArrayForEach(one, t->items) {
		size_t i = 0;

		while (i < t->placed && t->order[i] != one)
			i++;
		if (i == t->placed)
			t->order[n++] = one;
	}
	t->count = n;
}

void
open_talk(struct view *v, struct talk *t, const cJSON *blocks)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/comments?format=document&order=asc&limit=1000%s", t->api,
	    t->page != NULL ? path_of_ids(v, "&targetPage=%s", t->page) : ""), NULL);

	t->v = v;
	t->answer = c.answer;
	t->items = json_member(c.answer, "items");
	t->latest = "";
	put_in_order(t, blocks);
}

/* ---- one comment ---- */

static void
write_remark(struct talk *t, const cJSON *remark)
{
	const cJSON *document = json_member(json_member(remark, "body"), "document");
	const char *posted = json_text_or_empty(remark, "postedAt");
	struct view *v = t->v;

	/* Times of the API sort as text. */
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

/* Begins a form about a comment, which leads back to where it is shown; ends with h_close(). */
static void
begin_form(struct talk *t, const char *step, const char *comment)
{
	write_form(t->v, arena_printf(t->v->arena, "%s/%s", t->below, step), NULL);
	if (comment != NULL)
		write_hidden(t->v, "comment", comment);
	if (t->page != NULL)
		write_hidden(t->v, "page", t->page);
}

static void
write_reply_form(struct talk *t, const cJSON *comment)
{
	const char *id = json_text_or_empty(comment, "id");
	struct html *h = &t->v->h;

	h_el(h, "details", "class", "reply", NULL);
	h_leaf(h, "summary", NULL, view_say(t->v, SAY_REPLY));
	begin_form(t, "reply", id);
	write_once(t->v);
	write_text_area(t->v, arena_printf(t->v->arena, "reply-%s", id), "text", SAY_REPLY, false);
	write_button(t->v, "small", view_say(t->v, SAY_POST));
	h_close(h);
	h_close(h);
}

static void
write_resolve(struct talk *t, const cJSON *comment)
{
	bool resolved = strcmp(json_text_or_empty(comment, "status"), "resolved") == 0;

	begin_form(t, "resolve", json_text_or_empty(comment, "id"));
	write_hidden(t->v, "resolved", resolved ? "" : "1");
	write_row_button(t->v, view_say(t->v, resolved ? SAY_UNRESOLVE : SAY_RESOLVE), json_text_or_empty(json_member(comment, "postedBy"), "displayName"));
	h_close(&t->v->h);
}

/* ---- reactions ---- */

static const char *
caller_id(struct talk *t)
{
	if (t->caller == NULL) {
		struct call c = ask_api(t->v, "GET", "/user", NULL);

		t->caller = json_text_or_empty(c.answer, "id");
	}
	return t->caller;
}

static bool
is_mine(struct talk *t, const cJSON *reaction)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(reaction, "users"))
		if (strcmp(json_text_or_empty(json_member(one, "user"), "id"), caller_id(t)) == 0)
			return true;
	return false;
}

/* A button that adds or takes back a reaction. count 0: nobody has it. may_react false: it only shows. */
static void
write_reaction(struct talk *t, const char *emoji, int count, bool mine, bool may_react)
{
	struct html *h = &t->v->h;
	const char *shown = render_emoji(t->v->arena, emoji);

	shown = shown != NULL ? shown : emoji;
	h_el(h, may_react ? "button" : "span", "class", "emoji", "type", may_react ? "submit" : NULL, "name", may_react ? "react" : NULL,
	    "value", may_react ? arena_printf(t->v->arena, "%s%s", mine ? "-" : "+", emoji) : NULL, "aria-pressed", !may_react ? NULL : mine ? "true" : "false",
	    "aria-label", may_react ? arena_printf(t->v->arena, "%s %s%s", view_say(t->v, SAY_REACT), shown,
	    count > 0 ? arena_printf(t->v->arena, " %d", count) : "") : NULL, NULL);
	h_text(h, count > 0 ? arena_printf(t->v->arena, "%s %d", shown, count) : shown);
	h_close(h);
}

static void
write_reactions(struct talk *t, const cJSON *comment)
{
	static const char *const common[] = { "1f44d", "2764-fe0f", "1f389", "1f440" };
	const cJSON *list = json_member(comment, "reactions"), *one;
	bool may_react = json_flag_of(json_member(comment, "permissions"), "reply"), there;

	if (!may_react && cJSON_GetArraySize(list) == 0)
		return;
	if (may_react)
		begin_form(t, "react", json_text_or_empty(comment, "id"));
	cJSON_ArrayForEach(one, list)
		write_reaction(t, json_text_or_empty(one, "emoji"), (int)json_number_of(one, "count", 0), is_mine(t, one), may_react);
	for (size_t i = 0; may_react && i < sizeof(common) / sizeof(common[0]); i++) {
		there = false;
		cJSON_ArrayForEach(one, list)
			there = there || strcmp(json_text_or_empty(one, "emoji"), common[i]) == 0;
		if (!there)
			write_reaction(t, common[i], 0, false, true);
	}
	if (may_react)
		h_close(&t->v->h);
}

/* ---- from one to the next ---- */

/* A link to a place of this page. */
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

static void
write_comment(struct talk *t, size_t i, const cJSON *block)
{
	const cJSON *comment = t->order[i], *page = json_member(json_member(comment, "target"), "page");
	const char *id = json_text_or_empty(comment, "id");
	bool resolved = strcmp(json_text_or_empty(comment, "status"), "resolved") == 0;
	struct html *h = &t->v->h;

	h_el(h, "li", "id", arena_printf(t->v->arena, "comment-%s", id), "class", resolved ? "resolved" : NULL, "tabindex", "-1", NULL);
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
	write_reactions(t, comment);
	if (json_flag_of(json_member(comment, "permissions"), "reply") && t->may_write) {
		write_reply_form(t, comment);
		write_resolve(t, comment);
	}
	if (t->page == NULL && page != NULL)
		write_link(t->v, "step", arena_printf(t->v->arena, "%s%s", t->below, path_of_ids(t->v, "/pages/%s#comment-%s", json_text_or_empty(page, "id"), id)),
		    view_say(t->v, SAY_ON_PAGE));
	if (i > 0)
		write_link_to(t, t->order[i - 1], view_say(t->v, SAY_BEFORE_COMMENT));
	if (i + 1 < t->count)
		write_link_to(t, t->order[i + 1], view_say(t->v, SAY_NEXT_COMMENT));
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
		if (json_flag_of(t->order[i], "unread")) {
			first = first != NULL ? first : t->order[i];
			n++;
		}
	if (n == 0)
		return;
	h_open(&t->v->h, "p");
	write_link_to(t, first, view_say_with(t->v, SAY_TO_UNREAD, arena_printf(t->v->arena, "%zu", n)));
	h_close(&t->v->h);
}

/* Only where all comments of the request are shown, not on one page of it, and only after all of them. */
static void
write_mark_read(struct talk *t)
{
	bool some = false;

	for (size_t i = 0; i < t->count; i++)
		some = some || json_flag_of(t->order[i], "unread");
	if (!some || t->page != NULL || *json_text_or_empty(json_member(t->answer, "next"), "page") != '\0')
		return;
	begin_form(t, "read", NULL);
	write_hidden(t->v, "until", t->latest);
	write_button(t->v, "small", view_say(t->v, SAY_MARK_READ));
	h_close(&t->v->h);
}

/* ---- at a block ---- */

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
			/* A longer list is of no use to anybody. */
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
	begin_form(t, "comments", NULL);
	write_once(t->v);
	write_hidden(t->v, "node", json_text_or_empty(block, "key"));
	write_cells(t, block);
	write_lines(t, block);
	write_text_area(t->v, "on-block", "text", SAY_COMMENT, false);
	write_button(t->v, "small", view_say(t->v, SAY_POST));
	h_close(&t->v->h);
}

/* The link that opens the form at the block. It loads the page again, so it needs no script. */
static void
write_block_link(struct talk *t, const char *key, int number)
{
	struct html *h = &t->v->h;

	h_el(h, "a", "class", "say", "href", arena_printf(t->v->arena, "?%scomment=%s#b-%s", t->query, key, key), NULL);
	h_attr(h, "aria-label", arena_printf(t->v->arena, "%s: %d", view_say(t->v, SAY_COMMENT), number));
	h_text(h, "+");
	h_close(h);
}

static void
write_block(struct talk *t, const cJSON *block, int number)
{
	const char *key = json_text_of(block, "key"), *wanted = query_value(t->v, "comment");
	bool asked = key != NULL && wanted != NULL && strcmp(wanted, key) == 0, some = false;
	struct html *h = &t->v->h;

	h_el(h, "div", "class", "b", "id", key != NULL ? arena_printf(t->v->arena, "b-%s", key) : NULL, NULL);
	h_raw(h, str_of(json_text_or_empty(block, "html")));
	if (key != NULL && t->may_write)
		write_block_link(t, key, number);
	for (size_t i = 0; i < t->placed; i++) {
		if (t->block_of[i] != number)
			continue;
		if (!some)
			h_el(h, "ul", "class", "comments", NULL);
		some = true;
		write_comment(t, i, block);
	}
	if (some)
		h_close(h);
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

	if (t->count > 0) {
		h_open(h, "p");
		write_link_to(t, t->order[0], view_say_with(t->v, SAY_TO_COMMENTS, arena_printf(t->v->arena, "%zu", t->count)));
		h_close(h);
		write_to_unread(t);
	}
	h_el(h, "article", "class", "prose", "dir", "auto", NULL);
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

	if (!t->may_write && t->placed == t->count)
		return;
	section_begin(t->v, "comments", view_say(t->v, SAY_COMMENTS), NULL);
	if (t->page == NULL)
		write_to_unread(t);
	if (t->placed < t->count) {
		h_el(h, "ul", "class", "comments", NULL);
		for (size_t i = t->placed; i < t->count; i++)
			write_comment(t, i, NULL);
		h_close(h);
	}
	write_left_out(t->v, t->answer);
	write_mark_read(t);
	if (t->may_write) {
		begin_form(t, "comments", NULL);
		write_once(t->v);
		write_text_area(t->v, "new-comment", "text", SAY_COMMENT, false);
		write_button(t->v, NULL, view_say(t->v, SAY_POST));
		h_close(h);
	}
	h_close(h);
}
