/*
 * Room: pdf
 * Uses: base render
 *
 * Documents on paper: pages of document JSON laid out and written as one PDF. Pure: what
 * it prints comes through functions of the caller; no database, no network. Pango, Cairo,
 * librsvg and gdk-pixbuf are named here alone, and octavo-pdf is linked for them.
 *
 *   pdf front        the whole document: two passes, cover, contents, running heads
 *   flow             lines and boxes to sheets: breaks, notes, repeated table heads
 *   text             runs of inline nodes as Pango layouts, drawn with their tags
 *   block card code  blocks of a document
 *   table            tables, cards, columns
 *   image decode     pictures of files; their decoders in children
 *   math math_read   formulas, which come as MathML
 *   catalog          what Cairo does not write: the document's language
 */
