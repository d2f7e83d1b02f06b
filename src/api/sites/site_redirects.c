/*
 * Redirects of a site from old addresses. Table site_redirect. If a page exists at the address, the
 * page is shown. A source may have a draft and a live redirect; the draft has no effect until it is
 * published, when it replaces the live one.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/site_redirects.h"
#include "api/visitor.h"
#include "audience/visit.h"
#include "base/secret.h"
#include "http/req.h"
#include "store/computed.h"
#include "store/content.h"
#include "site.h"

/*
 * Defines a variant of the destination, selected by `kind`. The shapes are closed, so that members
 * of another variant are refused.
 */
#define TO(name_, kind_, ...) \
	static const struct shape name_ = { #name_, (const struct field[]){ \
		{ "kind", T_CONST, F_REQ, .set = kind_, .doc = "Kind of destination" }, __VA_ARGS__ { 0 } } }
#define SITE_SPACE_ID \
	{ "siteSpaceId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the site space", .example = EXAMPLE_SITE_SPACE }
TO(SiteRedirectToSection, "site-section",
    { "siteSectionId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the section", .example = EXAMPLE_SECTION },);
TO(SiteRedirectToSpace, "site-space", SITE_SPACE_ID,);
/* Page ids are unique only within a space, so the site space is needed, too. */
TO(SiteRedirectToPage, "site-page", SITE_SPACE_ID,
    { "pageId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },);
TO(SiteRedirectToURL, "external",
    { "url", T_URI, F_REQ, .max = 2048, .doc = "Address", .example = "https://example.org/" },);
/*
 * For clients that know only the path of a page. The destination is stored as the id of the page
 * that has this path now.
 */
TO(SiteRedirectToPath, "path",
    { "spaceId", T_TEXT, F_REQ, .max = 100, .doc = "Id of a space of the site", .example = EXAMPLE_SPACE },
    { "path", T_TEXT, F_REQ, .max = 1000, .doc = "Path of a page that exists", .example = "guides/first-steps" },);
static const struct shape Destination = { "SiteRedirectDestination", NULL, (const struct shape *const[]){
	&SiteRedirectToSection, &SiteRedirectToSpace, &SiteRedirectToPage, &SiteRedirectToURL, NULL } };
static const struct shape InputDestination = { "SiteRedirectInputDestination", NULL, (const struct shape *const[]){
	&SiteRedirectToSection, &SiteRedirectToSpace, &SiteRedirectToPage, &SiteRedirectToURL, &SiteRedirectToPath, NULL } };

/*
 * visit_redirect() compares texts, so each address must have only one spelling: no query, no slash
 * at the end, no empty segment. A star is allowed only at the end.
 */
#define SEGMENTS "/([A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+(/([A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+)*"
#define PATH .max = 512, .example = "/old/page", .pattern = "^" SEGMENTS "$", \
	.want = "a path below the address of the site, such as /old/page"
#define SOURCE .max = 512, .example = "/old/page", .pattern = "^" SEGMENTS "(/?[*])?$", \
	.want = "a path below the address of the site, such as /old/page, /old/* or /old*"
/* Flags; an absent one is false. */
#define SWITCHES \
	{ "permanent", T_BOOL, .doc = "true: browsers may cache it (status 308), if the site is public" }, \
	{ "captureWildcard", T_BOOL, .doc = "true: the part of the address that * in the source matches is appended to the destination" }, \
	{ "draft", T_BOOL, .doc = "true: the redirect is a draft, without effect", .example = "false" }
#define DESTINATION .of = &Destination, .doc = "Destination of the redirect"
#define TO_SET .of = &InputDestination, .doc = "Destination of the redirect"

const struct shape SiteRedirect = { "SiteRedirect", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-redirect", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_INVITE },
	{ "source", T_TEXT, F_REQ, .doc = "Path below the address of the site", .example = "/old/page" },
	{ "destination", T_OBJECT, F_REQ, DESTINATION },
	{ "draft", T_BOOL, F_REQ, .doc = "true: the redirect is a draft, without effect", .example = "false" },
	{ "captureWildcard", T_BOOL, F_REQ, .col = "capture", .doc = "true: the part of the address that * in the source matches is "
	  "appended to the destination", .example = "false" },
	{ "permanent", T_BOOL, F_REQ, .doc = "true: browsers may cache it (status 308), if the site is public", .example = "false" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, .col = "updated_at", .doc = "When it was last changed; absent: never" },
	{ 0 } } };
LIST_SHAPE(SiteRedirectList, SiteRedirect);
const struct shape SiteRedirectCreate = { "CreateSiteRedirect", (const struct field[]){
	{ "source", T_TEXT, F_REQ, SOURCE, .doc = "Path below the address of the site" },
	{ "destination", T_OBJECT, F_REQ, TO_SET },
	SWITCHES,
	{ 0 } } };
const struct shape SiteRedirectEdit = { "UpdateSiteRedirect", (const struct field[]){
	{ "source", T_TEXT, SOURCE, .doc = "Path below the address of the site" },
	{ "destination", T_OBJECT, TO_SET },
	SWITCHES,
	{ 0 } } };
const struct shape SiteRedirectsQuery = { "SiteRedirectsQuery", (const struct field[]){
	PAGING,
	{ "search", T_TEXT, .max = 256, .doc = "Part of the source", .example = "old" },
	{ "draft", T_BOOL, .preset = "false", .doc = "true: lists drafts instead of live redirects" },
	{ "orderBy", T_ENUM, .set = "source,createdAt,updatedAt", .preset = "\"source\"",
	  .doc = "By source; or by time of creation or last change, newest first" },
	{ 0 } } };
const struct shape SiteRedirectQuery = { "SiteRedirectQuery", (const struct field[]){
	{ "source", T_TEXT, F_REQ, PATH, .doc = "Path below the address of the site" },
	SHARE_KEY,
	{ 0 } } };
const struct shape SiteRedirectFound = { "SiteRedirectBySource", (const struct field[]){
	{ "redirect", T_OBJECT, F_REQ, .of = &SiteRedirect, .doc = "The redirect" },
	{ "target", T_TEXT, F_REQ, .doc = "Address of the destination",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	{ 0 } } };

/*
 * The item of a batch, as in the published client since 0.167. An item with intent "publish" has no
 * destination; all others need one.
 */
static const struct shape RedirectPut = { "PutSiteRedirect", (const struct field[]){
	{ "source", T_TEXT, F_REQ, SOURCE, .doc = "Path below the address of the site" },
	{ "destination", T_OBJECT, F_NULL, .of = &InputDestination, .doc = "Destination; null: the redirect is deleted. Not for intent publish" },
	{ "intent", T_ENUM, .set = "live,draft,publish", .preset = "\"live\"",
	  .doc = "live: the redirect works at once; draft: a draft of it is saved; publish: its draft becomes live" },
	SWITCHES,
	{ 0 } } };
const struct shape SiteRedirectsPut = { "PutSiteRedirects", (const struct field[]){
	{ "redirects", T_LIST, F_REQ, .of = &RedirectPut, .min = 1, .max = 500, .doc = "Redirects" },
	{ 0 } } };
#define DONE(name_, status_, ...) \
	static const struct shape name_ = { #name_, (const struct field[]){ \
		{ "status", T_CONST, F_REQ, .set = status_, .doc = "Result" }, \
		{ "source", T_TEXT, F_REQ, .doc = "Path below the address of the site", .example = "/old/page" }, \
		{ "draft", T_BOOL, F_REQ, .doc = "true: the draft was changed", .example = "false" }, __VA_ARGS__ { 0 } } }
#define REDIRECT_ID { "id", T_TEXT, F_REQ, .doc = "Id of the redirect", .example = EXAMPLE_INVITE },
DONE(SiteRedirectCreated, "created", REDIRECT_ID);
DONE(SiteRedirectUpdated, "updated", REDIRECT_ID);
DONE(SiteRedirectDeleted, "deleted",);
DONE(SiteRedirectPublished, "published", REDIRECT_ID);
DONE(SiteRedirectRefused, "error", { "error", T_TEXT, F_REQ, .doc = "Why the redirect was not changed", .example = "no section x" },);
static const struct shape RedirectDone = { "SiteRedirectDone", NULL, (const struct shape *const[]){
	&SiteRedirectCreated, &SiteRedirectUpdated, &SiteRedirectDeleted, &SiteRedirectPublished, &SiteRedirectRefused, NULL } };
const struct shape SiteRedirectsDone = { "SiteRedirectsDone", (const struct field[]){
	{ "results", T_LIST, F_REQ, .of = &RedirectDone, .doc = "One for each redirect of the body, in their order" },
	{ 0 } } };

#define COLS "id, source, destination, draft, capture, permanent, created_at, updated_at "
/* A search scans all redirects of the site; like_pattern() escapes the wildcards of LIKE. */
#define FOUND "site = :site AND draft = :draft AND (CAST(:search AS TEXT) IS NULL OR source_folded LIKE :search ESCAPE '\\') "
/* The page token consists of the source alone, which is unique within a site. */
SQL(q_list,
    "SELECT " COLS ", source AS k1 FROM site_redirect WHERE " FOUND "AND source > COALESCE(:k1, '') "
    "ORDER BY source LIMIT :limit");
/*
 * Sorted without an index: a site has few redirects, and clients rarely use this order. A redirect
 * that was never changed counts as changed when it was created.
 */
#define BY_TIME(name, time) SQL(name, \
    "SELECT " COLS ", " time " AS k1, id AS k2 FROM site_redirect WHERE " FOUND \
    "AND (" time ", id) < (COALESCE(CAST(:k1 AS INTEGER), 9223372036854775807), COALESCE(:k2, '')) " \
    "ORDER BY " time " DESC, id DESC LIMIT :limit /*scan*/")
