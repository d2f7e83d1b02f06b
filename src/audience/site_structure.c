/*
 * Finds the site of an address, and its structure as a visitor sees it. Contract: audience/visit.h.
 */
#include <cjson/cJSON.h>
#include <strings.h>

#include "base/secret.h"
#include "base/url.h"
#include "audience_parts.h"

enum { PROXY_SEGMENTS = 8 };   /* largest number of segments of a proxy's path that are looked up */

#define SITE_COLS \
	"t.id, t.org, o.title AS org_title, COALESCE(o.hostname, o.id) AS org_name, t.title, t.basename, " \
	"t.visibility, t.hostname, t.proxy_origin, t.adaptive, t.agents, t.customization, t.visitor_fallback, " \
	"t.published_at, t.updated_at "
#define SITE_FROM "FROM site t JOIN org o ON o.id = t.org "
SQL(q_by_id, "SELECT " SITE_COLS SITE_FROM "WHERE t.id = :id");
SQL(q_hostname, "SELECT 1 FROM site WHERE hostname = :host");
SQL(q_by_host, "SELECT " SITE_COLS SITE_FROM "WHERE t.hostname = :host");
/*
 * If two sites have the same proxy, which older releases allowed, the older site is found. org: the
 * organization to which the host belongs; NULL: any.
 */
SQL(q_by_proxy,
    "SELECT id, org FROM site WHERE proxy_origin = :origin AND org = COALESCE(:org, org) ORDER BY created_at LIMIT 1");
/*
 * In this comparison of texts '0' is the character after '/', so that the range contains all texts
 * that begin with :origin and '/'.
 */
SQL(q_below, "SELECT 1 FROM site WHERE proxy_origin > :origin || '/' AND proxy_origin < :origin || '0' LIMIT 1");
/* A basename never equals an id: ids are longer. */
SQL(q_by_name,
    "SELECT " SITE_COLS SITE_FROM "WHERE t.basename = :basename AND t.org = "
    "COALESCE((SELECT n.id FROM org n WHERE n.hostname = :org), :org)");
/* A key gives access only to its own site, and only while its link is active. */
SQL(q_link, "SELECT id FROM site_share_link WHERE site = :site AND secret = :key AND active = 1");
SQL(q_groups, "SELECT id, parent, title, icon, ord, draft FROM site_section_group WHERE site = :site ORDER BY ord, id");
SQL(q_sections,
    "SELECT id, section_group, title, description, path, condition, icon, is_default, ord, draft FROM site_section "
    "WHERE site = :site ORDER BY ord, id");
SQL(q_links,
    "SELECT id, section_group, title, description, icon, url, condition, ord, draft FROM site_external_link "
    "WHERE site = :site ORDER BY ord, id");
/* Reads the head of each space's main branch, since visitors see primary content. Deleted spaces are left out. */
SQL(q_spaces,
    "SELECT x.id, x.section, x.path, x.condition, x.is_default, x.customization, s.id AS space, s.title, "
    "s.language, s.emoji, s.icon, s.branch, b.head, (SELECT rv.id FROM revision rv "
    "WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, x.draft, x.hidden "
    "FROM site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL "
    "JOIN branch b ON b.id = s.branch WHERE x.site = :site ORDER BY x.ord, x.id");

/* ---- the address ---- */

/* Reads the next segment of a path from *at on; false at the end. Empty segments are skipped. */
bool
next_segment(struct str path, size_t *at, struct str *out)
{
	size_t from;

	while (*at < path.n && path.p[*at] == '/')
		++*at;
	from = *at;
	while (*at < path.n && path.p[*at] != '/')
		++*at;
	*out = str_slice(path, from, *at);
	return out->n > 0;
}

/*
 * Host in lower case, without port and without a final dot (RFC 1034 section 3.1): web servers
 * treat both spellings as one name.
 */
static char *
host_name(struct arena *a, const char *host)
{
	size_t n = strcspn(host, ":/");
	char *name = arena_strndup(a, host, n > 1 && host[n - 1] == '.' ? n - 1 : n), *p;

	for (p = name; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p | 32);
	return name;
}

/* True for the host of OCTAVO_URL; ports are ignored. */
static bool
is_own_host(const struct settings *set, struct arena *a, const char *host)
{
	const char *own = strstr(set->url, "://");

	return own != NULL && strcmp(host_name(a, own + 3), host) == 0;
}

/*
 * Fills v->site from a row of SITE_COLS. The texts are copied, because they are valid only until
 * the statement is used again.
 */
