/*
 * From the raw request address to a route. The raw path (REQUEST_URI) is split
 * at its slashes first and each segment decoded afterwards, so that %2F in an
 * id stays inside that id. "." and "..", an empty segment inside the path, NUL
 * and invalid UTF-8 are refused rather than cleaned up.
 */
#include "req.h"
#include "utf8.h"

enum { MAX_URI = 8192, MAX_SEGMENTS = 48, MAX_SEGMENT = 2048 };

struct path {
	const char *part[MAX_SEGMENTS];  /* decoded */
	size_t      n;
};

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 32) >= 'a' && (c | 32) <= 'f')
		return (c | 32) - 'a' + 10;
	return -1;
}

/* NULL where a % is not followed by two digits, or the result has a NUL or is no UTF-8. */
static char *
decode(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t i, n = 0;
	int hi, lo;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] != '%') {
			out[n++] = s.p[i];
			continue;
		}
		if (i + 2 >= s.n)
			return NULL;
		hi = hex_digit(s.p[i + 1]);
		lo = hex_digit(s.p[i + 2]);
		if (hi < 0 || lo < 0 || hi + lo == 0)
			return NULL;
		out[n++] = (char)(hi * 16 + lo);
		i += 2;
	}
	return memchr(out, '\0', n) == NULL && utf8_valid((struct str){ out, n }) ? out : NULL;
}

static int
add_segment(struct req *r, struct path *p, struct str raw)
{
	char *s;

	if (raw.n == 0)
		return fail(r, E_NOT_FOUND, "no such address: the path has an empty segment");
	if (p->n == MAX_SEGMENTS || raw.n > MAX_SEGMENT)
		return fail(r, E_URI_TOO_LONG, "the path is too long");
	if ((s = decode(r->arena, raw)) == NULL)
		return fail(r, E_BAD_REQUEST, "the path holds a broken percent-encoding or no UTF-8");
	if (strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
		return fail(r, E_BAD_REQUEST, "\".\" and \"..\" are not allowed in the path");
	p->part[p->n++] = s;
	return 0;
}

/* Splits what follows /v1. */
static int
split(struct req *r, struct str s, struct path *p)
{
	size_t i, from = 0;

	p->n = 0;
	if (s.n == 0)
		return 0;
	for (i = 0; i <= s.n; i++) {
		if (i < s.n && s.p[i] != '/')
			continue;
		if (add_segment(r, p, str_slice(s, from, i)) != 0)
			return -1;
		from = i + 1;
	}
	return 0;
}

/* The rest of the path as one value, for {name...}. */
static const char *
rest_of(struct arena *a, const struct path *p, size_t from)
{
	struct buf b;

	buf_init(&b, a, MAX_URI);
	for (; from < p->n; from++) {
		buf_str(&b, p->part[from]);
		if (from + 1 < p->n)
			buf_char(&b, '/');
	}
	return b.p;
}

static void
take_arg(struct req *r, struct str name, const char *value)
{
	r->args[r->arg_count].name = arena_strndup(r->arena, name.p, name.n);
	r->args[r->arg_count++].value = value;
}

/* Where a segment of a template ends, if it is these very letters; NULL if not. */
static const char *
after_literal(const char *s, const char *part)
{
	while (*part != '\0' && *s == *part) {
		s++;
		part++;
	}
	return *part == '\0' && (*s == '/' || *s == '\0') ? s : NULL;
}

/* Does the template fit? Arguments are taken on the way when take is set. */
static bool
fits(struct req *r, const char *template, const struct path *p, bool take)
{
	const char *s = template + 1, *end;
	size_t i;

	if (template[1] == '\0')
		return p->n == 0;
	for (i = 0; i < p->n; i++, s = end + 1) {
		if (*s != '{') {
			end = after_literal(s, p->part[i]);
		} else {
			end = strchr(s, '}') + 1;
			if (end[-2] == '.') {
				if (take)
					take_arg(r, (struct str){ s + 1, (size_t)(end - s) - 5 }, rest_of(r->arena, p, i));
				return true;
			}
			if (take)
				take_arg(r, (struct str){ s + 1, (size_t)(end - s) - 2 }, p->part[i]);
		}
		if (end == NULL || *end == '\0')
			return end != NULL && i + 1 == p->n;
	}
	return false;
}

static const char *
method_name(enum method m)
{
	static const char *const names[] = { "GET", "POST", "PUT", "PATCH", "DELETE" };

	return names[m];
}

/* The template with the fewest variables wins: it comes first where rows tie in length. */
static size_t
literal_bytes(const char *template)
{
	size_t n = 0, in = 0;

	for (; *template != '\0'; template++) {
		in += *template == '{';
		n += in == 0;
		in -= *template == '}';
	}
	return n;
}

int
route_find(struct req *r, const char *uri)
{
	enum method want = r->method == M_HEAD ? M_GET : r->method;
	const struct route *row, *found = NULL;
	const char *q = strchr(uri, '?');
	struct str raw = { uri, q == NULL ? strlen(uri) : (size_t)(q - uri) };
	const char *best = NULL, *failed = NULL;
	struct path p;
	struct buf allow;
	size_t i;

	if (raw.n > MAX_URI)
		return fail(r, E_URI_TOO_LONG, "the address is longer than %d bytes", MAX_URI);
	if (!str_starts(raw, "/v1") || (raw.n > 3 && raw.p[3] != '/'))
		return fail(r, E_NOT_FOUND, "no such address: the API is below /v1/");
	if (split(r, str_slice(raw, raw.n > 4 ? 4 : raw.n, raw.n), &p) != 0)
		return -1;
	r->path = rest_of(r->arena, &p, 0);
	buf_init(&allow, r->arena, 200);
	for (i = 0; i < r->app->count; i++) {
		row = &r->app->routes[i];
		/* The cheapest questions first: nearly every row ends here, and often the next has the same path. */
		if (row->path == failed)
			continue;
		if (!fits(r, row->path, &p, false)) {
			failed = row->path;
			continue;
		}
		if (best == NULL || strcmp(row->path, best) != 0) {
			if (best != NULL && literal_bytes(row->path) <= literal_bytes(best))
				continue;
			buf_cut(&allow, allow.n);
			found = NULL;
			best = row->path;
		}
		buf_printf(&allow, "%s%s%s", allow.n ? ", " : "", method_name(row->method),
		    row->method == M_GET ? ", HEAD" : "");
		if (row->method == want)
			found = row;
	}
	if (best == NULL)
		return fail(r, E_NOT_FOUND, "no such address: /v1/%s", r->path);
	buf_str(&allow, ", OPTIONS");
	r->allow = allow.p;
	if (r->method == M_OPTIONS)
		return 0;
	if (found == NULL)
		return fail(r, E_METHOD, "this address takes %s", allow.p);
	r->route = found;
	fits(r, found->path, &p, true);
	return 0;
}
