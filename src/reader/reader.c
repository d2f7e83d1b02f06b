/*
 * Requests to octavo-site: determines the site and the requested part of it. Contract:
 * reader/reader.h.
 *
 * Addresses below the path of a site, besides its pages:
 *
 *   ~search ~search.json     search, as a page and for the search field
 *   ~asset/NAME              style sheet and script; NAME contains a hash of the bytes
 *   ~look/HASH.css           the site's own colours
 *   ~schema/SPEC/NAME        a schema of a description of an API, below the path of its site space
 *   ~icons/HASH.svg          icons of its pages and sections
 *   ~stored/ID/NAME          uploaded fonts and pictures of sites (app/stored.h), to everybody
 *   ~picture/HASH/PAGE.png   a picture of the page, for links to it (preview_picture.c)
 *   ~file/SITESPACE/FILE/HASH/NAME   files, for visitors who may see the site space
 *   ~mcp                     search and pages as tools (POST, mcp.c)
 *   ~diagram                 the frame of a diagram, and the script in it (diagrams.c)
 *   ~count                   what readers do, counted (POST, count.c)
 *   ~relay                   requests of readers who try an API (GET and POST, relay.c)
 *   sitemap.xml robots.txt llms.txt llms-full.txt
 *   PAGE.md                  a page as Markdown
 *   PAGE/rss.xml             a feed of the updates of a page
 */
#include <stdlib.h>

#include "app/assets.h"
#include "app/stored.h"
#include "base/json.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/url.h"
#include "reader_parts.h"
#include "store/content.h"
#include "store/variants.h"

enum { YEAR = 31536000 };

/*
 * The database calls this inside a statement that fails: longjmp() to site_handle(), which sends
 * the answer. It is 503 if the failure may be temporary (a busy database, a full disk).
 */
static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	struct answer *w = ctx;

	log_line("%s", message);
	longjmp(w->escape, f == DB_ERROR ? 500 : 503);
}

/* ---- assets and files ---- */

/*
 * A cached page of another release gets this release's style sheet, which is better than none;
 * caches must not keep it under that name.
 */
bool
serve_asset(struct answer *w, const char *rest)
{
	bool current = false;
	const struct asset *f = asset_served(w->arena, arena_printf(w->arena, "site/%s", rest), &current);

	if (f == NULL)
		return false;
	buf_printf(&w->h, "Status: 200 OK\r\nContent-Type: %s; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
	    "Cache-Control: %s\r\nContent-Length: %zu\r\n\r\n", asset_type(f),
	    current ? arena_printf(w->arena, "public, max-age=%d, immutable", YEAR) : "no-cache", asset_bytes(f).n);
	w->io->write(w->io, w->h.p, w->h.n);
	if (!w->head)
		w->io->write(w->io, asset_bytes(f).p, asset_bytes(f).n);
	return true;
}

/*
 * Serves the variant of this width. False: there is none (any more). The caller then serves the
 * original, which caches must not keep under this address.
 */
static bool
serve_variant(struct view *s, struct str hash, const char *width)
{
	struct body b = { .type = "image/webp", .index = s->v.site.indexed, .immutable = true };
	char *end;
	long w = strtol(width, &end, 10);

	if (*end != '\0' || w < 1 || w > 20000 || !variant_read(s->arena, s->w->set->dir, hash, (int)w, &b.bytes))
		return false;
	send_body(s, &b);
	return true;
}

/*
 * Serves SITESPACE/FILE/HASH/NAME: the file as the site space shows it now, or with ?w=WIDTH a
 * variant of a picture.
 */