static void
read_site_row(struct visit *v, struct stmt *q, struct site_more *m)
{
	struct visit_site *s = &v->site;
	struct arena *a = v->arena;

	s->id = col_dup(q, col(q, "id"), a);
	s->org = col_dup(q, col(q, "org"), a);
	s->org_title = col_dup(q, col(q, "org_title"), a);
	s->title = col_dup(q, col(q, "title"), a);
	s->basename = col_dup(q, col(q, "basename"), a);
	s->visibility = col_dup(q, col(q, "visibility"), a);
	s->hostname = col_dup(q, col(q, "hostname"), a);
	s->customization = col_dup(q, col(q, "customization"), a);
	s->adaptive = col_int(q, col(q, "adaptive")) != 0;
	s->agents = strcmp(col_text(q, col(q, "agents")), "included") == 0;
	s->indexed = strcmp(s->visibility, "public") == 0;
	s->published_at = col_int(q, col(q, "published_at"));
	s->updated_at = col_int(q, col(q, "updated_at"));
	s->published = visit_published(a, v->set, s->hostname, col_text(q, col(q, "proxy_origin")),
	    col_text(q, col(q, "org_name")), s->basename);
	s->by_id = visit_published(a, v->set, NULL, NULL, s->org, s->basename);
	s->address = s->published;
	m->sign_in_url = col_dup(q, col(q, "visitor_fallback"), a);
}

char *
visit_published(struct arena *a, const struct settings *set, const char *hostname, const char *proxy,
    const char *org, const char *basename)
{
	/* Visitors of a site with a proxy see the address of the proxy. */
	if (proxy != NULL)
		return arena_printf(a, "https://%s/", proxy);
	if (hostname != NULL)
		return arena_printf(a, "%.*s://%s/", (int)strcspn(set->url, ":"), set->url, hostname);
	return url_make(a, set, "/sites/%s/%s/", org, basename);
}

bool
visit_is_hostname(struct db *db, struct arena *a, const struct settings *set, const char *host)
{
	struct stmt *q;
	char *name;

	/*
	 * IP addresses are no hostnames of sites (cmd_site.c). Most requests are for the host of
	 * OCTAVO_URL, which needs no query.
	 */
	if (host == NULL || strlen(host) > 1024 || strchr(host, '.') == NULL)
		return false;
	name = host_name(a, host);
	if (strspn(name, "0123456789.") == strlen(name) || is_own_host(set, a, name))
		return false;
	q = db_use(db, &q_hostname);
	bind_text(q, ":host", name);
	return stmt_int(q, 0) == 1;
}

/* True if some site is shown below this host, or host and path. */
static bool
any_below(struct visit *v, const char *origin)
{
	struct stmt *q = db_use(v->db, &q_below);

	bind_text(q, ":origin", origin);
	return stmt_step(q);
}

/*
 * Finds the site whose proxy has the longest prefix of host and path as its address, among the
 * sites of the organization to which the host belongs (audience/address_holder.h). Returns the id,
 * NULL if there is none. *at: offset in the path where the site's part begins. org: the
 * organization that has the host as a hostname; NULL: none.
 */
static const char *
find_by_proxy(struct visit *v, const char *host, const char *org, struct str address, size_t *at)
{
	const char *found = NULL, *last = host;
	struct stmt *q;
	struct buf origin;
	struct str s;
	size_t end = 0;
	int i;

	buf_init(&origin, v->arena, 4096);
	buf_str(&origin, host);
	/* Each segment takes a look-up, so their number is limited: clients may send long paths. */
	for (i = 0; i < PROXY_SEGMENTS && next_segment(address, &end, &s) && origin.n + s.n < 1024; i++) {
		buf_char(&origin, '/');
		buf_put(&origin, s);
		q = db_use(v->db, &q_by_proxy);
		bind_text(q, ":origin", origin.p);
		bind_text(q, ":org", org);
		if (!stmt_step(q))
			continue;
		found = col_dup(q, 0, v->arena);
		org = col_dup(q, 1, v->arena);
		last = arena_strdup(v->arena, origin.p);
		*at = end;
	}
	v->site.nested = any_below(v, last);
	return found;
}

/*
 * Finds the site by the host, alone or with the first segments of the path. *at: offset in the path
 * where the site's part begins.
 */
static struct stmt *
find_by_host(struct visit *v, const char *host, struct str address, size_t *at)
{
	struct stmt *q;
	const char *site, *org;
	bool named;

	/* The host comes from the client, so its length is limited. */
	if (strlen(host) > 1024)
		return NULL;
	q = db_use(v->db, &q_by_host);
	bind_text(q, ":host", host);
	named = stmt_step(q);
	org = named ? col_dup(q, col(q, "org"), v->arena) : NULL;
	if (any_below(v, host) && (site = find_by_proxy(v, host, org, address, at)) != NULL) {
		q = db_use(v->db, &q_by_id);
		bind_text(q, ":id", site);
		named = stmt_step(q);
	}
	return named ? q : NULL;
}

