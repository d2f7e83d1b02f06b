/* Published addresses of sites, site spaces and spaces. Implemented in site_addresses.c. */
#ifndef OCTAVO_SITE_ADDRESSES_H
#define OCTAVO_SITE_ADDRESSES_H

#include "http/req.h"

/*
 * SQL: id of the default among the site spaces of a section (NULL: of the site), and among the
 * sections of a site. A PATCH or a deletion leaves exactly one row marked as default. A draft is
 * the default only if all are drafts.
 */
#define DEFAULT_SPACE_OF(site, section) \
	"(SELECT ds.id FROM site_space ds JOIN space dv ON dv.id = ds.space WHERE ds.site = " site " " \
	"AND ds.section IS NOT DISTINCT FROM " section " AND dv.deleted_at IS NULL " \
	"ORDER BY ds.draft, ds.is_default DESC, ds.ord, ds.id LIMIT 1)"
#define DEFAULT_SECTION_OF(site) \
	"(SELECT dc.id FROM site_section dc WHERE dc.site = " site " ORDER BY dc.concealed, dc.is_default DESC, dc.ord, dc.id " \
	"LIMIT 1)"

/* Columns of site t and its organization o for site_address(). */
#define SITE_ADDRESS_COLS \
	"t.basename, t.hostname, t.published_at, t.proxy_origin, COALESCE(o.hostname, o.id) AS org_name"

/* Columns of the SiteSpace shape; use with SITE_SPACE_FROM. */
#define SITE_SPACE_COLS \
	"x.id, x.site, x.section, x.space AS space_id, x.path, x.condition, x.draft, x.shown, x.hidden, x.ord, s.title AS space_title, " \
	"CASE WHEN x.id = " DEFAULT_SPACE_OF("x.site", "x.section") " THEN 1 ELSE 0 END AS is_default, " \
	"sc.path AS section_path, CASE WHEN x.section = " DEFAULT_SECTION_OF("x.site") " THEN 1 ELSE 0 END " \
	"AS in_default, " SITE_ADDRESS_COLS
/*
 * Joins only spaces that are not deleted, so that every statement omits the site spaces of deleted
 * ones.
 */
#define SITE_SPACE_FROM \
	"site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL JOIN site t ON t.id = x.site " \
	"JOIN org o ON o.id = t.org LEFT JOIN site_section sc ON sc.id = x.section "

/*
 * The address of a published site, followed by r->share_key if that is set; ends in "/". NULL: the
 * site is not published.
 */
char *site_address(const struct row *w);

/*
 * A site space or section is usually reached by its segment. If the segment alone would be resolved
 * to a page of that name (audience/visit.h), returns the unambiguous path below the site's address;
 * else NULL. Always NULL for a default item.
 */
const char *site_item_below(struct req *r, const char *site, const char *id);

/* The address of a site space, from SITE_SPACE_COLS; NULL: its site is not published. */
char *site_space_address(const struct row *w);

/*
 * The address of a space on the published site that most people can open; NULL: no published site
 * shows it.
 */
const char *space_address(struct req *r, const char *space);

/*
 * The address at which everybody can open the space without a key: on a public or unlisted site.
 * published: the result of space_address(); open: it is on such a site. NULL: there is none, or the
 * caller is a visitor of another site.
 */
const char *space_public_address(struct req *r, const char *space, const char *published, bool open);

/*
 * Who signs the claims of visitors ("custom", "integration") on the site with visitor-auth that
 * shows the space; NULL: no such site.
 */
const char *space_visitor_backend(struct req *r, const char *space);

#endif
