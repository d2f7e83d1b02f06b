/*
 * Groups of sections, which may be nested. Table site_section_group. When a group is deleted, the
 * items in it move to its place.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/lists.h"
#include "api/published.h"
#include "api/site_groups.h"
#include "api/site_links.h"
#include "api/site_sections.h"
#include "api/visitor.h"
#include "base/secret.h"
#include "http/req.h"
#include "store/content.h"
#include "site.h"

/* Declared here, since the shape and its emitters refer to each other. */
static void emit_sections(struct json *j, const struct field *f, const struct row *w);
static void emit_children(struct json *j, const struct field *f, const struct row *w);

/*
 * The emitters write nested groups with this same shape, which invalidates the row
 * (site_group_row()). So they come last, when all columns have been written.
 */
const struct shape SiteSectionGroup = { "SiteSectionGroup", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-section-group", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_GROUP },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Products" },
	{ "sectionGroup", T_TEXT, .col = "parent", .doc = "Id of the group that contains it; absent: none",
	  .example = "z8QnH5vKxTc2LwRb9MgP" },
	{ "icon", T_TEXT, .doc = "Name of its icon", .example = "cube" },
	DRAFT_SHOWN,
	LOCAL_TITLE_SHOWN,
	{ "sections", T_LIST, F_REQ, .of = &SiteSection, .emit = emit_sections, .doc = "Its sections" },
	{ "children", T_LIST, F_REQ, .of = &SiteGroupChild, .emit = emit_children,
	  .doc = "Its sections, groups and external links in their order" },
	{ 0 } } };
const struct shape SiteGroupChild = { "SiteGroupChild", NULL,
	(const struct shape *const[]){ &SiteSection, &SiteSectionGroup, &SiteExternalLink, NULL } };
LIST_SHAPE(SiteSectionGroupList, SiteSectionGroup);

#define ICON .max = 50, .example = "cube"
static const struct field section_id = { "section", T_TEXT, .max = 100, .doc = "Id of a section",
	.example = EXAMPLE_SECTION };
const struct shape SiteGroupCreate = { "AddSectionGroupToSite", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Title", .example = "Products" },
	{ "icon", T_TEXT, F_NULL, ICON, .doc = "Name of its icon; null: none" },
	{ "sections", T_LIST, .item = &section_id, .max = 100, .doc = "Sections that go into it" },
	{ "parent", T_TEXT, .max = 100, .doc = "Id of the group that contains it; absent: none",
	  .example = "z8QnH5vKxTc2LwRb9MgP" },
	DRAFT_SET,
	{ 0 } } };
const struct shape SiteGroupEdit = { "UpdateSiteSectionGroup", (const struct field[]){
	{ "title", T_TEXT, .min = 1, .max = 100, .doc = "Title", .example = "Products" },
	{ "icon", T_TEXT, F_NULL, ICON, .doc = "Name of its icon; null: none" },
	DRAFT_SET,
	LOCAL_TITLE(F_NULL,),
	{ "parentSectionGroupId", T_TEXT, F_NULL, .max = 100, .doc = "Id of the group that it moves into; null: none",
	  .example = "z8QnH5vKxTc2LwRb9MgP" },
	{ 0 } } };
const struct shape SiteGroupAddSection = { "AddSectionToGroup", (const struct field[]){
	{ "sectionId", T_TEXT, F_REQ, .max = 100, .doc = "Id of the section", .example = EXAMPLE_SECTION },
	{ 0 } } };

/* Groups have no segment, condition or default: they only arrange sections in menus. */
#define COLS "id, parent, title, titles, icon, draft "
/* All groups of the site at any level, ordered by the index site_section_group_site. */
SQL(q_list,
    "SELECT " COLS ", ord AS k1, id AS k2 FROM site_section_group WHERE site = :site "
    "AND (ord, id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) ORDER BY ord, id LIMIT :limit");
/* The size of the array in listSiteSectionGroups(), so it must count exactly the rows of q_list. */
SQL(q_count, "SELECT count(*) FROM site_section_group WHERE site = :site");
SQL(q_one, "SELECT " COLS "FROM site_section_group WHERE id = :id");
SQL(q_insert,
    "INSERT INTO site_section_group (id, site, parent, title, icon, draft, ord) "
    "VALUES (:id, :site, :parent, :title, :icon, :draft, :ord)");
SQL(q_edit,
    "UPDATE site_section_group SET title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "icon = CASE WHEN :has_icon = 1 THEN NULLIF(:icon, '') ELSE icon END, "
    "titles = CASE WHEN :has_titles = 1 THEN :titles ELSE titles END, "
    "draft = CASE WHEN :has_draft = 1 THEN :draft ELSE draft END WHERE id = :id");
SQL(q_delete, "DELETE FROM site_section_group WHERE id = :id");

