/* Decides which pages and files an export writes, and gives them names. Rules: export_step.h. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "export_parts.h"
#include "store/order.h"
#include "store/redirect.h"

/* All nodes with a row in the upstream branch: these differ between main and the repository. */
SQL(q_rows,
    "SELECT id FROM node WHERE branch = :b AND since <= :seq AND until > :seq");
/*
 * Rows that began or ended between two revisions (indexes node_since and node_until); a node that
 * changed twice comes once.
 */
SQL(q_changed,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION ALL SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to) AS c");

/* ---- files of the tree ---- */

static int
by_path(const void *x, const void *y)
{
	const struct str *a = &((const struct layout_entry *)x)->path, *b = &((const struct layout_entry *)y)->path;
	int c = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);

	return c != 0 ? c : (a->n > b->n) - (a->n < b->n);
}

static const struct layout_entry *
find_entry(struct export_ctx *x, const char *path)
{
	struct layout_entry key = { .path = str_of(path) };

	return find_sorted(&key, x->source.entries, x->source.count, sizeof(key), by_path);
}

bool
export_read(struct export_ctx *x, const char *path, struct str *out)
{
	const struct layout_entry *e = path == NULL ? NULL : find_entry(x, path);

	*out = (struct str){ "", 0 };
	return e != NULL && x->source.read(x->source.ctx, x->arena, e, out);
}

static struct git_edit *
add_edit(struct export_ctx *x, const char *path)
{
	struct export_step *s = x->step;
	struct git_edit *e;

	s->edits = arena_grow(x->arena, s->edits, s->count, &s->room, sizeof(*s->edits));
	e = &s->edits[s->count++];
	*e = (struct git_edit){ .path = path };
	return e;
}

void
export_write(struct export_ctx *x, const char *path, struct str bytes)
{
	struct str old;
	bool there = export_read(x, path, &old);

	/* Equal bytes make no edit, so that an unchanged page does not show up in the commit. */
	if (!there || !str_eq(old, bytes))
		add_edit(x, path)->bytes = bytes;
}

void
export_remove(struct export_ctx *x, const char *path)
{
	if (path != NULL && find_entry(x, path) != NULL)
		add_edit(x, path)->gone = true;
}

void
export_warn(struct export_ctx *x, const char *file, const char *message)
{
	if (x->step->warn != NULL)
		x->step->warn(x->step->ctx, file, message);
}

const char *
export_relative(const struct export_ctx *x, const char *path)
{
	size_t n = strlen(x->root);

	return n > 0 && strncmp(path, x->root, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static const char *
below_root(const struct export_ctx *x, const char *rel)
{
	return *x->root == '\0' ? rel : arena_printf(x->arena, "%s/%s", x->root, rel);
}

const char *
export_title(struct arena *a, const struct node *n)
{
	const cJSON *props = cJSON_Parse(n->props);
	const char *emoji = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(props, "emoji"));

	return emoji == NULL ? n->title : arena_printf(a, "%s %s", emoji, n->title);
}

/* ---- folder of the space ---- */

static const char *
setting_path(struct export_ctx *x, const char *id)
{
	struct node n;

	return node_get(x->db, x->arena, &x->step->in_tree, id, &n) && n.git_path != NULL ? n.git_path : NULL;
}

/*
 * The space's folder: the one that the import used; before the first import, the project directory
 * of the request, without "./" and without slashes at its ends.
 */
static void
find_root(struct export_ctx *x)
{
	struct export_step *s = x->step;
	const char *dir = s->dir == NULL ? "" : s->dir, *root = NULL;
	size_t n = strlen(dir);
	struct node layout;

	if (!s->whole && node_get(x->db, x->arena, &s->in_tree, SETTING_LAYOUT, &layout))
		root = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(cJSON_Parse(layout.props), "root"));
	while (n > 0 && dir[n - 1] == '/')
		n--;
	/* Skip "/" and "./" at the beginning, and a lone ".". */
	while (n > 0 && (*dir == '/' || (dir[0] == '.' && (n == 1 || dir[1] == '/')))) {
		dir++;
		n--;
	}
	x->root = root != NULL ? root : arena_strndup(x->arena, dir, n);
	x->summary = s->whole ? NULL : setting_path(x, "SUMMARY.md");
	if (x->summary == NULL)
		x->summary = below_root(x, "SUMMARY.md");
	x->root_file = below_root(x, "README.md");
}

