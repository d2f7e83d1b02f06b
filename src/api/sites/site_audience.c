/*
 * Access to a site: share links, the key that signs visitors' claims, and previews. Tables
 * site_share_link and site (columns visitor_*). Revoking takes effect with the next request, since
 * nothing is cached.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/request_row.h"
#include "api/site_addresses.h"
#include "api/site_audience.h"
#include "app/roles.h"
#include "audience/visit.h"
#include "base/exact.h"
#include "base/scan.h"
#include "base/secret.h"
#include "base/url.h"
#include "http/req.h"
#include "rison.h"
#include "site.h"

/*
 * A preview lasts one hour: long enough to look around, short enough for an address that remains in
 * the history of a browser.
 */
enum { PREVIEW_S = 3600, KEY_BYTES = 32 };

/* ---- share links ---- */

/*
 * Each answer contains the key, so that users who manage the site can pass it on. The database
 * contains the sealed key, and the hash by which it is found, so that a copy of the database
 * without octavo.key gives access to no site.
 */

static void
emit_published(struct json *j, const struct field *f, const struct row *w)
{
	const char *at = site_address(w);
	struct str key;

	/*
	 * If octavo.key was replaced, the link still opens the site, but its key can no longer be
	 * shown.
	 */
	if (at != NULL && secret_unseal(w->r->arena, SECRET_LINK, col_bytes(w->q, col(w->q, "sealed")), &key))
		json_kstr(j, f->name, arena_printf(w->r->arena, "%s%.*s/", at, (int)key.n, key.p));
}

static const struct shape ShareLinkUrls = { "ShareLinkUrls", (const struct field[]){
	{ "published", T_TEXT, .emit = emit_published, .doc = "Address to share; absent: the site is not published, or the key of the "
	  "installation was lost after the link was created", .example = "https://docs.example.com/sites/acme/handbook/Zx3kQ9/" },
	{ 0 } } };

const struct shape ShareLink = { "ShareLink", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "share-link", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_INVITE },
	{ "name", T_TEXT, F_REQ, .doc = "Name that people who manage the site see", .example = "For partners" },
	{ "active", T_BOOL, F_REQ, .doc = "true: the link opens the site" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "urls", T_OBJECT, F_REQ, .of = &ShareLinkUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(ShareLinkList, ShareLink);
const struct shape ShareLinkCreate = { "CreateShareLink", (const struct field[]){
	{ "name", T_TEXT, F_REQ, .max = 50, .doc = "Name", .example = "For partners" },
	{ 0 } } };
const struct shape ShareLinkEdit = { "UpdateShareLink", (const struct field[]){
	{ "name", T_TEXT, .max = 50, .doc = "Name", .example = "For partners" },
	{ "active", T_BOOL, .doc = "false: the link no longer opens the site" },
	{ 0 } } };

#define LINK_COLS "l.id, l.name, l.sealed, l.active, l.created_at, " SITE_ADDRESS_COLS
#define LINK_FROM "site_share_link l JOIN site t ON t.id = l.site JOIN org o ON o.id = t.org "
/*
 * Newest first, in the order of the index site_share_link_list. Without a cursor the time is
 * compared with 2^53 - 1, which is later than every time, so that the id "z" does not matter.
 */
SQL(q_links,
    "SELECT " LINK_COLS ", l.created_at AS k1, l.id AS k2 FROM " LINK_FROM "WHERE l.site = :site "
    "AND (l.created_at, l.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, 'z')) "
    "ORDER BY l.created_at DESC, l.id DESC LIMIT :limit");
SQL(q_links_count, "SELECT count(*) FROM site_share_link WHERE site = :site");
/* Finds only links of the site: the id of another site's link is not found (docs/design/security.md, "S1"). */
SQL(q_link, "SELECT " LINK_COLS " FROM " LINK_FROM "WHERE l.id = :id AND l.site = :site");
SQL(q_add,
    "INSERT INTO site_share_link (id, site, name, secret, sealed, created_at) "
    "VALUES (:id, :site, :name, :hash, :sealed, :now)");
SQL(q_edit,
    "UPDATE site_share_link SET name = CASE WHEN :has_name = 1 THEN :name ELSE name END, "
    "active = CASE WHEN :has_active = 1 THEN :active ELSE active END WHERE id = :id");
SQL(q_delete, "DELETE FROM site_share_link WHERE id = :id");
static const struct site_own kind = { "shareLink", "share link", &q_links_count, &q_links, &q_delete };
/*
 * Returns a row if the key is one of an active link of this site. While the site has another
 * visibility than share-link, its keys give no access, and addresses must not contain one.
 */
SQL(q_opens,
    "SELECT 1 FROM site_share_link l JOIN site t ON t.id = l.site WHERE l.site = :site AND l.secret = :key "
    "AND l.active = 1 AND t.visibility = 'share-link' AND t.published_at IS NOT NULL");

static struct stmt *
find_link(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_link);

	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	return stmt_step(q) ? q : NULL;
}

