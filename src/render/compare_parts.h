/* Shared by the files of the comparison (compare*.c). */
#ifndef OCTAVO_COMPARE_PARTS_H
#define OCTAVO_COMPARE_PARTS_H

#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"
#include "base/map.h"
#include "render/compare.h"
#include "text/diff.h"

#define COMPARE_ADDED   "added"
#define COMPARE_REMOVED "removed"

struct compare {
	struct arena      *arena;
	struct diff_table *table;    /* numbers of blocks, rows and words */
	size_t             changes;  /* number of differences found so far */
	unsigned           depth;    /* levels of nodes around the current one */
};

/*
 * Marks a whole block or inline; in a paragraph, a heading, or a part of a block it marks the text.
 */
void compare_mark(cJSON *node, const char *status);
/* Appends the comparison of two lists of blocks; NULL counts as an empty list. */
void compare_lists(struct compare *c, const cJSON *before, const cJSON *after, cJSON *out);
/*
 * Replaces the `nodes` of copy (a copy of y) by the comparison of those of x and y. x NULL: it had
 * none.
 */
void compare_nodes(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy);
/* The same as compare_lists(), for lines of text with marks and inlines, word by word. */
void compare_inlines(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy);
/* The same as compare_lists(), for tables, by rows and cells. False: the columns differ, and nothing is changed. */
bool compare_tables(struct compare *c, const cJSON *x, const cJSON *y, cJSON *copy);

#endif
