/*
 * Room: audience
 * Uses: base db app markdown store computed links expr
 *
 * What each visitor sees of a published site: the same answer for the API, which the renderer of
 * the published service calls, and for octavo-site, which shows sites itself. struct visit is one
 * request of one visitor.
 *
 *   visit             finds site, section, space and page for an address and a visitor
 *   site_structure    sites and their sections, groups and variants, as the visitor sees them
 *   visitor_claims    what a visitor presents: share keys, JWTs, unsigned claims
 *   previewed_request the change request that a preview shows, and who may see it
 *   conditions        whether a condition holds for the visitor; kept_expressions caches parsed ones
 *   evaluate          texts with their conditions and expressions evaluated
 *   visible_pages     trees, pages and references as the visitor sees them; kept_trees caches trees
 *   visible_files     files and reusable contents that a visible page shows
 *   visible_specs     descriptions of APIs that a visible page shows
 *   look              the site's customization, with defaults
 *   site_token        tokens with which renderers read a site
 *   address_holder    which organization a host or path belongs to
 *   condition_faults  conditions and expressions that cannot be parsed or fail, for authors
 *
 * The room reads sites and content, and writes only the rows of tokens. It does not know HTTP
 * requests and HTML.
 */
