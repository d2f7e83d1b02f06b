/*
 * The first page after signing in: the person, their organizations, and organizations that they can
 * join. Contract: view_parts.h.
 */
#include "base/url.h"
#include "view_parts.h"

static void
write_organization(struct view *v, const cJSON *org, bool join)
{
	struct html *h = &v->h;
	const char *title = json_text_or_empty(org, "title");

	h_open(h, "li");
	write_initial(v, title);
	h_el(h, "span", "class", "what", NULL);
	h_leaf(h, "strong", NULL, title);
	h_close(h);
	if (join) {
		write_form(v, "/join", NULL);
		write_hidden(v, "org", json_text_or_empty(org, "id"));
		write_row_button(v, view_say(v, SAY_JOIN), title);
		h_close(h);
	}
	h_close(h);
}

static bool
has_organization(const cJSON *list, const char *id)
{
	const cJSON *org;

	cJSON_ArrayForEach(org, list)
		if (strcmp(json_text_or_empty(org, "id"), id) == 0)
			return true;
	return false;
}

/* The organizations of the list that are not in `except` (NULL: all). */
static void
write_organizations(struct view *v, const cJSON *list, const cJSON *except)
{
	const cJSON *org;

	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(org, list)
		if (!has_organization(except, json_text_or_empty(org, "id")))
			write_organization(v, org, except != NULL);
	h_close(&v->h);
}

/*
 * True if there is an organization to join. The list of the API also contains those that the person
 * is a member of.
 */
static bool
has_more(const cJSON *list, const cJSON *mine)
{
	const cJSON *org;

	cJSON_ArrayForEach(org, list)
		if (!has_organization(mine, json_text_or_empty(org, "id")))
			return true;
	return false;
}

/* A notice about the person's last action. */
static void
write_done(struct view *v)
{
	const char *done = query_value(v, "done");

	if (done != NULL && strcmp(done, "password") == 0)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_PASSWORD_CHANGED));
	else if (done != NULL && strcmp(done, "joined") == 0)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_JOINED));
	else if (done != NULL && strcmp(done, "denied") == 0)
		write_notice(v, NOTICE_PLAIN, view_say(v, SAY_DENIED));
}

/* GET /app */
void
show_home(struct view *v)
{
	struct call user = ask_api(v, "GET", "/user", NULL), orgs, domain;
	const cJSON *mine, *joinable;
	const char *at;

	if (!call_succeeded(v, &user))
		return;
	orgs = ask_api(v, "GET", "/orgs?limit=100", NULL);
	if (!call_succeeded(v, &orgs))
		return;
	at = strrchr(json_text_or_empty(user.answer, "email"), '@');
	domain = ask_api(v, "GET", arena_printf(v->arena, "/email-domains/%s/orgs", url_segment(v->arena,
	    str_of(at != NULL ? at + 1 : "-"))), NULL);
	mine = cJSON_GetObjectItemCaseSensitive(orgs.answer, "items");
	joinable = cJSON_GetObjectItemCaseSensitive(domain.answer, "organizations");
	page_begin(v, FRAME_WIDE, view_say_with(v, SAY_HELLO, json_text_or_empty(user.answer, "displayName")));
	h_leaf(&v->h, "p", "lead", view_say_with(v, SAY_SIGNED_IN_AS, json_text_or_empty(user.answer, "email")));
	write_done(v);
	section_begin(v, "organizations", view_say(v, SAY_ORGANIZATIONS), cJSON_GetArraySize(mine) == 0 ? view_say(v, SAY_NO_ORGANIZATIONS) : NULL);
	if (cJSON_GetArraySize(mine) > 0)
		write_organizations(v, mine, NULL);
	h_close(&v->h);
	if (domain.status == 200 && has_more(joinable, mine)) {
		section_begin(v, "join", view_say(v, SAY_JOIN_TITLE), view_say(v, SAY_JOIN_LEAD));
		write_organizations(v, joinable, mine);
		h_close(&v->h);
	}
	page_end(v);
}

/* POST /app/join */
void
join_organization(struct view *v)
{
	struct call c = ask_api(v, "POST", arena_printf(v->arena, "/orgs/%s/join", url_segment(v->arena,
	    str_of(form_value(v, "org")))), NULL);

	v->back = "";
	if (call_succeeded(v, &c))
		go_to(v, "?done=joined");
}
