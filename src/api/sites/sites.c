/*
 * Sites: settings, publishing, addresses. Table site. Users with the role create in the
 * organization see and manage its sites, unless grants or the level of a site give them another
 * role (app/roles.h). For members without a role on it, a site is not found.
 *
 * A published site is at OCTAVO_URL/sites/ORGANIZATION/BASENAME/, where ORGANIZATION is the
 * organization's hostname or id.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/refusals.h"
#include "api/site_addresses.h"
#include "api/sites.h"
#include "api/styleguides.h"
#include "app/audit.h"
#include "app/roles.h"
#include "audience/address_holder.h"
#include "base/secret.h"
#include "base/slug.h"
#include "http/req.h"
#include "site.h"

static const struct shape SiteProxy = { "SiteProxy", (const struct field[]){
	{ "origin", T_TEXT, F_REQ, .doc = "Host and path where your proxy shows the site",
	  .example = "example.com/docs" },
	{ "target", T_TEXT, F_REQ, .doc = "Address to which the proxy must forward requests",
	  .example = "https://docs.example.com/sites/acme/handbook/" },
	{ 0 } } };
static const struct shape SiteAdaptive = { "SiteAdaptiveContent", (const struct field[]){
	{ "enabled", T_BOOL, F_REQ, .doc = "true: conditions may use the visitor's claims" },
	{ 0 } } };
static const struct shape SiteAds = { "SiteAds", (const struct field[]){
	{ "status", T_CONST, F_REQ, .set = "disabled", .doc = "Always disabled: Octavo shows no ads" },
	{ "topic", T_CONST, F_REQ, .set = "webdev", .doc = "Without meaning; clients expect one" },
	{ "zoneId", T_TEXT, F_REQ, .doc = "Always empty", .example = "" },
	{ 0 } } };
static const struct shape SiteFeature = { "SiteFeature", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Name of the feature", .example = "sites-sections" },
	{ 0 } } };

static void
emit_published(struct json *j, const struct field *f, const struct row *w)
{
	if (!row_null(w, "published_at"))
		json_kstr(j, f->name, site_address(w));
}

static const struct shape SiteUrls = { "SiteUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{org}/sites/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/sites/" EXAMPLE_SITE },
	{ "app", T_TEXT, F_REQ, .url = "/v1/orgs/{org}/sites/{id}", .app = "/app/orgs/{org}#site-{id}",
	  .doc = "Page of the application; the address in this API where OCTAVO_APP=0", .example = EXAMPLE_APP "/orgs/" EXAMPLE_ORG "#site-" EXAMPLE_SITE },
	{ "published", T_TEXT, .emit = emit_published, .doc = "Address where it is published",
	  .example = "https://docs.example.com/sites/acme/handbook/" },
	{ "preview", T_TEXT, F_REQ, .url = "/v1/orgs/{org}/sites/{id}/publishing/preview",
	  .doc = "Address in this API at which people who manage the site get a preview of it, published or not",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/sites/" EXAMPLE_SITE "/publishing/preview" },
	{ 0 } } };

static const struct shape SitePermissions = { "SitePermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may see it" },
	{ "access", T_BOOL, F_REQ, .doc = "You may see its settings" },
	{ "edit", T_BOOL, F_REQ, .doc = "You may change its structure" },
	{ "create", T_BOOL, F_REQ, .doc = "You may add to it and publish it" },
	{ "admin", T_BOOL, F_REQ, .doc = "You may change its settings and choose who manages it" },
	{ "installIntegration", T_BOOL, F_REQ, .doc = "Always false: Octavo has no integrations" },
	{ "viewAdaptiveSchema", T_BOOL, F_REQ, .doc = "You may read the schema of its visitors' claims" },
	{ "editAdaptiveSchema", T_BOOL, F_REQ, .doc = "You may set the schema of its visitors' claims" },
	{ 0 } } };

/*
 * Visitors may view the site, and nothing else. The flags of a user depend on the cap of the token.
 */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	enum role role = w->r->who.kind != BY_USERS ? ROLE_NONE : cap_role(w->r, row_int(w, "role"));

	json_kobj(j, f->name);
	json_kbool(j, "view", true);
	json_kbool(j, "access", role >= ROLE_READ);
	json_kbool(j, "edit", role >= ROLE_CREATE);
	json_kbool(j, "create", role >= ROLE_CREATE);
	json_kbool(j, "admin", role >= ROLE_CREATE);
	json_kbool(j, "installIntegration", false);
	json_kbool(j, "viewAdaptiveSchema", role >= ROLE_READ);
	json_kbool(j, "editAdaptiveSchema", role >= ROLE_CREATE);
	json_end(j);
}