/*
 * The caller may read the site without a key, so an invalid key is ignored, and the addresses in
 * the answer do not contain it.
 */
void
share_key_take(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_opens);

	r->share_key = query_text(r, "shareKey");
	if (r->share_key == NULL)
		return;
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":key", secret_hash_text(r->arena, r->share_key));
	if (stmt_int(q, 0) != 1)
		r->share_key = NULL;
}

/* GET /orgs/{organizationId}/sites/{siteId}/share-links */
HANDLER(listSiteShareLinks)
{
	return site_list(r, &kind, &ShareLink);
}

/* POST /orgs/{organizationId}/sites/{siteId}/share-links */
HANDLER(createSiteShareLink)
{
	const char *id = secret_id(r->arena), *key = secret_id(r->arena);
	struct stmt *q = db_use(r->db, &q_add);

	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":name", body_text(r, "name"));
	/* The key is not derived from the link's id, since that appears in addresses of this API and in logs. */
	bind_text(q, ":hash", secret_hash_text(r->arena, key));
	bind_blob(q, ":sealed", secret_seal(r->arena, SECRET_LINK, str_of(key)));
	bind_int(q, ":now", time_now());
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"shareLink\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/share-links/%s", r->org.id, r->site.id, id));
	return reply_current(r, find_link(r, id), &ShareLink);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId} */
HANDLER(updateSiteShareLinkById)
{
	const char *id = path_id(r, "shareLinkId");
	struct stmt *q;

	/* q_edit has only the id as its condition, so this checks that the link belongs to the site of the path. */
	if (find_link(r, id) == NULL)
		return fail(r, E_NOT_FOUND, "no share link %s", id);
	q = db_use(r->db, &q_edit);
	bind_body(q, r, "name");
	bind_body(q, r, "active");
	bind_text(q, ":id", id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"shareLink\":\"%s\"}", id));
	return reply_current(r, find_link(r, id), &ShareLink);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/share-links/{shareLinkId} */
HANDLER(deleteSiteShareLinkById)
{
	const char *id = path_id(r, "shareLinkId");

	return site_drop(r, &kind, id, find_link(r, id) != NULL);
}

/* ---- signed claims ---- */

const struct shape SiteAuth = { "SitePublishingAuth", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "publishing-auth", .doc = "Kind of object" },
	{ "backend", T_ENUM, F_REQ, .set = "custom,integration", .doc = "Who signs claims; with either value, anybody who has the key" },
	{ "privateKey", T_TEXT, F_REQ, .doc = "Key to sign claims with (JWT, HS256)", .example = "5f3c9a1e7b2d4068" },
	{ "fallbackURL", T_TEXT, .doc = "Address to which visitors without claims are redirected; absent: none",
	  .example = "https://example.com/login" },
	{ 0 } } };
const struct shape SiteAuthEdit = { "UpdateSitePublishingAuth", (const struct field[]){
	{ "backend", T_ENUM, .set = "custom,integration", .doc = "Who signs claims" },
	{ "fallbackURL", T_URI, F_NULL, .max = 2048, .doc = "Address to which visitors without claims are redirected; null: none",
	  .example = "https://example.com/login" },
	{ 0 } } };
