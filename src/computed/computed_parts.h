/* Shared by the files of the computed room. */
#ifndef OCTAVO_COMPUTED_PARTS_H
#define OCTAVO_COMPUTED_PARTS_H

#include "computed/computed.h"

/* Markdown of the page before its operations. */
struct str computed_intro(struct db *db, struct arena *a, const struct computed_page *c);

/* Writes text with the escapes that make Markdown show it unchanged. */
void markdown_escaped(struct buf *b, const char *s);

#endif