/*
 * `target` is below OCTAVO_URL, where the site always answers. site_address() would be the address
 * of the proxy itself, and the proxy would request itself.
 */
static void
emit_proxy(struct json *j, const struct field *f, const struct row *w)
{
	if (row_null(w, "proxy_origin"))
		return;
	json_kobj(j, f->name);
	json_kstr(j, "origin", row_text(w, "proxy_origin"));
	json_kstr(j, "target", url_for(w->r, "/sites/%s/%s/", row_text(w, "org_name"),
	    row_text(w, "basename")));
	json_end(j);
}

static void
emit_adaptive(struct json *j, const struct field *f, const struct row *w)
{
	json_kobj(j, f->name);
	json_kbool(j, "enabled", row_int(w, "adaptive") != 0);
	json_end(j);
}

/*
 * A visitor's count contains only the site spaces that the visitor sees: the total would reveal the
 * others.
 */
static void
emit_count(struct json *j, const struct field *f, const struct row *w)
{
	int64_t n = w->r->visit == NULL ? row_int(w, "site_spaces") : 0;
	const struct visit_item *it = NULL;

	while (w->r->visit != NULL && (it = visit_next_space(w->r->visit, it)) != NULL)
		n++;
	json_kint(j, f->name, n);
}

/*
 * "disabled" is the only status with which the open renderer shows no advertisement: for pending
 * and in-review it shows a sample.
 */
static void
emit_ads(struct json *j, const struct field *f, const struct row *w)
{
	(void)w;
	json_kobj(j, f->name);
	json_kstr(j, "status", "disabled");
	json_kstr(j, "topic", "webdev");
	json_kstr(j, "zoneId", "");
	json_end(j);
}

/* Writes an empty list, since no feature requires a paid plan. */
static void
emit_features(struct json *j, const struct field *f, const struct row *w)
{
	(void)w;
	json_karr(j, f->name);
	json_end(j);
}

/* The icon of browser tabs, from the site's customization. */
static void
emit_icon(struct json *j, const struct field *f, const struct row *w)
{
	cJSON *all = row_null(w, "customization") ? NULL : cJSON_Parse(row_text(w, "customization"));
	const cJSON *icon;

	customization_files_out(w->r, all);
	icon = cJSON_GetObjectItemCaseSensitive(all, "favicon");
	/* {} means no icon. */
	if (!cJSON_IsObject(icon) || icon->child == NULL)
		return;
	json_key(j, f->name);
	json_raw(j, str_of(cJSON_PrintUnformatted(icon)));
}

static const struct shape SiteStyleguide = { "SiteStyleguide", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "space", .doc = "Kind of reference" },
	{ "space", T_TEXT, F_REQ, .doc = "Id of the space", .example = EXAMPLE_SPACE },
	{ 0 } } };

static void
emit_styleguide(struct json *j, const struct field *f, const struct row *w)
{
	if (w->r->visit != NULL || row_null(w, "styleguide"))
		return;
	json_kobj(j, f->name);
	json_kstr(j, "kind", "space");
	json_kstr(j, "space", row_text(w, "styleguide"));
	json_end(j);
}

/* Stored for clients that set a type; Octavo treats all types alike (docs/design/published-sites.md, "Site types"). */
#define TYPES "basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"
#define VISIBILITIES "public,unlisted,share-link,visitor-auth"

