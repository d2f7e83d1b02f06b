/* One address from its host to its page. Contract: audience/visit.h. */
#include <cjson/cJSON.h>

#include "base/map.h"
#include "base/url.h"
#include "base/utf8.h"
#include "audience_parts.h"
#include "store/redirect.h"

void
visit_begin(struct visit *v, struct db *db, struct arena *a, const struct settings *set)
{
	*v = (struct visit){ .db = db, .arena = a, .set = set };
	v->claims = cJSON_CreateObject();
	v->held = held_new(a);
	v->homes = map_new(a);
	v->trees = map_new(a);
}

/*
 * May somebody of this kind see the site at all? An address that holds a wrong key is no
 * different from one of a site that is not there.
 */
static enum visit_status
admit_visitor(struct visit *v, const struct visitor *who, const struct site_more *m)
{
	/* First: a preview opens sites that are not published. */
	take_claims(v, who);
	if (v->preview) {
		v->site.indexed = false;
		return VISIT_PAGE;
	}
	if (who->manager)
		return v->site.published_at == 0 || (who->share_key != NULL && v->site.share_link == NULL) ?
		    VISIT_NO_SITE : VISIT_PAGE;
	/* No different from a site that is not there: nobody learns of drafts by their addresses. */
	if (v->site.published_at == 0 || (who->agent && !v->site.agents))
		return VISIT_NO_SITE;
	if (strcmp(v->site.visibility, "share-link") == 0)
		return v->site.share_link != NULL ? VISIT_PAGE : VISIT_NO_SITE;
	if (strcmp(v->site.visibility, "visitor-auth") == 0 && v->signer.n == 0 && v->account == NULL) {
		v->location = m->fallback;
		return VISIT_SIGN_IN;
	}
	return VISIT_PAGE;
}

/* A segment that is the key of a share link is none of the content. */
static void
take_key(struct visit *v, const struct asked *k, size_t *at, const struct visitor *who)
{
	size_t end = *at;
	struct str s;
	char *key;

	if (strcmp(v->site.visibility, "share-link") != 0)
		return;
	/* *at stays where the segment is none of a key: it is the first one of the content. */
	key = next_segment(k, &end, &s) ? url_decode(v->arena, s, false) : NULL;
	/* In the address, the key wins over one that the visitor shows otherwise. */
	if (share_link(v, key))
		*at = end;
	else
		share_link(v, who->share_key);
}

/* ---- section, variant ---- */

struct visit_item *
section_at(struct visit_item *it, const char *path)
{
	struct visit_item *found;

	for (; it != NULL; it = it->next) {
		if (it->kind == VISIT_SECTION && (path == NULL ? it->is_default : strcmp(it->path, path) == 0))
			return it;
		/* Groups have no segment: their sections are found as if they stood at the top. */
		if (it->kind == VISIT_GROUP && (found = section_at(it->first, path)) != NULL)
			return found;
	}
	return NULL;
}

struct visit_item *
space_at(struct visit_item *it, const char *path)
{
	for (; it != NULL; it = it->next)
		if (path == NULL ? it->is_default : strcmp(it->path, path) == 0)
			return it;
	return NULL;
}

/* One way to read the segments of an address: as so many names of the structure, and the rest a page. */
struct way {
	struct visit_item *section;    /* NULL: the site has none */
	struct visit_item *space;
	size_t             at;         /* where the rest begins */
	bool               named;      /* the segment of the site space is in the address */
};

enum { WAYS = 3 };

/* The item that the next segment names, or the one after `mark`, which says that no page is meant; NULL: none is named. */
static struct visit_item *
named_next(struct visit *v, const struct asked *k, size_t *at, struct visit_item *first,
    struct visit_item *(*find)(struct visit_item *, const char *), const char *mark)
{
	struct visit_item *it = NULL;
	size_t end = *at;
	struct str s;
	char *path;

	/* A segment that names nothing stays for what comes after: it is the beginning of a page's path. */
	if (next_segment(k, &end, &s) && (path = url_decode(v->arena, s, false)) != NULL)
		it = find(first, path);
	if (it == NULL && s.n > 0 && str_is(s, mark) && next_segment(k, &end, &s) &&
	    (path = url_decode(v->arena, s, false)) != NULL)
		it = find(first, path);
	if (it != NULL)
		*at = end;
	return it;
}

