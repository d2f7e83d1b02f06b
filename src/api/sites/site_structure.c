/*
 * The structure of a site as a tree, and moves within it. Sections, groups and links of one group
 * share one order; the site spaces of a section have their own. An item that is moved beside an
 * item of another group enters that group. A site space cannot leave its section.
 */
#include <cjson/cJSON.h>

#include "api/examples.h"
#include "api/site_addresses.h"
#include "api/site_groups.h"
#include "api/site_links.h"
#include "api/site_sections.h"
#include "api/site_spaces.h"
#include "api/site_structure.h"
#include "api/visitor.h"
#include "expr/expr.h"
#include "http/req.h"
#include "store/content.h"
#include "store/order.h"
#include "site.h"

static const struct shape Structure = { "SiteStructureSections", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "sections", .doc = "The site has sections" },
	{ "structure", T_LIST, F_REQ, .of = &SiteGroupChild, .doc = "Sections, groups and external links in their order" },
	{ 0 } } };
static const struct shape Spaces = { "SiteStructureSpaces", (const struct field[]){
	{ "type", T_CONST, F_REQ, .set = "siteSpaces", .doc = "The site has no sections" },
	{ "structure", T_LIST, F_REQ, .of = &SiteSpace, .doc = "Site spaces in their order" },
	{ 0 } } };
const struct shape SiteStructure = { "SiteStructure", NULL,
	(const struct shape *const[]){ &Structure, &Spaces, NULL } };
const struct shape SiteStructureItem = { "SiteStructureItem", NULL,
	(const struct shape *const[]){ &SiteSpace, &SiteSection, &SiteSectionGroup, &SiteExternalLink, NULL } };

#define POINTER(name_, set_, member, words, example_) \
	static const struct shape name_ = { #name_, (const struct field[]){ \
		{ "type", T_ENUM, F_REQ, .set = set_, .doc = "Kind of the sibling" }, \
		{ member, T_TEXT, F_REQ, .max = 100, .doc = words, .example = example_ }, { 0 } } }
#define POSITION(name_, pointer) \
	static const struct shape name_ = { #name_, (const struct field[]){ \
		{ "before", T_OBJECT, .of = &pointer, .doc = "The sibling that it goes before" }, \
		{ "after", T_OBJECT, F_ALTERNATIVE, .of = &pointer, .doc = "The sibling that it goes after" }, \
		{ 0 } }, NULL, SHAPE_SOME }
#define MOVE(name_, position) \
	const struct shape name_ = { #name_, (const struct field[]){ \
		{ "position", T_OBJECT, F_REQ, .of = &position, .doc = "New position" }, { 0 } } }

POINTER(SiteItemPointer, "site-space,site-section,site-section-group,site-external-link", "id", "Its id", EXAMPLE_SECTION);
POINTER(SiteSpacePointer, "site-space", "siteSpace", "Id of the site space", EXAMPLE_SITE_SPACE);
POINTER(SiteSectionPointer, "site-section", "siteSection", "Id of the section", EXAMPLE_SECTION);
POINTER(SiteGroupPointer, "site-section,site-section-group", "id", "Its id", EXAMPLE_SECTION);
POSITION(SiteItemPosition, SiteItemPointer);
POSITION(SiteSpacePosition, SiteSpacePointer);
POSITION(SiteSectionPosition, SiteSectionPointer);
POSITION(SiteGroupPosition, SiteGroupPointer);
MOVE(SiteSpaceMove, SiteSpacePosition);
MOVE(SiteSectionMove, SiteSectionPosition);
MOVE(SiteGroupMove, SiteGroupPosition);
const struct shape SiteSort = { "SortSiteStructure", (const struct field[]){
	{ "item", T_OBJECT, F_REQ, .of = &SiteItemPointer, .doc = "Object to move" },
	{ "position", T_OBJECT, F_REQ, .of = &SiteItemPosition, .doc = "New position" },
	{ 0 } } };

SQL(q_put_space, "UPDATE site_space SET ord = :ord WHERE id = :id");
/*
 * advanced is always 1: the shape's hasAdvancedCustomizationFeature is true, since no feature needs
 * a paid plan.
 */
