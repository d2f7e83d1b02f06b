/*
 * The first page after signing in: change requests that wait for the person's review, and their own; organizations
 * with their spaces, what changed lately, and organizations that the person can join. Contract: view_parts.h.
 */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* Organizations that are shown with their spaces, and how many spaces of each: a first page stays small. */
enum { CARDS_MOST = 3 };
#define SPACES_MOST "20"

static void
write_organization(struct view *v, const cJSON *org, bool join)
{
	struct html *h = &v->h;
	const char *title = json_text_or_empty(org, "title");

	h_open(h, "li");
	write_initial(v, title);
	h_el(h, "span", "class", "what", NULL);
	if (join || !v->set->app)
		h_leaf(h, "strong", NULL, title);
	else
		write_link(v, NULL, arena_printf(v->arena, "/orgs/%s", url_segment(v->arena, str_of(json_text_or_empty(org, "id")))), title);
	h_close(h);
	if (join) {
		write_form(v, "/join", NULL);
		write_hidden(v, "org", json_text_or_empty(org, "id"));
		write_row_button(v, false, view_say(v, SAY_JOIN), title);
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

/* Writes a section with those change requests that the query selects, newest first; nothing if there are none. */
static void
write_request_section(struct view *v, const cJSON *orgs, struct space_title **known, const char *id, enum say title, const char *query)
{
	const cJSON *org, *one;
	size_t count = 0;

	cJSON_ArrayForEach(org, orgs) {
		struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s%s", path_of_ids(v, "/orgs/%s/change-requests?orderBy=updatedAt&",
		    json_text_or_empty(org, "id")), query), NULL);

		cJSON_ArrayForEach(one, json_member(c.answer, "items")) {
			if (count++ == 0) {
				section_begin(v, id, view_say(v, title), NULL);
				h_el(&v->h, "ul", "class", "rows", NULL);
			}
			write_request_line(v, one, title_of_space(v, known, one));
		}
	}
	if (count > 0) {
		h_close(&v->h);
		h_close(&v->h);
	}
}

/* The change requests that wait for the person's review, and their own. */
static void
write_my_requests(struct view *v, const cJSON *mine, struct space_title **known, const char *user)
{
	write_request_section(v, mine, known, "waiting", SAY_REVIEWS_WAITING, path_of_ids(v, "limit=10&status=open&requestedReviewer=%s", user));
	write_request_section(v, mine, known, "mine", SAY_MY_REQUESTS, path_of_ids(v, "limit=10&status=open&creator=%s", user));
	write_request_section(v, mine, known, "drafts", SAY_MY_DRAFTS, path_of_ids(v, "limit=10&status=draft&creator=%s", user));
}

/* ---- spaces ---- */

static bool
is_in_collection(const cJSON *spaces)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, spaces)
		if (*json_text_or_empty(one, "parent") != '\0')
			return true;
	return false;
}

/* The spaces of one organization, by collection. */
static void
write_spaces(struct view *v, const char *org)
{
	struct call spaces = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/spaces?limit=" SPACES_MOST, org), NULL), collections = { 0 };
	const cJSON *list = json_member(spaces.answer, "items"), *one;

	if (cJSON_GetArraySize(list) == 0) {
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_SPACES));
		return;
	}
	write_spaces_of(v, list, "");
	if (is_in_collection(list))
		collections = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/collections?limit=1000", org), NULL);
	cJSON_ArrayForEach(one, json_member(collections.answer, "items")) {
		const char *id = json_text_or_empty(one, "id");

		if (!has_space_of(list, id))
			continue;
		h_leaf(&v->h, "h3", NULL, json_text_or_empty(one, "title"));
		write_spaces_of(v, list, id);
	}
	write_left_out(v, spaces.answer);
}

/* The first organizations, each with its spaces; the title leads to the whole of it. */
static void
write_organization_cards(struct view *v, const cJSON *orgs)
{
	const cJSON *org;
	struct html *h = &v->h;
	int n = 0;

	cJSON_ArrayForEach(org, orgs) {
		const char *id = json_text_or_empty(org, "id"), *heading;

		if (n++ == CARDS_MOST)
			break;
		heading = arena_printf(v->arena, "org-%d", n);
		h_el(h, "section", "class", "card", "aria-labelledby", heading, NULL);
		h_el(h, "h2", "id", heading, NULL);
		write_link(v, NULL, path_of_ids(v, "/orgs/%s", id), json_text_or_empty(org, "title"));
		h_close(h);
		write_search(v, path_of_ids(v, "/orgs/%s", id), json_text_or_empty(org, "title"));
		write_spaces(v, id);
		h_close(h);
	}
}

/* What the person reads and writes, if the installation has those views. */
static void
write_work(struct view *v, const cJSON *orgs, const char *user)
{
	struct space_title *known = NULL;

	if (!v->set->app)
		return;
	write_my_requests(v, orgs, &known, user);
	write_organization_cards(v, orgs);
	write_request_section(v, orgs, &known, "lately", SAY_CHANGED_LATELY, "limit=5&status=merged");
}

static void
write_shut(struct view *v, const cJSON *one)
{
	const cJSON *login = json_member(one, "login");
	const char *title = json_text_or_empty(one, "title");
	struct html *h = &v->h;

	h_open(h, "li");
	write_initial(v, title);
	h_el(h, "span", "class", "what", NULL);
	h_leaf(h, "strong", NULL, title);
	if (login == NULL)
		h_leaf(h, "small", NULL, view_say(v, SAY_SHUT_NONE));
	h_close(h);
	if (login != NULL)
		write_provider_link(v, login);
	h_close(h);
}

/* Organizations that take a sign-in at their own provider, if there are any. */
static void
write_shut_orgs(struct view *v)
{
	struct call c = ask_api(v, "GET", "/user/sso", NULL);
	const cJSON *items = json_member(c.answer, "items"), *one;

	if (cJSON_GetArraySize(items) == 0)
		return;
	section_begin(v, "shut", view_say(v, SAY_SHUT_TITLE), view_say(v, SAY_SHUT_LEAD));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, items)
		write_shut(v, one);
	h_close(&v->h);
	h_close(&v->h);
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
	write_work(v, mine, json_text_or_empty(user.answer, "id"));
	if (!v->set->app || cJSON_GetArraySize(mine) == 0 || cJSON_GetArraySize(mine) > CARDS_MOST) {
		section_begin(v, "organizations", view_say(v, SAY_ORGANIZATIONS), cJSON_GetArraySize(mine) == 0 ? view_say(v, SAY_NO_ORGANIZATIONS) : NULL);
		if (cJSON_GetArraySize(mine) > 0)
			write_organizations(v, mine, NULL);
		h_close(&v->h);
	}
	write_shut_orgs(v);
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