/* Finds the site of an address /sites/ORGANIZATION/BASENAME below OCTAVO_URL. */
static struct stmt *
find_by_name(struct visit *v, struct str address, size_t *at)
{
	/* OCTAVO_URL may have a path of its own before "/sites". */
	struct str below = url_below(v->set, NULL, address, "/sites"), org, name;
	size_t end = strlen("/sites");
	char *org_text, *name_text;
	struct stmt *q;

	if (below.n == 0 || !next_segment(below, &end, &org) || !next_segment(below, &end, &name))
		return NULL;
	org_text = url_decode(v->arena, org, false);
	name_text = url_decode(v->arena, name, false);
	/* If the encoding is invalid, there is no such site. */
	if (org_text == NULL || name_text == NULL)
		return NULL;
	q = db_use(v->db, &q_by_name);
	bind_text(q, ":org", org_text);
	bind_text(q, ":basename", name_text);
	/* `end` counts from /sites; *at counts from the beginning of the path. */
	*at = address.n - below.n + end;
	if (!stmt_step(q))
		return NULL;
	if (strcmp(org_text, col_text(q, col(q, "org_name"))) != 0)
		v->site.org_name = col_dup(q, col(q, "org_name"), v->arena);
	return q;
}

bool
find_site(struct visit *v, const struct visit_request *ask, struct str *address, size_t *at, struct site_more *m)
{
	const char *host = ask->host == NULL ? NULL : host_name(v->arena, ask->host);
	struct stmt *q = NULL;

	/* The path without query and fragment. */
	*address = (struct str){ ask->path, strcspn(ask->path, "?#") };
	*at = 0;
	if (host != NULL && !is_own_host(v->set, v->arena, host))
		q = find_by_host(v, host, *address, at);
	if (q == NULL && (host == NULL || ask->any_host || is_own_host(v->set, v->arena, host)))
		/*
		 * Only at the host of OCTAVO_URL, unless any host is allowed: another host without
		 * a site must not show one.
		 */
		q = find_by_name(v, *address, at);
	if (q == NULL)
		return false;
	read_site_row(v, q, m);
	return true;
}

bool
find_site_by_id(struct visit *v, const char *id, struct site_more *m)
{
	struct stmt *q = db_use(v->db, &q_by_id);

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return false;
	read_site_row(v, q, m);
	return true;
}

bool
use_share_link(struct visit *v, const char *key)
{
	struct stmt *q;

	if (key == NULL)
		return false;
	q = db_use(v->db, &q_link);
	bind_text(q, ":site", v->site.id);
	bind_text(q, ":key", secret_hash_text(v->arena, key));
	if (!stmt_step(q))
		return false;
	v->site.share_link = col_dup(q, 0, v->arena);
	v->site.share_key = arena_strdup(v->arena, key);
	v->site.address = arena_printf(v->arena, "%s%s/", v->site.published, key);
	return true;
}

/* ---- the structure ---- */

/* An item that was read from a row and is not linked into the tree yet. */
struct loose_item {
	struct visit_item *item;
	const char        *up, *ord;   /* up: id of the section or group; NULL: the site */
};
struct item_pool {
	struct loose_item *list;
	size_t        n, room;
};

/* Adds an item to the pool; the caller sets its other members. */
static struct visit_item *
add_loose(struct visit *v, struct item_pool *b, enum visit_kind kind, const char *id, const char *up, const char *ord)
{
	struct visit_item *it = arena_alloc(v->arena, sizeof(*it));

	b->list = arena_grow(v->arena, b->list, b->n, &b->room, sizeof(*b->list));
	b->list[b->n++] = (struct loose_item){ it, up, ord };
	it->kind = kind;
	it->id = id;
	return it;
}

/* Groups have no condition: a group is visible if something in it is (fill_items()). */
static void
read_groups(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_groups);
	struct arena *a = v->arena;
	struct visit_item *it;

	bind_text(q, ":site", v->site.id);
	while (stmt_step(q)) {
		/* Items of a group that is skipped are not linked into the tree, and so are left out, too. */
		if (!v->drafts && col_int(q, 5) != 0)
			continue;
		it = add_loose(v, b, VISIT_GROUP, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 4, a));
		it->title = col_dup(q, 2, a);
		it->icon = col_dup(q, 3, a);
	}
}

