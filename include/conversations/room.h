/*
 * Room: conversations
 * Uses: base db http app text markdown
 * Folder analysis uses: base text markdown
 *
 * What support conversations ask. Two folders:
 *
 * analysis: pure functions from the texts of a conversation to its issues (analysis.h), and from issues
 * to clusters of one meaning (cluster.h). Knows no database: where clusters are kept is behind struct
 * cluster_store. The same input gives the same output, on every machine.
 *
 *   plain      a message as plain text: HTML and Markdown, quotes, signatures, logs
 *   sentences  a text as sentences: which ask, which state a problem, which are courtesy
 *   terms      the words of a text that tell its subject, weighed; lexicon.def
 *   issues     a conversation's questions and problems
 *   cluster    issues of one meaning together; centroid: their sums of terms
 *
 * storage: conversations in the database (storage.h): tables conversation*, issues_cluster, issue_term,
 * cluster_*.
 *
 *   ingest           a conversation in, or replaced; what waits is queued as a job
 *   analysis_job     what waits, analysed: issues made, moved, taken away
 *   outside_analyst  an analysis by a command of the admin's
 *   cluster_rows     issues and clusters behind struct cluster_store; pack_terms: their terms as bytes
 *   frequencies      how many issues of an organization have a term
 *   recount          what clusters count, anew from their issues
 *   forget           conversations and all that was derived from them deleted
 */
