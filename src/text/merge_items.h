/* Items and rows that both sides of a merge add at one place; for merge_text.c. */
#ifndef OCTAVO_MERGE_ITEMS_H
#define OCTAVO_MERGE_ITEMS_H

#include "text/diff.h"

enum merge_line { LINE_OTHER, LINE_BLANK, LINE_INDENTED, LINE_ITEM, LINE_ROW };

/* What a line of Markdown looks like; the row below a table's head and thematic breaks are others. */
enum merge_line merge_line_of(struct str line);

/* Has the line nothing but blanks? */
bool merge_is_blank(const struct diff_text *t, size_t i);

/* By line, and behind the last: is fenced code open there? */
bool *merge_code(struct arena *a, const struct diff_text *t);

/* Are there words enough to know a paragraph, or a line, by when it stands elsewhere? */
bool merge_has_words(struct str lines);

/*
 * Both sides add lines before line `at` of the base, outside of code. True where these
 * are items of the list, or rows of the table, that reaches up to there, and no line is
 * on both sides: then both can stand there, one after the other.
 */
bool merge_items(const struct diff_text *base, size_t at, struct str ours, struct str theirs);

#endif
