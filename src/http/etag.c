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

/* Is "etag" among those that the header lists? weak: W/ is looked through, else such a one is none. */
bool
etag_listed(const char *header, const char *etag, bool weak)
{
	const char *p = header, *end;
	size_t n = strlen(etag);
	bool usable;

	while (*p != '\0') {
		while (*p == ' ' || *p == ',' || *p == '\t')
			p++;
		if (*p == '*')
			return true;
		usable = true;
		if (p[0] == 'W' && p[1] == '/') {
			usable = weak;
			p += 2;
		}
		if (*p != '"' || (end = strchr(p + 1, '"')) == NULL)
			return false;
		if (usable && (size_t)(end - p - 1) == n && memcmp(p + 1, etag, n) == 0)
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
