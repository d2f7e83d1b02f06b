/*
 * What people do with a comment: reply, react, resolve. A page has many comments, so their buttons belong to one form,
 * and the form of a reply is written where a link asks for it. Contract: space_parts.h.
 */
#include "base/json.h"
#include "render/render.h"
#include "space_parts.h"

/* Id of the form of the buttons. */
#define BUTTONS "talk"

void
begin_talk_form(struct talk *t, const char *step, const char *id, const char *class)
{
	h_el(&t->v->h, "form", "method", "post", "action", near_path(t->v, arena_printf(t->v->arena, "%s/%s", t->below, step)), "id", id, "class", class, NULL);
	write_hidden(t->v, "csrf", t->v->csrf != NULL ? t->v->csrf : "");
	if (t->page != NULL)
		write_hidden(t->v, "page", t->page);
}

void
write_comment_field(struct talk *t)
{
	struct html *h = &t->v->h;

	h_el(h, "textarea", "id", "on-block", "name", "text", "rows", "3", "dir", "auto", "aria-label", view_say(t->v, SAY_COMMENT), NULL);
	h_flag(h, "required");
	h_flag(h, "autofocus");
	h_close(h);
	h_el(h, "div", "class", "actions", NULL);
	write_button(t->v, "small", view_say(t->v, SAY_POST));
	h_close(h);
}

void
write_button_form(struct talk *t)
{
	if (!t->may_write || t->count == 0)
		return;
	begin_talk_form(t, "reply", BUTTONS, NULL);
	/* For the script, which shows it at a comment whose button had no answer. */
	h_el(&t->v->h, "p", "role", "alert", "hidden", "", NULL);
	h_text(&t->v->h, view_say(t->v, SAY_FAILED));
	h_close(&t->v->h);
	h_close(&t->v->h);
}

/* A button of a comment; ends with h_close(). */
static void
begin_button(struct talk *t, const char *class, const char *name, const char *value)
{
	h_el(&t->v->h, "button", "class", class, "form", BUTTONS, "name", name, "value", value, NULL);
}

static void
write_resolve(struct talk *t, const cJSON *comment)
{
	bool resolved = strcmp(json_text_or_empty(comment, "status"), "resolved") == 0;
	struct html *h = &t->v->h;

	begin_button(t, "btn small", resolved ? "reopen" : "resolve", json_text_or_empty(comment, "id"));
	h_text(h, view_say(t->v, resolved ? SAY_UNRESOLVE : SAY_RESOLVE));
	h_leaf(h, "span", "sr", arena_printf(t->v->arena, " %s", json_text_or_empty(json_member(comment, "postedBy"), "displayName")));
	h_close(h);
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

/* The emoji as it is shown, with the number of users who reacted with it, if there are any. */
static const char *
show_emoji(struct talk *t, const char *emoji, int count)
{
	const char *shown = render_emoji(t->v->arena, emoji);

	shown = shown != NULL ? shown : emoji;
	return count > 0 ? arena_printf(t->v->arena, "%s %d", shown, count) : shown;
}

/* A button that adds or removes the caller's reaction. count: number of users with this reaction. */
static void
write_reaction(struct talk *t, const cJSON *comment, const char *emoji, int count, bool mine)
{
	struct html *h = &t->v->h;

	begin_button(t, "emoji", "react", arena_printf(t->v->arena, "%s%s %s", mine ? "-" : "+", emoji, json_text_or_empty(comment, "id")));
	h_attr(h, "aria-pressed", mine ? "true" : NULL);
	h_text(h, show_emoji(t, emoji, count));
	h_close(h);
}

/* Writes the reactions of the comment: as buttons for people who may react, else as text. */
static void
write_reactions(struct talk *t, const cJSON *comment, bool may_react)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(comment, "reactions")) {
		const char *emoji = json_text_or_empty(one, "emoji");
		int count = (int)json_number_of(one, "count", 0);

		if (may_react)
			write_reaction(t, comment, emoji, count, is_mine(t, one));
		else
			h_leaf(&t->v->h, "span", "emoji", show_emoji(t, emoji, count));
	}
}

