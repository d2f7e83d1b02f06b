/*
 * Lists the pages and redirects of a site, and what a folder of files cannot contain. Contract:
 * copy.h.
 */
#include <string.h>

#include <cjson/cJSON.h>

#include "audience/visit.h"
#include "base/json.h"
#include "base/url.h"
#include "copy.h"
#include "store/redirect.h"

SQL(q_copy_redirects, "SELECT source, destination FROM site_redirect WHERE site = :site AND draft = 0 ORDER BY source");

/* The walk over one site space. */
struct walk {
	struct copy             *c;
	struct arena            *arena;
	struct visit            *v;
	const struct visit_item *item;
};

/* ---- pages ---- */

static const char *
join_place(struct arena *a, const char *above, const char *name)
{
	return above == NULL ? name : arena_printf(a, "%s › %s", above, name);
}

static const char *
title_of(const struct page *p)
{
	return *p->node.title != '\0' ? p->node.title : "Untitled";
}

/* Section and variant, if the site has several. */
static const char *
place_of_space(struct copy *c, const struct visit *v, const struct visit_item *it)
{
	const struct visit_item *up = it->up;
	const char *place = up == NULL ? NULL : arena_strdup(c->arena, up->title);

	if (up != NULL ? up->first->next != NULL && strcmp(up->title, it->title) != 0 : v->site.first->next != NULL)
		place = join_place(c->arena, place, arena_strdup(c->arena, it->title));
	return place;
}

static bool
add_page(struct walk *w, const struct page *p, const char *place)
{
	struct copy *c = w->c;
	bool lost;
	const char *below = copy_below(c, visit_page_address(w->v, w->item, p), &lost);
	struct copy_target *t = below == NULL ? NULL : copy_add(c, below, true);

	if (t == NULL) {
		copy_lack(c, arena_printf(c->arena, "the page \"%s\"", title_of(p)), "another page has its address");
		return true;
	}
	c->pages = arena_grow(c->arena, c->pages, c->page_count, &c->page_room, sizeof(*c->pages));
	c->pages[c->page_count++] = (struct copy_page){ .target = t, .title = arena_strdup(c->arena, title_of(p)), .place = place,
		.space = arena_strdup(c->arena, w->item->id), .section = w->item->up == NULL ? "" : arena_strdup(c->arena, w->item->up->id),
		.is_default = w->item->is_default };
	return true;
}

static void
add_pages(struct walk *w, const struct page *p, const char *place)
{
	for (; p != NULL; p = p->next) {
		if (visit_page_hidden(p)) {
			copy_lack(w->c, arena_printf(w->c->arena, "the page \"%s\" (/%s)", title_of(p), p->path), "it is hidden");
			continue;
		}
		if (p->node.kind == NODE_DOCUMENT)
			add_page(w, p, place);
		if (p->first != NULL)
			add_pages(w, p->first, join_place(w->c->arena, place, arena_strdup(w->c->arena, title_of(p))));
	}
}

/* Reports the topmost pages that conditions hide from visitors without claims. */
static void
lack_conditions(struct walk *w, const struct page *p)
{
	for (; p != NULL; p = p->next)
		if (!visit_sees_page(w->v, w->item, p->node.id))
			copy_lack(w->c, arena_printf(w->c->arena, "the page \"%s\" (/%s)", title_of(p), p->path),
			    p->node.props != NULL && strstr(p->node.props, "\"condition\"") != NULL ?
			    "its condition does not hold for visitors without claims" : "the site does not show it");
		else
			lack_conditions(w, p->first);
}

/* ---- redirects ---- */

static void
add_moved(struct copy *c, const char *below)
{
	struct copy_target *t;
	const char *file;
	size_t n;

	below += strspn(below, "/");
	for (n = strlen(below); n > 0 && below[n - 1] == '/'; n--)
		;
	below = arena_strndup(c->arena, below, n);
	/* If a page exists at the address, the redirect has no effect. */
	if (n == 0 || map_has(c->targets, str_of(below)) || strchr(below, '*') != NULL || !map_add(c->sources, str_of(below), c))
		return;
	if ((file = copy_moved_file(c, below)) == NULL) {
		copy_lack(c, arena_printf(c->arena, "the redirect from /%s", below), "another file of the folder has this name, or none can have it");
		return;
	}
	/* The redirect gets a file of its own, while links lead directly to its target. */
	t = arena_alloc(c->arena, sizeof(*t));
	*t = (struct copy_target){ .path = url_path(c->arena, below), .file = file };
	c->moved = arena_grow(c->arena, c->moved, c->moved_count, &c->moved_room, sizeof(struct copy_target *));
	c->moved[c->moved_count++] = t;
}