static void
read_links(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_links);
	struct arena *a = v->arena;
	struct visit_item *it;

	bind_text(q, ":site", v->site.id);
	while (stmt_step(q)) {
		if ((!v->drafts && col_int(q, 8) != 0) || !visit_holds(v, col_text(q, 6)))
			continue;
		it = add_loose(v, b, VISIT_LINK, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 7, a));
		it->title = col_dup(q, 2, a);
		it->description = col_dup(q, 3, a);
		it->icon = col_dup(q, 4, a);
		it->address = col_dup(q, 5, a);
		it->condition = col_dup(q, 6, a);
	}
}

/* Returns the number of sections, including those that the visitor does not see. */
static size_t
read_sections(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_sections);
	struct arena *a = v->arena;
	struct visit_item *it;
	size_t n;

	bind_text(q, ":site", v->site.id);
	for (n = 0; stmt_step(q); n++) {
		/* Hidden sections count: a site with only hidden sections still has sections. */
		if ((!v->drafts && col_int(q, 9) != 0) || !visit_holds(v, col_text(q, 5)))
			continue;
		it = add_loose(v, b, VISIT_SECTION, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 8, a));
		it->title = col_dup(q, 2, a);
		it->description = col_dup(q, 3, a);
		it->path = col_dup(q, 4, a);
		it->condition = col_dup(q, 5, a);
		it->icon = col_dup(q, 6, a);
		it->is_default = col_int(q, 7) != 0;
	}
	return n;
}

static void
read_space(struct visit *v, struct stmt *q, struct visit_item *it)
{
	struct arena *a = v->arena;

	it->path = col_dup(q, 2, a);
	it->condition = col_dup(q, 3, a);
	it->is_default = col_int(q, 4) != 0;
	it->customization = col_dup(q, 5, a);
	it->space = col_dup(q, 6, a);
	it->title = col_dup(q, 7, a);
	it->language = col_dup(q, 8, a);
	it->emoji = col_dup(q, 9, a);
	it->space_icon = col_dup(q, 10, a);
	it->point = (struct point){ .space = it->space, .revision = col_dup(q, 13, a),
		.branch = col_int(q, 11), .seq = col_int(q, 12) };
	it->hidden = col_int(q, 15) != 0;
	if (v->request != NULL && strcmp(v->request->space, it->space) == 0)
		it->point = v->request->point;
}

static void
read_spaces(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_spaces);

	bind_text(q, ":site", v->site.id);
	while (stmt_step(q))
		/* A guest needs a grant, and the condition must hold as well. */
		if ((v->drafts || col_int(q, 14) == 0) && visit_holds(v, col_text(q, 3)) && guest_may_see(v, col_text(q, 6)) &&
		    preview_shows_space(v, col_text(q, 6)))
			read_space(v, q, add_loose(v, b, VISIT_SPACE, col_dup(q, 0, v->arena),
			    col_dup(q, 1, v->arena), NULL));
}

/*
 * Links the children of an item in their order. Groups, sections and links come from three tables,
 * whose order keys are comparable.
 */
static struct visit_item *
link_items(struct item_pool *b, const char *up, struct visit_item *above)
{
	struct visit_item *first = NULL, **last = &first;
	const char *after = "";
	size_t i, next;

	for (;;) {
		/*
		 * Finds the smallest item below `up` that is not linked yet (its `up` is NULL) and
		 * not before the last one (after). A site has few items, so sorting would not be
		 * faster.
		 */
		for (next = b->n, i = 0; i < b->n; i++)
			if (b->list[i].item->up == NULL && b->list[i].ord != NULL && same_text(b->list[i].up, up) &&
			    strcmp(b->list[i].ord, after) >= 0 &&
			    (next == b->n || strcmp(b->list[i].ord, b->list[next].ord) < 0))
				next = i;
		if (next == b->n)
			return first;
		after = b->list[next].ord;
		/* ord NULL marks the item as linked; `up` cannot, because it is NULL at the top level. */
		b->list[next].ord = NULL;
		b->list[next].item->up = above;
		*last = b->list[next].item;
		last = &(*last)->next;
	}
}

/* Links the site spaces of a section, which were read in their order. */
static struct visit_item *
link_spaces(struct item_pool *b, const char *section, struct visit_item *above)
{
	struct visit_item *first = NULL, **last = &first;
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (!same_text(b->list[i].up, section))
			continue;
		b->list[i].item->up = above;
		*last = b->list[i].item;
		last = &(*last)->next;
	}
	return first;
}

