/* Documents and Markdown of the pages that computed pages expand to (store/computed.h). */
#ifndef OCTAVO_COMPUTED_H
#define OCTAVO_COMPUTED_H

#include "store/computed.h"

/* The text of a page for the search index: Markdown with a heading for each operation. */
struct str computed_text(struct db *db, struct arena *a, const struct computed_page *c);

/*
 * computed_document() returns the page's document as JSON. Then there are two forms of Markdown:
 * one whose blocks only name operations and schemas of the specification
 * (docs/content/api-descriptions.md), and one that contains their full description, for readers.
 */
struct str computed_document(struct db *db, struct arena *a, const struct computed_page *c);
struct str computed_markdown(struct db *db, struct arena *a, const struct computed_page *c);
struct str computed_readable(struct db *db, struct arena *a, const struct computed_page *c);

/*
 * Fills blocks of a document (document_of(), store/content.h) that show operations or schemas of
 * specifications with these operations and schemas, as in documents of expanded pages. A document
 * without such blocks is returned unchanged. An operation or schema that the specification does not
 * have is left out, and so are operations beyond 16 MiB.
 */
struct str computed_fill(struct db *db, struct arena *a, const struct point *p, struct str document);

#endif
