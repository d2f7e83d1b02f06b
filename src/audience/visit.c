/* Resolves an address to a site and its page. Contract: audience/visit.h. */
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
	v->trace = trace_new(a);
	v->homes = map_new(a);
	v->trees = map_new(a);
}

/*
 * Checks whether this visitor may see the site at all. A wrong key has the same result as a site
 * that does not exist.
 */
static enum visit_status
admit_visitor(struct visit *v, const struct visitor *who, const struct site_more *m)
{
	/* Claims come first: those of a preview give access to unpublished sites. */
	read_claims(v, who);
	if (v->preview) {
		v->site.indexed = false;
		return VISIT_PAGE;
	}
	if (who->manager)
		return v->site.published_at == 0 || (who->share_key != NULL && v->site.share_link == NULL) ?
		    VISIT_NO_SITE : VISIT_PAGE;
	/* The result is that of a missing site, so that addresses do not reveal unpublished sites. */
	if (v->site.published_at == 0 || (who->agent && !v->site.agents))
		return VISIT_NO_SITE;
	if (strcmp(v->site.visibility, "share-link") == 0)
		return v->site.share_link != NULL ? VISIT_PAGE : VISIT_NO_SITE;
	if (strcmp(v->site.visibility, "visitor-auth") == 0 && v->signing_key.n == 0 && v->account == NULL) {
		v->location = m->sign_in_url;
		return VISIT_SIGN_IN;
	}
	return VISIT_PAGE;
}

/*
 * Uses the next segment as the key of a share link; otherwise the key that the visitor sent
 * elsewhere. *at: moved behind the segment if it is a key.
 */
static void
read_share_key(struct visit *v, struct str address, size_t *at, const struct visitor *who)
{
	size_t end = *at;
	struct str s;
	char *key;

	if (strcmp(v->site.visibility, "share-link") != 0)
		return;
	key = next_segment(address, &end, &s) ? url_decode(v->arena, s, false) : NULL;
	/* A key in the address takes precedence over one from a cookie. */
	if (use_share_link(v, key))
		*at = end;
	else
		use_share_link(v, who->share_key);
}

/* ---- section, variant ---- */