/* Paths that differ only in case are the same file on some systems. */
static const char *
fold_path(struct export_ctx *x, const char *path)
{
	return utf8_lower(x->arena, str_of(path));
}

/* Marks the folders of a path as taken. `last`: the folders of the path before, marked already. */
static struct str
take_folders(struct export_ctx *x, struct str path, struct str last)
{
	size_t n = path.n;

	while (n > 0 && path.p[n - 1] != '/')
		n--;
	if (n == last.n && memcmp(path.p, last.p, n) == 0)
		return last;
	last = str_slice(path, 0, n);
	for (; n > 0; n--)
		if (path.p[n - 1] == '/')
			map_add(x->taken, str_of(fold_path(x, arena_strndup(x->arena, path.p, n - 1))), x);
	return last;
}

static void
index_tree(struct export_ctx *x)
{
	struct str folders = STR("");
	size_t i;

	x->taken = map_new(x->arena);
	/*
	 * `freed_paths` has exact paths, and `taken` has paths in lower case. So a removed file makes only
	 * its own path free.
	 */
	x->freed_paths = map_new(x->arena);
	x->by_path = map_new(x->arena);
	x->by_id = map_new(x->arena);
	map_add(x->taken, str_of(fold_path(x, x->summary)), x);
	if (x->step->tree == NULL)
		return;
	x->source = git_tree_source(x->step->tree);
	for (i = 0; i < x->source.count; i++) {
		map_add(x->taken, str_of(fold_path(x, arena_strndup(x->arena, x->source.entries[i].path.p,
		    x->source.entries[i].path.n))), x);
		folders = take_folders(x, x->source.entries[i].path, folders);
	}
}

/* ---- changed nodes ---- */

static const struct node *
node_copy(struct export_ctx *x, const struct point *p, const char *id)
{
	struct node *n = arena_alloc(x->arena, sizeof(*n));

	return p->branch != 0 && node_get(x->db, x->arena, p, id, n) ? n : NULL;
}

/* The path that an earlier commit of this chain gave to the node's file; NULL: none. */
static const char *
chain_path(const struct export_ctx *x, const char *id)
{
	return map_get(x->step->paths->files, str_of(id));
}

/* Records a path for later: the next commit of the chain and record_push() in sync.c read it. */
static void
record_chain_path(struct export_ctx *x, const char *id, const char *path)
{
	struct export_paths *p = x->step->paths;

	if (!map_has(p->files, str_of(id))) {
		p->ids = arena_grow(x->arena, p->ids, p->n, &p->room, sizeof(*p->ids));
		p->ids[p->n++] = id;
	}
	*map_at(p->files, str_of(id)) = (void *)path;
}

/* The path of the page's file in the tree; NULL: it has none there. */
static const char *
path_before(struct export_ctx *x, const char *id, const struct node *in_tree)
{
	const char *path = x->step->fresh ? NULL : chain_path(x, id);
	struct node origin;

	if (x->step->whole || in_tree == NULL)
		return NULL;
	if (path != NULL || in_tree->git_path != NULL)
		return path != NULL ? path : in_tree->git_path;
	/* Main may not have recorded the path that an export gave to the page. */
	if (x->step->origin.branch != 0 && node_get(x->db, x->arena, &x->step->origin, id, &origin))
		return origin.git_path;
	return NULL;
}

static void
consider_node(struct export_ctx *x, const char *id, size_t *room)
{
	struct export_step *s = x->step;
	struct export_item *l;

	/*
	 * Order marks and redirects are rows without a file. map_add() is false for an id that is
	 * in the list already; the value is set when the list is complete.
	 */
	if (order_is_mark(id) || redirect_is(id) || !map_add(x->by_id, str_of(id), x))
		return;
	x->list = arena_grow(x->arena, x->list, x->count, room, sizeof(*x->list));
	l = &x->list[x->count++];
	*l = (struct export_item){ .id = id, .in_tree = s->whole ? NULL : node_copy(x, &s->in_tree, id),
		.before = s->whole ? NULL : node_copy(x, &s->before, id), .after = node_copy(x, &s->after, id) };
	l->old_path = path_before(x, id, l->in_tree);
}

