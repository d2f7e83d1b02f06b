/*
 * Sorts and searches lists that may be empty.
 *
 * An empty list is NULL here, but C11 (7.22.5) forbids passing NULL to qsort() and bsearch(), even
 * for no elements. So the code calls these functions instead; tools/style.sh checks this.
 */
#ifndef OCTAVO_SORT_H
#define OCTAVO_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mapped.h"

/* Lists that are longer may be in mapped memory (base/mapped.h), which is then trimmed while they are sorted. */
enum { SORT_LONG = 10000 };

struct sort_order {
	int (*compare)(const void *, const void *);
};

static inline int
sort_compare_trimming(const void *x, const void *y, void *order)
{
	mapped_trim();
	return ((const struct sort_order *)order)->compare(x, y);
}

/* As qsort(); lists of fewer than two elements are not touched. list may be NULL if n is 0. */
static inline void
sort_list(void *list, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	struct sort_order order = { compare };

	if (n > SORT_LONG)
		qsort_r(list, n, size, sort_compare_trimming, &order);
	else if (n > 1)
		qsort(list, n, size, compare);
}

/*
 * As bsearch(), in a list that is sorted by compare. NULL if no element is equal; list may be NULL
 * if n is 0.
 */
static inline void *
find_sorted(const void *key, const void *list, size_t n, size_t size,
    int (*compare)(const void *, const void *))
{
	const char *from = list, *at;
	int c;

	/* The same as bsearch(), which would read dozens of pages of mapped memory before the next trim. */
	for (; n > SORT_LONG; mapped_trim()) {
		at = from + n / 2 * size;
		if ((c = compare(key, at)) == 0)
			return (void *)(uintptr_t)at;
		from = c < 0 ? from : at + size;
		n = c < 0 ? n / 2 : n - n / 2 - 1;
	}
	return n == 0 ? NULL : bsearch(key, from, n, size, compare);
}

#endif
