/* Redirects of a site: old addresses and where they lead. Table site_redirect. A page at the address wins. */
#include <cjson/cJSON.h>

#include "base/secret.h"
#include "site.h"

/*
 * A variant of the destination: `kind` chooses it, and each is closed, so that no member of
 * another variant is kept.
 */
#define TO(name_, kind_, ...) \
	static const struct shape name_ = { #name_, (const struct field[]){ \
		{ "kind", T_CONST, F_REQ, .set = kind_, .doc = "What it leads to" }, __VA_ARGS__ { 0 } } }
#define SITE_SPACE_ID \
	{ "siteSpaceId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the site space", .example = EXAMPLE_SITE_SPACE }
TO(SiteRedirectToSection, "site-section",
    { "siteSectionId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the section", .example = EXAMPLE_SECTION },);
TO(SiteRedirectToSpace, "site-space", SITE_SPACE_ID,);
/* A page is unique within its space only, hence the site space as well. */
TO(SiteRedirectToPage, "site-page", SITE_SPACE_ID,
    { "pageId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the page", .example = EXAMPLE_PAGE },);
TO(SiteRedirectToURL, "external",
    { "url", T_URI, F_REQ, .max = 2048, .doc = "Address", .example = "https://example.org/" },);
static const struct shape Destination = { "SiteRedirectDestination", NULL, (const struct shape *const[]){
	&SiteRedirectToSection, &SiteRedirectToSpace, &SiteRedirectToPage, &SiteRedirectToURL, NULL } };

/*
 * No query, no slash at the end, no empty segment: visit_redirect() compares the text as it
 * stands in the address, so each address has one spelling here. A star stands at the end alone.
 */
#define SEGMENTS "/([A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+(/([A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+)*"
#define PATH .max = 512, .example = "/old/page", .pattern = "^" SEGMENTS "$", \
	.want = "a path below the address of the site, such as /old/page"
#define SOURCE .max = 512, .example = "/old/page", .pattern = "^" SEGMENTS "(/?[*])?$", \
	.want = "a path below the address of the site, such as /old/page, /old/* or /old*"
/* As clients send them; what they leave out is false. */
#define SWITCHES \
	{ "permanent", T_BOOL, .doc = "Browsers may keep it (308), where the site is public" }, \
	{ "captureWildcard", T_BOOL, .doc = "What * stands for in the source is put behind the destination" }, \
	{ "draft", T_BOOL, .doc = "false: there are no drafts here", .example = "false" }
#define DESTINATION .of = &Destination, .doc = "Where it leads"

const struct shape SiteRedirect = { "SiteRedirect", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-redirect", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_INVITE },
	{ "source", T_TEXT, F_REQ, .doc = "Path below the address of the site", .example = "/old/page" },
	{ "destination", T_OBJECT, F_REQ, DESTINATION },
	{ "draft", T_BOOL, F_REQ, .doc = "Always false", .example = "false" },
	{ "captureWildcard", T_BOOL, F_REQ, .col = "capture", .doc = "What * stands for is put behind the destination", .example = "false" },
	{ "permanent", T_BOOL, F_REQ, .doc = "Browsers may keep it (308), where the site is public", .example = "false" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was made" },
	{ "updatedAt", T_TIME, .col = "updated_at", .doc = "When it was last changed; absent: never" },
	{ 0 } } };
LIST_SHAPE(SiteRedirectList, SiteRedirect);
const struct shape SiteRedirectCreate = { "CreateSiteRedirect", (const struct field[]){
	{ "source", T_TEXT, F_REQ, SOURCE, .doc = "Path below the address of the site" },
	{ "destination", T_OBJECT, F_REQ, DESTINATION },
	SWITCHES,
	{ 0 } } };
const struct shape SiteRedirectEdit = { "UpdateSiteRedirect", (const struct field[]){
	{ "source", T_TEXT, SOURCE, .doc = "Path below the address of the site" },
	{ "destination", T_OBJECT, DESTINATION },
	SWITCHES,
	{ 0 } } };
const struct shape SiteRedirectsQuery = { "SiteRedirectsQuery", (const struct field[]){
	PAGING,
	{ "search", T_TEXT, .max = 256, .doc = "Part of the source", .example = "old" },
	{ 0 } } };