/* All ways, those with fewer names first; 0: nothing of the site is visible. */
static int
ways_of(struct visit *v, const struct asked *k, size_t at, struct way *out)
{
	struct visit_item *section = NULL, *spaces = v->site.first, *it;
	int n = 0;

	if (v->site.sections) {
		if ((section = section_at(v->site.first, NULL)) == NULL)
			return 0;
		spaces = section->first;
	}
	if ((it = space_at(spaces, NULL)) == NULL)
		return 0;
	out[n++] = (struct way){ section, it, at, false };
	if (v->site.sections && (it = named_next(v, k, &at, v->site.first, section_at, SECTION_MARK)) != NULL) {
		section = it;
		spaces = it->first;
		out[n++] = (struct way){ section, space_at(spaces, NULL), at, false };
	}
	if ((it = named_next(v, k, &at, spaces, space_at, VARIANT_MARK)) != NULL)
		out[n++] = (struct way){ section, it, at, true };
	return n;
}

/* Is it the only site space that they see? */
static bool
is_alone(const struct visit *v)
{
	return visit_next_space(v, visit_next_space(v, NULL)) == NULL;
}

/*
 * Would each longer address lead into the same site space? Not where its next segment may name
 * another one, nor where a page was found that is called like one.
 */
static bool
is_complete(const struct visit *v, const struct asked *k, const struct way *ways, int n, int i)
{
	const struct way *w = &ways[i];
	size_t end = w->at;
	struct str s;

	if (is_alone(v))
		return true;
	if (i + 1 < n || (i > 0 && w->space->unclear) || (i > 0 && w->section != NULL && w->section->unclear))
		return false;
	/* A section that was named, with one variant. */
	if (w->named || (i > 0 && w->section->first->next == NULL))
		return true;
	return next_segment(k, &end, &s) && ((!str_is(s, SECTION_MARK) && !str_is(s, VARIANT_MARK)) ||
	    next_segment(k, &end, &s));
}

/* ---- the page ---- */

static enum visit_status
redirect_visit(struct visit *v, char *to)
{
	v->location = to;
	return to == NULL ? VISIT_NO_PAGE : VISIT_MOVED;
}

/* The first page below a group that has an address of its own. */
static const struct page *
first_document(const struct page *p)
{
	const struct page *found;

	for (; p != NULL; p = p->next) {
		if (p->node.kind == NODE_DOCUMENT && !visit_page_hidden(p))
			return p;
		if (p->node.kind == NODE_GROUP && (found = first_document(p->first)) != NULL)
			return found;
	}
	return NULL;
}

static enum visit_status
into_group(struct visit *v, const char *id)
{
	struct page *tree = visit_tree(v, v->space), *p;
	const struct page *found;

	/* The group itself is in the tree; what it leads to is the first document in it. */
	p = visit_find(tree, id);
	found = p == NULL ? NULL : first_document(p->first);
	return found == NULL ? VISIT_NO_PAGE : redirect_visit(v, visit_page_address(v, v->space, found));
}

static enum visit_status
to_target(struct visit *v)
{
	const cJSON *props = cJSON_Parse(v->page.node.props);
	struct doc_ref ref;

	/* A link page without a target leads nowhere. */
	if (!ref_read(cJSON_GetObjectItemCaseSensitive(props, "target"), &ref))
		return VISIT_NO_PAGE;
	/* NULL where the visitor may not see the target: a 404 (moved). */
	return redirect_visit(v, visit_ref(v, v->space, &ref));
}

/* The address of a page that is asked for by another one: old paths, and the home page's own. */
static enum visit_status
settle_page(struct visit *v)
{
	struct page home;

	if (v->page.node.kind == NODE_LINK)
		return to_target(v);
	if (v->page.node.kind == NODE_GROUP)
		return into_group(v, v->page.node.id);
	v->canonical = visit_page_address(v, v->space, &v->page);
	if (*v->rest == '\0')
		return VISIT_PAGE;
	/* Each page has one address: the home page is that of its space. */
	if (visit_home(v, v->space, &home) && strcmp(home.node.id, v->page.node.id) == 0)
		return redirect_visit(v, arena_strdup(v->arena, v->space->address));
	return strcmp(v->page.path, v->rest) == 0 ? VISIT_PAGE : redirect_visit(v, arena_strdup(v->arena, v->canonical));
}

/* Where a redirect of the site leads from this decoded path: sources are kept encoded, in the case that they were typed. */
static char *
redirect_from(struct visit *v, const char *path)
{
	const char *typed = arena_printf(v->arena, "/%s", url_path(v->arena, path));
	const char *spellings[] = { typed, arena_printf(v->arena, "/%s", url_path(v->arena, page_key(v->arena, path))),
		utf8_lower(v->arena, str_of(typed)) };
	struct visit_redirect to;
	size_t i;

	for (i = 0; i < 6; i++)
		if (visit_redirect(v, spellings[i % 3], i >= 3, &to)) {
			v->permanent = to.permanent;
			return arena_strdup(v->arena, to.target);
		}
	return NULL;
}

