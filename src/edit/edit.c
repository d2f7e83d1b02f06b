/*
 * Applies the changes of one POST CR/content to a branch, in order. The contract is in edit/edit.h.
 */
#include <cjson/cJSON.h>

#include "base/slug.h"
#include "edit/edit.h"
#include "edit_parts.h"
#include "base/json.h"
#include "base/map.h"
#include "store/computed.h"
#include "store/order.h"
#include "merge/request.h"
#include "base/secret.h"

/*
 * Records a fault. Only the first one is reported: later ones may be its consequences. Always
 * returns false, for callers to return.
 */
bool
edit_fault(struct edit *e, int change, const char *member, const char *why)
{
	if (e->why == NULL) {
		e->where = arena_printf(e->arena, "/changes/%d/%s", change, member);
		e->why = why;
	}
	return false;
}

const char *
edit_text(const cJSON *c, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(c, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

bool
edit_missing(struct edit *e, int k, const char *member, const char *what, const char *id)
{
	/* 404 only if this fault is the one that is reported. */
	e->unknown = e->why == NULL;
	if (computed_is_id(id) && computed_by_id(e->db, e->arena, &e->now, id) != NULL)
		return edit_fault(e, k, member, arena_printf(e->arena, "names a page that is generated from the description "
		    "of an API; nobody writes it, but the computed page %s that it comes from", computed_row(e->arena, id)));
	return edit_fault(e, k, member, arena_printf(e->arena, "names no %s: %s", what, id));
}

/*
 * Reads the page as the batch has left it so far, with its front matter; otherwise records a fault.
 */
static bool
page_or_fault(struct edit *e, int k, const char *member, const char *id, struct node *n)
{
	if (node_get(e->db, e->arena, &e->now, id, n) && (n->kind & NODE_PAGES)) {
		n->front = node_front(e->db, e->arena, n);
		return true;
	}
	return edit_missing(e, k, member, "page of this change request", id);
}

const char *
edit_ref_id(struct edit *e, const char *ref)
{
	return ((struct edit_ref *)map_get(e->refs, str_of(ref)))->id;
}

const char *
edit_new_id(struct edit *e, int k, const char *ref)
{
	if (ref != NULL)
		return edit_ref_id(e, ref);
	return e->ahead != NULL ? e->ahead->ids[k] : secret_id(e->arena);
}

/* ---- the pages that the batch changed ---- */

struct edit_page *
edit_touched(struct edit *e, const char *id, enum edit_effect effect, const char *ref)
{
	struct edit_page *p = map_get(e->touched, str_of(id));

	/*
	 * Each page is listed once, in the order in which the batch first changed it; a page that
	 * was created and then updated stays "created".
	 */
	if (p != NULL) {
		p->change = e->change;
		if (effect == EDIT_DELETED)
			p->effect = effect;
		return p;
	}
	p = arena_alloc(e->arena, sizeof(*p));
	p->id = arena_strdup(e->arena, id);
	map_add(e->touched, str_of(p->id), p);
	p->ref = ref;
	p->change = e->change;
	p->effect = effect;
	*e->last_page = p;
	e->last_page = &p->next;
	return p;
}

/* Uses request_put(), which sets the origin and omits a row equal to main's. */
void
edit_put(struct edit *e, struct node *n)
{
	struct node was;

	/* Another place or another address does not change the modification time. */
	if (!node_get(e->db, e->arena, &e->now, n->id, &was) || !node_reads_same(&was, n))
		n->at = time_now();
	request_put(e->db, e->arena, e->request, e->now.seq, n);
	edit_note_moved(e, n->id);
}

static void
drop_page(struct edit *e, const char *id)
{
	edit_touched(e, id, EDIT_DELETED, NULL);
	request_drop(e->db, e->arena, e->request, e->now.seq, id);
	edit_note_moved(e, id);
}

/* ---- place ---- */

/*
 * Checks that pages can be below the page; otherwise records a fault. A page without an address has
 * no child pages, since their addresses begin with its address.
 */
static bool
into_or_fault(struct edit *e, int k, const char *id)
{
	struct node up;

	if (!page_or_fault(e, k, "into", id, &up))
		return false;
	return (up.kind & (NODE_DOCUMENT | NODE_GROUP)) != 0 ||
	    edit_fault(e, k, "into", arena_printf(e->arena, "names a %s page, which holds no pages: %s",
	    node_kind_name(up.kind), id));
}

/* A page that the batch inserts can also be named by its ref. */
static const char *
id_or_ref(struct edit *e, const char *name)
{
	const struct edit_ref *ref = name != NULL ? map_get(e->refs, str_of(name)) : NULL;

	return ref != NULL ? ref->id : name;
}

/* The change's index among the siblings; order_key() takes -1 as their end. */
static int
read_index(const cJSON *c)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(c, "at");

	return cJSON_IsNumber(v) ? v->valueint : -1;
}

/* ---- the operations ---- */

/* Sets what a page is computed from. Only templates call it: the schema of a batch has no such member. */
static void
set_computed(struct node *n, const cJSON *computed)
{
	cJSON *props = cJSON_Parse(n->props);

	cJSON_AddItemToObject(props, "computed", cJSON_Duplicate(computed, true));
	n->props = cJSON_PrintUnformatted(props);
	n->kind = NODE_COMPUTED;
}

static bool
insert_page(struct edit *e, int k, const cJSON *c)
{
	const cJSON *computed = cJSON_GetObjectItemCaseSensitive(c, "computed");
	const char *into = edit_text(c, "into"), *ref = edit_text(c, "ref"), *slug = edit_text(c, "slug");
	struct node n = { .kind = NODE_DOCUMENT, .parent = "", .slug = "", .title = "", .props = "{}",
		.ord = "", .made = time_now() };
	struct edit_page *p;

	/*
	 * The ids of refs were chosen before, because earlier pages of the batch may link to this
	 * one.
	 */
	n.id = edit_new_id(e, k, ref);
	into = id_or_ref(e, into);
	if (into != NULL && !into_or_fault(e, k, into))
		return false;
	n.parent = into != NULL ? into : "";
	p = edit_touched(e, n.id, EDIT_CREATED, ref);
	if (!edit_properties(e, k, c, &n) || (computed == NULL && !edit_document(e, k, c, &n, p)))
		return false;
	if (computed != NULL)
		set_computed(&n, computed);
	if (*n.title == '\0')
		n.title = "Untitled";
	n.slug = slug != NULL ? edit_slug(e, k, slug) : slug_from_title(e->arena, str_of(n.title));
	if (n.slug == NULL)
		return false;
	/*
	 * A slug made from the title gets a number if it is taken; a slug that the client chose is
	 * then a fault (check_pages).
	 */
	if (slug == NULL)
		page_free_slug(e->db, e->arena, &e->now, &n);
	/* The order key is made last, when the parent is known, because keys are compared among siblings only. */
	n.ord = order_key(e->db, e->arena, e->request, &e->now, n.parent, read_index(c), NULL);
	edit_put(e, &n);
	return true;
}

/* "into": null is the root; without "into" the page keeps its parent. */
static bool
move_page(struct edit *e, int k, const cJSON *c, struct node *n)
{
	const char *into = id_or_ref(e, edit_text(c, "into"));
	bool moves = cJSON_GetObjectItemCaseSensitive(c, "into") != NULL &&
	    strcmp(into != NULL ? into : "", n->parent) != 0;

	if (into != NULL && !into_or_fault(e, k, into))
		return false;
	/*
	 * Without a new parent and without an index the key stays, so that the page does not look
	 * moved.
	 */
	if (!moves && cJSON_GetObjectItemCaseSensitive(c, "at") == NULL)
		return true;
	if (moves) {
		n->parent = into != NULL ? into : "";
		/* A move removes the page's own path: its address now follows from its place. */
		n->path = NULL;
	}
	n->ord = order_key(e->db, e->arena, e->request, &e->now, n->parent, read_index(c), n->id);
	return true;
}

/*
 * Finds a page of main that an update could not place: the request hides it, and may place it
 * itself.
 */
static bool
find_hidden(struct edit *e, const char *id, struct node *n)
{
	struct point own = { .branch = e->now.branch, .seq = e->now.seq };
	struct point base = overlay_base(e->request);

	/*
	 * An update hides a page with a tombstone without origin (merge/request.h); a tombstone
	 * with origin is a deletion.
	 */
	if (!node_at(e->db, e->arena, &own, id, n) || n->kind != NODE_GONE || n->origin >= 0 ||
	    !node_get(e->db, e->arena, &base, id, n) || !(n->kind & NODE_PAGES))
		return false;
	n->front = node_front(e->db, e->arena, n);
	return true;
}

/* All properties are set in n before it is written: the change makes one row. */
static bool
update_page(struct edit *e, int k, const cJSON *c)
{
	const char *id = edit_text(c, "page"), *slug = edit_text(c, "slug");
	struct edit_page *p;
	struct node n;

	if (!find_hidden(e, id, &n) && !page_or_fault(e, k, "page", id, &n))
		return false;
	p = edit_touched(e, id, EDIT_UPDATED, NULL);
	if (!edit_properties(e, k, c, &n) || !edit_document(e, k, c, &n, p) ||
	    !move_page(e, k, c, &n))
		return false;
	edit_take_resolution(c, &n);
	if (slug != NULL) {
		if ((n.slug = edit_slug(e, k, slug)) == NULL)
			return false;
		/* The new slug decides the address; a path of an import would override it. */
		n.path = NULL;
	}
	edit_put(e, &n);
	return true;
}

/*
 * Levels of pages that a deletion follows: more than a space may have (PAGE_DEPTH), but not without
 * end, because cycles are refused only at the end of the batch (check_pages()).
 */
enum { DELETED_DEPTH = 200 };

/* Deletes the page, and before it the pages below it. depth: levels above it that are deleted too. */
static void
drop_subtree(struct edit *e, const char *id, int depth)
{
	size_t n, i;
	struct node *list = node_children(e->db, e->arena, &e->now, id, &n);

	for (i = 0; i < n && depth < DELETED_DEPTH; i++)
		drop_subtree(e, list[i].id, depth + 1);
	drop_page(e, id);
}

/*
 * Deletes again, with all pages below it, a page that the request has deleted and the base still
 * has: this resolves a clash with main's change to it.
 */
static bool
delete_once_more(struct edit *e, const struct point *base, const char *id, int depth)
{
	struct node n, *list;
	size_t count, i;

	if (node_get(e->db, e->arena, &e->now, id, &n) ||
	    !node_get(e->db, e->arena, base, id, &n) || !(n.kind & NODE_PAGES))
		return false;
	list = node_children(e->db, e->arena, base, id, &count);
	for (i = 0; i < count && depth < DELETED_DEPTH; i++)
		delete_once_more(e, base, list[i].id, depth + 1);
	drop_page(e, id);
	return true;
}

/* Deletes the page and all pages below it. Deleting a deleted page resolves a clash. */
static bool
delete_page(struct edit *e, int k, const cJSON *c)
{
	struct point base = overlay_base(e->request);
	const char *id = edit_text(c, "page");
	struct node n;

	/* This is tried first, because such a page does not exist in the request any more. */
	if (delete_once_more(e, &base, id, 0))
		return true;
	if (!page_or_fault(e, k, "page", id, &n))
		return false;
	drop_subtree(e, id, 0);
	return true;
}

static void
revert_to_base(struct edit *e, const char *id)
{
	/* Its links may resolve differently than when the body was written. */
	edit_touched(e, id, EDIT_UPDATED, NULL)->body_changed = true;
	node_end(e->db, e->now.branch, id, e->now.seq);
	edit_note_moved(e, id);
}

/* Restores the ancestors of a restored page if the request has deleted them. */
static void
restore_ancestors(struct edit *e, const struct point *base, const char *id)
{
	struct node n;
	int depth;

	for (depth = 0; depth < PAGE_DEPTH && !node_get(e->db, e->arena, &e->now, id, &n) &&
	    node_get(e->db, e->arena, base, id, &n); depth++) {
		revert_to_base(e, id);
		id = n.parent;
	}
}

/* Reverts a page to a point where it did not exist; pages below it are not reverted. */
static bool
revert_to_nothing(struct edit *e, int k, const char *id)
{
	struct node n;
	bool there = node_get(e->db, e->arena, &e->now, id, &n);

	/*
	 * The page may be deleted already: main deleted it, and the request shows it no more
	 * because no page is left below it. Then there is nothing to do.
	 */
	if ((there || !overlay_ever_had(e->db, &e->now, id)) && !page_or_fault(e, k, "page", id, &n))
		return false;
	if (there)
		drop_page(e, id);
	else
		edit_touched(e, id, EDIT_DELETED, NULL);
	return true;
}

/* Reverts the page to the base's version, or to that of a revision. */
static bool
revert_whole(struct edit *e, int k, const char *id, const char *revision, const struct point *from)
{
	struct point base = overlay_base(e->request);
	struct node n;

	if (!node_get(e->db, e->arena, from != NULL ? from : &base, id, &n) || !(n.kind & NODE_PAGES))
		return revert_to_nothing(e, k, id);
	/* The ancestors are restored before the page itself, because check_pages() requires its parents. */
	restore_ancestors(e, &base, n.parent);
	if (revision == NULL) {
		revert_to_base(e, id);
		return true;
	}
	edit_touched(e, id, EDIT_UPDATED, NULL)->body_changed = true;
	n.front = node_front(e->db, e->arena, &n);
	/*
	 * The key is of the old revision's era; the page gets the corresponding place among its
	 * current siblings (store/order.h).
	 */
	order_restore_place(e->db, e->arena, from, &e->now, &n);
	edit_put(e, &n);
	return true;
}

static bool
revert_page(struct edit *e, int k, const cJSON *c)
{
	const char *id = edit_text(c, "page"), *revision = edit_text(c, "revision");
	const cJSON *keys = cJSON_GetObjectItemCaseSensitive(c, "block");
	struct point from = overlay_base(e->request);
	struct node now, then;

	if (revision != NULL &&
	    !point_revision(e->db, e->arena, e->request->space, revision, &from))
		return edit_missing(e, k, "revision", "revision of this space", revision);
	/*
	 * Reverting blocks needs both bodies; a whole page is restored even if it is deleted now.
	 */
	if (keys == NULL)
		return revert_whole(e, k, id, revision, revision != NULL ? &from : NULL);
	if (!page_or_fault(e, k, "page", id, &now))
		return false;
	if (!node_get(e->db, e->arena, &from, id, &then))
		return edit_fault(e, k, "page", arena_printf(e->arena, "names no page of the revision that "
		    "it shall be reverted to: %s", id));
	return edit_revert_blocks(e, k, keys, &now, &then);
}

/* ---- the batch ---- */

/* Chooses the id of a page or file of the batch, by its ref. */
static bool
take_ref(struct edit *e, int k, const char *ref, bool file)
{
	const struct edit_ref *before;
	struct edit_ref *r;
	struct node n;

	if (ref == NULL)
		return true;
	/* A "#" would begin a fragment in links. */
	if (*ref == '\0' || strchr(ref, '#') != NULL)
		return edit_fault(e, k, "ref", "is empty or holds a #");
	if (page_at(e->db, e->arena, e->request, page_key(e->arena, ref), &n))
		return edit_fault(e, k, "ref", arena_printf(e->arena, "is the path of a page, so that a link "
		    "could mean either: %s", ref));
	r = arena_alloc(e->arena, sizeof(*r));
	/* Bodies made ahead contain the ids of edit_prepare(), so these are used again. */
	before = e->ahead == NULL ? NULL : map_get(e->ahead->refs, str_of(ref));
	*r = (struct edit_ref){ .id = before != NULL ? before->id : secret_id(e->arena), .file = file };
	if (!map_add(e->refs, str_of(ref), r))
		return edit_fault(e, k, "ref", arena_printf(e->arena, "is the ref of an earlier change, too: %s",
		    ref));
	e->ref_count++;
	return true;
}

/* Ids come first: a page may link to a page that is inserted later in the batch. */
bool
edit_take_refs(struct edit *e)
{
	const cJSON *c, *f;
	int k = 0;

	cJSON_ArrayForEach(c, e->changes) {
		if (!take_ref(e, k, edit_text(c, "ref"), false))
			return false;
		cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(c, "files"))
			if (!take_ref(e, k, edit_text(f, "ref"), true))
				return false;
		k++;
	}
	return true;
}

