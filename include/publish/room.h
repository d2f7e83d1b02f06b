/*
 * Room: publish
 * Uses: base db text markdown app store computed links search
 *
 * What follows from a new revision of a space's primary content: comments stay on their
 * blocks, links and search are brought along. Whoever writes a revision of a main branch
 * calls publish_revision() (store/content.h) once, in the same transaction.
 */