const struct shape Site = { "Site", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_SITE },
	{ "type", T_ENUM, F_REQ, .set = TYPES, .doc = "Type of site; all types behave alike" },
	{ "appliedType", T_ENUM, F_REQ, .set = TYPES, .col = "type",
	  .doc = "The same as `type`: Octavo has no plans that apply another type" },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Handbook" },
	{ "basename", T_TEXT, F_REQ, .doc = "Its segment in addresses of the site", .example = "handbook" },
	{ "icon", T_OBJECT, .of = &Favicon, .emit = emit_icon, .doc = "Icon in browser tabs, from the customization; absent: none",
	  .example = "{\"emoji\":\"1f4d8\"}" },
	{ "hostname", T_TEXT, .doc = "Its own hostname; absent: none", .example = "docs.example.com" },
	{ "proxy", T_OBJECT, .of = &SiteProxy, .emit = emit_proxy,
	  .doc = "Proxy of yours that shows the site at another address; absent: none" },
	{ "visibility", T_ENUM, F_REQ, .set = VISIBILITIES, .doc = "Who may read it after it is published" },
	{ "defaultLevel", T_LEVEL, F_REQ, .col = "default_level",
	  .doc = "Role of everybody in the organization; null: none; inherit: only the roles create and admin in the organization count "
	  "here, too" },
	{ "permissions", T_OBJECT, F_REQ, .of = &SitePermissions, .emit = emit_permissions,
	  .doc = "What you may do with it" },
	{ "published", T_BOOL, F_REQ, .doc = "true: the site is published" },
	{ "siteSpaces", T_INT, F_REQ, .emit = emit_count, .doc = "How many spaces it shows", .example = "2" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "adaptiveContent", T_OBJECT, F_REQ, .of = &SiteAdaptive, .emit = emit_adaptive,
	  .doc = "What conditions may use" },
	{ "ads", T_OBJECT, F_REQ, .of = &SiteAds, .emit = emit_ads, .doc = "State of advertisements" },
	{ "agentsContext", T_ENUM, F_REQ, .col = "agents", .set = "excluded,included",
	  .doc = "excluded: agents may not read the site" },
	{ "styleguide", T_OBJECT, .of = &SiteStyleguide, .emit = emit_styleguide, .doc = "The style guide that it names; absent: none" },
	{ "features", T_LIST, F_REQ, .of = &SiteFeature, .emit = emit_features,
	  .doc = "Always empty: Octavo sells no features" },
	{ "urls", T_OBJECT, F_REQ, .of = &SiteUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(SiteList, Site);

static const struct field a_type = { "", T_ENUM, .set = TYPES };
const struct shape SitesQuery = { "SitesQuery", (const struct field[]){
	PAGING,
	{ "space", T_TEXT, .max = 100, .doc = "Only sites that show this space", .example = EXAMPLE_SPACE },
	{ "title", T_TEXT, .max = 256, .doc = "Part of the title, in any case", .example = "hand" },
	{ "published", T_BOOL, .doc = "true: only published sites; false: only others" },
	{ "type", T_LIST, F_MULTI, .max = 6, .item = &a_type, .doc = "Only sites of these types", .example = "[\"basic\"]" },
	{ 0 } } };
/* Ids are shorter than 100 characters; a longer text is refused instead of being looked up. */
static const struct field space_id = { "space", T_TEXT, .max = 100, .doc = "Id of a space",
	.example = EXAMPLE_SPACE };
const struct shape SiteCreate = { "CreateSite", (const struct field[]){
	{ "type", T_ENUM, .set = TYPES, .preset = "\"basic\"", .doc = "Type of site; all types behave alike" },
	{ "title", T_TEXT, .min = 2, .max = 128, .doc = "Title", .example = "Handbook" },
	{ "visibility", T_ENUM, .set = VISIBILITIES, .preset = "\"public\"",
	  .doc = "Who may read it after it is published" },
	{ "spaces", T_LIST, .item = &space_id, .max = 100, .doc = "Spaces that it is to show" },
	{ 0 } } };
const struct shape SiteEdit = { "UpdateSite", (const struct field[]){
	{ "title", T_TEXT, .min = 2, .max = 128, .doc = "Title", .example = "Handbook" },
	{ "visibility", T_ENUM, .set = VISIBILITIES, .doc = "Who may read it after it is published" },
	{ "basename", T_TEXT, SEGMENT, .doc = "Its segment in addresses of the site", .example = "handbook" },
	{ "adaptiveContent", T_OBJECT, .of = &SiteAdaptive, .doc = "What conditions may use" },
	{ "agentsContext", T_ENUM, .set = "excluded,included", .doc = "excluded: agents may not read the site" },
	{ "defaultSiteSpace", T_TEXT, .max = 100, .example = EXAMPLE_SITE_SPACE,
	  .doc = "Id of the site space that is shown first; if the site has sections, a site space of the default section" },
	{ "defaultSiteSection", T_TEXT, .max = 100, .doc = "Id of the section that is shown first",
	  .example = EXAMPLE_SECTION },
	{ "defaultLevel", T_LEVEL, .doc = "Role of everybody in the organization; null: none; inherit: only the roles create and admin "
	  "in the organization count here, too" },
	{ "styleguide", T_TEXT, F_NULL, .max = 100, .doc = "Id of a style guide of the organization; null: none", .example = EXAMPLE_SPACE },
	{ "proxy", T_TEXT, F_NULL, .max = 512, .example = "example.com/docs",
	  .pattern = "^([A-Za-z0-9_-]+[.])*[A-Za-z0-9_-]+[.][a-zA-Z]{2,}(/[A-Za-z0-9_-]+)+$",
	  .want = "a host and a path, such as example.com/docs",
	  .doc = "Host and path where your proxy shows the site; null: none" },
	{ 0 } } };

/* site_spaces counts only those of existing spaces, as all lists do (site.h). */
#define SITE_COLS \
	"t.id, t.org, t.type, t.title, t.visibility, t.default_level, " \
	SITE_ROLE(":user", ":org_role") " AS role, t.styleguide, t.adaptive, t.agents, t.created_at, t.customization, " SITE_ADDRESS_COLS \
	", CASE WHEN t.published_at IS NULL THEN 0 ELSE 1 END AS published, (SELECT count(*) FROM site_space x " \
	"JOIN space s ON s.id = x.space WHERE x.site = t.id AND s.deleted_at IS NULL) AS site_spaces"
/*
 * An absent filter is NULL or -1. The CAST gives the parameter a type, which PostgreSQL requires
 * (docs/design/sql.md, "What both engines run"); like_pattern() folds as title_folded was.
 */
#define LISTED \
	"FROM site t JOIN org o ON o.id = t.org WHERE t.org = :org " \
	"AND (CAST(:title AS TEXT) IS NULL OR t.title_folded LIKE :title ESCAPE '\\') " \
	"AND (:published = -1 OR :published = CASE WHEN t.published_at IS NULL THEN 0 ELSE 1 END) " \
	"AND (CAST(:types AS TEXT) IS NULL OR replace(:types, ',' || t.type || ',', '') <> :types) " \
	"AND " SITE_ROLE(":user", ":org_role") " >= " SQL_ROLE_READ " " \
	"AND (CAST(:space AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM site_space x WHERE x.space = :space AND x.site = t.id)) "
/*
 * Newest first (docs/design/requests.md, "Order of lists"), along the index site_list. The first
 * page starts above every time.
 */
SQL(q_sites,
    "SELECT " SITE_COLS ", t.created_at AS k1, t.id AS k2 " LISTED
    "AND (t.created_at, t.id) < (COALESCE(:k1, 9223372036854775807), COALESCE(:k2, '')) "
    "ORDER BY t.created_at DESC, t.id DESC LIMIT :limit");
SQL(q_sites_count, "SELECT count(*) " LISTED);
SQL(q_site, "SELECT " SITE_COLS " FROM site t JOIN org o ON o.id = t.org WHERE t.id = :id");
SQL(q_add,
    "INSERT INTO site (id, org, type, title, title_folded, basename, visibility, created_at, updated_at, created_by) "
    "VALUES (:id, :org, :type, :title, :folded, :basename, :visibility, :now, :now, :user)");
/* site_segment() binds :site in all statements; here it is the id of the organization. */
SQL(q_basename_taken, "SELECT 1 FROM site WHERE org = :site AND basename = :path");
SQL(q_basename_of_other, "SELECT 1 FROM site WHERE org = :org AND basename = :path AND id <> :id");
/*
 * bind_body() binds :has_NAME and :NAME: an absent member keeps its value, while null is a value.
 */
SQL(q_edit,
    "UPDATE site SET title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "title_folded = COALESCE(:folded, title_folded), "
    "visibility = CASE WHEN :has_visibility = 1 THEN :visibility ELSE visibility END, "
    "basename = CASE WHEN :has_basename = 1 THEN :basename ELSE basename END, "
    "adaptive = CASE WHEN :adaptive >= 0 THEN :adaptive ELSE adaptive END, "
    "default_level = CASE WHEN :has_defaultLevel = 1 THEN :defaultLevel ELSE default_level END, "
    "agents = CASE WHEN :has_agentsContext = 1 THEN :agentsContext ELSE agents END, "
    "styleguide = CASE WHEN :has_styleguide = 1 THEN :styleguide ELSE styleguide END, "
    "proxy_origin = CASE WHEN :has_proxy = 1 THEN :proxy ELSE proxy_origin END, "
    "updated_at = :now WHERE id = :id");
/*
 * The aliases are the members of the audit record, with the names that the API has. The scans read
 * only the defaults of one site.
 */
SQL(q_snapshot,
    "SELECT t.title, t.visibility, t.basename, t.adaptive AS \"bool_adaptiveContent\", "
    "t.agents AS \"agentsContext\", t.styleguide, t.proxy_origin AS proxy, t.default_level AS \"role_defaultLevel\", "
    DEFAULT_SECTION_OF("t.id") " AS \"defaultSiteSection\", "
    DEFAULT_SPACE_OF("t.id", DEFAULT_SECTION_OF("t.id")) " AS \"defaultSiteSpace\" "
    "FROM site t WHERE t.id = :id /*scan*/");
/*
 * :at is NULL for an unpublished site. Site tokens cannot read revisions that were replaced before
 * published_at (audience/visit.c).
 */
SQL(q_publish, "UPDATE site SET published_at = :at, updated_at = :now WHERE id = :id");
/*
 * parent and section_group have no ON DELETE (schema 0020). Sections are deleted and the parents of
 * groups cleared first, so that the order in which the database deletes by cascade does not matter.
 */
SQL(q_delete_groups, "UPDATE site_section_group SET parent = NULL WHERE site = :id");
SQL(q_delete_links, "DELETE FROM site_external_link WHERE site = :id");
SQL(q_delete_sections, "DELETE FROM site_section WHERE site = :id");
SQL(q_delete, "DELETE FROM site WHERE id = :id");
/* Clears the organization's default content if it is this site. */
SQL(q_forget,
    "UPDATE org SET default_content = NULL WHERE id = :org AND default_content IS NOT NULL "
    "AND replace(default_content, :id, '') <> default_content");

/* Refuses to list the sites of a space that the caller may not read. 0 or fail(). */
static int
space_filter_or_fail(struct req *r)
{
	const char *space = query_text(r, "space");
	struct stmt *q = space == NULL ? NULL : space_row(r, space);

	if (space == NULL || (q != NULL && col_int(q, col(q, "role")) >= ROLE_READ))
		return 0;
	return fail(r, E_NOT_FOUND, "no space %s", space);
}

/*
 * Returns the types of the query as ",basic,,premium,", with commas so that a type does not match
 * part of another one. NULL: all types.
 */
static const char *
list_types(struct req *r)
{
	const cJSON *list = query_list(r, "type"), *one;
	char *types = "";

	cJSON_ArrayForEach(one, list)
		types = arena_printf(r->arena, "%s,%s,", types, one->valuestring);
	return list == NULL ? NULL : types;
}

/* GET /orgs/{organizationId}/sites */
HANDLER(listSites)
{
	static const struct sql *const both[] = { &q_sites_count, &q_sites };
	struct stmt *q = NULL;
	struct list l;
	int64_t count = 0;
	int i;

	if (space_filter_or_fail(r) != 0 || list_open(r, &l, 2) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		q = db_use(r->db, both[i]);
		bind_text(q, ":org", r->org.id);
		bind_text(q, ":title", like_pattern(r->arena, query_text(r, "title")));
		bind_int(q, ":published", !cJSON_HasObjectItem(r->query, "published") ? -1 :
		    query_bool(r, "published", false));
		bind_text(q, ":types", list_types(r));
		bind_text(q, ":space", query_text(r, "space"));
		bind_text(q, ":user", r->who.user);
		bind_int(q, ":org_role", r->org.full);
		if (i == 0)
			count = stmt_int(q, 0);
	}
	list_bind(q, &l);
	return list_reply(r, &l, q, &Site, count);
}

/* Returns the settings as JSON for the audit log, before or after a change. */
static char *
site_snapshot(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_snapshot);

	bind_text(q, ":id", r->site.id);
	return audit_snapshot(r->arena, q);
}

