/*
 * Room: search
 * Uses: base db text markdown app store computed links
 *
 * Full-text search over the primary content of spaces: the index, queries, ranking,
 * excerpts. Only what the caller may read is found: the condition comes with the query.
 */