const struct shape SiteRedirectQuery = { "SiteRedirectQuery", (const struct field[]){
	{ "source", T_TEXT, F_REQ, PATH, .doc = "Path below the address of the site" },
	SHARE_KEY,
	{ 0 } } };
const struct shape SiteRedirectFound = { "SiteRedirectBySource", (const struct field[]){
	{ "redirect", T_OBJECT, F_REQ, .of = &SiteRedirect, .doc = "The redirect" },
	{ "target", T_TEXT, F_REQ, .doc = "The address that it leads to",
	  .example = "https://docs.example.com/sites/acme/handbook/first-steps" },
	{ 0 } } };

/* As the published client has them since 0.167: drafts, which it has there, are refused. */
static const struct shape RedirectPut = { "PutSiteRedirect", (const struct field[]){
	{ "source", T_TEXT, F_REQ, SOURCE, .doc = "Path below the address of the site" },
	{ "destination", T_OBJECT, F_REQ | F_NULL, .of = &Destination, .doc = "Where it leads; null: the redirect is deleted" },
	{ "intent", T_ENUM, .set = "live", .preset = "\"live\"", .doc = "live: it counts at once" },
	SWITCHES,
	{ 0 } } };
const struct shape SiteRedirectsPut = { "PutSiteRedirects", (const struct field[]){
	{ "redirects", T_LIST, F_REQ, .of = &RedirectPut, .min = 1, .max = 500, .doc = "Redirects" },
	{ 0 } } };
#define DONE(name_, status_, ...) \
	static const struct shape name_ = { #name_, (const struct field[]){ \
		{ "status", T_CONST, F_REQ, .set = status_, .doc = "What was done" }, \
		{ "source", T_TEXT, F_REQ, .doc = "Path below the address of the site", .example = "/old/page" }, \
		{ "draft", T_BOOL, F_REQ, .doc = "Always false", .example = "false" }, __VA_ARGS__ { 0 } } }
#define REDIRECT_ID { "id", T_TEXT, F_REQ, .doc = "Id of the redirect", .example = EXAMPLE_INVITE },
DONE(SiteRedirectCreated, "created", REDIRECT_ID);
DONE(SiteRedirectUpdated, "updated", REDIRECT_ID);
DONE(SiteRedirectDeleted, "deleted",);
DONE(SiteRedirectRefused, "error", { "error", T_TEXT, F_REQ, .doc = "Why nothing was done", .example = "no section x" },);
static const struct shape RedirectDone = { "SiteRedirectDone", NULL, (const struct shape *const[]){
	&SiteRedirectCreated, &SiteRedirectUpdated, &SiteRedirectDeleted, &SiteRedirectRefused, NULL } };
const struct shape SiteRedirectsDone = { "SiteRedirectsDone", (const struct field[]){
	{ "results", T_LIST, F_REQ, .of = &RedirectDone, .doc = "One for each redirect of the body, in their order" },
	{ 0 } } };

#define COLS "id, source, destination, 0 AS draft, capture, permanent, created_at, updated_at "
/* A search reads all redirects of the site; like_pattern() escapes what LIKE takes for wildcards. */
#define FOUND "site = :site AND (CAST(:search AS TEXT) IS NULL OR octavo_fold(source) LIKE :search ESCAPE '\\') "
/* The source alone is the key of a page token: it is unique within a site. */
SQL(q_list,
    "SELECT " COLS ", source AS k1 FROM site_redirect WHERE " FOUND "AND source > COALESCE(:k1, '') "
    "ORDER BY source LIMIT :limit");
SQL(q_count, "SELECT count(*) FROM site_redirect WHERE " FOUND);
/* The site is part of the key: an id of another site's redirect is 404 (security.md, S1). */
SQL(q_one, "SELECT " COLS "FROM site_redirect WHERE id = :id AND site = :site");
SQL(q_by_source, "SELECT " COLS "FROM site_redirect WHERE site = :site AND source = :source");
/* Asked before UNIQUE (site, source) would fail, for a 409 with the source in its message. */
SQL(q_taken, "SELECT 1 FROM site_redirect WHERE site = :site AND source = :source AND id <> :id");
SQL(q_add,
    "INSERT INTO site_redirect (id, site, source, destination, permanent, capture, created_at) "
    "VALUES (:id, :site, :source, :destination, COALESCE(:permanent, 0), COALESCE(:capture, 0), :now)");
