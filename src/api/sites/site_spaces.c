/*
 * Site spaces: spaces as variants of a site or of one of its sections. Table site_space. A space
 * that is added is published with the site, so adding it takes the role create on the space. A user
 * who manages the site but may not read a space sees only the segment of its site space.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/examples.h"
#include "api/known_roles.h"
#include "api/lists.h"
#include "api/request_content.h"
#include "api/site_addresses.h"
#include "api/site_spaces.h"
#include "api/space_shape.h"
#include "api/visitor.h"
#include "audience/visit.h"
#include "base/secret.h"
#include "http/req.h"
#include "site.h"


/*
 * A visitor's address comes from visit.h: the default items may be others for the visitor, and the
 * address contains the visitor's share key.
 */
static void
emit_published(struct json *j, const struct field *f, const struct row *w)
{
	const char *at = visited_address(w->r, row_text(w, "id"),
	    row_int(w, "shown") == 0 ? NULL : site_space_address(w));

	if (at != NULL)
		json_kstr(j, f->name, at);
}

static const struct shape SiteSpaceUrls = { "SiteSpaceUrls", (const struct field[]){
	{ "published", T_TEXT, .emit = emit_published, .doc = "Address where it is published; absent: the site is not published, or this "
	  "is a draft", .example = "https://docs.example.com/sites/acme/handbook/v2/" },
	{ 0 } } };

/* Returns the row of the space if the caller may read it, else NULL. */
static struct stmt *
find_readable_space(struct req *r, const char *space)
{
	struct stmt *q = space_row(r, space);

	/* Visitors of the site may read the space there, even without a role on it. */
	return q != NULL && (col_int(q, col(q, "role")) >= ROLE_READ || r->visit != NULL) && col_null(q, col(q, "deleted_at")) ? q : NULL;
}

/* Omits the space if the caller may not read it: a user who manages a site need not have a role on its spaces. */
static void
emit_space(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = find_readable_space(w->r, row_text(w, "space_id"));

	if (q == NULL)
		return;
	json_key(j, f->name);
	shape_row(j, &Space, w->r, q);
}

/* Omits the condition for visitors, since it would reveal which claims give access. */
void
site_emit_condition(struct json *j, const struct field *f, const struct row *w)
{
	if (w->r->visit == NULL && !row_null(w, "condition"))
		json_kstr(j, f->name, row_text(w, "condition"));
}

/* If the default item is hidden from a visitor, another item is the default for this visitor. */
void
site_emit_default(struct json *j, const struct field *f, const struct row *w)
{
	json_kbool(j, f->name, visited_default(w->r, row_text(w, "id"), row_int(w, "is_default") != 0));
}

/*
 * Writes a title, since the member is required. Only readers of a space may see its title, so
 * others get the segment, which the published address contains in any case.
 */
static void
emit_title(struct json *j, const struct field *f, const struct row *w)
{
	bool read = find_readable_space(w->r, row_text(w, "space_id")) != NULL;

	json_kstr(j, f->name, row_text(w, read ? "space_title" : "path"));
}

