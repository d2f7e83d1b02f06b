/* An organization's sites, API specifications, and topics of conversations. Contract: space_parts.h. */
#include "base/json.h"
#include "base/url.h"
#include "space_parts.h"

/* Begins a row and its first cell. The row's id in HTML is "PREFIX-ID", so that addresses can lead to it. */
static void
row_begin(struct view *v, const char *prefix, const char *id, const char *title)
{
	h_el(&v->h, "li", "id", arena_printf(v->arena, "%s-%s", prefix, id), NULL);
	write_initial(v, title);
	h_el(&v->h, "div", "class", "what", NULL);
}

static void
row_end(struct view *v)
{
	h_close(&v->h);
	h_close(&v->h);
}

/* A link that leaves the application. */
static void
write_way_out(struct view *v, const char *address, const char *label)
{
	h_el(&v->h, "a", "href", address, NULL);
	h_text(&v->h, label);
	h_close(&v->h);
}

static void
write_site(struct view *v, const cJSON *site)
{
	const char *title = json_text_or_empty(site, "title"), *at = json_text_of(json_member(site, "urls"), "published");

	row_begin(v, "site", json_text_or_empty(site, "id"), title);
	if (at != NULL)
		write_way_out(v, at, title);
	else
		h_leaf(&v->h, "strong", NULL, title);
	h_leaf(&v->h, "small", NULL, at != NULL ? at : view_say(v, SAY_NOT_PUBLISHED));
	row_end(v);
}

/* If the source that was read last had errors, shows the first of them. */
static void
write_spec(struct view *v, const cJSON *spec)
{
	const char *slug = json_text_or_empty(spec, "slug"), *from = json_text_of(spec, "sourceURL");
	const cJSON *fault = cJSON_GetArrayItem(json_member(spec, "lastProcessedErrors"), 0);

	row_begin(v, "spec", slug, slug);
	h_leaf(&v->h, "strong", NULL, slug);
	h_leaf(&v->h, "small", NULL, from != NULL ? from : show_minute(v, json_text_or_empty(spec, "updatedAt")));
	if (fault != NULL)
		h_leaf(&v->h, "small", "fault", json_text_or_empty(fault, "message"));
	row_end(v);
}

static void
write_topic(struct view *v, const cJSON *cluster)
{
	const char *label = json_text_or_empty(cluster, "label"), *id = json_text_or_empty(cluster, "id");

	row_begin(v, "topic", id, label);
	write_link(v, NULL, path_of_ids(v, "/orgs/%s/topics/%s", v->ids[0], id), label);
	h_leaf(&v->h, "small", NULL, view_say_with(v, SAY_ASKED_IN, arena_printf(v->arena, "%.0f",
	    json_number_of(json_member(cluster, "stats"), "conversations", 0))));
	row_end(v);
}

/* A section with the items of a list of the API; nothing if it is empty or the caller may not list it. */
static void
write_things(struct view *v, const char *id, enum say title, const char *path, void (*write)(struct view *, const cJSON *))
{
	struct call c = ask_api(v, "GET", path, NULL);
	const cJSON *one;

	if (!is_success(&c) || cJSON_GetArraySize(json_member(c.answer, "items")) == 0)
		return;
	section_begin(v, id, view_say(v, title), NULL);
	h_el(&v->h, "ul", "class", "rows", NULL);
	cJSON_ArrayForEach(one, json_member(c.answer, "items"))
		write(v, one);
	h_close(&v->h);
	write_left_out(v, c.answer);
	h_close(&v->h);
}

void
write_org_lists(struct view *v)
{
	const char *org = path_of_ids(v, "/orgs/%s", v->ids[0]);

	write_things(v, "sites", SAY_SITES, arena_printf(v->arena, "%s/sites?limit=1000", org), write_site);
	write_things(v, "specs", SAY_SPECS, arena_printf(v->arena, "%s/openapi?limit=1000", org), write_spec);
	write_things(v, "topics", SAY_TOPICS, arena_printf(v->arena, "%s/conversations-clusters?orderBy=conversations&limit=20", org), write_topic);
}

/* ---- one topic ---- */

static void
write_asked(struct view *v, const cJSON *issue)
{
	row_begin(v, "issue", json_text_or_empty(issue, "id"), json_text_or_empty(issue, "title"));
	h_leaf(&v->h, "strong", NULL, json_text_or_empty(issue, "title"));
	h_leaf(&v->h, "small", NULL, json_text_or_empty(issue, "summary"));
	row_end(v);
}

/* GET /app/orgs/ID/topics/ID */
void
show_topic(struct view *v)
{
	const char *org = path_of_ids(v, "/orgs/%s", v->ids[0]);
	struct call c = ask_api(v, "GET", path_of_ids(v, "/orgs/%s/conversations-clusters/%s", v->ids[0], v->ids[1]), NULL);

	if (!call_succeeded(v, &c))
		return;
	page_begin(v, FRAME_WIDE, json_text_or_empty(c.answer, "label"));
	h_leaf(&v->h, "p", "lead", json_text_or_empty(c.answer, "summary"));
	write_things(v, "issues", SAY_TOPICS, path_of_ids(v, "/orgs/%s/conversations-issues?limit=100&cluster=%s", v->ids[0], v->ids[1]), write_asked);
	write_link(v, NULL, org, view_say(v, SAY_ORGANIZATION));
	page_end(v);
}