/* The statement does not check the organization, since the access check has found the site in that of the path. */
struct stmt *
site_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_site);

	bind_text(q, ":id", id);
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":org_role", r->org.full);
	return stmt_step(q) ? q : NULL;
}

static int
reply_site(struct req *r)
{
	return reply_current(r, site_row(r, r->site.id), &Site);
}

/*
 * POST /orgs/{organizationId}/sites: adding spaces publishes them with the site, so it takes the
 * role create on each.
 */
HANDLER(createSite)
{
	const char *title = body_text(r, "title"), *type = body_text(r, "type");
	const char *visibility = body_text(r, "visibility");
	const cJSON *space;
	struct stmt *q = db_use(r->db, &q_add);

	title = title == NULL ? "Untitled" : title;
	/* Set before site_space_add(), which uses r->site. */
	r->site.id = secret_id(r->arena);
	bind_text(q, ":id", r->site.id);
	bind_text(q, ":org", r->org.id);
	bind_text(q, ":type", type == NULL ? "basic" : type);
	bind_text(q, ":title", title);
	bind_folded(q, ":folded", r->arena, title);
	bind_text(q, ":basename", site_segment(r, r->org.id, title, &q_basename_taken));
	bind_text(q, ":visibility", visibility == NULL ? "public" : visibility);
	bind_int(q, ":now", time_now());
	bind_text(q, ":user", r->who.user);
	stmt_run(q);
	cJSON_ArrayForEach(space, body_get(r, "spaces"))
		/*
		 * If one space may not be shown, the whole request fails; the transaction is rolled
		 * back, and the site is not created.
		 */
		if (site_space_add(r, NULL, space->valuestring, false) == NULL)
			return -1;
	site_record(r, AUDIT_SITE_CREATE, site_snapshot(r));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s", r->org.id, r->site.id));
	return reply_site(r);
}

