/* The database as a file: its place, its identity, and the state of its log. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db_sqlite.h"

/*
 * Reads the file at the path and not the open descriptor: a restore replaces the file, while the
 * connection still has the old one open.
 */
bool
db_file_id(sqlite3 *h, struct db_file *out)
{
	const char *path = sqlite3_db_filename(h, "main");
	struct stat st;

	if (path == NULL || *path == '\0' || stat(path, &st) != 0)
		return false;
	*out = (struct db_file){ .device = (uint64_t)st.st_dev, .inode = (uint64_t)st.st_ino };
	return true;
}

bool
sqlite_outdated(struct db *db)
{
	return db->other_version != 0 || sqlite_file_replaced(db);
}

/*
 * SQLITE_CHECKPOINT_TRUNCATE waits for readers of the log. The log file itself is removed when the
 * last connection closes.
 */
bool
sqlite_truncate_log(struct db *db, struct arena *a, const char **error)
{
	sqlite3 *h = sqlite_of(db)->handle;

	if (sqlite3_wal_checkpoint_v2(h, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK)
		return true;
	*error = arena_strdup(a, sqlite3_errmsg(h));
	return false;
}

void
sqlite_forget_pages(struct db *db)
{
	/* Release the pages that SQLite keeps for the next transaction. */
	sqlite3_db_release_memory(sqlite_of(db)->handle);
}

enum { PIECE = 512 };   /* pages between two ticks */

/* Copy the pages into a new file, which needs no journal since no one else uses it. */
static bool
copy_pages(sqlite3 *from, sqlite3 *to, void (*tick)(void *, int64_t, int64_t), void *ctx)
{
	sqlite3_backup *b;
	int rc;

	sqlite3_exec(to, "PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF", NULL, NULL, NULL);
	if ((b = sqlite3_backup_init(to, "main", from, "main")) == NULL)
		return false;
	while ((rc = sqlite3_backup_step(b, PIECE)) == SQLITE_OK)
		if (tick != NULL)
			tick(ctx, sqlite3_backup_pagecount(b) - sqlite3_backup_remaining(b),
			    sqlite3_backup_pagecount(b));
	return sqlite3_backup_finish(b) == SQLITE_OK && rc == SQLITE_DONE;
}

static bool
sync_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

bool
db_rewrite(struct arena *a, const char *path, const char **error)
{
	sqlite3 *h = NULL;
	/*
	 * VACUUM works without our functions, as no index uses them. Switch WAL off meanwhile,
	 * since its file would hold everything.
	 */
	bool ok = sqlite3_open_v2(path, &h, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK && sqlite3_exec(h,
	    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; VACUUM; PRAGMA journal_mode=WAL", NULL, NULL, NULL) == SQLITE_OK;

	if (!ok)
		*error = arena_printf(a, "%s: %s", path, h == NULL ? "out of memory" : sqlite3_errmsg(h));
	sqlite3_close(h);
	if (ok && !(ok = sync_file(path)))
		*error = arena_printf(a, "%s: %s", path, strerror(errno));
	return ok;
}

bool
sqlite_copy(struct db *db, struct arena *a, const char *path, void (*tick)(void *, int64_t, int64_t),
    void *ctx, const char **error)
{
	const char *ignored;
	sqlite3 *to = NULL;
	bool ok;

	/*
	 * Use one snapshot for all pages: otherwise each write of another process restarts the
	 * copy.
	 */
	if (!db_script(db, a, "BEGIN; SELECT count(*) FROM sqlite_schema", error))
		return false;
	ok = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
	    copy_pages(sqlite_of(db)->handle, to, tick, ctx);
	if (!ok)
		*error = arena_printf(a, "%s: %s", path, to == NULL ? "out of memory" : sqlite3_errmsg(to));
	sqlite3_close(to);
	if (ok && !(ok = sync_file(path)))
		*error = arena_printf(a, "%s: %s", path, strerror(errno));
	/* End the snapshot: while it is open, the log cannot be reset. */
	db_script(db, a, "ROLLBACK", &ignored);
	return ok;
}
