/*
 * Administration of an organization: members, invitations by link, exports, translations, single sign-on, and the audit
 * record. Each list has forms for the operations that the API has for its rows. Contract: space_parts.h.
 */
#include <string.h>

#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* ---- frame ---- */

static char *
below_org(struct view *v, const char *tail)
{
	return arena_printf(v->arena, "%s%s", path_of_ids(v, "/orgs/%s", v->ids[0]), tail);
}

/* Begins a list with a heading; false: the caller may not see it, or there is nothing. */
static bool
rows_begin(struct view *v, const struct call *c, const char *id, enum say title, const char *lead, bool always)
{
	if (!is_success(c) || (!always && cJSON_GetArraySize(json_member(c->answer, "items")) == 0))
		return false;
	section_begin(v, id, view_say(v, title), lead);
	h_el(&v->h, "ul", "class", "rows", NULL);
	return true;
}

static void
rows_end(struct view *v, const struct call *c)
{
	h_close(&v->h);
	write_left_out(v, c->answer);
}

/* The first cell of a row: its title, and details in a second line. */
static void
write_what(struct view *v, const char *title, const char *about)
{
	h_el(&v->h, "div", "class", "what", NULL);
	h_leaf(&v->h, "strong", NULL, title);
	if (about != NULL)
		h_leaf(&v->h, "small", NULL, about);
	h_close(&v->h);
}

/* A form of one button, about the row with this id. */
static void
write_action(struct view *v, const char *tail, const char *name, const char *id, bool danger, const char *label, const char *about)
{
	write_form(v, below_org(v, tail), NULL);
	write_hidden(v, name, id);
	write_row_button(v, danger, label, about);
	h_close(&v->h);
}

/* ---- members ---- */

/* A choice of a role, "guest" for none. */
static void
write_roles(struct view *v, const char *id, const char *label, const char *chosen)
{
	static const char *const roles[] = { "admin", "create", "edit", "review", "comment", "read" };
	struct html *h = &v->h;

	h_el(h, "select", "id", id, "name", "role", "aria-label", label, NULL);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		write_option(v, roles[i], roles[i], strcmp(chosen, roles[i]) == 0);
	write_option(v, "", view_say(v, SAY_GUEST), *chosen == '\0');
	h_close(h);
}

static void
write_member_forms(struct view *v, const char *id, const char *name, const char *role)
{
	struct html *h = &v->h;

	write_form(v, below_org(v, "/member"), "beside");
	write_hidden(v, "user", id);
	write_roles(v, arena_printf(v->arena, "role-%s", id), view_say_with(v, SAY_ROLE_OF, name), role);
	write_row_button(v, false, view_say(v, SAY_SAVE_ROLE), name);
	h_close(h);
	/* Removing a member ends grants and sessions, which no button brings back: a second press is needed. */
	h_open(h, "details");
	h_leaf(h, "summary", NULL, view_say(v, SAY_REMOVE_MEMBER));
	write_action(v, "/member", "remove", id, true, view_say(v, SAY_REMOVE_MEMBER), name);
	h_close(h);
}

/* The role, and only a link to the member's forms: the forms of all members would be most of the page. */
static void
write_member_role(struct view *v, const char *id, const char *name, const char *role)
{
	const char *page = query_value(v, "page");
	struct html *h = &v->h;

	h_leaf(h, "span", "tag", *role != '\0' ? role : view_say(v, SAY_GUEST));
	h_el(h, "a", "class", "step", "href", near_path(v, below_org(v, arena_printf(v->arena, "/admin?member=%s%s%s#members", id,
	    page != NULL ? "&page=" : "", page != NULL ? url_segment(v->arena, str_of(page)) : ""))), NULL);
	h_text(h, view_say(v, SAY_CHANGE));
	h_leaf(h, "span", "sr", arena_printf(v->arena, " %s", name));
	h_close(h);
}