void
serve_file(struct view *s, const char *rest)
{
	char *part[4], *p = arena_strdup(s->arena, url_unescape(s->arena, str_of(rest)).p);
	const struct visit_item *item;
	struct node n;
	int64_t size;
	size_t k;

	/* The last part, a name that is ignored, may contain slashes. */
	for (k = 0; k < 4; k++) {
		part[k] = p;
		p = k < 3 ? strchr(p, '/') : p;
		if (p == NULL)
			break;
		if (k < 3)
			*p++ = '\0';
	}
	item = k == 4 ? visit_item(&s->v, part[0]) : NULL;
	if (item == NULL || item->kind != VISIT_SPACE ||
	    !node_get(s->w->db, s->arena, &item->point, part[1], &n) || n.kind != NODE_FILE || n.body.n == 0 ||
	    /*
	     * The hash must be that of the present bytes: an old address never gives other bytes.
	     */
	    strlen(part[2]) != 16 || strncmp(hex(s->arena, n.body), part[2], 16) != 0 ||
	    !visit_sees_file(&s->v, item, n.id) || (size = file_size(s->w, item->space, n.body)) < 0) {
		write_refusal(s->w, 404, "Not Found");
		return;
	}
	if (query_parameter(s->w, "w") == NULL)
		serve_blob(s->w, n.body, n.title, size, cache_control(s, true));
	else if (!serve_variant(s, n.body, query_parameter(s->w, "w")))
		serve_blob(s->w, n.body, n.title, size, cache_control(s, false));
}

/*
 * Serves ~stored/ID/NAME without opening the site: anyone who knows the id may read the file, whose
 * bytes never change.
 */
static bool
serve_stored(struct answer *w, const char *rest)
{
	const char *id = stored_id(w->arena, rest);
	struct stored_file f;

	if (id == NULL || !stored_find(w->db, w->arena, id, &f))
		return false;
	serve_blob_here(w, f.hash, f.name, f.size, arena_printf(w->arena, "public, max-age=%d, immutable", YEAR));
	return true;
}

/* ---- routes ---- */

struct named_page {
	const char *name;
	void      (*serve)(struct view *s);
	bool        machine;    /* 404 if machines may not read the site */
};

/* The names directly below the path of a site. */
static const struct named_page names[] = {
	{ "~search", serve_search, false }, { "~search.json", serve_search_json, false },
	{ "sitemap.xml", serve_sitemap, false }, { "robots.txt", serve_robots, false },
	{ "~about", serve_about, false },
	{ "~relay", serve_relay, false }, { "~count", serve_count, false },
	{ "~mcp", serve_mcp, true }, { "llms.txt", serve_llms, true }, { "llms-full.txt", serve_llms_full, true },
};

/* Cookies of a site apply to its own paths, and scripts cannot read them. */
static const char *
cookie_line(struct view *s, const char *name, const char *value, const char *path)
{
	return arena_printf(s->arena, "Set-Cookie: %s=%s; Path=%s; HttpOnly; SameSite=Lax%s\r\n", name,
	    url_segment(s->arena, str_of(value)), path, strncmp(s->w->set->url, "https:", 6) == 0 ? "; Secure" : "");
}

/* True if the visitor's token is valid and matters on this site. */
static bool
claims_matter(const struct view *s)
{
	bool taken = s->v.signing_key.n > 0 || s->v.account != NULL || s->v.preview;

	return taken && (s->v.preview || s->v.site.adaptive || strcmp(s->v.site.visibility, "visitor-auth") == 0);
}

/*
 * Move a share key in the path, or claims in the query, into a cookie and redirect to the address
 * without them, so that they stay neither in the history nor in another site's log. A key that
 * opens nothing gets no cookie. Empty claims remove the cookie of a preview.
 */
