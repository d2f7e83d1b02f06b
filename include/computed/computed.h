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
 * The document of one schema of a specification, in the version of the specification at this point
 * (struct point, a revision). The member p of the result is NULL if there is none. The caller must have checked that the user may
 * read the specification.
 */
struct str computed_model(struct db *db, struct arena *a, const struct point *p, const char *spec, const char *name);

/*
 * Inserts operations and schemas into a document (from document_of(), store/content.h): a block
 * that shows operations or schemas of a specification gets them as its data, as in documents of
 * expanded pages. Any other block stays as it is. Omits operations and schemas that the
 * specification does not have, and all that come after the document has 16 MiB.
 */
struct str computed_fill(struct db *db, struct arena *a, const struct point *p, struct str document);

/*
 * The Markdown of a page, beginning with its title, in which tags that name operations or schemas
 * are replaced by their text. Schemas to which these refer follow at the end. A tag that
 * computed_fill() would leave empty stays.
 */
struct str computed_spell_out(struct db *db, struct arena *a, const struct point *p, struct str markdown);

#endif
