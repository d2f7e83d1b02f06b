/*
 * Sorting and bisecting lists that may be empty.
 *
 * A list that nothing was added to is NULL here, and C11 (7.22.5) forbids qsort()
 * and bsearch() a NULL array even of no elements. So the code calls these instead;
 * tools/style.sh sees to it.
 */
#ifndef OCTAVO_SORT_H
#define OCTAVO_SORT_H

#include <stddef.h>
#include <stdlib.h>

/* qsort() that leaves lists of fewer than two elements alone; list may be NULL if n is 0. */
static inline void
sort_list(void *list, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n > 1)
		qsort(list, n, size, compare);
}

/* bsearch() in a list in the order of compare; NULL where it is empty or holds no equal. */
static inline void *
find_sorted(const void *key, const void *list, size_t n, size_t size,
    int (*compare)(const void *, const void *))
{
	return n == 0 ? NULL : bsearch(key, list, n, size, compare);
}

#endif