SQL(q_root_spaces,
    "SELECT " SITE_SPACE_COLS ", 1 AS advanced FROM " SITE_SPACE_FROM
    "WHERE x.site = :site AND x.section IS NULL ORDER BY x.ord, x.id /*scan*/");

/* ---- moves ---- */

/* Stores the place of an item. parent is not used for a site space, which stays in its section. */
static void
place_item(struct req *r, const struct site_item *it, const char *parent, const char *ord)
{
	struct stmt *q;

	if (it->kind != SITE_SPACE) {
		site_put(r, it, parent, ord);
		return;
	}
	q = db_use(r->db, &q_put_space);
	bind_text(q, ":ord", ord);
	bind_text(q, ":id", it->id);
	stmt_run(q);
}

/*
 * Returns the siblings at the target in their new order, with the item among them. NULL after
 * fail(): the item has this place already.
 */
static struct site_item *
arrange_siblings(struct req *r, const struct site_item *it, const struct site_item *at, bool before, size_t *n, size_t *to)
{
	struct site_item *old = site_siblings(r, it->kind == SITE_SPACE, at->parent, n);
	/* Room for the siblings and an item from another group. */
	struct site_item *list = arena_alloc(r->arena, (*n + 2) * sizeof(*list));
	size_t i, k = 0;
	bool same = *n > 0;

	for (i = 0; i < *n; i++) {
		if (strcmp(old[i].id, at->id) == 0 && before)
			list[*to = k++] = *it;
		if (strcmp(old[i].id, it->id) != 0)
			list[k++] = old[i];
		if (strcmp(old[i].id, at->id) == 0 && !before)
			list[*to = k++] = *it;
	}
	/*
	 * Compares the whole order, not only the two keys: a move to "before the next sibling"
	 * changes nothing either.
	 */
	for (i = 0; i < k; i++)
		/*
		 * An item from another group makes the list longer than before, so that i < *n
		 * fails and the move counts as a change.
		 */
		same = same && i < *n && strcmp(list[i].id, old[i].id) == 0;
	*n = k;
	if (!same)
		return list;
	fail(r, E_CONFLICT, "it is there already: nothing would change");
	return NULL;
}

/*
 * Gives the item an order key between its neighbours. If that key becomes long, all siblings get
 * new keys.
 */
static void
give_key(struct req *r, struct site_item *list, size_t n, size_t to, const char *parent)
{
	char *key = order_key_between(r->arena, to == 0 ? "" : list[to - 1].ord,
	    to + 1 == n ? "" : list[to + 1].ord), **keys;
	size_t i;

	/*
	 * Usually only one row changes. New keys for all siblings are harmless here: unlike pages,
	 * they are few and not in revisions, so no move becomes visible (store/order.h).
	 */
	if (strlen(key) <= ORDER_KEY_LONG) {
		place_item(r, &list[to], parent, key);
		return;
	}
	keys = order_key_fill(r->arena, "", "", n);
	for (i = 0; i < n; i++)
		place_item(r, &list[i], parent, keys[i]);
}

/*
 * Refuses a position among items of another kind, and a site space outside its section. 0 or
 * fail().
 */
static int
fits_or_fail(struct req *r, const struct site_item *it, const struct site_item *at)
{
	if (strcmp(it->id, at->id) == 0)
		return fail_field(r, "/position", "is an invalid position: it names the moved item itself");
	/* Clients match the words "invalid position" (docs/design/requests.md, "Errors"). */
	if ((it->kind == SITE_SPACE) != (at->kind == SITE_SPACE) ||
	    (it->kind == SITE_SPACE && !same_text(it->parent, at->parent)))
		return fail_field(r, "/position", "is an invalid position: %s cannot be a sibling of the moved item", at->id);
	return site_nests_or_fail(r, it, at->parent, "/position");
}