static void
write_member(struct view *v, const cJSON *member)
{
	const cJSON *user = json_member(member, "user");
	const char *id = json_text_or_empty(member, "id"), *name = json_text_or_empty(user, "displayName"), *wanted = query_value(v, "member");
	const char *role = json_text_or_empty(member, "role");

	h_open(&v->h, "li");
	write_initial(v, name);
	write_what(v, name, json_text_or_empty(user, "email"));
	if (wanted != NULL && strcmp(wanted, id) == 0)
		write_member_forms(v, id, name, role);
	else
		write_member_role(v, id, name, role);
	h_close(&v->h);
}

static void
write_members(struct view *v)
{
	const char *page = query_value(v, "page");
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s", below_org(v, "/members?limit=50"), page != NULL ? "&page=" : "",
	    page != NULL ? url_segment(v->arena, str_of(page)) : ""), NULL);
	const cJSON *one;

	if (!rows_begin(v, &c, "members", SAY_MEMBERS, NULL, true))
		return;
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_member(v, one);
	h_close(&v->h);
	write_more(v, &c, SAY_FIND_NEXT, below_org(v, "/admin"), "");
	h_close(&v->h);
}

/* ---- invitations ---- */

static void
write_invite(struct view *v, const cJSON *invite)
{
	const char *id = json_text_or_empty(invite, "id"), *role = json_text_of(invite, "role");
	const char *link = arena_printf(v->arena, "%s/app%s", v->set->url, path_of_ids(v, "/orgs/%s/join/%s", v->ids[0], id));
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	h_leaf(h, "strong", NULL, role != NULL ? role : view_say(v, SAY_GUEST));
	h_leaf(h, "code", "secret", link);
	h_close(h);
	write_action(v, "/invites", "revoke", id, true, view_say(v, SAY_REVOKE), role != NULL ? role : view_say(v, SAY_GUEST));
	h_close(h);
}

static void
write_invites(struct view *v)
{
	struct call c = ask_api(v, "GET", below_org(v, "/link-invites?limit=100"), NULL);
	const cJSON *one;

	if (!rows_begin(v, &c, "invites", SAY_INVITE_LINKS, view_say(v, SAY_INVITE_LINKS_LEAD), true))
		return;
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_invite(v, one);
	rows_end(v, &c);
	write_form(v, below_org(v, "/invites"), "beside");
	write_roles(v, "invite-role", view_say_with(v, SAY_ROLE_OF, view_say(v, SAY_INVITE_LINKS)), "read");
	write_button(v, NULL, view_say(v, SAY_MAKE_LINK));
	h_close(&v->h);
	h_close(&v->h);
}

/* ---- jobs ---- */

static void
write_export(struct view *v, const cJSON *export)
{
	const char *id = json_text_or_empty(export, "id"), *state = json_text_or_empty(export, "state"), *error = json_text_of(export, "error");
	const char *at = show_minute(v, json_text_or_empty(export, "createdAt"));
	bool waits = strcmp(state, "queued") == 0 || strcmp(state, "running") == 0;
	struct html *h = &v->h;

	h_open(h, "li");
	write_what(v, at, error != NULL ? error : json_text_or_empty(export, "stage"));
	h_leaf(h, "span", waits ? "tag" : strcmp(state, "done") == 0 ? "tag good" : "tag gone", state);
	if (waits)
		write_action(v, "/exports", "cancel", id, true, view_say(v, SAY_CANCEL), at);
	if (strcmp(state, "done") == 0)
		write_action(v, "/exports", "download", id, false, view_say(v, SAY_DOWNLOAD), at);
	h_close(h);
}

static void
write_exports(struct view *v)
{
	struct call c = ask_api(v, "GET", below_org(v, "/exports?limit=20"), NULL);
	const cJSON *one;

	if (!rows_begin(v, &c, "exports", SAY_EXPORTS, NULL, true))
		return;
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_export(v, one);
	rows_end(v, &c);
	write_form(v, below_org(v, "/exports"), NULL);
	write_button(v, NULL, view_say(v, SAY_EXPORT_ALL));
	h_close(&v->h);
	h_close(&v->h);
}

