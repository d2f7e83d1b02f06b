/* Makes and reads addresses. Contract: base/url.h. */
#include <ctype.h>
#include <string.h>

#include "base/url.h"
#include "base/buf.h"
#include "base/utf8.h"

/* Ceiling against bugs; addresses are far shorter. */
enum { URL_BYTES = 1 << 20 };

char *
url_make_v(struct arena *a, const struct settings *set, const char *fmt, va_list ap)
{
	struct buf b;

	buf_init(&b, a, URL_BYTES);
	buf_str(&b, set->url);
	buf_vprintf(&b, fmt, ap);
	return b.p;
}

char *
url_make(struct arena *a, const struct settings *set, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = url_make_v(a, set, fmt, ap);
	va_end(ap);
	return s;
}

/* "" if OCTAVO_URL has no path; otherwise it begins with a slash. */
struct str
url_base_path(const struct settings *set)
{
	const char *host = strstr(set->url, "://"), *path;

	path = host == NULL ? NULL : strchr(host + 3, '/');
	return path == NULL ? (struct str){ "", 0 } : str_of(path);
}

bool
is_own_origin(const struct settings *set, const char *origin)
{
	size_t n = strlen(set->url) - url_base_path(set).n;

	return strlen(origin) == n && strncasecmp(origin, set->url, n) == 0;
}

/* The path after the prefix, if its first segment is `want`; otherwise p is NULL. */
static struct str
path_after(struct str path, struct str prefix, const char *want)
{
	size_t n = strlen(want);
	struct str rest;

	if (path.n < prefix.n || memcmp(path.p, prefix.p, prefix.n) != 0)
		return (struct str){ NULL, 0 };
	rest = str_slice(path, prefix.n, path.n);
	if (!str_starts(rest, want) || (rest.n > n && rest.p[n] != '/'))
		return (struct str){ NULL, 0 };
	return rest;
}

struct str
url_below(const struct settings *set, const char *script, struct str path, const char *want)
{
	struct str rest = path_after(path, (struct str){ "", 0 }, want);

	if (rest.n == 0)
		rest = path_after(path, url_base_path(set), want);
	if (rest.n == 0 && script != NULL)
		/*
		 * SCRIPT_NAME (RFC 3875 section 4.1.13): if the API is a CGI program, its addresses
		 * are below the program's own path.
		 */
		rest = path_after(path, str_of(script), want);
	return rest;
}

char *
url_segment(struct arena *a, struct str s)
{
	static const char hex[] = "0123456789ABCDEF";
	char *out = arena_bytes(a, s.n * 3 + 1), *p = out;
	size_t i;

	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		/*
		 * The unreserved characters (RFC 3986 section 2.3); all others are escaped,
		 * slashes too, so a segment stays one. The programs run in the C locale:
		 * isalnum() knows ASCII alone.
		 */
		if (isalnum(c) || (c != '\0' && strchr("-._~", c) != NULL)) {
			*p++ = (char)c;
			continue;
		}
		*p++ = '%';
		*p++ = hex[c >> 4];
		*p++ = hex[c & 15];
	}
	*p = '\0';
	return out;
}

char *
url_path(struct arena *a, const char *path)
{
	struct buf b;
	size_t n;

	buf_init(&b, a, URL_BYTES);
	buf_str(&b, "");
	for (;; path += n + 1) {
		n = strcspn(path, "/");
		buf_str(&b, url_segment(a, (struct str){ path, n }));
		if (path[n] == '\0')
			return b.p;
		buf_char(&b, '/');
	}
}

/* Value of a hexadecimal digit; -1 for any other character. */
static int
hex_digit(int c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

int
url_escaped(struct str s, size_t i)
{
	if (i + 2 >= s.n || s.p[i] != '%' || hex_digit(s.p[i + 1]) < 0 || hex_digit(s.p[i + 2]) < 0)
		return -1;
	return hex_digit(s.p[i + 1]) * 16 + hex_digit(s.p[i + 2]);
}

struct str
url_unescape(struct arena *a, struct str s)
{
	struct buf b;
	size_t i;
	int c;

	buf_init(&b, a, s.n + 1);
	buf_reserve(&b, s.n + 1);
	for (i = 0; i < s.n; i++) {
		c = url_escaped(s, i);
		buf_char(&b, c < 0 ? s.p[i] : (char)c);
		i += c < 0 ? 0 : 2;
	}
	return buf_view(&b);
}

char *
url_decode(struct arena *a, struct str s, bool plus)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t i, n = 0;
	int c;

	for (i = 0; i < s.n; i++) {
		c = s.p[i] == '%' ? url_escaped(s, i) : s.p[i] == '+' && plus ? ' ' : (unsigned char)s.p[i];
		/*
		 * A NUL would end the string for later code, so the checked text and the used one
		 * would differ.
		 */
		if (c <= 0)
			return NULL;
		i += s.p[i] == '%' ? 2 : 0;
		out[n++] = (char)c;
	}
	/* Check after decoding: escapes can hide invalid UTF-8. */
	return utf8_valid((struct str){ out, n }) ? out : NULL;
}

