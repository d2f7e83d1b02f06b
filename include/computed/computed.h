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
 * A document with one schema of a specification, as it is at a point; p NULL: there is none. The
 * caller may know the specification.
 */
struct str computed_model(struct db *db, struct arena *a, const struct point *p, const char *spec, const char *name);

/*
 * A document, as document_of() (store/content.h) gives it, whose blocks show operations or
 * schemas of specifications, with these in the blocks, as in documents of expanded pages;
 * any other as it is. What such a block names and the specification does not have is left out,
 * and so are operations beyond 16 MiB.
 */
struct str computed_fill(struct db *db, struct arena *a, const struct point *p, struct str document);

/*
 * The Markdown of a page, its title first, with the operations and schemas in place of the tags that name
 * them; schemas that these refer to follow at the end. Tags that computed_fill() would leave empty stay.
 */
struct str computed_spell_out(struct db *db, struct arena *a, const struct point *p, struct str markdown);

#endif
