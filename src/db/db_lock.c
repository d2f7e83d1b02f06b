/*
 * Locks beside rows: advisory locks of PostgreSQL. Contract: db/db.h, "Locks beside rows". A file has
 * one writer at a time, whose lock comes before these.
 */
#include "base/panic.h"
#include "db_engine.h"
#include "db_parts.h"

SQL_TWO(q_share, NULL, "SELECT pg_advisory_xact_lock_shared(:key)");
SQL_TWO(q_try, NULL, "SELECT pg_try_advisory_xact_lock(:key)");
SQL_TWO(q_take, NULL, "SELECT pg_advisory_lock(:key)");
SQL_TWO(q_release, NULL, "SELECT pg_advisory_unlock(:key)");

SQL_TWO(q_hold, NULL, "SELECT pg_try_advisory_lock(" DB_HOLD_CLASS ", hashtext(:name))");

/* An arbitrary number, after that of migrations (src/db/postgres/db_pg_migrate.c). */
enum { FIRST_KEY = 6715247 };

static struct stmt *
use_with_key(struct db *db, const struct sql *sql, enum db_lock lock)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":key", FIRST_KEY + (int)lock);
	return q;
}

void
db_share(struct db *db, enum db_lock lock)
{
	if (!db->engine->has_file)
		stmt_run(use_with_key(db, &q_share, lock));
}

bool
db_try_alone(struct db *db, enum db_lock lock)
{
	return db->engine->has_file || stmt_int(use_with_key(db, &q_try, lock), 0) != 0;
}

void
db_take_alone(struct db *db, enum db_lock lock)
{
	if (db_in_transaction(db))
		panic("a lock is taken after the transaction that it should precede");
	if (!db->engine->has_file)
		stmt_run(use_with_key(db, &q_take, lock));
}

void
db_release_alone(struct db *db, enum db_lock lock)
{
	if (!db->engine->has_file)
		stmt_run(use_with_key(db, &q_release, lock));
}

bool
db_hold(struct db *db, const char *name)
{
	struct stmt *q;

	if (db->engine->has_file)
		return true;
	q = db_use(db, &q_hold);
	bind_text(q, ":name", name);
	db->holds = stmt_int(q, 0) != 0;
	return db->holds;
}
