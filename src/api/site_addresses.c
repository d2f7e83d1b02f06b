/* Addresses of sites, site spaces and spaces. Contract: api/site_addresses.h. */
#include "api/site_addresses.h"
#include "audience/visit.h"
#include "base/map.h"
#include "base/secret.h"
#include "http/req.h"

/*
 * The address of a space is on the site that most people can open; of several such sites it is on
 * the one that showed the space first, so that the address does not change when another site shows
 * it, too.
 */
SQL(q_widest,
    "SELECT " SITE_SPACE_COLS " FROM " SITE_SPACE_FROM "WHERE x.id = (SELECT w.id FROM site_space w "
    "WHERE w.space = :space AND w.shown > 0 ORDER BY w.shown DESC, w.shown_at, w.id LIMIT 1) /*scan*/");
/*
 * A link is valid while it is active and its site has visibility share-link; a change of either
 * takes effect with the next request. CROSS JOIN fixes the order of the join: the link is found by
 * its secret, which is unique, and then its site.
 */
SQL(q_shared,
    "SELECT " SITE_SPACE_COLS " FROM site_share_link l CROSS JOIN " SITE_SPACE_FROM "WHERE l.secret = :key "
    "AND x.site = l.site AND x.space = :space AND l.active = 1 AND x.shown = 2 "
    "ORDER BY x.shown_at, x.id LIMIT 1 /*scan*/");

SQL(q_backend,
    "SELECT t.visitor_backend FROM site_space x JOIN site t ON t.id = x.site WHERE x.space = :space "
    "AND x.shown = 1 ORDER BY x.shown_at, x.id LIMIT 1");

/*
 * The row must have SITE_ADDRESS_COLS. r->share_key is NULL or belongs to a valid link, as
 * share_key_take() has checked.
 */
char *
site_address(const struct row *w)
{
	char *at;

	if (row_null(w, "published_at"))
		return NULL;
	at = visit_published(w->r->arena, w->r->set, row_null(w, "hostname") ? NULL : row_text(w, "hostname"),
	    row_null(w, "proxy_origin") ? NULL : row_text(w, "proxy_origin"), row_text(w, "org_name"),
	    row_text(w, "basename"));
	return w->r->share_key == NULL ? at : arena_printf(w->r->arena, "%s%s/", at, w->r->share_key);
}

/*
 * Returns the structure of a published site as its managers see it, and reads it once per request.
 * NULL: the site is not published.
 */
static const struct visit *
open_structure(struct req *r, const char *site)
{
	struct visit *v;

	if (r->structures == NULL)
		r->structures = map_new(r->arena);
	if ((v = map_get(r->structures, str_of(site))) == NULL) {
		v = arena_alloc(r->arena, sizeof(*v));
		if (visit_open_site(r->db, r->arena, r->set, site, &(struct visitor){ .manager = true }, v) != VISIT_PAGE)
			v->site.first = NULL;
		map_add(r->structures, str_of(arena_strdup(r->arena, site)), v);
	}
	return v->site.first == NULL ? NULL : v;
}

const char *
site_item_below(struct req *r, const char *site, const char *id)
{
	const struct visit *v = open_structure(r, site);
	const struct visit_item *it = v == NULL ? NULL : visit_item(v, id);

	return it == NULL || !(it->ambiguous || (it->up != NULL && it->up->ambiguous)) ? NULL :
	    it->address + strlen(v->site.published);
}

/* The address of a default item does not contain the item's segment. */
char *
site_space_address(const struct row *w)
{
	const char *site = site_address(w), *section = "", *path = "", *below;

	if (site != NULL && (row_int(w, "is_default") == 0 || (!row_null(w, "section_path") && row_int(w, "in_default") == 0)) &&
	    (below = site_item_below(w->r, row_text(w, "site"), row_text(w, "id"))) != NULL)
		return arena_printf(w->r->arena, "%s%s", site, below);
	if (!row_null(w, "section_path") && row_int(w, "in_default") == 0)
		section = arena_printf(w->r->arena, "%s/", row_text(w, "section_path"));
	if (row_int(w, "is_default") == 0)
		path = arena_printf(w->r->arena, "%s/", row_text(w, "path"));
	return site == NULL ? NULL : arena_printf(w->r->arena, "%s%s%s", site, section, path);
}

/*
 * If r->share_key is set (share_key_take()), only sites that this key opens are considered, and the
 * address contains the key.
 */
const char *
space_address(struct req *r, const char *space)
{
	struct stmt *q = db_use(r->db, r->share_key != NULL ? &q_shared : &q_widest);
	const struct visit_item *shown = r->visit == NULL ? NULL : visit_space(r->visit, space);

	if (shown != NULL)
		return shown->address;
	bind_text(q, ":space", space);
	if (r->share_key != NULL)
		bind_text(q, ":key", secret_hash_text(r->arena, r->share_key));
	return stmt_step(q) ? site_space_address(&(struct row){ .r = r, .q = q }) : NULL;
}

const char *
space_public_address(struct req *r, const char *space, const char *published, bool open)
{
	const char *key = r->share_key, *at;

	if (published == NULL || !open)
		return NULL;
	/*
	 * A visitor gets only the site visited; other sites that show the space are not revealed.
	 */
	if (r->visit != NULL)
		return !r->visit->preview && (strcmp(r->visit->site.visibility, "public") == 0 ||
		    strcmp(r->visit->site.visibility, "unlisted") == 0) ? published : NULL;
	if (key == NULL)
		return published;
	/* The address of a share link would contain the key, which is a secret. */
	r->share_key = NULL;
	at = space_address(r, space);
	r->share_key = key;
	return at;
}

const char *
space_visitor_backend(struct req *r, const char *space)
{
	struct stmt *q = db_use(r->db, &q_backend);

	bind_text(q, ":space", space);
	return stmt_step(q) ? col_dup(q, 0, r->arena) : NULL;
}
