/* What the forms of a change request do. Contract: space_parts.h. */
#include <strings.h>

#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* {"NAME":{"markdown":TEXT}}, and of `more`, pairs up to a NULL, what has a value. */
static char *
body_of_text(struct view *v, const char *name, const char *text, const char *more, const char *value)
{
	struct json j;
	struct buf b;

	buf_init(&b, v->arena, 4 << 20);
	json_init(&j, &b);
	json_obj(&j);
	if (*text != '\0') {
		json_kobj(&j, name);
		json_kstr(&j, "markdown", text);
		json_end(&j);
	}
	if (more != NULL && *value != '\0')
		json_kstr(&j, more, value);
	json_end(&j);
	return b.p;
}

static char *
api_path(struct view *v)
{
	return path_of_ids(v, "/spaces/%s/change-requests/%s", v->ids[0], v->ids[1]);
}

/* Back to the request, or to the page of it that the form is on; else the request with what is wrong. */
static void
answer_form(struct view *v, const struct call *c, const char *tail)
{
	const char *page = form_value(v, "page"), *below = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]);

	if (c->status == 401)
		go_sign_in(v, false);
	else if (!is_success(c))
		show_request_with(v, c, NULL);
	else if (*page != '\0')
		go_to(v, arena_printf(v->arena, "%s/pages/%s%s", below, url_segment(v->arena, str_of(page)), tail));
	else
		go_to(v, arena_printf(v->arena, "%s%s", below, tail));
}

/* POST …/comments */
void
comment_request(struct view *v)
{
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "%s/comments", api_path(v)),
	    body_of_text(v, "body", form_value(v, "text"), "page", form_value(v, "page")));

	answer_form(v, &c, is_success(&c) ? path_of_ids(v, "#comment-%s", json_text_or_empty(c.answer, "id")) : "");
}

/* POST …/reply */
void
reply_comment(struct view *v)
{
	const char *comment = form_value(v, "comment");
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "%s%s", api_path(v), path_of_ids(v, "/comments/%s/replies", comment)),
	    body_of_text(v, "body", form_value(v, "text"), NULL, NULL));

	answer_form(v, &c, path_of_ids(v, "#comment-%s", comment));
}

/* POST …/resolve */
void
resolve_comment(struct view *v)
{
	const char *comment = form_value(v, "comment");
	struct call c = ask_api(v, "PUT", arena_printf(v->arena, "%s%s", api_path(v), path_of_ids(v, "/comments/%s", comment)),
	    *form_value(v, "resolved") != '\0' ? "{\"resolved\":true}" : "{\"resolved\":false}");

	answer_form(v, &c, path_of_ids(v, "#comment-%s", comment));
}

/* POST …/review */
void
review_request(struct view *v)
{
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "%s/reviews", api_path(v)),
	    body_of_text(v, "comment", form_value(v, "comment"), "status", form_value(v, "status")));

	answer_form(v, &c, "?done=reviewed#reviews");
}

/* The id of the member with this address; NULL: there is none that the caller can see. */
static const char *
member_of(struct view *v, const char *org, const char *email)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/members?search=%s&limit=100", org, email), NULL);
	const cJSON *one;

	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		if (strcasecmp(json_text_or_empty(json_member(one, "user"), "email"), email) == 0)
			return json_text_or_empty(json_member(one, "user"), "id");
	return NULL;
}

/* POST …/reviewers: by address, since people know those. */
void
ask_reviewer(struct view *v)
{
	struct call space = ask_api(v, "GET", path_of_ids(v, "/spaces/%s", v->ids[0]), NULL), c;
	const char *user;
	struct json j;
	struct buf b;

	if (!call_succeeded(v, &space))
		return;
	user = member_of(v, json_text_or_empty(space.answer, "organization"), form_value(v, "email"));
	buf_init(&b, v->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_karr(&j, "users");
	/* Nobody has an address as id: the API then says that there is no such member. */
	json_str(&j, user != NULL ? user : form_value(v, "email"));
	json_end(&j);
	json_end(&j);
	c = ask_api(v, "POST", arena_printf(v->arena, "%s/requested-reviewers", api_path(v)), b.p);
	answer_form(v, &c, "?done=asked#reviews");
}

/* POST …/state: open, or archived */
void
change_request_state(struct view *v)
{
	struct call c = ask_api(v, "PATCH", api_path(v), json_texts(v->arena, "status", form_value(v, "status"), NULL));

	answer_form(v, &c, "");
}

/* Merge and update answer alike: done, or what is in conflict. */
static void
bring_together(struct view *v, const char *step, const char *done)
{
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "%s/%s", api_path(v), step), NULL);
	const cJSON *conflicts;

	if (!is_success(&c) || strcmp(json_text_or_empty(c.answer, "result"), "conflicts") != 0) {
		answer_form(v, &c, done);
		return;
	}
	conflicts = json_member(c.answer, "conflicts");
	/* They are resolved in a request that has everything else: who may write in it is led there at once. */
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
	bring_together(v, "merge", "?done=merged");
}

/* POST …/update */
void
update_request(struct view *v)
{
	bring_together(v, "update", "?done=updated");
}
