/*
 * Room: propagate
 * Uses: base db text markdown app store computed links search
 *
 * Updates what depends on a new revision of a space's primary content. Code that writes a revision of
 * a main branch calls propagate_revision() (store/content.h) once, in the same transaction.
 *
 *   propagate           the steps, in their order
 *   comment_rows        comments, replies and reactions as rows, and their counters
 *   comments_follow     moves comments with their blocks and cells
 *   large_bodies        reads large bodies before the transaction
 *   spec_versions       revisions for the spaces that show a changed OpenAPI specification
 *   copy_space          copies a space's content to a new space, in short transactions
 *   start_translations  queues the translations of a space
 */
