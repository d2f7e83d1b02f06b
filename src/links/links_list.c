/* Lists of links and backlinks; the contract is in links.h. */
#include <assert.h>
#include <stdlib.h>

#include "link_parts.h"
#include "base/sort.h"

#define TARGET_COLS "t.id, t.key, t.kind, t.node, t.anchor, t.url, t.status"

/* Only the head of main has tables; at every other point the pages are read. */
SQL(q_edition_of,
    "SELECT e.no FROM branch b JOIN link_edition e ON e.branch = b.id AND e.shown = 1 "
    "WHERE b.id = :b AND b.kind = 'main' AND b.head = :seq");
SQL(q_complete_edition,
    "SELECT e.no FROM branch b JOIN link_edition e ON e.branch = b.id AND e.shown = 1 AND e.late = 0 "
    "WHERE b.id = :b AND b.kind = 'main' AND b.head = :seq");
/* Three rows: the sums are stored, since counting would read every link. */
SQL(q_counts, "SELECT status, targets, links FROM link_count WHERE edition = :b");
SQL(q_targets,
    "SELECT " TARGET_COLS " FROM link_target t WHERE t.edition = :b AND t.key >= :from AND t.key <> :after "
    "ORDER BY t.key LIMIT :limit");
/*
 * Nearly all targets are ok, so these are found among all targets; the others have an index of
 * their own.
 */
SQL(q_targets_ok,
    "SELECT " TARGET_COLS " FROM link_target t WHERE t.edition = :b AND t.status = 'ok' "
    "AND t.key >= :from AND t.key <> :after ORDER BY t.key LIMIT :limit");
SQL(q_targets_status,
    "SELECT " TARGET_COLS " FROM link_target t WHERE t.edition = :b AND t.status = :status AND t.status <> 'ok' "
    "AND t.key >= :from AND t.key <> :after ORDER BY t.key LIMIT :limit");
/* Sorts the targets of one source; a page has few enough. */
SQL(q_targets_source,
    "SELECT DISTINCT " TARGET_COLS " FROM link l JOIN link_target t ON t.id = l.target "
    "WHERE l.edition = :b AND l.source = :source AND t.key >= :from AND t.key <> :after "
    "AND (CAST(:status AS TEXT) IS NULL OR t.status = :status) ORDER BY t.key LIMIT :limit /*scan*/");
SQL(q_counts_source,
    "SELECT t.status, count(DISTINCT t.id), count(*) FROM link l JOIN link_target t ON t.id = l.target "
    "WHERE l.edition = :b AND l.source = :source GROUP BY t.status /*scan*/");
/*
 * The row value compares (source, n) with the last place of the previous page, in the order of the
 * index.
 */
SQL(q_places,
    "SELECT source, line, spelling, n FROM link WHERE target = :id AND (source, n) > (:place, :n) "
    "AND (CAST(:source AS TEXT) IS NULL OR source = :source) ORDER BY source, n LIMIT :limit");
SQL(q_target_below, "SELECT status FROM link_target WHERE edition = :b AND key = :key");
/* A source is listed once, with its first place; links of a page to itself are left out. */
SQL(q_back,
    "SELECT l.source, min(l.line), min(l.spelling) FROM link_target t JOIN link l ON l.target = t.id "
    "WHERE t.edition = :b AND t.node = :node AND l.source > :after AND l.source <> :node "
    "GROUP BY l.source ORDER BY l.source LIMIT :limit /*scan*/");
SQL(q_back_count,
    "SELECT count(DISTINCT l.source) FROM link_target t JOIN link l ON l.target = t.id "
    "WHERE t.edition = :b AND t.node = :node AND l.source <> :node");
/*
 * For each target (one for each place in a page) the first source, which is the first column of the
 * index.
 */
SQL(q_back_next,
    "SELECT min((SELECT min(l.source) FROM link l WHERE l.target = t.id AND l.source > :after AND l.source <> :node)) "
    "FROM link_target t WHERE t.edition = :b AND t.node = :node");

