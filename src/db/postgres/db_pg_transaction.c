/*
 * Transactions of PostgreSQL. Writes are SERIALIZABLE: a conflict fails with DB_AGAIN at any
 * statement or at the commit, and the caller runs the whole transaction again. Reads have one
 * snapshot (REPEATABLE READ).
 *
 * The state of the data is the snapshot's text (pg_current_snapshot()): it says which transactions
 * are visible, so two equal texts read the same data. The schema's version and the text come with
 * BEGIN, in one round trip.
 *
 * A connection that is lost during COMMIT leaves open whether it happened. Each write transaction
 * knows its number, and a new session asks what became of it (pg_xact_status()).
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db_pg.h"

/* BEGIN with a query for the schema's version, the snapshot and, for a write, the number of the transaction. */
#define STATE "SELECT version, pg_current_snapshot()::text"
static const char begin_read[] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " STATE " FROM octavo_schema";
static const char begin_write[] = "BEGIN ISOLATION LEVEL SERIALIZABLE; " STATE ", pg_current_xact_id()::text FROM octavo_schema";

/* After a lost COMMIT the server is asked LOOKS times, every LOOK_MS, while the transaction is in progress there. */
enum { LOOKS = 20, LOOK_MS = 100 };

/* Keeps the snapshot of a transaction. If it is another one than before, the connection gets a new moment. */
static void
take_snapshot(struct pg_db *p, const char *text)
{
	/* Counts for all connections: what is cached by it may be shared by two of a process. */
	static unsigned moments;

	if (*p->snapshot != '\0' && strcmp(text, p->snapshot) == 0)
		return;
	p->moment = ++moments;
	if (snprintf(p->snapshot, sizeof(p->snapshot), "%s", text) >= (int)sizeof(p->snapshot))
		*p->snapshot = '\0';
}

/* Runs BEGIN. If the server has closed the connection meanwhile, connects again: nothing was lost, since nothing has begun. */
static PGresult *
run_begin(struct pg_db *p, const char *text)
{
	PGresult *r;

	pg_need_session(p);
	r = pg_exec(p, text);
	if (pg_succeeded(p, r) || p->pq->status(p->c) == CONNECTION_OK)
		return r;
	p->pq->clear(r);
	pg_need_session(p);
	return pg_exec(p, text);
}

void
pg_begin(struct db *db, bool write)
{
	struct pg_db *p = pg_of(db);
	PGresult *r = run_begin(p, write ? begin_write : begin_read);
	int version;

	p->live = p->pq->status(p->c) == CONNECTION_OK;
	if (!pg_succeeded(p, r))
		pg_fail(p, r, "BEGIN");
	db->open = true;
	db->write = write;
	/* 0: the table has no row, so the version is not known. */
	version = p->pq->rows(r) == 1 ? (int)strtol(p->pq->value(r, 0, 0), NULL, 10) : 0;
	if (version != 0)
		take_snapshot(p, p->pq->value(r, 0, 1));
	if (write && version != 0)
		snprintf(p->xid, sizeof(p->xid), "%s", p->pq->value(r, 0, 2));
	p->pq->clear(r);
	if (write)
		db_lock_taken(db);
	if (db->version != 0 && version != db->version) {
		db->other_version = version;
		db_fail_schema(db);
	}
}

/* Writers do not wait for each other. */
bool
pg_try_begin(struct db *db)
{
	pg_begin(db, true);
	return true;
}

static void
run_or_fail(struct pg_db *p, const char *text)
{
	PGresult *r = pg_exec(p, text);

	if (!pg_succeeded(p, r))
		pg_fail(p, r, text);
	p->pq->clear(r);
}

/* The first letter of the transaction's status: 'c' committed, 'a' aborted, 'i' in progress; 0: the server does not say. */
static char
look_up_commit(struct pg_db *p)
{
	char text[80], outcome = 0;
	PGresult *r;

	p->pq->reset(p->c);
	if (pg_begin_session(p, p->db.arena) != NULL)
		return 0;
	snprintf(text, sizeof(text), "SELECT pg_xact_status('%s'::xid8)", p->xid);
	r = pg_exec(p, text);
	if (pg_succeeded(p, r) && p->pq->rows(r) == 1)
		outcome = *p->pq->value(r, 0, 0);
	p->pq->clear(r);
	return outcome;
}

/* The connection was lost during COMMIT. Returns if it was committed. */
static void
find_outcome(struct db *db)
{
	struct pg_db *p = pg_of(db);
	char outcome = 'i';
	int i;

	for (i = 0; i < LOOKS && (outcome == 'i' || outcome == 0); i++) {
		if (i > 0)
			nanosleep(&(struct timespec){ 0, LOOK_MS * 1000000L }, NULL);
		outcome = look_up_commit(p);
	}
	if (outcome == 'c')
		return;
	if (outcome == 'a')
		db_fail(db, DB_AWAY, "COMMIT: the connection was lost, and nothing was changed");
	db_fail(db, DB_UNKNOWN, "COMMIT: the connection was lost, and it is unknown whether it happened");
}

void
pg_commit(struct db *db)
{
	struct pg_db *p = pg_of(db);
	PGresult *r;

	pg_ahead_drop(p);
	if (!db_shown_commit(db))
		db_fail(db, DB_ERROR, "COMMIT: ready-made pages cannot be dropped");
	r = pg_exec(p, "COMMIT");
	p->live = false;
	if (pg_succeeded(p, r)) {
		/* A transaction in which a statement failed is rolled back by COMMIT, without an error. */
		if (strcmp(p->pq->command(r), "COMMIT") != 0)
			db_fail(db, DB_ERROR, "COMMIT: a statement of the transaction has failed");
		p->pq->clear(r);
	} else if (db->write && p->pq->status(p->c) != CONNECTION_OK) {
		p->pq->clear(r);
		/* To look it up takes a new session, which others may have overtaken. */
		if (db->holds)
			db_fail(db, DB_UNKNOWN, "COMMIT: the connection was lost");
		find_outcome(db);
	} else {
		pg_fail(p, r, "COMMIT");
	}
	db_lock_let_go(db);
}

void
pg_rollback(struct db *db)
{
	struct pg_db *p = pg_of(db);

	pg_ahead_drop(p);
	if (p->live)
		p->pq->clear(pg_exec(p, "ROLLBACK"));
	p->live = false;
	db->shown = false;
}

void
pg_mark(struct db *db)
{
	run_or_fail(pg_of(db), "SAVEPOINT mark");
}

void
pg_keep(struct db *db)
{
	run_or_fail(pg_of(db), "RELEASE SAVEPOINT mark");
}

void
pg_undo(struct db *db)
{
	run_or_fail(pg_of(db), "ROLLBACK TO SAVEPOINT mark");
}

unsigned
pg_moment(struct db *db)
{
	return pg_of(db)->moment;
}

/* One round trip, in place of those of a transaction. A failure shows in the transaction that follows. */
bool
pg_unchanged(struct db *db, unsigned *moment)
{
	struct pg_db *p = pg_of(db);
	PGresult *r;
	bool same;

	assert(!db->open);
	*moment = p->moment;
	if (*p->snapshot == '\0' || p->pq->status(p->c) != CONNECTION_OK)
		return false;
	r = pg_exec(p, "SELECT pg_current_snapshot()::text");
	same = pg_succeeded(p, r) && strcmp(p->pq->value(r, 0, 0), p->snapshot) == 0;
	p->pq->clear(r);
	return same;
}

bool
pg_outdated(struct db *db)
{
	return db->other_version != 0;
}
