/* The bytes of a page's file: frontmatter and heading, then the body with its links. */
#include <cjson/cJSON.h>
#include <string.h>

#include "export_parts.h"

/* Upper limit for one file's buffer, far above the size limit of a page. */
enum { PAGE_BYTES = 256 << 20 };

/* ---- links ---- */

/*
 * State for rewriting the links of one page. moved: relative links resolve differently from the new
 * path, so each link is checked.
 */
struct link_speller {
	struct export_ctx *x;
	const char       *self, *from;    /* the page's id, and the path of its file after the export */
	bool              moved;          /* the page's file had another path before or none, or has another path in main's own repository */
	struct link_map   map;
	struct resolver   resolver;
};

/* The id of the node that has this path after the export; NULL: none. */
static const char *
id_at(struct export_ctx *x, const char *path)
{
	const char *id = map_get(x->by_path, str_of(path)), *now;
	struct node n;

	/* by_path contains the nodes that move or are new. All others keep the paths in their rows. */
	if (id != NULL || x->step->in_tree.branch == 0)
		return id;
	if (!node_by_git_path(x->db, x->arena, &x->step->in_tree, path, &n) &&
	    !node_by_git_path(x->db, x->arena, &x->step->after, path, &n))
		return NULL;
	/*
	 * In this export the page of this row may move to another path. The path then does not name
	 * the page any more.
	 */
	now = export_path(x, &n);
	return now != NULL && strcmp(now, path) == 0 ? n.id : NULL;
}

/*
 * Resolves a link like find_in_layout() of the import, but on the repository's state after the
 * export. A link is correct if the next import resolves it to the same node.
 */
static bool
find_exported(void *ctx, struct arena *a, const struct layout_target *t, const char **id,
    enum node_kind *kind)
{
	struct link_speller *s = ctx;
	struct export_ctx *x = s->x;
	const char *const *w, *const *c;
	struct node n;

	for (w = layout_target_paths(a, x->root, t); *w != NULL; w++)
		for (c = layout_candidates(a, *w); *c != NULL; c++) {
			*id = id_at(x, *c);
			if (*id != NULL && node_get(x->db, a, &x->step->after, *id, &n)) {
				*kind = n.kind;
				return true;
			}
		}
	return false;
}

/* True for "/pages/ID" and the like: only the API resolves these. */
static bool
names_id(struct str s)
{
	return str_starts(s, "/pages/") || str_starts(s, "/files/") || str_starts(s, "/spaces/") ||
	    str_starts(s, "/reusable-contents/") || str_starts(s, "/broken/");
}

/* by_id holds only the nodes that are written; all others keep their paths. */
static bool
target_moved(struct export_ctx *x, const char *id)
{
	const struct export_item *l = map_get(x->by_id, str_of(id));

	return l != NULL && !same_text(l->old_path, l->new_path);
}

/*
 * True if the node's path in main's own repository differs: links in main are spelled for that
 * path.
 */
static bool
has_other_path(const struct node *n, const char *path)
{
	return n->git_path == NULL || path == NULL || strcmp(n->git_path, path) != 0;
}

static bool
target_has_other_path(struct export_ctx *x, const char *id)
{
	struct node n;

	return node_get(x->db, x->arena, &x->step->after, id, &n) && has_other_path(&n, export_path(x, &n));
}

static const char *
target_path(struct export_ctx *x, const char *id)
{
	struct node n;

	return node_get(x->db, x->arena, &x->step->after, id, &n) ? export_path(x, &n) : NULL;
}

/*
 * Rewrites a link if its spelling would not resolve to the same target from the file; false: it
 * stays as it is.
 */
static bool
spell_link(struct link_speller *s, struct str text, enum doc_use use, struct buf *out)
{
	struct export_ctx *x = s->x;
	struct doc_ref want, now;
	const char *id, *to;

	if (!link_map_find(&s->map, text, &want))
		return false;
	/*
	 * In files, links to other spaces are absolute addresses of the service (docs/design/markdown.md,
	 * "Links between spaces").
	 */
	if (want.kind == REF_SPACE && names_id(text) && want.id != NULL) {
		buf_printf(out, "https://app.gitbook.com/s/%s", want.id);
		return true;
	}
	id = want.id != NULL ? want.id : want.kind == REF_ANCHOR ? s->self : NULL;
	if (id == NULL || want.space != NULL || (want.kind != REF_PAGE && want.kind != REF_ANCHOR &&
	    want.kind != REF_FILE && want.kind != REF_REUSABLE))
		return false;
	/*
	 * The usual case, without a query: neither the page nor the target moved, so the author's
	 * spelling stays.
	 */
	if (!names_id(text) && !s->moved && !target_moved(x, id) && !target_has_other_path(x, id))
		return false;
	/*
	 * The spelling still resolves to the same target, for example through a folder's README, or
	 * since both moved together.
	 */
	if (!names_id(text) && resolve_use(&s->resolver, x->arena, text, use, &now) && now.id != NULL &&
	    strcmp(now.id, id) == 0)
		return false;
	/* The target has no file (a group, a deleted page), so no path could name it. */
	if ((to = target_path(x, id)) == NULL)
		return false;
	/* find_exported() returned the page itself: the link named only an anchor, and no page. */
	if (id == s->self && want.kind == REF_ANCHOR) {
		buf_printf(out, "#%s", want.anchor);
		return true;
	}
	buf_str(out, path_between(x->arena, s->from, to));
	if (want.kind == REF_ANCHOR && want.anchor != NULL)
		buf_printf(out, "#%s", want.anchor);
	return true;
}

