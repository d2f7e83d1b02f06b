/*
 * Finds the target of a link: a page, a file, or nothing of the source. It tries, in this order:
 * the reader's own rule; a path in the source, as spelled, with the extensions that sources leave
 * out, then in any case; the address of a published page; and a name that a reader gave to a page.
 */
#include <ctype.h>
#include <string.h>

#include "arrival.h"
#include "base/url.h"
#include "base/utf8.h"

bool
has_scheme(struct str s)
{
	size_t i = 0;

	while (i < s.n && (isalnum((unsigned char)s.p[i]) || s.p[i] == '+' || s.p[i] == '-' || s.p[i] == '.'))
		i++;
	return (i > 1 && i < s.n && s.p[i] == ':' && isalpha((unsigned char)s.p[0])) || str_starts(s, "//");
}

/* The file with this path; if there is none, the file whose path differs from it only in case. */
static struct arrival_file *
file_at_path(struct arrival *t, const char *path)
{
	struct arrival_file *f = map_get(t->by_path, str_of(path));

	return f != NULL ? f : map_get(t->by_fold, str_of(utf8_lower(t->scratch, str_of(path))));
}

/* A file by its path, which may lack an extension or the name of an index. */
static struct arrival_file *
find_path(struct arrival *t, const char *path)
{
	static const char *const ends[] = { "", ".md", ".mdx", "/index.md", "/README.md", "/_index.md", "/index.mdx", ".markdown" };
	struct arrival_file *f;
	struct str stem;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if ((f = file_at_path(t, arena_printf(t->scratch, "%s%s", path, ends[i]))) != NULL)
			return f;
	if (path_ends(str_of(path), ".html")) {
		stem = path_stem(str_of(path));
		for (i = 1; i < 3; i++)
			if ((f = file_at_path(t, arena_printf(t->scratch, "%.*s%s", (int)stem.n, stem.p, ends[i]))) != NULL)
				return f;
	}
	return NULL;
}

/* Sets the target to a file, or to the page made from it. False: f is NULL, or only a part of pages. */
static bool
set_file(struct arrival_file *f, struct arrival_target *out)
{
	if (f == NULL || (f->part && f->page == NULL))
		return false;
	out->page = f->page;
	out->file = f->page == NULL ? f : NULL;
	return true;
}

static bool
set_page(struct arrival_page *p, struct arrival_target *out)
{
	out->page = p;
	return p != NULL;
}

/*
 * Tries the path relative to the folders of the page's file and of files that it includes, and to
 * the root of the pages. A path that begins with a slash is tried from the root of the pages and
 * from that of the source.
 */
static bool
find_by_path(struct arrival *t, struct arrival_page *p, struct str path, struct arrival_target *out)
{
	struct str base = p->file != NULL ? path_folder(p->file->path) : str_of(t->root);
	const struct arrival_address *x;
	struct str rest = path;
	const char *full;

	while (rest.n > 0 && rest.p[0] == '/')
		rest = str_slice(rest, 1, rest.n);
	if (path.n > 0 && path.p[0] == '/')
		return ((full = path_join(t->scratch, str_of(t->root), rest)) != NULL && set_file(find_path(t, full), out)) ||
		    ((full = path_join(t->scratch, STR(""), rest)) != NULL && set_file(find_path(t, full), out));
	if ((full = path_join(t->scratch, base, path)) != NULL && set_file(find_path(t, full), out))
		return true;
	for (x = p->bases; x != NULL; x = x->next)
		if ((full = path_join(t->scratch, str_of(x->path), path)) != NULL && set_file(find_path(t, full), out))
			return true;
	return (full = path_join(t->scratch, str_of(t->root), path)) != NULL && set_file(find_path(t, full), out);
}