SQL(q_auth, "SELECT visitor_key, visitor_backend, visitor_fallback FROM site WHERE id = :id");
SQL(q_key, "UPDATE site SET visitor_key = :key WHERE id = :id");
SQL(q_auth_edit,
    "UPDATE site SET visitor_backend = CASE WHEN :has_backend = 1 THEN :backend ELSE visitor_backend END, "
    "visitor_fallback = CASE WHEN :has_fallbackURL = 1 THEN :fallbackURL ELSE visitor_fallback END WHERE id = :id");

/*
 * Makes the key with which claims are signed. It is a text, since clients get it in JSON and use it
 * in that form. It is stored sealed, so that a copy of the database alone is not enough to sign
 * claims.
 */
static void
make_key(struct req *r)
{
	struct str id = str_of(arena_printf(r->arena, "%s%s", secret_id(r->arena), secret_id(r->arena)));
	struct stmt *q = db_use(r->db, &q_key);

	bind_blob(q, ":key", secret_seal(r->arena, SECRET_VISITOR, id));
	bind_text(q, ":id", r->site.id);
	stmt_run(q);
	site_changed(r, "{\"visitorKey\":\"new\"}");
}

/* Replies with the key, which is made when it is first requested. */
static int
reply_auth(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_auth);
	struct str key;

	bind_text(q, ":id", r->site.id);
	stmt_step(q);
	/*
	 * If octavo.key was replaced, the key cannot be unsealed, and claims signed with it cannot
	 * be verified. So a new key is made.
	 */
	if (col_null(q, 0) || !secret_unseal(r->arena, SECRET_VISITOR, col_bytes(q, 0), &key)) {
		if (!db_writing(r->db))
			return write_needed(r);
		make_key(r);
		return reply_auth(r);
	}
	json_obj(&r->json);
	json_kstr(&r->json, "object", "publishing-auth");
	json_kstr(&r->json, "backend", col_text(q, 1));
	json_kstrn(&r->json, "privateKey", key);
	if (!col_null(q, 2))
		json_kstr(&r->json, "fallbackURL", col_text(q, 2));
	json_end(&r->json);
	return 0;
}

/* GET /orgs/{organizationId}/sites/{siteId}/publishing/auth */
HANDLER(getSitePublishingAuthById)
{
	return reply_auth(r);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/publishing/auth */
HANDLER(updateSitePublishingAuthById)
{
	struct stmt *q = db_use(r->db, &q_auth_edit);

	bind_body(q, r, "backend");
	bind_body(q, r, "fallbackURL");
	bind_text(q, ":id", r->site.id);
	stmt_run(q);
	site_changed(r, "{\"visitorAuth\":\"changed\"}");
	return reply_auth(r);
}

/*
 * POST /orgs/{organizationId}/sites/{siteId}/publishing/auth/regenerate: claims signed with the
 * former key become void.
 */
HANDLER(regenerateSitePublishingAuthById)
{
	make_key(r);
	return reply_auth(r);
}

/* ---- previews ---- */

const struct shape PreviewQuery = { "SitePreviewQuery", (const struct field[]){
	{ "siteSpace", T_TEXT, .max = 100, .doc = "Id of a site space; absent: the default one", .example = EXAMPLE_SITE_SPACE },
	{ "claims", T_TEXT, .max = 8192, .doc = "Claims of the visitor, as Rison or JSON", .example = "(plan:pro)" },
	{ "draft", T_BOOL, .preset = "true", .doc = "true: drafts of the structure are also shown" },
	{ 0 } } };
const struct shape SitePreview = { "SitePublishingPreview", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .doc = "Address that shows the preview; it works for an hour",
	  .example = "https://docs.example.com/sites/acme/handbook/?jwt_token=eyJhbGciOi" },
	{ 0 } } };

/*
 * Reads the claims of a preview, as Rison or as JSON, which is checked as strictly as a body. NULL:
 * the text is neither.
 */
static cJSON *
read_claims(struct req *r, const char *text)
{
	bool large;

	if (*text != '{')
		return rison_read(r->arena, text);
	return json_scan(r->arena, str_of(text), &json_limits_body, &large) != NULL ? NULL : cJSON_Parse(text);
}

