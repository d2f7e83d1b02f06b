/* A space as people read it: its pages, search and broken links. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* ---- pages ---- */

static void
write_page_actions(struct view *v, const struct shown_space *s, const char *page)
{
	struct html *h = &v->h;

	h_el(h, "div", "class", "actions", NULL);
	write_link(v, "btn small", path_of_ids(v, "/spaces/%s/history?pageId=%s", s->id, page), view_say(v, SAY_PAGE_HISTORY));
	if (may(s, "edit")) {
		write_link(v, "btn small", path_of_ids(v, "/spaces/%s/pages/%s/edit", s->id, page), view_say(v, SAY_EDIT));
		write_link(v, "btn small", path_of_ids(v, "/spaces/%s/pages/%s/place", s->id, page), view_say(v, SAY_PLACE));
	}
	write_site_links(v, s->id);
	h_close(h);
	write_also_changing(v, s, page, NULL);
}

/* Heading, description and text of a page of the primary content. */
static void
write_page(struct view *v, const struct shown_space *s, const cJSON *page, const struct call *rendered)
{
	const char *about = json_text_of(page, "description");

	struct talk talk = { .api = path_of_ids(v, "/spaces/%s", s->id), .below = s->below, .page = json_text_or_empty(page, "id"), .query = "",
		.blocks = json_member(rendered->answer, "blocks"), .may_write = may(s, "comment") };

	open_talk(v, &talk);
	after_saving(v);
	space_begin(v, s, TAB_PAGES, json_text_or_empty(page, "id"), json_text_or_empty(page, "title"));
	if (v->script)
		write_notice(v, NOTICE_GOOD, view_say(v, SAY_DONE_MERGED));
	write_ancestors(v, s, json_text_or_empty(page, "id"));
	h_leaf(&v->h, "h1", NULL, json_text_or_empty(page, "title"));
	if (about != NULL)
		h_leaf(&v->h, "p", "lead", about);
	write_page_actions(v, s, json_text_or_empty(page, "id"));
	write_talked_article(&talk, rendered->answer);
	write_comments(&talk);
	page_end(v);
}

/* Shows a page; if the space has none (page NULL), says so. */
static void
show_page(struct view *v, const struct shown_space *s, const cJSON *page)
{
	struct call c;

	if (page == NULL) {
		space_begin(v, s, TAB_PAGES, NULL, s->title);
		h_leaf(&v->h, "h1", NULL, s->title);
		h_leaf(&v->h, "p", "lead", view_say(v, SAY_NO_PAGES));
		page_end(v);
		return;
	}
	c = ask_api(v, "GET", path_of_ids(v, "/spaces/%s/content/page/%s/html?blocks=true&language=%s", s->id, json_text_or_empty(page, "id"),
	    text_tag(v->language)), NULL);
	if (call_succeeded(v, &c))
		write_page(v, s, page, &c);
}

/* GET /app/spaces/ID */
void
show_space(struct view *v)
{
	struct shown_space s;
	const cJSON *first;

	if (!open_space(v, &s, "", NULL, NULL))
		return;
	first = first_page(s.pages);
	/* The first page is folded, so the tree is requested again with the pages below it. */
	if (first != NULL && json_number_of(first, "folded", 0) > 0) {
		if (!open_space(v, &s, json_text_or_empty(first, "id"), NULL, NULL))
			return;
		first = first_page(s.pages);
	}
	show_page(v, &s, first);
}

/* GET /app/spaces/ID/pages/ID */
void
show_space_page(struct view *v)
{
	struct shown_space s;
	const cJSON *page;

	if (!open_space(v, &s, v->ids[1], NULL, NULL))
		return;
	page = find_page(s.pages, v->ids[1]);
	if (page == NULL)
		page_error(v, 404, view_say(v, SAY_NOT_FOUND), view_say(v, SAY_NOT_FOUND_HELP));
	else
		show_page(v, &s, page);
}

/* ---- search ---- */

/* HITS_PART: hits of a part of the list. SECTIONS_MOST: sections of a hit that are shown; the first ones match best. */
enum { HITS_PART = 12, SECTIONS_MOST = 2 };

static void
write_hit_link(struct view *v, const char *below, const char *title)
{
	h_el(&v->h, "a", "href", near_path(v, below), NULL);
	h_text(&v->h, title);
	h_close(&v->h);
}

/* A section that matches, marked as one: its title may be that of another page. */
static void
write_section_hit(struct view *v, const char *page, const cJSON *section)
{
	const char *at = strchr(json_text_or_empty(section, "path"), '#');
	struct html *h = &v->h;

	h_open(h, "p");
	if (at != NULL) {
		h_text(h, "\u00a7 ");
		write_hit_link(v, arena_printf(v->arena, "%s%s", page, at), json_text_or_empty(section, "title"));
	}
	h_leaf(h, "small", NULL, json_text_or_empty(section, "body"));
	h_close(h);
}

