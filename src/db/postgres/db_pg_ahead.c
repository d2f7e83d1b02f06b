/*
 * Statements that are run ahead: libpq's pipeline mode sends all of them before it reads the first
 * result (PostgreSQL's manual, "Pipeline Mode"). Contract: db_ahead() in db/db.h.
 *
 * A result belongs to the statement and the values of its parameters, as text. It stays valid until the
 * transaction ends, since a read transaction has one snapshot.
 */
#include <string.h>

#include "db_pg.h"

enum { KEY_MOST = 1 << 20 };

struct pg_ahead {
	struct pg_ahead *next;
	const struct pg_stmt *s;
	struct str       key;
	PGresult        *result;
};

/* Lengths before the values, so that different values never make one key. */
static struct str
key_of(struct arena *a, const struct pg_stmt *s)
{
	struct buf b;
	size_t n;
	int i;

	buf_init(&b, a, KEY_MOST);
	for (i = 0; i < s->count; i++) {
		if (s->values[i] == NULL) {
			buf_char(&b, '-');
			continue;
		}
		n = s->formats[i] == 1 ? (size_t)s->lengths[i] : strlen(s->values[i]);
		buf_printf(&b, "%zu:", n);
		buf_put(&b, (struct str){ s->values[i], n });
	}
	return buf_view(&b);
}

void
pg_ahead_drop(struct pg_db *p)
{
	struct pg_ahead *k;

	for (k = p->ahead; k != NULL; k = k->next)
		p->pq->clear(k->result);
	p->ahead = NULL;
	arena_reset(p->ahead_arena);
}

PGresult *
pg_ahead_take(struct pg_db *p, const struct pg_stmt *s)
{
	struct pg_ahead **k;
	PGresult *r;
	struct str key;

	if (p->ahead == NULL)
		return NULL;
	key = key_of(p->ahead_arena, s);
	for (k = &p->ahead; *k != NULL; k = &(*k)->next)
		if ((*k)->s == s && str_eq((*k)->key, key)) {
			r = (*k)->result;
			*k = (*k)->next;
			return r;
		}
	return NULL;
}

/* Reads the results of the runs in their order, and the end of the pipeline. Returns the first failure. */
static PGresult *
read_results(struct pg_db *p, const struct pg_stmt *s, const struct str *keys, size_t n)
{
	PGresult *r, *failed = NULL;
	struct pg_ahead *k;
	size_t i;

	for (i = 0; i < n; i++) {
		r = p->pq->get_result(p->c);
		/* A NULL follows the result of each run. */
		if (r != NULL)
			p->pq->clear(p->pq->get_result(p->c));
		if (r != NULL && pg_succeeded(p, r)) {
			k = arena_alloc(p->ahead_arena, sizeof(*k));
			*k = (struct pg_ahead){ p->ahead, s, keys[i], r };
			p->ahead = k;
		} else if (failed == NULL) {
			failed = r;
		} else {
			p->pq->clear(r);
		}
	}
	p->pq->clear(p->pq->get_result(p->c));
	return failed;
}

void
pg_ahead(struct db *db, const struct sql *sql, size_t n, void (*bind)(struct stmt *, size_t, void *), void *ctx)
{
	struct pg_db *p = pg_of(db);
	const struct pg_stmt *s = pg_stmt_of(db_use(db, sql));
	struct str *keys = arena_array(p->ahead_arena, n, sizeof(*keys));
	bool sent = s->session == p->session && p->pq->begin_pipeline(p->c);
	PGresult *failed;
	size_t i;

	if (!sent)
		return;
	for (i = 0; i < n && sent; i++) {
		bind(db_use(db, sql), i, ctx);
		keys[i] = key_of(p->ahead_arena, s);
		sent = p->pq->send(p->c, s->name, s->count, s->values, s->lengths, s->formats, 1) != 0;
	}
	sent = sent && p->pq->end_pipeline(p->c) != 0;
	failed = sent ? read_results(p, s, keys, n) : NULL;
	if (!p->pq->leave_pipeline(p->c) || failed != NULL)
		pg_fail(p, failed, sql->name);
}
