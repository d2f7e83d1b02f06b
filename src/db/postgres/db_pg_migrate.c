/*
 * Schema versions of a PostgreSQL database: the one row of the table octavo_schema. An empty
 * database gets the wanted schema at once (db_pg_schema.c); later migrations follow one by one
 * (db_pg_step.c). Each is one transaction.
 */
#include <stdlib.h>

#include "db_pg.h"

int
pg_version(struct db *db)
{
	struct pg_db *p = pg_of(db);
	PGresult *r = pg_exec(p, "SELECT to_regclass('octavo_schema') IS NULL");
	int version = -1;

	if (pg_succeeded(p, r) && *p->pq->value(r, 0, 0) == 't') {
		version = 0;
	} else if (pg_succeeded(p, r)) {
		p->pq->clear(r);
		r = pg_exec(p, "SELECT version FROM octavo_schema");
		if (pg_succeeded(p, r) && p->pq->rows(r) == 1)
			version = (int)strtol(p->pq->value(r, 0, 0), NULL, 10);
	}
	p->pq->clear(r);
	return version;
}

/* Runs the text in a transaction if the database still has that version. The lock lets one program do so at a time. */
static bool
run_for_version(struct db *db, struct arena *a, int version, const char *text, const char **error)
{
	const char *ignored;
	bool ok;

	if (!db_script(db, a, "BEGIN; SELECT pg_advisory_xact_lock(6715246)", error))
		return false;
	ok = pg_version(db) != version || db_script(db, a, text, error);
	return db_script(db, a, ok ? "COMMIT" : "ROLLBACK", ok ? error : &ignored) && ok;
}

bool
pg_migrating(struct db *db, struct arena *a, bool begins, int version, const char **error)
{
	char *text;

	if (!begins || pg_version(db) != 0)
		return true;
	text = pg_schema(a, version, error);
	return text != NULL && run_for_version(db, a, 0, text, error);
}

bool
pg_migrate_one(struct db *db, struct arena *a, int version, const struct migration *m, const char **error)
{
	char *text = pg_translate_step(a, m->text, error);

	if (text != NULL && run_for_version(db, a, version,
	    arena_printf(a, "%sUPDATE octavo_schema SET version = %d;", text, version + 1), error))
		return true;
	*error = arena_printf(a, "schema %s: %s", m->name, *error);
	return false;
}
