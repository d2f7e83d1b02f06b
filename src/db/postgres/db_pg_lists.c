/*
 * Posting lists of PostgreSQL, read forward. The first rows of all exact lists of a query come in one
 * round trip. Further rows are fetched when they are needed, from the wanted row on, so that the list of
 * a common word beside a rare one is not read whole. An open list is a cursor, so that the server sorts
 * its rows once. Only the rows of the last fetch of a list are in memory.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "db_pg_match.h"

/* Rows that a fetch brings. FIRST: of each list, by pg_lists_begin(); MORE: of one exact list; BEGINNING: of an open list. */
enum { FIRST = 200, MORE = 2000, BEGINNING = 1000 };

SQL_TWO(q_first, NULL,
    "SELECT t.n, l.no, l.hits FROM unnest(CAST(:terms AS BYTEA[])) WITH ORDINALITY AS t(term, n) CROSS JOIN LATERAL "
    "(SELECT p.no, p.hits FROM search_posting p WHERE p.term = t.term ORDER BY p.no LIMIT :most) l ORDER BY t.n, l.no");
SQL_TWO(q_more, NULL,
    "SELECT no, hits FROM search_posting WHERE term = CAST(:term AS BYTEA) AND no >= :from ORDER BY no LIMIT :most");

/* A bigint of a result in the binary format. */
static int64_t
number_at(const struct pg_db *p, const PGresult *r, int row, int column)
{
	uint64_t n;

	memcpy(&n, p->pq->value(r, row, column), sizeof(n));
	return (int64_t)be64toh(n);
}

struct pg_list *
pg_list_add(struct pg_lists *l, struct str term, const char *ranges)
{
	struct pg_list *list = arena_alloc(l->arena, sizeof(*list));

	list->term = term;
	list->ranges = ranges;
	l->list = arena_grow(l->arena, l->list, l->count, &l->room, sizeof(*l->list));
	l->list[l->count++] = list;
	return list;
}

static void
forget_rows(struct pg_lists *l, struct pg_list *list)
{
	if (list->result != NULL && !list->shared)
		l->p->pq->clear(list->result);
	list->result = NULL;
	list->shared = false;
}

/* Gives the list the rows of a result from `at` to before `to`. If they are fewer than `most`, the list has no more. */
static void
take_rows(struct pg_list *list, PGresult *r, int at, int to, int most)
{
	list->result = r;
	list->at = at;
	list->to = to;
	list->complete = to - at < most;
}

void
pg_lists_begin(struct pg_lists *l)
{
	struct stmt *q = db_use(&l->p->db, &q_first);
	struct buf terms;
	int at = 0, end, rows, n = 0;
	size_t i;

	pg_array_begin(&terms, l->arena);
	for (i = 0; i < l->count; i++)
		if (l->list[i]->ranges == NULL)
			pg_array_add(&terms, l->list[i]->term);
	bind_blob(q, ":terms", buf_view(&terms));
	bind_int(q, ":most", FIRST);
	l->first = pg_run_whole(q);
	rows = l->p->pq->rows(l->first);
	for (i = 0; i < l->count; i++) {
		if (l->list[i]->ranges != NULL)
			continue;
		for (n++, end = at; end < rows && number_at(l->p, l->first, end, 0) == n; end++)
			;
		take_rows(l->list[i], l->first, at, end, FIRST);
		l->list[i]->shared = true;
		l->list[i]->no = 1;
		l->list[i]->hits = 2;
		at = end;
	}
}

void
pg_lists_end(struct pg_lists *l)
{
	size_t i;

	for (i = 0; i < l->count; i++) {
		forget_rows(l, l->list[i]);
		/* The end of the transaction closes it, too; a search may be one of many. */
		if (l->list[i]->cursor[0] != '\0' && l->p->db.open && l->p->live)
			l->p->pq->clear(pg_exec(l->p, arena_printf(l->arena, "CLOSE %s", l->list[i]->cursor)));
	}
	if (l->first != NULL)
		l->p->pq->clear(l->first);
	l->first = NULL;
	l->count = 0;
}

/* ---- more rows ---- */

static void
fetch_exact(struct pg_lists *l, struct pg_list *list, int64_t from)
{
	struct stmt *q = db_use(&l->p->db, &q_more);
	PGresult *r;

	bind_blob(q, ":term", list->term);
	bind_int(q, ":from", from);
	bind_int(q, ":most", MORE);
	r = pg_run_whole(q);
	take_rows(list, r, 0, l->p->pq->rows(r), MORE);
	list->no = 0;
	list->hits = 1;
}

