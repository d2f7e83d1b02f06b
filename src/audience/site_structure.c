/*
 * Finds the site of an address, and its structure as a visitor sees it. Contract: audience/visit.h.
 */
#include <cjson/cJSON.h>
#include <strings.h>

#include "base/secret.h"
#include "base/url.h"
#include "audience_parts.h"

enum { PROXY_SEGMENTS = 8 };   /* segments of a proxy's path that are tried */

#define SITE_COLS \
	"t.id, t.org, o.title AS org_title, COALESCE(o.hostname, o.id) AS org_name, t.title, t.basename, " \
	"t.visibility, t.hostname, t.proxy_origin, t.adaptive, t.agents, t.customization, t.visitor_fallback, " \
	"t.published_at, t.updated_at "
#define SITE_FROM "FROM site t JOIN org o ON o.id = t.org "
SQL(q_by_id, "SELECT " SITE_COLS SITE_FROM "WHERE t.id = :id");
SQL(q_hostname, "SELECT 1 FROM site WHERE hostname = :host");
SQL(q_by_host, "SELECT " SITE_COLS SITE_FROM "WHERE t.hostname = :host");
/*
 * If two sites name one proxy, which older releases allowed, the older site has it. org: owner of
 * the host; NULL: anyone.
 */
SQL(q_by_proxy,
    "SELECT id, org FROM site WHERE proxy_origin = :origin AND org = COALESCE(:org, org) ORDER BY created_at LIMIT 1");
/* '0' is the character after '/'. */
SQL(q_below, "SELECT 1 FROM site WHERE proxy_origin > :origin || '/' AND proxy_origin < :origin || '0' LIMIT 1");
/* A basename never equals an id: ids are longer. */
SQL(q_by_name,
    "SELECT " SITE_COLS SITE_FROM "WHERE t.basename = :basename AND t.org = "
    "COALESCE((SELECT n.id FROM org n WHERE n.hostname = :org), :org)");
/* A key opens only its own site, and only while it is active. */
SQL(q_link, "SELECT id FROM site_share_link WHERE site = :site AND secret = :key AND active = 1");
SQL(q_groups, "SELECT id, parent, title, icon, ord, draft FROM site_section_group WHERE site = :site ORDER BY ord, id");
SQL(q_sections,
    "SELECT id, section_group, title, description, path, condition, icon, is_default, ord, draft FROM site_section "
    "WHERE site = :site ORDER BY ord, id");
SQL(q_links,
    "SELECT id, section_group, title, description, icon, url, condition, ord, draft FROM site_external_link "
    "WHERE site = :site ORDER BY ord, id");
/* Head of each space's main branch: readers see primary content, and no deleted spaces. */
SQL(q_spaces,
    "SELECT x.id, x.section, x.path, x.condition, x.is_default, x.customization, s.id AS space, s.title, "
    "s.language, s.emoji, s.icon, s.branch, b.head, (SELECT rv.id FROM revision rv "
    "WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, x.draft, x.hidden "
    "FROM site_space x JOIN space s ON s.id = x.space AND s.deleted_at IS NULL "
    "JOIN branch b ON b.id = s.branch WHERE x.site = :site ORDER BY x.ord, x.id");

/* ---- the address ---- */

/* Next segment of a path from *at on; false at the end. Empty segments are skipped. */
static bool
split_segment(struct str path, size_t *at, struct str *out)
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

