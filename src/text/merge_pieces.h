/* Rows, cells, items and tag blocks of one place that both sides of a merge changed; for merge_text.c. */
#ifndef OCTAVO_MERGE_PIECES_H
#define OCTAVO_MERGE_PIECES_H

#include "base/arena.h"
#include "base/str.h"

/*
 * The place is whole lines, outside of code; `base` is what both changed. True where all three are
 * rows of a table, items of a list, blocks of one tag, or lines of an HTML table, and
 * no piece was changed by both: *out is then what both made of it. Rows that both
 * changed are merged by their cells. What both add at one place stands theirs before
 * ours. Nothing that a side wrote is left out.
 */
bool merge_pieces(struct arena *a, struct str base, struct str ours, struct str theirs, struct str *out);

/*
 * Both sides only add lines, after `above` of the base: are both whole blocks of one tag
 * ({% tab %} ... {% endtab %})? A comparison by lines may have put the end of the block above into the place of the one that was added.
 */
bool merge_blocks(struct str above, struct str ours, struct str theirs);

#endif
