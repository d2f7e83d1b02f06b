/*
 * Lists the conditions of a site that do not parse, fail when evaluated, or hide their item from
 * every visitor: those of its site spaces and sections, and of header links in customizations.
 * condition_or_fail() refuses conditions that do not parse. The other faults cause no error when a
 * site is read, only hidden items, so the owner learns of them from this list.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/lists.h"
#include "api/made_lists.h"
#include "api/site_faults.h"
#include "audience/condition_faults.h"
#include "audience/visit.h"
#include "http/req.h"
#include "site.h"

static const struct shape FaultyItem = { "SiteExpressionFaultItem", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "The site, section or site space", .example = EXAMPLE_SITE_SPACE },
	{ "kind", T_ENUM, F_REQ, .set = "site,site-section,site-space", .doc = "Which of them it is" },
	{ "path", T_TEXT, .doc = "Its segment in the address; absent: the site", .example = "v2" },
	{ 0 } } };
static const struct shape SiteExpressionFault = { "SiteExpressionFault", (const struct field[]){
	{ "item", T_OBJECT, F_REQ, .of = &FaultyItem, .doc = "Object that has the expression" },
	{ "place", T_ENUM, F_REQ, .set = "condition,header-link",
	  .doc = "condition: condition of the section or site space; header-link: condition of a header link in the customization" },
	{ "link", T_INT, .doc = "Index of the header link, from 0; absent: the condition of a section or site space", .example = "0" },
	{ "title", T_TEXT, .doc = "Text of that link", .example = "Support" },
	{ "expression", T_TEXT, F_REQ, .doc = "The expression as it is written", .example = "plan == \"pro\"" },
	{ "message", T_TEXT, F_REQ, .doc = "What is wrong with the expression", .example = "\"plan\" is not known here" },
	{ 0 } } };
LIST_SHAPE(SiteExpressionFaultList, SiteExpressionFault);

/*
 * Items that have a condition or a customization of their own, in the order that fault_list_takes()
 * requires. Site spaces of deleted spaces are left out.
 */
SQL(q_items,
    "SELECT 'site' AS kind, id, NULL AS path, NULL AS condition, customization FROM site "
    "WHERE id = :site AND customization IS NOT NULL "
    "UNION ALL SELECT 'site-section', id, path, condition, NULL FROM site_section "
    "WHERE site = :site AND condition IS NOT NULL "
    "UNION ALL SELECT 'site-space', x.id, x.path, x.condition, x.customization FROM site_space x "
    "JOIN space s ON s.id = x.space WHERE x.site = :site AND s.deleted_at IS NULL "
    "AND (x.condition IS NOT NULL OR x.customization IS NOT NULL) ORDER BY 2 /*scan*/");

SQL(q_adaptive, "SELECT adaptive FROM site WHERE id = :site");

/* A row of q_items, while its conditions are checked. */
struct item {
	const char *kind, *id, *path;
	int64_t     n;          /* faults found so far */
};

struct walk {
	struct fault_list list;
	struct visit      v;
};

static void
write_fault(struct json *j, const struct item *it, int64_t link, const char *title, const char *condition, const char *why)
{
	json_obj(j);
	json_kobj(j, "item");
	json_kstr(j, "id", it->id);
	json_kstr(j, "kind", it->kind);
	if (it->path != NULL)
		json_kstr(j, "path", it->path);
	json_end(j);
	json_kstr(j, "place", link < 0 ? "condition" : "header-link");
	if (link >= 0) {
		json_kint(j, "link", link);
		json_kstr(j, "title", title);
	}
	json_kstr(j, "expression", condition);
	json_kstr(j, "message", why);
	json_end(j);
}

/* link: index of the header link; -1: the condition of the item itself. */
static void
check_condition(struct walk *w, struct item *it, int64_t link, const char *title, const char *condition)
{
	const char *why = visit_condition_wrong(&w->v, condition);

	if (why != NULL && fault_list_takes(&w->list, it->id, ++it->n))
		write_fault(&w->list.r->json, it, link, title, condition, why);
}

/*
 * Checks only the links that the item itself sets: if inherited links were checked, too, each fault
 * of the site would be listed again for each site space.
 */
static void
check_links(struct walk *w, struct item *it, const char *customization)
{
	const cJSON *all = customization == NULL ? NULL : cJSON_Parse(customization), *link;
	int64_t n = 0;

	cJSON_ArrayForEach(link, cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(all, "header"), "links")) {
		const cJSON *condition = cJSON_GetObjectItemCaseSensitive(link, "condition");
		const cJSON *title = cJSON_GetObjectItemCaseSensitive(link, "title");
		if (cJSON_IsString(condition))
			check_condition(w, it, n, cJSON_IsString(title) ? title->valuestring : "", condition->valuestring);
		n++;
	}
}

/* GET /orgs/{organizationId}/sites/{siteId}/expression-faults */
HANDLER(listSiteExpressionFaults)
{
	struct arena *a = r->arena;
	struct stmt *q;
	struct walk w;

	if (fault_list_open(r, &w.list) != 0)
		return -1;
	visit_begin(&w.v, r->db, a, r->set);
	q = db_use(r->db, &q_adaptive);
	bind_text(q, ":site", r->site.id);
	w.v.site.adaptive = stmt_int(q, 0) != 0;
	q = db_use(r->db, &q_items);
	bind_text(q, ":site", r->site.id);
	while (stmt_step(q)) {
		struct item it = { col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 2, a), 0 };
		check_condition(&w, &it, -1, NULL, col_text(q, 3));
		check_links(&w, &it, col_text(q, 4));
	}
	return fault_list_close(&w.list);
}
