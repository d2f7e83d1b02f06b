/* Paragraphs, items and rows that one side of a merge moved and the other edited; for merge_text.c. */
#ifndef OCTAVO_MERGE_MOVES_H
#define OCTAVO_MERGE_MOVES_H

#include "base/arena.h"
#include "base/str.h"

struct moved_texts {
	struct str base, ours, theirs;
};

/*
 * Gives every paragraph that one side left as it was, wherever it stands now, and the
 * other edited, the edited words in the base and in that side: what is left to merge
 * is the move alone. False: there is none, and nothing is changed.
 */
bool merge_moves(struct arena *a, struct moved_texts *t);

#endif
