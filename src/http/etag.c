/*
 * ETags and conditional requests (RFC 9110 section 13). Tags are strong; web servers that compress
 * an answer mark its tag as weak or add a suffix.
 */
#include <stdarg.h>

#include "base/build.h"
#include "http/req.h"
#include "base/secret.h"

static const char *
make_tag(struct arena *a, struct str s)
{
	unsigned char h[TAG_BYTES];

	tag_bytes(s, h);
	return hex(a, (struct str){ (const char *)h, sizeof(h) });
}

const char *
etag_of_body(struct req *r)
{
	return make_tag(r->arena, buf_view(&r->out));
}

/*
 * True for the suffix that a web server adds to the tag of a compressed answer. Apache's
 * mod_deflate and mod_brotli do so (DeflateAlterETag, BrotliAlterETag), and do not remove the
 * suffix from a client's condition. Tags of this program are hex digits or ids, and never end like
 * this.
 */
static bool
is_compression_suffix(struct str s)
{
	return str_is(s, "-gzip") || str_is(s, "-br");
}

/*
 * True if the header lists "etag". weak: ignore W/ and suffixes; otherwise such tags do not match.
 */
bool
etag_listed(const char *header, const char *etag, bool weak)
{
	const char *p = header, *end;
	size_t n = strlen(etag), len;
	bool usable;

	while (*p != '\0') {
		/* Empty elements of a list are ignored (RFC 9110 section 5.6.1). */
		while (*p == ' ' || *p == ',' || *p == '\t')
			p++;
		if (*p == '*')
			return true;
		usable = true;
		if (p[0] == 'W' && p[1] == '/') {
			usable = weak;
			p += 2;
		}
		/* The header is no list of tags. No tag matches, so If-Match fails and If-None-Match has no effect. */
		if (*p != '"' || (end = strchr(p + 1, '"')) == NULL)
			return false;
		len = (size_t)(end - p - 1);
		if (usable && len >= n && memcmp(p + 1, etag, n) == 0 && (len == n ||
		    (weak && is_compression_suffix((struct str){ p + 1 + n, len - n }))))
			return true;
		p = end + 1;
	}
	return false;
}

bool
not_modified(struct req *r, const char *fmt, ...)
{
	const char *header = r->io->param(r->io, "HTTP_IF_NONE_MATCH");
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(r->arena, fmt, ap);
	va_end(ap);
	/*
	 * Besides the data (fmt), the tag covers everything that the answer depends on: the caller
	 * (permission flags, and a session may open other organizations than a token), the base
	 * address of links, and the build.
	 */
	text = arena_printf(r->arena, "%s\n%s\n%s\n%d\n%d\n%s\n%d\n%s", text, r->who.user ? r->who.user : "",
	    r->who.only_org ? r->who.only_org : "", r->who.session, r->who.cap, r->set->url, r->set->app,
	    octavo_build);
	r->etag = make_tag(r->arena, str_of(text));
	if (header == NULL || !etag_listed(header, r->etag, true))
		return false;
	r->status = 304;
	return true;
}
