/* A site as one request sees it: page tree, addresses, texts. */
#include <stdio.h>

#include "app/assets.h"
#include "base/url.h"
#include "reader_parts.h"

/* A copy is made once, so its pages may take longer. */
enum { COPY_TYPESET_MS = 60000 };

SQL(q_space_language, "SELECT language FROM space WHERE id = :id");
SQL(q_names, "SELECT names FROM site_change WHERE id = 1");

const char *
say_in(const struct view *s, enum text t)
{
	return text_in(s->language, t);
}

/* The visitor's share key and claims, each in a cookie of the site's path. */
static struct visitor
read_visitor(struct answer *w)
{
	const char *jwt = query_parameter(w, "jwt_token");

	/* An empty parameter ends a preview, which the cookie must open first (reader.c). */
	return (struct visitor){ .share_key = get_cookie(w, "octavo_share"),
		.jwt = jwt != NULL && *jwt != '\0' ? jwt : get_cookie(w, "octavo_visitor"), .manager = w->copy, .requests = true };
}

/* Language of the content, and so of the page (WCAG 3.1.1); NULL if unknown. */
static const char *
content_language(struct view *s)
{
	struct stmt *q;

	if (s->v.space == NULL)
		return NULL;
	if (s->v.space->language != NULL)
		return s->v.space->language;
	q = db_use(s->w->db, &q_space_language);
	bind_text(q, ":id", s->v.space->space);
	return stmt_dup(q, s->arena);
}

/*
 * A text that changes whenever something on the site's pages changes: the site and its revisions,
 * titles of spaces, and names of users (of all users, because those on a page are known only when
 * it is made; jobs that make variants of pictures use the same counter). It also contains whether
 * this is a preview, which search engines must not list. It depends on the visitor's claims only as
 * far as these decide which parts of the site are shown.
 */
static const char *
make_state(struct view *s)
{
	const struct visit_item *it = NULL;
	struct buf b;

	buf_init(&b, s->arena, 16 << 20);
	buf_printf(&b, "%s\n%d\n%lld\n", visit_state(&s->v), s->v.preview,
	    (long long)stmt_int(db_use(s->w->db, &q_names), 0));
	while ((it = visit_next_space(&s->v, it)) != NULL)
		buf_printf(&b, "%s\n%s\n", it->title, it->language != NULL ? it->language : "");
	return b.p;
}

enum visit_status
view_open(struct answer *w, const char *path, struct view *s)
{
	struct visit_request ask = { .host = w->io->param(w->io, "HTTP_HOST"), .any_host = true, .path = path,
		.visitor = read_visitor(w) };

	*s = (struct view){ .w = w, .arena = w->arena, .tag = "en",
		/*
		 * An admin's command writes nothing to the cache: the programs run as another user,
		 * and could not change its files.
		 */
		.typeset = { .dir = w->copy ? NULL : w->set->dir, .limit_ms = w->copy ? COPY_TYPESET_MS : 0 } };
	s->status = visit_open(w->db, w->arena, w->set, &ask, &s->v);
	/*
	 * The site is not shown: no state is needed, and loading the look could reveal something.
	 */
	if (s->status == VISIT_NO_SITE || s->status == VISIT_SIGN_IN)
		return s->status;
	s->state = make_state(s);
	/* These are computed after the visit, because links and colours depend on the visitor and the site space. */
	s->look = look_of(&s->v, s->v.space);
	s->tag = content_language(s);
	if (s->tag == NULL)
		s->tag = s->look->locale != NULL ? s->look->locale : "en";
	s->language = text_language(s->tag);
	s->rtl = text_rtl(s->tag);
	return s->status;
}

bool
view_shared(const struct view *s)
{
	const char *v = s->v.site.visibility;

	return (strcmp(v, "public") == 0 || strcmp(v, "unlisted") == 0) && s->v.site.share_key == NULL &&
	    s->v.signing_key.n == 0 && s->v.account == NULL && !s->v.preview;
}

/* ---- the tree ---- */

