/*
 * Room: conversations
 * Uses: base text markdown
 *
 * What support conversations ask: pure functions from the texts of a conversation to
 * its issues, and from issues to clusters of one meaning. Knows no database: where
 * clusters are kept is behind struct cluster_store. The same input gives the same
 * output, on every machine.
 *
 *   plain      a message as plain text: HTML and Markdown, quotes, signatures, logs
 *   sentences  a text as sentences: which ask, which state a problem, which are courtesy
 *   terms      the words of a text that tell its subject, weighed; lexicon.def
 *   issues     a conversation's questions and problems (analysis.h)
 *   cluster    issues of one meaning together (cluster.h)
 */