static void
write_translation(struct view *v, const cJSON *one)
{
	const cJSON *source = json_member(one, "source"), *result = json_member(one, "result"), *warning;
	const char *name = arena_printf(v->arena, "%s → %s", json_text_or_empty(source, "language"), json_text_or_empty(one, "language"));
	const char *error = json_text_of(one, "error"), *status = json_text_or_empty(one, "status");
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	write_link(v, NULL, path_of_ids(v, "/spaces/%s", json_text_or_empty(result != NULL ? result : source, "space")), name);
	h_leaf(h, "small", NULL, show_minute(v, json_text_or_empty(one, "updatedAt")));
	if (error != NULL)
		h_leaf(h, "small", "fault", error);
	cJSON_ArrayForEach(warning, json_member(one, "warnings"))
		h_leaf(h, "small", NULL, arena_printf(v->arena, "%s: %s", json_text_or_empty(warning, "title"), json_text_or_empty(warning, "message")));
	h_close(h);
	h_leaf(h, "span", error != NULL ? "tag gone" : "tag", status);
	if (json_flag_of(json_member(one, "permissions"), "edit"))
		write_action(v, "/translations", "run", json_text_or_empty(one, "id"), false, view_say(v, SAY_RUN_NOW), name);
	h_close(h);
}

static void
write_translations(struct view *v)
{
	struct call c = ask_api(v, "GET", below_org(v, "/translations?limit=100"), NULL);
	const cJSON *one;

	if (!rows_begin(v, &c, "translations", SAY_TRANSLATIONS, NULL, false))
		return;
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_translation(v, one);
	rows_end(v, &c);
	h_close(&v->h);
}

/* ---- single sign-on ---- */

static void
write_member_token(struct view *v, const cJSON *one)
{
	const cJSON *user = json_member(one, "user");
	const char *label = json_text_of(one, "label"), *ends = json_text_of(one, "expiresAt");
	const char *name = json_text_or_empty(user, "displayName");

	h_open(&v->h, "li");
	write_what(v, label != NULL ? arena_printf(v->arena, "%s · %s", name, label) : name, arena_printf(v->arena, "%s · %s",
	    json_text_or_empty(one, "scope"), ends != NULL ? view_say_with(v, SAY_ENDS_ON, show_day(v, ends)) : view_say(v, SAY_NO_END)));
	if (json_flag_of(one, "admin"))
		h_leaf(&v->h, "span", "tag", "admin");
	h_close(&v->h);
}

static void
write_member_tokens(struct view *v)
{
	struct call c = ask_api(v, "GET", below_org(v, "/tokens?limit=100"), NULL);
	const cJSON *one;

	h_leaf(&v->h, "h3", NULL, view_say(v, SAY_SSO_TOKENS));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_member_token(v, one);
	h_close(&v->h);
	write_left_out(v, c.answer);
}

