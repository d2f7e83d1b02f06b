/*
 * Matches blocks level by level: the children of two matched blocks are aligned like the blocks of
 * a page (block_align). Blocks with equal keys are equal at all levels below, so most of a page
 * is matched at the top level.
 */
#include "markdown/blocks.h"
#include "text/merge_text.h"
#include "base/sort.h"

/* Only parts of one class match each other: a row never becomes a column with the same words. */
enum { BLOCKS, COLUMNS, RECORDS, CLASSES };
enum { ROUNDS = 4 };   /* how often a level is searched for reordered parts */

/*
 * The parts of one body in reading order, as doc_parts() returns them: the p.below parts after part
 * i are inside it, so its next sibling is below + 1 steps further.
 */
struct tree {
	struct doc_part *parts;
	size_t           n;
};

struct follow {
	struct arena *scratch;
	struct tree   old, now;
	size_t       *to;       /* for each old part: 1 + its new index; 0: none */
	bool         *taken;    /* for each new part: it has a match */
};

/* Parts of one class on one level. */
struct level {
	size_t           *index;
	struct doc_block *blocks;
	size_t            n;
};

static int
part_class(const struct doc_part *p)
{
	return strcmp(p->type, "column") == 0 ? COLUMNS : strcmp(p->type, "record") == 0 ? RECORDS :
	    BLOCKS;
}

static bool
is_paired(const struct follow *f, const struct tree *t, size_t i)
{
	return t == &f->old ? f->to[i] != 0 : f->taken[i];
}

/* Returns the unmatched children of part up - 1 (of the page if up is 0) of one class. */
static struct level
unmatched_children(struct follow *f, const struct tree *t, size_t up, int class)
{
	size_t from = up, end = up == 0 ? t->n : up + t->parts[up - 1].below, i, room = 0;
	struct level l = { 0 };

	for (i = from; i < end; i += t->parts[i].below + 1)
		room++;
	l.index = arena_array(f->scratch, room, sizeof(*l.index));
	l.blocks = arena_array(f->scratch, room, sizeof(*l.blocks));
	for (i = from; i < end; i += t->parts[i].below + 1)
		if (part_class(&t->parts[i]) == class && !is_paired(f, t, i)) {
			l.index[l.n] = i;
			l.blocks[l.n++] = (struct doc_block){ t->parts[i].source, t->parts[i].key,
				t->parts[i].type };
		}
	return l;
}

/*
 * If as many rows or columns appeared as disappeared between two matched ones, matches them in
 * order: their texts were rewritten.
 */
static void
fill_gaps(ptrdiff_t *align, size_t n, size_t m)
{
	size_t y = 0, end, k;
	ptrdiff_t x = 0, next;

	while (y < m) {
		if (align[y] >= 0) {
			x = align[y++] + 1;
			continue;
		}
		for (end = y; end < m && align[end] < 0; end++)
			;
		next = end < m ? align[end] : (ptrdiff_t)n;
		for (k = 0; next - x == (ptrdiff_t)(end - y) && k < end - y; k++)
			align[y + k] = x + (ptrdiff_t)k;
		y = end;
	}
}

static void align_within(struct follow *f, size_t old_up, size_t new_up);

/*
 * Records that old part o became new part n, and matches their contents. Blocks with equal keys
 * have equal contents, which are matched in order without comparison. Two exceptions: the keys of
 * rows and columns are numbers and say nothing about contents; and the key of a top-level block is
 * a hash of its source alone, while its nodes may depend on definitions elsewhere in the page, so
 * the numbers of parts are compared, too.
 */
static void
pair_parts(struct follow *f, size_t o, size_t n)
{
	const struct doc_part *x = &f->old.parts[o], *y = &f->now.parts[n];
	bool same = part_class(x) == BLOCKS && x->below == y->below && strcmp(x->key, y->key) == 0;
	size_t i;

	for (i = 0; i <= (same ? x->below : 0); i++) {
		f->to[o + i] = n + i + 1;
		f->taken[n + i] = true;
	}
	if (!same)
		align_within(f, o + 1, n + 1);
}

/*
 * Matches the parts of one level. Returns how many were matched. again: this is a further round,
 * which looks for reordered parts.
 */
