/* Detecting, without a transaction, whether anyone has committed since a transaction read (db_unchanged() in db/db.h). */
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db_fixture.h"

enum { COMMITS = 400, SEEDS = 12, STEPS = 150 };

SQL(q_count, "UPDATE org SET title = CAST(title AS INTEGER) + 1 WHERE id = :id");
SQL(q_counted, "SELECT CAST(title AS INTEGER) FROM org WHERE id = :id");
SQL(q_nothing, "UPDATE org SET title = 7 WHERE id = ''");

static struct db *
opened(struct fixture *f, const char *path)
{
	const char *error = NULL;
	struct db *db = db_open(f->arena, path, DB_READ_WRITE, &(struct db_options){ .relaxed = true }, &error);

	assert_null(error);
	return db;
}

static struct db *
another(struct fixture *f)
{
	return opened(f, arena_printf(f->arena, "%s/octavo.db", f->dir));
}

static void
count(struct fixture *f, struct db *db)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_count);
	bind_text(q, ":id", f->org);
	assert_int_equal(stmt_run(q), 1);
	db_commit(db);
}

/* The counter, read in the current transaction. */
static int64_t
counted(struct fixture *f, struct db *db)
{
	struct stmt *q = db_use(db, &q_counted);

	bind_text(q, ":id", f->org);
	return stmt_int(q, -1);
}

static unsigned
moment_of(struct db *db)
{
	unsigned moment;

	db_begin(db, false);
	moment = db_moment(db);
	db_rollback(db);
	return moment;
}

static bool
still(struct db *db)
{
	unsigned moment;

	return db_unchanged(db, &moment);
}

static void
without_a_look_nothing_is_still(void **state)
{
	struct fixture *f = *state;

	assert_false(still(f->db));
	db_begin(f->db, false);
	counted(f, f->db);
	db_rollback(f->db);
	assert_false(still(f->db));
}

static void
a_database_is_still_until_a_commit(void **state)
{
	struct fixture *f = *state;
	struct db *other = another(f);
	unsigned moment, then = moment_of(f->db);

	assert_true(db_unchanged(f->db, &moment));
	assert_int_equal(moment, then);
	/* For each connection separately. */
	assert_false(still(other));
	count(f, f->db);
	assert_false(still(f->db));
	moment_of(f->db);
	moment_of(other);
	assert_true(still(f->db) && still(other));
	count(f, other);
	assert_false(still(f->db) || still(other));
	/* It never becomes still again. */
	assert_false(still(f->db));
	db_close(other);
}

static void
an_empty_commit_changes_nothing(void **state)
{
	struct fixture *f = *state;
	unsigned then = moment_of(f->db), moment;

	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_nothing));
	db_commit(f->db);
	assert_true(db_unchanged(f->db, &moment));
	assert_int_equal(moment, then);
	db_begin(f->db, true);
	token_make(f->db, f->arena, f->user, "read", "", 0);
	db_rollback(f->db);
	assert_true(still(f->db));
}

/* A commit before the snapshot is taken, or after it: in both cases the moment is unknown. */
static void
a_commit_meanwhile_is_not_missed(void **state)
{
	struct fixture *f = *state;
	struct db *other = another(f);

	db_begin(f->db, false);
	count(f, other);
	assert_int_equal(counted(f, f->db), 1);
	db_moment(f->db);
	db_rollback(f->db);
	assert_false(still(f->db));
	db_begin(f->db, false);
	assert_int_equal(counted(f, f->db), 1);
	count(f, other);
	db_moment(f->db);
	assert_int_equal(counted(f, f->db), 1);
	db_rollback(f->db);
	assert_false(still(f->db));
	/* Data read in a write transaction has no moment before it commits. */
	db_begin(f->db, true);
	db_moment(f->db);
	db_rollback(f->db);
	assert_false(still(f->db));
	db_close(other);
}

