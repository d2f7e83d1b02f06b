/* Documents and Markdown of the pages that computed pages expand to (store/computed.h). */
#ifndef OCTAVO_COMPUTED_H
#define OCTAVO_COMPUTED_H

#include "store/computed.h"

/* What search finds one by: Markdown with a heading per operation. */
struct str computed_text(struct db *db, struct arena *a, const struct computed_page *c);

/*
 * Its document as JSON; its Markdown, in which blocks name operations and schemas of the
 * specification (docs/content/api-descriptions.md); and Markdown that holds these themselves, for readers.
 */
struct str computed_document(struct db *db, struct arena *a, const struct computed_page *c);
struct str computed_markdown(struct db *db, struct arena *a, const struct computed_page *c);
struct str computed_readable(struct db *db, struct arena *a, const struct computed_page *c);

/*
 * A document, as document_of() (store/content.h) gives it, whose blocks show operations or
 * schemas of specifications, with these in the blocks, as in documents of expanded pages;
 * any other as it is. What such a block names and the specification does not have is left out,
 * and so are operations beyond 16 MiB.
 */
struct str computed_fill(struct db *db, struct arena *a, const struct point *p, struct str document);

#endif