static bool
respell_link(void *ctx, const struct doc_link *link, struct buf *out)
{
	return spell_link(ctx, link->spelling, link->use, out);
}

/*
 * The node's text or link map, by hash. A damaged blob stops the export: an empty file would
 * replace a good one.
 */
static struct str
read_blob(struct export_ctx *x, const struct node *n, struct str hash)
{
	struct str s;

	if (!blob_get(x->db, x->arena, hash, &s))
		fail_lost_text(x->db, x->arena, n);
	return s;
}

static void
init_speller(struct link_speller *s, struct export_ctx *x, const struct node *n, const char *path, bool moved)
{
	*s = (struct link_speller){ .x = x, .self = n->id, .from = path, .moved = moved || has_other_path(n, path) };
	s->map = link_map_read(x->arena, read_blob(x, n, n->refs));
	s->resolver = (struct resolver){ .root = x->root, .from = path, .find = find_exported, .ctx = s };
}

/* The body with its links rewritten for the exported path. */
static struct str
respell_body(struct export_ctx *x, const struct node *n, const char *path, bool moved)
{
	struct str body = read_blob(x, n, n->body);
	struct link_speller s;
	struct buf unused, out;
	bool any = false;
	size_t i;

	init_speller(&s, x, n, path, moved);
	buf_init(&unused, x->arena, 1 << 20);
	for (i = 0; i < s.map.n && !any; i++)
		any = spell_link(&s, s.map.list[i].spelling, USE_LINK, &unused);
	if (!any)
		return body;
	buf_init(&out, x->arena, PAGE_BYTES);
	doc_respell(&out, x->arena, body, respell_link, &s);
	return buf_view(&out);
}

/* ---- frontmatter and heading ---- */

static const char *
cover_spelling(struct export_ctx *x, const cJSON *cover, const char *name, const char *from)
{
	const cJSON *ref = cJSON_GetObjectItemCaseSensitive(cover, name);
	/*
	 * A cover refers to a file of the space ("file") or to an address ("url"). NULL: neither.
	 */
	const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(ref, "file")), *to;

	if (id == NULL)
		return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(ref, "url"));
	to = target_path(x, id);
	return to == NULL ? NULL : path_between(x->arena, from, to);
}

static void
take_cover(struct export_ctx *x, const struct export_item *l, struct front_edit *e, const cJSON *old, const cJSON *now)
{
	const cJSON *before = cJSON_GetObjectItemCaseSensitive(old, "cover");
	const cJSON *cover = cJSON_GetObjectItemCaseSensitive(now, "cover");
	bool moved = l->old_path != NULL && strcmp(l->old_path, l->new_path) != 0;

	e->cover = cover_spelling(x, cover, "ref", l->new_path);
	e->cover_dark = cover_spelling(x, cover, "refDark", l->new_path);
	/*
	 * The cover is written only if it differs, or if its path is relative to another folder;
	 * otherwise the spelling in the frontmatter stays.
	 */
	e->new_cover = (cover != NULL && (moved || before == NULL)) || (before != NULL && (cover == NULL ||
	    !cJSON_Compare(before, cover, true)));
}

/*
 * Drops the part before the body if it consists of blank lines only, which a page that was saved
 * here may have.
 */
static struct str
drop_blank_front(struct str front)
{
	size_t i;

	for (i = 0; i < front.n; i++)
		if (strchr(" \t\r\n", front.p[i]) == NULL)
			return front;
	return STR("");
}

/*
 * Splits the page's file in the tree and returns the part before the body. For a page without a
 * file: the part that is stored with the page.
 */
