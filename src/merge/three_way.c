/*
 * Three-way merge of one node, field by field. If one side changed a field, that side wins; if both
 * changed it differently, it is a conflict (clash). Order, names, properties, links and text have
 * their own rules here; lines of text are merged by text/merge_text.h. Contract: merge/three_way.h.
 */
#include <cjson/cJSON.h>

#include "base/json.h"
#include "text/merge_text.h"
#include "store/order.h"
#include "base/secret.h"
#include "three_way.h"

bool
node_same(const struct node *x, const struct node *y)
{
	return x->kind == y->kind && str_eq(x->body, y->body) && str_eq(x->refs, y->refs) &&
	    same_text(x->parent, y->parent) && same_text(x->ord, y->ord) &&
	    same_text(x->slug, y->slug) && same_text(x->path, y->path) &&
	    same_text(x->title, y->title) && same_text(x->props, y->props) &&
	    same_text(x->git_path, y->git_path);
}

bool
row_same(struct db *db, struct arena *a, const struct node *x, const struct node *y)
{
	return node_same(x, y) && str_eq(node_front(db, a, x), node_front(db, a, y));
}

static struct clash *
add_clash(struct three_way *t, const char *kind, const char *base, const char *ours, const char *theirs)
{
	struct clash *c = arena_alloc(t->arena, sizeof(*c));

	*c = (struct clash){ .page = t->ours->id, .kind = kind, .base = base, .ours = ours,
		.theirs = theirs };
	/* A tombstone has no title: use that of main's page, which it hides. */
	c->title = t->ours->kind != NODE_GONE ? t->ours->title :
	    t->theirs != NULL ? t->theirs->title : "";
	*t->last = c;
	t->last = &c->next;
	return c;
}

/* Merges one field: the side that changed it wins; two different changes clash. */
static const char *
pick_field(struct three_way *t, const char *kind, const char *base, const char *ours, const char *theirs)
{
	/* Both sides made the same change, or main made none. */
	if (same_text(ours, theirs) || same_text(base, theirs))
		return ours;
	if (same_text(base, ours))
		return theirs;
	add_clash(t, kind, base, ours, theirs);
	return ours;
}

/*
 * The bytes of a hash. For a version that is not stored, they are in memory (struct loose). If
 * bytes cannot be read, nothing is merged: otherwise the damaged side would win as if it were a
 * change.
 */
static struct str
bytes_of(struct three_way *t, struct str hash)
{
	struct str s;

	if (t->loose != NULL && t->loose->body.p != NULL && str_eq(hash, t->ours->body))
		return t->loose->body;
	if (t->loose != NULL && t->loose->refs.p != NULL && str_eq(hash, t->ours->refs))
		return t->loose->refs;
	if (!blob_get(t->db, t->arena, hash, &s))
		fail_lost_text(t->db, t->arena, t->ours);
	return s;
}

static const char *
copy_text(struct arena *a, struct str s)
{
	return arena_strndup(a, s.p, s.n);
}

/* The front matter of ours. For a stored row it is read from the database, since lists do not read it. */
static struct str
ours_front(struct three_way *t)
{
	return t->loose != NULL ? t->loose->front : node_front(t->db, t->arena, t->ours);
}

/* Compares ours with another version, as row_same() does. */
static bool
ours_same(struct three_way *t, const struct node *other)
{
	return node_same(t->ours, other) && str_eq(ours_front(t), node_front(t->db, t->arena, other));
}

/* True if main gave the page a new key only by renumbering, without moving it. */
static bool
is_only_renumbered(struct three_way *t)
{
	/* A row of an outside branch is no version of main, so nothing is known about renumbering. */
	return t->base->branch == t->theirs->branch && !same_text(t->base->ord, t->theirs->ord) &&
	    !order_moved(t->db, t->arena, t->base, t->theirs);
}

/*
 * Merges the order keys. If both sides kept the parent but moved the page to different places among
 * its siblings, this is a clash.
 */
static void
merge_order(struct three_way *t)
{
	if (same_text(t->ours->ord, t->base->ord))
		t->merged.ord = t->theirs->ord;
	else if (!same_text(t->theirs->ord, t->base->ord) &&
	    !same_text(t->ours->ord, t->theirs->ord) && !is_only_renumbered(t))
		add_clash(t, "position", NULL, NULL, NULL);
}

