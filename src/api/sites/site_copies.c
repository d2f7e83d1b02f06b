/*
 * Makes spaces for a site: a copy of a space that the site shows, beside its source; and, at the top
 * level of the organization, new spaces and those of the template for sites.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/access_rules.h"
#include "api/request_content.h"
#include "api/site_copies.h"
#include "api/site_spaces.h"
#include "api/spaces.h"
#include "http/req.h"
#include "site.h"

const struct shape SiteSpaceDuplicate = { "DuplicateSiteSpace", (const struct field[]){
	{ "draft", T_BOOL, .preset = "false", .doc = "The copy, or its new section, is a draft" },
	{ 0 } } };

SQL(q_source, "SELECT space FROM site_space WHERE id = :id");
SQL(q_in_section, "SELECT id FROM site_space WHERE section = :section AND space = :space");
SQL(q_group, "SELECT section_group FROM site_section WHERE id = :id");
SQL(q_any, "SELECT 1 FROM site_space WHERE site = :site LIMIT 1");

/* The sections that the template gives a site, each with one space. */
static const struct { const char *title, *template, *icon; } documentation[] = {
	{ "Documentation", "product-docs", "book-open" }, { "Changelog", "changelog", "clock-rotate-left" } };

/*
 * Shows the copy on the site. If the source is the only space of its section, the copy gets a new
 * section in the same group; else it becomes another variant in the source's section. Returns the
 * id of the new site space; NULL after fail().
 */
static const char *
place_copy(struct req *r, const struct site_item *source, const char *space)
{
	bool draft = cJSON_IsTrue(body_get(r, "draft"));
	struct site_section_new n = { .space = space, .draft = draft };
	const char *section, *id;
	struct stmt *q;

	if (source->parent == NULL || site_spaces_in(r, source->parent) > 1) {
		id = site_space_add(r, source->parent, space, draft);
		if (id != NULL)
			site_changed(r, arena_printf(r->arena, "{\"siteSpace\":\"%s\",\"added\":true}", id));
		return id;
	}
	q = db_use(r->db, &q_group);
	bind_text(q, ":id", source->parent);
	n.group = stmt_dup(q, r->arena);
	section = site_section_add(r, &n);
	if (section == NULL)
		return NULL;
	q = db_use(r->db, &q_in_section);
	bind_text(q, ":section", section);
	bind_text(q, ":space", space);
	return stmt_dup(q, r->arena);
}

/* POST /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/duplicate */
HANDLER(duplicateSiteSpace)
{
	const char *copy, *id;
	struct site_item it;
	struct stmt *q;

	if (site_item_or_fail(r, SITE_SPACE, path_id(r, "siteSpaceId"), &it) != 0)
		return -1;
	q = db_use(r->db, &q_source);
	bind_text(q, ":id", it.id);
	id = stmt_dup(q, r->arena);
	/*
	 * As in duplicateSpace, the caller needs the role create on the space and on its parent, in
	 * which the copy is created. site_space_publishable() and space_duplicate() check this.
	 */
	if (site_space_publishable(r, id) == NULL || space_enter(r, id) != 0 || space_duplicate(r, &copy) != 0)
		return -1;
	space_kept(r, copy);
	if ((id = place_copy(r, &it, copy)) == NULL)
		return -1;
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/site-spaces/%s", r->org.id, r->site.id, id));
	return reply_current(r, site_space_row(r, id), &SiteSpace);
}

/* Makes section i of the table documentation, with a space from its template. 0 or fail(). */
static int
add_documentation(struct req *r, size_t i)
{
	struct space_new n = { .org = r->org.id, .author = r->who.user, .title = documentation[i].title };
	struct site_section_new section = { .title = documentation[i].title, .icon = documentation[i].icon };
	char *id = space_add(r, &n);

	section.space = id;
	space_kept(r, id);
	return space_enter(r, id) != 0 || space_from_template(r, documentation[i].template, NULL) != 0 ||
	    site_section_add(r, &section) == NULL ? -1 : 0;
}

/* POST /orgs/{organizationId}/sites/{siteId}/template */
HANDLER(applyTemplateToSite)
{
	struct stmt *q = db_use(r->db, &q_any);
	size_t i;

	bind_text(q, ":site", r->site.id);
	if (stmt_int(q, 0) == 1)
		return fail(r, E_CONFLICT, "the site shows spaces already: the template is for a site without any");
	if (container_or_fail(r, r->org.id, NULL) != 0)
		return -1;
	for (i = 0; i < sizeof(documentation) / sizeof(documentation[0]); i++)
		if (add_documentation(r, i) != 0)
			return -1;
	return reply_empty(r);
}
