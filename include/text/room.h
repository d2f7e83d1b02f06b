/*
 * Room: text
 * Uses: base
 *
 * Compares and merges texts and JSON values, and divides texts into words: pure functions of bytes.
 *
 *   merge_text   three-way merge by lines and of JSON objects; merge_pieces by cells, items and tabs,
 *                merge_moves of moved paragraphs; unified diffs
 *   diff         the comparison itself: lines, Myers' algorithm, the best position of a change
 *   words        words and stems of a text, for the index and for queries
 *   stem         the language of a text, and stems of its words by libstemmer
 *   schema_parts  references and the parts of allOf in schemas of API descriptions, merged
 */