BY_TIME(q_list_created, "created_at");
BY_TIME(q_list_updated, "COALESCE(updated_at, created_at)");
SQL(q_count, "SELECT count(*) FROM site_redirect WHERE " FOUND);
/* Finds only redirects of the site: the id of another site's redirect is not found (docs/design/security.md, "S1"). */
SQL(q_one, "SELECT " COLS "FROM site_redirect WHERE id = :id AND site = :site");
SQL(q_by_source, "SELECT id FROM site_redirect WHERE site = :site AND draft = :draft AND source = :source");
SQL(q_add,
    "INSERT INTO site_redirect (id, site, source, source_folded, destination, permanent, capture, draft, created_at) "
    "VALUES (:id, :site, :source, :folded, :destination, COALESCE(:permanent, 0), COALESCE(:capture, 0), COALESCE(:draft, 0), :now)");
/* COALESCE is enough: the shape allows no null in the body. */
SQL(q_edit,
    "UPDATE site_redirect SET source = COALESCE(:source, source), "
    "source_folded = COALESCE(:folded, source_folded), destination = COALESCE(:destination, destination), "
    "permanent = COALESCE(:permanent, permanent), capture = COALESCE(:capture, capture), "
    "draft = COALESCE(:draft, draft), updated_at = :now WHERE id = :id");
