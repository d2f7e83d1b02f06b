/*
 * Lists of what is wrong with conditions and expressions. Nothing is stored of them: all are found
 * for the count, and one page of the list is written.
 */
#ifndef OCTAVO_MADE_LISTS_H
#define OCTAVO_MADE_LISTS_H

#include "http/req.h"

struct fault_list {
	struct req *r;
	struct list list;
	int64_t     count, shown;
	const char *id, *n;      /* of the item that was written last: where the next page goes on */
	bool        more;
};

/* Opens the answer. 0 or fail(): the query names no page of this list. */
int fault_list_open(struct req *r, struct fault_list *f);

/*
 * One more fault: the nth (from 1) of the thing with this id. Things come by their ids in rising
 * order, which stays while nobody writes. True: it is of this page, and the caller writes it.
 */
bool fault_list_takes(struct fault_list *f, const char *id, int64_t n);

/* Closes the answer. 0, as a handler. */
int fault_list_close(struct fault_list *f);

#endif