/* Finds the item of a pointer: an object with `type` and an id, whose name differs for each type. 0 or fail(). */
static int
find_named_or_fail(struct req *r, const cJSON *pointer, struct site_item *out)
{
	const char *type = cJSON_GetObjectItemCaseSensitive(pointer, "type")->valuestring, *id = NULL;
	const cJSON *v;

	/* The shapes of pointers are closed: besides `type` there is exactly one member, the id. */
	cJSON_ArrayForEach(v, pointer)
		if (strcmp(v->string, "type") != 0)
			id = v->valuestring;
	return site_item_or_fail(r, strcmp(type, "site-space") == 0 ? SITE_SPACE :
	    strcmp(type, "site-section") == 0 ? SITE_SECTION :
	    strcmp(type, "site-external-link") == 0 ? SITE_LINK : SITE_GROUP, id, out);
}

static int
reply_item(struct req *r, const struct site_item *it)
{
	switch (it->kind) {
	case SITE_SPACE:   return reply_current(r, site_space_row(r, it->id), &SiteSpace);
	case SITE_SECTION: return reply_current(r, site_section_row(r, it->id), &SiteSection);
	case SITE_GROUP:   return reply_current(r, site_group_row(r, it->id), &SiteSectionGroup);
	case SITE_LINK:    return reply_current(r, site_link_row(r, it->id), &SiteExternalLink);
	}
	return -1;
}

/* Moves the item to the body's position and replies with it. */
static int
move_item(struct req *r, const struct site_item *it)
{
	const cJSON *position = body_get(r, "position");
	const cJSON *before = cJSON_GetObjectItemCaseSensitive(position, "before");
	const cJSON *after = cJSON_GetObjectItemCaseSensitive(position, "after");
	struct site_item at, *list;
	size_t n, to = 0;

	/* The shape requires at least one of them (SHAPE_SOME), but cannot forbid both. */
	if (before != NULL && after != NULL)
		return fail_field(r, "/position", "is an invalid position: before or after, not both");
	if (find_named_or_fail(r, before != NULL ? before : after, &at) != 0 || fits_or_fail(r, it, &at) != 0)
		return -1;
	list = arrange_siblings(r, it, &at, before != NULL, &n, &to);
	if (list == NULL)
		return -1;
	give_key(r, list, n, to, at.parent);
	site_changed(r, arena_printf(r->arena, "{\"moved\":\"%s\",\"%s\":\"%s\"}", it->id,
	    before != NULL ? "before" : "after", at.id));
	return reply_item(r, it);
}

static int
move_named(struct req *r, enum site_kind kind, const char *name)
{
	struct site_item it;

	return site_item_or_fail(r, kind, path_id(r, name), &it) != 0 ? -1 : move_item(r, &it);
}

/* POST /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move */
HANDLER(moveSiteSpace)
{
	return move_named(r, SITE_SPACE, "siteSpaceId");
}

/* POST /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move */
HANDLER(moveSiteSection)
{
	return move_named(r, SITE_SECTION, "siteSectionId");
}

/* POST /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move */
HANDLER(moveSiteSectionGroup)
{
	return move_named(r, SITE_GROUP, "siteSectionGroupId");
}

/* PATCH /orgs/{organizationId}/sites/{siteId}/structure/sort */
HANDLER(sortSiteStructure)
{
	struct site_item it;

	return find_named_or_fail(r, body_get(r, "item"), &it) != 0 ? -1 : move_item(r, &it);
}

/* ---- the tree ---- */

/* A structure consists either of sections or of site spaces (docs/design/renderer.md, "The site"). */
void
site_structure_json(struct req *r)
{
	struct stmt *q;
	bool sections = site_sections(r) > 0;

	json_obj(&r->json);
	json_kstr(&r->json, "type", sections ? "sections" : "siteSpaces");
	json_karr(&r->json, "structure");
	if (sections) {
		site_children_json(r, &r->json, NULL);
	} else {
		q = db_use(r->db, &q_root_spaces);
		bind_text(q, ":site", r->site.id);
		while (stmt_step(q))
			/*
			 * Written while the statement is stepped: the emitters of a site space do
			 * not use it.
			 */
			if (visited_item(r, col_text(q, col(q, "id"))))
				shape_row(&r->json, &SiteSpace, r, q);
	}
	json_end(&r->json);
	json_end(&r->json);
}

/* GET /orgs/{organizationId}/sites/{siteId}/structure */
HANDLER(getSiteStructure)
{
	share_key_take(r);
	if (visit_as_reader(r) != 0)
		return -1;
	site_structure_json(r);
	return 0;
}
