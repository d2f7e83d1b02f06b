/*
 * Long work beside other writers (see db.h): measures how long the write lock is held, and detects
 * connections that wait for it.
 */
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/priority.h"
#include "base/spare.h"
#include "db_parts.h"

enum { GIVE_WAY_MS = 2, GIVE_WAY_AFTER_MS = 10 };

/*
 * LEAST_STEP_US: long work releases the lock after this time if others wait; with shorter steps,
 * commits would take longer than the rows. WAITING_US: a waiting writer renews the time in
 * DIR/run/writers every 1.5 ms (on_busy() in db_sqlite.c); an older time was written by a process
 * that no longer waits. PATIENCE_MS: the longest pause, so that long work continues beside any
 * number of writers.
 */
enum { LEAST_STEP_US = 2000, WAITING_US = 10000, PATIENCE_MS = 20, LOOK_US = 500 };

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

/* ---- who waits ---- */

/*
 * The file is missing in a data directory without requests, such as a copy that a backup makes.
 * Then waiting writers are not detected.
 */
void
db_long_open(struct db *db)
{
	char path[PATH_MAX];
	int fd;

	db->step = (db->job ? DB_STEP_MS : DB_STEP_REQUEST_MS) * 1000;
	if (snprintf(path, sizeof(path), "%s/run/writers", db->dir) >= (int)sizeof(path))
		return;
	if ((db->waiting = disk_map(path, sizeof(*db->waiting), &fd)) != NULL)
		close(fd);
}

void
db_long_close(struct db *db)
{
	if (db->waiting != NULL)
		munmap(db->waiting, sizeof(*db->waiting));
	db->waiting = NULL;
}

void
db_lock_missed(struct db *db)
{
	db->waits = true;
	if (db->waiting != NULL)
		__atomic_store_n(db->waiting, now_us(), __ATOMIC_RELEASE);
}

/* Clears the shared time. Other waiting writers set it again within 1.5 ms. */
static void
end_waiting(struct db *db)
{
	if (db->waits && db->waiting != NULL)
		__atomic_store_n(db->waiting, 0, __ATOMIC_RELEASE);
	db->waits = false;
}

/* True if another connection waits for the lock. A time in the future is from before a reboot. */
static bool
others_wait(const struct db *db)
{
	int64_t now = now_us(), since = db->waiting == NULL ? 0 : __atomic_load_n(db->waiting, __ATOMIC_ACQUIRE);

	return since != 0 && since <= now && now - since < WAITING_US;
}

static void
pause_us(long us)
{
	struct timespec t = { 0, us * 1000 };

	nanosleep(&t, NULL);
}

/* Waits, with the lock released, until a waiting writer has taken it. */
static void
give_way(const struct db *db)
{
	int i;

	if (!others_wait(db))
		pause_us(GIVE_WAY_MS * 1000);
	for (i = 0; i < PATIENCE_MS * 1000 / LOOK_US && others_wait(db); i++)
		pause_us(LOOK_US);
}

/* ---- transactions ---- */

/*
 * Jobs and tests only: the clock of the processor is a system call, and requests begin thousands of
 * transactions.
 */
static bool
is_timed(const struct db *db)
{
	return db->job || db->after != NULL;
}

/*
 * Notes when the commit released the lock: what the engine does afterwards does not count as
 * holding it.
 */
void
db_lock_let_go(struct db *db)
{
	db->unlocked_at = now_us();
	db->work_ended = is_timed(db) ? work_us() : 0;
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
	end_waiting(db);
	priority_lock();
	db->locked_at = now_us();
	db->unlocked_at = 0;
	db->work_began = is_timed(db) ? work_us() : 0;
}

/*
 * A job pauses if others wait for the lock, or if it held it for long, in one transaction or several
 * in a row, so that others can take it.
 */
void
db_lock_released(struct db *db)
{
	int64_t held = (db->unlocked_at != 0 ? db->unlocked_at : now_us()) - db->locked_at;
	int64_t work = !is_timed(db) ? 0 : (db->unlocked_at != 0 ? db->work_ended : work_us()) - db->work_began;

	priority_unlock();
	if (held > db->longest)
		db->longest = held;
	if (work > db->longest_work)
		db->longest_work = work;
	/*
	 * Work between two transactions counts as time for others if it took as long as the pause.
	 */
	db->held_in_row = db->locked_at - db->released_at > GIVE_WAY_MS * 1000 ? held : db->held_in_row + held;
	if (db->job && (db->held_in_row > GIVE_WAY_AFTER_MS * 1000 || others_wait(db))) {
		give_way(db);
		db->held_in_row = 0;
	}
	db->released_at = now_us();
	if (db->after != NULL)
		db->after(db->after_ctx);
}

/*
 * True if long work should end its step: the write transaction has held the lock for a step, or for
 * LEAST_STEP_US while others wait for it.
 */
bool
db_due(struct db *db)
{
	int64_t held = now_us() - db->locked_at;

	return db->write && (held >= db->step || (held >= LEAST_STEP_US && others_wait(db)));
}

/*
 * The caller must have left the data consistent. Others may write between the two transactions, so
 * the caller must read its data again.
 */
void
db_breathe(struct db *db)
{
	if (!db_due(db))
		return;
	db_commit(db);
	/* For a job, db_lock_released() has paused. */
	if (!db->job)
		give_way(db);
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