/*
 * If there is a live redirect, q_publish copies the draft's values to it; else q_promote makes the
 * draft live.
 */
SQL(q_publish,
    "UPDATE site_redirect SET (destination, permanent, capture) = (SELECT d.destination, d.permanent, d.capture "
    "FROM site_redirect d WHERE d.id = :draft), updated_at = :now WHERE id = :id");
SQL(q_promote, "UPDATE site_redirect SET draft = 0, updated_at = :now WHERE id = :draft");
SQL(q_delete, "DELETE FROM site_redirect WHERE id = :id");
/* The first site space that shows the space. */
SQL(q_shown_at,
    "SELECT x.id, s.branch FROM site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL "
    "WHERE x.site = :site AND x.space = :space ORDER BY x.ord, x.id LIMIT 1");
/* count and list are NULL: the list of redirects has filters, which site_list() does not support. */
static const struct site_own kind = { .name = "redirect", .words = "redirect", .remove = &q_delete };

/* Returns NULL if there is no such redirect, or if it is one of another site. */
static struct stmt *
find_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	return stmt_step(q) ? q : NULL;
}

/*
 * Returns the id of the page that has this path in the space now, also of one that is expanded from
 * a computed page; NULL: none.
 */
static const char *
find_page_id(struct req *r, const struct point *p, const char *path)
{
	const char *const *key;
	struct computed_page *c;
	struct node n;

	for (key = page_spellings(r->arena, path); *key != NULL; key++) {
		if ((c = computed_by_path(r->db, r->arena, p, *key)) != NULL)
			return c->page.node.id;
		if (page_by_path(r->db, r->arena, p, *key, &n) && n.kind != NODE_COMPUTED)
			return n.id;
	}
	return NULL;
}

/*
 * Returns the stored form of a destination given by path: the id of the page that has this path
 * now, and the site space that shows the space. NULL: there is no such page, or the caller may not
 * read it.
 */
