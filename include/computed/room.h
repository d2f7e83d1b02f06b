/*
 * Room: computed
 * Uses: base db markdown store text
 *
 * Documents and Markdown of computed pages (store/computed.h), made from the parts of an OpenAPI
 * specification (tables openapi_*).
 *
 *   computed_document    the document of a page that a computed page expands to
 *   computed_readable    the same page as complete Markdown, for readers and language models
 *   computed_spell_out   the Markdown of an author's page with its API operations written out in full,
 *                        for the same readers
 */
