/*
 * Style guides: spaces with rules for writing, and the sites that use them. A run is a check of
 * some spaces of a site against its style guide; each of these spaces has a change request that
 * belongs to the run. Octavo itself does not check texts: a person, or an agent with a token, does
 * so, and proposes changes in these change requests. Tables styleguide_run, site.styleguide,
 * space.styleguide.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/access_rules.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/refusals.h"
#include "api/request_content.h"
#include "api/request_row.h"
#include "api/sites.h"
#include "api/space_shape.h"
#include "api/spaces.h"
#include "api/styleguides.h"
#include "api/users.h"
#include "app/assets.h"
#include "app/roles.h"
#include "base/exact.h"
#include "base/secret.h"
#include "edit/template.h"
#include "http/req.h"
#include "merge/request_record.h"
#include "site.h"

static const struct shape Styleguide = { "OrganizationStyleguide", (const struct field[]){
	{ "space", T_OBJECT, F_REQ, .of = &Space, .doc = "The style guide" },
	{ "sites", T_LIST, F_REQ, .of = &Site, .doc = "Sites that use it, of those that you can read" },
	{ 0 } } };
const struct shape Styleguides = { "OrganizationStyleguides", (const struct field[]){
	{ "styleguides", T_LIST, F_REQ, .of = &Styleguide, .doc = "Style guides that you can read" },
	{ 0 } } };
static const struct shape Template = { "StyleguideTemplate", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Id of the template", .example = "styleguide-plain" },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Plain language" },
	{ "subtitle", T_TEXT, .doc = "Purpose, for people", .example = "Short sentences that everybody understands" },
	{ "emoji", T_TEXT, .doc = "Emoji", .example = "1f58b" },
	{ "markdown", T_TEXT, F_REQ, .doc = "Its text", .example = "# Writing style" },
	{ 0 } } };
const struct shape StyleguideTemplates = { "StyleguideTemplates", (const struct field[]){
	{ "templates", T_LIST, F_REQ, .of = &Template, .doc = "All templates" },
	{ 0 } } };
const struct shape StyleguideCreate = { "CreateSiteStyleguide", (const struct field[]){
	{ "template", T_TEXT, .max = 100, .doc = "Id of a template; absent: the style guide is empty at first", .example = "styleguide-plain" },
	{ 0 } } };
/* Maximum number of spaces of a run. */
enum { RUN_SPACES_MAX = 3 };

static const struct field space_id = { "", T_TEXT, .max = 100 };
static const struct shape Run = { "SiteStyleguideRun", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "styleguide-run", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_STYLEGUIDE_RUN },
	{ "site", T_TEXT, F_REQ, .doc = "Id of the site", .example = EXAMPLE_SITE },
	{ "styleguide", T_TEXT, F_REQ, .doc = "Id of the style guide", .example = EXAMPLE_SPACE },
	{ "spaces", T_LIST, F_REQ, .item = &(const struct field){ "", T_TEXT }, .doc = "Ids of the spaces to check",
	  .example = "[\"s2GhN6wPxYt8QfKc4LrV\"]" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it started" },
	{ "createdBy", T_OBJECT, F_REQ, .of = &User, .join = "by_", .doc = "Who started it" },
	{ 0 } } };
LIST_SHAPE(StyleguideRunList, Run);
const struct shape StyleguideRunCreate = { "CreateSiteStyleguideRun", (const struct field[]){
	{ "spaces", T_LIST, F_REQ, .min = 1, .max = RUN_SPACES_MAX, .item = &space_id, .doc = "Ids of the spaces of the site to check",
	  .example = "[\"s2GhN6wPxYt8QfKc4LrV\"]" },
	{ 0 } } };
const struct shape StyleguideRunMade = { "SiteStyleguideRunMade", (const struct field[]){
	{ "run", T_OBJECT, F_REQ, .of = &Run, .doc = "The run" },
	{ "changeRequests", T_LIST, F_REQ, .of = &ChangeRequest, .doc = "The change request of each space" },
	{ 0 } } };

static const struct { const char *id, *title, *subtitle, *emoji, *file; } templates[] = {
	{ "styleguide-plain", "Plain language", "Short sentences that everybody understands", "1f58b",
	  "templates/styleguide-plain/style.md" },
	{ "styleguide-reference", "Reference", "Entries of commands, settings and operations", "1f4d8",
	  "templates/styleguide-reference/reference.md" } };
enum { TEMPLATES = sizeof(templates) / sizeof(templates[0]) };

SQL(q_guides,
    WITH_PLACES AND_SEEN "SELECT s.id FROM seen v JOIN space s ON s.id = v.id WHERE s.org = :org AND s.styleguide = 1 ORDER BY s.id");