static char *
find_destination_page(struct req *r, const char *space, const char *path)
{
	struct stmt *q = space_row(r, space);
	const char *site_space, *page;
	struct point p;

	/* Checked, since a user who manages a site need not have a role on its spaces. */
	if (q == NULL || col_int(q, col(q, "role")) < ROLE_READ)
		return NULL;
	q = db_use(r->db, &q_shown_at);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":space", space);
	if (!stmt_step(q))
		return NULL;
	site_space = col_dup(q, 0, r->arena);
	if (!point_head(r->db, r->arena, col_int(q, 1), &p) || (page = find_page_id(r, &p, path)) == NULL)
		return NULL;
	return arena_printf(r->arena, "{\"kind\":\"site-page\",\"siteSpaceId\":\"%s\",\"pageId\":\"%s\"}", site_space, page);
}

/*
 * Checks that the destination belongs to this site. A page given by its id need not exist yet; one
 * given by its path must. Returns NULL and sets *json to the text to store (NULL: no destination
 * was sent); else returns the message for a 404.
 */
static const char *
read_destination(struct req *r, const cJSON *to, const char **json)
{
	const char *space = json_text_of(to, "siteSpaceId"), *section = json_text_of(to, "siteSectionId"), *path = json_text_of(to, "path");
	struct site_item it;

	*json = to == NULL || cJSON_IsNull(to) ? NULL : cJSON_PrintUnformatted(to);
	if (path != NULL)
		return (*json = find_destination_page(r, json_text_of(to, "spaceId"), path)) != NULL ? NULL :
		    arena_printf(r->arena, "no page at \"%s\" in a space %s of the site", path, json_text_of(to, "spaceId"));
	if (space != NULL && !site_item_get(r, SITE_SPACE, space, &it))
		return arena_printf(r->arena, "no site space %s", space);
	return section == NULL || site_item_get(r, SITE_SECTION, section, &it) ? NULL :
	    arena_printf(r->arena, "no section %s", section);
}

/* Absent flags are bound as NULL: then an edited row keeps its value, and a new row gets false. */
static void
bind_switches(struct stmt *q, const cJSON *one)
{
	static const char *const names[][2] = { { "permanent", ":permanent" }, { "captureWildcard", ":capture" } };
	size_t i;

	for (i = 0; i < 2; i++) {
		const cJSON *v = cJSON_GetObjectItemCaseSensitive(one, names[i][0]);
		if (v == NULL)
			bind_null(q, names[i][1]);
		else
			bind_int(q, names[i][1], cJSON_IsTrue(v));
	}
}

/* Sets *json to the body's destination in its stored form; NULL: the body has none. 0 or fail(). */
static int
destination_or_fail(struct req *r, const char **json)
{
	const char *why = read_destination(r, body_get(r, "destination"), json);

	return why == NULL ? 0 : fail(r, E_NOT_FOUND, "%s", why);
}

/* Returns the id of the draft or of the live redirect of a source; NULL if there is none. */
static const char *
find_by_source(struct req *r, bool draft, const char *source)
{
	struct stmt *q = db_use(r->db, &q_by_source);

	bind_text(q, ":site", r->site.id);
	bind_int(q, ":draft", draft);
	bind_text(q, ":source", source);
	return stmt_step(q) ? col_dup(q, 0, r->arena) : NULL;
}

/*
 * Refuses a source that another redirect of the site has. Without this check the UNIQUE constraint
 * would fail without a clear message. id: the redirect that is edited; NULL: a new one. 0 or
 * fail().
 */
static int
source_or_fail(struct req *r, bool draft, const char *source, const char *id)
{
	const char *other = find_by_source(r, draft, source);

	return other == NULL || same_text(other, id) ? 0 :
	    fail(r, E_CONFLICT, "there is a %s from %s already", draft ? "draft" : "redirect", source);
}

/* GET /orgs/{organizationId}/sites/{siteId}/redirects */
HANDLER(listSiteRedirects)
{
	const char *order = query_text(r, "orderBy");
	bool by_time = order != NULL && strcmp(order, "source") != 0;
	const struct sql *both[] = { &q_count, !by_time ? &q_list :
	    strcmp(order, "createdAt") == 0 ? &q_list_created : &q_list_updated };
	struct stmt *q = NULL;
	struct list l;
	int64_t count = 0;
	int i;

	if (list_open(r, &l, by_time ? 2 : 1) != 0)
		return -1;
	/* The statements of count and list have the same filters; list_reply() steps the second. */
	for (i = 0; i < 2; i++) {
		q = db_use(r->db, both[i]);
		bind_text(q, ":site", r->site.id);
		bind_int(q, ":draft", query_bool(r, "draft", false));
		bind_text(q, ":search", like_pattern(r->arena, query_text(r, "search")));
		if (i == 0)
			count = stmt_int(q, 0);
	}
	list_bind(q, &l);
	return list_reply(r, &l, q, &SiteRedirect, count);
}

