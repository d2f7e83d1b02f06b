/*
 * Comparing sequences: what diff_lines.c, diff_myers.c and diff_slide.c share, and the interface
 * for merging, unified diffs and the alignment of blocks.
 *
 * texts --diff_text--> sequences of ids --diff_ids--> list of changes
 *
 * The result is what `git diff` and `git merge-file` find with their default algorithm, since a
 * merge that places text differently than git would surprise people. That takes four steps:
 * 1. cut the common ends;
 * 2. mark items that occur on one side only as changed, and so very frequent ones (blank lines)
 * among such items, because matching them would tear a rewritten passage to pieces (diff_lines.c);
 * 3. align the rest by Myers' algorithm (diff_myers.c);
 * 4. move each change as far down as equal items allow, or to a change of the other side
 * (diff_slide.c).
 * Steps 3 and 4 have a budget. Once it is used up, all that was not compared counts as changed: the
 * result is correct, though not minimal.
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

/* Gives equal byte strings equal numbers, from 0. */
struct diff_table;
struct diff_table *diff_table_new(struct arena *a);
uint32_t diff_table_id(struct diff_table *t, struct str s);
struct str diff_table_item(const struct diff_table *t, uint32_t id);
/* Number of ids given out: one more than the largest. */
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

/* Lines i up to (not including) j of the text. */
static inline struct str
diff_lines(const struct diff_text *t, size_t i, size_t j)
{
	return t->text.n == 0 ? (struct str){ t->text.p, 0 } : str_slice(t->text, t->at[i], t->at[j]);
}

/* Items x .. x + xn of one sequence became y .. y + yn of the other. */
struct diff_change {
	size_t x, xn, y, yn;
};

/*
 * The changes from x to y in order; at least one common item lies between two of them. items: one
 * more than the largest id. Only the result is allocated in the arena.
 */
struct diff_change *diff_ids(struct arena *a, const uint32_t *x, size_t xn, const uint32_t *y,
    size_t yn, size_t items, size_t *count);

/* diff_ids() for two texts of one table. */
struct diff_change *diff_texts(struct arena *a, const struct diff_table *t,
    const struct diff_text *x, const struct diff_text *y, size_t *count);

/* A side without the items that step 2 removed. */
struct diff_kept {
	size_t          n;
	uint32_t       *id;
	uint32_t       *at;       /* their indexes in the sequence */
	bool           *changed;  /* of the sequence */
};

/* Step 3: sets changed[] for items that are not common. */
void diff_myers(struct arena *scratch, struct diff_kept *x, struct diff_kept *y, int64_t *budget);

/* Step 4: moves the changes of x; y is the sequence that it was compared with. */
void diff_slide(struct diff_seq *x, const struct diff_seq *y, int64_t *budget);

/* About the square root of n: a power of two not far above it. */
size_t diff_root(size_t n);

#endif
