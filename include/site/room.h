/*
 * Room: site
 * Uses: base db http app markdown layout store computed visit
 *
 * What octavo-site serves: files by their signed addresses.
 */