/* Adds or edits a redirect. json NULL: the destination is not changed. */
static void
write_row(struct req *r, const struct sql *sql, const char *id, const char *source, const char *json, const cJSON *one)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	bind_text(q, ":source", source);
	bind_folded(q, ":folded", r->arena, source);
	bind_text(q, ":destination", json);
	bind_switches(q, one);
	bind_int(q, ":now", time_now());
	if (sql == &q_add)
		bind_text(q, ":site", r->site.id);
	bind_null(q, ":draft");
	if (cJSON_HasObjectItem(one, "draft"))
		bind_int(q, ":draft", cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(one, "draft")));
	stmt_run(q);
}

/* POST /orgs/{organizationId}/sites/{siteId}/redirects */
HANDLER(createSiteRedirect)
{
	const char *id = secret_id(r->arena), *source = body_text(r, "source"), *json;

	if (source_or_fail(r, cJSON_IsTrue(body_get(r, "draft")), source, NULL) != 0 || destination_or_fail(r, &json) != 0)
		return -1;
	write_row(r, &q_add, id, source, json, r->body);
	site_changed(r, arena_printf(r->arena, "{\"redirect\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/redirects/%s", r->org.id, r->site.id, id));
	return reply_current(r, find_row(r, id), &SiteRedirect);
}

/* ---- many at once ---- */

/* Result for one redirect of the body. */
struct put_result {
	const char *source, *id;
	const char *status;
	const char *why;        /* the error; NULL: done */
	bool        draft;      /* concerns the draft */
	bool        changed;
};

/* Publishes the draft of a source. A live redirect keeps its id. */
static void
publish_draft(struct req *r, struct put_result *p)
{
	const char *draft = find_by_source(r, true, p->source), *live = find_by_source(r, false, p->source);
	struct stmt *q;

	p->status = "published";
	if (draft == NULL) {
		p->why = arena_printf(r->arena, "there is no draft from %s", p->source);
		return;
	}
	q = db_use(r->db, live != NULL ? &q_publish : &q_promote);
	bind_text(q, ":draft", draft);
	bind_int(q, ":now", time_now());
	if (live != NULL)
		bind_text(q, ":id", live);
	stmt_run(q);
	if (live != NULL) {
		q = db_use(r->db, &q_delete);
		bind_text(q, ":id", draft);
		stmt_run(q);
	}
	p->id = live != NULL ? live : draft;
	p->changed = true;
}

/*
 * Adds, edits or deletes one redirect. `draft: true` in the body means the same as the intent
 * "draft".
 */
static void
put_one(struct req *r, const cJSON *one, struct put_result *p)
{
	const cJSON *to = cJSON_GetObjectItemCaseSensitive(one, "destination");
	const char *there = find_by_source(r, p->draft, p->source), *json;
	cJSON *copy = cJSON_Duplicate(one, true);
	bool gone = cJSON_IsNull(to);
	struct stmt *q;

	p->status = gone ? "deleted" : there != NULL ? "updated" : "created";
	if ((p->why = read_destination(r, to, &json)) != NULL)
		return;
	p->changed = there != NULL || !gone;
	/* Deleting a redirect that does not exist succeeds, as in DELETE. */
	if (gone && there != NULL) {
		q = db_use(r->db, &q_delete);
		bind_text(q, ":id", there);
		stmt_run(q);
	}
	if (gone)
		return;
	p->id = there != NULL ? there : secret_id(r->arena);
	cJSON_DeleteItemFromObjectCaseSensitive(copy, "draft");
	cJSON_AddBoolToObject(copy, "draft", p->draft);
	write_row(r, there != NULL ? &q_edit : &q_add, p->id, p->source, json, copy);
}