static bool
apply_one(struct edit *e, int k, const cJSON *c)
{
	static const struct {
		const char *name;
		bool      (*run)(struct edit *, int, const cJSON *);
	} operations[] = { { "insert_page", insert_page }, { "update_page", update_page },
		{ "delete_page", delete_page }, { "revert_page", revert_page },
		{ "insert_files", edit_files }, { "update_file", edit_update_file }, { "delete_file", edit_delete_file } };
	const char *name = edit_text(c, "operation");
	size_t i;

	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		/* The schema of the request has checked the members of each operation. */
		if (strcmp(operations[i].name, name) == 0)
			return operations[i].run(e, k, c);
	return edit_fault(e, k, "operation", "is unknown");
}

/* The message for a fault of tree_fault(). It does not say which member of the change is wrong. */
static const char *
fault_text(struct edit *e, const char *fault, const struct node *n, const char *other)
{
	const char *title = n->title;
	struct node taken;

	if (strcmp(fault, "path") == 0 && node_get(e->db, e->arena, &e->now, other, &taken))
		return arena_printf(e->arena, "would give the page \"%s\", or one below it, a path that "
		    "another page has: %s, the page \"%s\" (%s)", title,
		    page_path(e->db, e->arena, &e->now, &taken), taken.title, taken.id);
	if (strcmp(fault, "cycle") == 0)
		return arena_printf(e->arena, "would put the page \"%s\" below itself", title);
	if (strcmp(fault, "depth") == 0)
		return arena_printf(e->arena, "would make the tree deeper than %d levels, with the page "
		    "\"%s\"", PAGE_DEPTH, title);
	return arena_printf(e->arena, "would leave the page \"%s\" (%s) without a parent: move it, delete "
	    "it, or bring its parent back", title, n->id);
}