const struct shape SiteSpace = { "SiteSpace", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-space", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_SITE_SPACE },
	{ "path", T_TEXT, F_REQ, .doc = "Its segment in addresses of the site", .example = "v2" },
	{ "section", T_TEXT, .doc = "Id of the section that it is in; absent: the site has none",
	  .example = EXAMPLE_SECTION },
	{ "space", T_OBJECT, .of = &Space, .emit = emit_space, .doc = "The space; absent: you may not read it" },
	{ "title", T_TEXT, F_REQ, .emit = emit_title,
	  .doc = "Title of the space; if you may not read the space, its segment", .example = "Handbook" },
	{ "default", T_BOOL, F_REQ, .emit = site_emit_default, .doc = "true: it is shown first among its siblings" },
	{ "condition", T_TEXT, .emit = site_emit_condition,
	  .doc = "Condition for visitors to see it, as an expression; absent: everybody sees it", .example = "visitor.claims.beta" },
	DRAFT_SHOWN,
	{ "hidden", T_BOOL, .doc = "true: it can be opened by its address, but lists of variants do not show it", .example = "false" },
	{ "hasAdvancedCustomizationFeature", T_BOOL, .doc = "Always true", .example = "true",
	  .col = "advanced" },
	{ "urls", T_OBJECT, F_REQ, .of = &SiteSpaceUrls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(SiteSpaceList, SiteSpace);

const struct shape SiteSpacesQuery = { "SiteSpacesQuery", (const struct field[]){
	PAGING,
	{ "default", T_BOOL, .doc = "true: only default site spaces; false: only others" },
	SHARE_KEY,
	{ 0 } } };
const struct shape SiteSpaceAdd = { "AddSpaceToSite", (const struct field[]){
	{ "spaceId", T_TEXT, F_REQ | F_NULL, .max = 100, .doc = "Id of the space; null: a new one", .example = EXAMPLE_SPACE },
	{ "title", T_TEXT, .min = 2, .max = 50, .doc = "Title of a new space", .example = "Handbook" },
	{ "template", T_OBJECT, .of = &TemplateUse, .doc = "Template whose content a new space begins with" },
	{ "sectionId", T_TEXT, .max = 100, .example = EXAMPLE_SECTION,
	  .doc = "Id of a section; absent: the default section, or the site if it has no sections" },
	DRAFT_SET,
	{ 0 } } };
const struct shape SiteSpaceEdit = { "UpdateSiteSpace", (const struct field[]){
	{ "path", T_TEXT, SEGMENT, .doc = "Its segment in addresses of the site", .example = "v2" },
	{ "condition", T_TEXT, F_NULL, .max = 1024, .example = "visitor.claims.beta",
	  .doc = "Condition for visitors to see it, as an expression; null: everybody sees it" },
	{ "spaceId", T_TEXT, .max = 100, .doc = "Id of another space to show here", .example = EXAMPLE_SPACE },
	DRAFT_SET,
	{ "hidden", T_BOOL, .doc = "true: lists of variants do not show it" },
	{ 0 } } };

#define COLS SITE_SPACE_COLS ", 1 AS advanced "
/*
 * :seen: ids between commas (site_seen()); NULL: all. :default: 1 only defaults of their section, 0
 * only others, -1 all.
 */
#define IN_SITE \
	"x.site = :site AND (:default = -1 OR :default = CASE WHEN x.id = " \
	DEFAULT_SPACE_OF("x.site", "x.section") " THEN 1 ELSE 0 END) " \
	"AND (CAST(:seen AS TEXT) IS NULL OR replace(:seen, ',' || x.id || ',', '') <> :seen) "
/*
 * Ordered by key across all sections. Keys of different sections do not form one order, but key and
 * id together are unique, which is all that a page token needs.
 */
SQL(q_list,
    "SELECT " COLS ", x.ord AS k1, x.id AS k2 FROM " SITE_SPACE_FROM "WHERE " IN_SITE
    "AND (x.ord, x.id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) ORDER BY x.ord, x.id LIMIT :limit /*scan*/");
SQL(q_count, "SELECT count(*) FROM " SITE_SPACE_FROM "WHERE " IN_SITE "/*scan*/");
SQL(q_one, "SELECT " COLS "FROM " SITE_SPACE_FROM "WHERE x.id = :id /*scan*/");
SQL(q_default_section, "SELECT " DEFAULT_SECTION_OF(":site") " /*scan*/");
/* IS NOT DISTINCT FROM, since section is NULL on a site without sections. */
SQL(q_shown,
    "SELECT 1 FROM site_space WHERE site = :site AND section IS NOT DISTINCT FROM :section "
    "AND space = :space");
/* Site spaces of deleted spaces keep their segments, since a deleted space can be restored. */
SQL(q_taken_here,
    "SELECT 1 FROM site_space WHERE site = :site AND section IS NULL AND path = :path");
/* site_segment() binds :site in all statements; here it is the id of a section. */
SQL(q_taken_there, "SELECT 1 FROM site_space WHERE section = :site AND path = :path");
SQL(q_taken_by_other,
    "SELECT 1 FROM site_space WHERE site = :site AND section IS NOT DISTINCT FROM :section "
    "AND path = :path AND id <> :id");
SQL(q_insert,
    "INSERT INTO site_space (id, site, section, space, path, draft, ord) "
    "VALUES (:id, :site, :section, :space, :path, :draft, :ord)");
/* NULLIF: clients send both "" and null to remove a condition. */
SQL(q_edit,
    "UPDATE site_space SET path = CASE WHEN :has_path = 1 THEN :path ELSE path END, "
    "condition = CASE WHEN :has_condition = 1 THEN NULLIF(:condition, '') ELSE condition END, "
    "space = CASE WHEN :has_spaceId = 1 THEN :spaceId ELSE space END, "
    "hidden = CASE WHEN :has_hidden = 1 THEN :hidden ELSE hidden END, "
    "draft = CASE WHEN :has_draft = 1 THEN :draft ELSE draft END WHERE id = :id");
/* Includes rows of deleted spaces: at most one row of a section may be marked. */
SQL(q_unmark,
    "UPDATE site_space SET is_default = 0 WHERE site = :site AND section IS NOT DISTINCT FROM :section "
    "AND is_default = 1");
SQL(q_mark, "UPDATE site_space SET is_default = 1 WHERE id = :id");
/* Finds only site spaces of spaces that are not deleted, since the others are not shown. */
SQL(q_next,
    "SELECT x.id FROM site_space x JOIN space s ON s.id = x.space WHERE x.site = :site "
    "AND x.section IS NOT DISTINCT FROM :section AND s.deleted_at IS NULL "
    "AND (x.ord, x.id) > (:ord, :id) ORDER BY x.ord, x.id LIMIT 1");
SQL(q_delete, "DELETE FROM site_space WHERE id = :id");
/* Counts in a section only: the site spaces of a site without sections may all be deleted. */
SQL(q_living,
    "SELECT count(*) FROM site_space x JOIN space s ON s.id = x.space WHERE x.section = :section "
    "AND s.deleted_at IS NULL");

struct stmt *
site_space_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	return stmt_step(q) ? q : NULL;
}

int64_t
site_spaces_in(struct req *r, const char *section)
{
	struct stmt *q = db_use(r->db, &q_living);

	bind_text(q, ":section", section);
	return stmt_int(q, 0);
}

/* The mark is cleared first, so that two rows are never marked. */
void
site_space_default(struct req *r, const struct site_item *it)
{
	struct stmt *q = db_use(r->db, &q_unmark);

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":section", it->parent);
	stmt_run(q);
	q = db_use(r->db, &q_mark);
	bind_text(q, ":id", it->id);
	stmt_run(q);
}