static void
consider_query(struct export_ctx *x, struct stmt *q, size_t *room)
{
	const char **ids = NULL;
	size_t n = 0, cap = 0, i;

	/* Collect the ids first: consider_node() uses the same statements. */
	while (stmt_step(q)) {
		ids = arena_grow(x->arena, ids, n, &cap, sizeof(*ids));
		ids[n++] = col_dup(q, 0, x->arena);
	}
	for (i = 0; i < n; i++)
		consider_node(x, ids[i], room);
}

static bool
is_page(const struct node *n)
{
	return n != NULL && (n->kind & NODE_PAGES) != 0;
}

/*
 * Adds the old and the new parent of each page: the path of a parent's file depends on whether it
 * has children.
 */
static void
consider_parents(struct export_ctx *x, size_t *room)
{
	size_t i, n = x->count;

	for (i = 0; i < n; i++) {
		/*
		 * Take the page's old parent from the state of main that the tree contains; if main
		 * had no such page then, from the tree.
		 */
		const struct node *b = x->list[i].in_tree == NULL ? NULL : x->list[i].before != NULL ? x->list[i].before :
		    x->list[i].in_tree, *a = x->list[i].after;
		if (is_page(b) && is_page(a) && strcmp(b->parent, a->parent) == 0)
			continue;
		if (is_page(b) && *b->parent != '\0')
			consider_node(x, b->parent, room);
		if (is_page(a) && *a->parent != '\0')
			consider_node(x, a->parent, room);
	}
}

static void
consider_all(struct export_ctx *x)
{
	struct export_step *s = x->step;
	size_t room = 0, n, i;
	struct stmt *q;
	struct node *all;

	if (s->whole) {
		all = node_list(x->db, x->arena, &s->after, NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &n);
		for (i = 0; i < n; i++)
			if (s->only == NULL || map_has(s->only, str_of(all[i].id)))
				consider_node(x, all[i].id, &room);
	} else {
		if (s->in_tree.base != 0) {
			q = db_use(x->db, &q_rows);
			bind_int(q, ":b", s->in_tree.branch);
			bind_int(q, ":seq", s->in_tree.seq);
			consider_query(x, q, &room);
		}
		q = db_use(x->db, &q_changed);
		bind_int(q, ":b", s->after.branch);
		/*
		 * An upstream branch is based on a revision of main, so the tree does not contain
		 * what changed since that revision. If the tree contains a point of main itself,
		 * changes are counted from that point.
		 */
		bind_int(q, ":from", s->in_tree.base != 0 ? s->in_tree.base_seq : s->in_tree.seq);
		bind_int(q, ":to", s->after.seq);
		consider_query(x, q, &room);
	}
	/* Nodes that got a path earlier in the chain must have the same path in this tree. */
	for (i = 0; s->fresh && i < s->paths->n; i++)
		consider_node(x, s->paths->ids[i], &room);
	if (s->only == NULL)
		consider_parents(x, &room);
}

/* ---- names ---- */

static bool
has_pages(struct export_ctx *x, const struct point *p, const char *id)
{
	size_t n = 0;

	node_children(x->db, x->arena, p, id, &n);
	return n > 0;
}

/* A path is also free if this export removes the file that has it. */
static bool
is_free(struct export_ctx *x, const char *path)
{
	struct str key = str_of(fold_path(x, path));

	return !map_has(x->taken, key) || map_get(x->freed_paths, str_of(path)) != NULL;
}

static void
take_path(struct export_ctx *x, const char *path)
{
	map_add(x->taken, str_of(fold_path(x, path)), x);
	/* Clear the entry: a second page must not get the same path. */
	if (map_has(x->freed_paths, str_of(path)))
		*map_at(x->freed_paths, str_of(path)) = NULL;
}

/* Takes the path base + end, or the first free one with a number before end. */
static const char *
take_name(struct export_ctx *x, const char *base, const char *end)
{
	const char *path = arena_printf(x->arena, "%s%s", base, end);
	/* GitBook numbers pages as "name-1.md" and files as "name (1).png". */
	bool page = strcmp(end, ".md") == 0 || strcmp(end, "/README.md") == 0;
	unsigned k;

	for (k = 1; !is_free(x, path); k++)
		path = arena_printf(x->arena, page ? "%s-%u%s" : "%s (%u)%s", base, k, end);
	take_path(x, path);
	return path;
}

/*
 * Takes a new path for a page, after the page's path. folder: the page has children, so it becomes
 * the README.md of their folder (docs/design/import.md, "Names of new files").
 */
