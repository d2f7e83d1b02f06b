/* The page at the base address. Contract: reader/reader.h. */
#include <string.h>

#include "app/assets.h"
#include "base/url.h"
#include "reader/reader.h"

/* Maximum size of the page, which is built into the program, with its headers. */
enum { PAGE_MAX = 64 << 10 };

/* Placeholder in the page for OCTAVO_URL. */
static const char mark[] = "@URL@";

/* True for the base address, with or without its final slash. */
static bool
is_front(const struct settings *set, const char *uri)
{
	struct str path = { uri, strcspn(uri, "?") }, base = url_base_path(set);

	if (path.n > 0 && path.p[path.n - 1] == '/')
		path.n--;
	return path.n == 0 || str_eq(path, base);
}

/* Escape OCTAVO_URL: it comes from the admin, but is text and not markup. */
static void
put_text(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++)
		if (strchr("<>&\"'", *s) != NULL)
			buf_printf(b, "&#%d;", *s);
		else
			buf_char(b, *s);
}

bool
site_front(struct io *io, struct arena *a, const struct settings *set, const char *uri, bool head)
{
	/* The page is built into the program, so it always exists. */
	struct str page = asset_bytes(asset_find("front/index.html"));
	const char *p = page.p, *end = page.p + page.n, *at;
	struct buf b;

	if (!is_front(set, uri))
		return false;
	buf_init(&b, a, PAGE_MAX);
	buf_str(&b, "Status: 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	    "X-Content-Type-Options: nosniff\r\nCache-Control: no-cache\r\n"
	    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n");
	while (!head && (at = memmem(p, (size_t)(end - p), mark, sizeof(mark) - 1)) != NULL) {
		buf_add(&b, p, (size_t)(at - p));
		put_text(&b, set->url);
		p = at + sizeof(mark) - 1;
	}
	if (!head)
		buf_add(&b, p, (size_t)(end - p));
	io->write(io, b.p, b.n);
	return true;
}
