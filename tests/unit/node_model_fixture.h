/*
 * Compares the reading of nodes (store/content.h) with a model that has neither indexes nor several
 * statements: all rows of a space in an array, which every query scans from beginning to end.
 */
#ifndef NODE_MODEL_FIXTURE_H
#define NODE_MODEL_FIXTURE_H

#include "db_fixture.h"

#include "store/content.h"
#include "store/order.h"
#include "store/overlay.h"

enum { MODEL_IDS = 512 };

struct model_row {
	struct node n;
	int64_t     until;
};

struct model {
	struct fixture   *f;
	struct model_row *rows;
	size_t            n, room;
	const char       *ids[MODEL_IDS];   /* without duplicates */
	size_t            id_n;
	/* Nodes alive at the current point. */
	struct point       p;
	const struct node *shown[MODEL_IDS];
	size_t             shown_n;
};

SQL(q_model_rows,
    "SELECT branch, id, since, until, origin, kind, parent, ord, slug, path, title, props, git_path, git_oid, front, "
    "body, refs, at, made FROM node WHERE branch IN (SELECT id FROM branch WHERE space = :space) /*scan*/");

static inline enum node_kind
model_kind(const char *name)
{
	enum node_kind k = NODE_DOCUMENT;

	for (; strcmp(node_kind_name(k), name) != 0; k = (enum node_kind)(k * 2))
		;
	return k;
}

static inline struct str
model_bytes(struct model *m, struct stmt *q, int column)
{
	struct str s = col_bytes(q, column);

	return s.n == 0 ? (struct str){ NULL, 0 } : (struct str){ arena_strndup(m->f->arena, s.p, s.n), s.n };
}

static inline struct model_row
model_row_of(struct model *m, struct stmt *q)
{
	struct arena *a = m->f->arena;

	return (struct model_row){ .until = col_int(q, 3), .n = { .branch = col_int(q, 0), .id = col_dup(q, 1, a),
		.since = col_int(q, 2), .origin = col_null(q, 4) ? -1 : col_int(q, 4), .kind = model_kind(col_text(q, 5)),
		.parent = col_dup(q, 6, a), .ord = col_dup(q, 7, a), .slug = col_dup(q, 8, a), .path = col_dup(q, 9, a),
		.title = col_dup(q, 10, a), .props = col_dup(q, 11, a), .git_path = col_dup(q, 12, a),
		.git_oid = col_dup(q, 13, a), .front = model_bytes(m, q, 14), .body = model_bytes(m, q, 15),
		.refs = model_bytes(m, q, 16), .at = col_int(q, 17), .made = col_int(q, 18) } };
}

static inline void
model_note_id(struct model *m, const char *id)
{
	for (size_t i = 0; i < m->id_n; i++)
		if (strcmp(m->ids[i], id) == 0)
			return;
	assert_true(m->id_n < MODEL_IDS);
	m->ids[m->id_n++] = id;
}

/* All rows of the fixture's space. */
static inline void
model_read(struct model *m, struct fixture *f)
{
	struct stmt *q = db_use(f->db, &q_model_rows);

	*m = (struct model){ .f = f };
	bind_text(q, ":space", f->space);
	while (stmt_step(q)) {
		m->rows = arena_grow(f->arena, m->rows, m->n, &m->room, sizeof(*m->rows));
		m->rows[m->n] = model_row_of(m, q);
		model_note_id(m, m->rows[m->n++].n.id);
	}
}

static inline const struct node *
model_row(const struct model *m, int64_t branch, int64_t seq, const char *id)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->rows[i].n.branch == branch && m->rows[i].n.since <= seq && m->rows[i].until > seq &&
		    strcmp(m->rows[i].n.id, id) == 0)
			return &m->rows[i].n;
	return NULL;
}

/* NULL: the node does not exist at the point. */
static inline const struct node *
model_get(const struct model *m, const struct point *p, const char *id)
{
	const struct node *n = model_row(m, p->branch, p->seq, id);

	if (n == NULL && p->base != 0)
		n = model_row(m, p->base, p->base_seq, id);
	return n == NULL || n->kind == NODE_GONE ? NULL : n;
}

static inline void
model_at(struct model *m, const struct point *p)
{
	const struct node *n;

	m->p = *p;
	m->shown_n = 0;
	for (size_t i = 0; i < m->id_n; i++)
		if ((n = model_get(m, p, m->ids[i])) != NULL)
			m->shown[m->shown_n++] = n;
}

/* ---- comparing ---- */