/*
 * True for text that looks random: longer than a word, with letters and digits, and without
 * characters that join words.
 */
static bool
is_random(struct str s, size_t least)
{
	bool digits = false, letters = false;
	size_t i;

	for (i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		digits |= c >= '0' && c <= '9';
		letters |= (c | 32) >= 'a' && (c | 32) <= 'z';
		if (c == '.' || c == '/' || c == ':' || c == ' ')
			return false;
	}
	return s.n >= least && digits && letters;
}

static bool
names_secret(struct str name)
{
	static const char *const words[] = { "token", "key", "secret", "sig", "auth", "pass", "pwd", "credential", "jwt", "session",
		"code" };
	char text[64];
	size_t i, n = 0;
	int c;

	/* Decode the name as the server does: "%6bey" is "key". */
	for (i = 0; i < name.n && n < sizeof(text) - 1; i++) {
		c = url_escaped(name, i);
		i += c < 0 ? 0 : 2;
		text[n++] = (char)tolower(c < 0 ? (unsigned char)name.p[i] : c);
	}
	text[n] = '\0';
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]) != NULL)
			return true;
	return false;
}

/* Write name=value, or a value alone. */
static void
show_member(struct buf *b, struct str s)
{
	const char *equals = memchr(s.p, '=', s.n);
	struct str name = { s.p, equals == NULL ? 0 : (size_t)(equals - s.p) + 1 }, value = str_slice(s, name.n, s.n);

	buf_add(b, name.p, name.n);
	if (value.n > 0 && (is_random(value, 16) || (name.n > 0 && names_secret(name))))
		buf_str(b, "***");
	else
		buf_add(b, value.p, value.n);
}

/*
 * Writes the path, whose segments may have parameters ("/x;key=1", RFC 3986 section 3.3), and the
 * members of query and fragment, which "?", "&", ";" and "#" separate.
 */
static void
show_rest(struct buf *b, struct str s)
{
	bool query = false;
	size_t i, from;
	struct str piece;

	for (from = i = 0; i <= s.n; i++) {
		if (i < s.n && strchr(query ? "&;#" : "/;?#", s.p[i]) == NULL)
			continue;
		piece = str_slice(s, from, i);
		if (query || memchr(piece.p, '=', piece.n) != NULL)
			show_member(b, piece);
		else if (is_random(piece, 32))
			buf_str(b, "***");
		else
			buf_add(b, piece.p, piece.n);
		if (i < s.n)
			buf_char(b, s.p[i]);
		query |= i < s.n && (s.p[i] == '?' || s.p[i] == '#');
		from = i + 1;
	}
}

char *
url_shown(struct arena *a, const char *url)
{
	const char *host = strstr(url, "://"), *at;
	struct str authority;
	struct buf b;

	if (host == NULL)
		return arena_strdup(a, url);
	host += 3;
	authority = (struct str){ host, strcspn(host, "/?#") };
	buf_init(&b, a, strlen(url) * 4 + 16);
	buf_add(&b, url, (size_t)(host - url));
	if ((at = memrchr(authority.p, '@', authority.n)) != NULL) {
		buf_str(&b, "***");
		authority = str_slice(authority, (size_t)(at - authority.p), authority.n);
	}
	buf_add(&b, authority.p, authority.n);
	show_rest(&b, str_of(authority.p + authority.n));
	return b.p;
}

bool
url_masked(const char *url)
{
	static const char stars[] = "***", ends[] = "/;?#&=@:";
	const char *from = strstr(url, "://"), *at;

	for (at = from; at != NULL && (at = strstr(at, stars)) != NULL; at++)
		if (strchr(ends, at[-1]) != NULL && strchr(ends, at[strlen(stars)]) != NULL)
			return true;
	return false;
}
