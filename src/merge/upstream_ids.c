/* The nodes of upstream in the order of their ids. Contract: upstream_parts.h. */
#include <string.h>

#include "upstream_parts.h"
#include "base/mapped.h"
#include "base/sort.h"

static uint64_t
first_bytes(const char *id)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < sizeof(n); i++) {
		n = n << 8 | (unsigned char)*id;
		id += *id != '\0';
	}
	return n;
}

static int
wanted_by_id(const void *x, const void *y)
{
	const struct wanted_key *a = x, *b = y;

	return a->first != b->first ? (a->first > b->first) - (a->first < b->first) :
	    strcmp(a->wanted->node.id, b->wanted->node.id);
}

void
wanted_sort(struct wanted_key *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++, mapped_trim())
		list[i].first = first_bytes(list[i].wanted->node.id);
	sort_list(list, n, sizeof(*list), wanted_by_id);
}

struct wanted *
wanted_of(const struct sides *s, const char *id)
{
	struct wanted wanted = { .node = { .id = id } };
	struct wanted_key key = { .first = first_bytes(id), .wanted = &wanted };
	const struct wanted_key *hit = find_sorted(&key, s->sorted, s->n, sizeof(*s->sorted), wanted_by_id);

	return hit == NULL ? NULL : hit->wanted;
}