/* Writing a nested group invalidates the row, since both use q_one: callers must read the columns before. */
struct stmt *
site_group_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	return stmt_step(q) ? q : NULL;
}

/*
 * Writes the member `sections`; emit_children() writes `children`. Each of the two API descriptions
 * has one of them, and answers have both (docs/design/requests.md, "Two descriptions"). Both
 * contain only direct children: nested groups list their own.
 */
static void
emit_sections(struct json *j, const struct field *f, const struct row *w)
{
	struct site_item *it = site_children(w->r, row_text(w, "id"));

	json_karr(j, f->name);
	for (; it->id != NULL; it++)
		if (it->kind == SITE_SECTION && visited_item(w->r, it->id))
			shape_row(j, &SiteSection, w->r, site_section_row(w->r, it->id));
	json_end(j);
}

/*
 * Writes a link, except in the answer for the open-source renderer (PublishedSite): this renderer
 * takes every item that is not a section for a group, and fails at a link
 * (docs/design/renderer.md).
 */
static void
write_link(struct req *r, struct json *j, const char *id)
{
	if (r->route->reply != &PublishedSite)
		shape_row(j, &SiteExternalLink, r, site_link_row(r, id));
}

/*
 * Recurses through the shape of groups, at most SITE_GROUP_DEPTH levels. Items that a visitor may
 * not see are skipped with their descendants.
 */
void
site_children_json(struct req *r, struct json *j, const char *group)
{
	struct site_item *it;

	for (it = site_children(r, group); it->id != NULL; it++) {
		if (!visited_item(r, it->id))
			continue;
		if (it->kind == SITE_SECTION)
			shape_row(j, &SiteSection, r, site_section_row(r, it->id));
		else if (it->kind == SITE_LINK)
			write_link(r, j, it->id);
		else
			shape_row(j, &SiteSectionGroup, r, site_group_row(r, it->id));
	}
}

static void
emit_children(struct json *j, const struct field *f, const struct row *w)
{
	/* Copied, since nested groups reuse the row's statement. */
	char *id = arena_strdup(w->r->arena, row_text(w, "id"));

	json_karr(j, f->name);
	site_children_json(w->r, j, id);
	json_end(j);
}

/* GET /orgs/{organizationId}/sites/{siteId}/section-groups: nested groups included. */
HANDLER(listSiteSectionGroups)
{
	struct stmt *q = db_use(r->db, &q_count);
	struct list l;
	int64_t count, shown = 0;
	const char *last[2] = { NULL };
	struct site_item *list, *it;

	if (list_open(r, &l, 2) != 0)
		return -1;
	bind_text(q, ":site", r->site.id);
	count = stmt_int(q, 0);
	/* Read all rows first: writing a group uses the same statements. */
	list = arena_alloc(r->arena, ((size_t)count + 1) * sizeof(*list));
	q = db_use(r->db, &q_list);
	bind_text(q, ":site", r->site.id);
	list_bind(q, &l);
	for (it = list; stmt_step(q); it++)
		*it = (struct site_item){ SITE_GROUP, col_dup(q, col(q, "k2"), r->arena),
		    col_dup(q, col(q, "k1"), r->arena), NULL };
	it->id = NULL;
	list_begin(r, &l);
	for (it = list; it->id != NULL && shown < l.limit; it++, shown++) {
		shape_row(&r->json, &SiteSectionGroup, r, site_group_row(r, it->id));
		/* The page token contains the keys of the last group shown, as in list_reply(). */
		last[0] = it->ord;
		last[1] = it->id;
	}
	/*
	 * One row more than shown was read. If the loop stopped before the end of the array, a next
	 * page exists.
	 */
	list_end(r, &l, count, it->id != NULL && l.limit > 0 ? last : NULL);
	return 0;
}

/* Moves the sections of the body into the group, in the order of the body. 0 or fail(). */
static int
take_sections(struct req *r, const char *group)
{
	const cJSON *v;
	struct site_item it;

	cJSON_ArrayForEach(v, body_get(r, "sections")) {
		if (site_item_or_fail(r, SITE_SECTION, v->valuestring, &it) != 0)
			return -1;
		/*
		 * A section is in at most one group, so this also removes it from its former group.
		 */
		site_put(r, &it, group, site_place(r, false, group));
	}
	return 0;
}

static int
reply_group(struct req *r, const char *id)
{
	return reply_current(r, site_group_row(r, id), &SiteSectionGroup);
}

