/*
 * What happens on published sites, counted by day, page and kind (table site_event). A
 * renderer sends events as they come; of each one, the count of its row is all that is
 * kept. Who it was, by which address, with which words, is told by the body and read by
 * nobody here.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/insights.h"
#include "api/meta.h"
#include "base/map.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"
#include "insights.h"

/* How far the clock of a renderer may be off; the client's documentation says five minutes. */
enum { CLOCK_MS = 5 * 60 * 1000 };

/*
 * Open, as is that of events: renderers of several releases send further members, and nothing
 * but what is named here is looked at.
 */
static const struct shape EventLocation = { "SiteEventLocation", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 2048, .doc = "Address of the page; it is not kept",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	{ "siteSpace", T_TEXT, F_NULL, .max = 100, .doc = "Id of the site space; null: none", .example = EXAMPLE_SITE_SPACE },
	{ "page", T_TEXT, F_NULL, .max = 100, .doc = "Id of the page; null, and what is no page of the space: none", .example = EXAMPLE_PAGE },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape EventFeedback = { "SiteEventFeedback", (const struct field[]){
	{ "rating", T_ENUM, F_REQ, .set = INSIGHTS_RATINGS, .doc = "How the reader finds the page" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape Event = { "SiteEvent", (const struct field[]){
	{ "type", T_ENUM, F_REQ, .set = INSIGHTS_EVENTS, .doc = "What happened" },
	{ "location", T_OBJECT, F_REQ, .of = &EventLocation, .doc = "Where" },
	{ "session", T_OBJECT, F_TOLD, .of = &AnyObject, .example = "{}",
	  .doc = "Who and with what, as published clients send it; nothing of it is read or kept" },
	{ "timestamp", T_TIME, .doc = "When, at most 5 minutes from now; absent: now" },
	{ "feedback", T_OBJECT, .of = &EventFeedback, .doc = "Of page_post_feedback: the rating is kept" },
	{ 0 } }, .flags = SHAPE_OPEN };
const struct shape SiteEvents = { "TrackSiteEvents", (const struct field[]){
	{ "events", T_LIST, F_REQ, .of = &Event, .max = 1000, .doc = "What happened" },
	{ 0 } } };

SQL(q_published, "SELECT 1 FROM site WHERE id = :id AND published_at IS NOT NULL");
/* The site is part of the key: a site space of another one is unknown here (docs/design/security.md, "S1"). */
SQL(q_space, "SELECT space FROM site_space WHERE id = :id AND site = :site");
/* Now or once: a reader may have a page open for longer than it is there. */
SQL(q_page,
    "SELECT 1 FROM space s JOIN node n ON n.branch = s.branch AND n.id = :page WHERE s.id = :space "
    "AND n.kind IN ('document', 'group', 'link') LIMIT 1");
SQL(q_branch, "SELECT branch FROM space WHERE id = :space");
SQL(q_count,
    "INSERT INTO site_event (site, day, space, site_space, page, event, rating, n) "
    "VALUES (:site, :day, :space, :site_space, :page, :event, :rating, 1) "
    "ON CONFLICT (site, day, space, site_space, page, event, rating) DO UPDATE SET n = site_event.n + 1");

static const char *
text_member(const cJSON *of, const char *name)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(of, name);

	return cJSON_IsString(m) ? m->valuestring : "";
}

/* Its day, since 1970. A clock that is off by more would count what was, or will be, on another day. */
static int
day_or_fail(struct req *r, const cJSON *event, int at, int64_t *day)
{
	const char *when = text_member(event, "timestamp");
	int64_t now = time_now(), ms = now;

	if (*when != '\0' && !time_parse(when, &ms))
		ms = now;
	if (ms < now - CLOCK_MS || ms > now + CLOCK_MS)
		return fail_field(r, arena_printf(r->arena, "/events/%d/timestamp", at), "is more than 5 minutes from now");
	*day = ms / DAY_MS;
	return 0;
}

/* The space that the site space shows, "" without one. */
static int
space_or_fail(struct req *r, const char *site_space, const char **space)
{
	struct stmt *q;

	*space = "";
	if (*site_space == '\0')
		return 0;
	q = db_use(r->db, &q_space);
	bind_text(q, ":id", site_space);
	bind_text(q, ":site", r->site.id);
	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "no site space %s", site_space);
	*space = col_dup(q, 0, r->arena);
	return 0;
}

/* What is_computed() remembers a page by; `source`: what the computed page is remembered by that it is made of. */
static struct str
key_of(struct req *r, const char *space, const char *page, bool source)
{
	/* With its hyphen, so that neither is ever taken for the other. */
	int n = (int)(source ? strrchr(page, '-') + 1 - page : (ptrdiff_t)strlen(page));

	return str_of(arena_printf(r->arena, "%s %.*s", space, n, page));
}

/*
 * Is this computed page there? A description of an API has thousands of pages, and each of a
 * thousand events may name one: those that stand beside each other are expanded once in a request.
 */
static bool
is_computed(struct req *r, struct map *known, const char *space, const char *page)
{
	struct stmt *q = db_use(r->db, &q_branch);
	const struct page *p = NULL;
	struct point head;

	if (!map_add(known, key_of(r, space, page, true), NULL))
		return map_has(known, key_of(r, space, page, false));
	bind_text(q, ":space", space);
	if (point_head(r->db, r->arena, stmt_int(q, 0), &head))
		p = computed_beside(r->db, r->arena, &head, page);
	for (; p != NULL; p = p->next) {
		map_add(known, key_of(r, space, p->node.id, true), NULL);
		map_add(known, key_of(r, space, p->node.id, false), NULL);
	}
	return map_has(known, key_of(r, space, page, false));
}

/*
 * Is it a page of the space? Texts that are none would make rows that nobody can read. Those of
 * descriptions of APIs are no nodes; what an old version had is not there any more.
 */
static bool
is_page(struct req *r, struct map *known, const char *space, const char *page)
{
	struct stmt *q;

	if (*space == '\0' || *page == '\0')
		return false;
	q = db_use(r->db, &q_page);
	bind_text(q, ":space", space);
	bind_text(q, ":page", page);
	if (stmt_int(q, 0) == 1)
		return true;
	return computed_id(page) && is_computed(r, known, space, page);
}

/* `known`: what is_computed() has found for this request. */
static int
count_or_fail(struct req *r, struct map *known, const cJSON *event, int at)
{
	const cJSON *where = cJSON_GetObjectItemCaseSensitive(event, "location");
	const char *site_space = text_member(where, "siteSpace"), *page = text_member(where, "page"), *space;
	bool rated = strcmp(text_member(event, "type"), "page_post_feedback") == 0;
	struct stmt *q;
	int64_t day = 0;

	if (day_or_fail(r, event, at, &day) != 0 || space_or_fail(r, site_space, &space) != 0)
		return -1;
	/* The event counts for its site space all the same. */
	page = is_page(r, known, space, page) ? page : "";
	q = db_use(r->db, &q_count);
	bind_text(q, ":site", r->site.id);
	bind_int(q, ":day", day);
	bind_text(q, ":space", space);
	bind_text(q, ":site_space", site_space);
	bind_text(q, ":page", page);
	bind_text(q, ":event", text_member(event, "type"));
	bind_text(q, ":rating", rated ? text_member(cJSON_GetObjectItemCaseSensitive(event, "feedback"), "rating") : "");
	stmt_run(q);
	return 0;
}

/* POST /orgs/{organizationId}/sites/{siteId}/insights/events: all of them, or none. */
HANDLER(trackEventsInSiteById)
{
	struct stmt *q = db_use(r->db, &q_published);
	struct map *known = map_new(r->arena);
	const cJSON *event;
	int at = 0;

	bind_text(q, ":id", r->site.id);
	/* Who looks at a preview is no reader. */
	if (stmt_int(q, 0) != 1)
		return fail(r, E_NOT_FOUND, "no published site %s", r->site.id);
	cJSON_ArrayForEach(event, body_get(r, "events"))
		if (count_or_fail(r, known, event, at++) != 0)
			return -1;
	return reply_empty(r);
}
