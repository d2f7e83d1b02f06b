/* Pages near an address that no page has: with a similar last segment, and the page above it. */
#include "reader_parts.h"

enum {
	LONGEST = 64,      /* bytes of a segment that are compared */
	MOST = 20000       /* pages that are compared */
};

static const char *
last_segment(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int
least(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/* How many bytes must be added, removed or replaced (Levenshtein distance). */
static int
distance_of(const char *a, const char *b)
{
	int row[LONGEST + 1], n = (int)strlen(a), m = (int)strlen(b), i, j, above, left;

	if (n > LONGEST || m > LONGEST)
		return strcmp(a, b) == 0 ? 0 : LONGEST;
	for (j = 0; j <= m; j++)
		row[j] = j;
	for (i = 1; i <= n; i++) {
		left = row[0];
		row[0] = i;
		for (j = 1; j <= m; j++) {
			above = row[j];
			row[j] = least(above + 1, row[j - 1] + 1, left + (a[i - 1] != b[j - 1]));
			left = above;
		}
	}
	return row[m];
}

/* The page at the address without its last segments; NULL: none but the first page. */
static const struct page *
page_over(struct view *s, const char *path)
{
	char *part = arena_strdup(s->arena, path), *slash;
	struct computed_page *c;
	struct page p;

	while ((slash = strrchr(part, '/')) != NULL) {
		*slash = '\0';
		if (*part != '\0' && visit_page_at(&s->v, s->v.space, part, &p, &c))
			return view_page(s, p.node.id);
	}
	return NULL;
}

size_t
nearest_pages(struct view *s, const char *path, const struct page **out, size_t max)
{
	const char *wanted = last_segment(path != NULL ? path : "");
	int far[16], limit = (int)strlen(wanted) / 3, d;
	const struct page *over;
	size_t n = 0, at;

	if (s->v.space == NULL || path == NULL || *wanted == '\0')
		return 0;
	max = max < 16 ? max : 16;
	view_tree(s);
	for (size_t i = 0; i < s->pages->count && i < MOST; i++) {
		const struct page *p = s->pages->order[i];
		if (visit_page_hidden(p) || (d = distance_of(wanted, last_segment(p->path))) > limit ||
		    (n == max && d >= far[n - 1]))
			continue;
		/* Insert it in order; the last one makes room. */
		for (at = n < max ? n++ : n - 1; at > 0 && far[at - 1] > d; at--) {
			far[at] = far[at - 1];
			out[at] = out[at - 1];
		}
		far[at] = d;
		out[at] = p;
	}
	if (n < max && (over = page_over(s, path)) != NULL) {
		for (at = 0; at < n && out[at] != over; at++)
			;
		if (at == n && !visit_page_hidden(over))
			out[n++] = over;
	}
	return n;
}