char *
site_space_publishable(struct req *r, const char *space)
{
	struct stmt *q = find_readable_space(r, space);
	enum role role;

	/*
	 * A space of another organization is 404, even for its members: a site shows only spaces of
	 * its own organization (docs/design/security.md, "S1").
	 */
	if (q == NULL || strcmp(col_text(q, col(q, "org")), r->org.id) != 0) {
		fail(r, E_NOT_FOUND, "no space %s", space);
		return NULL;
	}
	/* Showing a space is a change, so the token's cap applies. */
	role = cap_role(r, col_int(q, col(q, "role")));
	/*
	 * Showing a space opens it to people without a role on it, so it takes the role create, as
	 * granting access does.
	 */
	if (role < ROLE_CREATE) {
		fail(r, E_FORBIDDEN, "showing a space on a site takes the role \"create\" on it; you have \"%s\"",
		    role_name(role));
		return NULL;
	}
	return col_dup(q, col(q, "title"), r->arena);
}

/*
 * True if the space is shown there already, also while it is deleted: after it is restored it must
 * not be shown twice.
 */
static bool
is_shown(struct req *r, const char *section, const char *space)
{
	struct stmt *q = db_use(r->db, &q_shown);

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":section", section);
	bind_text(q, ":space", space);
	return stmt_int(q, 0) == 1;
}

/*
 * Writes no audit record, since one request may add many site spaces; its callers write one. The
 * segment is made from the present title, and does not change when the space is renamed, so that
 * published addresses remain valid.
 */
char *
site_space_add(struct req *r, const char *section, const char *space, bool draft)
{
	char *title = site_space_publishable(r, space), *id = secret_id(r->arena);
	struct stmt *q;

	if (title == NULL)
		return NULL;
	if (is_shown(r, section, space)) {
		fail(r, E_CONFLICT, "the space %s is shown there already", space);
		return NULL;
	}
	q = db_use(r->db, &q_insert);
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":section", section);
	bind_text(q, ":space", space);
	bind_text(q, ":path", section == NULL ? site_segment(r, r->site.id, title, &q_taken_here) :
	    site_segment(r, section, title, &q_taken_there));
	bind_int(q, ":draft", draft);
	bind_text(q, ":ord", site_place(r, true, section));
	stmt_run(q);
	return id;
}

const char *
site_seen(struct req *r)
{
	const struct visit_item *it = NULL;
	struct buf b;

	if (r->visit == NULL)
		return NULL;
	buf_init(&b, r->arena, 1 << 20);
	buf_char(&b, ',');
	/* A section is listed only if it has a site space that the visitor sees. */
	while ((it = visit_next_space(r->visit, it)) != NULL) {
		buf_printf(&b, ",%s,", it->id);
		if (it->up != NULL && it->up->first == it)
			buf_printf(&b, ",%s,", it->up->id);
	}
	return b.p;
}

/* GET /orgs/{organizationId}/sites/{siteId}/site-spaces: in their order, over all sections. */
HANDLER(listSiteSpaces)
{
	static const struct sql *const both[] = { &q_count, &q_list };
	struct stmt *q = NULL;
	struct list l;
	int64_t count = 0;
	int i;

	share_key_take(r);
	if (visit_as_reader(r) != 0 || list_open(r, &l, 2) != 0)
		return -1;
	for (i = 0; i < 2; i++) {
		q = db_use(r->db, both[i]);
		bind_text(q, ":site", r->site.id);
		bind_text(q, ":seen", site_seen(r));
		bind_int(q, ":default", !cJSON_HasObjectItem(r->query, "default") ? -1 :
		    query_bool(r, "default", false));
		if (i == 0)
			count = stmt_int(q, 0);
	}
	list_bind(q, &l);
	return list_reply(r, &l, q, &SiteSpace, count);
}

