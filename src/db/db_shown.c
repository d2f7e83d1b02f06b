/*
 * Commits that change what published sites show first remove, under the write lock, the pages that
 * the web server sends without a program (base/served.h).
 *
 * Triggers on each table that sites show count in the row of site_change
 * (schema/0032_site_change.sql), which SQLite's update hook sees. The hooks also see SQL that is no
 * declared statement.
 */
#include <errno.h>
#include <stdio.h>

#include "base/log.h"
#include "base/served.h"
#include "db_parts.h"

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
	struct db *db = ctx;

	if (db->shown && !served_drop(db->dir)) {
		log_line("%s/cache/served: cannot be moved away: %s; nothing that sites show can change",
		    db->dir, strerror(errno));
		return 1;
	}
	db->shown = false;
	return 0;
}

static void
on_rollback(void *ctx)
{
	((struct db *)ctx)->shown = false;
}

void
db_shown_watch(struct db *db, const char *path)
{
	const char *slash = strrchr(path, '/');

	db->dir = slash == NULL ? "." : arena_strndup(db->arena, path, (size_t)(slash - path));
	/*
	 * SQLite does not call the update hook for WITHOUT ROWID tables (c3ref/update_hook.html):
	 * site_change has rowids.
	 */
	sqlite3_update_hook(db->handle, on_row, db);
	sqlite3_commit_hook(db->handle, on_commit, db);
	sqlite3_rollback_hook(db->handle, on_rollback, db);
}
