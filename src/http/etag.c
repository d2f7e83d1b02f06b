/* Conditional requests (RFC 9110 section 13). Tags are strong; gzip weakens them on the way. */
#include <stdarg.h>

#include "base/build.h"
#include "http/req.h"
#include "base/secret.h"

static const char *
tag_of(struct arena *a, struct str s)
{
	unsigned char h[TAG_BYTES];

	tag_bytes(s, h);
	return hex(a, (struct str){ (const char *)h, sizeof(h) });
}

const char *
etag_of_body(struct req *r)
{
	return tag_of(r->arena, buf_view(&r->out));
}

/*
 * Does the server in front of us name the compressed form by a suffix of its own? Apache's
 * mod_deflate and mod_brotli do (DeflateAlterETag, BrotliAlterETag) and hand a client's
 * condition on unchanged. No tag of ours ends like that: they are hex digits, or ids.
 */
static bool
compressed_suffix(struct str s)
{
	return str_is(s, "-gzip") || str_is(s, "-br");
}

/* Is "etag" among those that the header lists? weak: W/ and suffixes are looked through, else such a one is none. */
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
		/*
		 * Not a list of tags: it names nothing, so If-Match fails and If-None-Match does
		 * not spare the answer.
		 */
		if (*p != '"' || (end = strchr(p + 1, '"')) == NULL)
			return false;
		len = (size_t)(end - p - 1);
		if (usable && len >= n && memcmp(p + 1, etag, n) == 0 && (len == n ||
		    (weak && compressed_suffix((struct str){ p + 1 + n, len - n }))))
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
	 * Who asks is part of it, for flags differ between callers; so is the address that
	 * links begin with, and what the answer is written by.
	 */
	text = arena_printf(r->arena, "%s\n%s\n%d\n%s\n%s", text, r->who.user ? r->who.user : "",
	    r->who.cap, r->set->url, octavo_build);
	r->etag = tag_of(r->arena, str_of(text));
	if (header == NULL || !etag_listed(header, r->etag, true))
		return false;
	r->status = 304;
	return true;
}
