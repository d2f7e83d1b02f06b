/*
 * Finds where a page's Markdown has or can have comments of a change request, for the differences that
 * clients show.
 */
#ifndef OCTAVO_API_COMMENTED_LINES_H
#define OCTAVO_API_COMMENTED_LINES_H

#include "http/req.h"
#include "store/content.h"

/* An entry of the members "commented" and "lines" of a change. */
extern const struct shape CommentedLines;

/*
 * Writes the member "commented": for each node of the page that has comments of the path's change
 * request, the lines of the top-level block that is or contains the node; for a line of code, that
 * line. whole: the Markdown as the difference shows it. Writes nothing for a page without such
 * comments.
 */
void write_commented_lines(struct req *r, const struct node *page, struct str whole);

/*
 * Writes the member "lines": an entry with its lines for each top-level block of the page, in
 * order. A block of code has an entry for each of its lines, with the node of the line. No line of
 * the Markdown is in two entries.
 */
void write_all_lines(struct req *r, const struct node *page, struct str whole);

#endif