static size_t
align_level(struct follow *f, size_t old_up, size_t new_up, int class, bool again)
{
	struct level x = unmatched_children(f, &f->old, old_up, class);
	struct level y = unmatched_children(f, &f->now, new_up, class);
	size_t i, count = 0;
	ptrdiff_t *align;

	if (x.n == 0 || y.n == 0)
		return 0;
	/*
	 * In further rounds the neighbours of leftover parts are arbitrary, so a match by position
	 * would mean nothing.
	 */
	align = (again ? block_align_like : block_align)(f->scratch, x.blocks, x.n, y.blocks, y.n);
	if (class != BLOCKS && !again)
		fill_gaps(align, x.n, y.n);
	for (i = 0; i < y.n; i++)
		if (align[i] >= 0) {
			pair_parts(f, x.index[align[i]], y.index[i]);
			count++;
		}
	return count;
}

static void
align_within(struct follow *f, size_t old_up, size_t new_up)
{
	int class, rounds;

	/*
	 * block_align() returns rising indexes only: when two blocks swap places, one is left over.
	 * Each round matches one more rising sequence among the leftover parts.
	 */
	for (class = 0; class < CLASSES; class++)
		for (rounds = 0; rounds < ROUNDS &&
		    align_level(f, old_up, new_up, class, rounds > 0) > 0; rounds++)
			;
}

static int
by_key(const void *x, const void *y)
{
	const struct doc_part *const *a = x, *const *b = y;

	return strcmp((*a)->key, (*b)->key);
}

/* Finds blocks that moved elsewhere on the page, by their keys, which do not change. */
static void
find_moved(struct follow *f)
{
	const struct doc_part **sorted = arena_array(f->scratch, f->now.n, sizeof(*sorted)), **hit;
	const struct doc_part *one;
	size_t i, n = 0;

	for (i = 0; i < f->now.n; i++)
		if (!f->taken[i] && part_class(&f->now.parts[i]) == BLOCKS)
			sorted[n++] = &f->now.parts[i];
	sort_list(sorted, n, sizeof(*sorted), by_key);
	for (i = 0; i < f->old.n; i++) {
		one = &f->old.parts[i];
		if (f->to[i] != 0 || part_class(one) != BLOCKS)
			continue;
		hit = find_sorted(&one, sorted, n, sizeof(*sorted), by_key);
		if (hit != NULL && !f->taken[*hit - f->now.parts])
			pair_parts(f, i, (size_t)(*hit - f->now.parts));
	}
}

/* Compares by block, then by part: the order in which block_move_of() searches. */
static int
by_place(const void *x, const void *y)
{
	const struct block_move *a = x, *b = y;
	int c = strcmp(a->block, b->block);

	return c != 0 ? c : strcmp(a->part, b->part);
}

static struct block_move *
list_moves(struct arena *a, const struct follow *f)
{
	struct block_move *list = arena_array(a, f->old.n, sizeof(*list));
	const struct doc_part *p;
	size_t i;

	for (i = 0; i < f->old.n; i++) {
		p = &f->old.parts[i];
		/* A row or column is always inside its table, so up is not 0. */
		list[i].block = part_class(p) == BLOCKS ? p->key : f->old.parts[p->up - 1].key;
		list[i].part = part_class(p) == BLOCKS ? "" : p->key;
		list[i].code = strcmp(p->type, "code-line") == 0 ? f->old.parts[p->up - 1].key : NULL;
		list[i].to = f->to[i] == 0 ? NULL : f->now.parts[f->to[i] - 1].key;
	}
	sort_list(list, f->old.n, sizeof(*list), by_place);
	return list;
}

struct block_move *
block_moves(struct arena *a, struct str old_body, struct str new_body, size_t *count)
{
	/*
	 * Scratch memory with its own limit inside the caller's arena, freed at the end: the levels
	 * take much more than the list of moves.
	 */
	struct follow f = { .scratch = arena_within(a, SIZE_MAX / 2) };
	struct block_move *list;

	/* The result points to the keys, so the parts are in the caller's arena. */
	f.old.parts = doc_parts(a, old_body, &f.old.n);
	f.now.parts = doc_parts(a, new_body, &f.now.n);
	f.to = arena_array(f.scratch, f.old.n, sizeof(*f.to));
	f.taken = arena_array(f.scratch, f.now.n, sizeof(*f.taken));
	align_within(&f, 0, 0);
	find_moved(&f);
	list = list_moves(a, &f);
	*count = f.old.n;
	arena_reset(f.scratch);
	return list;
}

const struct block_move *
block_move_of(const struct block_move *moves, size_t n, const char *block, const char *part)
{
	return find_sorted(&(struct block_move){ .block = block, .part = part }, moves, n, sizeof(*moves), by_place);
}
