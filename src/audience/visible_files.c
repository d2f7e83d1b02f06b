/*
 * Decides which files and reusable contents a visitor sees: those that a visible page or setting
 * uses. Contract: visit_file_use() in audience/visit.h.
 *
 * The files of a page are read from its document as this visitor sees it, or, if the body has no
 * conditions, from its link map. The pages that use a file are found in the table of links; at
 * points for which that table has no rows, all pages are read. Settings are read last, because they
 * rarely name a file.
 */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "links/links.h"
#include "audience_parts.h"
#include "store/redirect.h"
#include "audience/look.h"

/* The files that a visitor sees at one revision. The keys of the maps are ids. */
struct file_visibility {
	struct file_visibility *next;
	struct visit           *v;
	struct point            at;
	int64_t                 edition;   /* edition of the link table for this point; 0: none */
	bool                    settings;  /* check_settings() has run */
	struct map             *visible;   /* files and reusable contents found so far that the visitor sees */
	struct map             *checked;   /* pages whose files were added */
};

/* A visible page whose files are added. */
struct page_scan {
	struct file_visibility *files;
	const struct node      *page;
	struct map             *included;  /* ids of the reusable contents that were read */
};

/* ---- references of a page ---- */

/* Id of a file or reusable content of this space; NULL for any other reference. */
static const char *
target_id(const struct file_visibility *u, const struct doc_ref *ref)
{
	return (ref->kind == REF_FILE || ref->kind == REF_REUSABLE) &&
	    (ref->space == NULL || strcmp(ref->space, u->at.space) == 0) ? ref->id : NULL;
}

static void add_node_files(struct page_scan *s, const struct node *n);

/* Adds the target of a reference and, for reusable content, its own references with the page's variables. */
static void
add_ref(struct page_scan *s, const struct doc_ref *ref)
{
	const char *id = target_id(s->files, ref);
	struct node n;

	if (id == NULL)
		return;
	map_add(s->files->visible, str_of(id), NULL);
	/* Each content is read once for each page, since contents may include each other. */
	if (ref->kind == REF_REUSABLE && map_add(s->included, str_of(id), NULL) &&
	    node_get(s->files->v->db, s->files->v->arena, &s->files->at, id, &n) && n.kind == NODE_REUSABLE)
		add_node_files(s, &n);
}

/*
 * Adds the targets of all references in a document's JSON. Ids are random, so a text that equals the
 * id of a link of this body is a reference, in any kind of block.
 */
static void
add_refs_in_json(struct page_scan *s, const struct map *refs, const cJSON *v)
{
	const struct doc_ref *ref;

	if (cJSON_IsString(v) && (ref = map_get(refs, str_of(v->valuestring))) != NULL)
		add_ref(s, ref);
	for (v = v->child; v != NULL; v = v->next)
		add_refs_in_json(s, refs, v);
}

/* Adds the files of a body with conditions, from its document as this visitor sees it. */
static void
add_document_files(struct page_scan *s, const struct node *n, const struct link_map *m)
{
	struct visit *v = s->files->v;
	struct map *refs = map_new(v->arena);
	struct str json;
	cJSON *d;
	size_t i;

	for (i = 0; i < m->n; i++)
		if (target_id(s->files, &m->list[i].ref) != NULL)
			map_add(refs, str_of(m->list[i].ref.id), &m->list[i].ref);
	json = visit_document(v, &s->files->at, s->page, document_of(v->db, v->arena, &s->files->at, n).json);
	d = cJSON_ParseWithLength(json.p, json.n);
	if (d != NULL)
		add_refs_in_json(s, refs, d);
}

static void
add_node_files(struct page_scan *s, const struct node *n)
{
	const struct file_visibility *u = s->files;
	struct link_map m = node_links(u->v->db, u->v->arena, &u->at, n);
	struct str body = { NULL, 0 };
	size_t i;

	/* Most pages use neither files nor reusable content; then the body is not read. */
	for (i = 0; i < m.n && target_id(u, &m.list[i].ref) == NULL; i++)
		;
	if (i == m.n || (n->body.n > 0 && !blob_get(u->v->db, u->v->arena, n->body, &body)))
		return;
	if (visit_conditional(body)) {
		add_document_files(s, n, &m);
		return;
	}
	for (; i < m.n; i++)
		add_ref(s, &m.list[i].ref);
}

/* ---- references beside the text: cover, target of a link ---- */