/* Resolves a link as a browser does on the published page: "../other/" from the address of the page. */
static bool
find_by_address(struct arrival *t, struct arrival_page *p, struct str path, struct arrival_target *out)
{
	struct arrival_address *x;
	const char *full;

	for (x = p->old; x != NULL; x = x->next) {
		struct str base = str_of(x->path);

		if (base.n > 0 && base.p[base.n - 1] == '/')
			base.n--;
		else
			base = path_folder(base);
		if (path.n > 0 && path.p[0] != '/' && (full = path_join(t->scratch, base, path)) != NULL &&
		    set_page(arrival_named(t, t->scratch, str_of(full)), out))
			return true;
	}
	return false;
}

static bool
find_by_name(struct arrival *t, struct str path, struct arrival_target *out)
{
	while (path.n > 0 && path.p[0] == '/')
		path = str_slice(path, 1, path.n);
	while (path.n > 0 && path.p[path.n - 1] == '/')
		path.n--;
	return set_page(arrival_named(t, t->scratch, path), out) ||
	    (path_ends(path, ".html") && set_page(arrival_named(t, t->scratch, path_stem(path)), out));
}

/* The folder of the site's address: "/docs" of "https://example.com/docs". */
static struct str
site_folder(struct str site)
{
	const char *host = memmem(site.p, site.n, "://", 3), *slash;

	if (host == NULL)
		return STR("");
	slash = memchr(host + 3, '/', site.n - (size_t)(host + 3 - site.p));
	return slash == NULL ? STR("") : str_slice(site, (size_t)(slash - site.p), site.n);
}

/* A path on the published site that is not imported: the link gets the address there. */
static bool
find_on_site(struct arrival *t, struct arrival_page *p, struct str path, struct arrival_target *out)
{
	size_t n = t->site == NULL ? 0 : strlen(t->site);
	struct str folder;

	if (n == 0 || path.p[0] != '/' || p->file == NULL)
		return false;
	while (n > 0 && t->site[n - 1] == '/')
		n--;
	/* A path that has the folder of the site gets it no second time. */
	folder = site_folder((struct str){ t->site, n });
	if (folder.n > 0 && path.n > folder.n && memcmp(path.p, folder.p, folder.n) == 0 && path.p[folder.n] == '/')
		n -= folder.n;
	out->url = arena_printf(t->scratch, "%.*s%.*s", (int)n, t->site, (int)path.n, path.p);
	arrival_warn_once(t, p->file->path, 0, "\"%.*s\" is another part of the site, which is not imported; the link leads to %s",
	    (int)(path.n < 200 ? path.n : 200), path.p, out->url);
	return true;
}

bool
target_in_source(struct arrival *t, struct arrival_page *p, struct str path, struct arrival_target *out)
{
	size_t i;

	*out = (struct arrival_target){ 0 };
	if (path.n == 0 || path.p[0] == '#' || has_scheme(path))
		return false;
	for (i = 0; i < path.n && path.p[i] != '#' && path.p[i] != '?'; i++)
		;
	for (size_t k = i; k < path.n && out->fragment == NULL; k++)
		if (path.p[k] == '#')
			out->fragment = arena_strndup(t->scratch, path.p + k, path.n - k);
	if (out->fragment == NULL)
		out->fragment = "";
	/* A file name may contain characters that are encoded in an address, or an unencoded "%". */
	return find_by_path(t, p, path, out) || find_by_path(t, p, str_slice(path, 0, i), out) ||
	    find_by_path(t, p, url_unescape(t->scratch, str_slice(path, 0, i)), out) ||
	    find_by_address(t, p, url_unescape(t->scratch, str_slice(path, 0, i)), out) ||
	    find_by_name(t, url_unescape(t->scratch, str_slice(path, 0, i)), out);
}

bool
target_find(struct arrival *t, struct arrival_page *p, struct str spelling, struct arrival_target *out)
{
	struct str path = str_trim(spelling);

	*out = (struct arrival_target){ 0 };
	if (t->reader->target != NULL && t->reader->target(t, p, path, out))
		return true;
	return target_in_source(t, p, path, out) || (path.n > 0 && !has_scheme(path) && find_on_site(t, p, path, out));
}