/* GET /orgs/{organizationId}/sites/{siteId} */
HANDLER(getSiteById)
{
	return visit_as_reader(r) != 0 ? -1 : reply_site(r);
}

/*
 * Refuses a basename that another site of the organization has. UNIQUE (org, basename) would also
 * refuse it, but as an internal error instead of a 409. A basename of NULL matches no row.
 */
static int
basename_or_fail(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_basename_of_other);

	bind_text(q, ":org", r->org.id);
	bind_text(q, ":path", body_text(r, "basename"));
	bind_text(q, ":id", r->site.id);
	return stmt_int(q, 0) == 0 ? 0 : fail(r, E_CONFLICT, "the basename %s is taken", body_text(r, "basename"));
}

/*
 * Sets the defaults in the body. The section comes first, since the default site space must be in
 * the default section. 0 or fail().
 */
static int
defaults_or_fail(struct req *r)
{
	const char *section = body_text(r, "defaultSiteSection"), *space = body_text(r, "defaultSiteSpace");
	struct site_item it, in;
	struct stmt *q;

	if (section != NULL) {
		if (site_item_or_fail(r, SITE_SECTION, section, &it) != 0)
			return -1;
		site_section_default(r, it.id);
	}
	if (space == NULL)
		return 0;
	if (site_item_or_fail(r, SITE_SPACE, space, &in) != 0)
		return -1;
	q = site_section_row(r, in.parent);
	/*
	 * Checked after site_section_default(), so that a body may name a section together with one
	 * of its site spaces.
	 */
	if (in.parent != NULL && (q == NULL || col_int(q, col(q, "is_default")) == 0))
		return fail_field(r, "/defaultSiteSpace", "is not a site space of the default section");
	site_space_default(r, &in);
	return 0;
}

