/* The write-ahead log: records when commits release the lock, and runs checkpoints. */
#include "db_sqlite.h"

/*
 * Number of WAL pages from which on a commit also checkpoints. Jobs checkpoint earlier, so that
 * requests need not do it for them.
 */
enum { WAL_PAGES = 1000, WAL_PAGES_JOB = 600 };

/* Called after a commit that wrote pages, with the lock released. */
static int
on_wal(void *ctx, sqlite3 *h, const char *name, int pages)
{
	struct db *db = ctx;

	db_lock_let_go(db);
	if (pages >= (db->job ? WAL_PAGES_JOB : WAL_PAGES))
		/*
		 * A passive checkpoint waits for no one; pages that readers need stay for a later
		 * one.
		 */
		sqlite3_wal_checkpoint_v2(h, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	return SQLITE_OK;
}

void
sqlite_log_watch(struct db *db)
{
	sqlite3_wal_hook(sqlite_of(db)->handle, on_wal, db);
}

void
sqlite_checkpoint(struct db *db)
{
	sqlite3 *h = sqlite_of(db)->handle;
	int wait = db->busy_ms, pages = 0, done = 0;

	/* Give up if the database is busy: the next checkpoint does the work. */
	db->busy_ms = 0;
	sqlite3_wal_checkpoint_v2(h, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, &done);
	/*
	 * Once everything is copied, truncating takes the lock only for a moment; if anyone reads
	 * or writes, skip it.
	 */
	if (pages == done)
		sqlite3_wal_checkpoint_v2(h, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	db->busy_ms = wait;
}
