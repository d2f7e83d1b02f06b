/*
 * Room: site
 * Uses: base db http app store
 *
 * What octavo-site serves: files by their signed addresses.
 */
