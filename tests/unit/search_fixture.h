/* Results of a search in the fixture's space, as page ids in order. */
#ifndef OCTAVO_SEARCH_FIXTURE_H
#define OCTAVO_SEARCH_FIXTURE_H

#include "page_fixture.h"

#include "search/search.h"

/* Ids of the pages found, separated by spaces; their number in *count. */
static inline const char *
found_in(struct fixture *f, const char *space, const char *query, int64_t *count)
{
	struct search_found out = { .count = 0 };
	struct search_in in;
	struct buf b;
	size_t i;

	buf_init(&b, f->arena, 1 << 20);
	db_begin(f->db, false);
	if (search_find(f->db, f->arena, space, &in)) {
		search(f->db, f->arena, str_of(query), &in, 1, 100, NULL, &out);
		search_shown(f->db, f->arena, &out, 0, out.hit_count);
	}
	for (i = 0; i < out.hit_count; i++)
		buf_printf(&b, "%s%s", i > 0 ? " " : "", out.hits[i].page);
	db_rollback(f->db);
	*count = out.count;
	return b.n == 0 ? "" : b.p;
}

static inline void
finds(struct fixture *f, const char *query, const char *ids)
{
	int64_t count, n = *ids != '\0';
	const char *p;

	assert_string_equal(found_in(f, f->space, query, &count), ids);
	for (p = ids; *p != '\0'; p++)
		n += *p == ' ';
	assert_int_equal(count, n);
}

static inline void
finds_first(struct fixture *f, const char *query, const char *id)
{
	int64_t count;
	const char *ids = found_in(f, f->space, query, &count);

	if (strncmp(ids, id, strlen(id)) != 0)
		fail_msg("%s: %s", query, ids);
}

static inline void
page(struct fixture *f, const char *id, const char *title, const char *body)
{
	struct writing w = write_begin(f, f->space, f->branch);

	write_page(&w, id, title, "{}", body);
	write_end(&w);
}

#endif
