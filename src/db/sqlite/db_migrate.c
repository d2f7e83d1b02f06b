/*
 * Schema versions of a file: PRAGMA user_version counts the applied migrations. Each migration and
 * its new number are one transaction, so that a killed migration leaves nothing. Foreign keys are
 * off meanwhile, since a table that others refer to can only be rebuilt by dropping the old one;
 * before the transaction ends all references are checked.
 */
#include "base/buf.h"
#include "db_sqlite.h"

static void
take_int(void *ctx, struct stmt *q)
{
	*(int *)ctx = (int)col_int(q, 0);
}

int
sqlite_version(struct db *db)
{
	struct arena *a = arena_new(1 << 16);
	const char *error;
	int version = -1;

	db_each(db, a, "PRAGMA user_version", take_int, &version, &error);
	arena_free(a);
	return version;
}

/* First row of pragma_foreign_key_check, for the message. */
struct breach {
	struct arena *arena;
	const char   *what;
};

static void
take_breach(void *ctx, struct stmt *q)
{
	struct breach *b = ctx;

	if (b->what == NULL)
		b->what = arena_strdup(b->arena, col_text(q, 0));
}

/* Check all references: with foreign keys off, SQLite did not. */
static bool
references_hold(struct db *db, struct arena *a, const char **error)
{
	struct breach b = { a, NULL };

	if (!db_each(db, a, "SELECT \"table\" || ' -> ' || parent FROM pragma_foreign_key_check",
	    take_breach, &b, error))
		return false;
	if (b.what != NULL)
		*error = arena_printf(a, "a reference leads nowhere: %s", b.what);
	return b.what == NULL;
}

bool
sqlite_migrate_one(struct db *db, struct arena *a, int version, const struct migration *m, const char **error)
{
	const char *text = arena_printf(a, "%s\nPRAGMA user_version=%d;", m->text, version + 1);
	const char *ignored;

	if (!db_script(db, a, "BEGIN IMMEDIATE", error))
		return false;
	/* Another process may have migrated while this one waited for the lock. */
	if (sqlite_version(db) != version)
		return db_script(db, a, "ROLLBACK", error);
	if (!db_script(db, a, text, error) || !references_hold(db, a, error)) {
		*error = arena_printf(a, "schema %s: %s", m->name, *error);
		db_script(db, a, "ROLLBACK", &ignored);
		return false;
	}
	return db_script(db, a, "COMMIT", error);
}

/*
 * The pragma has no effect inside a transaction (sqlite.org/pragma.html#pragma_foreign_keys), so
 * foreign keys are turned off before the first migration and on after the last.
 */
bool
sqlite_migrating(struct db *db, struct arena *a, bool begins, int version, const char **error)
{
	(void)version;
	return db_script(db, a, begins ? "PRAGMA foreign_keys=OFF" : "PRAGMA foreign_keys=ON", error);
}

/* ---- rows of another database (db/move.h) ---- */

struct receiving {
	struct buf before, after;
};

/* Rows that migrations add give way. The terms of search have none yet. */
static void
take_table(void *ctx, struct stmt *q)
{
	buf_printf(&((struct receiving *)ctx)->before, "DELETE FROM \"%s\";\n", col_text(q, 0));
}

static void
take_trigger(void *ctx, struct stmt *q)
{
	struct receiving *r = ctx;

	buf_printf(&r->before, "DROP TRIGGER \"%s\";\n", col_text(q, 0));
	buf_printf(&r->after, "%s;\n", col_text(q, 1));
}

/* Triggers would count rows that are counted already. References of the rows are checked before, at their server. */
bool
sqlite_receive(struct db *db, struct arena *a, bool again, const char **rest, const char **error)
{
	struct receiving r;

	(void)again;
	buf_init(&r.before, a, 1 << 20);
	buf_init(&r.after, a, 1 << 20);
	buf_str(&r.before, "PRAGMA foreign_keys=OFF;\nBEGIN IMMEDIATE;\n");
	if (!db_each(db, a, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid", take_trigger, &r, error) ||
	    !db_each(db, a, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' "
	    "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'search\\_index%' ESCAPE '\\'", take_table, &r, error))
		return false;
	*rest = r.after.p;
	return db_script(db, a, r.before.p, error);
}
