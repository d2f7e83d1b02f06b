/*
 * Room: edit
 * Uses: base text markdown layout app store merge expr
 *
 * Writing content: the changes of one POST CR/content, applied as one revision; the bytes
 * of what a writer did not touch are kept (body_keep).
 */