struct visit_item *
section_at(struct visit_item *it, const char *path)
{
	struct visit_item *found;

	for (; it != NULL; it = it->next) {
		if (it->kind == VISIT_SECTION && (path == NULL ? it->is_default : strcmp(it->path, path) == 0))
			return it;
		/*
		 * Groups have no segment in addresses, so their sections are searched as if they
		 * were at the top level.
		 */
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

/* One way to read an address: its first segments name items of the structure, and the rest is the path of a page. */
struct address_reading {
	struct visit_item *section;    /* NULL: the site has none */
	struct visit_item *space;
	size_t             at;         /* where the page's path begins */
	bool               named;      /* the address contains the site space's segment */
};

enum { READINGS = 3 };

/* The item that the next segment names, or that the segment after `mark` names; NULL: none. */
static struct visit_item *
find_named_item(struct visit *v, struct str address, size_t *at, struct visit_item *first,
    struct visit_item *(*find)(struct visit_item *, const char *), const char *mark)
{
	struct visit_item *it = NULL;
	size_t end = *at;
	struct str s;
	char *path;

	/* If the segment names no item, *at stays: the segment is the first one of a page's path. */
	if (next_segment(address, &end, &s) && (path = url_decode(v->arena, s, false)) != NULL)
		it = find(first, path);
	if (it == NULL && s.n > 0 && str_is(s, mark) && next_segment(address, &end, &s) &&
	    (path = url_decode(v->arena, s, false)) != NULL)
		it = find(first, path);
	if (it != NULL)
		*at = end;
	return it;
}

/*
 * Lists all ways to read the address, those with fewer names first. Returns their number; 0: the
 * visitor sees nothing of the site.
 */
static int
list_readings(struct visit *v, struct str address, size_t at, struct address_reading *out)
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
	out[n++] = (struct address_reading){ section, it, at, false };
	if (v->site.sections && (it = find_named_item(v, address, &at, v->site.first, section_at, SECTION_MARK)) != NULL) {
		section = it;
		spaces = it->first;
		out[n++] = (struct address_reading){ section, space_at(spaces, NULL), at, false };
	}
	if ((it = find_named_item(v, address, &at, spaces, space_at, VARIANT_MARK)) != NULL)
		out[n++] = (struct address_reading){ section, it, at, true };
	return n;
}

/* True if the visitor sees only this site space. */
static bool
is_only_space(const struct visit *v)
{
	return visit_next_space(v, visit_next_space(v, NULL)) == NULL;
}

/*
 * True if every address that begins with this one leads to the same site space: the next segment
 * cannot be the name of another section or variant.
 */
static bool
owns_longer_addresses(const struct visit *v, struct str address, const struct address_reading *ways, int n, int i)
{
	const struct address_reading *w = &ways[i];
	size_t end = w->at;
	struct str s;

	if (is_only_space(v))
		return true;
	/* A reading with more names exists, or an item whose address without a mark is that of something else. */
	if (i + 1 < n || (i > 0 && w->space->ambiguous) || (i > 0 && w->section != NULL && w->section->ambiguous))
		return false;
	/* The address names the site space, or a section that has only one. */
	if (w->named || (i > 0 && w->section->first->next == NULL))
		return true;
	/* A further segment names no item, or this would be another reading. After a mark it is the second one that counts. */
	return next_segment(address, &end, &s) && ((!str_is(s, SECTION_MARK) && !str_is(s, VARIANT_MARK)) ||
	    next_segment(address, &end, &s));
}

/* ---- the page ---- */

static enum visit_status
redirect_visit(struct visit *v, char *to)
{
	v->location = to;
	return to == NULL ? VISIT_NO_PAGE : VISIT_MOVED;
}

/* The first document below a group, in reading order. Groups have no page of their own. */
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
redirect_into_group(struct visit *v, const char *id)
{
	struct page *tree = visit_tree(v, v->space), *p;
	const struct page *found;

	/* Find the group in the tree, and the first document below it. */
	p = visit_find(tree, id);
	found = p == NULL ? NULL : first_document(p->first);
	return found == NULL ? VISIT_NO_PAGE : redirect_visit(v, visit_page_address(v, v->space, found));
}

static enum visit_status
redirect_to_target(struct visit *v)
{
	const cJSON *props = cJSON_Parse(v->page.node.props);
	struct doc_ref ref;

	/* A page of kind link whose target was not set leads nowhere. */
	if (!ref_read(cJSON_GetObjectItemCaseSensitive(props, "target"), &ref))
		return VISIT_NO_PAGE;
	/* If the visitor does not see the target, the address is NULL, and the answer is 404. */
	return redirect_visit(v, visit_ref(v, v->space, &ref));
}

/*
 * Answers with the page that was found. If it was requested at a former path, or it is the home
 * page and was requested at its path, answers with a redirect to its address.
 */
static enum visit_status
answer_page(struct visit *v)
{
	struct page home;

	if (v->page.node.kind == NODE_LINK)
		return redirect_to_target(v);
	if (v->page.node.kind == NODE_GROUP)
		return redirect_into_group(v, v->page.node.id);
	v->canonical = visit_page_address(v, v->space, &v->page);
	if (*v->rest == '\0')
		return VISIT_PAGE;
	/* Each page has one address; that of the home page is the address of its space. */
	if (visit_home(v, v->space, &home) && strcmp(home.node.id, v->page.node.id) == 0)
		return redirect_visit(v, arena_strdup(v->arena, v->space->address));
	return strcmp(v->page.path, v->rest) == 0 ? VISIT_PAGE : redirect_visit(v, arena_strdup(v->arena, v->canonical));
}

/*
 * The target of the site's redirect from this decoded path; NULL: none. Three spellings are tried,
 * since sources are stored percent-encoded, in the case in which they were typed.
 */
static char *
find_site_redirect(struct visit *v, const char *path)
{
	const char *typed = arena_printf(v->arena, "/%s", url_path(v->arena, path));
	const char *spellings[] = { typed, arena_printf(v->arena, "/%s", url_path(v->arena, page_key(v->arena, path))),
		utf8_lower(v->arena, str_of(typed)) };
	struct visit_redirect to;
	size_t i;

	for (i = 0; i < 6; i++)
		if (visit_redirect(v, spellings[i % 3], i < 3 ? VISIT_EXACT : VISIT_WILDCARD, &to)) {
			v->permanent = to.permanent;
			return arena_strdup(v->arena, to.target);
		}
	return NULL;
}

/*
 * The target of the space's redirect (.gitbook.yaml) from a path without a page; NULL: none. If the
 * target is a page, sets v->page.
 */
static char *
find_space_redirect(struct visit *v)
{
	struct doc_ref ref;

	if (!redirect_declared(v->db, v->arena, &v->space->point, v->rest, &ref))
		return NULL;
	if ((ref.kind == REF_PAGE || ref.kind == REF_ANCHOR) && ref.id != NULL && ref.space == NULL &&
	    visit_page(v, v->space, ref.id, &v->page, &v->computed))
		v->canonical = visit_page_address(v, v->space, &v->page);
	return visit_ref(v, v->space, &ref);
}

/*
 * The address in a previewed change request of the page that is published at this path; NULL: none. The
 * merge will make a redirect from it.
 */
static char *
find_moved_in_request(struct visit *v)
{
	struct point main;
	struct node n;

	if (v->request == NULL || !point_head(v->db, v->arena, v->space->point.base, &main) ||
	    !page_at(v->db, v->arena, &main, v->rest, &n) || !visit_page(v, v->space, n.id, &v->page, &v->computed))
		return NULL;
	return visit_page_address(v, v->space, &v->page);
}

static enum visit_status
find_page(struct visit *v, const char *below)
{
	const char *rest = v->rest;
	char *to;

	if (*v->rest == '\0') {
		if (visit_home(v, v->space, &v->page) && visit_page(v, v->space, v->page.node.id, &v->page, &v->computed))
			return answer_page(v);
		return VISIT_NO_PAGE;
	}
	if (visit_page_at(v, v->space, v->rest, &v->page, &v->computed))
		return answer_page(v);
	/* A page takes precedence over a redirect, and redirects of the site over those of its spaces. */
	if ((to = find_moved_in_request(v)) != NULL)
		return redirect_visit(v, to);
	to = find_site_redirect(v, below);
	if (to == NULL && strcmp(page_key(v->arena, below), rest) != 0)
		to = find_site_redirect(v, rest);
	return redirect_visit(v, to != NULL ? to : find_space_redirect(v));
}

/*
 * The rest of the path, decoded, without slashes at its ends. A percent sign that begins no escape
 * is kept. NULL: the result contains NUL or is not UTF-8.
 */
static char *
decode_rest(struct visit *v, struct str address, size_t at)
{
	struct str raw = str_slice(address, at, address.n), plain;
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

/* decode_rest() in lower case. */
static char *
read_rest(struct visit *v, struct str address, size_t at)
{
	char *text = decode_rest(v, address, at);

	return text == NULL ? NULL : page_key(v->arena, text);
}

static const char *
path_up_to(struct visit *v, struct str address, size_t at)
{
	/* The result ends in a slash, even if the address does not. */
	const char *slash = at > 0 && address.p[at - 1] == '/' ? "" : "/";

	return arena_printf(v->arena, "%.*s%s", (int)at, address.p, slash);
}

/* The path from `at` on as typed, without a leading slash. */
static const char *
path_behind(struct visit *v, struct str address, size_t at)
{
	while (at < address.n && address.p[at] == '/')
		at++;
	return arena_strndup(v->arena, address.p + at, address.n - at);
}

/* Sets v->location to the address where the visitor signs in, with the requested page as a parameter. */
static void
send_to_sign_in(struct visit *v, struct str address, size_t at)
{
	const char *to = v->location, *rest = read_rest(v, address, at);
	size_t n = to == NULL ? 0 : strcspn(to, "#");

	v->rest = rest == NULL ? "" : rest;
	if (to != NULL)
		v->location = arena_printf(v->arena, "%.*s%slocation=%s%s", (int)n, to,
		    /* The parameter goes before the fragment, which browsers do not send. */
		    memchr(to, '?', n) != NULL ? "&" : "?", url_segment(v->arena, str_of(v->rest)), to + n);
}

/* Reads the address in one way, and looks for the page. */
static enum visit_status
try_reading(struct visit *v, struct str address, const struct address_reading *w, const char *below)
{
	v->section = w->section;
	v->space = w->space;
	v->base_path = path_up_to(v, address, w->at);
	v->rest = read_rest(v, address, w->at);
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
 * Chooses the way to read the address. If a page exists at the rest of the path, the reading with
 * the fewest named segments is chosen. Otherwise the reading with the most named segments is tried
 * first, then the others, in which former addresses and redirects may be found.
 */
static enum visit_status
find_reading(struct visit *v, struct str address, size_t site)
{
	struct address_reading ways[READINGS];
	int n = list_readings(v, address, site, ways), i;
	/* Sources of redirects of a site are relative to its address, so they contain section and variant. */
	const char *below = decode_rest(v, address, site), *rest;
	enum visit_status status = VISIT_NO_PAGE;

	/* If the visitor sees nothing of the site, the result is that of a missing site. */
	if (n == 0)
		return VISIT_NO_SITE;
	for (i = 0; i < n - 1; i++)
		if ((rest = read_rest(v, address, ways[i].at)) != NULL && *rest != '\0' && page_is_at(v, ways[i].space, rest))
			break;
	status = try_reading(v, address, &ways[i], below);
	while (status == VISIT_NO_PAGE && i-- > 0)
		status = try_reading(v, address, &ways[i], below);
	if (status == VISIT_NO_PAGE)
		try_reading(v, address, &ways[i = n - 1], below);
	v->owns_longer_addresses = !v->site.nested && owns_longer_addresses(v, address, ways, n, i);
	return status;
}

enum visit_status
visit_open(struct db *db, struct arena *a, const struct settings *set, const struct visit_request *ask,
    struct visit *v)
{
	enum visit_status status;
	struct site_more more;
	struct str address;
	size_t at, site;

	visit_begin(v, db, a, set);
	if (!find_site(v, ask, &address, &at, &more))
		return VISIT_NO_SITE;
	v->site.root_path = path_up_to(v, address, at);
	read_share_key(v, address, &at, &ask->visitor);
	site = at;
	v->site.base_path = path_up_to(v, address, at);
	v->site.rest = path_behind(v, address, at);
	status = admit_visitor(v, &ask->visitor, &more);
	/* The address for signing in contains the page, so that the visitor can return to it. */
	if (status == VISIT_SIGN_IN)
		send_to_sign_in(v, address, at);
	if (status != VISIT_PAGE)
		return status;
	site_structure(v);
	/* The structure is complete, so conditions that are evaluated from here on are those of pages and texts. */
	trace_forget_claims(v);
	return find_reading(v, address, site);
}

enum visit_status
visit_open_site(struct db *db, struct arena *a, const struct settings *set, const char *site,
    const struct visitor *who, struct visit *v)
{
	enum visit_status status;
	struct site_more more;

	visit_begin(v, db, a, set);
	if (!find_site_by_id(v, site, &more))
		return VISIT_NO_SITE;
	if (strcmp(v->site.visibility, "share-link") == 0)
		use_share_link(v, who->share_key);
	status = admit_visitor(v, who, &more);
	if (status == VISIT_PAGE)
		site_structure(v);
	return status;
}

/* ---- lookups in the structure ---- */

static struct visit_item *
find_item(struct visit_item *it, const char *id)
{
	struct visit_item *found;

	for (; it != NULL; it = it->next) {
		if (strcmp(it->id, id) == 0)
			return it;
		if ((found = find_item(it->first, id)) != NULL)
			return found;
	}
	return NULL;
}

struct visit_item *
visit_item(const struct visit *v, const char *id)
{
	return find_item(v->site.first, id);
}

/* The first site space in this subtree or after it. */
static struct visit_item *
first_space(struct visit_item *it)
{
	while (it != NULL && it->kind != VISIT_SPACE) {
		/* Children come first; after the last item of a list, continue after its parent. */
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
		/* A space may be shown at several places of the site: links lead to the default one. */
		if (it->is_default && (it->up == NULL || it->up->is_default))
			return it;
		other = other == NULL ? it : other;
	}
	return other;
}
