/*
 * Rows, cells, items and tag blocks of one place that both sides of a merge changed. Used by
 * merge_text.c.
 */
#ifndef OCTAVO_MERGE_PIECES_H
#define OCTAVO_MERGE_PIECES_H

#include "base/arena.h"
#include "base/str.h"

/*
 * Merges a place of whole lines, outside of code; `base` is what both changed. True if all three
 * are rows of a table, items of a list, blocks of one tag or lines of an HTML table, and no piece
 * was changed by both: *out is the result. Rows that both changed are merged by cells. Where both
 * add, theirs comes before ours. Nothing that a side wrote is dropped.
 */
bool merge_pieces(struct arena *a, struct str base, struct str ours, struct str theirs, struct str *out);

/*
 * Both sides only add lines, after `above` of the base. True if both add whole blocks of one tag
 * ({% tab %} ... {% endtab %}). The comparison by lines may have taken the end of the block above
 * for part of the added one.
 */
bool merge_blocks(struct str above, struct str ours, struct str theirs);

#endif
