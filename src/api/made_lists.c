/*
 * Pages of the lists of faulty conditions and expressions. The lists are computed for each request.
 * The cursor (list.key) consists of the id of an object and the number of a fault within it, from
 * 1: the last fault of the previous page. Contract: api/made_lists.h.
 */
#include <assert.h>
#include <stdlib.h>

#include "api/made_lists.h"
#include "http/req.h"

int
fault_list_open(struct req *r, struct fault_list *f)
{
	*f = (struct fault_list){ .r = r };
	if (list_open(r, &f->list, 2) != 0)
		return -1;
	list_begin(r, &f->list);
	return 0;
}

/*
 * True if the fault comes after the cursor. On the first page there is no cursor, and every fault
 * does.
 */
static bool
is_after_cursor(const struct fault_list *f, const char *id, int64_t n)
{
	int c = f->list.key[0] == NULL ? 1 : strcmp(id, f->list.key[0]);

	return c > 0 || (c == 0 && n > strtoll(f->list.key[1], NULL, 10));
}

bool
fault_list_takes(struct fault_list *f, const char *id, int64_t n)
{
	assert(n > 0);
	f->count++;
	if (f->more || !is_after_cursor(f, id, n))
		return false;
	f->more = f->shown == f->list.limit;
	if (f->more)
		return false;
	f->shown++;
	f->id = id;
	f->n = arena_printf(f->r->arena, "%lld", (long long)n);
	return true;
}

int
fault_list_close(struct fault_list *f)
{
	const char *next[] = { f->id, f->n };

	/* With limit 0 no item was shown, so there is no cursor for a next page. */
	list_end(f->r, &f->list, f->count, f->more && f->shown > 0 ? next : NULL);
	return 0;
}
