/*
 * Room: edit
 * Uses: base text markdown layout app store merge expr
 *
 * Writing content: applies the changes of one POST CR/content as one revision. Blocks that the writer
 * did not change keep their bytes.
 *
 *   edit            the changes, in their order
 *   edit_page       properties, Markdown, documents and blocks of a page
 *   edit_files      uploaded files
 *   edit_targets    targets of a page's links
 *   edit_ahead      makes large bodies and link maps before the transaction
 *   body_keep       keeps the bytes of unchanged blocks
 *   template        templates as lists of changes
 */
