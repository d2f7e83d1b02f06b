/*
 * Room: audience
 * Uses: base db markdown store computed links expr
 *
 * Who sees what of a published site: one answer for the API that the renderer of the published service
 * asks, and for octavo-site, which shows sites itself. struct visit is one address as one visitor asks
 * for it.
 *
 *   visit             from an address and what the visitor shows to site, structure, space and page
 *   site_structure    sites and their sections, groups and variants, as the visitor sees them
 *   visitor_claims    what a visitor says of themselves: share keys, JWTs, unsigned claims
 *   conditions        whether a condition holds for the visitor; kept_expressions keeps them parsed
 *   evaluate          texts with their conditions and expressions worked out
 *   visible_pages     trees, pages and references as the visitor sees them; kept_trees keeps trees
 *   visible_files     files and reusable contents that a page which they see shows
 *   visible_specs     descriptions of APIs that a page which they see shows
 *   look              how the site wants to look: its customization with defaults
 *   site_token        tokens that renderers read a site with
 *   address_holder    whose the hosts and paths are that sites are shown at
 *   condition_faults  conditions and expressions that cannot be read or fail, for authors
 *
 * Reads sites and content; writes the rows of tokens alone. Knows neither requests nor HTML.
 */
