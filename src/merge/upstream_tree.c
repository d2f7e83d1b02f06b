/*
 * Makes main's tree valid after an import: every page has a parent, no page is too deep, and each
 * address has one page. If the changes of both sides do not fit together, upstream's tree wins, and
 * main's own pages are moved or renamed.
 */
#include <stdlib.h>

#include "upstream_parts.h"
#include "base/sort.h"

/* ROUNDS: limit of a loop that ends by itself, since each round corrects a page. */
enum { TOP = -1, MISSING = -2, ROUNDS = 1000 };

/* The pages of main in the revision that is being made, sorted by id. */
struct pages {
	struct arena *arena;   /* of the round */
	struct node *list;
	size_t       n;
	ptrdiff_t   *up;       /* index of the parent, TOP or MISSING */
	size_t      *mark;     /* scratch numbers for one pass over all pages */
};

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/* The index of an id in t->list; TOP for ""; MISSING if the list does not have it. O(log n). */
static ptrdiff_t
find_index(const struct pages *t, const char *id)
{
	struct node key = { .id = id }, *hit;

	if (*id == '\0')
		return TOP;
	hit = find_sorted(&key, t->list, t->n, sizeof(*t->list), by_id);
	return hit == NULL ? MISSING : hit - t->list;
}

/*
 * Reads the whole staged revision: one list and binary searches cost less than a query for the
 * parent of each page.
 */
static struct pages
pages_now(struct sides *s, struct arena *a)
{
	struct point p = sides_after(s);
	struct pages t = { .arena = a };
	size_t i;

	t.list = node_list(s->db, a, &p, NODE_PAGES, &t.n);
	sort_list(t.list, t.n, sizeof(*t.list), by_id);
	t.up = arena_array(a, t.n, sizeof(*t.up));
	t.mark = arena_array(a, t.n, sizeof(*t.mark));
	for (i = 0; i < t.n; i++)
		t.up[i] = find_index(&t, t.list[i].parent);
	return t;
}

/* ---- parents ---- */

/* Stages the move of a page to another parent. Its bytes are stored already, so only hashes are written. */
static void
put_below(struct sides *s, const struct node *n, const char *parent)
{
	struct node moved = *n;

	sides_add_event(s, UPSTREAM_MOVED, n);
	moved.parent = parent;
	/* Lists do not load the front matter; a row written without it would lose it. */
	moved.front = node_front(s->db, s->arena, n);
	moved.origin = -1;
	stage_put(&s->main_stage, &moved, (struct str){ NULL, 0 }, (struct str){ NULL, 0 });
}

/* The nearest ancestor that still exists, by main's old tree; "" for the root. */
static const char *
nearest_remaining(struct sides *s, const struct pages *t, const char *id)
{
	struct node was;
	int depth;

	/* Main's tree before the import is valid, so the loop ends; the limit is for a damaged database. */
	for (depth = 0; depth < PAGE_DEPTH * 2 && find_index(t, id) == MISSING; depth++)
		id = node_get(s->db, s->arena, &s->main, id, &was) ? was.parent : "";
	return find_index(t, id) == MISSING ? "" : id;
}

static bool
mend_orphan(struct sides *s, const struct pages *t, const struct node *n, struct map *back)
{
	/* If upstream still has the parent, main deleted it; otherwise upstream did. */
	struct wanted *w = wanted_of(s, n->parent);

	if (w == NULL || !(w->node.kind & NODE_PAGES)) {
		put_below(s, n, nearest_remaining(s, t, n->parent));
		return true;
	}
	/*
	 * Main deleted a page under which upstream still has pages: it is restored, once for all of
	 * them.
	 */
	if (map_add(back, str_of(w->node.id), s)) {
		sides_add_event(s, UPSTREAM_BOTH, &w->node);
		put_wanted(s, w);
	}
	return true;
}

/*
 * Moves one page out of the cycle that contains the page at index `at`: one that has another parent
 * in upstream. There is one, since upstream's own tree is valid.
 */
static void
break_cycle(struct sides *s, const struct pages *t, size_t at)
{
	size_t i = at;
	struct wanted *w;

	do {
		w = wanted_of(s, t->list[i].id);
		if (w == NULL || strcmp(w->node.parent, t->list[i].parent) != 0) {
			put_below(s, &t->list[i], w == NULL ? "" : w->node.parent);
			return;
		}
		i = (size_t)t->up[i];
	} while (i != at);
}

