/*
 * Detects changes of what sites show (../db_shown.c) by SQLite's hooks, which also see SQL that is
 * not a declared statement.
 */
#include <string.h>

#include "db_sqlite.h"

static void
on_row(void *ctx, int operation, const char *database, const char *table, sqlite3_int64 row)
{
	struct db *db = ctx;

	(void)operation;
	(void)database;
	(void)row;
	if (strcmp(table, "site_change") == 0)
		db->shown = true;
}

/* A result other than 0 rolls the transaction back. */
static int
on_commit(void *ctx)
{
	return db_shown_commit(ctx) ? 0 : 1;
}

static void
on_rollback(void *ctx)
{
	((struct db *)ctx)->shown = false;
}

void
sqlite_shown_watch(struct db *db)
{
	sqlite3 *h = sqlite_of(db)->handle;

	/*
	 * SQLite does not call the update hook for WITHOUT ROWID tables (c3ref/update_hook.html):
	 * site_change has rowids.
	 */
	sqlite3_update_hook(h, on_row, db);
	sqlite3_commit_hook(h, on_commit, db);
	sqlite3_rollback_hook(h, on_rollback, db);
}
