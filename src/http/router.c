/*
 * Finds the route of a raw request address. The raw path (REQUEST_URI) is split at its slashes
 * first and each segment decoded afterwards, so that %2F in an id stays inside that id. "." and
 * "..", an empty segment inside the path, NUL, invalid UTF-8 and raw backslashes, which browsers
 * read as slashes, are refused rather than cleaned up. A slash at the end is refused too, unless
 * the template ends with {name...}, which takes the rest of the path.
 *
 * The table is sorted by path, '/' before every other byte, and rows that share the segments before
 * a variable give it the same name. So rows with a common beginning are adjacent, and the table is
 * its own search tree: each segment narrows the range of rows by bisection, and a literal segment
 * takes precedence over a variable. tests/unit/test_dispatch.c checks that order.
 */
#include "base/url.h"
#include "http/req.h"

/*
 * MAX_URI: nginx's default for a request line (large_client_header_buffers 8k). MAX_SEGMENTS: the
 * longest template with the deepest page path.
 */
enum { MAX_URI = 8192, MAX_SEGMENTS = 48 };

struct path {
	const char *part[MAX_SEGMENTS];  /* decoded */
	size_t      n;
	bool        slash;               /* a slash follows the last part */
};

static int
fail_empty_segment(struct req *r)
{
	return fail(r, E_NOT_FOUND, "no such address: the path has an empty segment");
}