/* Handles one redirect of the body and writes its result. True if anything was changed. */
static bool
apply_one(struct req *r, const cJSON *one)
{
	const char *intent = json_text_of(one, "intent");
	bool publish = same_text(intent, "publish");
	struct put_result p = { .source = json_text_of(one, "source"),
		.draft = !publish && (same_text(intent, "draft") ||
		cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(one, "draft"))) };

	if (publish)
		publish_draft(r, &p);
	else
		put_one(r, one, &p);
	json_obj(&r->json);
	json_kstr(&r->json, "status", p.why != NULL ? "error" : p.status);
	json_kstr(&r->json, "source", p.source);
	json_kbool(&r->json, "draft", p.draft);
	if (p.why != NULL)
		json_kstr(&r->json, "error", p.why);
	else if (p.id != NULL)
		json_kstr(&r->json, "id", p.id);
	json_end(&r->json);
	return p.changed;
}

/*
 * Checks, before any change, that each redirect has a destination, and that those with intent
 * "publish" have none. 0 or fail().
 */
static int
destinations_or_fail(struct req *r)
{
	const cJSON *one;
	int i = 0;

	cJSON_ArrayForEach(one, body_get(r, "redirects")) {
		if (same_text(json_text_of(one, "intent"), "publish") == cJSON_HasObjectItem(one, "destination"))
			return fail_field(r, arena_printf(r->arena, "/redirects/%d/destination", i),
			    cJSON_HasObjectItem(one, "destination") ? "is not for the intent publish" : "is required");
		i++;
	}
	return 0;
}

/*
 * PUT /orgs/{organizationId}/sites/{siteId}/redirects: applies the items in their order, so that
 * the last one of several with the same source is effective.
 */
HANDLER(bulkUpsertSiteRedirects)
{
	const cJSON *one;
	int changed = 0;

	if (destinations_or_fail(r) != 0)
		return -1;
	json_obj(&r->json);
	json_karr(&r->json, "results");
	cJSON_ArrayForEach(one, body_get(r, "redirects"))
		changed += apply_one(r, one);
	json_end(&r->json);
	json_end(&r->json);
	if (changed > 0)
		site_changed(r, arena_printf(r->arena, "{\"redirects\":%d}", changed));
	return 0;
}

/*
 * PATCH /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}: `draft: false` publishes
 * a draft.
 */
HANDLER(updateSiteRedirectById)
{
	const char *id = path_id(r, "siteRedirectId"), *source, *json;
	struct stmt *q = find_row(r, id);
	bool draft;

	if (q == NULL)
		return fail(r, E_NOT_FOUND, "no redirect %s", id);
	draft = body_has(r, "draft") ? cJSON_IsTrue(body_get(r, "draft")) : col_int(q, col(q, "draft")) != 0;
	source = body_has(r, "source") ? body_text(r, "source") : col_dup(q, col(q, "source"), r->arena);
	if (source_or_fail(r, draft, source, id) != 0 || destination_or_fail(r, &json) != 0)
		return -1;
	write_row(r, &q_edit, id, source, json, r->body);
	site_changed(r, arena_printf(r->arena, "{\"redirect\":\"%s\"}", id));
	return reply_current(r, find_row(r, id), &SiteRedirect);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId} */
HANDLER(deleteSiteRedirectById)
{
	const char *id = path_id(r, "siteRedirectId");

	return site_drop(r, &kind, id, find_row(r, id) != NULL);
}

/*
 * GET /orgs/{organizationId}/sites/{siteId}/redirect: renderers call it when an address has no
 * page.
 */
HANDLER(getSiteRedirectBySource)
{
	const char *source = query_text(r, "source");
	struct visit_redirect to;
	struct stmt *q;
	bool found;

	/* Checked first: a caller who may not see the site must not learn which old addresses exist. */
	if (visit_or_fail(r, query_text(r, "shareKey")) != 0)
		return -1;
	/*
	 * visit_redirect() decides whether this visitor may see the destination; the row is read
	 * only to write the answer.
	 */
	found = visit_redirect(r->visit, source, VISIT_EXACT, &to) || visit_redirect(r->visit, source, VISIT_WILDCARD, &to);
	q = found ? find_row(r, to.id) : NULL;
	/*
	 * The renderer expects 404 if there is none, and answers 500 to other errors
	 * (docs/design/renderer.md, "Tolerated statuses").
	 */
	if (q == NULL)
		return fail(r, E_NOT_FOUND, "no redirect from %s", source);
	json_obj(&r->json);
	json_key(&r->json, "redirect");
	shape_row(&r->json, &SiteRedirect, r, q);
	json_kstr(&r->json, "target", to.target);
	json_end(&r->json);
	return 0;
}