static void
add_visible_ref(struct file_visibility *u, const struct doc_ref *ref)
{
	const char *id = target_id(u, ref);

	if (id != NULL)
		map_add(u->visible, str_of(arena_strdup(u->v->arena, id)), NULL);
}

static void
add_prop_ref(void *ctx, const char *name, const struct doc_ref *ref)
{
	(void)name;
	add_visible_ref(ctx, ref);
}

static void
check_page(struct file_visibility *u, const struct node *page)
{
	struct page_scan s = { u, page, NULL };

	if (!map_add(u->checked, str_of(page->id), NULL) || !sees_with_ancestors(u->v, &u->at, page))
		return;
	node_prop_refs(page, add_prop_ref, u);
	s.included = map_new(u->v->arena);
	add_node_files(&s, page);
}

/* ---- users of a file ---- */

static char *
next_user(const struct file_visibility *u, const char *of, const char *after)
{
	return u->edition != 0 ? links_next(u->v->db, u->v->arena, u->edition, of, after) :
	    links_next_user(u->v->db, u->v->arena, &u->at, of, after);
}

/*
 * Checks the users of `from` one by one until `id` is known to be visible. If a user is a reusable
 * content, the pages that include it are checked. True if there is any user.
 */
static bool
check_users(struct file_visibility *u, struct map *climbed, const char *from, const char *id)
{
	struct arena *a = u->v->arena;
	const char *source = "";
	struct node n;
	bool some = false;

	while (!map_has(u->visible, str_of(id)) && (source = next_user(u, from, source)) != NULL) {
		some = true;
		if (!node_get(u->v->db, a, &u->at, source, &n))
			continue;
		if (n.kind & NODE_PAGES)
			check_page(u, &n);
		else if (map_add(climbed, str_of(source), NULL))
			check_users(u, climbed, source, id);
	}
	return some;
}

/* ---- settings ---- */

/* Adds all references in v to files of the space. home: v belongs to the space, so references may omit its id. */
static void
add_setting_refs(struct file_visibility *u, const cJSON *v, bool home)
{
	struct doc_ref ref;

	if (cJSON_IsObject(v) && (home || cJSON_GetObjectItemCaseSensitive(v, "space") != NULL) && ref_read(v, &ref))
		add_visible_ref(u, &ref);
	for (v = v->child; v != NULL; v = v->next)
		add_setting_refs(u, v, home);
}

static bool
may_name_file(const char *json)
{
	return json != NULL && strstr(json, "\"file\"") != NULL;
}

/* Adds the files of header, footer and announcement of the site as they are shown in one of its site spaces. */
static void
add_look_files(struct file_visibility *u, const struct visit_item *around)
{
	if (may_name_file(u->v->site.customization) || may_name_file(around->customization))
		add_setting_refs(u, look_seen(u->v, around), strcmp(around->space, u->at.space) == 0);
}

static void
check_settings(struct file_visibility *u)
{
	struct visit *v = u->v;
	const struct visit_item *it = NULL;
	const char *const *list;

	if (u->settings)
		return;
	u->settings = true;
	for (list = redirects_to_files(v->db, v->arena, &u->at); *list != NULL; list++)
		map_add(u->visible, str_of(*list), NULL);
	while ((it = visit_next_space(v, it)) != NULL)
		add_look_files(u, it);
}

/* ---- lookups ---- */

/* The result is cached for the visit, because this is called for each file of a list. */
static struct file_visibility *
get_visibility(struct visit *v, const struct point *at)
{
	struct arena *a = v->arena;
	struct file_visibility *u;

	for (u = v->file_visibility; u != NULL; u = u->next)
		if (strcmp(u->at.revision, at->revision) == 0)
			return u;
	u = arena_alloc(a, sizeof(*u));
	*u = (struct file_visibility){ .next = v->file_visibility, .v = v, .at = *at, .visible = map_new(a),
		.checked = map_new(a), .edition = links_complete(v->db, at) };
	return v->file_visibility = u;
}

enum file_use
visit_file_use(struct visit *v, const struct visit_item *space, const char *id)
{
	struct file_visibility *u = get_visibility(v, &space->point);
	bool used = check_users(u, map_new(v->arena), id, id);

	if (!map_has(u->visible, str_of(id)))
		check_settings(u);
	if (map_has(u->visible, str_of(id)))
		return FILE_SEEN;
	return used ? FILE_HIDDEN : FILE_UNUSED;
}

bool
visit_sees_file(struct visit *v, const struct visit_item *space, const char *id)
{
	return visit_file_use(v, space, id) == FILE_SEEN;
}
