/* Items and rows that both sides of a merge add at one place. Used by merge_text.c. */
#ifndef OCTAVO_MERGE_ITEMS_H
#define OCTAVO_MERGE_ITEMS_H

#include "text/diff.h"

enum merge_line { LINE_OTHER, LINE_BLANK, LINE_INDENTED, LINE_ITEM, LINE_ROW };

/* Kind of a line of Markdown. Delimiter rows of tables and thematic breaks are LINE_OTHER. */
enum merge_line merge_line_of(struct str line);

/* True if the line contains only blanks. */
bool merge_is_blank(const struct diff_text *t, size_t i);

/* For each line, and after the last: true if a code fence is open there. */
bool *merge_code(struct arena *a, const struct diff_text *t);

/* True if the lines have enough words to be recognised at another place. */
bool merge_has_words(struct str lines);

/*
 * Both sides add lines before line `at` of the base, outside of code. True if these are items of
 * the list, or rows of the table, that ends there, and the sides share no line: then the result can
 * hold both, one after the other.
 */
bool merge_items(const struct diff_text *base, size_t at, struct str ours, struct str theirs);

#endif
