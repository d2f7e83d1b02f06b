/* The session with the server: what it is set to, whether it still lives, and failures. */
#include <stdio.h>
#include <string.h>

#include "db_pg.h"

/*
 * Texts are UTF-8, and a backslash in a literal has no special meaning, as in SQLite. If a program stops
 * within a transaction, or its machine is gone, the server ends the transaction or the session after a
 * minute, so that its locks and its names (db_hold()) are released. A statement may take as long as a web
 * server waits for an answer.
 * Statements are short: to compile one takes longer than to run it.
 */
static const char settings[] = "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET jit = off;"
    "SET client_min_messages = 'notice'; SET lock_timeout = '5s';"
    "SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;"
    "SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s'";

/* A trigger of site_change says so by a notice (db_pg_schema.c), which arrives before the statement ends. */
static void
on_notice(void *ctx, const PGresult *r)
{
	struct pg_db *p = ctx;
	const char *text = p->pq->result_field(r, 'M');

	if (text != NULL && strcmp(text, "octavo: site_change") == 0)
		p->db.shown = true;
}

bool
pg_succeeded(struct pg_db *p, const PGresult *r)
{
	ExecStatusType status = p->pq->result_status(r);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

PGresult *
pg_exec(struct pg_db *p, const char *text)
{
	return p->pq->exec(p->c, text);
}

/* NULL, or why a new session cannot be used. */
const char *
pg_begin_session(struct pg_db *p, struct arena *a)
{
	const char *error = NULL;
	PGresult *r;

	p->session++;
	p->live = false;
	if (p->pq->status(p->c) != CONNECTION_OK)
		return arena_strdup(a, p->pq->error(p->c));
	p->pq->on_notice(p->c, on_notice, p);
	r = pg_exec(p, settings);
	if (!pg_succeeded(p, r))
		error = arena_strdup(a, p->pq->error(p->c));
	p->pq->clear(r);
	return error;
}

/* The kind of failure that a SQLSTATE means (PostgreSQL's manual, appendix A). The first entry that begins it counts. */
static enum db_failure
failure_of(const char *state)
{
	static const struct { const char *begins; enum db_failure f; } kinds[] = {
		{ "40001", DB_AGAIN }, { "40P01", DB_AGAIN },      /* serialization, deadlock */
		/*
		 * Callers check before they insert, so a key that is taken was taken by a concurrent
		 * transaction (PostgreSQL's manual, "Serialization Failure Handling").
		 */
		{ "23505", DB_AGAIN }, { "23503", DB_AGAIN },
		{ "55P03", DB_BUSY }, { "57014", DB_BUSY },        /* lock_timeout, statement_timeout */
		{ "53100", DB_FULL }, { "53", DB_BUSY },           /* resources of the server */
		{ "57P", DB_AWAY }, { "08", DB_AWAY }, { "25P03", DB_AWAY }, { "25006", DB_AWAY },
		{ "XX001", DB_DAMAGED }, { "XX002", DB_DAMAGED }, { "58", DB_DAMAGED } };
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(state, kinds[i].begins, strlen(kinds[i].begins)) == 0)
			return kinds[i].f;
	return DB_ERROR;
}

static void fail_with_state(struct pg_db *p, const char *state, const char *what) __attribute__((noreturn));

/* state NULL: the server sent no SQLSTATE, so the connection was lost. */
static void
fail_with_state(struct pg_db *p, const char *state, const char *what)
{
	static char message[512];   /* static: must outlive the arena, which the handler may free */
	bool away = p->pq->status(p->c) != CONNECTION_OK;

	snprintf(message, sizeof(message), "%s: %s (%s)", what, p->pq->error(p->c), state == NULL ? "" : state);
	if (away)
		p->live = false;
	db_fail(&p->db, away || state == NULL ? DB_AWAY : failure_of(state), message);
}

void
pg_fail(struct pg_db *p, PGresult *r, const char *what)
{
	const char *found = p->pq->result_field(r, 'C');
	char state[6] = "";

	if (found != NULL)
		snprintf(state, sizeof(state), "%s", found);
	p->pq->clear(r);
	fail_with_state(p, found == NULL ? NULL : state, what);
}

void
pg_raise(struct db *db, const char *what)
{
	fail_with_state(pg_of(db), pg_of(db)->state, what);
}

void
pg_need_session(struct pg_db *p)
{
	if (p->pq->status(p->c) == CONNECTION_OK)
		return;
	/* A new session would not have the names that this one holds. */
	if (!p->db.holds)
		p->pq->reset(p->c);
	if (p->db.holds || pg_begin_session(p, p->db.arena) != NULL)
		fail_with_state(p, NULL, "connect");
}