static void
claims_begin(struct req *r, const char *site, struct buf *b, struct json *j)
{
	buf_init(b, r->arena, 1 << 20);
	json_init(j, b);
	json_obj(j);
	json_kstr(j, "site", site);
	json_kint(j, "exp", time_now() / 1000 + PREVIEW_S);
}

/*
 * Returns the claims of the preview's token. Their member "claims" is what the caller sent; in it, a
 * member "unsigned" holds the claims that visitors may set without a signature.
 */
static struct str
preview_claims(struct req *r, const cJSON *claims)
{
	struct json j;
	struct buf b;

	claims_begin(r, r->site.id, &b, &j);
	json_kbool(&j, "drafts", query_bool(r, "draft", true));
	if (claims != NULL) {
		json_key(&j, "claims");
		json_raw(&j, str_of(cJSON_PrintUnformatted(claims)));
	}
	json_end(&j);
	return buf_view(&b);
}

/* GET /orgs/{organizationId}/sites/{siteId}/publishing/preview */
HANDLER(getSitePublishingPreviewById)
{
	const char *text = query_text(r, "claims"), *id = query_text(r, "siteSpace");
	cJSON *claims = text == NULL ? NULL : read_claims(r, text);
	struct visitor who = { .jwt = NULL };
	struct visit_item *it;
	struct visit v;

	if (text != NULL && !cJSON_IsObject(claims))
		return fail_field(r, "/claims", "is not an object in Rison or JSON");
	/*
	 * The token is not signed with the site's own key: holders of that key may sign in
	 * visitors, but must not get access to a site that is not published.
	 */
	who.jwt = secret_jwt(r->arena, SECRET_PREVIEW, preview_claims(r, claims));
	/*
	 * Opens the site as this visitor does, so that the answer never contains the address of a
	 * site space that these claims hide.
	 */
	if (visit_open_site(r->db, r->arena, r->set, r->site.id, &who, &v) != VISIT_PAGE)
		return fail(r, E_NOT_FOUND, "no site %s", r->site.id);
	it = id != NULL ? visit_item(&v, id) : NULL;
	if (id != NULL && (it == NULL || it->kind != VISIT_SPACE))
		return fail(r, E_NOT_FOUND, "no site space %s that these claims show", id);
	json_obj(&r->json);
	json_kstr(&r->json, "url", arena_printf(r->arena, "%s?jwt_token=%s",
	    it == NULL ? v.site.address : it->address, who.jwt));
	json_end(&r->json);
	return 0;
}

/* ---- previews with a change request ---- */

const struct shape RequestPreviewsQuery = { "ChangeRequestPreviewsQuery", (const struct field[]){
	PAGING,
	{ "pageId", T_TEXT, .max = 100, .doc = "Page that the addresses show; absent, or not shown there: the first one", .example = EXAMPLE_PAGE },
	{ 0 } } };

/*
 * The claims have no member "claims": the person could choose them, and read what a site shows only to
 * some visitors.
 */
static const char *
request_jwt(struct req *r, const char *site)
{
	struct json j;
	struct buf b;

	claims_begin(r, site, &b, &j);
	json_kstr(&j, "request", r->request.id);
	json_kstr(&j, "sub", r->who.user);
	if (r->who.session)
		json_kstr(&j, "by", r->who.only_org == NULL ? "session" : "provider");
	json_end(&j);
	return secret_jwt(r->arena, SECRET_PREVIEW, buf_view(&b));
}

/*
 * The address of the page that the query names (pageId). If the space shows no such page: the address
 * of the space. If the site hides the space: the address of the site.
 */
static const char *
preview_address(struct req *r, const struct visit *v)
{
	const struct visit_item *it = visit_space(v, r->space.id);
	const char *id = query_text(r, "pageId");
	struct computed_page *computed;
	struct page page;

	if (it != NULL && id != NULL && visit_page(v, it, id, &page, &computed))
		return visit_page_address(v, it, &page);
	return it != NULL ? it->address : v->site.address;
}

