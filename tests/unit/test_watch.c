/* Processes that hang are detected and ended (base/watch.h). */
#include "db_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/process.h"
#include "base/watch.h"

enum { LIMIT_MS = 60000 };

struct worker {
	pid_t pid;
	int   ready;   /* readable once the process has done its first step */
};

/* Starts a process with its own slot that runs life(), reports that, and sleeps. */
static struct worker
start(const char *dir, void (*life)(const char *dir))
{
	struct worker w;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	if ((w.pid = fork()) == 0) {
		/* Ends the process even if the test fails. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		watch_open(dir);
		watch_join();
		life(dir);
		if (write(ends[1], "r", 1) != 1)
			_exit(98);
		for (;;)
			pause();
	}
	close(ends[1]);
	w.ready = ends[0];
	return w;
}

static void
wait_ready(struct worker w)
{
	char c;

	assert_int_equal(read(w.ready, &c, 1), 1);
	close(w.ready);
}

/* Stops the process and waits until the system has done so. */
static void
stop(struct worker w)
{
	struct process_seen seen = { 0 };

	kill(w.pid, SIGSTOP);
	while (process_look(w.pid, &seen) && seen.state != 'T')
		usleep(1000);
}

/* The signal that ended the process; 0: it was alive, and has been ended here. */
static int
end_of(struct worker w)
{
	int status = 0;

	/* A killed process takes some time to exit, above all under a sanitizer. */
	for (int ms = 0; ms < 500; ms += 5) {
		if (waitpid(w.pid, &status, WNOHANG) == w.pid)
			return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
		usleep(5000);
	}
	kill(w.pid, SIGKILL);
	waitpid(w.pid, &status, 0);
	return 0;
}

static void
hold_request(const char *dir)
{
	(void)dir;
	watch_busy();
}

static void
hold_nothing(const char *dir)
{
	(void)dir;
	watch_busy();
	watch_idle();
	/* What such a process reads or writes is no part of a request. */
	watch_goes_on();
}

/* Takes the write lock, in the middle of a request. */
static void
hold_lock(const char *dir)
{
	struct arena *a = arena_new(64 << 20);
	const char *error;
	struct db *db = db_open(a, arena_printf(a, "%s/octavo.db", dir), DB_READ_WRITE, NULL, &error);

	watch_busy();
	if (db == NULL)
		_exit(97);
	db_begin(db, true);
}

static int
look_at(int64_t now)
{
	return watch_look(LIMIT_MS, &now);
}

static struct fixture *
open_watch(void **state)
{
	struct fixture *f = *state;

	mkdir(arena_printf(f->arena, "%s/run", f->dir), 0700);
	watch_open(f->dir);
	return f;
}

static void
an_overdue_worker_is_ended(void **state)
{
	struct fixture *f = open_watch(state);
	struct worker busy = start(f->dir, hold_request), idle = start(f->dir, hold_nothing);
	int64_t now;

	wait_ready(busy);
	wait_ready(idle);
	now = time_steady();
	assert_int_equal(look_at(now + LIMIT_MS - 1000), 0);
	assert_int_equal(look_at(now + LIMIT_MS + 1000), 1);
	assert_int_equal(end_of(busy), SIGKILL);
	/* Its slot still has its pid, but does not count. */
	assert_int_equal(look_at(now + 2 * LIMIT_MS), 0);
	assert_int_equal(end_of(idle), 0);
}

/* A stopped process that holds the write lock is ended, and the next waiter gets the lock. */
static void
a_stopped_writer_is_ended(void **state)
{
	struct fixture *f = open_watch(state);
	struct worker w = start(f->dir, hold_lock);
	int64_t now;

	wait_ready(w);
	stop(w);
	assert_false(db_try_begin(f->db));
	now = time_steady();
	assert_int_equal(look_at(now), 0);
	assert_int_equal(look_at(now + WATCH_STOPPED_MS - 1), 0);
	assert_int_equal(look_at(now + WATCH_STOPPED_MS), 1);
	assert_int_equal(end_of(w), SIGKILL);
	assert_true(db_try_begin(f->db));
	db_rollback(f->db);
}

/* The web server may choose a stopped worker for the next request, which would then hang. */
static void
a_stopped_idle_worker_is_ended(void **state)
{
	struct fixture *f = open_watch(state);
	struct worker w = start(f->dir, hold_nothing);
	int64_t now = time_steady();

	wait_ready(w);
	stop(w);
	assert_int_equal(look_at(now), 0);
	assert_int_equal(look_at(now + WATCH_STOPPED_MS), 1);
	assert_int_equal(end_of(w), SIGKILL);
}

/* Two short stops are not added up: the process is not ended. */
static void
a_worker_stopped_for_moments_lives(void **state)
{
	struct fixture *f = open_watch(state);
	struct worker w = start(f->dir, hold_request);
	struct process_seen seen = { 0 };
	int64_t now = time_steady();

	wait_ready(w);
	stop(w);
	assert_int_equal(look_at(now), 0);
	kill(w.pid, SIGCONT);
	while (process_look(w.pid, &seen) && seen.state == 'T')
		usleep(1000);
	assert_int_equal(look_at(now + 3000), 0);
	stop(w);
	assert_int_equal(look_at(now + 6000), 0);
	assert_int_equal(look_at(now + 10000), 0);
	assert_int_equal(end_of(w), 0);
}

/* Of many processes that call watch_look(), one looks within a second. A slot is reused when its process is gone. */
static void
slots_are_given_again(void **state)
{
	struct fixture *f = open_watch(state);
	struct worker w;

	for (int i = 0; i < 3; i++) {
		w = start(f->dir, hold_nothing);
		wait_ready(w);
		stop(w);
		assert_int_equal(look_at(time_steady()), 0);
		watch_look(LIMIT_MS, NULL);
		assert_int_equal(watch_look(LIMIT_MS, NULL), 0);
		kill(w.pid, SIGKILL);
		assert_int_equal(end_of(w), SIGKILL);
	}
}

/* A slot whose pid now belongs to another process, since the system reuses pids, does not count. */
static void
a_number_given_again_is_nobody_s(void **state)
{
	struct fixture *f = open_watch(state);
	struct worker w = start(f->dir, hold_request);
	int64_t slot[5], now;
	int fd = open(arena_printf(f->arena, "%s/run/watch", f->dir), O_RDWR), i = 0;

	wait_ready(w);
	/* The file has `looked`, then pid, start, since, stopped of each slot (base/watch.c). */
	while (pread(fd, slot, sizeof(slot), i * 4 * 8) == (ssize_t)sizeof(slot) && slot[1] != w.pid)
		i++;
	assert_int_equal(slot[1], w.pid);
	assert_int_equal(watch_pid(i), w.pid);
	slot[2]--;
	assert_int_equal(pwrite(fd, slot + 1, 16, i * 4 * 8 + 8), 16);
	close(fd);
	assert_int_equal(watch_pid(i), 0);
	now = time_steady();
	assert_int_equal(look_at(now + 2 * LIMIT_MS), 0);
	assert_int_equal(end_of(w), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_overdue_worker_is_ended),
		cmocka_unit_test(a_stopped_writer_is_ended),
		cmocka_unit_test(a_stopped_idle_worker_is_ended),
		cmocka_unit_test(a_worker_stopped_for_moments_lives),
		cmocka_unit_test(slots_are_given_again),
		cmocka_unit_test(a_number_given_again_is_nobody_s),
	};

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
