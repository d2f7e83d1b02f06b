/*
 * External links: entries of a site's navigation with an address outside of the site. They are
 * among its sections and groups, and share their order. Table site_external_link. A site without
 * sections cannot have external links.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/site_links.h"
#include "api/site_spaces.h"
#include "base/secret.h"
#include "http/req.h"
#include "site.h"

#define TITLE(flags_) { "title", T_TEXT, flags_, .min = 2, .max = 128, .doc = "Title", .example = "Status" }
#define DESCRIPTION(...) { "description", T_TEXT, __VA_ARGS__ .max = 256, .doc = "Short description", .example = "How things are" }
#define ICON(...) { "icon", T_TEXT, __VA_ARGS__ .max = 50, .doc = "Name of its icon", .example = "signal" }
#define URL(flags_) { "url", T_URI, flags_, .max = 2048, .doc = "Target of the link", .example = "https://status.example.com/" }
#define CONDITION(...) { "condition", T_TEXT, __VA_ARGS__ .max = 1024, \
	.doc = "Condition for visitors to see it, as an expression; absent or null: everybody sees it", .example = "visitor.claims.beta" }

const struct shape SiteExternalLink = { "SiteExternalLink", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "site-external-link", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_EXTERNAL_LINK },
	TITLE(F_REQ),
	LOCAL_TITLE_SHOWN,
	DESCRIPTION(),
	LOCAL_DESCRIPTION_SHOWN,
	ICON(),
	URL(F_REQ),
	{ "sectionGroup", T_TEXT, .col = "section_group", .doc = "Id of the group that contains it; absent: none",
	  .example = EXAMPLE_GROUP },
	DRAFT_SHOWN,
	CONDITION(.emit = site_emit_condition,),
	{ 0 } } };
#define PARENT(flags_) { "parent", T_TEXT, flags_, .max = 100, .doc = "Id of the group that it is in; absent or null: none", \
	.example = EXAMPLE_GROUP }
const struct shape SiteExternalLinkAdd = { "AddExternalLinkToSite", (const struct field[]){
	TITLE(F_REQ), LOCAL_TITLE(), DESCRIPTION(F_NULL,), LOCAL_DESCRIPTION(F_NULL,), ICON(F_NULL,), URL(F_REQ), PARENT(0), DRAFT_SET,
	CONDITION(F_NULL,),
	{ 0 } } };
const struct shape SiteExternalLinkEdit = { "UpdateSiteExternalLink", (const struct field[]){
	TITLE(0), LOCAL_TITLE(F_NULL,), DESCRIPTION(F_NULL,), LOCAL_DESCRIPTION(F_NULL,), ICON(F_NULL,), URL(0), PARENT(F_NULL), DRAFT_SET,
	CONDITION(F_NULL,),
	{ 0 } } };

SQL(q_one,
    "SELECT id, section_group, title, titles, description, descriptions, icon, url, draft, condition "
    "FROM site_external_link WHERE id = :id");
SQL(q_insert,
    "INSERT INTO site_external_link (id, site, section_group, title, url, ord) "
    "VALUES (:id, :site, :parent, :title, :url, :ord)");
SQL(q_edit,
    "UPDATE site_external_link SET title = CASE WHEN :has_title = 1 THEN :title ELSE title END, "
    "titles = CASE WHEN :has_titles = 1 THEN :titles ELSE titles END, "
    "description = CASE WHEN :has_description = 1 THEN NULLIF(:description, '') ELSE description END, "
    "descriptions = CASE WHEN :has_descriptions = 1 THEN :descriptions ELSE descriptions END, "
    "icon = CASE WHEN :has_icon = 1 THEN NULLIF(:icon, '') ELSE icon END, "
    "url = CASE WHEN :has_url = 1 THEN :url ELSE url END, "
    "draft = CASE WHEN :has_draft = 1 THEN :draft ELSE draft END, "
    "condition = CASE WHEN :has_condition = 1 THEN NULLIF(:condition, '') ELSE condition END WHERE id = :id");
SQL(q_delete, "DELETE FROM site_external_link WHERE id = :id");

struct stmt *
site_link_row(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_text(q, ":id", id);
	return stmt_step(q) ? q : NULL;
}

/* Writes the members that the body has; all others keep their value. */
static void
write_members(struct req *r, const char *id)
{
	static const char *const members[] = { "title", "description", "icon", "url", "draft", "condition" };
	struct stmt *q = db_use(r->db, &q_edit);
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		bind_body(q, r, members[i]);
	site_bind_texts(q, r, "localizedTitle", "titles");
	site_bind_texts(q, r, "localizedDescription", "descriptions");
	bind_text(q, ":id", id);
	stmt_run(q);
}

/* POST /orgs/{organizationId}/sites/{siteId}/external-links */
HANDLER(addExternalLinkToSite)
{
	const char *parent = body_text(r, "parent"), *id = secret_id(r->arena);
	struct site_item in;
	struct stmt *q;
	char *ord;

	if ((parent != NULL && site_item_or_fail(r, SITE_GROUP, parent, &in) != 0) ||
	    condition_or_fail(r, body_text(r, "condition"), "/condition") != 0)
		return -1;
	if (site_sections(r) == 0)
		return fail(r, E_BAD_REQUEST, "external links are listed among the sections of a site, and this site has no sections: add one first");
	ord = site_place(r, false, parent);
	q = db_use(r->db, &q_insert);
	bind_text(q, ":id", id);
	bind_text(q, ":site", r->site.id);
	bind_text(q, ":parent", parent);
	bind_text(q, ":title", body_text(r, "title"));
	bind_text(q, ":url", body_text(r, "url"));
	bind_text(q, ":ord", ord);
	stmt_run(q);
	write_members(r, id);
	site_changed(r, arena_printf(r->arena, "{\"externalLink\":\"%s\",\"added\":true}", id));
	reply_created(r, arena_printf(r->arena, "/orgs/%s/sites/%s/external-links/%s", r->org.id, r->site.id, id));
	return reply_current(r, site_link_row(r, id), &SiteExternalLink);
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId} */
HANDLER(updateSiteExternalLinkById)
{
	struct site_item it;

	if (site_item_or_fail(r, SITE_LINK, path_id(r, "siteExternalLinkId"), &it) != 0 ||
	    condition_or_fail(r, body_text(r, "condition"), "/condition") != 0 ||
	    (body_has(r, "parent") && site_into_or_fail(r, &it, body_text(r, "parent")) != 0))
		return -1;
	write_members(r, it.id);
	site_changed(r, arena_printf(r->arena, "{\"externalLink\":\"%s\"}", it.id));
	return reply_current(r, site_link_row(r, it.id), &SiteExternalLink);
}

/* DELETE /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId} */
HANDLER(deleteSiteExternalLinkById)
{
	struct site_item it;
	struct stmt *q;

	if (site_item_to_delete(r, SITE_LINK, "siteExternalLinkId", &it) != 0)
		return -1;
	q = db_use(r->db, &q_delete);
	bind_text(q, ":id", it.id);
	stmt_run(q);
	site_changed(r, arena_printf(r->arena, "{\"externalLink\":\"%s\",\"deleted\":true}", it.id));
	return reply_empty(r);
}
