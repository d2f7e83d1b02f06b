/*
 * Room: pdf
 * Uses: base render text
 *
 * Lays out pages of document JSON and writes them as one PDF. No database, no network: all
 * input comes through functions of the caller. Only this room uses Pango, Cairo, librsvg,
 * gdk-pixbuf and libwebp; octavo-pdf links it.
 *
 *   pdf_write              the whole document in two passes
 *   cover margins          cover, contents, bookmarks; running heads
 *   paper                  link destinations, colors, structure tags
 *   flow                   breaks the laid-out content into pages: notes, repeated table heads
 *   text_layout text_draw  inline nodes as Pango layouts; drawing them with their tags
 *   block card code        blocks of a document
 *   table                  tables, cards, columns
 *   image decode           pictures of files; their decoders run in child processes
 *   variants               smaller versions of pictures, for pages of sites
 *   math*                  formulas, from MathML
 *   catalog                what Cairo does not write: the document's language
 */