/* Parent and order are merged together: they are the place in the tree. */
static void
merge_place(struct three_way *t)
{
	const struct node *b = t->base, *o = t->ours, *h = t->theirs;
	bool ours = !same_text(o->parent, b->parent), theirs = !same_text(h->parent, b->parent);

	/*
	 * Both sides moved the page to different parents, which is a clash. If both chose the same
	 * parent, there is none, and the key of ours counts.
	 */
	if (ours && theirs && !same_text(o->parent, h->parent))
		add_clash(t, "position", b->parent, o->parent, h->parent);
	if (theirs && !ours) {
		t->merged.parent = h->parent;
		t->merged.ord = h->ord;
	} else if (!ours) {
		merge_order(t);
	}
}

/* Slug and path have one kind of clash, "path", since together they are the address. */
static void
merge_names(struct three_way *t)
{
	const struct node *b = t->base, *o = t->ours, *h = t->theirs;

	t->merged.title = pick_field(t, "title", b->title, o->title, h->title);
	t->merged.slug = pick_field(t, "path", b->slug, o->slug, h->slug);
	t->merged.path = pick_field(t, "path", b->path, o->path, h->path);
	/* The object id belongs to the file at this path, so both come from the same side. */
	if (same_text(o->git_path, b->git_path)) {
		t->merged.git_path = h->git_path;
		t->merged.git_oid = h->git_oid;
	}
}

static const char *
print_props(struct three_way *t, cJSON *props)
{
	char *text = cJSON_PrintUnformatted(props);
	const char *kept = arena_strdup(t->arena, text);

	cJSON_free(text);
	cJSON_Delete(props);
	return kept;
}

/*
 * Properties that are computed from the bytes of a file. They never conflict themselves: if both
 * sides replaced the bytes, the bytes conflict.
 */
static const char *const of_bytes[] = { "size", "width", "height" };

/* The properties of a node except those that are computed from its bytes. */
static const char *
props_of_author(struct three_way *t, const struct node *n)
{
	cJSON *props;

	if (n->kind != NODE_FILE || (props = cJSON_Parse(n->props)) == NULL)
		return n->props;
	for (size_t i = 0; i < sizeof(of_bytes) / sizeof(of_bytes[0]); i++)
		cJSON_DeleteItemFromObjectCaseSensitive(props, of_bytes[i]);
	return print_props(t, props);
}

/* The merged properties, in which the properties of the bytes are those of the node `from`. */
static const char *
replace_props_of_bytes(struct three_way *t, const char *merged, const struct node *from)
{
	cJSON *props = cJSON_Parse(merged), *all = cJSON_Parse(from->props);

	for (size_t i = 0; i < sizeof(of_bytes) / sizeof(of_bytes[0]); i++)
		if (cJSON_HasObjectItem(all, of_bytes[i]))
			cJSON_AddItemToObject(props, of_bytes[i], cJSON_DetachItemFromObjectCaseSensitive(all, of_bytes[i]));
	cJSON_Delete(all);
	return print_props(t, props);
}

/*
 * Merges the JSON by member (text/merge_json.c): one user can change the icon of a page while
 * another changes its description.
 */
static void
merge_props(struct three_way *t)
{
	const char *field = NULL, *merged;
	const char *base = props_of_author(t, t->base), *ours = props_of_author(t, t->ours), *theirs = props_of_author(t, t->theirs);

	if (same_text(t->ours->props, t->theirs->props))
		return;
	if (!merge_json(t->arena, base, ours, theirs, &merged, &field))
		add_clash(t, "properties", base, ours, theirs);
	t->merged.props = t->ours->kind != NODE_FILE ? merged :
	    replace_props_of_bytes(t, merged, str_eq(t->base->body, t->ours->body) ? t->theirs : t->ours);
}

/*
 * Unites two link maps: entries that ours does not have come from theirs. The result stays sorted,
 * because readers bisect it (store/page_document.c).
 */