static const char *
page_file(struct export_ctx *x, const struct node *n, bool folder)
{
	const char *rel = page_path(x->db, x->arena, &x->step->after, n);

	if (strcmp(rel, "readme") == 0 && is_free(x, x->root_file))
		return take_name(x, x->root_file, "");
	return take_name(x, below_root(x, export_name(x->arena, rel, "page")), folder ? "/README.md" : ".md");
}

/*
 * The path that an earlier commit of the chain gave to the page; a new one if another file of the
 * fetched tree has it.
 */
static const char *
place_from_chain(struct export_ctx *x, const struct export_item *l, const char *path, bool folder)
{
	if (same_text(path, l->old_path))
		return path;
	if (!is_free(x, path))
		return page_file(x, l->after, folder);
	take_path(x, path);
	return path;
}

/*
 * For a page that upstream deleted and main kept: its old path, if that is free or holds the page's
 * unchanged file. NULL: there is no such path.
 */
static const char *
path_after_deletion(struct export_ctx *x, const struct export_item *l)
{
	const struct node *n = l->in_tree == NULL && !x->step->whole ? l->before : NULL;
	const struct layout_entry *e;
	struct node other;

	if (n == NULL || n->git_path == NULL)
		return NULL;
	e = find_entry(x, n->git_path);
	/*
	 * An existing file must have the page's own bytes (same object id) and must belong to no
	 * other page: any other file was not written by an export.
	 */
	if (e == NULL ? !is_free(x, n->git_path) : n->git_oid == NULL || strcmp(e->oid, n->git_oid) != 0 ||
	    node_by_git_path(x->db, x->arena, &x->step->in_tree, n->git_path, &other))
		return NULL;
	take_path(x, n->git_path);
	return n->git_path;
}

/* The path for a page's file. The old path is kept as long as it fits the page's path and children. */
static const char *
page_place(struct export_ctx *x, const struct export_item *l)
{
	struct export_step *s = x->step;
	const struct node *was = l->before != NULL ? l->before : l->in_tree;
	const struct point *p = l->before != NULL ? &s->before : &s->in_tree;
	bool folder, now = has_pages(x, &s->after, l->id), then;
	const char *known = chain_path(x, l->id);

	if (s->fresh && known != NULL)
		return place_from_chain(x, l, known, now);
	if (l->old_path == NULL && known == NULL)
		known = path_after_deletion(x, l);
	if (l->old_path == NULL)
		return known != NULL ? known : page_file(x, l->after, now);
	/*
	 * A README.md is a folder's page already, so gaining or losing children does not move it.
	 */
	folder = layout_is_readme(str_of(l->old_path));
	then = was != NULL && has_pages(x, p, l->id);
	if (was != NULL && strcmp(page_path(x->db, x->arena, p, was), page_path(x->db, x->arena, &s->after, l->after)) != 0) {
		map_add(x->freed_paths, str_of(l->old_path), x);
		return page_file(x, l->after, folder || now);
	}
	/*
	 * Move the file only if the page gained its first child or lost its last one in this step:
	 * a README.md that an author chose for a page without children stays.
	 */
	if (strcmp(l->old_path, x->root_file) == 0 || now == then || now == folder)
		return l->old_path;
	map_add(x->freed_paths, str_of(l->old_path), x);
	return page_file(x, l->after, now);
}

/*
 * New files go to .gitbook/assets (docs/design/import.md, "Assets"). A number goes before the
 * extension, so that the type stays recognisable.
 */
static const char *
file_place(struct export_ctx *x, const struct export_item *l)
{
	const char *name, *dot, *base, *old = l->old_path;

	if (old != NULL || (old = path_after_deletion(x, l)) != NULL)
		return old;
	name = export_file_name(x->arena, l->after->title);
	dot = strrchr(name, '.');
	if (dot == NULL || dot == name)
		dot = name + strlen(name);
	base = below_root(x, arena_printf(x->arena, ".gitbook/assets/%.*s", (int)(dot - name), name));
	return take_name(x, base, dot);
}

static const char *
reusable_place(struct export_ctx *x, const struct export_item *l)
{
	const char *old = l->old_path != NULL ? l->old_path : path_after_deletion(x, l);

	if (old != NULL)
		return old;
	return take_name(x, below_root(x, arena_printf(x->arena, ".gitbook/includes/%s", export_reusable_name(x->arena, l->after))), ".md");
}

/*
 * An entry without a link in the tree's table of contents stays without a file until its page has
 * text.
 */