static bool
tree_or_fault(struct edit *e, const struct edit_page *p, const struct node *n)
{
	const char *other, *fault = tree_fault(e->db, e->arena, e->request, &e->now, n, &other);

	if (fault == NULL)
		return true;
	e->where = arena_printf(e->arena, "/changes/%d", p->change);
	e->why = fault_text(e, fault, n, other);
	return false;
}

/* Checks the tree: the changed pages, and pages below deleted ones. */
static bool
check_pages(struct edit *e)
{
	struct edit_page *p;
	struct node n, *list;
	size_t below;

	for (p = e->pages; p != NULL; p = p->next) {
		if (node_get(e->db, e->arena, &e->now, p->id, &n)) {
			if (!tree_or_fault(e, p, &n))
				return false;
			continue;
		}
		list = node_children(e->db, e->arena, &e->now, p->id, &below);
		/* One page without a parent is enough for the message. */
		if (below > 0 && !tree_or_fault(e, p, &list[0]))
			return false;
	}
	return true;
}

/* Files are renamed to their final names last, so that those of a refused batch never are. */
bool
edit_apply(struct edit *e)
{
	const cJSON *c;

	e->refs = map_new(e->arena);
	e->touched = map_new(e->arena);
	e->last_page = &e->pages;
	e->last_file = &e->files;
	if (!edit_take_refs(e))
		return false;
	/* Notes changes of other writers since the bodies were made. */
	edit_note_all_moved(e);
	cJSON_ArrayForEach(c, e->changes) {
		if (!apply_one(e, e->change, c))
			return false;
		e->change++;
	}
	/*
	 * Repairs are removed before the check: rows that an update wrote to keep the tree valid
	 * may be the ones that make it invalid now.
	 */
	request_remove_repairs(e->db, e->arena, e->request, &e->now);
	return check_pages(e) && edit_links(e) &&
	    (e->batch == NULL || blob_batch_sync(e->batch, &e->disk));
}