static struct str
unite_refs(struct arena *a, struct str ours, struct str theirs)
{
	cJSON *first = ours.n > 0 ? cJSON_ParseWithLength(ours.p, ours.n) : NULL;
	cJSON *second = theirs.n > 0 ? cJSON_ParseWithLength(theirs.p, theirs.n) : NULL;
	const cJSON *x = first == NULL ? NULL : first->child;
	const cJSON *y = second == NULL ? NULL : second->child;
	struct json j;
	struct buf b;
	char *text;
	int c;

	/* Limits the memory, as for every buffer. */
	buf_init(&b, a, 128 << 20);
	json_init(&j, &b);
	json_obj(&j);
	/*
	 * Merges two sorted lists. The maps are written sorted by spelling, and cJSON keeps the
	 * order of members.
	 */
	while (x != NULL || y != NULL) {
		c = x == NULL ? 1 : y == NULL ? -1 : strcmp(x->string, y->string);
		json_key(&j, c <= 0 ? x->string : y->string);
		/* If both have a spelling, the entry of ours is used. */
		text = cJSON_PrintUnformatted(c <= 0 ? x : y);
		json_raw(&j, str_of(text));
		cJSON_free(text);
		if (c >= 0)
			y = y->next;
		if (c <= 0)
			x = x->next;
	}
	json_end(&j);
	cJSON_Delete(first);
	cJSON_Delete(second);
	return buf_view(&b);
}

static void
merge_text_body(struct three_way *t)
{
	struct text_conflict *hunk;
	struct str out, refs;

	merge_text(t->arena, bytes_of(t, t->base->body), bytes_of(t, t->ours->body),
	    bytes_of(t, t->theirs->body), &out, &hunk);
	for (; hunk != NULL; hunk = hunk->next)
		add_clash(t, "text", copy_text(t->arena, hunk->base), copy_text(t->arena, hunk->ours),
		    copy_text(t->arena, hunk->theirs))->line = hunk->line;
	/* The text contains spellings of both sides now, and each side's map has the targets of its own. */
	refs = unite_refs(t->arena, bytes_of(t, t->ours->refs), bytes_of(t, t->theirs->refs));
	t->merged.body = hash_of(t->arena, out);
	t->merged.refs = hash_of(t->arena, refs);
	t->body = out;
	t->refs = refs;
}

static void
merge_body(struct three_way *t)
{
	const struct node *b = t->base, *o = t->ours, *h = t->theirs;

	/* Equal hashes mean equal bytes: nothing is read if only one side changed. */
	if (str_eq(o->body, h->body) && str_eq(o->refs, h->refs))
		return;
	if (str_eq(b->body, h->body))
		return;
	if (str_eq(b->body, o->body)) {
		t->merged.body = h->body;
		t->merged.refs = h->refs;
	/* A file (such as an image) has no lines to merge. */
	} else if (o->kind == NODE_FILE) {
		if (!str_eq(o->body, h->body))
			add_clash(t, "file", NULL, NULL, NULL);
	} else {
		merge_text_body(t);
	}
}

/* Merges frontmatter and H1 as text, as they are in git. Properties and title are also merged by field. */
static void
merge_front(struct three_way *t)
{
	struct str b = node_front(t->db, t->arena, t->base), o = t->merged.front;
	struct str h = node_front(t->db, t->arena, t->theirs), out;
	struct text_conflict *hunks;

	if (str_eq(o, h) || str_eq(b, h))
		return;
	if (!merge_text(t->arena, b, o, h, &out, &hunks))
		add_clash(t, "properties", copy_text(t->arena, b), copy_text(t->arena, o), copy_text(t->arena, h));
	t->merged.front = out;
}

/*
 * The kind: if one side made the page a group, a link or a computed page, that is its kind,
 * whatever else the other side changed.
 */
static void
merge_kind(struct three_way *t)
{
	if (t->ours->kind == t->base->kind)
		t->merged.kind = t->theirs->kind;
	/* All three kinds differ: the two changes cannot be combined. */
	else if (t->theirs->kind != t->base->kind && t->theirs->kind != t->ours->kind)
		add_clash(t, "properties", NULL, NULL, NULL);
}

/* Merges a row that both sides changed, field by field: changes of different fields do not conflict. */
static void
merge_fields(struct three_way *t)
{
	t->by_field = true;
	merge_kind(t);
	merge_place(t);
	merge_names(t);
	merge_props(t);
	merge_body(t);
	merge_front(t);
	/* The later time of both edits. */
	t->merged.at = t->ours->at > t->theirs->at ? t->ours->at : t->theirs->at;
}

