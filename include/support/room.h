/*
 * Room: support
 * Uses: base db http app text conversations
 *
 * Support conversations in the database: ingested, analysed, forgotten. Tables
 * conversation*, issues_cluster, issue_term, cluster_*.
 *
 *   ingest   a conversation in, or replaced; what waits is queued as a job
 *   work     what waits, analysed: issues made, moved, taken away
 *   outside  an analysis by a command of the admin's
 *   recount  what clusters count, anew from their issues
 *   forget   conversations and all that was derived from them deleted
 *   store    issues and clusters behind struct cluster_store; pack: their terms as bytes
 */