SQL(q_included,
    "SELECT 1 FROM link_target t JOIN link l ON l.target = t.id "
    "WHERE t.edition = :b AND t.key = :key AND l.source <> :id LIMIT 1");

/*
 * The edition that is valid for the point: for the head of a main branch, once it was made. 0:
 * none.
 */
static int64_t
edition_at(struct db *db, const struct point *p)
{
	struct stmt *q = db_use(db, &q_edition_of);

	bind_int(q, ":b", p->branch);
	bind_int(q, ":seq", p->seq);
	return stmt_int(q, 0);
}

/* The tables have no other names than link_statuses, so the last status needs no comparison. */
static enum link_status
status_named(const char *name)
{
	int s;

	for (s = 0; s < LINK_STATUSES - 1 && strcmp(link_statuses[s], name) != 0; s++)
		;
	return (enum link_status)s;
}

/* Adds a place; *left: places that the answer may still have. */
static void
place_add(struct arena *a, struct link_item *item, size_t *room, size_t *left, struct link_place place)
{
	/* The item is cut only if there is one more place than the answer may have. */
	if ((item->cut = *left == 0))
		return;
	item->places = arena_grow(a, item->places, item->count, room, sizeof(*item->places));
	item->places[item->count++] = place;
	--*left;
}

/* True if the previous page of the list began the places of this target. */
static bool
continues_item(const struct link_query *lq, const struct link_target *t)
{
	return lq->place != NULL && strcmp(t->key, lq->after) == 0;
}

/* ---- from the tables ---- */

/*
 * Reads a row of TARGET_COLS; texts are copied, because other statements run before they are used.
 */
static void
take_target(struct stmt *q, struct arena *a, struct link_target *t)
{
	*t = (struct link_target){ .id = col_int(q, 0), .key = col_dup(q, 1, a),
		.kind = col_dup(q, 2, a), .node = col_dup(q, 3, a), .anchor = col_dup(q, 4, a),
		.url = col_dup(q, 5, a), .status = status_named(col_text(q, 6)) };
}

/*
 * One statement for each form of the query: a single one with optional conditions would use no
 * index.
 */
static struct stmt *
targets_statement(struct db *db, const struct link_query *lq, int64_t edition)
{
	bool by_status = lq->status >= 0 && (lq->source != NULL || lq->status != LINK_OK);
	struct stmt *q = db_use(db, lq->source != NULL ? &q_targets_source :
	    by_status ? &q_targets_status : lq->status == LINK_OK ? &q_targets_ok : &q_targets);

	bind_int(q, ":b", edition);
	bind_text(q, ":from", lq->after != NULL ? lq->after : "");
	/* With a place the target itself is read again, for its remaining places. */
	bind_text(q, ":after", lq->after != NULL && lq->place == NULL ? lq->after : "");
	/* One row more than wanted is read, to find out whether there are more. */
	bind_int(q, ":limit", (int64_t)lq->want + 1);
	if (by_status)
		bind_text(q, ":status", link_statuses[lq->status]);
	if (lq->source != NULL)
		bind_text(q, ":source", lq->source);
	return q;
}

static void
read_places(struct db *db, struct arena *a, const struct link_query *lq, size_t *left,
    struct link_item *item)
{
	bool on = continues_item(lq, &item->target);
	struct stmt *q = db_use(db, &q_places);
	size_t room = 0;

	bind_int(q, ":id", item->target.id);
	bind_text(q, ":source", lq->source);
	bind_text(q, ":place", on ? lq->place : "");
	bind_int(q, ":n", on ? lq->place_n : 0);
	/* One row more than wanted is read, to find out whether there are more. */
	bind_int(q, ":limit", (int64_t)*left + 1);
	while (!item->cut && stmt_step(q))
		place_add(a, item, &room, left, (struct link_place){ col_dup(q, 0, a), col_int(q, 1),
		    col_dup(q, 2, a), col_int(q, 3) });
}