/* Fetches the next rows of an open list. `hits` are those of all terms in the row, each after its length (4 bytes). */
static void
fetch_beginning(struct pg_lists *l, struct pg_list *list)
{
	const char *declare = "";
	PGresult *r;

	if (list->cursor[0] == '\0') {
		snprintf(list->cursor, sizeof(list->cursor), "octavo%u", ++l->p->cursors);
		declare = arena_printf(l->arena, "DECLARE %s BINARY NO SCROLL CURSOR FOR "
		    "SELECT no, string_agg(int4send(length(hits)) || hits, '') FROM search_posting WHERE %s GROUP BY no ORDER BY no; ", list->cursor, list->ranges);
	}
	r = pg_exec(l->p, arena_printf(l->arena, "%sFETCH %d FROM %s", declare, BEGINNING, list->cursor));
	if (!pg_succeeded(l->p, r))
		pg_fail(l->p, r, "terms that begin so");
	take_rows(list, r, 0, l->p->pq->rows(r), BEGINNING);
	list->no = 0;
	list->hits = 1;
}

void
pg_list_seek(struct pg_lists *l, struct pg_list *list, int64_t from)
{
	while (list->row < from) {
		if (list->result != NULL)
			while (list->at < list->to && number_at(l->p, list->result, list->at, list->no) < from)
				list->at++;
		if (list->result != NULL && list->at < list->to) {
			list->row = number_at(l->p, list->result, list->at, list->no);
		} else if (list->result != NULL && list->complete) {
			list->row = INT64_MAX;
		} else {
			forget_rows(l, list);
			if (list->ranges == NULL)
				fetch_exact(l, list, from);
			else
				fetch_beginning(l, list);
		}
	}
}

/* ---- the bytes of a row ---- */

static uint32_t
take_number(const unsigned char **at, const unsigned char *end)
{
	uint32_t n = 0;
	int shift = 0;

	for (; *at < end && shift < 32; shift += 7) {
		n |= (uint32_t)(**at & 127) << shift;
		if ((*(*at)++ & 128) == 0)
			break;
	}
	return n;
}

static uint32_t
read_32(const char *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return be32toh(n);
}

void
pg_hits_add(struct arena *a, struct pg_hits *out, uint32_t hit)
{
	out->list = arena_grow(a, out->list, out->count, &out->room, sizeof(*out->list));
	out->list[out->count++] = hit;
}

/* Decodes the hits of one term (db_pg_match.h). Parameters: as in pg_list_hits(). */
static void
read_hits(struct arena *a, struct str bytes, unsigned columns, struct pg_hits *out, int *sizes)
{
	const unsigned char *at = (const unsigned char *)bytes.p, *end = at + bytes.n;
	uint32_t column = 0, position = 0, n;
	int i;

	for (i = 0; i < DB_COLUMNS; i++) {
		n = take_number(&at, end);
		if (sizes != NULL)
			sizes[i] = (int)n;
	}
	while (at < end) {
		if ((n = take_number(&at, end)) == 0) {
			column = take_number(&at, end) & (DB_COLUMNS - 1);
			position = 0;
			continue;
		}
		position += n - 1;
		if (columns >> column & 1)
			pg_hits_add(a, out, column << PG_COLUMN | position);
	}
}

/* Merges the hits from `middle` on with those before it, each once. */
static void
merge_hits(struct pg_lists *l, struct pg_hits *h, size_t middle)
{
	struct pg_hits *out = &l->merged;
	size_t i = 0, k = middle;
	uint32_t hit;

	for (out->count = 0; i < middle || k < h->count;) {
		hit = k == h->count || (i < middle && h->list[i] <= h->list[k]) ? h->list[i++] : h->list[k++];
		if (out->count == 0 || out->list[out->count - 1] != hit)
			pg_hits_add(l->arena, out, hit);
	}
	memcpy(h->list, out->list, out->count * sizeof(*out->list));
	h->count = out->count;
}

void
pg_list_hits(struct pg_lists *l, const struct pg_list *list, unsigned columns, struct pg_hits *out, int *sizes)
{
	const struct libpq *pq = l->p->pq;
	struct str all = { pq->value(list->result, list->at, list->hits), (size_t)pq->length(list->result, list->at, list->hits) };
	size_t middle, from, n;

	/* In an open list the hits of several terms follow each other, each after its length; an exact list has those of one. */
	for (from = 0; from < all.n; from += n) {
		n = all.n;
		if (list->ranges != NULL) {
			n = (size_t)read_32(all.p + from);
			from += 4;
		}
		middle = out->count;
		read_hits(l->arena, str_slice(all, from, from + n), columns, out, sizes);
		if (middle > 0 && out->count > middle)
			merge_hits(l, out, middle);
	}
}
