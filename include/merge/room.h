/*
 * Room: merge
 * Uses: base db text store propagate
 *
 * Two sides become one: change requests merged and updated, content from upstream (a git
 * repository) taken in, three versions of a page made one.
 *
 * How two edits of one page are merged: three_way.c, by field; its text: text/merge_text.
 */
