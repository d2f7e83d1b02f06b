/*
 * Finds pages with an address near one that no page has: with a similar last segment, and the
 * nearest page above it.
 */
#include "reader_parts.h"

enum {
	LONGEST = 64,      /* maximum length of a segment that is compared */
	MOST = 20000       /* pages that are compared */
};

static const char *
last_segment(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int
min_of_three(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * The number of bytes to add, remove or replace (Levenshtein distance); limit + 1 if it exceeds
 * limit. Only a band of the table around the diagonal is computed, since all values outside exceed
 * limit (Ukkonen).
 */
static int
edit_distance(const char *a, int n, const char *b, int m, int limit)
{
	int row[LONGEST + 1], i, j, above, left, low;

	if (n > LONGEST || m > LONGEST || n - m > limit || m - n > limit)
		return limit + 1;
	for (j = 0; j <= m; j++)
		row[j] = j;
	for (i = 1; i <= n; i++) {
		j = i > limit ? i - limit : 1;
		left = row[j - 1];
		/*
		 * The first column is the number of removals. Left of the band is a value that
		 * exceeds limit.
		 */
		row[j - 1] = j == 1 ? i : limit + 1;
		for (low = row[j - 1]; j <= m && j <= i + limit; j++) {
			above = j == i + limit ? limit + 1 : row[j];
			row[j] = min_of_three(above + 1, row[j - 1] + 1, left + (a[i - 1] != b[j - 1]));
			left = above;
			low = row[j] < low ? row[j] : low;
		}
		/* The minimum of a row never decreases from row to row. */
		if (low > limit)
			return limit + 1;
	}
	return row[m];
}

/*
 * The nearest page above this address: the longest path that is a prefix of it. NULL: there is
 * none, except perhaps the first page of the space.
 */
static const struct page *
nearest_ancestor(struct view *s, const char *path)
{
	const struct page *over = NULL;
	size_t longest = 0, n;

	for (size_t i = 0; i < s->pages->count; i++) {
		const char *at = s->pages->order[i]->path;
		if (*at == *path && (n = strlen(at)) > longest && strncmp(at, path, n) == 0 && path[n] == '/') {
			over = s->pages->order[i];
			longest = n;
		}
	}
	return over;
}

size_t
nearest_pages(struct view *s, const char *path, const struct page **out, size_t max)
{
	const char *wanted = last_segment(path != NULL ? path : "");
	int far[16], length = (int)strnlen(wanted, LONGEST + 1), limit = length / 3, d;
	const struct page *over;
	size_t n = 0, at;

	if (s->v.space == NULL || path == NULL || *wanted == '\0')
		return 0;
	max = max < 16 ? max : 16;
	view_tree(s);
	for (size_t i = 0; i < s->pages->count && i < MOST; i++) {
		const struct page *p = s->pages->order[i];
		const char *last = last_segment(p->path);
		/* If the list is full, a page must be nearer than the last one in it. */
		int most = n == max && far[n - 1] <= limit ? far[n - 1] - 1 : limit;

		if (most < 0 || (d = edit_distance(wanted, length, last, (int)strnlen(last, LONGEST + 1), most)) > most)
			continue;
		/* Insert it in the order of distance; a full list drops its last page. */
		for (at = n < max ? n++ : n - 1; at > 0 && far[at - 1] > d; at--) {
			far[at] = far[at - 1];
			out[at] = out[at - 1];
		}
		far[at] = d;
		out[at] = p;
	}
	if (n < max && (over = nearest_ancestor(s, path)) != NULL) {
		for (at = 0; at < n && out[at] != over; at++)
			;
		if (at == n)
			out[n++] = over;
	}
	return n;
}