static bool
move_into_cookie(struct view *s, const char *path)
{
	const char *jwt = query_parameter(s->w, "jwt_token"), *clean = s->v.site.root_path, *cookies = "";
	bool key;

	/* Do not store a key or claims that do not open the site. */
	if (s->status == VISIT_NO_SITE || s->status == VISIT_SIGN_IN)
		return false;
	key = strcmp(clean, s->v.site.base_path) != 0;
	if (jwt == NULL && !key)
		return false;
	if (key) {
		cookies = cookie_line(s, "octavo_share", s->v.site.share_key, clean);
		/* The new address has no key, with or without a final slash. */
		path = arena_printf(s->arena, "%s%s", clean, s->v.site.rest);
	}
	if (jwt != NULL && *jwt == '\0' && s->v.preview)
		cookies = arena_printf(s->arena, "%sSet-Cookie: octavo_visitor=; Path=%s; Max-Age=0\r\n", cookies, clean);
	else if (jwt != NULL && *jwt != '\0' && claims_matter(s))
		cookies = arena_printf(s->arena, "%s%s", cookies, cookie_line(s, "octavo_visitor", jwt, clean));
	/* Two leading slashes would name another host (RFC 3986 section 4.2). */
	while (path[0] == '/' && path[1] == '/')
		path++;
	/* 303 makes the browser use GET, whatever the method was (RFC 9110 section 15.4.4). */
	send_redirect(s, 303, path, cookies);
	return true;
}

/* The page of the application where members sign in and come back to this page (views/views.h). */
static const char *
member_address(struct view *s)
{
	const char *page = arena_printf(s->arena, "%s%s", s->v.site.address, s->v.site.rest);

	return url_make(s->arena, s->w->set, "/app/visit?to=%s", url_segment(s->arena, str_of(page)));
}

/*
 * Redirects from an address with the organization's id to the one with its name, which the
 * organization got later. Not if a cookie of the visitor opens the site, since the cookie is valid
 * for the old path.
 */
static bool
redirect_to_name(struct view *s, const char *path)
{
	const char *at, *query;
	size_t before;

	if (s->status == VISIT_NO_SITE || s->status == VISIT_SIGN_IN || s->v.site.org_name == NULL || !view_shared(s) ||
	    strncmp(s->v.site.published, s->w->set->url, strlen(s->w->set->url)) != 0 ||
	    (at = strstr(s->v.site.root_path, "/sites/")) == NULL)
		return false;
	query = strchr(s->w->io->param(s->w->io, "REQUEST_URI"), '?');
	before = (size_t)(at + strlen("/sites/") - s->v.site.root_path);
	/* A temporary redirect, since an organization may change its name. */
	send_redirect(s, 302, arena_printf(s->arena, "%.*s%s%s%s", (int)before, path, url_segment(s->arena, str_of(s->v.site.org_name)),
	    path + before + strcspn(path + before, "/"), query != NULL ? query : ""), NULL);
	return true;
}

static void
serve_status(struct view *s)
{
	switch (s->status) {
	case VISIT_PAGE:
		serve_page(s);
		break;
	case VISIT_MOVED:
		/* The status is not 301: a page may move back, and browsers cache a 301 forever. */
		send_redirect(s, s->v.permanent ? 308 : 302, view_local(s, s->v.location), NULL);
		break;
	case VISIT_NO_PAGE:
		serve_missing(s);
		break;
	case VISIT_SIGN_IN:
		if (s->v.location != NULL)
			send_redirect(s, 302, s->v.location, NULL);
		/* A token that did not open the site would not do so the second time. */
		else if (query_parameter(s->w, "jwt_token") != NULL)
			write_refusal(s->w, 401, "Unauthorized");
		else
			send_redirect(s, 302, member_address(s), NULL);
		break;
	case VISIT_NO_SITE:
		write_refusal(s->w, 404, "Not Found");
		break;
	}
}

static bool
ends_with(const char *s, const char *with)
{
	size_t n = strlen(s), k = strlen(with);

	return n > k && strcmp(s + n - k, with) == 0;
}

/*
 * Opens the page at a path; follows a redirect from a former path, or from a path of the home page.
 */
static bool
open_page(struct answer *w, const char *path, struct view *s)
{
	if (view_open(w, path, s) == VISIT_MOVED)
		view_open(w, view_local(s, s->v.location), s);
	return s->status == VISIT_PAGE;
}

/* Serve HASH/PAGE.png below ~picture; false unless the page exists and the site is public. */
static bool
serve_page_below_picture(struct answer *w, struct view *s, const char *at, const char *rest)
{
	size_t n = strcspn(rest, "/");

	if (rest[n] != '/' || !ends_with(rest, ".png") || !open_page(w, arena_printf(w->arena, "%s%.*s", at,
	    (int)(strlen(rest) - n - 5), rest + n + 1), s) || !view_shared(s))
		return false;
	serve_page_picture(s, arena_strndup(w->arena, rest, n));
	return true;
}