/* Where an admin signs in before `sso` can be turned on. */
static void
write_logins(struct view *v)
{
	struct call c = ask_api(v, "GET", below_org(v, "/sso"), NULL);
	const cJSON *one;

	h_el(&v->h, "p", "class", "actions", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_link(v, "btn", arena_printf(v->arena, "%s?to=%s", path_of_ids(v, "/sso/%s", json_text_or_empty(one, "id")),
		    url_segment(v->arena, str_of(arena_printf(v->arena, "/app%s", below_org(v, "/admin"))))),
		    view_say_with(v, SAY_WITH_PROVIDER, json_text_or_empty(one, "label")));
	h_close(&v->h);
}

static void
write_sso(struct view *v, const cJSON *org)
{
	section_begin(v, "sign-ins", view_say(v, SAY_SSO), view_say(v, SAY_SSO_LEAD));
	write_logins(v);
	write_member_tokens(v);
	write_form(v, below_org(v, "/sso"), NULL);
	write_select(v, "sso", view_say(v, SAY_SIGN_IN), json_flag_of(org, "sso") ? "1" : "0", "0", view_say(v, SAY_SSO_ANY),
	    "1", view_say(v, SAY_SSO_ALONE), NULL);
	write_select(v, "tokens", view_say(v, SAY_SSO_TOKENS), json_text_or_empty(org, "tokens"), "keep", view_say(v, SAY_TOKENS_KEEP),
	    "stop", view_say(v, SAY_TOKENS_STOP), NULL);
	write_button(v, NULL, view_say(v, SAY_SAVE));
	h_close(&v->h);
	h_close(&v->h);
}

/* ---- the pages ---- */

/* failed: the call of an action that failed; NULL: none has. */
static void
show_lists(struct view *v, const struct call *failed)
{
	struct call c = ask_api(v, "GET", below_org(v, ""), NULL);

	if (!call_succeeded(v, &c))
		return;
	if (failed != NULL)
		v->status = failed->status;
	page_begin(v, FRAME_WIDE, view_say(v, SAY_ADMINISTRATION));
	h_open(&v->h, "p");
	write_link(v, NULL, below_org(v, ""), json_text_or_empty(c.answer, "title"));
	h_close(&v->h);
	if (failed != NULL)
		write_failure(v, failed, NULL);
	else if (query_value(v, "done") != NULL)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_SAVED));
	if (json_flag_of(json_member(c.answer, "permissions"), "admin"))
		write_members(v);
	write_invites(v);
	write_translations(v);
	write_exports(v);
	if (json_flag_of(json_member(c.answer, "permissions"), "admin")) {
		write_sso(v, c.answer);
		h_el(&v->h, "p", "class", "actions", NULL);
		write_link(v, "btn", below_org(v, "/audit"), view_say(v, SAY_AUDIT));
		h_close(&v->h);
	}
	page_end(v);
}

/* GET /app/orgs/ID/admin */
void
show_admin(struct view *v)
{
	show_lists(v, NULL);
}

static void
answer_action(struct view *v, const struct call *c, const char *section)
{
	if (c->status == 401)
		go_sign_in(v, false);
	else if (is_success(c))
		go_to(v, below_org(v, arena_printf(v->arena, "/admin?done=1#%s", section)));
	else
		show_lists(v, c);
}

/* {"role":"edit"}; a guest has null. */
static char *
body_of_role(struct view *v)
{
	const char *role = form_value(v, "role");

	return *role != '\0' ? json_texts(v->arena, "role", role, NULL) : arena_strdup(v->arena, "{\"role\":null}");
}

/* POST /app/orgs/ID/member */
void
change_member(struct view *v)
{
	const char *gone = form_value(v, "remove"), *user = form_value(v, "user");
	struct call c = *gone != '\0' ? ask_api(v, "DELETE", path_of_ids(v, "/orgs/%s/members/%s", v->ids[0], gone), NULL) :
	    ask_api(v, "PATCH", path_of_ids(v, "/orgs/%s/members/%s", v->ids[0], user), body_of_role(v));

	answer_action(v, &c, "members");
}

/* POST /app/orgs/ID/invites */
void
change_invites(struct view *v)
{
	const char *gone = form_value(v, "revoke");
	struct call c = *gone != '\0' ? ask_api(v, "DELETE", path_of_ids(v, "/orgs/%s/link-invites/%s", v->ids[0], gone), NULL) :
	    ask_api(v, "POST", below_org(v, "/link-invites"), body_of_role(v));

	answer_action(v, &c, "invites");
}

