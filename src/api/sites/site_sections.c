/*
 * Sections of sites. The site spaces of a section are its variants. Table site_section. Adding the
 * first section moves the site's own site spaces into it. Deleting the last section moves its site
 * spaces back to the site; deleting any other section deletes its site spaces, too.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/lists.h"
#include "api/request_content.h"
#include "api/site_addresses.h"
#include "api/site_sections.h"
#include "api/site_spaces.h"
#include "api/visitor.h"
#include "base/secret.h"
#include "http/req.h"
#include "site.h"


/*
 * The address of the default section does not contain its segment. For a visitor another section
 * may be the default.
 */
static void
emit_published(struct json *j, const struct field *f, const struct row *w)
{
	const char *site = site_address(w);
	const char *shown = visited_address(w->r, row_text(w, "id"), NULL);
	bool plain = row_int(w, "is_default") != 0;
	const char *below = shown != NULL || site == NULL || plain ? NULL :
	    site_item_below(w->r, row_text(w, "site"), row_text(w, "id"));

	if (shown != NULL)
		json_kstr(j, f->name, shown);
	else if (row_int(w, "concealed") != 0)
		return;
	else if (below != NULL)
		json_kstr(j, f->name, arena_printf(w->r->arena, "%s%s", site, below));
	else if (site != NULL)
		json_kstr(j, f->name, arena_printf(w->r->arena, "%s%s%s", site,
		    plain ? "" : row_text(w, "path"), plain ? "" : "/"));
}

static const struct shape SectionUrls = { "SiteSectionUrls", (const struct field[]){
	{ "published", T_TEXT, .emit = emit_published, .doc = "Address where it is published; absent: the site is not published, or this "
	  "is a draft", .example = "https://docs.example.com/sites/acme/handbook/guides/" },
	{ 0 } } };

/* Site spaces of one section, which are few, so that a scan is cheap. */
SQL(q_site_spaces,
    "SELECT " SITE_SPACE_COLS ", 1 AS advanced FROM " SITE_SPACE_FROM
    "WHERE x.section = :section ORDER BY x.ord, x.id /*scan*/");

/*
 * The section's row belongs to another statement, so it stays valid. Sections do not nest, so
 * q_site_spaces is never used again within its own loop.
 */
static void
emit_site_spaces(struct json *j, const struct field *f, const struct row *w)
{
	struct stmt *q = db_use(w->r->db, &q_site_spaces);

	bind_text(q, ":section", row_text(w, "id"));
	json_karr(j, f->name);
	while (stmt_step(q))
		if (visited_item(w->r, col_text(q, col(q, "id"))))
			shape_row(j, &SiteSpace, w->r, q);
	json_end(j);
}

#define ICON .max = 50, .example = "book-open"

const struct shape SiteSection = { "SiteSection", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-section", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_SECTION },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Guides" },
	{ "description", T_TEXT, .doc = "Short description", .example = "How to do things" },
	{ "default", T_BOOL, F_REQ, .emit = site_emit_default, .doc = "true: it is shown first" },
	DRAFT_SHOWN,
	LOCAL_TITLE_SHOWN,
	LOCAL_DESCRIPTION_SHOWN,
	{ "path", T_TEXT, F_REQ, .doc = "Its segment in addresses of the site", .example = "guides" },
	{ "condition", T_TEXT, .emit = site_emit_condition,
	  .doc = "Condition for visitors to see it, as an expression; absent: everybody sees it",
	  .example = "visitor.claims.beta" },
	{ "sectionGroup", T_TEXT, .col = "section_group", .doc = "Id of the group that contains it; absent: none",
	  .example = EXAMPLE_GROUP },
	{ "icon", T_TEXT, .doc = "Name of its icon", .example = "book-open" },
	{ "urls", T_OBJECT, F_REQ, .of = &SectionUrls, .join = "", .doc = "Its addresses" },
	{ "siteSpaces", T_LIST, F_REQ, .of = &SiteSpace, .emit = emit_site_spaces, .doc = "Site spaces of the section" },
	{ 0 } } };
LIST_SHAPE(SiteSectionList, SiteSection);

