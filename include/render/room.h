/*
 * Room: render
 * Uses: base
 *
 * Documents as HTML for readers. Pure: the document JSON of markdown/document_tree.h in, bytes out;
 * where links lead, what code looks like and how formulas are set is asked from the caller.
 *
 *   html      HTML that is escaped by construction: the only file that writes a "<"
 *   texts     what the interface says, in the languages of spaces (texts.def)
 *   render    blocks and inlines of a document; its outline
 *   table     the table of a document as it is shown: for pages, and for print (pdf)
 */