/* POST /app/orgs/ID/sso */
void
change_sso(struct view *v)
{
	struct call c = ask_api(v, "PATCH", below_org(v, ""), arena_printf(v->arena, "{\"sso\":%s,\"tokens\":\"%s\"}",
	    strcmp(form_value(v, "sso"), "1") == 0 ? "true" : "false", strcmp(form_value(v, "tokens"), "stop") == 0 ? "stop" : "keep"));

	answer_action(v, &c, "sign-ins");
}

/* POST /app/orgs/ID/translations */
void
run_translation(struct view *v)
{
	struct call c = ask_api(v, "POST", path_of_ids(v, "/orgs/%s/translations/%s/run", v->ids[0], form_value(v, "run")), NULL);

	answer_action(v, &c, "translations");
}

/* POST /app/orgs/ID/exports: begins one, cancels one, or leads to its file */
void
change_exports(struct view *v)
{
	const char *cancel = form_value(v, "cancel"), *file = form_value(v, "download");
	struct call c;

	if (*file != '\0') {
		c = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/exports/%s/download", v->ids[0], file), NULL);
		if (is_success(&c)) {
			go_away(v, json_text_or_empty(c.answer, "url"));
			return;
		}
	} else {
		c = *cancel != '\0' ? ask_api(v, "DELETE", path_of_ids(v, "/orgs/%s/exports/%s", v->ids[0], cancel), NULL) :
		    ask_api(v, "POST", below_org(v, "/exports"), "{}");
	}
	answer_action(v, &c, "exports");
}

/* ---- joining ---- */

/* GET /app/orgs/ID/join/ID */
void
show_join(struct view *v)
{
	struct call c = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/link-invites/%s", v->ids[0], v->ids[1]), NULL);
	const char *role = json_text_of(c.answer, "role");

	if (!call_succeeded(v, &c))
		return;
	page_begin(v, FRAME_CARD, view_say(v, SAY_JOIN_ASK));
	h_leaf(&v->h, "p", "lead", role != NULL ? role : view_say(v, SAY_GUEST));
	write_form(v, path_of_ids(v, "/orgs/%s/join/%s", v->ids[0], v->ids[1]), NULL);
	write_button(v, "primary full", view_say(v, SAY_JOIN));
	h_close(&v->h);
	page_end(v);
}

/* POST /app/orgs/ID/join/ID */
void
join_by_link(struct view *v)
{
	struct call c = ask_api(v, "POST", path_of_ids(v, "/orgs/%s/invites/%s", v->ids[0], v->ids[1]), NULL);

	if (call_succeeded(v, &c))
		go_to(v, "?done=joined");
}

/* ---- the audit record ---- */

static void
write_event(struct view *v, const cJSON *event)
{
	const cJSON *actor = json_member(event, "actor"), *target = json_member(event, "target");
	const char *who = json_text_of(actor, "label"), *what = json_text_of(target, "label");
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	h_leaf(h, "code", NULL, json_text_or_empty(event, "action"));
	h_text(h, " ");
	h_leaf(h, "bdi", NULL, what != NULL ? what : json_text_or_empty(target, "id"));
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s · %s", who != NULL ? who : json_text_or_empty(actor, "type"),
	    show_minute(v, json_text_or_empty(event, "occurredAt"))));
	h_close(h);
	h_close(h);
}

/* GET /app/orgs/ID/audit */
void
show_audit(struct view *v)
{
	const char *page = query_value(v, "page");
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s%s%s", below_org(v, "/audit-events?limit=50"), page != NULL ? "&page=" : "",
	    page != NULL ? url_segment(v->arena, str_of(page)) : ""), NULL);
	const cJSON *one;

	if (!call_succeeded(v, &c))
		return;
	page_begin(v, FRAME_WIDE, view_say(v, SAY_AUDIT));
	h_open(&v->h, "p");
	write_link(v, NULL, below_org(v, "/admin"), view_say(v, SAY_ADMINISTRATION));
	h_close(&v->h);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write_event(v, one);
	h_close(&v->h);
	write_more(v, &c, SAY_MORE, below_org(v, "/audit"), "");
	page_end(v);
}