static bool
has_reaction(const cJSON *comment, const char *emoji)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(comment, "reactions"))
		if (strcmp(json_text_or_empty(one, "emoji"), emoji) == 0)
			return true;
	return false;
}

/* Writes buttons for the most common emoji, without those that the comment has already as reactions. */
static void
write_common_reactions(struct talk *t, const cJSON *comment)
{
	static const char *const common[] = { "1f44d", "2764-fe0f", "1f389", "1f440" };

	h_el(&t->v->h, "div", "role", "group", "aria-label", view_say(t->v, SAY_REACT), NULL);
	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!has_reaction(comment, common[i]))
			write_reaction(t, comment, common[i], 0, false);
	h_close(&t->v->h);
}

/* ---- a reply ---- */

static void
write_reply_form(struct talk *t, const cJSON *comment)
{
	struct html *h = &t->v->h;

	begin_talk_form(t, "reply", NULL, "reply");
	write_hidden(t->v, "comment", json_text_or_empty(comment, "id"));
	write_once(t->v);
	write_common_reactions(t, comment);
	h_el(h, "textarea", "name", "text", "rows", "3", "dir", "auto", "aria-label", view_say(t->v, SAY_REPLY), NULL);
	h_flag(h, "required");
	h_flag(h, "autofocus");
	h_close(h);
	write_button(t->v, "small", view_say(t->v, SAY_POST));
	h_close(h);
}

/* The link to the page with the form, which a script puts in the place of the link (assets/app/review.js). */
static void
write_reply_link(struct talk *t, const char *comment)
{
	struct html *h = &t->v->h;

	h_el(h, "a", "class", "step reply", "href", arena_printf(t->v->arena, "?%sreply=%s", t->query, comment), NULL);
	h_text(h, view_say(t->v, SAY_REPLY_OR_REACT));
	h_close(h);
}

void
write_comment_buttons(struct talk *t, const cJSON *comment)
{
	const char *id = json_text_or_empty(comment, "id"), *wanted = query_value(t->v, "reply");
	bool may_reply = t->may_write && json_flag_of(json_member(comment, "permissions"), "reply");

	write_reactions(t, comment, may_reply);
	if (!may_reply)
		return;
	if (wanted != NULL && strcmp(wanted, id) == 0)
		write_reply_form(t, comment);
	else
		write_reply_link(t, id);
	write_resolve(t, comment);
}

/* ---- on a line of a difference ---- */

void
write_line_link(struct talk *t, const cJSON *entry)
{
	struct html *h = &t->v->h;

	h_el(h, "a", "class", "say", "href", arena_printf(t->v->arena, "?%scomment=%s", t->query, json_text_or_empty(entry, "node")), "aria-label",
	    view_say(t->v, SAY_COMMENT_LINE), NULL);
	h_text(h, "+");
	h_close(h);
}

/* Says which lines a comment is on, whose block may have several: the comment is shown after the last one. */
static void
write_lines_of(struct talk *t, const cJSON *change)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(change, "lines")) {
		int first = (int)json_number_of(one, "first", 0), last = (int)json_number_of(one, "last", 0);

		if (strcmp(json_text_or_empty(one, "node"), query_value(t->v, "comment")) == 0)
			h_leaf(&t->v->h, "p", "hint", view_say_with(t->v, SAY_LINE, first == last ? arena_printf(t->v->arena, "%d", first) :
			    arena_printf(t->v->arena, "%d\u2013%d", first, last)));
	}
}

/* The form leads back to the request, whose difference then has the comment, so it does not name its page as "page". */
void
write_line_form(struct talk *t, const cJSON *change)
{
	begin_talk_form(t, "comments", NULL, NULL);
	write_once(t->v);
	write_hidden(t->v, "on", json_text_or_empty(json_member(change, "page"), "id"));
	write_hidden(t->v, "node", query_value(t->v, "comment"));
	write_lines_of(t, change);
	write_comment_field(t);
	h_close(&t->v->h);
}
