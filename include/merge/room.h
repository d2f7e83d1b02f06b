/*
 * Room: merge
 * Uses: base db text store propagate
 *
 * Merges: change requests are merged and updated, content from upstream (a git repository) is merged
 * into a space, and three versions of a page become one.
 *
 * How two edits of one page are merged: three_way.c, by field; its text: text/merge_text.
 *
 *   request                merges a change request into main
 *   request_update         merges main into a change request; request_repairs removes rows that only
 *                          kept the tree valid
 *   request_ahead          does long merges before the transaction that publishes them
 *   request_record         rows of change requests, and the counters of a space
 *   request_amend          joins consecutive saves into one revision
 *   three_way              three versions of one node
 *   upstream               merges upstream's branch into main: upstream_both nodes that both sides
 *                          changed, upstream_order order keys, upstream_tree the tree,
 *                          upstream_request the change request with the conflicts
 */