const struct shape SiteSectionsQuery = { "SiteSectionsQuery", (const struct field[]){ PAGING, SHARE_KEY, { 0 } } };
const struct shape SiteSectionAdd = { "AddSectionToSite", (const struct field[]){
	{ "spaceId", T_TEXT, F_REQ | F_NULL, .max = 100, .doc = "Id of its first space; null: a new one", .example = EXAMPLE_SPACE },
	{ "template", T_OBJECT, .of = &TemplateUse, .doc = "Template whose content a new space begins with" },
	{ "title", T_TEXT, F_NULL, .min = 2, .max = 128, .doc = "Title; absent or null: that of the space",
	  .example = "Guides" },
	{ "icon", T_TEXT, F_NULL, ICON, .doc = "Name of its icon; null: none" },
	DRAFT_SET,
	{ "siteSectionGroupId", T_TEXT, .max = 100, .doc = "Id of the group that it goes into; absent: none", .example = EXAMPLE_GROUP },
	{ 0 } } };
const struct shape SiteSectionEdit = { "UpdateSiteSection", (const struct field[]){
	{ "title", T_TEXT, .min = 2, .max = 128, .doc = "Title", .example = "Guides" },
	{ "path", T_TEXT, SEGMENT, .doc = "Its segment in addresses of the site", .example = "guides" },
	{ "defaultSiteSpace", T_TEXT, .max = 100, .doc = "Id of the site space that is shown first",
	  .example = EXAMPLE_SITE_SPACE },
	{ "condition", T_TEXT, F_NULL, .max = 1024, .example = "visitor.claims.beta",
	  .doc = "Condition for visitors to see it, as an expression; null: everybody sees it" },
	{ "icon", T_TEXT, F_NULL, ICON, .doc = "Name of its icon; null: none" },
	{ "description", T_TEXT, F_NULL, .max = 256, .doc = "Short description; null: none",
	  .example = "How to do things" },
	DRAFT_SET,
	LOCAL_TITLE(F_NULL,),
	LOCAL_DESCRIPTION(F_NULL,),
	{ "siteSectionGroupId", T_TEXT, F_NULL, .max = 100, .doc = "Id of the group that it moves into; null: none", .example = EXAMPLE_GROUP },
	{ 0 } } };

#define COLS \
	"x.id, x.site, x.section_group, x.title, x.description, x.path, x.condition, x.icon, x.draft, x.concealed, x.titles, x.descriptions, " \
	"CASE WHEN x.id = " DEFAULT_SECTION_OF("x.site") " THEN 1 ELSE 0 END AS is_default, " SITE_ADDRESS_COLS " "
#define FROM_ALL "FROM site_section x JOIN site t ON t.id = x.site JOIN org o ON o.id = t.org "
/* :seen is the result of site_seen(). */
#define SEEN "(CAST(:seen AS TEXT) IS NULL OR replace(:seen, ',' || x.id || ',', '') <> :seen) "
SQL(q_seen_count, "SELECT count(*) FROM site_section x WHERE x.site = :site AND " SEEN);
SQL(q_list,
    "SELECT " COLS ", x.ord AS k1, x.id AS k2 " FROM_ALL "WHERE x.site = :site AND " SEEN
    "AND (x.ord, x.id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) ORDER BY x.ord, x.id LIMIT :limit /*scan*/");
SQL(q_one, "SELECT " COLS FROM_ALL "WHERE x.id = :id /*scan*/");
SQL(q_count, "SELECT count(*) FROM site_section WHERE site = :site");
/*
 * A segment is unique in the whole site, also across groups: groups have no segment, so the
 * addresses of all sections are on one level.
 */
SQL(q_taken, "SELECT 1 FROM site_section WHERE site = :site AND path = :path");
SQL(q_taken_by_other, "SELECT 1 FROM site_section WHERE site = :site AND path = :path AND id <> :id");
SQL(q_insert,
    "INSERT INTO site_section (id, site, section_group, title, path, icon, draft, ord) "
    "VALUES (:id, :site, :section_group, :title, :path, :icon, :draft, :ord)");
/*
 * Moves all site spaces, also those of deleted spaces, since a site has either site spaces of its
 * own or sections (site.h).
 */
SQL(q_take_over, "UPDATE site_space SET section = :section WHERE site = :site AND section IS NULL");
SQL(q_give_back, "UPDATE site_space SET section = NULL WHERE section = :id");
SQL(q_retitle, "UPDATE site_section SET title = :title, path = :path WHERE id = :id");
SQL(q_has_space, "SELECT 1 FROM site_space WHERE section = :section AND space = :space");
SQL(q_edit,
    "UPDATE site_section SET title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "path = CASE WHEN :has_path = 1 THEN :path ELSE path END, "
    "condition = CASE WHEN :has_condition = 1 THEN NULLIF(:condition, '') ELSE condition END, "
    "icon = CASE WHEN :has_icon = 1 THEN NULLIF(:icon, '') ELSE icon END, "
    "description = CASE WHEN :has_description = 1 THEN NULLIF(:description, '') ELSE description END, "
    "titles = CASE WHEN :has_titles = 1 THEN :titles ELSE titles END, "
    "descriptions = CASE WHEN :has_descriptions = 1 THEN :descriptions ELSE descriptions END, "
    "draft = CASE WHEN :has_draft = 1 THEN :draft ELSE draft END "
    "WHERE id = :id");
