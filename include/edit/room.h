/*
 * Room: edit
 * Uses: base db text markdown layout app store merge propagate expr
 *
 * Writing content: the changes of one POST CR/content, applied as one revision; the bytes
 * of what a writer did not touch are kept (body_keep).
 */
