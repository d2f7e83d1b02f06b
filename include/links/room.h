/*
 * Room: links
 * Uses: base db markdown layout store computed
 *
 * Links of pages: their targets, whether each target exists, and which pages link to a page or file.
 * Stored in tables for each space's primary content, computed at other points.
 *
 *   body_facts        the links that a body spells, and the names of its places
 *   link_read         the links of one node at a point
 *   link_index        updates the tables after a revision
 *   link_edition      makes tables in short transactions, and deletes old ones
 *   links_list        lists of links and backlinks
 *   link_users        pages that use a file, at points without tables
 */
