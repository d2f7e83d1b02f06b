/*
 * Resolves references as in RFC 3986, 5.2 and appendix B: an authority is kept unchanged, dot
 * segments of paths are removed.
 */
#include "base/buf.h"
#include "base/url.h"
#include "openapi/uri.h"

/* The five parts of RFC 3986, 3. An empty part and a missing one differ: "x?" has a query. */
struct parts {
	struct str scheme, authority, path, query, fragment;
	bool       has_authority, has_query, has_fragment;
};

/*
 * RFC 3986, 3.1: a letter, then letters, digits, "+", "-" and ".". "C:" of a Windows path is a
 * scheme, too.
 */
static bool
is_scheme(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		if (!((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') &&
		    (i == 0 || ((s.p[i] < '0' || s.p[i] > '9') && strchr("+-.", s.p[i]) == NULL)))
			return false;
	return s.n > 0;
}

/* Splits s at the separator; false if there is none. */
static bool
split_off(struct str *s, char separator, struct str *rest)
{
	const char *at = s->n == 0 ? NULL : memchr(s->p, separator, s->n);

	if (at == NULL)
		return false;
	*rest = str_slice(*s, (size_t)(at - s->p) + 1, s->n);
	s->n = (size_t)(at - s->p);
	return true;
}

/*
 * Appendix B. Any text has parts: nothing is refused here; the code that fetches checks the
 * address.
 */
static struct parts
split_parts(struct str s)
{
	struct parts u = { .path = s };
	struct str rest;
	size_t n;

	/* The fragment first: it may contain "?", ":" and "/". */
	u.has_fragment = split_off(&u.path, '#', &u.fragment);
	u.has_query = split_off(&u.path, '?', &u.query);
	u.scheme = u.path;
	if (split_off(&u.scheme, ':', &rest) && is_scheme(u.scheme))
		u.path = rest;
	else
		u.scheme = (struct str){ NULL, 0 };
	if (str_starts(u.path, "//")) {
		u.has_authority = true;
		u.authority = str_slice(u.path, 2, u.path.n);
		for (n = 0; n < u.authority.n && u.authority.p[n] != '/'; )
			n++;
		u.path = str_slice(u.authority, n, u.authority.n);
		u.authority.n = n;
	}
	return u;
}

/* Removes the last segment and its slash, but nothing before `from`. */
static void
drop_segment(struct buf *b, size_t from)
{
	while (b->n > from && b->p[b->n - 1] != '/')
		buf_cut(b, 1);
	if (b->n > from)
		buf_cut(b, 1);
}

/* 5.2.4: adds a path without its dot segments. */
static void
add_path(struct buf *b, struct str path)
{
	size_t from = b->n, i = 0, end;
	bool slash, rooted = str_starts(path, "/");
	struct str segment;

	while (i < path.n) {
		slash = path.p[i] == '/';
		for (end = i + slash; end < path.n && path.p[end] != '/'; )
			end++;
		segment = str_slice(path, i + slash, end);
		if (str_is(segment, "..")) {
			drop_segment(b, from);
		} else if (!str_is(segment, ".")) {
			/*
			 * A relative path stays relative when everything before it was removed
			 * (5.2.4, A).
			 */
			if (slash && (rooted || b->n > from))
				buf_char(b, '/');
			buf_put(b, segment);
		}
		/* A dot segment at the end names a directory: its slash stays. */
		if (end == path.n && (rooted || b->n > from) && (str_is(segment, "..") || str_is(segment, ".")))
			buf_char(b, '/');
		i = end;
	}
}

/* 5.2.3: the base's path up to its last slash, followed by the reference's. */
static struct str
merge_paths(struct arena *a, const struct parts *base, struct str path)
{
	size_t n = base->path.n;
	struct buf b;

	buf_init(&b, a, n + path.n + 1);
	while (n > 0 && base->path.p[n - 1] != '/')
		n--;
	if (n == 0 && base->has_authority)
		buf_char(&b, '/');
	buf_add(&b, base->path.p, n);
	buf_put(&b, path);
	return buf_view(&b);
}

/* 5.3. most: bytes of all parts together; 16 for the separators. */
static char *
write_uri(struct arena *a, const struct parts *u, size_t most)
{
	struct buf b;

	buf_init(&b, a, most + 16);
	/* Makes b.p a string even without parts. */
	buf_add(&b, "", 0);
	if (u->scheme.n > 0) {
		buf_put(&b, u->scheme);
		buf_char(&b, ':');
	}
	if (u->has_authority) {
		buf_str(&b, "//");
		buf_put(&b, u->authority);
	}
	add_path(&b, u->path);
	if (u->has_query) {
		buf_char(&b, '?');
		buf_put(&b, u->query);
	}
	if (u->has_fragment) {
		buf_char(&b, '#');
		buf_put(&b, u->fragment);
	}
	return b.p;
}

char *
uri_join(struct arena *a, const char *base, struct str reference)
{
	struct parts r = split_parts(reference), b = split_parts(str_of(base));
	size_t most = strlen(base) + reference.n;

	/*
	 * A reference with a scheme is absolute: the base is not used, but dot segments are
	 * removed.
	 */
	if (r.scheme.n > 0)
		return write_uri(a, &r, most);
	/* From here on the order is that of 5.2.2: authority, path, query. */
	r.scheme = b.scheme;
	if (r.has_authority)
		return write_uri(a, &r, most);
	r.authority = b.authority;
	r.has_authority = b.has_authority;
	/* 5.2.2: a reference that is only a fragment names the base document, with its query. */
	if (r.path.n == 0) {
		r.path = b.path;
		if (!r.has_query) {
			r.query = b.query;
			r.has_query = b.has_query;
		}
	} else if (r.path.p[0] != '/') {
		r.path = merge_paths(a, &b, r.path);
	}
	return write_uri(a, &r, most);
}

/*
 * The fragment is decoded here, once, so that a JSON pointer is compared with names as they are in
 * the document.
 */
char *
uri_split(struct arena *a, const char *uri, struct str *fragment)
{
	struct str s = str_of(uri);

	*fragment = (struct str){ "", 0 };
	if (split_off(&s, '#', fragment))
		*fragment = url_unescape(a, *fragment);
	return arena_strndup(a, s.p, s.n);
}