/* Adds redirects from former addresses of pages, and redirects that the space declares. */
static void
add_space_redirects(struct walk *w)
{
	struct copy *c = w->c;
	size_t n, k = strlen("redirect:");
	struct node *list = node_list(c->db, w->arena, &w->item->point, NODE_SETTING, &n);
	const cJSON *all, *one;
	const char *base;
	bool lost;

	base = copy_below(c, w->item->address, &lost);
	for (size_t i = 0; base != NULL && i < n; i++) {
		if (redirect_is(list[i].id))
			add_moved(c, arena_printf(c->arena, "%s%s", base, list[i].id + k));
		if (strcmp(list[i].id, "redirects") != 0)
			continue;
		all = json_member(cJSON_Parse(list[i].props), "value");
		cJSON_ArrayForEach(one, all)
			add_moved(c, arena_printf(c->arena, "%s%s", base, one->string + strspn(one->string, "/")));
	}
}

static void
add_site_redirects(struct copy *c)
{
	struct stmt *q = db_use(c->db, &q_copy_redirects);

	bind_text(q, ":site", c->site);
	while (stmt_step(q)) {
		const char *source = col_dup(q, 0, c->arena);

		if (strchr(source, '*') != NULL)
			copy_lack(c, arena_printf(c->arena, "the redirect from %s", source), "it stands for many addresses");
		else
			add_moved(c, url_unescape(c->arena, str_of(source)).p);
	}
}

/* ---- the site ---- */

/*
 * The base address with the organization's id instead of its name; "" if the site has its own
 * hostname.
 */
static const char *
base_by_id(struct copy *c, const struct visit_site *site)
{
	const char *at = strstr(c->base, "/sites/"), *rest;

	if (at == NULL || (rest = strchr(at + strlen("/sites/"), '/')) == NULL)
		return "";
	return arena_printf(c->arena, "%.*s/sites/%s%s", (int)(at - c->base), c->base, site->org, rest);
}

/* Sets c->host, c->base, c->base_by_id, c->own_host and c->title. False: the site has no absolute URL; c->error is set. */
static bool
set_address(struct copy *c, const struct visit_site *site)
{
	const char *host = strstr(site->published, "://"), *path, *own = strstr(c->set->url, "://");

	if (host == NULL)
		return copy_fail(c, "the site has no address");
	path = strchr(host + 3, '/');
	c->host = arena_strndup(c->arena, host + 3, (size_t)(path - host - 3));
	c->base = arena_strdup(c->arena, path);
	c->base_by_id = base_by_id(c, site);
	c->own_host = own == NULL ? "" : arena_strndup(c->arena, own + 3, strcspn(own + 3, "/"));
	c->title = arena_strdup(c->arena, site->title);
	return true;
}

static bool
open_site(struct copy *c, struct arena *a, struct visit *v)
{
	if (visit_open_site(c->db, a, c->set, c->site, &(struct visitor){ .manager = true }, v) != VISIT_PAGE)
		return copy_fail(c, "the site is not published");
	c->open = strcmp(v->site.visibility, "public") == 0 || strcmp(v->site.visibility, "unlisted") == 0;
	return set_address(c, &v->site);
}

static void
lack_of_servers(struct copy *c, const struct visit *v)
{
	copy_lack(c, "views, ratings and feedback", "a server counts them");
	copy_lack(c, "Markdown, feeds, sitemap, llms.txt and MCP", "they are for the address of the site, or need a server");
	copy_lack(c, "PDFs and preview pictures", "a server makes them");
	if (v->site.adaptive)
		copy_lack(c, "what conditions show to visitors with claims", "files are the same for everybody");
	if (!c->open)
		copy_lack(c, "share links and signing in", "whoever has the files reads them; the folder is for your user alone");
}

bool
copy_list(struct copy *c)
{
	struct arena *a = arena_new(2u << 30);
	struct visit v;
	const struct visit_item *it = NULL;
	bool ok;

	visit_trees_begin(c->db);
	json_arena(a);
	copy_claim(c, "404.html");
	copy_claim(c, "README.txt");
	copy_add(c, "~search", true);
	copy_add(c, "~search/index.js", false);
	ok = open_site(c, a, &v);
	if (ok)
		lack_of_servers(c, &v);
	while (ok && (it = visit_next_space(&v, it)) != NULL) {
		struct walk w = { c, a, &v, it };
		size_t n;

		if (it->hidden) {
			copy_lack(c, arena_printf(c->arena, "the variant \"%s\"", it->title), "it is hidden");
			continue;
		}
		add_pages(&w, visit_tree(&v, it), place_of_space(c, &v, it));
		lack_conditions(&w, page_tree(c->db, a, &it->point, &n));
	}
	/* After all pages, because these have priority over former addresses. */
	while (ok && (it = visit_next_space(&v, it)) != NULL) {
		struct walk w = { c, a, &v, it };

		if (!it->hidden)
			add_space_redirects(&w);
	}
	if (ok)
		add_site_redirects(c);
	json_arena(NULL);
	visit_trees_end(c->db);
	arena_free(a);
	if (ok && c->page_count == 0)
		return copy_fail(c, "the site shows no page to visitors");
	return ok;
}
