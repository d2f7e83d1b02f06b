/*
 * Room: text
 * Uses: base
 *
 * Texts and JSON values compared and merged, and texts cut into words: pure functions
 * of bytes.
 *
 *   merge_text   three-way merge by lines and of JSON objects; unified diffs
 *   diff         the comparison itself: lines, Myers' algorithm, where a change stands
 *   words        words and stems of a text, for the index and for queries alike
 *   stem         the language of a text, and stems of its words by libstemmer
 */
