/*
 * Where published sites show spaces: addresses of sites and of site spaces. Sites, sections
 * and site spaces themselves are of the room above (sites/room.h); what a space tells of its
 * address stands here.
 */
#ifndef OCTAVO_SITE_ADDRESSES_H
#define OCTAVO_SITE_ADDRESSES_H

#include "http/req.h"

/*
 * The default among site spaces of a section (NULL: of the site), among sections:
 * expressions. In a PATCH and when one is deleted exactly one row is marked.
 */
#define DEFAULT_SPACE_OF(site, section) \
	"(SELECT ds.id FROM site_space ds JOIN space dv ON dv.id = ds.space WHERE ds.site = " site " " \
	"AND ds.section IS NOT DISTINCT FROM " section " AND dv.deleted_at IS NULL " \
	"ORDER BY ds.is_default DESC, ds.ord, ds.id LIMIT 1)"
#define DEFAULT_SECTION_OF(site) \
	"(SELECT dc.id FROM site_section dc WHERE dc.site = " site " ORDER BY dc.is_default DESC, dc.ord, dc.id " \
	"LIMIT 1)"

/* Columns from site t and its organization o that its address is made of. */
#define SITE_ADDRESS_COLS \
	"t.basename, t.hostname, t.published_at, t.proxy_origin, COALESCE(o.hostname, o.id) AS org_name"

/* Columns of the SiteSpace shape and what they are from; site spaces of deleted spaces are not there. */
#define SITE_SPACE_COLS \
	"x.id, x.site, x.section, x.space AS space_id, x.path, x.condition, x.ord, s.title AS space_title, " \
	"CASE WHEN x.id = " DEFAULT_SPACE_OF("x.site", "x.section") " THEN 1 ELSE 0 END AS is_default, " \
	"sc.path AS section_path, CASE WHEN x.section = " DEFAULT_SECTION_OF("x.site") " THEN 1 ELSE 0 END " \
	"AS in_default, " SITE_ADDRESS_COLS
/* The join on living spaces hides those of deleted ones in every statement alike. */
#define SITE_SPACE_FROM \
	"site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL JOIN site t ON t.id = x.site " \
	"JOIN org o ON o.id = t.org LEFT JOIN site_section sc ON sc.id = x.section "

/* The address of a published site, with r->share_key, which ends in "/"; NULL: it is not published. */
char *site_address(const struct row *w);

/*
 * What follows the address of its site for a site space or section that is no default, where its
 * segment alone would lead to a page of that name (audience/visit.h); NULL: the segment is enough.
 */
const char *site_item_below(struct req *r, const char *site, const char *id);

/* That of a site space, from SITE_SPACE_COLS; NULL likewise. */
char *site_space_address(const struct row *w);

/* Where the published site with the widest audience shows a space; NULL: none does. */
const char *space_address(struct req *r, const char *space);

/*
 * The address that opens the space for everybody: that of a public or unlisted site, without a
 * key. published: what space_address() gave; open: such a site shows it. NULL: there is none, or
 * the visitor who asks came to another site.
 */
const char *space_public_address(struct req *r, const char *space, const char *published, bool open);

/* Who signs the claims of visitors ("custom", "integration") of the site of visitor-auth that shows it; NULL: none does. */
const char *space_visitor_backend(struct req *r, const char *space);

#endif
