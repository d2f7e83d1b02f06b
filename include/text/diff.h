/*
 * Comparing sequences: what diff_lines.c, diff_myers.c and diff_slide.c share, and the interface
 * for merging, unified diffs and the alignment of blocks.
 *
 *   texts --diff_text--> sequences of ids --diff_ids--> list of changes
 *
 * The result is the same as that of `git diff` and `git merge-file` with their default algorithm,
 * because people expect changes in the same places. It takes four steps:
 * 1. Cut the common beginning and end.
 * 2. Mark items that occur on one side only as changed. Also mark very frequent items, such as
 * blank lines, that stand among them: if they were matched, a rewritten passage would be split into
 * many small changes (diff_lines.c).
 * 3. Align the rest by Myers' algorithm (diff_myers.c).
 * 4. Move each change down as far as equal items allow, or to a change of the other side
 * (diff_slide.c).
 *
 * Steps 3 and 4 have a budget. When it is used up, everything that was not compared counts as
 * changed. The result is then correct, but not minimal.
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

/* A table of ids: equal byte strings get the same number, counted from 0. */
struct diff_table;
struct diff_table *diff_table_new(struct arena *a);
uint32_t diff_table_id(struct diff_table *t, struct str s);
struct str diff_table_item(const struct diff_table *t, uint32_t id);
/* Number of ids in the table, which is one more than the largest id. */
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

/* Bytes of lines i to j - 1 of the text. */
static inline struct str
diff_lines(const struct diff_text *t, size_t i, size_t j)
{
	return t->text.n == 0 ? (struct str){ t->text.p, 0 } : str_slice(t->text, t->at[i], t->at[j]);
}

/* Items x .. x + xn of one sequence are replaced by items y .. y + yn of the other. */
struct diff_change {
	size_t x, xn, y, yn;
};

/*
 * The changes from x to y, in order. At least one common item lies between two changes. items: one
 * more than the largest id. Only the result is allocated in the arena.
 */
struct diff_change *diff_ids(struct arena *a, const uint32_t *x, size_t xn, const uint32_t *y,
    size_t yn, size_t items, size_t *count);

/* diff_ids() for two texts of one table. */
struct diff_change *diff_texts(struct arena *a, const struct diff_table *t,
    const struct diff_text *x, const struct diff_text *y, size_t *count);

/* A sequence without the items that step 2 removed. */
struct diff_kept {
	size_t          n;
	uint32_t       *id;
	uint32_t       *at;       /* indexes of the items in the original sequence */
	bool           *changed;  /* the array of the original sequence */
};

/* Step 3: sets changed[] for all items that are not common. */
void diff_myers(struct arena *scratch, struct diff_kept *x, struct diff_kept *y, int64_t *budget);

/* Step 4: moves the changes of x. y is the sequence that x was compared with. */
void diff_slide(struct diff_seq *x, const struct diff_seq *y, int64_t *budget);

/* A power of two that is larger than the square root of n, and at most twice that root. */
size_t diff_root(size_t n);

#endif