/*
 * Follows the parents of each page until it meets a page that was visited. If that was in the same
 * walk, there is a cycle.
 */
static bool
break_cycles(struct sides *s, struct pages *t)
{
	bool opened = false;
	ptrdiff_t k;
	size_t i;

	for (i = 0; i < t->n; i++) {
		for (k = (ptrdiff_t)i; k >= 0 && t->mark[k] == 0; k = t->up[k])
			t->mark[k] = i + 1;
		if (k < 0 || t->mark[k] != i + 1)
			continue;
		break_cycle(s, t, (size_t)k);
		opened = true;
	}
	return opened;
}

/* One round; true if something was changed. */
static bool
mend_parents(struct sides *s, struct pages *t)
{
	struct map *back = map_new(s->arena);
	bool mended = false;
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->up[i] == MISSING)
			/*
			 * All orphans are handled in one round, since they do not depend on each
			 * other, and each round reads the tree again.
			 */
			mended |= mend_orphan(s, t, &t->list[i], back);
	/*
	 * Cycles are broken in the same round: t is the tree before the orphans were moved, and no
	 * orphan is in a cycle.
	 */
	return break_cycles(s, t) || mended;
}

/* ---- depth ---- */

/*
 * A page that is deeper than PAGE_DEPTH, or NULL. Sets mark to the level of each page. There must
 * be no cycles.
 */
static const struct node *
find_too_deep(const struct pages *t)
{
	size_t i, level;
	ptrdiff_t k;

	for (i = 0; i < t->n; i++) {
		for (level = 1, k = t->up[i]; k >= 0 && t->mark[k] == 0 && level <= PAGE_DEPTH; k = t->up[k])
			level++;
		/* The walk stopped at a page whose level is known, so each page is visited once. */
		level += k >= 0 ? t->mark[k] : 0;
		if (level > PAGE_DEPTH)
			return &t->list[i];
		for (k = (ptrdiff_t)i; k >= 0 && t->mark[k] == 0; k = t->up[k])
			t->mark[k] = level--;
	}
	return NULL;
}

/* ---- addresses ---- */

/* Kinds that have an address. The address of a link page is elsewhere, so it occupies no slug. */
enum { ADDRESSED = NODE_DOCUMENT | NODE_GROUP | NODE_COMPUTED };

/*
 * Recurses up to the root, at most PAGE_DEPTH levels because find_too_deep() has passed; known keeps
 * every result, so all addresses cost O(n).
 */
static const char *
page_address(const struct pages *t, size_t i, const char **known)
{
	const struct node *n = &t->list[i];

	if (known[i] == NULL)
		known[i] = n->path != NULL ? n->path : t->up[i] < 0 ? n->slug :
		    arena_printf(t->arena, "%s/%s", page_address(t, (size_t)t->up[i], known), n->slug);
	return known[i];
}

/* True if it has the parent and the name that upstream gave it. */
static bool
is_as_upstream(struct sides *s, const struct node *n)
{
	const struct wanted *w = wanted_of(s, n->id);

	return w != NULL && strcmp(w->node.parent, n->parent) == 0 && strcmp(w->node.slug, n->slug) == 0 &&
	    (w->node.path == n->path ||
	    (w->node.path != NULL && n->path != NULL && strcmp(w->node.path, n->path) == 0));
}

/*
 * Of two pages at one address, the one that must be renamed: the one that main placed or named;
 * otherwise the one without a path of its own.
 */
static size_t
index_to_rename(struct sides *s, const struct pages *t, size_t x, size_t y)
{
	bool a = is_as_upstream(s, &t->list[x]), b = is_as_upstream(s, &t->list[y]);

	if (a != b)
		return a ? y : x;
	return t->list[x].path == NULL && t->list[y].path != NULL ? x : y;
}

/* Gives the page the next free slug, and records that its new address is taken. */
static void
rename_page(struct sides *s, const struct pages *t, size_t i, const char **known,
    struct map *taken)
{
	struct node n = t->list[i];
	const char *slug = n.slug, *path;
	unsigned k = 0;

