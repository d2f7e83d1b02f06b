/*
 * Matches of long pages, whose words are in several rows of the index (search_division.c): the page
 * is found once, by its best part. The parts of a page match one by one: words that only different
 * parts have are not found together.
 */
#include "base/sort.h"
#include "search_parts.h"

/* Uses the partial index search_page_long: most spaces have no such rows. */
SQL(q_long,
    "SELECT e.no FROM search_reads r JOIN search_page e ON e.scope = r.scope AND e.division IS NOT NULL "
    "WHERE r.space = :space");
SQL(q_any, "SELECT EXISTS (SELECT 1 FROM search_page WHERE scope > 0 AND division IS NOT NULL)");
SQL(q_row, "SELECT sections, division FROM search_page WHERE no = :no");

struct long_pages {
	struct long_match *list;     /* in the order of `no` */
	size_t             n;
};

size_t
part_first(struct str division, size_t part)
{
	uint32_t v;

	/* Copy: a blob is not aligned. */
	memcpy(&v, division.p + (part - 1) * PART_BYTES, sizeof(v));
	return v;
}

int64_t
match_entry(struct db *db, struct db_match *m)
{
	int64_t part = row_part(m->row);
	struct str starts, division;
	struct db_hit *h;
	struct stmt *q;
	size_t first;

	/* No part: a short entry, or the first part of a long one. Its positions are those of the entry. */
	if (part == 0)
		return 0;
	m->row = row_entry(m->row);
	q = db_use(db, &q_row);
	bind_int(q, ":no", m->row);
	/* The entry was removed meanwhile: it has no hits. */
	if (!stmt_step(q)) {
		m->count = 0;
		return part;
	}
	starts = col_bytes(q, 0);
	division = col_bytes(q, 1);
	first = part_first(division, (size_t)part);
	for (h = m->hits; h < m->hits + m->count; h++)
		if (h->column == IN_BODY || h->column == IN_HEADING)
			h->position += (int)entry_section_start(starts, first, h->column == IN_HEADING);
	return part;
}

static int
by_number(const void *x, const void *y)
{
	const struct long_match *a = x, *b = y;

	return (a->no > b->no) - (a->no < b->no);
}

struct long_pages *
long_pages_of(struct db *db, struct arena *a, const struct space_group *g)
{
	struct stmt *q = db_use(db, &q_any);
	struct long_pages *l;
	size_t i, n, room = 0;

	/* Most installations have no long pages: one query finds that, instead of one for each space. */
	if (stmt_int(q, 0) == 0)
		return NULL;
	l = arena_alloc(a, sizeof(*l));
	*l = (struct long_pages){ NULL, 0 };
	for (i = 0; i < g->count; i++) {
		q = db_use(db, &q_long);
		bind_int(q, ":space", g->in[i].no);
		while (stmt_step(q)) {
			l->list = arena_grow(a, l->list, l->n, &room, sizeof(*l->list));
			l->list[l->n++] = (struct long_match){ .no = col_int(q, 0) };
		}
	}
	sort_list(l->list, l->n, sizeof(*l->list), by_number);
	/* Spaces of the group may read the same scope (a space and its duplicates), so remove repeated entries. */
	for (i = n = 0; i < l->n; i++)
		if (n == 0 || l->list[i].no != l->list[n - 1].no)
			l->list[n++] = l->list[i];
	l->n = n;
	return l;
}

bool
long_keep(struct arena *a, struct long_pages *l, const struct db_match *m, const struct verdict *v)
{
	struct long_match *page = l == NULL || l->n == 0 ? NULL :
	    find_sorted(&(struct long_match){ .no = m->row }, l->list, l->n, sizeof(*l->list), by_number);

	if (page == NULL)
		return false;
	if (page->hits != NULL && v->score <= page->verdict.score)
		return true;
	if (page->hits == NULL)
		page->hits = arena_array(a, KEPT_HITS, sizeof(*page->hits));
	page->verdict = *v;
	page->count = m->count < KEPT_HITS ? m->count : KEPT_HITS;
	memcpy(page->hits, m->hits, (size_t)page->count * sizeof(*page->hits));
	return true;
}

const struct long_match *
long_next(const struct long_pages *l, size_t *at, struct db_match *m)
{
	while (l != NULL && *at < l->n) {
		const struct long_match *page = &l->list[(*at)++];

		if (page->hits == NULL)
			continue;
		m->row = page->no;
		m->count = page->count;
		memcpy(m->hits, page->hits, (size_t)page->count * sizeof(*page->hits));
		return page;
	}
	return NULL;
}
