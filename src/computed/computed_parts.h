/* What the files of the computed room share. */
#ifndef OCTAVO_COMPUTED_PARTS_H
#define OCTAVO_COMPUTED_PARTS_H

#include "computed/computed.h"

/* What stands on the page before its operations, as Markdown. */
struct str computed_intro(struct db *db, struct arena *a, const struct computed_page *c);

/* Writes text that Markdown reads unchanged. */
void markdown_escaped(struct buf *b, const char *s);

#endif