/* What .gitbook.yaml of the space says of a path where no page is. Notes the page that it leads to. */
static char *
asked_of_space(struct visit *v)
{
	struct doc_ref ref;

	if (!redirect_asked(v->db, v->arena, &v->space->point, v->rest, &ref))
		return NULL;
	if ((ref.kind == REF_PAGE || ref.kind == REF_ANCHOR) && ref.id != NULL && ref.space == NULL &&
	    visit_page(v, v->space, ref.id, &v->page, &v->computed))
		v->canonical = visit_page_address(v, v->space, &v->page);
	return visit_ref(v, v->space, &ref);
}

static enum visit_status
find_page(struct visit *v, const char *below)
{
	const char *rest = v->rest;
	char *to;

	if (*v->rest == '\0') {
		if (visit_home(v, v->space, &v->page) && visit_page(v, v->space, v->page.node.id, &v->page, &v->computed))
			return settle_page(v);
		return VISIT_NO_PAGE;
	}
	if (visit_page_at(v, v->space, v->rest, &v->page, &v->computed))
		return settle_page(v);
	/* A page that exists wins over a redirect; those of the site are asked before those of its spaces. */
	to = redirect_from(v, below);
	if (to == NULL && strcmp(page_key(v->arena, below), rest) != 0)
		to = redirect_from(v, rest);
	return redirect_visit(v, to != NULL ? to : asked_of_space(v));
}

/*
 * The rest of the path without its encoding and slashes at its ends; a percent sign that encodes
 * nothing stands for itself. NULL where that is no text.
 */
static char *
typed_rest(struct visit *v, const struct asked *k, size_t at)
{
	struct str raw = str_slice(k->path, at, k->path.n), plain;
	char *text = url_decode(v->arena, raw, false);
	size_t n;

	if (text == NULL) {
		plain = url_unescape(v->arena, raw);
		if (memchr(plain.p, '\0', plain.n) != NULL || !utf8_valid(plain))
			return NULL;
		text = arena_strndup(v->arena, plain.p, plain.n);
	}
	text += strspn(text, "/");
	for (n = strlen(text); n > 0 && text[n - 1] == '/'; n--)
		text[n - 1] = '\0';
	return text;
}

/* The same in lower case. */
static char *
rest_of(struct visit *v, const struct asked *k, size_t at)
{
	char *text = typed_rest(v, k, at);

	return text == NULL ? NULL : page_key(v->arena, text);
}

static const char *
path_of(struct visit *v, const struct asked *k, size_t at)
{
	/* The path of a site or space ends in a slash, whether the address had it or not. */
	const char *slash = at > 0 && k->path.p[at - 1] == '/' ? "" : "/";

	return arena_printf(v->arena, "%.*s%s", (int)at, k->path.p, slash);
}

/* What is behind it, as it was typed, without a slash before it. */
static const char *
path_behind(struct visit *v, const struct asked *k, size_t at)
{
	while (at < k->path.n && k->path.p[at] == '/')
		at++;
	return arena_strndup(v->arena, k->path.p + at, k->path.n - at);
}

/* Where they get claims, with the page that they come back to. */
static void
send_to_sign_in(struct visit *v, const struct asked *k, size_t at)
{
	const char *to = v->location, *rest = rest_of(v, k, at);
	size_t n = to == NULL ? 0 : strcspn(to, "#");

	v->rest = rest == NULL ? "" : rest;
	if (to != NULL)
		v->location = arena_printf(v->arena, "%.*s%slocation=%s%s", (int)n, to,
		    /* Before the fragment, which a browser would not send. */
		    memchr(to, '?', n) != NULL ? "&" : "?", url_segment(v->arena, str_of(v->rest)), to + n);
}

/* Goes one of the ways, and looks for the page. */
static enum visit_status
try_way(struct visit *v, const struct asked *k, const struct way *w, const char *below)
{
	v->section = w->section;
	v->space = w->space;
	v->base_path = path_of(v, k, w->at);
	v->rest = rest_of(v, k, w->at);
	v->page = (struct page){ .path = NULL };
	v->computed = NULL;
	v->canonical = v->location = NULL;
	if (v->rest == NULL || below == NULL) {
		v->rest = "";
		return VISIT_NO_PAGE;
	}
	return find_page(v, below);
}