/* Serves PAGE below ~print; false unless the page exists and the site offers PDFs. */
static bool
serve_page_below_print(struct answer *w, struct view *s, const char *at, const char *rest)
{
	if (!open_page(w, arena_printf(w->arena, "%s%s", at, rest), s) || s->v.space == NULL || !s->look->pdf || s->v.preview)
		return false;
	serve_print(s);
	return true;
}

/* Serve PAGE.md or PAGE/rss.xml; false unless the page exists. */
static bool
serve_other_form(struct answer *w, struct view *s, const char *path)
{
	/* Call it only if no page has this path, since an author may give a page such a name. */
	bool feed = ends_with(path, "/rss.xml"), md = ends_with(path, ".md");
	struct view *other;

	if (!feed && !(md && s->v.site.agents))
		return false;
	other = arena_alloc(w->arena, sizeof(*other));
	if (!open_page(w, arena_strndup(w->arena, path, strlen(path) - (feed ? 8 : 3)), other))
		return false;
	if (feed)
		serve_feed(other);
	else
		serve_markdown(other);
	return true;
}

/* Serves a path of the site itself ("…/~search"); false: the path is not one of these. */
static bool
serve_site_path(struct answer *w, struct view *s, const char *path)
{
	/* Paths of the site itself begin with "~": the first "/~" ends the path of the site. */
	const char *tilde = strstr(path, "/~"), *last = strrchr(path, '/');
	const char *rest = tilde != NULL ? tilde + 1 : last != NULL ? last + 1 : "", *at;

	at = arena_strndup(w->arena, path, (size_t)(rest - path));
	/* Assets belong to the program: serve them without opening the site. */
	if (strncmp(rest, "~asset/", 7) == 0 && !w->post)
		return serve_asset(w, rest + 7);
	if (strncmp(rest, "~diagram", 8) == 0 && !w->post)
		return serve_diagram(w, rest + 8);
	if (strncmp(rest, "~stored/", 8) == 0 && !w->post)
		return serve_stored(w, rest);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(rest, names[i].name) == 0) {
			if (view_open(w, at, s) == VISIT_NO_SITE || s->status == VISIT_SIGN_IN ||
			    /* Deeper paths are pages: guides/sitemap.xml. */
			    strcmp(at, s->v.site.base_path) != 0 || (names[i].machine && !s->v.site.agents))
				return false;
			if (names[i].serve != serve_relay && w->post != (names[i].serve == serve_mcp || names[i].serve == serve_count))
				write_refusal(w, 405, "Method Not Allowed");
			else
				names[i].serve(s);
			return true;
		}
	if (strncmp(rest, "~print/", 7) == 0)
		return serve_page_below_print(w, s, at, rest + 7);
	if (strncmp(rest, "~picture/", 9) == 0 && !w->post)
		return serve_page_below_picture(w, s, at, rest + 9);
	if (w->post || (strncmp(rest, "~file/", 6) != 0 && strncmp(rest, "~look/", 6) != 0 && strncmp(rest, "~icons/", 7) != 0 &&
	    strncmp(rest, "~schema/", 8) != 0))
		return false;
	if (view_open(w, at, s) == VISIT_NO_SITE || s->status == VISIT_SIGN_IN)
		return false;
	if (rest[1] == 's')
		return serve_schema(s, rest + 8);
	if (rest[1] == 'f')
		serve_file(s, rest + 6);
	else if (rest[1] == 'i')
		serve_icons(s, rest + 7);
	else
		serve_look(s, rest + 6);
	return true;
}

