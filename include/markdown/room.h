/*
 * Room: markdown
 * Uses: base text
 *
 * Page bodies: Markdown in the dialect of git sync <-> the document tree <-> its JSON,
 * links and sections in it, blocks of two bodies aligned. Pure: bytes in, bytes out;
 * cmark-gfm and gumbo are named here alone.
 *
 *   doc_parse doc_inline doc_heading doc_tags doc_scan doc_stream doc_html doc_element doc_pre doc_grid doc_cell doc_cjk doc_note   Markdown -> tree
 *   html_text (html_text.h)                                                HTML -> its words
 *   doc_json                                                               tree -> JSON
 *   doc_read*                                                              JSON -> tree
 *   doc_write*                                                             tree -> Markdown
 *   doc_links doc_names doc_anchor doc_sections doc_expressions doc_shown  asked of a tree
 *   block_align block_moves (blocks.h)                                     two bodies compared
 */