void
write_hit(struct view *v, const char *space, const cJSON *hit)
{
	const char *page = path_of_ids(v, "/spaces/%s/pages/%s", space, json_text_or_empty(hit, "id"));
	const cJSON *section;
	struct html *h = &v->h;
	int n = 0;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	write_hit_link(v, page, json_text_or_empty(hit, "title"));
	h_leaf(h, "small", NULL, json_text_or_empty(hit, "path"));
	cJSON_ArrayForEach(section, json_member(hit, "sections"))
		if (n++ < SECTIONS_MOST)
			write_section_hit(v, page, section);
	h_close(h);
	h_close(h);
}

/* GET /app/spaces/ID/search?q= */
void
search_space(struct view *v)
{
	const char *q = query_value(v, "q"), *next = query_value(v, "page");
	struct shown_space s;
	const cJSON *hit, *hits;
	struct call c;

	if (!open_space(v, &s, NULL, NULL, NULL))
		return;
	c = ask_api(v, "GET", arena_printf(v->arena, "%s&limit=%d%s%s", path_of_ids(v, "/spaces/%s/search?query=%s", s.id, q != NULL && *q != '\0' ? q : " "),
	    HITS_PART, next != NULL ? "&page=" : "", next != NULL ? url_segment(v->arena, str_of(next)) : ""), NULL);
	hits = json_member(c.answer, "items");
	space_begin(v, &s, TAB_PAGES, NULL, view_say(v, SAY_SEARCH));
	h_leaf(&v->h, "h1", NULL, view_say_with(v, SAY_FOUND, q != NULL ? q : ""));
	write_search(v, s.below, s.title);
	if (cJSON_GetArraySize(hits) == 0)
		h_leaf(&v->h, "p", "lead", is_success(&c) ? view_say(v, SAY_FOUND_NONE) : message_of(v, &c));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(hit, hits)
		write_hit(v, s.id, hit);
	h_close(&v->h);
	write_more(v, &c, SAY_FIND_NEXT, arena_printf(v->arena, "%s/search", s.below), path_of_ids(v, "&q=%s", q != NULL ? q : ""));
	page_end(v);
}

/* ---- broken links ---- */

const cJSON *
ask_part(struct view *v, struct call *c, const char *path, int most)
{
	const char *page = query_value(v, "page");

	*c = ask_api(v, "GET", arena_printf(v->arena, "%s%climit=%d%s%s", path, strchr(path, '?') != NULL ? '&' : '?', most, page != NULL ? "&page=" : "",
	    page != NULL ? url_segment(v->arena, str_of(page)) : ""), NULL);
	return call_succeeded(v, c) ? json_member(c->answer, "items") : NULL;
}

void
write_link_place(struct view *v, const struct shown_space *s, const cJSON *place)
{
	const cJSON *page = json_member(place, "page");
	int line = (int)json_number_of(place, "line", 0);
	struct html *h = &v->h;

	h_open(h, "li");
	h_el(h, "div", "class", "what", NULL);
	h_leaf(h, "code", NULL, json_text_or_empty(place, "spelling"));
	h_text(h, " ");
	if (page != NULL)
		write_link(v, NULL, arena_printf(v->arena, "%s/pages/%s", s->below, url_segment(v->arena, str_of(json_text_or_empty(page, "id")))),
		    json_text_or_empty(page, "title"));
	if (line > 0)
		h_leaf(h, "small", NULL, view_say_with(v, SAY_LINE, arena_printf(v->arena, "%d", line)));
	h_close(h);
	h_close(h);
}

/* GET /app/spaces/ID/links */
void
show_broken_links(struct view *v)
{
	struct shown_space s;
	const cJSON *link, *place, *list;
	struct call c;

	if (!open_space(v, &s, NULL, NULL, NULL) || (list = ask_part(v, &c, path_of_ids(v, "/spaces/%s/links?status=broken", s.id), 25)) == NULL)
		return;
	space_begin(v, &s, TAB_LINKS, NULL, view_say(v, SAY_BROKEN_LINKS));
	h_leaf(&v->h, "h1", NULL, view_say(v, SAY_BROKEN_LINKS));
	h_leaf(&v->h, "p", "lead", view_say(v, list->child == NULL ? SAY_NO_BROKEN_LINKS : SAY_BROKEN_LINKS_LEAD));
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(link, list)
		cJSON_ArrayForEach(place, json_member(link, "locationReferences"))
			write_link_place(v, &s, place);
	h_close(&v->h);
	write_more(v, &c, SAY_FIND_NEXT, path_of_ids(v, "/spaces/%s/links", s.id), "");
	page_end(v);
}
