/*
 * Room: sites
 * Uses: base store visit expr api
 *
 * Handlers of published sites, one file per resource as in the api room: sites, their
 * spaces, sections, groups and order, how they look, who sees them, redirects, hostnames,
 * and what a renderer asks first: which site an address is of. No other room uses it: what
 * a space tells of its sites stands in api/shown.h.
 */