/*
 * The way that leads to a page: what the site has at the whole path comes before a segment of the
 * same name, then the most names, then old addresses and redirects of what has fewer.
 */
static enum visit_status
find_way(struct visit *v, const struct asked *k, size_t site)
{
	struct way ways[WAYS];
	int n = ways_of(v, k, site, ways), i;
	/* From the site's address on: redirects of a site name the path with section and variant. */
	const char *below = typed_rest(v, k, site), *rest;
	enum visit_status status = VISIT_NO_PAGE;

	/* A site of which this visitor sees nothing is not there for them. */
	if (n == 0)
		return VISIT_NO_SITE;
	for (i = 0; i < n - 1; i++)
		if ((rest = rest_of(v, k, ways[i].at)) != NULL && *rest != '\0' && page_is_at(v, ways[i].space, rest))
			break;
	status = try_way(v, k, &ways[i], below);
	/* i is the last one here, unless a page was found before it. */
	while (status == VISIT_NO_PAGE && i-- > 0)
		status = try_way(v, k, &ways[i], below);
	if (status == VISIT_NO_PAGE)
		try_way(v, k, &ways[i = n - 1], below);
	v->complete = !v->site.nested && is_complete(v, k, ways, n, i);
	return status;
}

enum visit_status
visit_open(struct db *db, struct arena *a, const struct settings *set, const struct visit_ask *ask,
    struct visit *v)
{
	enum visit_status status;
	struct site_more more;
	struct asked k;
	size_t at, site;

	visit_begin(v, db, a, set);
	if (!site_asked(v, ask, &k, &at, &more))
		return VISIT_NO_SITE;
	v->site.root_path = path_of(v, &k, at);
	take_key(v, &k, &at, &ask->visitor);
	site = at;
	v->site.base_path = path_of(v, &k, at);
	v->site.rest = path_behind(v, &k, at);
	status = admit_visitor(v, &ask->visitor, &more);
	/* With the page, so that the visitor comes back to it. */
	if (status == VISIT_SIGN_IN)
		send_to_sign_in(v, &k, at);
	if (status != VISIT_PAGE)
		return status;
	site_structure(v);
	/* What they see of the structure is in it; from here on conditions are of pages and texts. */
	held_structure(v);
	return find_way(v, &k, site);
}

enum visit_status
visit_open_site(struct db *db, struct arena *a, const struct settings *set, const char *site,
    const struct visitor *who, struct visit *v)
{
	enum visit_status status;
	struct site_more more;

	visit_begin(v, db, a, set);
	if (!site_by_id(v, site, &more))
		return VISIT_NO_SITE;
	if (strcmp(v->site.visibility, "share-link") == 0)
		share_link(v, who->share_key);
	status = admit_visitor(v, who, &more);
	if (status == VISIT_PAGE)
		site_structure(v);
	return status;
}

/* ---- the structure, asked ---- */

static struct visit_item *
item_in(struct visit_item *it, const char *id)
{
	struct visit_item *found;

	for (; it != NULL; it = it->next) {
		if (strcmp(it->id, id) == 0)
			return it;
		if ((found = item_in(it->first, id)) != NULL)
			return found;
	}
	return NULL;
}

struct visit_item *
visit_item(const struct visit *v, const char *id)
{
	return item_in(v->site.first, id);
}

/* The first site space in this subtree, or after it. */
static struct visit_item *
first_space(struct visit_item *it)
{
	while (it != NULL && it->kind != VISIT_SPACE) {
		/* Down first; behind the last one of a list, on with what follows the item above. */
		if (it->first != NULL) {
			it = it->first;
			continue;
		}
		while (it != NULL && it->next == NULL)
			it = it->up;
		it = it == NULL ? NULL : it->next;
	}
	return it;
}

struct visit_item *
visit_next_space(const struct visit *v, const struct visit_item *last)
{
	const struct visit_item *it = last;

	if (last == NULL)
		return first_space(v->site.first);
	while (it != NULL && it->next == NULL)
		it = it->up;
	return it == NULL ? NULL : first_space(it->next);
}

struct visit_item *
visit_space(const struct visit *v, const char *space)
{
	struct visit_item *it = NULL, *other = NULL;

	while ((it = visit_next_space(v, it)) != NULL) {
		if (strcmp(it->space, space) != 0)
			continue;
		/* A space may be shown in several places: the default one is where links lead. */
		if (it->is_default && (it->up == NULL || it->up->is_default))
			return it;
		other = other == NULL ? it : other;
	}
	return other;
}
