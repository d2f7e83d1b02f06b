/*
 * Room: markdown
 * Uses: base text
 *
 * Page bodies: Markdown in the dialect of git sync <-> the document tree <-> its JSON. Pure: bytes in,
 * bytes out. Only this room uses cmark-gfm; gumbo is used here, and for formulas in print (pdf). "The
 * published service" in comments is the one with whose repositories and API Octavo is compatible
 * (README.md, "Compatibility"); how its dialect was determined: docs/design/markdown.md.
 *
 * read: Markdown and the HTML in it -> tree. doc_parse and doc_parse.h for the whole; doc_cmark sets up
 * cmark-gfm, doc_tag and doc_tags read block tags, doc_html, doc_element, doc_stream and doc_inside
 * HTML, doc_inline inlines, doc_grid and doc_cell tables; doc_limit and doc_cost enforce the limits.
 * doc_links finds the places of link targets; html_text extracts the words of a piece of HTML.
 *
 * tree: the tree (doc_tree) and what is derived from it: JSON output (doc_json) and input
 * (doc_read*), keys and anchors, sections, names, expressions; comparison of two bodies
 * (block_align, block_moves).
 *
 * write: tree -> Markdown (doc_write*).
 */