	do {
		n.slug = arena_printf(s->arena, "%s-%u", slug, ++k);
		path = t->up[i] < 0 ? n.slug : arena_printf(t->arena, "%s/%s",
		    page_address(t, (size_t)t->up[i], known), n.slug);
	} while (!map_add(taken, str_of(path), &t->list[i]));
	sides_add_event(s, UPSTREAM_ADDRESS, &t->list[i]);
	/* A path of its own would override the new slug, so it is removed. */
	n.path = NULL;
	n.front = node_front(s->db, s->arena, &n);
	n.origin = -1;
	stage_put(&s->main_stage, &n, (struct str){ NULL, 0 }, (struct str){ NULL, 0 });
}

/*
 * True if an ancestor is renamed. The page then has another address anyway, and the next round
 * checks it again.
 */
static bool
has_renamed_ancestor(const struct pages *t, const bool *clash, size_t i)
{
	ptrdiff_t k = t->up[i];

	while (k >= 0 && !clash[k])
		k = t->up[k];
	return k >= 0;
}

/* One round; true if a page has a new address, and with it everything below it. */
static bool
mend_addresses(struct sides *s, const struct pages *t)
{
	struct map *taken = map_new(t->arena);
	const char **known = arena_array(t->arena, t->n, sizeof(*known));
	bool *clash = arena_array(t->arena, t->n, sizeof(*clash)), mended = false;
	struct node *other;
	void **at;
	size_t i, loser;

	for (i = 0; i < t->n; i++) {
		if ((t->list[i].kind & ADDRESSED) == 0)
			continue;
		at = map_at(taken, str_of(page_address(t, i, known)));
		other = *at;
		/*
		 * The loser is only marked here and renamed later: a third page at the address must
		 * still be compared with the winner.
		 */
		loser = other == NULL ? i : index_to_rename(s, t, (size_t)(other - t->list), i);
		clash[loser] = other != NULL;
		if (loser != i || other == NULL)
			*at = &t->list[i];
	}
	for (i = 0; i < t->n; i++) {
		/*
		 * Pages below a renamed one get new addresses in the next round, so a rename here
		 * would be for an outdated address.
		 */
		if (!clash[i] || has_renamed_ancestor(t, clash, i))
			continue;
		rename_page(s, t, i, known, taken);
		mended = true;
	}
	return mended;
}

enum round { ROUND_MENDED, ROUND_WHOLE, ROUND_FAILED };

static enum round
mend_once(struct sides *s, struct arena *a)
{
	struct pages t = pages_now(s, a);
	const struct node *deep;

	/* Depths and addresses are defined only when every page has a parent and there is no cycle. */
	if (mend_parents(s, &t))
		return ROUND_MENDED;
	/* break_cycles() has left its numbers there. */
	memset(t.mark, 0, t.n * sizeof(*t.mark));
	if ((deep = find_too_deep(&t)) != NULL) {
		s->out->error = arena_printf(s->arena, "with the pages that are here, \"%s\" would lie "
		    "more than %d levels deep: move it up, here or in the repository, and import again",
		    deep->title, PAGE_DEPTH);
		return ROUND_FAILED;
	}
	return mend_addresses(s, &t) ? ROUND_MENDED : ROUND_WHOLE;
}

/*
 * Each round corrects at least one page; more than one round is rare. A round reads, then writes.
 */
bool
upstream_mend(struct sides *s)
{
	struct arena *a;
	enum round r;
	size_t rounds;

	for (rounds = 0; rounds < ROUNDS; rounds++) {
		/*
		 * Each round reads in its own transaction. If another writer merges in between, the
		 * pass ends.
		 */
		if (!sides_begin(s))
			return false;
		/* What a round stages and reports refers to the list that it read: it is kept then. */
		a = arena_on_disk(s->arena, (size_t)2 << 30, NULL);
		r = mend_once(s, a);
		db_rollback(s->db);
		if (r == ROUND_WHOLE)
			arena_reset(a);
		if (r != ROUND_MENDED)
			return r == ROUND_WHOLE;
		if (!stage_flush(&s->main_stage))
			return false;
	}
	s->out->error = "the pages that are here and those of the repository do not make one tree";
	return false;
}