/* Makes exactly one of the siblings the default: the first one that is marked as default, otherwise the first one. */
static void
choose_default(struct visit_item *first)
{
	struct visit_item *it, *marked = NULL;

	for (it = first; it != NULL; it = it->next)
		if (it->is_default && marked == NULL)
			marked = it;
	for (it = first; it != NULL; it = it->next)
		it->is_default = it == (marked != NULL ? marked : first);
}

/* Builds the tree below an item. Sections without visible site spaces and groups without content are left out. */
static struct visit_item *
fill_items(struct visit *v, struct item_pool *b, struct item_pool *spaces, const char *up, struct visit_item *above)
{
	struct visit_item *first = link_items(b, up, above), **p = &first;

	while (*p != NULL) {
		struct visit_item *it = *p;
		it->first = it->kind == VISIT_LINK ? NULL : it->kind == VISIT_SECTION ? link_spaces(spaces, it->id, it) :
		    fill_items(v, b, spaces, it->id, it);
		if (it->kind == VISIT_SECTION)
			/*
			 * The default site space may be hidden from this visitor, but an address
			 * without a segment must find a site space.
			 */
			choose_default(it->first);
		/* The visitor sees nothing in the item, so its title is hidden as well. */
		if (it->first == NULL && it->kind != VISIT_LINK)
			*p = it->next;
		else
			p = &it->next;
	}
	return first;
}

/*
 * Finds the default among the sections of the whole site, also those in groups. *marked: the first
 * that is marked as default; *first: the first section.
 */
static void
find_default_section(struct visit_item *it, struct visit_item **marked, struct visit_item **first)
{
	for (; it != NULL; it = it->next) {
		if (it->kind == VISIT_SECTION) {
			/* If no section is marked, the first one in reading order is the default. */
			*first = *first == NULL ? it : *first;
			*marked = it->is_default && *marked == NULL ? it : *marked;
			it->is_default = false;
		}
		if (it->kind == VISIT_GROUP)
			find_default_section(it->first, marked, first);
	}
}

/* True if a page of the default item has the segment of `it` as its path, or lies below that. */
static bool
is_covered(struct visit *v, const struct visit_item *by, const struct visit_item *it)
{
	const char *key = page_key(v->arena, it->path);

	return by != NULL && by != it && (page_is_at(v, by, key) || page_is_below(v, by, key));
}

/*
 * Sets the address of an item. above: the address before its segment; by: the site space that is
 * found at that address by default.
 */
static void
set_address(struct visit *v, struct visit_item *it, const char *above, const struct visit_item *by)
{
	bool space = it->kind == VISIT_SPACE;

	if (it->is_default) {
		it->address = above;
		return;
	}
	/* Below the default section, a segment is read as the name of a section first. */
	it->ambiguous = is_covered(v, by, it) || (space && v->site.sections && (it->up == NULL || it->up->is_default) &&
	    section_at(v->site.first, it->path) != NULL);
	it->address = arena_printf(v->arena, "%s%s%s/", above, !it->ambiguous ? "" : space ? VARIANT_MARK "/" :
	    SECTION_MARK "/", url_segment(v->arena, str_of(it->path)));
}

/*
 * Sets the addresses of these items and those below them. by: the default site space of the site
 * or, for variants, of their section.
 */
static void
set_addresses(struct visit *v, struct visit_item *it, const char *above, const struct visit_item *by)
{
	for (; it != NULL; it = it->next) {
		if (it->kind == VISIT_GROUP) {
			set_addresses(v, it->first, above, by);
			continue;
		}
		if (it->kind == VISIT_LINK)
			continue;
		set_address(v, it, above, by);
		if (it->kind == VISIT_SECTION)
			set_addresses(v, it->first, it->address, space_at(it->first, NULL));
	}
}

void
site_structure(struct visit *v)
{
	struct item_pool upper = { NULL, 0, 0 }, spaces = { NULL, 0, 0 };
	struct visit_item *marked = NULL, *first = NULL;

	read_groups(v, &upper);
	v->site.sections = read_sections(v, &upper) > 0;
	if (v->site.sections)
		read_links(v, &upper);
	read_spaces(v, &spaces);
	if (v->site.sections) {
		/* The tree is built from the top, so groups that form a cycle are never reached. */
		v->site.first = fill_items(v, &upper, &spaces, NULL, NULL);
		find_default_section(v->site.first, &marked, &first);
		if (first != NULL)
			(marked != NULL ? marked : first)->is_default = true;
	} else {
		v->site.first = link_spaces(&spaces, NULL, NULL);
		choose_default(v->site.first);
	}
	first = v->site.sections ? section_at(v->site.first, NULL) : NULL;
	set_addresses(v, v->site.first, v->site.address,
	    space_at(v->site.sections ? first == NULL ? NULL : first->first : v->site.first, NULL));
}