static void
route_address(struct answer *w, const char *uri)
{
	struct view *s = arena_alloc(w->arena, sizeof(*s));
	struct str path = { uri, strcspn(uri, "?") };
	const char *p = arena_strndup(w->arena, path.p, path.n);

	/*
	 * Addresses contain no backslash (RFC 3986 section 2); browsers read it as a slash, and in
	 * a redirect it would name another host.
	 */
	if (memchr(path.p, '\\', path.n) != NULL) {
		write_refusal(w, 400, "Bad Request");
		return;
	}
	/* Signed addresses are tested first, because they need no site. */
	if (url_below(w->set, w->io->param(w->io, "SCRIPT_NAME"), path, "/~files").n > 0 && !w->post) {
		serve_download(w, uri);
		return;
	}
	if (serve_pdf(w, uri) || serve_export(w, uri))
		return;
	if (recall_answer(w, uri))
		return;
	/*
	 * Open the folder of served pages before the transaction begins: otherwise a page of an
	 * older snapshot could be stored in a newer folder.
	 */
	served_begin(w);
	db_begin(w->db, false);
	if (serve_site_path(w, s, p))
		return;
	if (w->post) {
		write_refusal(w, 405, "Method Not Allowed");
		return;
	}
	view_open(w, p, s);
	/* If no site is published at the base address, another page may answer there. */
	if (s->status == VISIT_NO_SITE && site_front(w->io, w->arena, w->set, uri, w->head))
		return;
	if (redirect_to_name(s, p) || move_into_cookie(s, p))
		return;
	if (s->status == VISIT_NO_PAGE && serve_other_form(w, s, p))
		return;
	if (s->status == VISIT_PAGE && s->v.site.agents && wants_markdown(w))
		serve_markdown(s);
	else
		serve_status(s);
}

void
site_copy(struct io *io, struct arena *a, struct db *db, const struct settings *set)
{
	struct answer *w = arena_alloc(a, sizeof(*w));
	struct view *s = arena_alloc(a, sizeof(*s));
	const char *path = io->param(io, "REQUEST_URI");
	int status;

	*w = (struct answer){ .io = io, .arena = a, .db = db, .set = set, .served_folder = -1, .copy = true };
	buf_init(&w->h, a, 64 << 10);
	db_on_fail(db, on_failure, w);
	visit_trees_begin(db);
	json_arena(a);
	if ((status = setjmp(w->escape)) != 0)
		write_refusal(w, status, "Internal Server Error");
	else if (!serve_site_path(w, s, path)) {
		view_open(w, path, s);
		if (s->status == VISIT_PAGE && strcmp(view_local(s, s->v.canonical), path) != 0)
			send_redirect(s, 302, view_local(s, s->v.canonical), NULL);
		else
			serve_status(s);
	}
	json_arena(NULL);
	visit_trees_end(db);
}

void
site_handle(struct io *io, struct arena *a, struct db *db, const struct settings *set)
{
	struct answer *w = arena_alloc(a, sizeof(*w));
	const char *method = io->param(io, "REQUEST_METHOD"), *uri = io->param(io, "REQUEST_URI");
	int status;

	*w = (struct answer){ .io = io, .arena = a, .db = db, .set = set, .served_folder = -1,
		.head = method != NULL && strcmp(method, "HEAD") == 0,
		.post = method != NULL && strcmp(method, "POST") == 0 };
	/* A ceiling; no client or web server accepts headers of this length. */
	buf_init(&w->h, a, 64 << 10);
	if (method == NULL || (!w->head && !w->post && strcmp(method, "GET") != 0)) {
		write_refusal(w, 405, "Method Not Allowed");
		return;
	}
	db_on_fail(db, on_failure, w);
	visit_trees_begin(db);
	/* cJSON allocates from the request's arena, so no tree needs to be deleted. */
	json_arena(a);
	if ((status = setjmp(w->escape)) != 0)
		write_refusal(w, status, status == 503 ? "Service Unavailable" : "Internal Server Error");
	else
		route_address(w, uri != NULL ? uri : "");
	/* This is reached also by longjmp. From here on cJSON must not use the arena, which is about to end. */
	json_arena(NULL);
	db_rollback(db);
	visit_trees_end(db);
	served_end(w);
}