/* A checkpoint restarts the log: the data is the same, but it may count as changed. Then the log is written again. */
static void
a_checkpoint_is_not_still(void **state)
{
	struct fixture *f = *state;
	struct db *other = another(f);
	const char *error = NULL;

	moment_of(f->db);
	assert_true(db_truncate_wal(other, f->arena, &error));
	count(f, other);
	assert_false(still(f->db));
	moment_of(f->db);
	assert_true(still(f->db));
	db_begin(f->db, false);
	assert_int_equal(counted(f, f->db), 1);
	db_rollback(f->db);
	db_close(other);
}

/* Without a WAL there is no index, and none is created. */
static void
without_a_log_nothing_is_still(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(f->arena, "%s/copy.db", f->dir), *error = NULL;
	struct db *db;

	assert_true(db_copy(f->db, f->arena, path, NULL, NULL, &error));
	db = opened(f, path);
	assert_true(db_script(db, f->arena, "PRAGMA journal_mode=DELETE", &error));
	db_close(db);
	db = opened(f, path);
	moment_of(db);
	moment_of(db);
	assert_false(still(db));
	assert_int_not_equal(access(arena_printf(f->arena, "%s-shm", path), F_OK), 0);
	db_close(db);
}

/* A header whose writer was killed between its two copies. */
static void
a_torn_header_is_not_still(void **state)
{
	struct fixture *f = *state;
	FILE *index = fopen(arena_printf(f->arena, "%s/octavo.db-shm", f->dir), "r+");
	int byte;

	moment_of(f->db);
	assert_true(still(f->db));
	for (int at = 0; at < 96; at += 5) {
		fseek(index, at, SEEK_SET);
		byte = fgetc(index);
		fseek(index, at, SEEK_SET);
		fputc(byte ^ 1, index);
		fflush(index);
		assert_false(still(f->db));
		fseek(index, at, SEEK_SET);
		fputc(byte, index);
		fflush(index);
		assert_true(still(f->db));
	}
	fclose(index);
}

/* ---- random histories: if the database is still, its data equals what was read ---- */

struct history {
	struct fixture *f;
	struct db      *other;
	unsigned        rng;
	int64_t         read[SEEDS * STEPS * 2];   /* value that f->db read at each moment */
	int             given;                     /* number of checks at which it was still */
};

static int
roll(struct history *h, int n)
{
	h->rng = h->rng * 1664525u + 1013904223u;
	return (int)((h->rng >> 8) % (unsigned)n);
}

/* Reads the counter and records it with its moment; sometimes another connection commits in between. */
static void
look(struct history *h)
{
	int meanwhile = roll(h, 8);
	int64_t n;

	db_begin(h->f->db, false);
	if (meanwhile == 0)
		count(h->f, h->other);
	n = counted(h->f, h->f->db);
	if (meanwhile == 1)
		count(h->f, h->other);
	assert_in_range(db_moment(h->f->db), 1, SEEDS * STEPS * 2 - 1);
	h->read[db_moment(h->f->db)] = n;
	db_rollback(h->f->db);
}

/* Reads without recording a moment. */
static void
read_only(struct history *h)
{
	db_begin(h->f->db, false);
	counted(h->f, h->f->db);
	db_rollback(h->f->db);
}

static void
write_own(struct history *h)
{
	count(h->f, h->f->db);
}

static void
write_other(struct history *h)
{
	count(h->f, h->other);
}

static void
take_back(struct history *h)
{
	struct db *db = roll(h, 2) == 0 ? h->f->db : h->other;
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_count);
	bind_text(q, ":id", h->f->org);
	stmt_run(q);
	db_rollback(db);
}

/* Checkpoints the log into the database, with or without restarting or truncating it. */
static void
checkpoint(struct history *h)
{
	static const char *const modes[] = { "PASSIVE", "FULL", "RESTART", "TRUNCATE" };
	const char *error = NULL;

	assert_true(db_script(roll(h, 2) == 0 ? h->f->db : h->other, h->f->arena, arena_printf(h->f->arena,
	    "PRAGMA wal_checkpoint(%s)", modes[roll(h, 4)]), &error));
}

static void
open_again(struct history *h)
{
	db_close(h->other);
	h->other = another(h->f);
}

/*
 * Damages the index, as a writer killed while it updates the index after writing its frames: the
 * next reader rebuilds it from the log.
 */