/* COALESCE is enough: no member may be null in the body. */
SQL(q_edit,
    "UPDATE site_redirect SET source = COALESCE(:source, source), destination = COALESCE(:destination, destination), "
    "permanent = COALESCE(:permanent, permanent), capture = COALESCE(:capture, capture), updated_at = :now WHERE id = :id");
SQL(q_delete, "DELETE FROM site_redirect WHERE id = :id");
/* Their list has filters of its own. */
static const struct site_own kind = { .name = "redirect", .words = "redirect", .remove = &q_delete };

/* NULL where it is another site's, too. */
static struct stmt *
row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	return stmt_step(q) ? q : NULL;
}

/* NULL for variants of the destination that lack it, and where there is no destination. */
static const char *
member(const cJSON *v, const char *name)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(v, name);

	return cJSON_IsString(m) ? m->valuestring : NULL;
}

/* What it names is of this site; a page may come later. NULL, or what is wrong, in the words of a 404. */
static const char *
unknown(struct req *r, const cJSON *to)
{
	const char *space = member(to, "siteSpaceId"), *section = member(to, "siteSectionId");
	struct site_item it;

	if (space != NULL && !site_item_get(r, SITE_SPACE, space, &it))
		return arena_printf(r->arena, "no site space %s", space);
	return section == NULL || site_item_get(r, SITE_SECTION, section, &it) ? NULL :
	    arena_printf(r->arena, "no section %s", section);
}

/* NULL where one leaves it to the other of the two: the row, or false. */
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

/* Of the body. 0 or fail(). */
static int
destination_or_fail(struct req *r)
{
	const char *why = unknown(r, body_get(r, "destination"));

	if (cJSON_IsTrue(body_get(r, "draft")))
		return fail_field(r, "/draft", "must be false: a redirect counts as soon as it is there");
	return why == NULL ? 0 : fail(r, E_NOT_FOUND, "%s", why);
}

/* id: the redirect that may have this source itself. source NULL finds none. */
static int
source_or_fail(struct req *r, const char *source, const char *id)
{
	struct stmt *q = db_use(r->db, &q_taken);

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":source", source);
	bind_text(q, ":id", id);
	return stmt_int(q, 0) == 0 ? 0 : fail(r, E_CONFLICT, "there is a redirect from %s already", source);
}

/* GET /orgs/{organizationId}/sites/{siteId}/redirects: by their source. */
int
listSiteRedirects(struct req *r)
{
	/*
	 * Both take the same filters, so one loop binds both; the second is left for
	 * list_reply() to step.
	 */
	static const struct sql *const both[] = { &q_count, &q_list };
	struct stmt *q = NULL;
	struct list l;
	int64_t count = 0;
	int i;

	if (list_open(r, &l, 1) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		q = db_use(r->db, both[i]);
		bind_text(q, ":site", r->site.id);
		bind_text(q, ":search", like_pattern(r->arena, query_text(r, "search")));
		if (i == 0)
			count = stmt_int(q, 0);
	}
	list_bind(q, &l);
	return list_reply(r, &l, q, &SiteRedirect, count);
}

/* POST /orgs/{organizationId}/sites/{siteId}/redirects */
int
createSiteRedirect(struct req *r)
{
	const char *id = secret_id(r->arena);
	struct stmt *q;

	if (source_or_fail(r, body_text(r, "source"), id) != 0 || destination_or_fail(r) != 0)
		return -1;
	q = db_use(r->db, &q_add);
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":source", body_text(r, "source"));
	bind_text(q, ":destination", body_json(r, "destination"));
	bind_switches(q, r->body);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"redirect\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/redirects/%s", r->org.id, r->site.id, id));
	return reply_current(r, row(r, id), &SiteRedirect);
}

