/*
 * Room: markdown
 * Uses: base text
 *
 * Page bodies: Markdown in the dialect of git sync <-> the document tree <-> its JSON. Pure: bytes in,
 * bytes out; cmark-gfm is named here alone, and gumbo but for formulas in print (pdf).
 *
 * read: Markdown and the HTML in it -> tree. doc_parse and doc_parse.h for the whole; doc_cmark sets up
 * cmark-gfm, doc_tag and doc_tags read block tags, doc_html, doc_element, doc_stream and doc_inside
 * HTML, doc_inline what stands in a text, doc_grid and doc_cell tables, doc_limit and doc_cost bound it
 * all. doc_links finds where targets are spelled; html_text the words of a piece of HTML.
 *
 * tree: the tree (doc_tree) and what is made from it or asked of it: JSON out (doc_json) and in
 * (doc_read*), keys and anchors, sections, names, expressions; two bodies compared (block_align,
 * block_moves).
 *
 * write: tree -> Markdown (doc_write*).
 */