static bool
needs_file(const struct export_item *l)
{
	const struct node *was = l->in_tree;

	return l->old_path != NULL || was == NULL || was->kind != NODE_DOCUMENT || !str_eq(was->body, l->after->body);
}

static const char *
place_node(struct export_ctx *x, const struct export_item *l)
{
	switch (l->after->kind) {
	case NODE_DOCUMENT: return needs_file(l) ? page_place(x, l) : NULL;
	case NODE_FILE:     return file_place(x, l);
	case NODE_REUSABLE: return reusable_place(x, l);
	default:            return NULL;
	}
}

const char *
export_path(struct export_ctx *x, const struct node *n)
{
	const struct export_item *l = map_get(x->by_id, str_of(n->id));
	const char *path;
	struct node origin;

	if (l != NULL)
		return l->new_path;
	path = chain_path(x, n->id);
	if (path == NULL && x->step->origin.branch != 0 && node_get(x->db, x->arena, &x->step->origin, n->id, &origin))
		path = origin.git_path;
	/* Before the first export, stored git paths belong to another repository. */
	return path != NULL || x->step->whole ? path : n->git_path;
}

const char *
export_old_path(struct export_ctx *x, const struct node *in_tree)
{
	const struct export_item *l = map_get(x->by_id, str_of(in_tree->id));

	return l != NULL ? l->old_path : path_before(x, in_tree->id, in_tree);
}

/* ---- the table of contents ---- */

static const char *
toc_text(const struct node *n)
{
	const cJSON *props = cJSON_Parse(n->props);
	cJSON *kept = cJSON_CreateObject();
	static const char *const names[] = { "emoji", "linkTitle", "target", "computed" };
	size_t i;
	const cJSON *v;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if ((v = cJSON_GetObjectItemCaseSensitive(props, names[i])) != NULL)
			cJSON_AddItemToObject(kept, names[i], cJSON_Duplicate(v, true));
	return cJSON_PrintUnformatted(kept);
}

/* True if something changed that the table of contents shows: a page's place, title or file, a group's slug, a link's target. */
static bool
toc_differs(const struct export_item *l)
{
	const struct node *b = l->in_tree, *n = l->after;

	if (((b != NULL ? b->kind : n != NULL ? n->kind : 0) & NODE_PAGES) == 0)
		return false;
	if (b == NULL || n == NULL)
		return b != n;
	return b->kind != n->kind || strcmp(b->parent, n->parent) != 0 || strcmp(b->ord, n->ord) != 0 ||
	    strcmp(b->title, n->title) != 0 || !same_text(l->old_path, l->new_path) ||
	    (n->kind == NODE_GROUP && strcmp(b->slug, n->slug) != 0) || strcmp(toc_text(b), toc_text(n)) != 0;
}

/* ---- the step ---- */

static void
write_file(struct export_ctx *x, const struct export_item *l)
{
	const char *path, *why;
	struct str bytes;

	if (l->in_tree != NULL && str_eq(l->in_tree->body, l->after->body) && same_text(l->old_path, l->new_path))
		return;
	if (x->step->file != NULL) {
		x->step->file(x->step->ctx, l->new_path, l->after);
		return;
	}
	path = blob_local_or_fail(x->db, x->arena, x->step->set->dir, l->after->body);
	if (!file_read(x->arena, path, &bytes)) {
		export_warn(x, l->new_path, "the file's bytes cannot be read; it is left out");
		return;
	}
	why = export_unsafe(l->after->title, bytes);
	if (why != NULL && l->old_path == NULL) {
		export_warn(x, l->new_path, why);
		return;
	}
	export_write(x, l->new_path, bytes);
}

/* Writes variables and tags of a space that came from another repository. */
static void
write_setting(struct export_ctx *x, const struct export_item *l)
{
	struct str bytes;

	/*
	 * Settings that the export writes in another way, or that have no file; the values of
	 * book.json are in the texts.
	 */
	if (!x->step->whole || l->after->git_path == NULL || strcmp(l->id, "SUMMARY.md") == 0 ||
	    strcmp(l->id, ".gitbook.yaml") == 0 || strcmp(l->id, LAYOUT_BOOK) == 0 || !blob_get(x->db, x->arena, l->after->body, &bytes))
		return;
	export_write(x, below_root(x, strcmp(l->id, "vars") == 0 ? ".gitbook/vars.yaml" : ".gitbook/tags.yaml"), bytes);
}