/* POST /orgs/{organizationId}/sites/{siteId}/section-groups */
HANDLER(addSectionGroupToSite)
{
	const char *parent = body_text(r, "parent"), *icon = body_text(r, "icon");
	char *id = secret_id(r->arena), *ord;
	struct site_item in;
	struct stmt *q;

	if (parent != NULL && site_item_or_fail(r, SITE_GROUP, parent, &in) != 0)
		return -1;
	/*
	 * Answers are written by recursion into groups, so their nesting is limited. A new group
	 * contains only sections, so it adds one level.
	 */
	if (site_group_depth(r, parent) + 1 > SITE_GROUP_DEPTH)
		return fail_field(r, "/parent", "is too deep: groups nest %d levels at most", SITE_GROUP_DEPTH);
	ord = site_place(r, false, parent);
	q = db_use(r->db, &q_insert);
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":parent", parent);
	bind_text(q, ":title", body_text(r, "title"));
	bind_text(q, ":icon", icon != NULL && *icon != '\0' ? icon : NULL);
	bind_int(q, ":draft", cJSON_IsTrue(body_get(r, "draft")));
	bind_text(q, ":ord", ord);
	stmt_run(q);
	if (take_sections(r, id) != 0)
		return -1;
	site_changed(r, arena_printf(r->arena, "{\"sectionGroup\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/section-groups/%s", r->org.id, r->site.id, id));
	return reply_group(r, id);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId} */
HANDLER(updateSiteSectionGroupById)
{
	struct site_item it;
	struct stmt *q;

	if (site_item_or_fail(r, SITE_GROUP, path_id(r, "siteSectionGroupId"), &it) != 0)
		return -1;
	q = db_use(r->db, &q_edit);
	bind_body(q, r, "title");
	bind_body(q, r, "icon");
	bind_body(q, r, "draft");
	site_bind_texts(q, r, "localizedTitle", "titles");
	bind_text(q, ":id", it.id);
	stmt_run(q);
	if (body_has(r, "parentSectionGroupId") && site_into_or_fail(r, &it, body_text(r, "parentSectionGroupId")) != 0)
		return -1;
	site_changed(r, arena_printf(r->arena, "{\"sectionGroup\":\"%s\"}", it.id));
	return reply_group(r, it.id);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId} */
HANDLER(deleteSiteSectionGroupById)
{
	struct site_item it, *in;
	struct stmt *q;
	size_t n = 0, i;
	char **keys;

	if (site_item_to_delete(r, SITE_GROUP, "siteSectionGroupId", &it) != 0)
		return -1;
	in = site_children(r, it.id);
	/* site_children() ends its array with an item without id. */
	while (in[n].id != NULL)
		n++;
	/*
	 * The children get order keys between the group and its next sibling. This is done before
	 * the deletion: their references to the group have no ON DELETE.
	 */
	keys = order_key_fill(r->arena, it.ord, site_next_ord(r, &it), n);
	for (i = 0; i < n; i++)
		site_put(r, &in[i], it.parent, keys[i]);
	q = db_use(r->db, &q_delete);
	bind_text(q, ":id", it.id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"sectionGroup\":\"%s\",\"deleted\":true}", it.id));
	return reply_empty(r);
}

/* POST /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections */
HANDLER(addSectionToGroup)
{
	struct site_item group, it;

	if (site_item_or_fail(r, SITE_GROUP, path_id(r, "siteSectionGroupId"), &group) != 0 ||
	    site_item_or_fail(r, SITE_SECTION, body_text(r, "sectionId"), &it) != 0)
		return -1;
	/* A move that changes nothing is refused (docs/design/requests.md, "Conflicts"). */
	if (it.parent != NULL && strcmp(it.parent, group.id) == 0)
		return fail(r, E_CONFLICT, "the section is in that group already");
	site_put(r, &it, group.id, site_place(r, false, group.id));
	site_changed(r, arena_printf(r->arena, "{\"sectionGroup\":\"%s\",\"siteSection\":\"%s\"}", group.id, it.id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/section-groups/%s", r->org.id, r->site.id,
	    group.id));
	return reply_group(r, group.id);
}

/*
 * DELETE …/section-groups/{siteSectionGroupId}/sections/{siteSectionId}: the section moves up one
 * level, directly after the group.
 */
HANDLER(removeSectionFromGroup)
{
	struct site_item group, it;

	/*
	 * An unknown group or section answers 204, too; both must belong to the site of the path.
	 */
	if (site_item_to_delete(r, SITE_GROUP, "siteSectionGroupId", &group) != 0 ||
	    site_item_to_delete(r, SITE_SECTION, "siteSectionId", &it) != 0)
		return -1;
	/* The answer is 204 even if the section was never in the group (docs/design/requests.md, "DELETE"). */
	if (it.parent == NULL || strcmp(it.parent, group.id) != 0)
		return reply_empty(r);
	/* The section is placed directly after its former group, where users expect it, and not at the end. */
	site_put(r, &it, group.parent, order_key_between(r->arena, group.ord, site_next_ord(r, &group)));
	site_changed(r, arena_printf(r->arena, "{\"siteSection\":\"%s\",\"sectionGroup\":null}", it.id));
	return reply_empty(r);
}
