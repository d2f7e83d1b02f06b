/*
 * Lists of faulty conditions and expressions, which are not stored: each request finds all faults,
 * counts them, and writes those of one page of the list. Implemented in made_lists.c.
 */
#ifndef OCTAVO_MADE_LISTS_H
#define OCTAVO_MADE_LISTS_H

#include "http/req.h"

struct fault_list {
	struct req *r;
	struct list list;
	int64_t     count, shown;
	const char *id, *n;      /* of the last item written: the cursor of the next page */
	bool        more;
};

/* Begins the answer. 0, or fail() if the page token of the query is not of this list. */
int fault_list_open(struct req *r, struct fault_list *f);

/*
 * Counts one more fault: number n (from 1) of the object with this id. The caller must pass the
 * objects in ascending order of their ids, so that pages do not overlap while nothing is written.
 * True: the fault belongs to this page, and the caller must write it.
 */
bool fault_list_takes(struct fault_list *f, const char *id, int64_t n);

/* Ends the answer. Returns 0, as a handler. */
int fault_list_close(struct fault_list *f);

#endif
