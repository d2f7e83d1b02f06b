/* Shared by the files of the computed room. */
#ifndef OCTAVO_COMPUTED_PARTS_H
#define OCTAVO_COMPUTED_PARTS_H

#include <cjson/cJSON.h>

#include "computed/computed.h"
#include "text/schema_parts.h"

/* Markdown of the page before its operations. */
struct str computed_intro(struct db *db, struct arena *a, const struct computed_page *c);

/*
 * Writes a list of links to the pages of the operations or models: by id, or relative to the page's
 * own address.
 */
void computed_list(struct db *db, struct arena *a, const struct computed_page *c, bool relative, struct buf *b);

/* Writes text with its special characters escaped for Markdown. */
void markdown_escaped(struct buf *b, const char *s);

/*
 * Writes the operation in the `data` of a block as Markdown that ends with an empty line. Writes
 * nothing if the operation was omitted because of its size. s: the schemas that it refers to.
 */
void operation_readable(struct buf *b, struct schema_set *s, const cJSON *data);
/*
 * Writes a schema, which is a member of a list, in the same form; level: the marks of its heading.
 */
void schema_readable(struct buf *b, struct schema_set *s, const cJSON *schema, const char *level);

#endif
