/* Deletes a page in a change request, after what links to it was shown. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* More links are counted, not listed. */
enum { LINKS_MOST = 50 };

/* Lists the pages that link to the page. links: the answer of …/backlinks. */
static void
write_what_links(struct view *v, const struct shown_space *s, const struct call *links)
{
	const cJSON *list = json_member(links->answer, "items"), *place;

	h_leaf(&v->h, "p", "lead", view_say(v, list == NULL || list->child == NULL ? SAY_NOTHING_LINKS : SAY_LINKS_TO_PAGE));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(place, list)
		write_link_place(v, s, place);
	h_close(&v->h);
	write_left_out(v, links->answer);
}

static void
write_deletion(struct view *v, const struct shown_space *s, const cJSON *page, const struct call *links)
{
	const char *below = arena_printf(v->arena, "%s/pages/%s", s->below, url_segment(v->arena, str_of(v->ids[2])));
	const char *heading = view_say_with(v, SAY_DELETE_ASK, json_text_or_empty(page, "title"));
	const cJSON *pages = json_member(page, "pages");

	space_begin(v, s, TAB_REQUESTS, v->ids[2], heading);
	h_leaf(&v->h, "h1", NULL, heading);
	if ((pages != NULL && pages->child != NULL) || json_number_of(page, "folded", 0) > 0)
		write_notice(v, NOTICE_PLAIN, view_say(v, SAY_DELETED_BELOW));
	write_what_links(v, s, links);
	write_form(v, v->path, NULL);
	h_el(&v->h, "div", "class", "actions", NULL);
	write_button(v, "danger", view_say(v, SAY_DELETE_PAGE));
	write_link(v, "btn quiet", below, view_say(v, SAY_CANCEL));
	h_close(&v->h);
	h_close(&v->h);
	page_end(v);
}

/* GET /app/spaces/ID/requests/ID/pages/ID/delete */
void
show_deletion(struct view *v)
{
	struct shown_space s;
	const cJSON *page;
	struct call links;

	if (!open_space(v, &s, v->ids[2], path_of_ids(v, "/change-requests/%s/content", v->ids[1]),
	    path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1])))
		return;
	if (!may(&s, "edit")) {
		page_error(v, 403, view_say(v, SAY_FAILED), view_say(v, SAY_MAY_NOT_EDIT));
		return;
	}
	if ((page = find_page(s.pages, v->ids[2])) == NULL) {
		page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NOT_FOUND_HELP));
		return;
	}
	links = ask_api(v, "GET", arena_printf(v->arena, "%s/backlinks?limit=%d", path_of_ids(v, "/spaces/%s/change-requests/%s/content/page/%s", s.id,
	    v->ids[1], v->ids[2]), LINKS_MOST), NULL);
	if (links.status == 404 || call_succeeded(v, &links))
		write_deletion(v, &s, page, &links);
}

/* POST /app/spaces/ID/requests/ID/pages/ID/delete */
void
delete_request_page(struct view *v)
{
	struct call c;
	struct json j;
	struct buf b;

	begin_body(v->arena, &j, &b);
	json_karr(&j, "changes");
	json_obj(&j);
	json_kstr(&j, "operation", "delete_page");
	json_kstr(&j, "page", v->ids[2]);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	c = ask_api(v, "POST", path_of_ids(v, "/spaces/%s/change-requests/%s/content", v->ids[0], v->ids[1]), b.p);
	if (call_succeeded(v, &c))
		go_to(v, path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]));
}