static inline void
same_node(const struct node *x, const struct node *y)
{
	assert_string_equal(x->id, y->id);
	assert_true(x->branch == y->branch && x->since == y->since && x->origin == y->origin && x->kind == y->kind);
	assert_true(x->at == y->at && x->made == y->made);
	assert_true(same_text(x->parent, y->parent));
	assert_true(same_text(x->ord, y->ord));
	assert_true(same_text(x->slug, y->slug));
	assert_true(same_text(x->path, y->path));
	assert_true(same_text(x->title, y->title));
	assert_true(same_text(x->props, y->props));
	assert_true(same_text(x->git_path, y->git_path));
	assert_true(same_text(x->git_oid, y->git_oid));
	assert_true(str_eq(x->body, y->body) && str_eq(x->refs, y->refs));
}

static inline const struct node *
model_shown(const struct model *m, const char *id)
{
	for (size_t i = 0; i < m->shown_n; i++)
		if (strcmp(m->shown[i]->id, id) == 0)
			return m->shown[i];
	return NULL;
}

static inline void
compare_nodes(struct model *m)
{
	const struct node *n;
	struct node got;

	for (size_t i = 0; i < m->id_n; i++) {
		n = model_get(m, &m->p, m->ids[i]);
		assert_true(node_get(m->f->db, m->f->arena, &m->p, m->ids[i], &got) == (n != NULL));
		if (n != NULL) {
			same_node(&got, n);
			assert_true(str_eq(node_front(m->f->db, m->f->arena, &got), n->front));
		}
		n = model_row(m, m->p.branch, m->p.seq, m->ids[i]);
		assert_true(node_at(m->f->db, m->f->arena, &m->p, m->ids[i], &got) == (n != NULL));
		if (n != NULL)
			same_node(&got, n);
	}
}

static inline void
compare_list(struct model *m, unsigned want)
{
	size_t n, i, expected = 0;
	struct node *list = node_list(m->f->db, m->f->arena, &m->p, want, &n);

	for (i = 0; i < m->shown_n; i++)
		expected += (m->shown[i]->kind & want) != 0;
	assert_int_equal(n, expected);
	for (i = 0; i < n; i++) {
		assert_non_null(model_shown(m, list[i].id));
		assert_true(list[i].kind & want);
		same_node(&list[i], model_shown(m, list[i].id));
	}
}

/* Children of parent except `but`, inserted one by one into their order. */
static inline size_t
model_children(const struct model *m, const char *parent, const char *but, const struct node **out)
{
	size_t n = 0, k;
	int c;

	for (size_t i = 0; i < m->shown_n; i++) {
		const struct node *x = m->shown[i];
		if ((x->kind & NODE_PAGES) == 0 || strcmp(x->parent, parent) != 0 || (but != NULL && strcmp(x->id, but) == 0))
			continue;
		for (k = n++; k > 0; k--) {
			c = strcmp(out[k - 1]->ord, x->ord);
			if (c < 0 || (c == 0 && strcmp(out[k - 1]->id, x->id) < 0))
				break;
			out[k] = out[k - 1];
		}
		out[k] = x;
	}
	return n;
}

/* Compares the order keys around a place: that of the child before it, and the next different key after it. */
static inline void
compare_keys(struct model *m, const char *parent, const char *but, const struct node **child, size_t n)
{
	const char *before, *behind, *expected;
	size_t at, k;

	for (at = 0; at <= n + 1; at++) {
		assert_true(node_keys_at(m->f->db, m->f->arena, &m->p, parent, at, but, &before, &behind) == (at <= n));
		if (at > n)
			continue;
		expected = at == 0 ? "" : child[at - 1]->ord;
		assert_string_equal(before, expected);
		for (k = at; k < n && at > 0 && strcmp(child[k]->ord, expected) == 0; k++)
			;
		assert_string_equal(behind, k < n ? child[k]->ord : "");
	}
}

static inline void
compare_ends(struct model *m, const char *parent, const char *but)
{
	const struct node *child[MODEL_IDS];
	size_t n = model_children(m, parent, but, child);
	struct node got;

	for (int last = 0; last < 2; last++) {
		assert_true(node_end_child(m->f->db, m->f->arena, &m->p, parent, last, but, &got) == (n > 0));
		if (n > 0)
			same_node(&got, child[last ? n - 1 : 0]);
	}
	compare_keys(m, parent, but, child, n);
}

static inline void
compare_children(struct model *m, const char *parent)
{
	const struct node *child[MODEL_IDS];
	size_t n = model_children(m, parent, NULL, child), got_n, i;
	struct node *got = node_children(m->f->db, m->f->arena, &m->p, parent, &got_n);

	assert_int_equal(got_n, n);
	for (i = 0; i < n; i++)
		same_node(&got[i], child[i]);
	compare_ends(m, parent, NULL);
	compare_ends(m, parent, n > 0 ? child[0]->id : "nobody");
	if (n > 1)
		compare_ends(m, parent, child[n - 1]->id);
}

