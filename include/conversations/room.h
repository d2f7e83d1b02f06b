/*
 * Room: conversations
 * Uses: base db http app text markdown
 * Folder analysis uses: base text markdown
 *
 * Analysis and storage of support conversations. Two folders:
 *
 * analysis: pure functions from the texts of a conversation to its issues (analysis.h), and from issues
 * to clusters of one meaning (cluster.h). It knows no database: struct cluster_store gives access to
 * clusters. The same input gives the same output, on every machine.
 *
 *   plain      a message as plain text: without HTML and Markdown, quotes, signatures, logs
 *   sentences  sentences of a text, marked as question, problem or courtesy
 *   terms      the words of a text that describe its subject, with weights; lexicon.def
 *   prior      weights of common English words
 *   issues     questions and problems of a conversation: the sentences that tell most
 *   cluster    groups issues of one meaning; centroid: their sums of terms
 *
 * storage: conversations in the database (storage.h): tables conversation*, issues_cluster, issue_term,
 * cluster_*.
 *
 *   ingest           adds or replaces a conversation, and queues its analysis
 *   analysis_job     the queued analysis: makes, moves and deletes issues
 *   outside_analyst  analysis by a command that the admin configured
 *   cluster_rows     issues and clusters behind struct cluster_store; pack_terms: their terms as bytes
 *   frequencies      how many issues of an organization have a term
 *   recount          counts the clusters again from their issues
 *   forget           deletes conversations and all that was derived from them
 */