SQL(q_sites_of_guide,
    "SELECT t.id FROM site t WHERE t.styleguide = :space AND t.org = :org AND " SITE_ROLE(":user", ":org_role") " >= " SQL_ROLE_READ
    " ORDER BY t.id");
SQL(q_guide_of_site,
    "SELECT s.id FROM site t JOIN space s ON s.id = t.styleguide WHERE t.id = :site AND s.deleted_at IS NULL");
SQL(q_mark_guide, "UPDATE space SET styleguide = 1 WHERE id = :id");
SQL(q_use_guide, "UPDATE site SET styleguide = :space WHERE id = :site");
SQL(q_on_site, "SELECT 1 FROM site_space WHERE site = :site AND space = :space");
#define RUN_COLS "n.id, n.site, n.styleguide, n.spaces, n.created_at, " USER_COLS("u", "by_")
#define RUN_FROM "styleguide_run n JOIN account u ON u.id = n.created_by "
SQL(q_runs,
    "SELECT " RUN_COLS ", n.created_at AS k1, n.id AS k2 FROM " RUN_FROM "WHERE n.site = :site "
    "AND (n.created_at, n.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY n.created_at DESC, n.id DESC LIMIT :limit");
SQL(q_runs_count, "SELECT count(*) FROM styleguide_run WHERE site = :site");
SQL(q_run, "SELECT " RUN_COLS " FROM " RUN_FROM "WHERE n.id = :id");
SQL(q_add_run,
    "INSERT INTO styleguide_run (id, site, styleguide, spaces, created_by, created_at) "
    "VALUES (:id, :site, :guide, :spaces, :user, :now)");
/* Finds the open change request of an earlier run of the site, which the new run uses, too. */
SQL(q_open,
    "SELECT cr.id FROM change_request cr JOIN styleguide_run n ON n.id = cr.styleguide_run WHERE cr.space = :space "
    "AND n.site = :site AND cr.status IN ('draft', 'open') ORDER BY cr.number DESC LIMIT 1");
SQL(q_belongs, "UPDATE change_request SET styleguide_run = :run WHERE id = :id");

static const struct site_own kind = { "styleguideRun", "style guide run", &q_runs_count, &q_runs, NULL };

/* Returns the ids in the first column of a statement's rows, in their order. *n: their number. */
static const char **
read_ids(struct req *r, struct stmt *q, size_t *n)
{
	const char **list = NULL;
	size_t room = 0;

	for (*n = 0; stmt_step(q); (*n)++) {
		list = arena_grow(r->arena, list, *n, &room, sizeof(*list));
		list[*n] = col_dup(q, 0, r->arena);
	}
	return list;
}

/* Writes the style guide with the sites that use it and that the caller can read. */
static void
write_guide(struct req *r, const char *space)
{
	struct stmt *q = db_use(r->db, &q_sites_of_guide);
	const char **sites;
	size_t n, i;

	bind_text(q, ":space", space);
	bind_caller(q, r);
	sites = read_ids(r, q, &n);
	json_obj(&r->json);
	json_key(&r->json, "space");
	shape_row(&r->json, &Space, r, space_row(r, space));
	json_karr(&r->json, "sites");
	for (i = 0; i < n; i++)
		shape_row(&r->json, &Site, r, site_row(r, sites[i]));
	json_end(&r->json);
	json_end(&r->json);
}

/* GET /orgs/{organizationId}/styleguides */
HANDLER(listOrganizationStyleguides)
{
	struct stmt *q = db_use(r->db, &q_guides);
	const char **spaces;
	size_t n, i;

	bind_caller(q, r);
	spaces = read_ids(r, q, &n);
	json_obj(&r->json);
	json_karr(&r->json, "styleguides");
	for (i = 0; i < n; i++)
		write_guide(r, spaces[i]);
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* GET /orgs/{organizationId}/styleguide-templates */
HANDLER(listStyleguideTemplates)
{
	size_t i;

	json_obj(&r->json);
	json_karr(&r->json, "templates");
	for (i = 0; i < TEMPLATES; i++) {
		json_obj(&r->json);
		json_kstr(&r->json, "id", templates[i].id);
		json_kstr(&r->json, "title", templates[i].title);
		json_kstr(&r->json, "subtitle", templates[i].subtitle);
		json_kstr(&r->json, "emoji", templates[i].emoji);
		json_kstrn(&r->json, "markdown", asset_bytes(asset_find(templates[i].file)));
		json_end(&r->json);
	}
	json_end(&r->json);
	json_end(&r->json);
	return 0;
}

/* Returns the id of the site's style guide; NULL if it has none. */
static const char *
find_guide(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_guide_of_site);

	bind_text(q, ":site", r->site.id);
	return stmt_dup(q, r->arena);
}