/* Reads the totals of the whole list; they do not depend on the page that was requested. */
static void
read_counts(struct db *db, const struct link_query *lq, int64_t edition, struct link_list *out)
{
	struct stmt *q = db_use(db, lq->source != NULL ? &q_counts_source : &q_counts);
	enum link_status s;

	bind_int(q, ":b", edition);
	if (lq->source != NULL)
		bind_text(q, ":source", lq->source);
	while (stmt_step(q)) {
		s = status_named(col_text(q, 0));
		if (lq->status < 0 || lq->status == (int)s)
			out->targets += col_int(q, 1);
		out->total += col_int(q, 2);
		if (s == LINK_BROKEN)
			out->broken += col_int(q, 2);
	}
}

/* Reads the places of the found targets, up to the number that the answer may have. */
static void
take_places(struct db *db, struct arena *a, const struct link_query *lq, struct link_list *out)
{
	size_t left = lq->places, found = out->count, i;

	for (i = 0, out->count = 0; i < found; i++) {
		struct link_item *item = &out->items[out->count];

		/* If no place of a target fits into this page, the next page begins with the target. */
		if (left == 0) {
			out->more = true;
			return;
		}
		*item = (struct link_item){ .target = out->items[i].target };
		read_places(db, a, lq, &left, item);
		out->more |= item->cut;
		out->count += item->count > 0;
	}
}

static void
list_tables(struct db *db, struct arena *a, const struct link_query *lq, int64_t edition,
    struct link_list *out)
{
	struct stmt *q;

	read_counts(db, lq, edition, out);
	q = targets_statement(db, lq, edition);
	/* All targets before their places: read_places() runs another statement for each. */
	while (lq->want > 0 && stmt_step(q) && !(out->more = out->count == lq->want))
		take_target(q, a, &out->items[out->count++].target);
	take_places(db, a, lq, out);
}

/* ---- from the pages themselves ---- */

/* A link that was read from its page; in the tables it would be a row of `link`. */
struct page_link {
	struct parsed_link seen;
	const char      *source;
	size_t           n;
};

struct page_links {
	struct arena      *arena;
	struct page_places places;
	struct page_link  *list;
	size_t             n, room;
};

/* The order of the tables: by key, then (source, n), so that both ways give the same pages. */
static int
by_key(const void *x, const void *y)
{
	const struct page_link *a = x, *b = y;
	int c = strcmp(a->seen.target.key, b->seen.target.key);

	if (c == 0)
		c = strcmp(a->source, b->source);
	return c != 0 ? c : (a->n > b->n) - (a->n < b->n);
}

/* Appends the links of a node; the capacity doubles, so that all appends together are linear. */
static void
add_page_links(struct page_links *s, struct db *db, const struct point *p, const struct node *n)
{
	struct parsed_link *seen;
	size_t count, i;

	seen = link_read(db, s->arena, p, &s->places, n, &count);
	if (s->n + count > s->room) {
		struct page_link *more = arena_array(s->arena, (s->n + count) * 2, sizeof(*more));
		if (s->n > 0)
			memcpy(more, s->list, s->n * sizeof(*more));
		s->list = more;
		s->room = (s->n + count) * 2;
	}
	for (i = 0; i < count; i++)
		s->list[s->n++] = (struct page_link){ seen[i], n->id, i };
}

/* The links of one node or of all nodes, sorted by key. With source NULL every page is read. */
static void
read_all(struct db *db, struct page_links *s, const struct point *p, const char *source)
{
	struct node *list, one;
	size_t n, i;

	if (source != NULL) {
		if (node_get(db, s->arena, p, source, &one) && (one.kind & LINK_SOURCES))
			add_page_links(s, db, p, &one);
	} else {
		list = node_list(db, s->arena, p, LINK_SOURCES, &n);
		for (i = 0; i < n; i++)
			add_page_links(s, db, p, &list[i]);
	}
	if (s->n > 0)
		sort_list(s->list, s->n, sizeof(*s->list), by_key);
}

/* True if the base also has links to this target, and it is broken there. */
static bool
is_broken_in_base(struct db *db, const struct point *p, const struct link_target *t)
{
	int64_t edition;
	struct stmt *q;

	if (p->base == 0)
		return true;
	/*
	 * Uses the tables of main's head, not of the base point: without them every page would have
	 * to be read, and only the context of a broken link depends on it.
	 */
	edition = links_shown(db, p->base);
	q = db_use(db, &q_target_below);
	bind_int(q, ":b", edition);
	bind_text(q, ":key", t->key);
	return stmt_step(q) && status_named(col_text(q, 0)) == LINK_BROKEN;
}

