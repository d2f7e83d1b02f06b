/* What the forms of a change request do. Contract: space_parts.h. */
#include <strings.h>

#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* The body of a comment, a reply or a review: {"NAME":{"markdown":TEXT}} and what `more` adds. */
static char *
body_of_text(struct view *v, const char *name, const char *text, void (*more)(struct view *v, struct json *j))
{
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	if (*text != '\0') {
		json_kobj(&j, name);
		json_kstr(&j, "markdown", text);
		json_end(&j);
	}
	if (more != NULL)
		more(v, &j);
	json_end(&j);
	return b.p;
}

/* The change request of the form, or the space: their comments have the same operations. */
static char *
api_path(struct view *v)
{
	return v->ids[1] != NULL ? path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1]) : path_of_ids(v, "/spaces/%s", v->ids[0]);
}

/*
 * Answers a form. If the call succeeded, redirects to where the form was: the request, the space,
 * or a page in it. Otherwise shows the request with the error.
 */
static void
answer_form(struct view *v, const struct call *c, const char *tail)
{
	const char *page = form_value(v, "page"), *below = v->ids[1] != NULL ? path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]) :
	    path_of_ids(v, "/spaces/%s", v->ids[0]);

	if (c->status == 401)
		go_sign_in(v, false);
	else if (!is_success(c) && v->ids[1] != NULL)
		show_request_with(v, c, NULL);
	else if (!is_success(c))
		page_failure(v, c);
	else if (*page != '\0')
		go_to(v, arena_printf(v->arena, "%s/pages/%s%s", below, url_segment(v->arena, str_of(page)), tail));
	else
		go_to(v, arena_printf(v->arena, "%s%s", below, tail));
}

/*
 * Writes what a new comment is on: a page, a block of it, a line of its code, a cell of the block
 * ("RECORD/COLUMN"). A form in a difference names its page "on", since it returns to the request; other
 * forms return to the page that "page" names.
 */
static void
add_target(struct view *v, struct json *j)
{
	const char *page = form_value(v, has_field(v, "on") ? "on" : "page"), *node = form_value(v, "node"), *line = form_value(v, "line");
	const char *cell = form_value(v, "cell"), *column = strchr(cell, '/');

	if (*page != '\0')
		json_kstr(j, "page", page);
	if (*node != '\0')
		json_kstr(j, "node", *line != '\0' ? line : node);
	if (column == NULL)
		return;
	json_kobj(j, "tableCell");
	json_kstr(j, "record", arena_strndup(v->arena, cell, (size_t)(column - cell)));
	json_kstr(j, "definition", column + 1);
	json_end(j);
}

/* POST …/comments */
void
comment_request(struct view *v)
{
	struct call c = post_once(v, arena_printf(v->arena, "%s/comments", api_path(v)),
	    body_of_text(v, "body", form_value(v, "text"), add_target));

	answer_form(v, &c, is_success(&c) ? path_of_ids(v, "#comment-%s", json_text_or_empty(c.answer, "id")) : "");
}

/* "+1f44d" adds a reaction, "-1f44d" removes it; the id of the comment follows, after a space. */
static struct call
send_reaction(struct view *v, const char *comment, const char *react)
{
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_karr(&j, *react == '-' ? "removedReactions" : "addedReactions");
	json_strn(&j, (struct str){ react + (*react != '\0'), strcspn(react + (*react != '\0'), " ") });
	json_end(&j);
	json_end(&j);
	return ask_api(v, "PUT", comment, b.p);
}

/* The comment that the form is about: that of the button that was pressed, or else that of the reply. */
static const char *
comment_of_form(struct view *v)
{
	const char *space = strchr(form_value(v, "react"), ' ');

	if (space != NULL)
		return space + 1;
	return has_field(v, "resolve") ? form_value(v, "resolve") : has_field(v, "reopen") ? form_value(v, "reopen") : form_value(v, "comment");
}

