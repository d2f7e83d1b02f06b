/* Where the comments of a change request are in the Markdown of a page, for its differences. */
#ifndef OCTAVO_API_COMMENTED_LINES_H
#define OCTAVO_API_COMMENTED_LINES_H

#include "http/req.h"
#include "store/content.h"

/* An entry of the member "commented" of a change. */
extern const struct shape CommentedLines;

/*
 * Writes the member "commented": for each node of the page that has comments of the change request of the path, the
 * lines of the top-level block that it is or is in. whole: the Markdown as the difference has it. Nothing is
 * written for a page without such comments.
 */
void write_commented_lines(struct req *r, const struct node *page, struct str whole);

#endif