bool
next_segment(const struct request_path *k, size_t *at, struct str *out)
{
	return split_segment(k->path, at, out);
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

/* Fill v->site from a row of SITE_COLS; copies texts, since another statement resets the row. */
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
	/* Readers see the proxy's address. */
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

	/* IP addresses are no hostnames (cmd_site.c), and most requests go to the own host. */
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
 * Id of the site at the longest prefix of host and path that belongs to the host's organization
 * (audience/address_holder.h), and where in the path it begins; NULL: none. org: organization that
 * holds the host by a hostname; NULL: none.
 */
static const char *
by_proxy(struct visit *v, const char *host, const char *org, const struct request_path *k, size_t *at)
{
	const char *found = NULL, *last = host;
	struct stmt *q;
	struct buf origin;
	struct str s;
	size_t end = 0;
	int i;

	buf_init(&origin, v->arena, 4096);
	buf_str(&origin, host);
	/* One lookup per segment, bounded because anyone may send long paths. */
	for (i = 0; i < PROXY_SEGMENTS && next_segment(k, &end, &s) && origin.n + s.n < 1024; i++) {
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
 * Find the site by the host, alone or with the first segments of the path; *at is where the site's
 * content begins.
 */
static struct stmt *
by_host(struct visit *v, const char *host, const struct request_path *k, size_t *at)
{
	struct stmt *q;
	const char *site, *org;
	bool named;

	/* The client chooses the host: bound its length. */
	if (strlen(host) > 1024)
		return NULL;
	q = db_use(v->db, &q_by_host);
	bind_text(q, ":host", host);
	named = stmt_step(q);
	org = named ? col_dup(q, col(q, "org"), v->arena) : NULL;
	if (any_below(v, host) && (site = by_proxy(v, host, org, k, at)) != NULL) {
		q = db_use(v->db, &q_by_id);
		bind_text(q, ":id", site);
		named = stmt_step(q);
	}
	return named ? q : NULL;
}

/* Find /sites/ORGANIZATION/BASENAME below OCTAVO_URL. */
static struct stmt *
by_name(struct visit *v, const struct request_path *k, size_t *at)
{
	/* OCTAVO_URL may have a path of its own before "/sites". */
	struct str below = url_below(v->set, NULL, k->path, "/sites"), org, name;
	size_t end = strlen("/sites");
	char *org_text, *name_text;
	struct stmt *q;

	if (below.n == 0 || !split_segment(below, &end, &org) || !split_segment(below, &end, &name))
		return NULL;
	org_text = url_decode(v->arena, org, false);
	name_text = url_decode(v->arena, name, false);
	/* Invalid encoding: no site. */
	if (org_text == NULL || name_text == NULL)
		return NULL;
	q = db_use(v->db, &q_by_name);
	bind_text(q, ":org", org_text);
	bind_text(q, ":basename", name_text);
	/* Convert the offset below the base address to one in the whole path. */
	*at = k->path.n - below.n + end;
	if (!stmt_step(q))
		return NULL;
	if (strcmp(org_text, col_text(q, col(q, "org_name"))) != 0)
		v->site.org_name = col_dup(q, col(q, "org_name"), v->arena);
	return q;
}

bool
find_site(struct visit *v, const struct visit_request *ask, struct request_path *k, size_t *at, struct site_more *m)
{
	const char *host = ask->host == NULL ? NULL : host_name(v->arena, ask->host);
	struct stmt *q = NULL;

	/* Drop query and fragment. */
	k->path = (struct str){ ask->path, strcspn(ask->path, "?#") };
	*at = 0;
	if (host != NULL && !is_own_host(v->set, v->arena, host))
		q = by_host(v, host, k, at);
	if (q == NULL && (host == NULL || ask->any_host || is_own_host(v->set, v->arena, host)))
		/*
		 * Refuse a foreign host without a site, unless the server says that any host is
		 * allowed.
		 */
		q = by_name(v, k, at);
	if (q == NULL)
		return false;
	read_site_row(v, q, m);
	return true;
}

bool
site_by_id(struct visit *v, const char *id, struct site_more *m)
{
	struct stmt *q = db_use(v->db, &q_by_id);

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return false;
	read_site_row(v, q, m);
	return true;
}

bool
share_link(struct visit *v, const char *key)
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

/* A row before it is part of the tree. */
struct loose_item {
	struct visit_item *item;
	const char        *up, *ord;   /* up: id of the section or group; NULL: the site */
};
struct item_pool {
	struct loose_item *list;
	size_t        n, room;
};

/* Add an item that is not in the tree yet; the caller fills the rest. */
static struct visit_item *
loose_add(struct visit *v, struct item_pool *b, enum visit_kind kind, const char *id, const char *up, const char *ord)
{
	struct visit_item *it = arena_alloc(v->arena, sizeof(*it));

	b->list = arena_grow(v->arena, b->list, b->n, &b->room, sizeof(*b->list));
	b->list[b->n++] = (struct loose_item){ it, up, ord };
	it->kind = kind;
	it->id = id;
	return it;
}

/* Groups have no condition: they exist if something in them does (fill_items()). */
static void
read_groups(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_groups);
	struct arena *a = v->arena;
	struct visit_item *it;

	bind_text(q, ":site", v->site.id);
	while (stmt_step(q)) {
		/* What is in a group that is left out is never linked. */
		if (!v->drafts && col_int(q, 5) != 0)
			continue;
		it = loose_add(v, b, VISIT_GROUP, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 4, a));
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
		it = loose_add(v, b, VISIT_LINK, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 7, a));
		it->title = col_dup(q, 2, a);
		it->description = col_dup(q, 3, a);
		it->icon = col_dup(q, 4, a);
		it->address = col_dup(q, 5, a);
		it->condition = col_dup(q, 6, a);
	}
}

/* Returns how many there are, visible or not. */
static size_t
read_sections(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_sections);
	struct arena *a = v->arena;
	struct visit_item *it;
	size_t n;

	bind_text(q, ":site", v->site.id);
	for (n = 0; stmt_step(q); n++) {
		/* Count hidden ones too: a site with only hidden sections still has sections. */
		if ((!v->drafts && col_int(q, 9) != 0) || !visit_holds(v, col_text(q, 5)))
			continue;
		it = loose_add(v, b, VISIT_SECTION, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 8, a));
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
}

static void
read_spaces(struct visit *v, struct item_pool *b)
{
	struct stmt *q = db_use(v->db, &q_spaces);

	bind_text(q, ":site", v->site.id);
	while (stmt_step(q))
		/* Both must hold: a grant does not open what a condition hides, and vice versa. */
		if ((v->drafts || col_int(q, 14) == 0) && visit_holds(v, col_text(q, 3)) && guest_sees(v, col_text(q, 6)))
			read_space(v, q, loose_add(v, b, VISIT_SPACE, col_dup(q, 0, v->arena),
			    col_dup(q, 1, v->arena), NULL));
}