static void
emit_request_preview(struct json *j, const struct field *f, const struct row *w)
{
	struct visitor who = { .jwt = request_jwt(w->r, row_text(w, "id")), .requests = true };
	struct visit v;

	if (visit_open_site(w->r->db, w->r->arena, w->r->set, row_text(w, "id"), &who, &v) == VISIT_PAGE && v.request != NULL)
		json_kstr(j, f->name, arena_printf(w->r->arena, "%s?jwt_token=%s", preview_address(w->r, &v), who.jwt));
}

static const struct shape RequestPreview = { "ChangeRequestPreview", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ "title", T_TEXT, F_REQ, .doc = "Title of the site", .example = "Handbook" },
	{ "url", T_TEXT, F_REQ, .emit = emit_request_preview, .doc = "Address that shows the preview; it works for an hour",
	  .example = "https://docs.example.com/sites/acme/handbook/?jwt_token=eyJhbGciOi" },
	{ 0 } } };
LIST_SHAPE(RequestPreviewList, RequestPreview);

/* The sites that show the space, and that the caller may read. */
#define PREVIEWED \
	"FROM site t JOIN member m ON m.org = t.org AND m.account = :user " \
	"WHERE t.id IN (SELECT x.site FROM site_space x WHERE x.space = :space AND x.draft = 0) AND " MAY_READ_SITE(":user") " "
SQL(q_previewed,
    "SELECT t.id, t.title, t.id AS k1 " PREVIEWED "AND t.id > COALESCE(:k1, '') ORDER BY t.id LIMIT :limit");
SQL(q_previewed_count, "SELECT count(*) " PREVIEWED);

static void
bind_space_and_user(struct stmt *q, struct req *r)
{
	bind_text(q, ":space", r->space.id);
	bind_text(q, ":user", r->who.user);
}

/* Answers with a list of sites that concern the space of the path. 0 or fail(). */
static int
list_sites_of_space(struct req *r, const struct sql *page, const struct sql *counted, const struct shape *shape)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 1) != 0)
		return -1;
	q = db_use(r->db, counted);
	bind_space_and_user(q, r);
	count = stmt_int(q, 0);
	q = db_use(r->db, page);
	bind_space_and_user(q, r);
	list_bind(q, &l);
	return list_reply(r, &l, q, shape, count);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/previews */
HANDLER(listChangeRequestPreviews)
{
	if (request_open_or_fail(r) != 0)
		return -1;
	return list_sites_of_space(r, &q_previewed, &q_previewed_count, &RequestPreview);
}

/* ---- where a space is published ---- */

static void
emit_space_address(struct json *j, const struct field *f, const struct row *w)
{
	json_kstr(j, f->name, site_space_address(w));
}

static const struct shape SpaceSite = { "SpaceSite", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .col = "site", .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ "title", T_TEXT, F_REQ, .col = "site_title", .doc = "Title of the site", .example = "Handbook" },
	{ "url", T_TEXT, F_REQ, .emit = emit_space_address, .doc = "Address of the space on the site",
	  .example = "https://docs.example.com/sites/acme/handbook/" },
	{ 0 } } };
LIST_SHAPE(SpaceSiteList, SpaceSite);

/*
 * Once for each place of a site that shows the space: those that some visitors do not see are left out, and so are sites
 * with visibility share-link, whose addresses answer only with a key.
 */
#define PUBLISHED \
	"FROM " SITE_SPACE_FROM "JOIN member m ON m.org = t.org AND m.account = :user " \
	"WHERE x.space = :space AND x.shown > 0 AND t.visibility <> 'share-link' AND x.condition IS NULL AND sc.condition IS NULL " \
	"AND " MAY_READ_SITE(":user") " "
SQL(q_published,
    "SELECT " SITE_SPACE_COLS ", t.title AS site_title, x.id AS k1 " PUBLISHED
    "AND x.id > COALESCE(:k1, '') ORDER BY x.id LIMIT :limit /*scan*/");
SQL(q_published_count, "SELECT count(*) " PUBLISHED "/*scan*/");

/* GET /spaces/{spaceId}/sites */
HANDLER(listSitesOfSpace)
{
	return list_sites_of_space(r, &q_published, &q_published_count, &SpaceSite);
}
