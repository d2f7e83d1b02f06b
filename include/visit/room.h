/*
 * Room: visit
 * Uses: base db text markdown app layout store computed links expr
 *
 * What a visitor of a published site sees: one answer for the API that the renderer of
 * the published service asks, and for octavo-site, which shows sites itself.
 *
 *   visit (visit.h)   from an address and what the visitor shows to site, structure,
 *                     space and page; who may see what
 *   look (look.h)     how the site wants to look: its customization with defaults
 *   pass (pass.h)     tokens that renderers read a site with
 *   holder (holder.h) whose hosts and paths are that sites are shown at
 *   faults (faults.h) conditions and expressions that cannot be read or fail, for authors
 *
 * Reads sites and content; writes the rows of tokens alone. Knows neither requests nor HTML.
 */