/* Where several nodes have one git path, any of them may be found; settings and computed pages have none. */
static inline void
compare_git_path(struct model *m, const char *path)
{
	bool there = false, right = false;
	struct node got;
	size_t i;

	for (i = 0; i < m->shown_n; i++)
		there = there || (m->shown[i]->kind != NODE_SETTING && m->shown[i]->git_path != NULL &&
		    strcmp(m->shown[i]->git_path, path) == 0);
	assert_true(node_by_git_path(m->f->db, m->f->arena, &m->p, path, &got) == there);
	for (i = 0; i < m->shown_n && there; i++)
		right = right || (m->shown[i]->branch == got.branch && m->shown[i]->since == got.since &&
		    strcmp(m->shown[i]->id, got.id) == 0);
	assert_true(right == there);
}

static inline void
compare_git_paths(struct model *m)
{
	/* Also for ids that do not exist at this point. */
	for (size_t i = 0; i < m->n; i++)
		if (m->rows[i].n.git_path != NULL)
			compare_git_path(m, m->rows[i].n.git_path);
	compare_git_path(m, "nothing");
}

/* ---- paths ---- */

static inline const char *
model_path(const struct model *m, const struct node *n)
{
	const struct node *up = *n->parent == '\0' ? NULL : model_shown(m, n->parent);

	if (n->path != NULL)
		return n->path;
	return up == NULL ? n->slug : arena_printf(m->f->arena, "%s/%s", model_path(m, up), n->slug);
}

/* Link nodes have no path: nothing is found there, unless another page has the path. */
static inline void
compare_path(struct model *m, const struct node *n)
{
	const char *path = model_path(m, n);
	struct node got;
	bool there = page_at(m->f->db, m->f->arena, &m->p, path, &got);

	assert_string_equal(page_path(m->f->db, m->f->arena, &m->p, n), path);
	if (n->kind != NODE_LINK)
		assert_true(there && strcmp(got.id, n->id) == 0);
	if (there)
		same_node(&got, model_shown(m, got.id));
}

static inline bool
model_has_path(const struct model *m, const char *path)
{
	for (size_t i = 0; i < m->shown_n; i++)
		if ((m->shown[i]->kind & NODE_PAGES) && strcmp(model_path(m, m->shown[i]), path) == 0)
			return true;
	return false;
}

/* An old path resolves only to a page that has it as an alias, made of slugs below a page. */
static inline void
compare_old_path(struct model *m, const char *path)
{
	const char *last = strrchr(path, '/');
	struct node got;

	if (model_has_path(m, path) || !page_at(m->f->db, m->f->arena, &m->p, path, &got))
		return;
	assert_string_equal(got.slug, last != NULL ? last + 1 : path);
	assert_true((got.kind & NODE_LINK) == 0);
	same_node(&got, model_shown(m, got.id));
}

static inline void
compare_paths(struct model *m)
{
	size_t i;

	for (i = 0; i < m->shown_n; i++)
		if (m->shown[i]->kind & NODE_PAGES)
			compare_path(m, m->shown[i]);
	for (i = 0; i < m->n; i++)
		if (m->rows[i].n.kind & NODE_PAGES) {
			compare_old_path(m, m->rows[i].n.slug);
			if (m->rows[i].n.path != NULL)
				compare_old_path(m, m->rows[i].n.path);
		}
}

/* ---- all of it ---- */

/* Own rows of the branch's head, without tombstones. */
static inline void
model_compare_overlay(struct model *m, int64_t branch)
{
	size_t n, expected = 0;
	struct node *own = overlay_rows(m->f->db, m->f->arena, branch, &n);

	for (size_t i = 0; i < m->n; i++)
		expected += m->rows[i].n.branch == branch && m->rows[i].until == FOREVER && !order_is_mark(m->rows[i].n.id);
	assert_int_equal(n, expected);
	for (size_t i = 0; i < n; i++) {
		const struct node *row = model_row(m, branch, FOREVER - 1, own[i].id);
		assert_non_null(row);
		same_node(&own[i], row);
		assert_true(i == 0 || strcmp(own[i - 1].id, own[i].id) < 0);
	}
}

static inline void
model_compare(struct model *m, const struct point *p)
{
	static const unsigned wants[] = { NODE_PAGES, NODE_FILE, NODE_REUSABLE | NODE_SETTING,
		NODE_FILE | NODE_REUSABLE | NODE_SETTING, NODE_DOCUMENT | NODE_FILE, NODE_GONE - 1 };
	size_t i;

	model_at(m, p);
	compare_nodes(m);
	for (i = 0; i < sizeof(wants) / sizeof(wants[0]); i++)
		compare_list(m, wants[i]);
	compare_children(m, "");
	for (i = 0; i < m->id_n; i++)
		compare_children(m, m->ids[i]);
	compare_git_paths(m);
	compare_paths(m);
}

#endif
