/*
 * Merges two versions of a document into one that shows their differences: the later version, with
 * removed text inserted, in which added and removed text is marked. The renderer writes the marks
 * as <ins> and <del>.
 *
 * Blocks are aligned by their content (text/diff.h). Between two equal blocks, a block of each side
 * is the same block edited if both have the same type and share words: then their words are
 * compared, or their items, lines of code, or rows and cells. All other blocks count as removed or
 * added as a whole.
 *
 * A leaf of text gets a mark of the type "added" or "removed". A block that was added or removed as a
 * whole, and an inline such as a formula, gets the member `compared` with one of these values. Removed blocks
 * lose their anchors and keys: each anchor and key occurs once, and comments are on blocks that exist.
 */
#ifndef OCTAVO_COMPARE_H
#define OCTAVO_COMPARE_H

#include <stddef.h>

#include "base/arena.h"

struct cJSON;

/*
 * before, after: document JSON; NULL: no document. Both stay unchanged; the result is new, in the arena
 * of json_arena(). *changes: the number of places that differ, 0 if the documents are equal.
 */
struct cJSON *compare_documents(struct arena *a, const struct cJSON *before, const struct cJSON *after, size_t *changes);

#endif
