/*
 * Makes bodies and link maps ahead of the transaction that stores them: parsing a large document,
 * and resolving tens of thousands of links, takes seconds, during which no other writer could
 * write. A result depends on the sent document, on the page's stored body and links, on the page's
 * place, and on the targets of its links. Inside the transaction, edit_page.c and edit_targets.c use
 * it only if these are still the same.
 */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "base/secret.h"
#include "base/slug.h"
#include "edit_parts.h"
#include "store/blob.h"
#include "store/overlay.h"

/* The approximate size of a JSON value, in bytes. */
static size_t
json_size(const cJSON *v)
{
	enum { AROUND = 8 };
	size_t n = AROUND + (cJSON_IsString(v) ? strlen(v->valuestring) : 0);

	for (v = v->child; v != NULL; v = v->next)
		n += json_size(v);
	return n;
}

/* ---- places of pages, as earlier changes of the batch leave them ---- */

/*
 * A batch moves pages: e->placed has the pages that earlier changes inserted or moved. Other
 * consequences (a slug that is taken, a deleted page) are not tracked: if a page has another place
 * in the end, its links are resolved again there.
 */
static bool
read_page_in_batch(struct edit *e, const char *id, struct node *n)
{
	const struct node *placed = map_get(e->placed, str_of(id));

	if (placed != NULL)
		*n = *placed;
	return placed != NULL || node_get(e->db, e->arena, &e->now, id, n);
}

static const char *
path_in_batch(struct edit *e, const struct node *n, int level)
{
	struct node up;

	/* A batch may make a cycle of pages, which is refused at its end. */
	if (n->path != NULL || *n->parent == '\0' || level > PAGE_DEPTH || !read_page_in_batch(e, n->parent, &up))
		return n->path != NULL ? n->path : n->slug;
	return arena_printf(e->arena, "%s/%s", path_in_batch(e, &up, level + 1), n->slug);
}

/* The page with the path that it has in the batch; its stored row has the old one. */
static struct node
node_in_batch(struct edit *e, const struct node *n)
{
	struct node at = *n;

	at.path = path_in_batch(e, n, 0);
	return at;
}

/* Gives the page the place that the change names. */
static void
place_node(struct edit *e, const cJSON *c, struct node *n)
{
	const char *into = edit_text(c, "into"), *slug = edit_text(c, "slug");
	const struct edit_ref *up = into == NULL ? NULL : map_get(e->refs, str_of(into));
	bool is_new = *n->slug == '\0';
	struct node *placed;

	if (cJSON_GetObjectItemCaseSensitive(c, "into") != NULL || is_new) {
		n->parent = into == NULL ? "" : up != NULL ? up->id : into;
		n->path = NULL;
	}
	if (slug != NULL) {
		n->slug = slug;
		n->path = NULL;
	} else if (is_new) {
		n->slug = slug_from_title(e->arena, str_of(*n->title != '\0' ? n->title : "Untitled"));
		page_free_slug(e->db, e->arena, &e->now, n);
	}
	placed = arena_alloc(e->arena, sizeof(*placed));
	*placed = *n;
	*map_at(e->placed, str_of(n->id)) = placed;
}

/* ---- size of a batch ---- */

/*
 * Reads the page that a change writes to, as it is at e->now; false: the change inserts a page, or
 * there is none.
 */
static bool
read_page(struct edit *e, const cJSON *c, struct node *n)
{
	const char *id = edit_text(c, "page");

	if (id == NULL || !node_get(e->db, e->arena, &e->now, id, n))
		return false;
	n->front = node_front(e->db, e->arena, n);
	return true;
}

/*
 * Reads the page as it was in the revision that the change names, or in the base; false: it is in
 * neither.
 */
static bool
read_old_page(struct edit *e, const cJSON *c, struct node *n)
{
	const char *id = edit_text(c, "page"), *revision = edit_text(c, "revision");
	struct point from = overlay_base(&e->now);

	return id != NULL && (revision == NULL || point_revision(e->db, e->arena, e->now.space, revision, &from)) &&
	    node_get(e->db, e->arena, &from, id, n) && n->kind == NODE_DOCUMENT;
}

static bool
is_revert(const cJSON *c)
{
	return strcmp(edit_text(c, "operation"), "revert_page") == 0;
}

bool
edit_is_large(struct edit *e)
{
	const cJSON *c, *document;
	struct node n;
	size_t sum = 0;

	cJSON_ArrayForEach(c, e->changes) {
		document = cJSON_GetObjectItemCaseSensitive(c, "document");
		if (document == NULL && !is_revert(c))
			continue;
		/* The new text and the old one: both are parsed. */
		if (document != NULL)
			sum += json_size(document);
		else if (read_old_page(e, c, &n))
			sum += blob_size(e->db, n.body);
		if (read_page(e, c, &n))
			sum += blob_size(e->db, n.body);
	}
	return sum >= EDIT_AHEAD_MIN;
}

/* ---- making bodies ---- */

bool
edit_body(struct edit *e, struct str hash, struct str *body)
{
	const struct edit_prepared *m = e->read;

	while (m != NULL && !str_eq(m->stored.hash, hash))
		m = m->next;
	if (m != NULL)
		*body = m->body;
	return m != NULL || blob_get(e->db, e->arena, hash, body);
}