static struct str
read_front(struct export_ctx *x, const struct export_item *l, struct page_file *f, bool *there)
{
	struct str bytes;

	*there = export_read_text(x, l->old_path, &bytes);
	if (!*there)
		bytes = drop_blank_front(node_front(x->db, x->arena, l->after));
	page_file_split(x->arena, bytes.p == NULL ? STR("") : bytes, f);
	return f->front.p == NULL ? STR("") : f->front;
}

/*
 * The part before the body, edited from the file's own: comments, order and quoting of its YAML
 * stay. For a new page or a new file, the old title is the heading of the stored text.
 */
static struct str
page_front(struct export_ctx *x, const struct export_item *l)
{
	const struct node *was = l->in_tree != NULL ? l->in_tree : l->before;
	struct page_file f;
	struct front_edit e = { .title = export_title(x->arena, l->after), .props = l->after->props };
	const char *fault;
	struct str front;
	bool there;

	e.old = read_front(x, l, &f, &there);
	e.old_title = there && was != NULL ? export_title(x->arena, was) : f.h1;
	e.old_props = there && was != NULL ? was->props : f.props;
	take_cover(x, l, &e, cJSON_Parse(e.old_props), cJSON_Parse(e.props));
	front = front_write(x->arena, &e, &fault);
	if (fault != NULL)
		export_warn(x, l->new_path, fault);
	return front;
}

/* Reusable content has its title in the frontmatter and no heading. */
static struct str
reusable_front(struct export_ctx *x, const struct export_item *l)
{
	struct str front = node_front(x->db, x->arena, l->after);
	struct buf b;

	if (front.n > 0)
		return front;
	buf_init(&b, x->arena, 1 << 20);
	buf_str(&b, "---\ntitle: ");
	yaml_quoted(&b, l->after->title);
	buf_str(&b, "\n---\n\n");
	return buf_view(&b);
}

/* ---- files ---- */

/* A file ends with a line feed, unless the old file did not. */
static bool
ends_line(struct export_ctx *x, const struct export_item *l)
{
	struct str was;

	return l->old_path == NULL || !export_read(x, l->old_path, &was) || was.n == 0 || was.p[was.n - 1] == '\n';
}

/*
 * Writes a page's file. l->after and l->new_path must be set. export_write() adds an edit only if
 * the bytes differ from those of the tree.
 */
void
export_page(struct export_ctx *x, const struct export_item *l)
{
	bool moved = l->old_path == NULL || strcmp(l->old_path, l->new_path) != 0;
	struct str front = l->after->kind == NODE_REUSABLE ? reusable_front(x, l) : page_front(x, l);
	struct str body = respell_body(x, l->after, l->new_path, moved);
	struct buf out;

	buf_init(&out, x->arena, PAGE_BYTES);
	buf_put(&out, front);
	buf_put(&out, body);
	if (out.n > 0 && out.p[out.n - 1] != '\n' && ends_line(x, l))
		buf_char(&out, '\n');
	export_write_text(x, l->new_path, l->old_path, out.n == 0 ? STR("") : buf_view(&out));
}

/*
 * Rewrites the links in the body of a page that is not exported otherwise; the part before the body
 * stays as it is.
 */
static void
rewrite_links(struct export_ctx *x, const struct node *n, const char *path)
{
	struct str bytes, body = respell_body(x, n, path, false);
	struct page_file f;
	struct buf out;

	if (!export_read_text(x, path, &bytes))
		return;
	page_file_split(x->arena, bytes, &f);
	buf_init(&out, x->arena, PAGE_BYTES);
	buf_put(&out, n->kind == NODE_REUSABLE ? node_front(x->db, x->arena, n) : f.front);
	buf_put(&out, body);
	export_write_text(x, path, path, buf_view(&out));
}

/*
 * True if the page has a link to a node whose path changes. Reads the link map instead of the body,
 * because this runs for every page of the space.
 */
static bool
links_to_moved(struct export_ctx *x, const struct node *n)
{
	struct link_map m = link_map_read(x->arena, read_blob(x, n, n->refs));
	size_t i;

	for (i = 0; i < m.n; i++)
		if (m.list[i].ref.id != NULL && target_moved(x, m.list[i].ref.id))
			return true;
	return false;
}

void
export_links(struct export_ctx *x)
{
	size_t n, i;
	struct node *all = node_list(x->db, x->arena, &x->step->after, NODE_DOCUMENT | NODE_REUSABLE, &n);
	const char *path;

	for (i = 0; i < n; i++) {
		/* Nodes in by_id were written with their links already. */
		if (map_has(x->by_id, str_of(all[i].id)) || all[i].refs.n == 0 || !links_to_moved(x, &all[i]))
			continue;
		path = export_path(x, &all[i]);
		if (path != NULL)
			rewrite_links(x, &all[i], path);
	}
}