SQL(q_unmark, "UPDATE site_section SET is_default = 0 WHERE site = :site AND is_default = 1");
SQL(q_mark, "UPDATE site_section SET is_default = 1 WHERE id = :id");
SQL(q_next,
    "SELECT id FROM site_section WHERE site = :site AND (ord, id) > (:ord, :id) ORDER BY ord, id LIMIT 1");
SQL(q_delete, "DELETE FROM site_section WHERE id = :id");

struct stmt *
site_section_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	return stmt_step(q) ? q : NULL;
}

/* Returns 0 if the site has no sections, and so site spaces of its own. */
int64_t
site_sections(struct req *r)
{
	struct stmt *q = db_use(r->db, &q_count);

	bind_text(q, ":site", r->site.id);
	return stmt_int(q, 0);
}

/* The mark is cleared first, so that two rows are never marked. */
void
site_section_default(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_unmark);

	bind_text(q, ":site", r->site.id);
	stmt_run(q);
	q = db_use(r->db, &q_mark);
	bind_text(q, ":id", id);
	stmt_run(q);
}

/* GET /orgs/{organizationId}/sites/{siteId}/sections */
HANDLER(listSiteSections)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	share_key_take(r);
	if (visit_as_reader(r) != 0 || list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_seen_count);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":seen", site_seen(r));
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_list);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":seen", site_seen(r));
	list_bind(q, &l);
	return list_reply(r, &l, q, &SiteSection, count);
}

/* Runs a statement with the parameters :section and :site. */
static void
run_for_section(struct req *r, const struct sql *sql, const char *section)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":section", section);
	bind_text(q, ":site", r->site.id);
	stmt_run(q);
}

/* Adds the space to the section, unless q_take_over has moved it there already. 0 or fail(). */
static int
add_first_space(struct req *r, const char *section, const char *space)
{
	struct stmt *q = db_use(r->db, &q_has_space);

	bind_text(q, ":section", section);
	bind_text(q, ":space", space);
	return stmt_int(q, 0) == 1 || site_space_add(r, section, space, false) != NULL ? 0 : -1;
}

/* Sets title and segment. */
static void
set_title(struct req *r, const char *section, const char *title)
{
	struct stmt *q = db_use(r->db, &q_retitle);

	bind_text(q, ":title", title);
	bind_text(q, ":path", site_segment(r, r->site.id, title, &q_taken));
	bind_text(q, ":id", section);
	stmt_run(q);
}

/* If n->title is NULL, the section gets the title of the space. */
char *
site_section_add(struct req *r, const struct site_section_new *n)
{
	/*
	 * Checked even if the site shows the space already and q_take_over moves it: the answer
	 * contains the title of the space.
	 */
	const char *title = site_space_publishable(r, n->space);
	/* Counted before the insert, so that the new section is not counted. */
	bool first = site_sections(r) == 0;
	char *id = secret_id(r->arena), *ord = site_place(r, false, n->group);
	struct stmt *q;

	if (title == NULL)
		return NULL;
	q = db_use(r->db, &q_insert);
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":title", "");
	/*
	 * The id is a unique placeholder for the segment. set_title() sets title and segment later,
	 * since the title of the space must not be used before add_first_space() has checked that
	 * the caller may show the space.
	 */
	bind_text(q, ":path", id);
	/* Clients send both "" and null for no icon. */
	bind_text(q, ":icon", n->icon != NULL && *n->icon != '\0' ? n->icon : NULL);
	bind_text(q, ":section_group", n->group);
	bind_int(q, ":draft", n->draft);
	bind_text(q, ":ord", ord);
	stmt_run(q);
	if (first)
		/*
		 * Run before add_first_space(), so that a space that the site shows already is in
		 * the section then, and is not added again.
		 */
		run_for_section(r, &q_take_over, id);
	if (add_first_space(r, id, n->space) != 0)
		return NULL;
	set_title(r, id, n->title != NULL ? n->title : title);
	site_changed(r, arena_printf(r->arena, "{\"siteSection\":\"%s\",\"added\":true}", id));
	return id;
}

