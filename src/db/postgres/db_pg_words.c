/*
 * Writes the posting lists of PostgreSQL: the table search_posting has one row for each term and
 * row of the index (db_pg_match.h describes its bytes). To remove a row of the index, the caller gives
 * its texts again, as for FTS5 (contentless): so the terms are known, and no index by row is needed.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>

#include "../db_terms.h"
#include "base/sort.h"
#include "db_pg_match.h"

SQL_TWO(q_add, NULL,
    "INSERT INTO search_posting (term, no, hits) SELECT u.term, :no, u.hits "
    "FROM unnest(CAST(:terms AS BYTEA[]), CAST(:hits AS BYTEA[])) AS u(term, hits)");
SQL_TWO(q_drop, NULL, "DELETE FROM search_posting WHERE no = :no AND term = ANY (CAST(:terms AS BYTEA[]))");
SQL_TWO(q_add_row, NULL, "INSERT INTO search_index_docsize (id) VALUES (:no)");
SQL_TWO(q_drop_row, NULL, "DELETE FROM search_index_docsize WHERE id = :no");

enum { TERMS_MOST = 1 << 30 };

/* A term at a position; n: its number among all, which keeps the order of equal ones. */
struct occurrence {
	struct str term;
	size_t     n;
	int        column, position;
};

/* All occurrences of terms in the texts of a row. */
struct collection {
	struct arena      *arena;
	struct occurrence *list;
	size_t             count, room;
	int                column;               /* the one that is being read */
	int                sizes[DB_COLUMNS];    /* number of positions in each column */
};

/* As FTS5: a term without a position of its own begins one, if it is the first of its column. */
static int
collect_term(void *ctx, int flags, const char *term, int n, int from, int to)
{
	struct collection *c = ctx;
	int *size = &c->sizes[c->column];

	(void)from;
	(void)to;
	if ((flags & TERM_COLOCATED) == 0 || *size == 0)
		++*size;
	c->list = arena_grow(c->arena, c->list, c->count, &c->room, sizeof(*c->list));
	c->list[c->count] = (struct occurrence){ { arena_strndup(c->arena, term, (size_t)n), (size_t)n }, c->count, c->column, *size - 1 };
	c->count++;
	return 0;
}

static int
by_term(const void *x, const void *y)
{
	const struct occurrence *a = x, *b = y;
	size_t n = a->term.n < b->term.n ? a->term.n : b->term.n;
	int order = memcmp(a->term.p, b->term.p, n);

	if (order == 0)
		order = (a->term.n > b->term.n) - (a->term.n < b->term.n);
	return order != 0 ? order : (a->n > b->n) - (a->n < b->n);
}

/* Writes a number of variable length: 7 bits in each byte, the lowest first (db_pg_match.h). */
static void
put_number(struct buf *b, uint32_t n)
{
	for (; n > 127; n >>= 7)
		buf_char(b, (char)(n & 127) | (char)128);
	buf_char(b, (char)n);
}

/* Writes sizes and hits (db_pg_match.h) of the term whose occurrences begin at index `at`. Returns their number. */
static size_t
put_hits(struct buf *b, const struct collection *c, size_t at)
{
	const struct occurrence *first = &c->list[at], *o;
	int column = 0, before = 0, i;

	for (i = 0; i < DB_COLUMNS; i++)
		put_number(b, (uint32_t)c->sizes[i]);
	for (o = first; o < c->list + c->count && str_eq(o->term, first->term); o++) {
		if (o->column != column) {
			put_number(b, 0);
			put_number(b, (uint32_t)o->column);
			before = 0;
		}
		put_number(b, (uint32_t)(o->position - before) + 1);
		column = o->column;
		before = o->position;
	}
	return (size_t)(o - first);
}

/* ---- arrays in the binary format (array_send() in arrayfuncs.c) ---- */

static void
put_32(struct buf *b, size_t n)
{
	uint32_t net = htonl((uint32_t)n);

	buf_add(b, &net, sizeof(net));
}

void
pg_array_begin(struct buf *b, struct arena *a)
{
	buf_init(b, a, TERMS_MOST);
	put_32(b, 1);           /* dimensions */
	put_32(b, 0);           /* no NULL */
	put_32(b, PG_BYTEA);
	put_32(b, 0);           /* number of elements: pg_array_add() counts */
	put_32(b, 1);           /* index of the first */
}

void
pg_array_add(struct buf *b, struct str s)
{
	uint32_t n;

	/* Counts the element in the fourth number of the header. */
	memcpy(&n, b->p + 12, sizeof(n));
	n = htonl(ntohl(n) + 1);
	memcpy(b->p + 12, &n, sizeof(n));
	put_32(b, s.n);
	buf_put(b, s);
}

/* ---- a row ---- */

static void
run_for_row(struct db *db, const struct sql *sql, int64_t row)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":no", row);
	stmt_run(q);
}

static void
run_for_terms(struct db *db, struct collection *c, int64_t row, bool drop)
{
	struct stmt *q = db_use(db, drop ? &q_drop : &q_add);
	struct buf terms, hits, one;
	size_t at, n;

	pg_array_begin(&terms, c->arena);
	pg_array_begin(&hits, c->arena);
	buf_init(&one, c->arena, TERMS_MOST);
	for (at = 0; at < c->count; at += n) {
		one.n = 0;
		n = put_hits(&one, c, at);
		pg_array_add(&terms, c->list[at].term);
		if (!drop)
			pg_array_add(&hits, buf_view(&one));
	}
	bind_int(q, ":no", row);
	bind_blob(q, ":terms", buf_view(&terms));
	if (!drop)
		bind_blob(q, ":hits", buf_view(&hits));
	stmt_run(q);
}

void
pg_write_words(struct db *db, int64_t row, const struct str columns[DB_COLUMNS], bool drop)
{
	struct pg_db *p = pg_of(db);
	struct collection c = { 0 };

	/* The connection's, so that a failure of a statement leaks nothing. */
	c.arena = p->words;
	for (; c.column < DB_COLUMNS; c.column++)
		terms_each(columns[c.column], collect_term, &c);
	sort_list(c.list, c.count, sizeof(*c.list), by_term);
	run_for_row(db, drop ? &q_drop_row : &q_add_row, row);
	if (c.count > 0)
		run_for_terms(db, &c, row, drop);
	arena_reset(p->words);
}
