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
 * request, the lines of the top-level block that is or contains the node, or the line of code. whole: the Markdown as
 * the difference shows it. Writes nothing for a page without such comments.
 */
void write_commented_lines(struct req *r, const struct node *page, struct str whole);

/*
 * Writes the member "lines": each top-level block of the page with its lines, in order; of a block of code
 * its lines instead, each with its own node. No line has two entries.
 */
void write_all_lines(struct req *r, const struct node *page, struct str whole);

#endif