/* Stored as it was sent, as updateSiteRedirectById() does. */
static void
put(struct req *r, const struct sql *sql, const char *id, const char *source, const cJSON *one)
{
	const cJSON *to = cJSON_GetObjectItemCaseSensitive(one, "destination");
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	if (sql != &q_delete) {
		bind_text(q, ":source", source);
		bind_text(q, ":destination", cJSON_PrintUnformatted(to));
		bind_switches(q, one);
		bind_int(q, ":now", time_now());
	}
	if (sql == &q_add)
		bind_text(q, ":site", r->site.id);
	stmt_run(q);
}

/* One redirect of the body. True: something was changed. */
static bool
put_one(struct req *r, const cJSON *one)
{
	const cJSON *to = cJSON_GetObjectItemCaseSensitive(one, "destination");
	const char *source = member(one, "source"), *id = NULL;
	const char *why = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(one, "draft")) ? "there are no drafts here" : unknown(r, to);
	struct stmt *q = db_use(r->db, &q_by_source);
	bool gone = cJSON_IsNull(to), there;

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":source", source);
	if ((there = stmt_step(q)))
		id = col_dup(q, 0, r->arena);
	id = there ? id : secret_id(r->arena);
	/* What is not there needs no deleting, as in DELETE. */
	if (why == NULL && (there || !gone))
		put(r, gone ? &q_delete : there ? &q_edit : &q_add, id, source, one);
	json_obj(&r->json);
	json_kstr(&r->json, "status", why != NULL ? "error" : gone ? "deleted" : there ? "updated" : "created");
	json_kstr(&r->json, "source", source);
	json_kbool(&r->json, "draft", false);
	if (why != NULL)
		json_kstr(&r->json, "error", why);
	else if (!gone)
		json_kstr(&r->json, "id", id);
	json_end(&r->json);
	return why == NULL && (there || !gone);
}

/* PUT /orgs/{organizationId}/sites/{siteId}/redirects: in their order, so that the last one of a source counts. */
int
bulkUpsertSiteRedirects(struct req *r)
{
	const cJSON *one;
	int changed = 0;

	json_obj(&r->json);
	json_karr(&r->json, "results");
	cJSON_ArrayForEach(one, body_get(r, "redirects"))
		changed += put_one(r, one);
	json_end(&r->json);
	json_end(&r->json);
	if (changed > 0)
		site_changed(r, arena_printf(r->arena, "{\"redirects\":%d}", changed));
	return 0;
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId} */
int
updateSiteRedirectById(struct req *r)
{
	const char *id = path_id(r, "siteRedirectId");
	struct stmt *q;

	if (row(r, id) == NULL)
		return fail(r, E_NOT_FOUND, "no redirect %s", id);
	if (source_or_fail(r, body_text(r, "source"), id) != 0 || destination_or_fail(r) != 0)
		return -1;
	q = db_use(r->db, &q_edit);
	bind_text(q, ":source", body_text(r, "source"));
	/*
	 * Stored as it was sent: its members are those of the answer, and what it leads to is
	 * looked up when it is followed.
	 */
	bind_text(q, ":destination", body_has(r, "destination") ? body_json(r, "destination") : NULL);
	bind_switches(q, r->body);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"redirect\":\"%s\"}", id));
	return reply_current(r, row(r, id), &SiteRedirect);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId} */
int
deleteSiteRedirectById(struct req *r)
{
	const char *id = path_id(r, "siteRedirectId");

	return site_drop(r, &kind, id, row(r, id) != NULL);
}

/* GET /orgs/{organizationId}/sites/{siteId}/redirect: what a renderer asks where no page is. */
int
getSiteRedirectBySource(struct req *r)
{
	const char *source = query_text(r, "source");
	struct visit_redirect to;
	struct stmt *q;
	bool found;

	/*
	 * Before anything is looked up: who may not see the site is not told which of its old
	 * addresses lead on.
	 */
	if (visit_or_fail(r, query_text(r, "shareKey")) != 0)
		return -1;
	/*
	 * Decides whether this visitor may know where it leads; the row below is only for the
	 * answer's form.
	 */
	found = visit_redirect(r->visit, source, false, &to) || visit_redirect(r->visit, source, true, &to);
	q = found ? row(r, to.id) : NULL;
	/*
	 * The renderer expects 404 where there is none, and answers 500 to other errors
	 * (renderer.md, status tolerance).
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