/*
 * Sets the body that the page has at this change: earlier changes of the batch may have written it.
 */
static void
use_written_body(const struct edit *e, struct node *n)
{
	const struct edit_prepared *m = e->read;

	while (m != NULL && strcmp(m->page.id, n->id) != 0)
		m = m->next;
	if (m == NULL)
		return;
	n->body = m->stored.hash;
	n->refs = m->old_refs;
}

/* An inserted page is treated as a page without body and links. */
static struct node
new_page(struct edit *e, int k, const cJSON *c)
{
	const char *ref = edit_text(c, "ref"), *title = edit_text(c, "title");

	return (struct node){ .id = ref != NULL ? edit_ref_id(e, ref) : e->new_ids[k], .kind = NODE_DOCUMENT, .parent = "", .slug = "",
		.title = title != NULL ? title : "", .props = "{}", .ord = "" };
}

/* insert_files, update_file, delete_file. */
static bool
is_of_files(const cJSON *c)
{
	return strstr(edit_text(c, "operation"), "_file") != NULL;
}

static struct edit_prepared *
document_ahead(struct edit *e, int k, const cJSON *c)
{
	struct edit_prepared *m;
	struct node n, at;

	if (is_of_files(c))
		return NULL;
	if (!read_page(e, c, &n))
		n = new_page(e, k, c);
	else if (map_has(e->placed, str_of(n.id)))
		read_page_in_batch(e, n.id, &n);
	use_written_body(e, &n);
	at = *n.slug == '\0' ? n : node_in_batch(e, &n);
	m = edit_document_ahead(e, k, c, &at);
	/* Its heading may set the title. */
	n.title = at.title;
	/*
	 * This is also done for a change without a body: the batch may insert pages below this
	 * page, whose paths begin with its path.
	 */
	place_node(e, c, &n);
	if (m != NULL)
		m->page = n;
	return m;
}

/* Reverting a whole page also restores its place; reverting blocks changes only the body. */
static struct edit_prepared *
revert_ahead(struct edit *e, int k, const cJSON *c)
{
	const cJSON *keys = cJSON_GetObjectItemCaseSensitive(c, "block");
	struct edit_prepared *m = NULL;
	struct node now, then;

	if (!read_old_page(e, c, &then))
		return NULL;
	if (keys != NULL) {
		if (!read_page(e, c, &now) || now.kind != NODE_DOCUMENT)
			return NULL;
		use_written_body(e, &now);
		if ((m = edit_blocks_ahead(e, k, keys, &now, &then)) != NULL)
			m->page = now;
		return m;
	}
	/* Without a revision main's own row is used, with its map. */
	if (edit_text(c, "revision") == NULL)
		return NULL;
	m = arena_alloc(e->arena, sizeof(*m));
	*m = (struct edit_prepared){ .change = k, .old_refs = then.refs, .page = then, .stored.hash = then.body };
	*map_at(e->placed, str_of(then.id)) = &m->page;
	return blob_get(e->db, e->arena, then.body, &m->body) ? m : NULL;
}

bool
edit_is_old(const struct edit_ahead *ahead, const struct point *request)
{
	return ahead != NULL && (ahead->at.base != request->base || ahead->at.base_seq != request->base_seq);
}

/*
 * An id for each change, in case it inserts a page. If the batch was prepared before, the ids of that
 * time are used again.
 */
static const char **
ids_ahead(struct edit *e)
{
	size_t n = (size_t)cJSON_GetArraySize(e->changes), i;
	const char **ids = arena_array(e->arena, n, sizeof(*ids));

	if (e->ahead != NULL)
		return e->ahead->ids;
	for (i = 0; i < n; i++)
		ids[i] = secret_id(e->arena);
	return ids;
}

/* Clears the results of an earlier preparation, and chooses the ids. False: the batch is invalid. */
static bool
begin_ahead(struct edit *e, struct edit_ahead *ahead)
{
	ahead->at = e->now;
	e->read = NULL;
	e->keys = 0;
	if (e->keys_most == 0)
		e->keys_most = EDIT_KEYS;
	e->placed = map_new(e->arena);
	e->ref_count = 0;
	e->refs = ahead->refs = map_new(e->arena);
	if (!edit_take_refs(e))
		return false;
	e->new_ids = ahead->ids = ids_ahead(e);
	return true;
}

struct edit_ahead *
edit_prepare(struct edit *e)
{
	struct edit_ahead *ahead = arena_alloc(e->arena, sizeof(*ahead));
	struct edit_prepared *m;
	const cJSON *c;
	struct node at;
	int k = 0;

	/* edit_apply() finds the fault again, inside the transaction, and reports it. */
	if (!begin_ahead(e, ahead))
		return NULL;
	cJSON_ArrayForEach(c, e->changes) {
		m = is_revert(c) ? revert_ahead(e, k, c) : document_ahead(e, k, c);
		k++;
		if (m == NULL)
			continue;
		m->next = e->read;
		e->read = m;
	}
	/* This is done at the end, as in edit_apply(), when all pages have their final places. */
	for (m = ahead->made = e->read; m != NULL; m = m->next) {
		read_page_in_batch(e, m->page.id, &m->page);
		at = node_in_batch(e, &m->page);
		edit_links_ahead(e, m, &at);
	}
	ahead->keys_incomplete = e->keys > e->keys_most;
	return ahead;
}