/* POST /orgs/{organizationId}/sites/{siteId}/sections */
HANDLER(addSectionToSite)
{
	struct site_section_new n = { .space = body_text(r, "spaceId"), .title = body_text(r, "title"),
		.icon = body_text(r, "icon"), .group = body_text(r, "siteSectionGroupId"),
		.draft = cJSON_IsTrue(body_get(r, "draft")) };
	struct site_item in;
	char *id;

	if ((n.group != NULL && site_item_or_fail(r, SITE_GROUP, n.group, &in) != 0) ||
	    (n.space = site_new_space(r, n.space, n.title)) == NULL || (id = site_section_add(r, &n)) == NULL)
		return -1;
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/sections/%s", r->org.id, r->site.id, id));
	return reply_current(r, site_section_row(r, id), &SiteSection);
}

/*
 * Checks the body and sets the default site space. If a later check fails, the transaction is
 * rolled back. 0 or fail().
 */
static int
edit_or_fail(struct req *r, const struct site_item *it)
{
	const char *space = body_text(r, "defaultSiteSpace");
	struct stmt *q = db_use(r->db, &q_taken_by_other);
	struct site_item in;

	bind_text(q, ":site", r->site.id);
	bind_text(q, ":path", body_text(r, "path"));
	bind_text(q, ":id", it->id);
	if (stmt_int(q, 0) == 1)
		return fail(r, E_CONFLICT, "the path %s is taken", body_text(r, "path"));
	if (space == NULL)
		return 0;
	if (site_item_or_fail(r, SITE_SPACE, space, &in) != 0)
		return -1;
	/* A site space of another section cannot be the default. */
	if (in.parent == NULL || strcmp(in.parent, it->id) != 0)
		return fail_field(r, "/defaultSiteSpace", "is not a site space of this section");
	site_space_default(r, &in);
	return 0;
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId} */
HANDLER(updateSiteSectionById)
{
	static const char *const members[] = { "title", "path", "condition", "icon", "description", "draft" };
	struct site_item it;
	struct stmt *q;
	size_t i;

	if (site_item_or_fail(r, SITE_SECTION, path_id(r, "siteSectionId"), &it) != 0 ||
	    edit_or_fail(r, &it) != 0 || condition_or_fail(r, body_text(r, "condition"), "/condition") != 0)
		return -1;
	q = db_use(r->db, &q_edit);
	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		/* bind_body() also binds :has_NAME, so that absent members keep their value. */
		bind_body(q, r, members[i]);
	site_bind_texts(q, r, "localizedTitle", "titles");
	site_bind_texts(q, r, "localizedDescription", "descriptions");
	bind_text(q, ":id", it.id);
	stmt_run(q);
	if (body_has(r, "siteSectionGroupId") && site_into_or_fail(r, &it, body_text(r, "siteSectionGroupId")) != 0)
		return -1;
	site_changed(r, arena_printf(r->arena, "{\"siteSection\":\"%s\"}", it.id));
	return reply_current(r, site_section_row(r, it.id), &SiteSection);
}

/*
 * If the section is the default one, makes its next sibling the default; after the last section,
 * the first.
 */
static void
pass_default_on(struct req *r, const struct site_item *it)
{
	struct stmt *q = site_section_row(r, it->id);
	const char *next;

	if (col_int(q, col(q, "is_default")) == 0)
		return;
	q = db_use(r->db, &q_next);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":ord", it->ord);
	bind_text(q, ":id", it->id);
	if (!stmt_step(q))
		return;
	next = col_dup(q, 0, r->arena);
	site_section_default(r, next);
}

/* Runs a statement with the parameter :id only. */
static void
run_for_id(struct req *r, const struct sql *sql, const char *id)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", id);
	stmt_run(q);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId} */
HANDLER(deleteSiteSectionById)
{
	struct site_item it;

	if (site_item_to_delete(r, SITE_SECTION, "siteSectionId", &it) != 0)
		return -1;
	pass_default_on(r, &it);
	/*
	 * The site spaces of the last section are moved to the site, since the cascade would delete
	 * them. Any other section is deleted with its site spaces.
	 */
	if (site_sections(r) == 1)
		run_for_id(r, &q_give_back, it.id);
	run_for_id(r, &q_delete, it.id);
	site_changed(r, arena_printf(r->arena, "{\"siteSection\":\"%s\",\"deleted\":true}", it.id));
	return reply_empty(r);
}
