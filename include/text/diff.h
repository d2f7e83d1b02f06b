/*
 * Comparing sequences: what diff_lines.c, diff_myers.c and diff_slide.c share,
 * and what the merge, the unified diff and the alignment of blocks ask of them.
 *
 *   texts --diff_text--> sequences of ids --diff_ids--> list of changes
 *
 * The result is what `git diff` and `git merge-file` find with their default
 * algorithm, because a merge that puts text elsewhere than git would is a
 * surprise. That takes four steps, each of which is needed for it:
 *   1. what both have in common at their ends is left out;
 *   2. items that occur on one side only count as changed at once, and so do
 *      very frequent ones (blank lines) amid such items, as matching them would
 *      tear a rewritten passage to pieces (diff_lines.c);
 *   3. the rest is aligned by Myers' algorithm (diff_myers.c);
 *   4. each change is moved as far down as equal items allow, or to where the
 *      other side has a change too (diff_slide.c).
 * Steps 3 and 4 have a budget of steps. When it is used up, what was not yet
 * compared counts as changed: the result is correct, though not the smallest.
 */
#ifndef OCTAVO_DIFF_H
#define OCTAVO_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

/* A step is one comparison of two items: a few nanoseconds. */
enum { DIFF_BUDGET = 20000000 };

/* Gives equal byte strings equal numbers, counted from 0. */
struct diff_table;
struct diff_table *diff_table_new(struct arena *a);
uint32_t diff_table_id(struct diff_table *t, struct str s);
struct str diff_table_item(const struct diff_table *t, uint32_t id);
/* How many numbers it gave: one more than the largest. */
size_t diff_table_count(const struct diff_table *t);

struct diff_seq {
	size_t          n;
	const uint32_t *id;
	bool           *changed;  /* set by diff_ids; changed[-1] and changed[n] exist and are false */
};

/* A text cut into lines: line i is the bytes from at[i] to at[i + 1]. */
struct diff_text {
	struct str text;
	size_t     n;
	size_t    *at;
	uint32_t  *id;
};

struct diff_text diff_text(struct arena *a, struct diff_table *t, struct str text);

/* Lines from i up to j of the text. */
static inline struct str
diff_lines(const struct diff_text *t, size_t i, size_t j)
{
	return t->text.n == 0 ? (struct str){ t->text.p, 0 } : str_slice(t->text, t->at[i], t->at[j]);
}

/* Items x .. x + xn of the one stand where y .. y + yn of the other do. */
struct diff_change {
	size_t x, xn, y, yn;
};

/*
 * The changes from x to y in order; between two of them there is at least one
 * item that both have. items is one more than the largest id. What the
 * comparison needs while it works is not in the arena.
 */
struct diff_change *diff_ids(struct arena *a, const uint32_t *x, size_t xn, const uint32_t *y,
    size_t yn, size_t items, size_t *count);

/* diff_ids for two texts of one table. */
struct diff_change *diff_texts(struct arena *a, const struct diff_table *t,
    const struct diff_text *x, const struct diff_text *y, size_t *count);

/* A side without the items that step 2 took out. */
struct diff_kept {
	size_t          n;
	uint32_t       *id;
	uint32_t       *at;       /* their indexes in the sequence */
	bool           *changed;  /* of the sequence */
};

/* Step 3: sets changed for what the two do not share. */
void diff_myers(struct arena *scratch, struct diff_kept *x, struct diff_kept *y, int64_t *budget);

/* Step 4: moves the changes of x; y is what it was compared with. */
void diff_slide(struct diff_seq *x, const struct diff_seq *y, int64_t *budget);

/* About the square root of n: a power of two not far above it. */
size_t diff_root(size_t n);

#endif