/* POST …/reply: a reply, or what a button of a comment does. */
void
reply_comment(struct view *v)
{
	const char *id = comment_of_form(v), *comment = arena_printf(v->arena, "%s%s", api_path(v), path_of_ids(v, "/comments/%s", id));
	struct call c;

	if (has_field(v, "react"))
		c = send_reaction(v, comment, form_value(v, "react"));
	else if (has_field(v, "resolve") || has_field(v, "reopen"))
		c = ask_api(v, "PUT", comment, has_field(v, "resolve") ? "{\"resolved\":true}" : "{\"resolved\":false}");
	else
		c = post_once(v, arena_printf(v->arena, "%s/replies", comment), body_of_text(v, "body", form_value(v, "text"), NULL));
	answer_form(v, &c, path_of_ids(v, "#comment-%s", id));
}

/* POST …/read: until the last comment that the form was shown with, since newer ones were not seen */
void
mark_comments_read(struct view *v)
{
	struct call c = ask_api(v, "PUT", arena_printf(v->arena, "%s/last-look", api_path(v)),
	    json_texts(v->arena, "until", form_value(v, "until"), NULL));

	answer_form(v, &c, "#comments");
}

static void
add_status(struct view *v, struct json *j)
{
	json_kstr(j, "status", form_value(v, "status"));
}

/* POST …/review */
void
review_request(struct view *v)
{
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "%s/reviews", api_path(v)),
	    body_of_text(v, "comment", form_value(v, "comment"), add_status));

	/* On a narrow screen the reviews are far below the notice. */
	answer_form(v, &c, "?done=reviewed#main");
}

/* The id of the member with this address; NULL: there is none that the caller can see. */
static const char *
find_member(struct view *v, const char *org, const char *email)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/members?search=%s&limit=100", org, email), NULL);
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		if (strcasecmp(json_text_or_empty(json_member(one, "user"), "email"), email) == 0)
			return json_text_or_empty(json_member(one, "user"), "id");
	return NULL;
}

/* POST …/reviewers: by address, since people know those, or by the id of an earlier reviewer. */
void
ask_reviewer(struct view *v)
{
	struct call space = ask_api(v, "GET", path_of_ids(v, "/spaces/%s", v->ids[0]), NULL), c;
	const char *user;
	struct json j;
	struct buf b;

	if (!call_succeeded(v, &space))
		return;
	user = has_field(v, "user") ? form_value(v, "user") :
	    find_member(v, json_text_or_empty(space.answer, "organization"), form_value(v, "email"));
	begin_body(v->arena, &j, &b);
	json_karr(&j, "users");
	/* No member has an address as id, so the API answers that there is no such member. */
	json_str(&j, user != NULL ? user : form_value(v, "email"));
	json_end(&j);
	json_end(&j);
	c = ask_api(v, "POST", arena_printf(v->arena, "%s/requested-reviewers", api_path(v)), b.p);
	answer_form(v, &c, "?done=asked#main");
}

/* POST …/state: open, or archived */
void
change_request_state(struct view *v)
{
	struct call c = ask_api(v, "PATCH", api_path(v), json_texts(v->arena, "status", form_value(v, "status"), NULL));

	answer_form(v, &c, strcmp(form_value(v, "status"), "open") == 0 ? "?done=opened" : "");
}

/* Merges or updates the request (step). Both operations answer alike: success, or the conflicts. */
static void
run_merge_step(struct view *v, const char *step, const char *done)
{
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "%s/%s", api_path(v), step), NULL);
	const cJSON *conflicts;

	if (!is_success(&c) || strcmp(json_text_or_empty(c.answer, "result"), "conflicts") != 0) {
		answer_form(v, &c, done);
		return;
	}
	conflicts = json_member(c.answer, "conflicts");
	/*
	 * The page of conflicts needs an updated request, which has all changes of the primary
	 * content that do not conflict, so update it first. Users who may not write in it only see
	 * the list of conflicts.
	 */
	if (strcmp(step, "merge") == 0)
		c = ask_api(v, "POST", arena_printf(v->arena, "%s/update", api_path(v)), NULL);
	if (is_success(&c))
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s/conflicts", v->ids[0], v->ids[1]));
	else
		show_request_with(v, NULL, conflicts);
}

/* POST …/merge */
void
merge_request(struct view *v)
{
	run_merge_step(v, "merge", "?done=merged");
}

/* POST …/update */
void
update_request(struct view *v)
{
	run_merge_step(v, "update", "?done=updated");
}