/* True if the link comes after the last place of the previous page. */
static bool
is_after_place(const struct page_link *f, const struct link_query *lq)
{
	int c = strcmp(f->source, lq->place);

	return c > 0 || (c == 0 && (int64_t)f->n > lq->place_n);
}

/*
 * Adds an item with those links [from, to) that this answer shows; *left: places that it may still
 * have.
 */
static void
take_item(struct page_links *s, const struct link_query *lq, size_t from, size_t to, size_t *left,
    struct link_list *out)
{
	struct link_target *t = &s->list[from].seen.target;
	bool on = continues_item(lq, t);
	struct link_item *item;
	size_t room = 0;

	/* A previous page of the list contained the target. */
	if (lq->after != NULL && strcmp(t->key, lq->after) <= 0 && !on)
		return;
	out->more |= (out->count == lq->want && lq->want > 0) || *left == 0;
	/* The loop continues when the page is full: the totals count all targets. */
	if (out->count == lq->want || *left == 0)
		return;
	item = &out->items[out->count];
	*item = (struct link_item){ .target = *t };
	for (; from < to && !item->cut; from++)
		if (!on || is_after_place(&s->list[from], lq))
			place_add(s->arena, item, &room, left, (struct link_place){ s->list[from].source,
			    s->list[from].seen.line, s->list[from].seen.spelling, (int64_t)s->list[from].n });
	out->more |= item->cut;
	out->count += item->count > 0;
}

/* Handles the links [from, to) of one target. */
static void
take_group(struct db *db, struct page_links *s, const struct link_query *lq, size_t from, size_t to,
    size_t *left, struct link_list *out)
{
	struct link_target *t = &s->list[from].seen.target;
	bool below = true;

	/* The status is computed once for a target, however many links lead to it. */
	t->status = link_judge(db, s->arena, lq->point, &s->places, t);
	/* The links are counted before the filters, because totals include all statuses. */
	out->total += (int64_t)(to - from);
	if (t->status == LINK_BROKEN) {
		below = is_broken_in_base(db, lq->point, t);
		out->broken += (int64_t)(to - from);
		out->broken_here += below ? 0 : (int64_t)(to - from);
	}
	/* The filters of struct link_query. below: a broken link is broken in the base, too. */
	if ((lq->status >= 0 && lq->status != (int)t->status) ||
	    (t->status == LINK_BROKEN && lq->context != 0 && below != (lq->context < 0)))
		return;
	out->targets++;
	take_item(s, lq, from, to, left, out);
}

/* The list at a point without tables: every page is read, then a part is shown. */
static void
list_pages(struct db *db, struct arena *a, const struct link_query *lq, struct link_list *out)
{
	struct page_links s = { .arena = a, .places = page_places_new(a) };
	size_t from, to, left = lq->places;

	/* The links are sorted by key, so that equal targets are neighbours. */
	read_all(db, &s, lq->point, lq->source);
	for (from = 0; from < s.n; from = to) {
		for (to = from + 1; to < s.n && strcmp(s.list[to].seen.target.key,
		    s.list[from].seen.target.key) == 0; to++)
			;
		take_group(db, &s, lq, from, to, &left, out);
	}
}

void
links_list(struct db *db, struct arena *a, const struct link_query *q, struct link_list *out)
{
	struct link_query rest;
	int64_t edition;

	/* Without room for a place the list could not advance. */
	assert(q->places > 0 && (q->place == NULL || q->after != NULL));
	*out = (struct link_list){ .items = arena_array(a, q->want, sizeof(*out->items)) };
	if ((edition = edition_at(db, q->point)) != 0)
		list_tables(db, a, q, edition, out);
	else
		list_pages(db, a, q, out);
	/*
	 * The only item would be the target that continues from the previous page, but its
	 * remaining places were removed since. So the list is read again, from the next target on.
	 */
	if (out->count == 0 && out->more) {
		rest = *q;
		rest.place = NULL;
		links_list(db, a, &rest, out);
	}
}