static bool
is_template(const char *id)
{
	size_t i;

	for (i = 0; i < TEMPLATES; i++)
		if (strcmp(templates[i].id, id) == 0)
			return true;
	return false;
}

/* Creates a style guide for the site of the path. Returns its id; NULL after fail(). */
static const char *
make_guide(struct req *r, const char *template)
{
	struct space_new n = { .org = r->org.id, .author = r->who.user, .title = "Style guide" };
	const char *id;
	struct stmt *q;

	if (container_or_fail(r, r->org.id, NULL) != 0)
		return NULL;
	id = space_add(r, &n);
	/* Grants the caller the role create in the new space, if they would have less. */
	space_kept(r, id);
	q = db_use(r->db, &q_mark_guide);
	bind_text(q, ":id", id);
	stmt_run(q);
	q = db_use(r->db, &q_use_guide);
	bind_text(q, ":space", id);
	bind_text(q, ":site", r->site.id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"styleguide\":\"%s\",\"added\":true}", id));
	return template != NULL && (space_enter(r, id) != 0 || space_from_template(r, template, NULL) != 0) ? NULL : id;
}

/*
 * POST /orgs/{organizationId}/sites/{siteId}/styleguide: replies with the existing style guide, or
 * creates one.
 */
HANDLER(createSiteStyleguideById)
{
	const char *template = body_text(r, "template"), *id = find_guide(r);
	struct stmt *row;

	if (template != NULL && !is_template(template))
		return fail(r, E_NOT_FOUND, "no style guide template %s", template);
	if (id == NULL && (id = make_guide(r, template)) == NULL)
		return -1;
	row = space_row(r, id);
	/* Checked, since a user who manages a site need not have a role on its spaces. */
	return row == NULL || col_int(row, col(row, "role")) < ROLE_READ ? not_found(r, "space", id) :
	    reply_current(r, row, &Space);
}

/* GET /orgs/{organizationId}/sites/{siteId}/styleguide/runs: newest first. */
HANDLER(listSiteStyleguideRuns)
{
	return site_list(r, &kind, &Run);
}

/*
 * Checks that the space is one of the site, that it is not the style guide, and that the caller may
 * propose changes there. 0 or fail().
 */
static int
checkable_or_fail(struct req *r, const char *space, const char *guide)
{
	struct stmt *q = db_use(r->db, &q_on_site);

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":space", space);
	if (stmt_int(q, 0) != 1 || strcmp(space, guide) == 0)
		return not_found(r, "space", space);
	return space_enter(r, space) != 0 || role_or_fail(r, ROLE_EDIT) != 0 ? -1 : 0;
}

/* Returns the change request in r->space for this run: one that is still open, else a new draft. */
static const char *
find_or_make_request(struct req *r, const char *run)
{
	struct stmt *q = db_use(r->db, &q_open);
	const char *id;

	bind_text(q, ":space", r->space.id);
	bind_text(q, ":site", r->site.id);
	id = stmt_dup(q, r->arena);
	if (id == NULL)
		id = request_make(r->db, r->arena, r->space.id, r->space.branch, r->who.user, "Check against the style guide");
	q = db_use(r->db, &q_belongs);
	bind_text(q, ":run", run);
	bind_text(q, ":id", id);
	stmt_run(q);
	return id;
}

/* POST /orgs/{organizationId}/sites/{siteId}/styleguide/runs */
HANDLER(createSiteStyleguideRun)
{
	const char *guide = find_guide(r), *id = secret_id(r->arena), *requests[RUN_SPACES_MAX];
	const cJSON *space;
	struct stmt *q;
	size_t n = 0, i;

	if (guide == NULL)
		return fail(r, E_NOT_FOUND, "the site has no style guide");
	q = db_use(r->db, &q_add_run);
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":guide", guide);
	bind_text(q, ":spaces", body_json(r, "spaces"));
	bind_text(q, ":user", r->who.user);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	cJSON_ArrayForEach(space, body_get(r, "spaces")) {
		if (checkable_or_fail(r, space->valuestring, guide) != 0)
			return -1;
		requests[n++] = find_or_make_request(r, id);
	}
	q = db_use(r->db, &q_run);
	bind_text(q, ":id", id);
	stmt_step(q);
	json_obj(&r->json);
	json_key(&r->json, "run");
	shape_row(&r->json, &Run, r, q);
	json_karr(&r->json, "changeRequests");
	for (i = 0; i < n; i++)
		shape_row(&r->json, &ChangeRequest, r, request_row(r, requests[i]));
	json_end(&r->json);
	json_end(&r->json);
	return reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/styleguide/runs/%s", r->org.id, r->site.id, id));
}
