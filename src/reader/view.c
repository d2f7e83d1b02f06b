/* A site as one request sees it: its page tree, addresses and words. */
#include <stdio.h>

#include "app/assets.h"
#include "base/url.h"
#include "reader_parts.h"

SQL(q_space_language, "SELECT language FROM space WHERE id = :id");
SQL(q_names, "SELECT names FROM site_change WHERE id = 1");

const char *
say_in(const struct view *s, enum text t)
{
	return text_in(s->language, t);
}

/* What the visitor shows: a share key and claims, each in a cookie of the site's path. */
static struct visitor
visitor_of(struct answer *w)
{
	const char *jwt = query_parameter(w, "jwt_token");

	return (struct visitor){ .share_key = get_cookie(w, "octavo_share"),
		.jwt = jwt != NULL ? jwt : get_cookie(w, "octavo_visitor") };
}

/* The language of the content, which is that of the page (WCAG 3.1.1); NULL where nobody has said it. */
static const char *
language_of(struct view *s)
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
 * What every page of the site shows, as a text that is another one after each change: beside
 * the site and its revisions the titles of spaces, names of users (any: which ones a page shows is
 * known when it is made), and whether it is a preview, which search engines must not list. Of the
 * visitor's claims it has what they see of the structure alone.
 */
static const char *
state_of(struct view *s)
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
	struct visit_ask ask = { .host = w->io->param(w->io, "HTTP_HOST"), .any_host = true, .path = path,
		.visitor = visitor_of(w) };

	*s = (struct view){ .w = w, .arena = w->arena, .tag = "en", .typeset = { .dir = w->set->dir } };
	s->status = visit_open(w->db, w->arena, w->set, &ask, &s->v);
	/* Nothing of the site is shown: neither state nor look is needed, and the look could tell of it. */
	if (s->status == VISIT_NO_SITE || s->status == VISIT_SIGN_IN)
		return s->status;
	s->state = state_of(s);
	/* After the visit: which links and colours there are depends on visitor and site space. */
	s->look = look_of(&s->v, s->v.space);
	s->tag = language_of(s);
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
	    s->v.signer.n == 0 && s->v.account == NULL && !s->v.preview;
}

/* ---- the tree ---- */

struct page *
view_tree(struct view *s)
{
	static const struct visit_pages none;
	struct page home;

	/* Read when first asked for: answers that are kept need no tree. */
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

/*
 * Parsed at each call, into the request's arena: who asks for many pages looks at the text first
 * (prop_text).
 */
const cJSON *
page_props(const struct page *p)
{
	return cJSON_Parse(p->node.props != NULL ? p->node.props : "{}");
}

static const char *
prop_text(const struct page *p, const char *name)
{
	const cJSON *v;

	/* Most pages have no such property: the text says so at once. */
	if (p->node.props == NULL || strstr(p->node.props, name) == NULL)
		return NULL;
	v = cJSON_GetObjectItemCaseSensitive(page_props(p), name);
	return cJSON_IsString(v) && *v->valuestring != '\0' ? v->valuestring : NULL;
}

/* The customization may give the site another name than its title. */
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

/* The short title for navigation, where the author gives one. */
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
page_icon(const struct page *p)
{
	return prop_text(p, "icon");
}

/* ---- addresses ---- */

/* The rest of an address behind a prefix; NULL: it has another one. */
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

	if (address == NULL || s->absolute)
		return address;
	/* With the share key first: `published` is the beginning of both. */
	if ((rest = address_after(address, s->v.site.address)) == NULL)
		rest = address_after(address, s->v.site.published);
	return rest == NULL ? address : arena_printf(s->arena, "%s%s", s->v.site.base_path, rest);
}

const char *
view_page_href(struct view *s, const struct page *p)
{
	view_tree(s);
	/* As visit_page_address() decides it, without looking for the first page at each link. */
	return view_local(s, strcmp(s->home, p->node.id) == 0 ? s->v.space->address : visit_below(&s->v, s->v.space, p->path));
}

char *
view_markdown_href(struct view *s, const struct visit_item *item, const struct page *p)
{
	return arena_printf(s->arena, "%s.md", visit_below(&s->v, item, p->path));
}

/* On the path by which the site was asked for, so that cookies and proxies apply. */
char *
view_own(struct view *s, const char *rest)
{
	return arena_printf(s->arena, "%s%s", s->v.site.base_path, rest);
}

char *
view_asset(struct view *s, const char *name)
{
	const struct asset *f = asset_find(arena_printf(s->arena, "site/%s", name));

	/* An address that answers 404: a missing asset must not break the page. */
	return f == NULL ? view_own(s, "~asset/none") :
	    arena_printf(s->arena, "%s~asset/%s", s->v.site.base_path, asset_name(s->arena, f) + strlen("site/"));
}
