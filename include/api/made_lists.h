/*
 * Lists of faulty conditions and expressions. They are not stored: all are computed for the count,
 * and one page of the list is written. Implemented in made_lists.c.
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

/* Opens the answer. 0 or fail(): the query's page token is not of this list. */
int fault_list_open(struct req *r, struct fault_list *f);

/*
 * Counts one more fault: the nth (from 1) of the object with this id. Objects must come in
 * ascending order of ids, so that the pages are stable while nothing is written. True: it belongs
 * to this page, and the caller writes it.
 */
bool fault_list_takes(struct fault_list *f, const char *id, int64_t n);

/* Closes the answer. Returns 0, as a handler. */
int fault_list_close(struct fault_list *f);

#endif
