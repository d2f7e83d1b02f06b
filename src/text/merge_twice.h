/* Lines that both sides of a merge moved to different places. Used by merge_text.c. */
#ifndef OCTAVO_MERGE_TWICE_H
#define OCTAVO_MERGE_TWICE_H

#include "text/diff.h"

/* A side, and its changes from the base. */
struct twice_side {
	const struct diff_text   *text;
	const struct diff_change *changes;
	size_t                    count;
	bool                     *left_out;  /* by change: drop its lines, since they are at another place too */
};

/*
 * Both sides removed the same lines from one place of the base and put them at different places:
 * line by line this is no conflict, and the lines would appear twice. A change is dropped if all
 * that it adds, except blank lines at its ends, was moved so, and a change of the other side adds
 * it in one piece. If that is true of both changes, the second one in the text is dropped.
 *
 * So every dropped line is added by the other change. A change is never dropped if it touches a
 * change of the other side, since the result of both is not decided yet; or if it adds anything
 * else; or if its lines are a part of a paragraph or of fenced code. code: of the base
 * (merge_items.h).
 */
void merge_twice(struct arena *scratch, const struct diff_table *t, const struct diff_text *base, const bool *code,
    struct twice_side *ours, struct twice_side *theirs);

#endif
