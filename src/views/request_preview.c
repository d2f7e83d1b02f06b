/* Previews of the sites that show a change request. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

bool
has_preview(struct view *v, const char *api)
{
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s/previews?limit=0", api), NULL);

	return json_number_of(c.answer, "count", 0) > 0;
}

void
write_preview_link(struct view *v, const char *class, const char *below, const char *page)
{
	const char *query = page == NULL ? "" : arena_printf(v->arena, "?page=%s", url_segment(v->arena, str_of(page)));

	h_el(&v->h, "a", "class", class, "href", app_path(v, arena_printf(v->arena, "%s/preview%s", below, query)), "target", "_blank",
	    "rel", "noopener", NULL);
	h_text(&v->h, view_say(v, SAY_PREVIEW_SITE));
	h_close(&v->h);
}

static void
write_sites(struct view *v, const cJSON *items)
{
	const cJSON *one;

	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, items) {
		h_open(&v->h, "li");
		h_open(&v->h, "a");
		h_url(&v->h, "href", json_text_or_empty(one, "url"));
		h_text(&v->h, json_text_or_empty(one, "title"));
		h_close(&v->h);
		h_close(&v->h);
	}
	h_close(&v->h);
}

static void
show_sites(struct view *v, const cJSON *items)
{
	const char *below = path_of_ids(v, "/spaces/%s/requests/%s", v->ids[0], v->ids[1]);
	struct shown_space s;

	if (!open_space(v, &s, NULL, NULL, NULL))
		return;
	space_begin(v, &s, TAB_REQUESTS, NULL, view_say(v, SAY_PREVIEW_SITE));
	write_up(v, below, SAY_TO_REQUEST);
	h_leaf(&v->h, "h1", NULL, view_say(v, SAY_PREVIEW_SITE));
	if (cJSON_GetArraySize(items) > 0)
		write_sites(v, items);
	else
		write_notice(v, NOTICE_PLAIN, view_say(v, SAY_PREVIEW_NONE));
	page_end(v);
}

/*
 * GET /app/spaces/ID/requests/ID/preview?page=ID: redirects to the preview of the only site that shows
 * the space, or lists the sites. The token is made only now, since it is valid for an hour.
 */
void
show_request_preview(struct view *v)
{
	const char *page = query_value(v, "page");
	struct call c = ask_api(v, "GET", arena_printf(v->arena, "%s?limit=100%s%s",
	    path_of_ids(v, "/spaces/%s/change-requests/%s/previews", v->ids[0], v->ids[1]), page != NULL ? "&pageId=" : "",
	    page != NULL ? url_segment(v->arena, str_of(page)) : ""), NULL);
	const cJSON *items = json_member(c.answer, "items");

	if (!call_succeeded(v, &c))
		return;
	if (cJSON_GetArraySize(items) == 1)
		go_away(v, json_text_or_empty(cJSON_GetArrayItem(items, 0), "url"));
	else
		show_sites(v, items);
}
