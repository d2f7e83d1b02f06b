/*
 * Room: links
 * Uses: base db markdown layout store computed
 *
 * What pages lead to, whether it is there, and what leads to a page or file: kept in
 * tables for each space's primary content, computed at other points.
 */
