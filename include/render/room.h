/*
 * Room: render
 * Uses: base text
 *
 * Documents as HTML for readers. Pure: the document JSON of markdown/document_tree.h in, bytes out;
 * functions of the caller give the addresses of links, the colours of code and the MathML of formulas.
 *
 *   html             HTML that is escaped by construction: the only file that writes a "<"
 *   interface_texts  texts of the user interface, in the languages of spaces (texts.def)
 *   render           blocks and inlines of a document; its outline. render_* are kinds of blocks
 *   compare          merges two versions of a document into one that marks what was added and removed
 *   table            the model of a document's table: for pages, and for print (pdf)
 */