static int
add_segment(struct req *r, struct path *p, struct str raw)
{
	char *s;

	if (raw.n == 0)
		return fail_empty_segment(r);
	if (p->n == MAX_SEGMENTS)
		return fail(r, E_URI_TOO_LONG, "the path is too long");
	if ((s = url_decode(r->arena, raw, false)) == NULL)
		return fail(r, E_BAD_REQUEST, "the path holds a broken percent-encoding or no UTF-8");
	if (strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
		return fail(r, E_BAD_REQUEST, "\".\" and \"..\" are not allowed in the path");
	p->part[p->n++] = s;
	return 0;
}

/* Splits the part of the path after /v1. */
static int
split_path(struct req *r, struct str s, struct path *p)
{
	size_t i, from = 0;

	p->n = 0;
	p->slash = s.n > 1 && s.p[s.n - 1] == '/';
	s.n -= p->slash;
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
join_rest(struct arena *a, const struct path *p, size_t from)
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
add_arg(struct req *r, struct str name, const char *value)
{
	r->args[r->arg_count].name = arena_strndup(r->arena, name.p, name.n);
	r->args[r->arg_count++].value = value;
}

/* ---- the table as a tree ---- */

/* Adjacent rows with a common prefix: from lo up to (not including) hi. */
struct rows {
	const struct route *lo, *hi;
};

/*
 * Compare a row's segment with a word, as strcmp() does. The segment follows the slash at `at` in
 * the row's path; it is "" if the path ended before.
 */
static int
segment_order(const struct route *row, size_t at, const char *word)
{
	const char *s = row->path + at + (row->path[at] == '/');

	while (*s != '\0' && *s != '/' && *s == *word) {
		s++;
		word++;
	}
	/* A slash ends the segment and NUL ends the word: both count as 0. */
	return (*s == '/' ? 0 : (unsigned char)*s) - (unsigned char)*word;
}

/* The first row whose segment is not less than the word, or with `after` greater than it. */
static const struct route *
find_bound(struct rows in, size_t at, const char *word, bool after)
{
	/* Fast path, since often all rows have the same segment. */
	if (in.lo < in.hi && segment_order(after ? in.hi - 1 : in.lo, at, word) == 0)
		return after ? in.hi : in.lo;
	while (in.lo < in.hi) {
		const struct route *middle = in.lo + (in.hi - in.lo) / 2;
		int order = segment_order(middle, at, word);
		if (order < 0 || (after && order == 0))
			in.lo = middle + 1;
		else
			in.hi = middle;
	}
	return in.lo;
}

static struct rows
narrow_rows(struct rows in, size_t at, const char *word)
{
	in.lo = find_bound(in, at, word, false);
	in.hi = find_bound(in, at, word, true);
	return in;
}

static bool match_segments(const struct path *p, size_t i, struct rows in, size_t at, struct rows *found);

static bool
is_variable(const struct route *row, size_t at)
{
	return row->path[at] == '/' && row->path[at + 1] == '{';
}

/* Continues with the rows that have a variable here. '{' sorts after every letter, so these rows are the last ones. */
static bool
descend_variable(const struct path *p, size_t i, struct rows in, size_t at, struct rows *found)
{
	const char *end;

	if (!is_variable(in.lo, at))
		in.lo = find_bound(in, at, "{", false);
	if (in.lo == in.hi)
		return false;
	end = strchr(in.lo->path + at, '}') + 1;
	/* "{name...}" takes the rest, so the descent ends. */
	if (end[-2] != '.')
		return match_segments(p, i + 1, in, (size_t)(end - in.lo->path), found);
	*found = in;
	return true;
}

/*
 * Finds the rows of the template that matches segments i and following. In all rows of `in`, `at`
 * is the offset of the slash before segment i.
 */
static bool
match_segments(const struct path *p, size_t i, struct rows in, size_t at, struct rows *found)
{
	struct rows same;

	if (i == p->n) {
		*found = narrow_rows(in, at, "");
		return found->lo < found->hi;
	}
	/* If the first row has a variable here, all rows have one, since variables sort last. */
	if (!is_variable(in.lo, at) && *p->part[i] != '{') {
		same = narrow_rows(in, at, p->part[i]);
		if (same.lo < same.hi && match_segments(p, i + 1, same, at + 1 + strlen(p->part[i]), found))
			return true;
	}
	return descend_variable(p, i, in, at, found);
}

/* True if the template ends with {name...}, whose value may end with a slash. */
static bool
takes_rest(const char *template)
{
	size_t n = strlen(template);

	return n > 4 && memcmp(template + n - 4, "...}", 4) == 0;
}

/* Store the values of the template's variables. */
static void
add_args(struct req *r, const char *template, const struct path *p)
{
	const char *s = template + 1, *end;
	size_t i;

	for (i = 0; i < p->n; i++, s = end + 1) {
		end = s + strcspn(s, "/");
		if (*s != '{')
			continue;
		if (end[-2] == '.') {
			add_arg(r, (struct str){ s + 1, (size_t)(end - s) - 5 }, join_rest(r->arena, p, i));
			return;
		}
		add_arg(r, (struct str){ s + 1, (size_t)(end - s) - 2 }, p->part[i]);
	}
}

static const char *
method_name(enum method m)
{
	static const char *const names[] = { [M_GET] = "GET", [M_POST] = "POST", [M_PUT] = "PUT",
		[M_PATCH] = "PATCH", [M_DELETE] = "DELETE" };

	return names[m];
}

static const char *
list_methods(struct arena *a, struct rows rows)
{
	struct buf b;

	buf_init(&b, a, 200);
	for (; rows.lo < rows.hi; rows.lo++) {
		buf_str(&b, method_name(rows.lo->method));
		buf_str(&b, rows.lo->method == M_GET ? ", HEAD, " : ", ");
	}
	buf_str(&b, "OPTIONS");
	return b.p;
}

int
route_find(struct req *r, const char *uri)
{
	enum method want = r->method == M_HEAD ? M_GET : r->method;
	struct rows all = { r->app->routes, r->app->routes + r->app->count }, found;
	const char *q = strchr(uri, '?');
	struct str raw = { uri, q == NULL ? strlen(uri) : (size_t)(q - uri) };
	const struct route *row;
	struct path p;

	if (raw.n > MAX_URI)
		return fail(r, E_URI_TOO_LONG, "the address is longer than %d bytes", MAX_URI);
	if (memchr(raw.p, '\\', raw.n) != NULL)
		return fail(r, E_BAD_REQUEST, "the path holds a backslash: in an address it is written %%5C");
	raw = url_below(r->set, r->io->param(r->io, "SCRIPT_NAME"), raw, "/v1");
	if (raw.n == 0)
		return fail(r, E_NOT_FOUND, "no such address: the API is below /v1/");
	if (split_path(r, str_slice(raw, raw.n > 4 ? 4 : raw.n, raw.n), &p) != 0)
		return -1;
	/* r->path is decoded: messages, page tokens and idempotency keys use it. */
	r->path = join_rest(r->arena, &p, 0);
	if (!match_segments(&p, 0, all, 0, &found))
		return fail(r, E_NOT_FOUND, "no such address: /v1/%s", r->path);
	if (p.slash && !takes_rest(found.lo->path))
		return fail_empty_segment(r);
	/* These are the rows of one path, one per method. */
	for (row = found.lo; row < found.hi; row++)
		r->closed |= row->access == OWN_PAGES;
	for (row = found.lo; row < found.hi && row->method != want; row++)
		;
	if (row < found.hi) {
		r->route = row;
		add_args(r, row->path, &p);
		return 0;
	}
	r->allow = list_methods(r->arena, found);
	/* OPTIONS needs no route or caller, because a preflight has no token (Fetch standard, section 4.8). */
	return r->method == M_OPTIONS ? 0 : fail(r, E_METHOD, "this address takes %s", r->allow);
}

static const struct route *
find_get_route(const struct app *app, const char *path, size_t n)
{
	size_t i;

	for (i = 0; i < app->count; i++)
		if (app->routes[i].method == M_GET && strlen(app->routes[i].path) == n &&
		    memcmp(app->routes[i].path, path, n) == 0)
			return &app->routes[i];
	return NULL;
}

const struct route *
route_matched(const struct app *app, const struct route *write)
{
	const struct route *get = find_get_route(app, write->path, strlen(write->path));
	const char *last = strrchr(write->path, '/');

	/* POST /things/{id}/merge changes the thing, so its tag is that of GET /things/{id}. */
	if (get != NULL || write->method != M_POST || last == write->path || last[1] == '{')
		return get;
	return find_get_route(app, write->path, (size_t)(last - write->path));
}
