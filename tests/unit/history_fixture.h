/*
 * Random edits for histories of requests (test_request.c): a space, its main content and two change
 * requests, and one revision of edits at a time. The world's seed alone decides what happens.
 */
#ifndef HISTORY_FIXTURE_H
#define HISTORY_FIXTURE_H

#include "../temp_dir.h"
#include "merge/request.h"
#include "store/content.h"
#include "store/order.h"

enum { REQUESTS = 2, SNAPSHOTS = 12 };

struct snapshot {
	struct point point;
	char        *text;
};

struct world {
	struct db       *db;
	struct arena    *arena;
	char             dir[TEMP_MAX];
	const char      *space, *user;
	int64_t          main;
	int64_t          request[REQUESTS];
	unsigned         rng;
	int              pages;         /* pages made so far: ids are equal for equal seeds */
	int              line;          /* lines written so far: each line is unique */
	struct snapshot  snapshots[SNAPSHOTS];
	int              snapshot_count;
};

static inline unsigned
roll(struct world *w, unsigned n)
{
	w->rng = w->rng * 1664525u + 1013904223u;
	return (w->rng >> 8) % n;
}

static inline struct point
head(struct world *w, int64_t branch)
{
	struct point p;

	assert_true(point_head(w->db, w->arena, branch, &p));
	return p;
}

static inline struct node *
pages(struct world *w, const struct point *p, size_t *n)
{
	return node_list(w->db, w->arena, p, NODE_PAGES, n);
}

static inline bool
any_page(struct world *w, const struct point *p, struct node *out)
{
	size_t n;
	struct node *list = pages(w, p, &n);

	if (n == 0)
		return false;
	*out = list[roll(w, (unsigned)n)];
	out->front = node_front(w->db, w->arena, out);
	return true;
}

/* ---- random edits ---- */

/* Moves one line to another place. */
static inline void
move_line(struct world *w, struct buf *b)
{
	enum { LINES = 200 };
	const char *line[LINES + 1], *p, *moved;
	size_t n = 0, from, to;
	char *copy = arena_strndup(w->arena, b->p, b->n);

	for (p = copy; *p != '\0' && n < LINES; p = strchr(p, '\n') + 1)
		line[n++] = p;
	if (n < 2 || *p != '\0')
		return;
	from = roll(w, (unsigned)n);
	to = roll(w, (unsigned)n);
	moved = line[from];
	memmove(line + from, line + from + 1, (n - from - 1) * sizeof(line[0]));
	memmove(line + to + 1, line + to, (n - 1 - to) * sizeof(line[0]));
	line[to] = moved;
	buf_cut(b, b->n);
	for (from = 0; from < n; from++)
		buf_add(b, line[from], (size_t)(strchr(line[from], '\n') + 1 - line[from]));
}

/* Long enough to be recognized when they were moved. */
static inline char *
new_lines(struct world *w, const char *old)
{
	struct buf b;
	const char *p = old, *end;

	buf_init(&b, w->arena, 1 << 16);
	for (; *p != '\0'; p = end) {
		end = strchr(p, '\n') + 1;
		if (roll(w, 6) == 0)
			buf_printf(&b, "A new line, number %d.\n", ++w->line);
		if (roll(w, 8) != 0)
			buf_add(&b, p, (size_t)(end - p));
	}
	if (b.n == 0 || roll(w, 3) == 0)
		buf_printf(&b, "A new line, number %d.\n", ++w->line);
	if (roll(w, 3) == 0)
		move_line(w, &b);
	return b.p;
}

static inline void
set_body(struct world *w, struct node *n)
{
	struct str old;

	assert_true(blob_get(w->db, w->arena, n->body, &old));
	n->body = blob_put(w->db, w->arena, str_of(new_lines(w, arena_strndup(w->arena, old.p, old.n))));
}

static inline bool
below(struct world *w, const struct point *p, const char *id, const char *top)
{
	struct node n;
	int depth;

	for (depth = 0; *id != '\0' && depth < 100; depth++) {
		if (strcmp(id, top) == 0)
			return true;
		if (!node_get(w->db, w->arena, p, id, &n))
			return false;
		id = n.parent;
	}
	return false;
}

static inline void
put(struct world *w, const struct point *before, int64_t seq, struct node *n)
{
	if (before->base == 0) {
		n->origin = -1;
		node_put(w->db, before->branch, seq, n);
	} else {
		request_put(w->db, w->arena, before, seq, n);
	}
}

static inline void
drop(struct world *w, const struct point *before, const struct point *now, const char *id)
{
	size_t n, i;
	struct node *list = node_children(w->db, w->arena, now, id, &n);

	for (i = 0; i < n; i++)
		drop(w, before, now, list[i].id);
	if (before->base == 0)
		node_end(w->db, before->branch, id, now->seq);
	else
		request_drop(w->db, w->arena, before, now->seq, id);
}

