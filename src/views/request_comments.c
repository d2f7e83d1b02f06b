/* Comments of a change request, with their replies and forms. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

static void
write_remark(struct view *v, const cJSON *remark)
{
	const cJSON *document = json_member(json_member(remark, "body"), "document");

	h_leaf(&v->h, "strong", NULL, json_text_or_empty(json_member(remark, "postedBy"), "displayName"));
	h_text(&v->h, " ");
	h_leaf(&v->h, "small", NULL, show_minute(v, json_text_or_empty(remark, "postedAt")));
	if (document != NULL)
		write_rich_text(v, document);
}

static void
write_replies(struct view *v, const char *api, const cJSON *comment)
{
	struct call c;
	const cJSON *one;

	if (json_number_of(comment, "replies", 0) < 1)
		return;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s%s", api, path_of_ids(v, "/comments/%s/replies?format=document&limit=1000",
	    json_text_or_empty(comment, "id"))), NULL);
	h_el(&v->h, "ul", "class", "replies", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
		h_open(&v->h, "li");
		write_remark(v, one);
		h_close(&v->h);
	}
	h_close(&v->h);
	write_left_out(v, c.answer);
}

static void
write_reply_form(struct view *v, const char *below, const cJSON *comment, const char *page)
{
	const char *id = json_text_or_empty(comment, "id");
	struct html *h = &v->h;

	h_el(h, "details", "class", "reply", NULL);
	h_leaf(h, "summary", NULL, view_say(v, SAY_REPLY));
	write_form(v, arena_printf(v->arena, "%s/reply", below), NULL);
	write_hidden(v, "comment", id);
	write_hidden(v, "page", page != NULL ? page : "");
	write_text_area(v, arena_printf(v->arena, "reply-%s", id), "text", SAY_REPLY, false);
	write_button(v, "small", view_say(v, SAY_POST));
	h_close(h);
	h_close(h);
}

static void
write_resolve(struct view *v, const char *below, const cJSON *comment, const char *page)
{
	bool resolved = strcmp(json_text_or_empty(comment, "status"), "resolved") == 0;

	write_form(v, arena_printf(v->arena, "%s/resolve", below), NULL);
	write_hidden(v, "comment", json_text_or_empty(comment, "id"));
	write_hidden(v, "resolved", resolved ? "" : "1");
	write_hidden(v, "page", page != NULL ? page : "");
	write_row_button(v, view_say(v, resolved ? SAY_UNRESOLVE : SAY_RESOLVE), json_text_or_empty(json_member(comment, "postedBy"), "displayName"));
	h_close(&v->h);
}

static void
write_comment(struct view *v, const struct shown_space *s, const char *api, const char *below, const cJSON *comment, const char *page)
{
	bool resolved = strcmp(json_text_or_empty(comment, "status"), "resolved") == 0;
	struct html *h = &v->h;

	h_el(h, "li", "id", arena_printf(v->arena, "comment-%s", json_text_or_empty(comment, "id")), "class", resolved ? "resolved" : NULL, NULL);
	if (resolved)
		h_leaf(h, "span", "tag", view_say(v, SAY_RESOLVED));
	write_remark(v, comment);
	write_replies(v, api, comment);
	h_el(h, "div", "class", "actions", NULL);
	if (json_flag_of(json_member(comment, "permissions"), "reply") && may(s, "comment"))
		write_reply_form(v, below, comment, page);
	if (json_flag_of(json_member(comment, "permissions"), "reply"))
		write_resolve(v, below, comment, page);
	h_close(h);
	h_close(h);
}

void
write_comments(struct view *v, const struct shown_space *s, const char *api, const char *below, const char *page)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/comments?format=document&order=asc&limit=1000%s", api,
	    page != NULL ? path_of_ids(v, "&targetPage=%s", page) : ""), NULL);
	const cJSON *one;
	struct html *h = &v->h;

	section_begin(v, "comments", view_say(v, SAY_COMMENTS), NULL);
	h_el(h, "ul", "class", "comments", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_comment(v, s, api, below, one, page);
	h_close(h);
	write_left_out(v, c.answer);
	if (may(s, "comment")) {
		write_form(v, arena_printf(v->arena, "%s/comments", below), NULL);
		write_hidden(v, "page", page != NULL ? page : "");
		write_text_area(v, "new-comment", "text", SAY_COMMENT, false);
		write_button(v, NULL, view_say(v, SAY_POST));
		h_close(h);
	}
	h_close(h);
}
