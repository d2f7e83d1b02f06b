/* Shared by the files of the computed room. */
#ifndef OCTAVO_COMPUTED_PARTS_H
#define OCTAVO_COMPUTED_PARTS_H

#include <cjson/cJSON.h>

#include "computed/computed.h"

/* Markdown of the page before its operations. */
struct str computed_intro(struct db *db, struct arena *a, const struct computed_page *c);

/* Writes the pages of its operations, or models, as a list of links: by id, or relative to its own address. */
void computed_list(struct db *db, struct arena *a, const struct computed_page *c, bool relative, struct buf *b);

/* Writes text that Markdown reads unchanged. */
void markdown_escaped(struct buf *b, const char *s);

/*
 * Writes what the `data` of a block shows, as Markdown that ends with an empty line. Nothing if the operation
 * was left out because of its size.
 */
void operation_readable(struct buf *b, const cJSON *data);
/* The same for a schema, which is a member of a list; level: the marks of its heading. */
void schema_readable(struct buf *b, const cJSON *schema, const char *level);

#endif
