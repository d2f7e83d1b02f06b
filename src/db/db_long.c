/*
 * Long work beside other writers, see db.h: how long the write lock is held, and who runs
 * checkpoints.
 */
#include <time.h>

#include "db_parts.h"

/*
 * Pages in the WAL from which on the committing connection checkpoints. Jobs do it earlier, so that
 * they pay for what they write.
 */
enum { WAL_PAGES = 1000, WAL_PAGES_JOB = 600, GIVE_WAY_MS = 2, GIVE_WAY_AFTER_MS = 10 };

/* Processor time of this process, in microseconds. */
static int64_t
work_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/*
 * Jobs and tests only: the clock of the processor is a system call, and requests begin thousands of
 * transactions.
 */
static bool
is_timed(const struct db *db)
{
	return db->job || db->after != NULL;
}

/* Called after a commit that wrote pages, with the lock released. */
static int
on_wal(void *ctx, sqlite3 *h, const char *name, int pages)
{
	struct db *db = ctx;

	db->unlocked_at = now_us();
	db->work_ended = is_timed(db) ? work_us() : 0;
	if (pages >= (db->job ? WAL_PAGES_JOB : WAL_PAGES))
		/*
		 * A passive checkpoint waits for no one; pages that readers need stay for a later
		 * one.
		 */
		sqlite3_wal_checkpoint_v2(h, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	return SQLITE_OK;
}

void
db_wal_watch(struct db *db)
{
	db->step = (db->job ? DB_STEP_MS : DB_STEP_REQUEST_MS) * 1000;
	sqlite3_wal_hook(db->handle, on_wal, db);
}

void
db_watch(struct db *db, int64_t step_us, void (*after)(void *), void *ctx)
{
	db->step = step_us;
	db->after = after;
	db->after_ctx = ctx;
}

/* Called once BEGIN IMMEDIATE has succeeded: the time before it was waiting, and does not count. */
void
db_lock_taken(struct db *db)
{
	db->locked_at = now_us();
	db->unlocked_at = 0;
	db->work_began = is_timed(db) ? work_us() : 0;
}

/*
 * A job that held the lock for long, in one transaction or several in a row, pauses so that other
 * writers, which try every 1.5 ms, can take it.
 */
void
db_lock_released(struct db *db)
{
	struct timespec t = { 0, GIVE_WAY_MS * 1000000 };
	int64_t held = (db->unlocked_at != 0 ? db->unlocked_at : now_us()) - db->locked_at;
	int64_t work = !is_timed(db) ? 0 : (db->unlocked_at != 0 ? db->work_ended : work_us()) - db->work_began;

	if (held > db->longest)
		db->longest = held;
	if (work > db->longest_work)
		db->longest_work = work;
	/*
	 * Work between two transactions counts as time for others if it took as long as the pause.
	 */
	db->held_in_row = db->locked_at - db->released_at > GIVE_WAY_MS * 1000 ? held : db->held_in_row + held;
	if (db->job && db->held_in_row > GIVE_WAY_AFTER_MS * 1000) {
		nanosleep(&t, NULL);
		db->held_in_row = 0;
	}
	db->released_at = now_us();
	if (db->after != NULL)
		db->after(db->after_ctx);
}

/* True if the write transaction has held the lock for as long as long work may. */
bool
db_due(struct db *db)
{
	return db->write && now_us() - db->locked_at >= db->step;
}

/*
 * Commit between two steps that each leave the data consistent. Others may write in between, so
 * nothing read before is valid afterwards.
 */
void
db_breathe(struct db *db)
{
	struct timespec t = { 0, GIVE_WAY_MS * 1000000 };

	if (!db_due(db))
		return;
	db_commit(db);
	/* For a job, db_lock_released() has paused. */
	if (!db->job)
		nanosleep(&t, NULL);
	db_begin(db, true);
}

int64_t
db_longest(struct db *db, bool reset)
{
	int64_t us = db->longest;

	if (reset)
		db->longest = 0;
	return us;
}

int64_t
db_longest_work(struct db *db, bool reset)
{
	int64_t us = db->longest_work;

	if (reset)
		db->longest_work = 0;
	return us;
}

void
db_checkpoint(struct db *db)
{
	int wait = db->busy_ms, pages = 0, done = 0;

	/* Give up if the database is busy: the next checkpoint does the work. */
	db->busy_ms = 0;
	sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, &pages, &done);
	/*
	 * Once everything is copied, truncating takes the lock only for a moment; if anyone reads
	 * or writes, skip it.
	 */
	if (pages == done)
		sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	db->busy_ms = wait;
}
