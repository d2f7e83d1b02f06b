/* Lines that both sides of a merge moved, to different places; for merge_text.c. */
#ifndef OCTAVO_MERGE_TWICE_H
#define OCTAVO_MERGE_TWICE_H

#include "text/diff.h"

/* A side, and its changes from the base. */
struct twice_side {
	const struct diff_text   *text;
	const struct diff_change *changes;
	size_t                    count;
	bool                     *left_out;  /* by change: its lines stand elsewhere, and are left out here */
};

/*
 * Both took the same lines out of one place of the base, and each put them elsewhere: by
 * lines that is no conflict, and they would stand twice. What a change adds is left out
 * where all of it, but for blank lines at its ends, was moved so, and stands in one piece
 * in what a change of the other side adds. Where that is true of both changes, the second
 * one in the text is left out.
 *
 * Nothing is left out that the other change does not bring: a change that meets one of
 * the other side does not count, since what becomes of it is not decided yet, and neither
 * does one that adds anything else, or lines that are cut out of a paragraph or of fenced
 * code. code: of the base (merge_items.h).
 */
void merge_twice(struct arena *scratch, const struct diff_table *t, const struct diff_text *base, const bool *code,
    struct twice_side *ours, struct twice_side *theirs);

#endif