/* An order key at a random place among the siblings. */
static inline const char *
order_among(struct world *w, const struct point *before, const struct point *now,
    const struct node *n)
{
	size_t count, at;
	struct node *list = node_children(w->db, w->arena, now, n->parent, &count);

	at = roll(w, (unsigned)count + 1);
	if (before->base != 0)
		return order_key(w->db, w->arena, before, now, n->parent, (int)at, n->id);
	/* Two keys may be equal: no key fits between these. */
	while (at > 0 && at < count && strcmp(list[at - 1].ord, list[at].ord) == 0)
		at++;
	return order_key_between(w->arena, at == 0 ? "" : list[at - 1].ord, at == count ? "" : list[at].ord);
}

/* True if no other page has the path, or a path below it: pages below move along. */
static inline bool
fits(struct world *w, const struct point *now, struct node *n)
{
	struct node other;

	return !page_taken(w->db, w->arena, now, n, &other) &&
	    !page_taken_below(w->db, w->arena, now, n, &other);
}

/* Inserts a new page. below: its parent; NULL: a random one, or none. */
static inline bool
insert(struct world *w, const struct point *before, const struct point *now, const char *below)
{
	struct node n = { .id = arena_printf(w->arena, "page%d", ++w->pages), .kind = NODE_DOCUMENT, .parent = "",
		.title = "t", .props = "{}", .at = 1, .made = 1 }, up;

	n.slug = arena_printf(w->arena, "p%u", roll(w, 6));
	n.ord = order_key_between(w->arena, "", "");
	if (below != NULL)
		n.parent = below;
	else if (roll(w, 2) && any_page(w, now, &up))
		n.parent = up.id;
	if (before->base == 0 && roll(w, 5) == 0)
		n.path = arena_printf(w->arena, "p%u/p%u", roll(w, 6), roll(w, 6));
	n.body = blob_put(w->db, w->arena, str_of(new_lines(w, "")));
	if (!fits(w, now, &n))
		return false;
	put(w, before, now->seq, &n);
	return true;
}

/* A row of the request's overlay, preferably one that moves a page away from its parent in main; NULL: none. */
static inline const struct node *
own_row(struct world *w, int64_t request)
{
	struct node *own, origin;
	struct point p;
	size_t n, i;

	/* No request is open yet. */
	if (request == 0)
		return NULL;
	p = head(w, request);
	own = overlay_rows(w->db, w->arena, request, &n);
	for (i = 0; i < n; i++)
		if (own[i].kind != NODE_GONE && overlay_origin(w->db, w->arena, &p, &own[i], &origin) &&
		    strcmp(own[i].parent, origin.parent) != 0)
			return &own[i];
	return n == 0 ? NULL : &own[roll(w, (unsigned)n)];
}

/*
 * Main does the opposite with a page that a request changed: it adds a page below one that the
 * request deleted, and deletes one that the request edited.
 */
static inline bool
cross(struct world *w, const struct point *before, const struct point *now)
{
	const struct node *own = own_row(w, w->request[roll(w, REQUESTS)]);
	struct node at;
	const char *id;

	if (own == NULL)
		return false;
	id = own->kind != NODE_GONE && roll(w, 4) == 0 ? own->parent : own->id;
	if (!node_get(w->db, w->arena, now, id, &at))
		return false;
	if (own->kind == NODE_GONE)
		return insert(w, before, now, id);
	drop(w, before, now, id);
	return true;
}

static inline bool
change(struct world *w, const struct point *before, const struct point *now)
{
	struct node n, up;

	if (before->base == 0 && roll(w, 3) == 0 && cross(w, before, now))
		return true;
	if (roll(w, 4) == 0 || !any_page(w, now, &n))
		return insert(w, before, now, NULL);
	switch (roll(w, 7)) {
	case 6:
		n.ord = order_among(w, before, now, &n);
		break;
	case 0:
		n.title = arena_printf(w->arena, "t%u", roll(w, 3));
		break;
	case 1:
		n.slug = arena_printf(w->arena, "p%u", roll(w, 6));
		if (!fits(w, now, &n))
			return false;
		break;
	case 2:
		/* Prefer a page with children, which move along. */
		if (*n.parent != '\0' && roll(w, 3) > 0 && node_get(w->db, w->arena, now, n.parent, &up)) {
			n = up;
			n.front = node_front(w->db, w->arena, &n);
		}
		if (!any_page(w, now, &up) || below(w, now, up.id, n.id))
			return false;
		n.parent = up.id;
		if (!fits(w, now, &n))
			return false;
		break;
	case 3:
		drop(w, before, now, n.id);
		return true;
	default:
		set_body(w, &n);
	}
	put(w, before, now->seq, &n);
	return true;
}

/* Writes one revision of random edits on a branch. */
static inline void
edit(struct world *w, int64_t branch)
{
	struct point before = head(w, branch), now;
	struct revision_info info = { .kind = "edits", .author = w->user,
		.base_seq = before.base_seq };
	unsigned k = 1 + roll(w, 3);
	char *id;

	revision_add(w->db, w->arena, branch, &info, &id);
	now = head(w, branch);
	while (k-- > 0)
		change(w, &before, &now);
	if (before.base == 0)
		propagate_revision(w->db, w->arena, w->space, branch, now.seq);
	else
		request_remove_repairs(w->db, w->arena, &before, &now);
}

#endif