/*
 * Reads the body's proxy. *proxy: its stored form; NULL: none. If another site uses the address,
 * the error does not reveal which organization it belongs to. 0 or fail().
 */
static int
proxy_or_fail(struct req *r, const char **proxy)
{
	struct holder by;

	*proxy = body_text(r, "proxy");
	if (*proxy == NULL)
		return 0;
	*proxy = holder_address(r->arena, *proxy);
	if (!holder_find(r->db, r->arena, r->set, r->site.id, r->org.id, *proxy, &by))
		return 0;
	if (by.site == NULL)
		return fail(r, E_CONFLICT, "%s is an address of Octavo itself", *proxy);
	return strcmp(by.org, r->org.id) == 0 ? fail(r, E_CONFLICT, "%s shows the site %s", *proxy, by.site) :
	    fail(r, E_CONFLICT, "%s belongs to another organization; the administrator of this server can reassign it "
	    "(octavo site proxy)", *proxy);
}

SQL(q_is_guide, "SELECT 1 FROM space WHERE id = :id AND org = :org AND styleguide = 1 AND deleted_at IS NULL");

/*
 * Checks that the style guide in the body is one of this organization that the caller may read. 0
 * or fail().
 */
static int
styleguide_or_fail(struct req *r)
{
	const char *space = body_text(r, "styleguide");
	struct stmt *q, *row;

	if (space == NULL)
		return 0;
	row = space_row(r, space);
	if (row == NULL || col_int(row, col(row, "role")) < ROLE_READ)
		return not_found(r, "space", space);
	q = db_use(r->db, &q_is_guide);
	bind_text(q, ":id", space);
	bind_text(q, ":org", r->org.id);
	return stmt_int(q, 0) == 1 ? 0 : fail_field(r, "/styleguide", "is no style guide of this organization");
}

