/*
 * Statements that are run ahead: libpq's pipeline mode sends all of them before it reads the first
 * result (PostgreSQL's manual, "Pipeline Mode"). Contract: db_ahead() in db/db.h.
 *
 * A result belongs to the statement and the values of its parameters, as text. It stays valid until the
 * transaction ends, since a read transaction has one snapshot.
 */
#include <stdio.h>
#include <string.h>

#include "db_pg.h"

enum { KEY_MOST = 1 << 20 };

struct pg_ahead {
	struct pg_ahead *next;
	const struct pg_stmt *s;
	struct str       key;
	PGresult        *result;
};

/* Bytes of a parameter's value, which is not NULL. */
static struct str
value_of(const struct pg_stmt *s, int i)
{
	return (struct str){ s->values[i], s->formats[i] == 1 ? (size_t)s->lengths[i] : strlen(s->values[i]) };
}

/* Lengths before the values, so that different values never make one key. */
static struct str
key_of(struct arena *a, const struct pg_stmt *s)
{
	struct buf b;
	struct str value;
	int i;

	buf_init(&b, a, KEY_MOST);
	for (i = 0; i < s->count; i++) {
		if (s->values[i] == NULL) {
			buf_char(&b, '-');
			continue;
		}
		value = value_of(s, i);
		buf_printf(&b, "%zu:", value.n);
		buf_put(&b, value);
	}
	return buf_view(&b);
}

/* True if the key begins with these bytes, which are taken off then. */
static bool
take_off(struct str *key, struct str bytes)
{
	if (key->n < bytes.n || memcmp(key->p, bytes.p, bytes.n) != 0)
		return false;
	*key = str_slice(*key, bytes.n, key->n);
	return true;
}

/* True if key_of() would be this key; makes no copy, since a value may be large. */
static bool
has_key(const struct pg_stmt *s, struct str key)
{
	struct str value;
	char length[24];
	int i;

	for (i = 0; i < s->count; i++) {
		if (s->values[i] == NULL) {
			if (!take_off(&key, (struct str){ "-", 1 }))
				return false;
			continue;
		}
		value = value_of(s, i);
		snprintf(length, sizeof(length), "%zu:", value.n);
		if (!take_off(&key, str_of(length)) || !take_off(&key, value))
			return false;
	}
	return key.n == 0;
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

	for (k = &p->ahead; *k != NULL; k = &(*k)->next)
		if ((*k)->s == s && has_key(s, (*k)->key)) {
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

/*
 * A connection whose pipeline has no end runs nothing else: it is closed, and the transaction with it. A new session
 * would not have the names that this one holds, whose statements fail then, as after a lost connection.
 */
static void
end_session(struct pg_db *p, PGresult *failed)
{
	if (p->db.holds || p->pq->status(p->c) != CONNECTION_OK)
		return;
	p->pq->clear(failed);
	p->pq->reset(p->c);
	pg_begin_session(p, p->db.arena);
	db_fail(&p->db, DB_AWAY, "a pipeline could not be ended; its connection was closed");
}

void
pg_ahead(struct db *db, const struct sql *sql, size_t n, void (*bind)(struct stmt *, size_t, void *), void *ctx)
{
	struct pg_db *p = pg_of(db);
	const struct pg_stmt *s = pg_stmt_of(db_use(db, sql));
	struct str *keys = arena_array(p->ahead_arena, n, sizeof(*keys));
	PGresult *failed;
	bool left;
	size_t i;

	if (s->session != p->session || !p->pq->begin_pipeline(p->c))
		return;
	for (i = 0; i < n; i++) {
		bind(db_use(db, sql), i, ctx);
		keys[i] = key_of(p->ahead_arena, s);
		/* One that could not be sent is run as usual. */
		if (!p->pq->send(p->c, s->name, s->count, s->values, s->lengths, s->formats, 1))
			break;
	}
	failed = p->pq->end_pipeline(p->c) ? read_results(p, s, keys, i) : NULL;
	left = p->pq->leave_pipeline(p->c) != 0;
	if (!left)
		end_session(p, failed);
	if (!left || failed != NULL)
		pg_fail(p, failed, sql->name);
}