void
copy_place(struct node *n, const struct node *other)
{
	n->parent = other->parent;
	n->ord = other->ord;
	n->slug = other->slug;
	n->path = other->path;
	n->git_path = other->git_path;
}

/*
 * A row that is equal to its origin was restored by an update, because main's new place for the
 * page does not fit into the tree of the request. The place stays; all other changes of main are
 * merged.
 */
static void
keep_place(struct three_way *t)
{
	const struct node *o = t->ours, *h = t->theirs;

	t->by_field = true;
	t->merged = *h;
	t->merged.front = node_front(t->db, t->arena, h);
	copy_place(&t->merged, o);
	/* One clash about the place is enough: address and order depend on the parent. */
	if (!same_text(o->parent, h->parent))
		add_clash(t, "position", o->parent, o->parent, h->parent);
	else if (!same_text(o->slug, h->slug) || !same_text(o->path, h->path))
		add_clash(t, "path", o->slug, o->slug, h->slug);
	else if (!same_text(o->ord, h->ord) && !is_only_renumbered(t))
		add_clash(t, "position", NULL, NULL, NULL);
	else
		t->merged.ord = h->ord;
}

/*
 * The request deleted the page. A tombstone without an origin only hides a page that had no valid
 * place. It never deletes the page; the check of the tree decides whether there is a place now.
 */
static void
merge_our_deletion(struct three_way *t)
{
	struct node theirs;

	t->present = false;
	if (t->theirs == NULL)
		return;
	t->merged = *t->theirs;
	t->merged.front = node_front(t->db, t->arena, t->theirs);
	t->present = t->base == NULL;
	if (t->present)
		return;
	theirs = *t->theirs;
	/* A new key by renumbering (order_renumber()) is no edit of main, so the deletion counts. */
	if (is_only_renumbered(t))
		theirs.ord = t->base->ord;
	if (!row_same(t->db, t->arena, t->base, &theirs))
		add_clash(t, "deleted", NULL, NULL, t->theirs->title);
}

/*
 * Main deleted the page. A row that is equal to its origin was restored by an update for the pages
 * below it: it is deleted, and the conflict is about the pages that lose their parent.
 */
static void
merge_their_deletion(struct three_way *t)
{
	t->present = !ours_same(t, t->base);
	if (t->present)
		add_clash(t, "deleted", t->base->title, t->ours->title, NULL);
}

/*
 * The cases in order: absent on a side, new on both, unchanged in main, unchanged in the request,
 * changed on both.
 */
void
three_way(struct three_way *t)
{
	t->clash = NULL;
	t->last = &t->clash;
	t->by_field = false;
	t->body = t->refs = (struct str){ NULL, 0 };
	if (t->ours->kind == NODE_GONE) {
		merge_our_deletion(t);
		return;
	}
	t->present = true;
	t->merged = *t->ours;
	t->merged.front = ours_front(t);
	/* New in the request: there is nothing to merge with. */
	if (t->theirs == NULL && t->base == NULL)
		return;
	if (t->theirs == NULL) {
		merge_their_deletion(t);
		return;
	}
	if (t->base == NULL) {
		if (!ours_same(t, t->theirs))
			add_clash(t, "added", NULL, t->ours->slug, t->theirs->slug);
		return;
	}
	/*
	 * Main still has the version that ours was made from. (branch, since) identifies a version,
	 * so contents need not be compared.
	 */
	if (t->base->branch == t->theirs->branch && t->base->since == t->theirs->since)
		return;
	if (ours_same(t, t->base))
		keep_place(t);
	else
		merge_fields(t);
}

void
three_way_pack(struct three_way *t)
{
	if (t->body.p == NULL)
		return;
	t->stored[0] = blob_pack(t->arena, t->body);
	t->stored[1] = blob_pack(t->arena, t->refs);
}

void
three_way_store(const struct three_way *t)
{
	struct packed body = { .hash = t->merged.body, .bytes = t->body };
	struct packed refs = { .hash = t->merged.refs, .bytes = t->refs };

	if (t->body.p == NULL)
		return;
	blob_put_packed(t->db, t->arena, t->stored[0].packed.p != NULL ? &t->stored[0] : &body);
	blob_put_packed(t->db, t->arena, t->stored[1].packed.p != NULL ? &t->stored[1] : &refs);
}