/* Returns the id of the default section; NULL if the site has no sections. */
static const char *
default_section(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_default_section);

	bind_text(q, ":site", r->site.id);
	return stmt_dup(q, r->arena);
}

/* POST /orgs/{organizationId}/sites/{siteId}/site-spaces */
HANDLER(addSpaceToSite)
{
	const char *section = body_text(r, "sectionId"), *space, *id;
	struct site_item it;

	/* A section of another site is not found. */
	if (section != NULL && site_item_or_fail(r, SITE_SECTION, section, &it) != 0)
		return -1;
	if ((space = site_new_space(r, body_text(r, "spaceId"), body_text(r, "title"))) == NULL)
		return -1;
	id = site_space_add(r, section != NULL ? section : default_section(r), space,
	    cJSON_IsTrue(body_get(r, "draft")));
	if (id == NULL)
		return -1;
	site_changed(r, arena_printf(r->arena, "{\"siteSpace\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/site-spaces/%s", r->org.id, r->site.id, id));
	return reply_current(r, site_space_row(r, id), &SiteSpace);
}

/*
 * Checks that the segment and the space of a PATCH are free, and that the caller may show the
 * space. 0 or fail().
 */
static int
edit_or_fail(struct req *r, const struct site_item *it)
{
	const char *path = body_text(r, "path"), *space = body_text(r, "spaceId");
	struct stmt *q = site_space_row(r, it->id);
	/*
	 * Computed before site_space_publishable(), which runs statements that invalidate the row
	 * of q.
	 */
	bool other = space != NULL && strcmp(space, col_text(q, col(q, "space_id"))) != 0;

	/*
	 * Clients may send back all members of an answer, and showing the same space as before
	 * requires no role on it.
	 */
	if (other && site_space_publishable(r, space) == NULL)
		return -1;
	if (other && is_shown(r, it->parent, space))
		return fail(r, E_CONFLICT, "the space %s is shown there already", space);
	q = db_use(r->db, &q_taken_by_other);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":section", it->parent);
	bind_text(q, ":path", path);
	bind_text(q, ":id", it->id);
	return stmt_int(q, 0) == 0 ? 0 : fail(r, E_CONFLICT, "the path %s is taken", path);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId} */
HANDLER(updateSiteSpaceById)
{
	struct site_item it;
	struct stmt *q;

	if (site_item_or_fail(r, SITE_SPACE, path_id(r, "siteSpaceId"), &it) != 0 || edit_or_fail(r, &it) != 0 ||
	    condition_or_fail(r, body_text(r, "condition"), "/condition") != 0)
		return -1;
	q = db_use(r->db, &q_edit);
	bind_body(q, r, "path");
	bind_body(q, r, "condition");
	bind_body(q, r, "spaceId");
	bind_body(q, r, "draft");
	bind_body(q, r, "hidden");
	bind_text(q, ":id", it.id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"siteSpace\":\"%s\"}", it.id));
	return reply_current(r, site_space_row(r, it.id), &SiteSpace);
}

/*
 * If the site space is the default, makes its next sibling the default; after the last one, the
 * first.
 */
static void
pass_default_on(struct req *r, const struct site_item *it)
{
	struct stmt *q = site_space_row(r, it->id);
	struct site_item next = *it;

	if (col_int(q, col(q, "is_default")) == 0)
		return;
	q = db_use(r->db, &q_next);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":section", it->parent);
	bind_text(q, ":ord", it->ord);
	bind_text(q, ":id", it->id);
	if (!stmt_step(q))
		return;
	/* next has the section of `it`: site_space_default() moves the mark within that section. */
	next.id = col_dup(q, 0, r->arena);
	site_space_default(r, &next);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}: the space itself stays. */
HANDLER(deleteSiteSpaceById)
{
	struct site_item it;
	struct stmt *q;

	if (site_item_to_delete(r, SITE_SPACE, "siteSpaceId", &it) != 0)
		return -1;
	/* A section without site spaces would have an address with no content. */
	if (it.parent != NULL && site_spaces_in(r, it.parent) == 1)
		return fail(r, E_CONFLICT, "it is the last site space of its section: delete the section instead");
	pass_default_on(r, &it);
	q = db_use(r->db, &q_delete);
	bind_text(q, ":id", it.id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"siteSpace\":\"%s\",\"deleted\":true}", it.id));
	return reply_empty(r);
}
