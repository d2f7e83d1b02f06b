/*
 * Room: search
 * Uses: base db text markdown app store computed links
 *
 * Full-text search over the primary content of spaces: the index, queries, ranking, excerpts. The query
 * itself is limited to what the caller may read.
 *
 *   search search_read search_query   runs a query: its words, its FTS5 expressions
 *   search_dictionary search_synonyms search_own search_near search_language
 *                                     synonyms, corrections, language of a query
 *   search_score search_viewer search_group search_excerpt
 *                                     ranking, hidden sections, shared entries, excerpts
 *   search_index search_stage search_computed search_included search_entry search_division
 *                                     writes the index
 *   search_long                       matches of long pages
 *   search_place search_space         which space shows an entry; a space's number and job
 */
