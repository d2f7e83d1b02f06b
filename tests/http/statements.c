/*
 * A helper of test_postgres.sh: prints the schema of a new database, then every declared statement
 * of every program, unchanged, but for those of the engine SQLite itself. Each is a record "where, name, text" that ends with a record
 * separator (RS, 0x1e); its three fields are separated by unit separators (US, 0x1f). Where is
 * `schema`, or the source file.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "db/db.h"

static void
print_record(const char *where, const char *name, const char *text)
{
	printf("%s\x1f%s\x1f%s\x1e", where, name, text);
}

static void
print_made(void *ctx, struct stmt *q)
{
	(void)ctx;
	print_record("schema", col_text(q, 0), col_text(q, 1));
}

static void
print_declared(void *ctx, const struct sql *sql)
{
	(void)ctx;
	if (strncmp(sql->file, "src/db/sqlite/", 14) == 0)
		return;
	print_record(sql->file, sql->name, sql->postgres != NULL ? sql->postgres : sql->text);
}

int
main(void)
{
	struct arena *a = arena_new(16 << 20);
	const char *error = NULL;
	char path[TEMP_MAX];
	struct db *db;
	bool ok;

	temp_dir(path);
	db = db_open(a, arena_printf(a, "%s/octavo.db", path), DB_CREATE, NULL, &error);
	/* The internal tables of a full-text table follow it in the list, and are left out. */
	ok = db != NULL && db_each(db, a,
	    "SELECT name, sql FROM sqlite_master m WHERE type IN ('table', 'index', 'view') AND sql IS NOT NULL"
	    " AND NOT EXISTS (SELECT 1 FROM sqlite_master v WHERE v.sql LIKE 'CREATE VIRTUAL%'"
	    " AND (m.name = v.name OR m.name LIKE v.name || '\\_%' ESCAPE '\\'))"
	    " ORDER BY type = 'view', type DESC, rowid", print_made, NULL, &error);
	if (ok)
		db_statements(print_declared, NULL);
	else
		fprintf(stderr, "statements: %s\n", error);
	if (db != NULL)
		db_close(db);
	arena_free(a);
	return ok ? 0 : 1;
}
