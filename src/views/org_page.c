/* An organization: its spaces by collection, change requests that changed last, and its members. Contract: view_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

static void
write_space_row(struct view *v, const cJSON *space)
{
	const char *title = json_text_or_empty(space, "title");
	struct html *h = &v->h;
	double open = json_number_of(space, "changeRequestsOpen", 0);

	h_open(h, "li");
	write_initial(v, title);
	h_el(h, "div", "class", "what", NULL);
	write_link(v, NULL, path_of_ids(v, "/spaces/%s", json_text_or_empty(space, "id")), *title != '\0' ? title : view_say(v, SAY_UNTITLED));
	h_leaf(h, "small", NULL, arena_printf(v->arena, "%s%s%s",
	    view_say_with(v, SAY_CHANGED_AT, show_minute(v, json_text_or_empty(space, "updatedAt"))), open > 0 ? " · " : "",
	    open > 0 ? view_say_with(v, SAY_OPEN_REQUESTS, arena_printf(v->arena, "%.0f", open)) : ""));
	h_close(h);
	h_close(h);
}

bool
has_space_of(const cJSON *spaces, const char *parent)
{
	const cJSON *space;

	cJSON_ArrayForEach(space, spaces)
		if (strcmp(json_text_or_empty(space, "parent"), parent) == 0)
			return true;
	return false;
}

size_t
write_spaces_of(struct view *v, const cJSON *spaces, const char *parent)
{
	const cJSON *space;
	size_t count = 0;

	cJSON_ArrayForEach(space, spaces) {
		if (strcmp(json_text_or_empty(space, "parent"), parent) != 0)
			continue;
		if (count++ == 0)
			h_el(&v->h, "ul", "class", "rows", NULL);
		write_space_row(v, space);
	}
	if (count > 0)
		h_close(&v->h);
	return count;
}

static void
write_collections(struct view *v, const cJSON *collections, const cJSON *spaces)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, collections) {
		section_begin(v, arena_printf(v->arena, "c-%s", json_text_or_empty(one, "id")), json_text_or_empty(one, "title"), NULL);
		if (write_spaces_of(v, spaces, json_text_or_empty(one, "id")) == 0)
			h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_SPACES));
		h_close(&v->h);
	}
}

static void
write_recent(struct view *v, const struct call *requests)
{
	struct space_title *known = NULL;
	const cJSON *one;
	struct html *h = &v->h;

	if (!is_success(requests) || cJSON_GetArraySize(json_member(requests->answer, "items")) == 0)
		return;
	section_begin(v, "requests", view_say(v, SAY_REQUESTS), NULL);
	h_el(h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, json_member(requests->answer, "items"))
		write_request_line(v, one, title_of_space(v, &known, one));
	h_close(h);
	h_close(h);
}

static void
write_members(struct view *v, const struct call *members)
{
	const cJSON *one;
	struct html *h = &v->h;

	if (!is_success(members))
		return;
	section_begin(v, "members", view_say(v, SAY_MEMBERS), NULL);
	h_el(h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, json_member(members->answer, "items")) {
		const cJSON *user = json_member(one, "user");
		const char *role = json_text_of(one, "role");

		h_open(h, "li");
		write_initial(v, json_text_or_empty(user, "displayName"));
		h_el(h, "div", "class", "what", NULL);
		h_leaf(h, "strong", NULL, json_text_or_empty(user, "displayName"));
		h_leaf(h, "small", NULL, json_text_or_empty(user, "email"));
		h_close(h);
		h_leaf(h, "span", "tag", role != NULL ? role : view_say(v, SAY_GUEST));
		h_close(h);
	}
	h_close(h);
	write_left_out(v, members->answer);
	h_close(h);
}

/* ---- search ---- */

/* Pages of one space that are shown; the search of the space has the others. */
enum { HITS_MOST = 5 };

/* The best pages of a space, and a link to the search in it if there are more. */
static void
write_space_hits(struct view *v, const cJSON *space, const char *q)
{
	const char *id = json_text_or_empty(space, "id"), *title = json_text_or_empty(space, "title");
	const cJSON *hit;
	int n = 0;

	section_begin(v, arena_printf(v->arena, "s-%s", id), *title != '\0' ? title : view_say(v, SAY_UNTITLED), NULL);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(hit, json_member(space, "pages"))
		if (n++ < HITS_MOST)
			write_hit(v, id, hit);
	h_close(&v->h);
	if (n > HITS_MOST)
		write_link(v, "step", path_of_ids(v, "/spaces/%s/search?q=%s", id, q), view_say_with(v, SAY_SHOW_OTHERS,
		    arena_printf(v->arena, "%d", n - HITS_MOST)));
	h_close(&v->h);
}

/* GET /app/orgs/ID/search?q= */
void
search_organization(struct view *v)
{
	const char *q = query_value(v, "q"), *org = path_of_ids(v, "/orgs/%s", v->ids[0]);
	struct call c = ask_api(v, "GET", org, NULL), found;
	const cJSON *spaces, *one;

	if (!call_succeeded(v, &c))
		return;
	found = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/search?limit=20&query=%s", v->ids[0], q != NULL && *q != '\0' ? q : " "), NULL);
	spaces = json_member(found.answer, "items");
	page_begin(v, FRAME_WIDE, view_say_with(v, SAY_FOUND, q != NULL ? q : ""));
	write_search(v, org, json_text_or_empty(c.answer, "title"));
	if (cJSON_GetArraySize(spaces) == 0)
		h_leaf(&v->h, "p", "lead", is_success(&found) ? view_say(v, SAY_FOUND_NONE) : message_of(v, &found));
	cJSON_ArrayForEach(one, spaces)
		write_space_hits(v, one, q != NULL ? q : "");
	write_left_out(v, found.answer);
	page_end(v);
}

/* GET /app/orgs/ID */
void
show_organization(struct view *v)
{
	const char *org = path_of_ids(v, "/orgs/%s", v->ids[0]);
	struct call c = ask_api(v, "GET", org, NULL), spaces, collections;

	if (!call_succeeded(v, &c))
		return;
	spaces = ask_api(v, "GET", arena_printf(v->arena, "%s/spaces?limit=1000", org), NULL);
	if (!call_succeeded(v, &spaces))
		return;
	collections = ask_api(v, "GET", arena_printf(v->arena, "%s/collections?limit=1000", org), NULL);
	page_begin(v, FRAME_WIDE, json_text_or_empty(c.answer, "title"));
	if (json_flag_of(json_member(c.answer, "permissions"), "admin") || json_flag_of(json_member(c.answer, "permissions"), "createContent")) {
		h_el(&v->h, "p", "class", "actions", NULL);
		write_link(v, "btn small", path_of_ids(v, "/orgs/%s/admin", v->ids[0]), view_say(v, SAY_ADMINISTRATION));
		h_close(&v->h);
	}
	write_search(v, org, json_text_or_empty(c.answer, "title"));
	section_begin(v, "spaces", view_say(v, SAY_SPACES), NULL);
	if (write_spaces_of(v, json_member(spaces.answer, "items"), "") == 0)
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_SPACES));
	h_close(&v->h);
	write_left_out(v, spaces.answer);
	write_collections(v, json_member(collections.answer, "items"), json_member(spaces.answer, "items"));
	c = ask_api(v, "GET", arena_printf(v->arena, "%s/change-requests?orderBy=updatedAt&limit=10", org), NULL);
	write_recent(v, &c);
	write_org_lists(v);
	c = ask_api(v, "GET", arena_printf(v->arena, "%s/members?limit=1000", org), NULL);
	write_members(v, &c);
	page_end(v);
}