struct page *
view_tree(struct view *s)
{
	static const struct visit_pages none;
	struct page home;

	/* The tree is read on first use, because cached answers need none. */
	if (s->pages == NULL) {
		s->pages = s->v.space != NULL ? visit_pages(&s->v, s->v.space) : &none;
		s->home = s->v.space != NULL && visit_home(&s->v, s->v.space, &home) ? home.node.id : "";
	}
	return s->pages->tree;
}

struct page *
view_page(struct view *s, const char *id)
{
	view_tree(s);
	return id == NULL || s->pages->by_id == NULL ? NULL : map_get(s->pages->by_id, str_of(id));
}

/* Parses on each call: callers with many pages test the text first (prop_text). */
const cJSON *
page_props(const struct page *p)
{
	return cJSON_Parse(p->node.props != NULL ? p->node.props : "{}");
}

static const char *
prop_text(const struct page *p, const char *name)
{
	const cJSON *v;

	/* Most pages lack the property: test the text before parsing. */
	if (p->node.props == NULL || strstr(p->node.props, name) == NULL)
		return NULL;
	v = cJSON_GetObjectItemCaseSensitive(page_props(p), name);
	return cJSON_IsString(v) && *v->valuestring != '\0' ? v->valuestring : NULL;
}

/* The customization may set a name that differs from the title. */
const char *
view_title(const struct view *s)
{
	return s->look != NULL && s->look->title != NULL ? s->look->title : s->v.site.title;
}

const char *
page_title(struct view *s, const struct page *p)
{
	return *p->node.title != '\0' ? p->node.title : say_in(s, TEXT_UNTITLED);
}

/* The author's short title for navigation, if set. */
const char *
page_label(struct view *s, const struct page *p)
{
	const char *label = prop_text(p, "linkTitle");

	return label != NULL ? label : page_title(s, p);
}

const char *
page_about(const struct page *p)
{
	return prop_text(p, "description");
}

const char *
page_method(const struct page *p)
{
	return prop_text(p, "method");
}

const char *
page_icon(const struct page *p)
{
	return prop_text(p, "icon");
}

/* ---- addresses ---- */

/* Rest of an address after a prefix; NULL if it has another one. */
static const char *
address_after(const char *address, const char *prefix)
{
	size_t n = prefix != NULL ? strlen(prefix) : 0;

	return n > 0 && strncmp(address, prefix, n) == 0 ? address + n : NULL;
}

const char *
view_local(struct view *s, const char *address)
{
	const char *rest;

	/* Every site serves uploaded files below its own address (app/stored.h); use that of this site. */
	if (address != NULL && strncmp(address, "~stored/", 8) == 0)
		return s->absolute ? arena_printf(s->arena, "%s%s", s->v.site.address, address) : view_own(s, address);
	if (address == NULL || s->absolute)
		return address;
	/* Try the address with the share key first: both begin with `published`. */
	if ((rest = address_after(address, s->v.site.address)) == NULL)
		rest = address_after(address, s->v.site.published);
	/* Texts that were written before the organization had a name contain its id. */
	if (rest == NULL)
		rest = address_after(address, s->v.site.by_id);
	return rest == NULL ? address : arena_printf(s->arena, "%s%s", s->v.site.base_path, rest);
}

const char *
view_page_href(struct view *s, const struct page *p)
{
	view_tree(s);
	/* Equal to visit_page_address(), without searching the first page for each link. */
	return view_local(s, strcmp(s->home, p->node.id) == 0 ? s->v.space->address : visit_below(&s->v, s->v.space, p->path));
}

char *
view_markdown_href(struct view *s, const struct visit_item *item, const struct page *p)
{
	return arena_printf(s->arena, "%s.md", visit_below(&s->v, item, p->path));
}

/* Uses the path by which the site was requested, so that cookies and proxies apply. */
char *
view_own(struct view *s, const char *rest)
{
	return arena_printf(s->arena, "%s%s", s->v.site.base_path, rest);
}

char *
view_asset(struct view *s, const char *name)
{
	const struct asset *f = asset_find(arena_printf(s->arena, "site/%s", name));

	/* For an unknown asset give an address that answers 404, so that the page still works. */
	return f == NULL ? view_own(s, "~asset/none") :
	    arena_printf(s->arena, "%s~asset/%s", s->v.site.base_path, asset_name(s->arena, f) + strlen("site/"));
}