static void
damage(struct history *h)
{
	FILE *index = fopen(arena_printf(h->f->arena, "%s/octavo.db-shm", h->f->dir), "r+");
	int at = roll(h, 96), byte;

	write_other(h);
	fseek(index, at, SEEK_SET);
	byte = fgetc(index);
	fseek(index, at, SEEK_SET);
	fputc(byte ^ (1 + roll(h, 255)), index);
	fclose(index);
	assert_false(still(h->f->db));
	if (roll(h, 2) == 0)
		write_other(h);
}

/* A process dies within a transaction after its pages were spilled to the log. */
static void
killed(struct history *h)
{
	const char *error = NULL;
	pid_t child = fork();
	struct db *db;
	int status;

	if (child == 0) {
		db = another(h->f);
		db_script(db, h->f->arena, "PRAGMA cache_size = 1", &error);
		db_begin(db, true);
		for (int i = 0; i < 50; i++)
			token_make(db, h->f->arena, h->f->user, "read", "", 0);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
}

/* If the database is still, another connection must read the recorded value. */
static void
check(struct history *h)
{
	unsigned moment;

	if (!db_unchanged(h->f->db, &moment))
		return;
	h->given++;
	db_begin(h->other, false);
	assert_int_equal(counted(h->f, h->other), h->read[moment]);
	db_rollback(h->other);
	/* Reading does not change that. */
	assert_true(still(h->f->db));
}

static void
random_histories_miss_no_commit(void **state)
{
	static void (*const steps[])(struct history *h) = { look, look, look, look, read_only, write_own, write_other,
		take_back, checkpoint, checkpoint, open_again, damage, killed };
	static struct history h;

	h.f = *state;
	h.other = another(h.f);

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		h.rng = seed;
		for (int i = 0; i < STEPS; i++) {
			steps[roll(&h, sizeof(steps) / sizeof(steps[0]))](&h);
			check(&h);
		}
	}
	assert_in_range(h.given, SEEDS * STEPS / 5, SEEDS * STEPS);
	db_close(h.other);
}

/* Another file was moved to the path, or the file is missing: the program ends between two requests. */
static void
a_replaced_database_ends_the_program(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(f->arena, "%s/octavo.db", f->dir), *new = arena_printf(f->arena, "%s/new.db", f->dir),
	    *error = NULL;

	moment_of(f->db);
	assert_true(db_copy(f->db, f->arena, new, NULL, NULL, &error));
	assert_false(db_outdated(f->db));
	assert_int_equal(rename(new, path), 0);
	assert_true(db_outdated(f->db));
}

/* Counts up, and publishes each count after its commit. */
static void
write_on(struct fixture *f, atomic_int *acknowledged)
{
	struct db *db = another(f);

	for (int i = 1; i <= COMMITS; i++) {
		count(f, db);
		atomic_store(acknowledged, i);
		if (i % 50 == 0)
			usleep(2000);
	}
	db_close(db);
	_exit(0);
}

/* Another process commits all the time: a value that is still valid includes every published commit. */
static void
commits_of_others_are_not_missed(void **state)
{
	struct fixture *f = *state;
	atomic_int *acknowledged = mmap(NULL, sizeof(*acknowledged), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int64_t kept = -1, done;
	int given = 0, status;
	pid_t child = fork();

	if (child == 0)
		write_on(f, acknowledged);
	do {
		done = atomic_load(acknowledged);
		if (still(f->db)) {
			assert_in_range(kept, done, COMMITS);
			given++;
			continue;
		}
		db_begin(f->db, false);
		kept = counted(f, f->db);
		db_moment(f->db);
		db_rollback(f->db);
		assert_in_range(kept, done, COMMITS);
	} while (done < COMMITS);
	assert_true(given > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	munmap(acknowledged, sizeof(*acknowledged));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_a_look_nothing_is_still, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_database_is_still_until_a_commit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_empty_commit_changes_nothing, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_commit_meanwhile_is_not_missed, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_checkpoint_is_not_still, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(without_a_log_nothing_is_still, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_torn_header_is_not_still, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(random_histories_miss_no_commit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_replaced_database_ends_the_program, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(commits_of_others_are_not_missed, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
