/*
 * Room: propagate
 * Uses: base db text markdown app store computed links search
 *
 * What follows from a new revision of a space's primary content. Whoever writes a revision of a main
 * branch calls propagate_revision() (store/content.h) once, in the same transaction.
 *
 *   propagate           the steps, in their order
 *   comment_rows        comments, replies and reactions as rows, and their counters
 *   comments_follow     comments stay on their blocks and cells while pages are written
 *   large_bodies        bodies that are read before the transaction, since they take long
 *   spec_versions       a new version of an API's description, for the spaces that show it
 *   copy_space          a space's content in a new space, in short transactions
 *   start_translations  translations of the space are due
 */
