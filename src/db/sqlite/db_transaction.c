/* Transactions of SQLite: its one write lock, snapshots, savepoints. */
#include "db_sqlite.h"

SQL(q_begin, "BEGIN");
SQL(q_begin_write, "BEGIN IMMEDIATE");
SQL(q_moment, "SELECT n FROM site_change WHERE id = 1");
SQL(q_commit, "COMMIT");
SQL(q_rollback, "ROLLBACK");
SQL(q_mark, "SAVEPOINT mark");
SQL(q_undo, "ROLLBACK TO mark");
SQL(q_release, "RELEASE mark");

static struct stmt *
use_prepared(struct db *db, const struct sql *sql)
{
	struct stmt *q = &db->stmts[*sql->slot];

	if (q->own == NULL) {
		q->sql = sql;
		sqlite_prepare(q);
	}
	return q;
}

/*
 * Runs BEGIN, COMMIT and the like without the version check, injected failures, and the list of
 * used statements.
 */
static int
run_plain(struct db *db, const struct sql *sql)
{
	struct stmt *q = use_prepared(db, sql);
	int rc = sqlite3_step(q->own);

	sqlite3_reset(q->own);
	return rc;
}

static void
run_or_raise(struct db *db, const struct sql *sql, const char *what)
{
	if (run_plain(db, sql) != SQLITE_DONE)
		sqlite_raise(db, what);
}

/* A transaction was opened. A write transaction already has its snapshot. */
static void
note_begin(struct db *db, bool write)
{
	struct sqlite_db *s = sqlite_of(db);

	db->open = true;
	db->write = write;
	s->compared = false;
	if (!write)
		return;
	db_lock_taken(db);
	/* Check only before the first write: one stat() per write transaction, none for reads. */
	if (sqlite_file_replaced(db))
		db_fail_schema(db);
	sqlite_compare_version(s);
}

void
sqlite_begin(struct db *db, bool write)
{
	/* Prepare ROLLBACK now: when it is needed, memory may be short. */
	use_prepared(db, &q_rollback);
	if (!write)
		sqlite_unchanged_before(sqlite_of(db));
	run_or_raise(db, write ? &q_begin_write : &q_begin, "BEGIN");
	note_begin(db, write);
}

bool
sqlite_try_begin(struct db *db)
{
	int wait = db->busy_ms;
	bool got;

	/* As in sqlite_begin(). */
	use_prepared(db, &q_rollback);
	db->busy_ms = 0;
	got = run_plain(db, &q_begin_write) == SQLITE_DONE;
	db->busy_ms = wait;
	if (got)
		note_begin(db, true);
	return got;
}

void
sqlite_commit(struct db *db)
{
	run_or_raise(db, &q_commit, "COMMIT");
	sqlite_of(db)->compared = true;
}

void
sqlite_rollback(struct db *db)
{
	/* After some errors SQLite has rolled back already. */
	if (!sqlite3_get_autocommit(sqlite_of(db)->handle))
		run_plain(db, &q_rollback);
	sqlite_of(db)->compared = true;
}

void
sqlite_mark(struct db *db)
{
	run_or_raise(db, &q_mark, "SAVEPOINT");
}

void
sqlite_keep(struct db *db)
{
	run_or_raise(db, &q_release, "RELEASE");
}

void
sqlite_undo(struct db *db)
{
	run_or_raise(db, &q_undo, "ROLLBACK TO");
}

unsigned
sqlite_moment(struct db *db)
{
	struct sqlite_db *s = sqlite_of(db);
	unsigned moment;

	/*
	 * A read transaction gets its snapshot with its first step: take one, so that changes are
	 * counted from here.
	 */
	if (!s->compared)
		stmt_int(db_use(db, &q_moment), 0);
	moment = sqlite_data_version(s);
	if (db->open && !db->write)
		sqlite_unchanged_at(s, moment);
	return moment;
}