/*
 * Link the children of an item in order. Groups, sections and links come from three sorted lists and
 * share one order.
 */
static struct visit_item *
hang_items(struct item_pool *b, const char *up, struct visit_item *above)
{
	struct visit_item *first = NULL, **last = &first;
	const char *after = "";
	size_t i, next;

	for (;;) {
		/*
		 * Select the least of the rest each time: a site has few sections, so sorting would
		 * be no better.
		 */
		for (next = b->n, i = 0; i < b->n; i++)
			if (b->list[i].item->up == NULL && b->list[i].ord != NULL && same_text(b->list[i].up, up) &&
			    strcmp(b->list[i].ord, after) >= 0 &&
			    (next == b->n || strcmp(b->list[i].ord, b->list[next].ord) < 0))
				next = i;
		if (next == b->n)
			return first;
		after = b->list[next].ord;
		/* Mark it as linked: at the top level `up` stays NULL. */
		b->list[next].ord = NULL;
		b->list[next].item->up = above;
		*last = b->list[next].item;
		last = &(*last)->next;
	}
}

/* Site spaces are already in order. */
static struct visit_item *
hang_spaces(struct item_pool *b, const char *section, struct visit_item *above)
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

/* Make exactly one the default: the marked one, else the first. */
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

/* Drop sections without visible site spaces, and groups without content. */
static struct visit_item *
fill_items(struct visit *v, struct item_pool *b, struct item_pool *spaces, const char *up, struct visit_item *above)
{
	struct visit_item *first = hang_items(b, up, above), **p = &first;

	while (*p != NULL) {
		struct visit_item *it = *p;
		it->first = it->kind == VISIT_LINK ? NULL : it->kind == VISIT_SECTION ? hang_spaces(spaces, it->id, it) :
		    fill_items(v, b, spaces, it->id, it);
		if (it->kind == VISIT_SECTION)
			/*
			 * The marked one may be hidden from this visitor, but an address without a
			 * segment must find one.
			 */
			choose_default(it->first);
		/* The visitor sees nothing in it, so hide its title too. */
		if (it->first == NULL && it->kind != VISIT_LINK)
			*p = it->next;
		else
			p = &it->next;
	}
	return first;
}

/* Collect sections, also in groups: one section of the whole site is the default. */
static void
collect_sections(struct visit_item *it, struct visit_item **marked, struct visit_item **first)
{
	for (; it != NULL; it = it->next) {
		if (it->kind == VISIT_SECTION) {
			/* In reading order: if none is marked, the first is the default. */
			*first = *first == NULL ? it : *first;
			*marked = it->is_default && *marked == NULL ? it : *marked;
			it->is_default = false;
		}
		if (it->kind == VISIT_GROUP)
			collect_sections(it->first, marked, first);
	}
}

/* True if a page of the default item has the segment of `it` as its path, or lies below that. */
static bool
is_covered(struct visit *v, const struct visit_item *by, const struct visit_item *it)
{
	const char *key = page_key(v->arena, it->path);

	return by != NULL && by != it && (page_is_at(v, by, key) || page_is_below(v, by, key));
}

/* above: address before its segment; by: site space that is found there by default. */
static void
give_address(struct visit *v, struct visit_item *it, const char *above, const struct visit_item *by)
{
	bool space = it->kind == VISIT_SPACE;

	if (it->is_default) {
		it->address = above;
		return;
	}
	/* In the default section, names of sections come first. */
	it->ambiguous = is_covered(v, by, it) || (space && v->site.sections && (it->up == NULL || it->up->is_default) &&
	    section_at(v->site.first, it->path) != NULL);
	it->address = arena_printf(v->arena, "%s%s%s/", above, !it->ambiguous ? "" : space ? VARIANT_MARK "/" :
	    SECTION_MARK "/", url_segment(v->arena, str_of(it->path)));
}

/* by: default of the site, or of the section whose variants these are. */
static void
give_addresses(struct visit *v, struct visit_item *it, const char *above, const struct visit_item *by)
{
	for (; it != NULL; it = it->next) {
		if (it->kind == VISIT_GROUP) {
			give_addresses(v, it->first, above, by);
			continue;
		}
		if (it->kind == VISIT_LINK)
			continue;
		give_address(v, it, above, by);
		if (it->kind == VISIT_SECTION)
			give_addresses(v, it->first, it->address, space_at(it->first, NULL));
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
		/* Top down: groups in a cycle are linked nowhere and never reached. */
		v->site.first = fill_items(v, &upper, &spaces, NULL, NULL);
		collect_sections(v->site.first, &marked, &first);
		if (first != NULL)
			(marked != NULL ? marked : first)->is_default = true;
	} else {
		v->site.first = hang_spaces(&spaces, NULL, NULL);
		choose_default(v->site.first);
	}
	first = v->site.sections ? section_at(v->site.first, NULL) : NULL;
	give_addresses(v, v->site.first, v->site.address,
	    space_at(v->site.sections ? first == NULL ? NULL : first->first : v->site.first, NULL));
}