/* ---- backlinks ---- */

static void
back_tables(struct db *db, struct arena *a, int64_t edition, const char *node,
    const char *after, size_t want, struct backlinks *out)
{
	struct stmt *q = db_use(db, &q_back_count);

	bind_int(q, ":b", edition);
	bind_text(q, ":node", node);
	out->total = stmt_int(q, 0);
	q = db_use(db, &q_back);
	bind_int(q, ":b", edition);
	bind_text(q, ":node", node);
	bind_text(q, ":after", after != NULL ? after : "");
	bind_int(q, ":limit", (int64_t)want + 1);
	/* One row more than wanted is read, to find out whether there are more. */
	while (want > 0 && stmt_step(q) && !(out->more = out->count == want))
		out->places[out->count++] = (struct link_place){ col_dup(q, 0, a), col_int(q, 1),
			col_dup(q, 2, a) };
}

/* For backlinks: all links of a source are neighbours, the first one in front. */
static int
by_source(const void *x, const void *y)
{
	const struct page_link *a = x, *b = y;
	int c = strcmp(a->source, b->source);

	return c != 0 ? c : (a->n > b->n) - (a->n < b->n);
}

/* The links are sorted by source, so that comparing with `last` is enough to list each source once. */
static void
back_pages(struct db *db, struct arena *a, const struct point *p, const char *node,
    const char *after, size_t want, struct backlinks *out)
{
	struct page_links s = { .arena = a, .places = page_places_new(a) };
	const char *last = "";
	size_t i;

	/* Backlinks of a request have no index: every source is read. */
	read_all(db, &s, p, NULL);
	if (s.n > 0)
		sort_list(s.list, s.n, sizeof(*s.list), by_source);
	for (i = 0; i < s.n; i++) {
		const struct page_link *f = &s.list[i];
		if (f->seen.target.node == NULL || strcmp(f->seen.target.node, node) != 0 ||
		    strcmp(f->source, node) == 0 || strcmp(f->source, last) == 0)
			continue;
		last = f->source;
		out->total++;
		if (after != NULL && strcmp(f->source, after) <= 0)
			continue;
		out->more |= out->count == want && want > 0;
		if (out->count < want)
			out->places[out->count++] = (struct link_place){ f->source, f->seen.line,
				f->seen.spelling };
	}
}

void
links_back(struct db *db, struct arena *a, const struct point *p, const char *node,
    const char *after, size_t want, struct backlinks *out)
{
	int64_t edition;

	*out = (struct backlinks){ .places = arena_array(a, want, sizeof(*out->places)) };
	if ((edition = edition_at(db, p)) != 0)
		back_tables(db, a, edition, node, after, want, out);
	else
		back_pages(db, a, p, node, after, want, out);
}

char *
links_next(struct db *db, struct arena *a, int64_t edition, const char *node, const char *after)
{
	struct stmt *q = db_use(db, &q_back_next);

	bind_int(q, ":b", edition);
	bind_text(q, ":node", node);
	bind_text(q, ":after", after);
	return stmt_step(q) && !col_null(q, 0) ? col_dup(q, 0, a) : NULL;
}

int64_t
links_complete(struct db *db, const struct point *p)
{
	struct stmt *q = db_use(db, &q_complete_edition);

	bind_int(q, ":b", p->branch);
	bind_int(q, ":seq", p->seq);
	return stmt_int(q, 0);
}

bool
links_included(struct db *db, struct arena *a, const struct point *p, const char *id)
{
	int64_t edition = links_complete(db, p);
	struct stmt *q;
	struct node n;

	if (!content_to_include(db, a, p, id, &n))
		return false;
	if (edition == 0)
		return links_next_user(db, a, p, id, "") != NULL;
	q = db_use(db, &q_included);
	bind_int(q, ":b", edition);
	bind_text(q, ":key", arena_printf(a, "reusable:%s", id));
	bind_text(q, ":id", id);
	return stmt_step(q);
}