/* PATCH /orgs/{organizationId}/sites/{siteId}: absent members keep their value. */
HANDLER(updateSiteById)
{
	static const char *const members[] = { "title", "visibility", "basename", "agentsContext", "defaultLevel", "styleguide" };
	const cJSON *enabled = cJSON_GetObjectItemCaseSensitive(body_get(r, "adaptiveContent"), "enabled");
	const char *proxy;
	char *before = site_snapshot(r);
	struct stmt *q;
	size_t i;

	if (level_or_fail(r, r->site.role) != 0 || styleguide_or_fail(r) != 0 || basename_or_fail(r) != 0 || proxy_or_fail(r, &proxy) != 0 || defaults_or_fail(r) != 0)
		return -1;
	q = db_use(r->db, &q_edit);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		bind_body(q, r, members[i]);
	bind_folded(q, ":folded", r->arena, body_text(r, "title"));
	bind_int(q, ":has_proxy", body_has(r, "proxy"));
	bind_text(q, ":proxy", proxy);
	bind_int(q, ":adaptive", enabled == NULL ? -1 : cJSON_IsTrue(enabled));
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", r->site.id);
	stmt_run(q);
	audit_change(r, &(struct audit_event){ .action = AUDIT_SITE_UPDATE, .org = r->org.id, .type = "site",
	    .target = r->site.id }, before, site_snapshot(r));
	return reply_site(r);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}: its spaces are not deleted. */
HANDLER(deleteSiteById)
{
	static const struct sql *const steps[] = { &q_delete_links, &q_delete_sections, &q_delete_groups, &q_forget, &q_delete };
	size_t i;

	site_record(r, AUDIT_SITE_DELETE, NULL);
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct stmt *q = db_use(r->db, steps[i]);
		bind_text(q, ":id", r->site.id);
		if (steps[i] == &q_forget)
			bind_text(q, ":org", r->org.id);
		stmt_run(q);
	}
	return reply_empty(r);
}

/* Publishes or unpublishes the site. If it has this state already, nothing changes. */
static int
set_published(struct req *r, bool on)
{
	struct stmt *q = site_row(r, r->site.id);

	/*
	 * If published_at changed when a published site is published again, visitors could no
	 * longer read the revisions before it.
	 */
	if ((col_int(q, col(q, "published")) == 1) != on) {
		q = db_use(r->db, &q_publish);
		bind_int(q, ":now", time_now());
		bind_text(q, ":id", r->site.id);
		if (on)
			bind_int(q, ":at", time_now());
		else
			bind_null(q, ":at");
		stmt_run(q);
		site_record(r, on ? AUDIT_SITE_PUBLISH : AUDIT_SITE_UNPUBLISH, NULL);
		site_typeset(r);
	}
	return reply_site(r);
}

/* POST /orgs/{organizationId}/sites/{siteId}/publish */
HANDLER(publishSite)
{
	return set_published(r, true);
}

/* POST /orgs/{organizationId}/sites/{siteId}/unpublish */
HANDLER(unpublishSite)
{
	return set_published(r, false);
}
