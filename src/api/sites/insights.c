/*
 * Events on published sites, counted by day, page and kind (table site_event). A renderer sends
 * events as they happen; each only increments a counter. Bodies also contain the visitor, the
 * address and the search terms. Octavo does not read these members.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/insights.h"
#include "api/meta.h"
#include "app/site_event.h"
#include "base/map.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"
#include "insights.h"

/*
 * How far a renderer's clock may differ from that of this machine; five minutes as in the
 * documentation of the published client.
 */
enum { CLOCK_MS = 5 * 60 * 1000 };

/* SHAPE_OPEN, here and for events: renderers of several releases send further members, which are ignored. */
static const struct shape EventLocation = { "SiteEventLocation", (const struct field[]){
	{ "url", T_URI, F_REQ, .max = 2048, .doc = "Address of the page; it is not stored",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	{ "siteSpace", T_TEXT, F_NULL, .max = 100, .doc = "Id of the site space; null: none", .example = EXAMPLE_SITE_SPACE },
	{ "page", T_TEXT, F_NULL, .max = 100, .doc = "Id of the page; null, or an id that is no page of the space: none",
	  .example = EXAMPLE_PAGE },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape EventFeedback = { "SiteEventFeedback", (const struct field[]){
	{ "rating", T_ENUM, F_REQ, .set = INSIGHTS_RATINGS, .doc = "How the reader finds the page" },
	{ 0 } }, .flags = SHAPE_OPEN };
static const struct shape Event = { "SiteEvent", (const struct field[]){
	{ "type", T_ENUM, F_REQ, .set = INSIGHTS_EVENTS, .doc = "Kind of event" },
	{ "location", T_OBJECT, F_REQ, .of = &EventLocation, .doc = "Page on which it happened" },
	{ "session", T_OBJECT, F_TYPE_ONLY, .of = &AnyObject, .example = "{}",
	  .doc = "Reader and browser, as published clients send them; ignored" },
	{ "timestamp", T_TIME, .doc = "When it happened, at most 5 minutes from now; absent: now" },
	{ "feedback", T_OBJECT, .of = &EventFeedback, .doc = "Of page_post_feedback: the rating, which is stored" },
	{ 0 } }, .flags = SHAPE_OPEN };
const struct shape SiteEvents = { "TrackSiteEvents", (const struct field[]){
	{ "events", T_LIST, F_REQ, .of = &Event, .max = 1000, .doc = "Kind of event" },
	{ 0 } } };

SQL(q_published, "SELECT 1 FROM site WHERE id = :id AND published_at IS NOT NULL");
/* Finds only site spaces of the site: the id of another site's space is not found (docs/design/security.md, "S1"). */
SQL(q_space, "SELECT space FROM site_space WHERE id = :id AND site = :site");
/* Finds pages that exist now or existed earlier, since a reader may keep a page open after it was deleted. */
SQL(q_page,
    "SELECT 1 FROM space s JOIN node n ON n.branch = s.branch AND n.id = :page WHERE s.id = :space "
    "AND n.kind IN ('document', 'group', 'link') LIMIT 1");
SQL(q_branch, "SELECT branch FROM space WHERE id = :space");

/*
 * Sets *day to the day of the event, in days since 1970. An event too far from now is refused,
 * since it would be counted on a wrong day. 0 or fail_field().
 */
static int
day_or_fail(struct req *r, const cJSON *event, int at, int64_t *day)
{
	const char *when = json_text_or_empty(event, "timestamp");
	int64_t now = time_now(), ms = now;

	if (*when != '\0' && !time_parse(when, &ms))
		ms = now;
	if (ms < now - CLOCK_MS || ms > now + CLOCK_MS)
		return fail_field(r, arena_printf(r->arena, "/events/%d/timestamp", at), "is more than 5 minutes from now");
	*day = ms / DAY_MS;
	return 0;
}

/* Sets *space to the space that the site space shows; to "" if the event has no site space. 0 or fail(). */
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

/*
 * Returns the key of a page in the map of is_computed(). source true: the common key of all pages
 * of the same source.
 */
static struct str
computed_key(struct req *r, const char *space, const char *page, bool source)
{
	/*
	 * The id of a computed page is SOURCE-PAGE. The key of a source ends in the hyphen, so that
	 * it never equals that of a page.
	 */
	int n = (int)(source ? strrchr(page, '-') + 1 - page : (ptrdiff_t)strlen(page));

	return str_of(arena_printf(r->arena, "%s %.*s", space, n, page));
}

/*
 * True if the computed page exists. All pages of its source are expanded once per request: a
 * specification may have thousands of pages, and each of a thousand events may name another one.
 */
static bool
is_computed(struct req *r, struct map *known, const char *space, const char *page)
{
	struct stmt *q = db_use(r->db, &q_branch);
	const struct page *p = NULL;
	struct point head;

	if (!map_add(known, computed_key(r, space, page, true), NULL))
		return map_has(known, computed_key(r, space, page, false));
	bind_text(q, ":space", space);
	if (point_head(r->db, r->arena, stmt_int(q, 0), &head))
		p = computed_siblings(r->db, r->arena, &head, page);
	for (; p != NULL; p = p->next) {
		map_add(known, computed_key(r, space, p->node.id, true), NULL);
		map_add(known, computed_key(r, space, p->node.id, false), NULL);
	}
	return map_has(known, computed_key(r, space, page, false));
}

/*
 * True if `page` is the id of a page of the space; a row with another text would appear in no
 * report. Pages expanded from a specification have no node; those that only an earlier version of
 * it had are unknown.
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
	return computed_is_id(page) && is_computed(r, known, space, page);
}

/*
 * Counts one event. known: map of is_computed() for this request; at: index of the event, for
 * messages. 0 or fail().
 */
static int
count_or_fail(struct req *r, struct map *known, const cJSON *event, int at)
{
	const cJSON *where = cJSON_GetObjectItemCaseSensitive(event, "location");
	const char *site_space = json_text_or_empty(where, "siteSpace"), *page = json_text_or_empty(where, "page"), *space;
	bool rated = strcmp(json_text_or_empty(event, "type"), "page_post_feedback") == 0;
	int64_t day = 0;

	if (day_or_fail(r, event, at, &day) != 0 || space_or_fail(r, site_space, &space) != 0)
		return -1;
	/* An unknown page is dropped, but the event still counts for its site space. */
	page = is_page(r, known, space, page) ? page : "";
	site_event_count(r->db, &(struct site_event){ .site = r->site.id, .day = day, .space = space, .site_space = site_space,
	    .page = page, .kind = json_text_or_empty(event, "type"), .rating = rated ?
	    json_text_or_empty(cJSON_GetObjectItemCaseSensitive(event, "feedback"), "rating") : "" });
	return 0;
}

/* POST /orgs/{organizationId}/sites/{siteId}/insights/events: stores all events or none. */
HANDLER(trackEventsInSiteById)
{
	struct stmt *q = db_use(r->db, &q_published);
	struct map *known = map_new(r->arena);
	const cJSON *event;
	int at = 0;

	bind_text(q, ":id", r->site.id);
	/* Events of previews are refused, since they are not from readers. */
	if (stmt_int(q, 0) != 1)
		return fail(r, E_NOT_FOUND, "no published site %s", r->site.id);
	cJSON_ArrayForEach(event, body_get(r, "events"))
		if (count_or_fail(r, known, event, at++) != 0)
			return -1;
	return reply_empty(r);
}