static void
write_one(struct export_ctx *x, const struct export_item *l)
{
	const struct node *any = l->after != NULL ? l->after : l->in_tree;

	/*
	 * Settings in main may come from another repository; this repository keeps its own files.
	 */
	if (any != NULL && any->kind == NODE_SETTING) {
		if (l->after != NULL)
			write_setting(x, l);
		return;
	}
	/*
	 * Remove the old file, unless another page takes its path: that page's write replaces the
	 * file, and git.h refuses a removal and a write of one path.
	 */
	if (l->old_path != NULL && (l->new_path == NULL || strcmp(l->old_path, l->new_path) != 0) &&
	    !map_has(x->by_path, str_of(l->old_path)))
		export_remove(x, l->old_path);
	if (l->after == NULL)
		return;
	if (l->new_path != NULL && l->after->kind == NODE_FILE)
		write_file(x, l);
	else if (l->new_path != NULL)
		export_page(x, l);
}

/* Refuse to replace a table of contents that was never imported: a person has to decide. */
static bool
has_foreign_toc(struct export_ctx *x)
{
	struct layout_entry *e = (struct layout_entry *)find_entry(x, x->summary);

	if (!x->step->whole || x->step->tree == NULL || e == NULL)
		return false;
	x->step->error = arena_printf(x->arena, "the branch has a table of contents of its own (%s), and was never "
	    "synchronised with this space: import it first, or export to an empty branch or another folder", x->summary);
	return true;
}

/* In a space that was never in a repository, the first page becomes the root file. */
static void
name_first(struct export_ctx *x)
{
	size_t n, i;
	struct node *top = node_children(x->db, x->arena, &x->step->after, "", &n);

	for (i = 0; i < n; i++)
		if (top[i].kind == NODE_DOCUMENT && map_has(x->by_id, str_of(top[i].id)) && is_free(x, x->root_file)) {
			record_chain_path(x, top[i].id, take_name(x, x->root_file, ""));
			return;
		}
}

static void
name_all(struct export_ctx *x)
{
	size_t i;

	if (x->step->whole)
		name_first(x);

	for (i = 0; i < x->count; i++) {
		struct export_item *l = &x->list[i];
		if (l->after == NULL && l->old_path != NULL)
			map_add(x->freed_paths, str_of(l->old_path), x);
	}
	for (i = 0; i < x->count; i++) {
		struct export_item *l = &x->list[i];
		/* In the order of ids: a path that is given to one node is not free for the next ones. */
		l->new_path = l->after == NULL ? NULL : place_node(x, l);
		x->moved |= l->after != NULL && l->old_path != NULL && !same_text(l->old_path, l->new_path);
		x->tree |= toc_differs(l);
		if (l->new_path != NULL)
			map_add(x->by_path, str_of(l->new_path), (void *)l->id);
	}
	for (i = 0; i < x->count; i++)
		if (x->list[i].new_path != NULL && !same_text(x->list[i].old_path, x->list[i].new_path))
			record_chain_path(x, x->list[i].id, x->list[i].new_path);
}

/* Sorts by kind and id, so that every run gives the same names. */
static int
by_kind_and_id(const void *a, const void *b)
{
	const struct export_item *x = a, *y = b;

	return strcmp(x->id, y->id);
}

bool
export_step(struct export_step *s)
{
	struct export_ctx x = { .step = s, .db = s->db, .arena = s->arena };
	const char *book;
	struct str bytes;
	size_t i;

	s->edits = NULL;
	s->count = s->room = 0;
	s->error = NULL;
	json_arena(s->arena);
	find_root(&x);
	index_tree(&x);
	if (!s->whole && (book = setting_path(&x, LAYOUT_BOOK)) != NULL && export_read(&x, book, &bytes))
		x.book = book_parse(x.arena, bytes);
	if (has_foreign_toc(&x))
		return false;
	consider_all(&x);
	sort_list(x.list, x.count, sizeof(*x.list), by_kind_and_id);
	for (i = 0; i < x.count; i++)
		*map_at(x.by_id, str_of(x.list[i].id)) = &x.list[i];
	name_all(&x);
	for (i = 0; i < x.count; i++)
		write_one(&x, &x.list[i]);
	if (x.moved)
		export_links(&x);
	if (x.tree && s->only == NULL)
		export_toc(&x);
	return s->error == NULL;
}
