/* child_run(): its results, its limits, what a child inherits, and that no process survives. */
#include "git_fixture.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/mman.h>

#include "base/child.h"

static char lines[20][200];
static size_t line_count;

static void
keep_line(void *ctx, char *line)
{
	(void)ctx;
	if (line_count < 20)
		snprintf(lines[line_count], sizeof(lines[0]), "%.199s", line);
	line_count++;
}

static struct child_result
run(int (*fn)(void *, int), void *ctx, int seconds)
{
	struct child_job job = { .run = fn, .line = keep_line, .ctx = ctx, .seconds = seconds };
	struct child_result r;

	line_count = 0;
	memset(lines, 0, sizeof(lines));
	r = child_run(&job);
	assert_no_children(NULL, 0);
	return r;
}

static int
speak(void *ctx, int out)
{
	int i;

	for (i = 0; i < *(int *)ctx; i++)
		child_say(out, "line %d\nof many", i);
	return 42;
}

static void
a_child_gives_lines_and_status(void **state)
{
	int n = 3;
	struct child_result r = run(speak, &n, 10);

	(void)state;
	assert_int_equal(r.end, CHILD_EXITED);
	assert_int_equal(r.code, 42);
	assert_int_equal(line_count, 3);
	assert_string_equal(lines[2], "line 2 of many");
	n = 100000;
	r = run(speak, &n, 20);
	assert_int_equal(r.end, CHILD_EXITED);
	assert_int_equal(line_count, 100000);
	n = 0;
	assert_int_equal(run(speak, &n, 10).code, 42);
	assert_int_equal(line_count, 0);
}

static int
long_line(void *ctx, int out)
{
	static char p[1 << 20];

	(void)ctx;
	memset(p, 'x', (1 << 20) - 1);
	p[(1 << 20) - 1] = '\0';
	child_say(out, "%s", p);
	/* One write without a line feed: the parent reads it in pieces. */
	if (write(out, p, 10000) != 10000)
		return 1;
	child_say(out, "end");
	return 0;
}

static void
long_lines_are_cut(void **state)
{
	(void)state;
	assert_int_equal(run(long_line, NULL, 10).code, 0);
	assert_int_equal(line_count, 4);
	assert_int_equal(strlen(lines[0]), 199);
}

static int
hang(void *ctx, int out)
{
	(void)ctx;
	child_say(out, "pid %d", (int)getpid());
	/* Ignores all signals that can be ignored, and closes the pipe. */
	signal(SIGTERM, SIG_IGN);
	close(out);
	while (pause() < 0)
		;
	return 0;
}

static void
a_child_that_hangs_is_ended(void **state)
{
	double t = seconds_now();

	(void)state;
	assert_int_equal(run(hang, NULL, 1).end, CHILD_TIMEOUT);
	assert_true(seconds_now() - t < 20);
	assert_int_equal(line_count, 1);
}

static int
spin(void *ctx, int out)
{
	volatile uint64_t *n = ctx;

	(void)out;
	while (++*n > 0)
		;
	return 0;
}

static void
a_child_that_spins_is_ended(void **state)
{
	uint64_t n = 0;

	(void)state;
	assert_int_equal(run(spin, &n, 1).end, CHILD_TIMEOUT);
}

static bool
cancel_third(void *ctx)
{
	return ++*(int *)ctx < 3;
}

static void
a_child_is_cancelled(void **state)
{
	int ticks = 0;
	struct child_job job = { .run = hang, .tick = cancel_third, .ctx = &ticks };
	struct child_result r;
	double t = seconds_now();

	(void)state;
	r = child_run(&job);
	assert_int_equal(r.end, CHILD_CANCELLED);
	assert_int_equal(ticks, 3);
	assert_true(seconds_now() - t < 20);
	assert_no_children(NULL, 0);
}

/* True once the process is gone; it may take the kernel a moment. */
static bool
gone(pid_t pid)
{
	char path[60], status[400] = "";
	int i;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	for (i = 0; i < 300; i++) {
		FILE *f = fopen(path, "re");

		if (f == NULL)
			return true;
		if (fgets(status, sizeof(status), f) == NULL)
			status[0] = '\0';
		fclose(f);
		/* A zombie that init has not reaped yet is dead as well. */
		if (strstr(status, ") Z") != NULL)
			return true;
		usleep(10000);
	}
	return false;
}

static int
breed(void *ctx, int out)
{
	pid_t pid = fork();

	(void)ctx;
	if (pid == 0)
		for (;;)
			pause();
	child_say(out, "%d", (int)pid);
	return 0;
}

static void
grandchildren_die(void **state)
{
	double t = seconds_now();

	(void)state;
	assert_int_equal(run(breed, NULL, 20).end, CHILD_EXITED);
	/* The process keeps the pipe open, but child_run() does not wait for it. */
	assert_true(seconds_now() - t < 15);
	assert_int_equal(line_count, 1);
	assert_true(strtol(lines[0], NULL, 10) > 0);
	assert_true(gone((pid_t)strtol(lines[0], NULL, 10)));
}

static void
say_to(void *ctx, char *line)
{
	if (write(*(int *)ctx, line, strlen(line)) < 0)
		_exit(1);
}

/* The parent is killed with SIGKILL while the child runs. */
static void
dies_with_its_parent(void **state)
{
	char buf[60] = "";
	int fd[2];
	pid_t middle;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	middle = fork();
	if (middle == 0) {
		struct child_job job = { .run = hang, .line = say_to, .ctx = &fd[1] };

		child_run(&job);
		_exit(0);
	}
	assert_true(read(fd[0], buf, sizeof(buf) - 1) > 4);
	assert_int_equal(kill(middle, SIGKILL), 0);
	assert_int_equal(waitpid(middle, NULL, 0), middle);
	assert_true(gone((pid_t)strtol(buf + 4, NULL, 10)));
	close(fd[0]);
	close(fd[1]);
}

static int
descriptors(void *ctx, int out)
{
	int i, open_ones = 0;

	(void)ctx;
	for (i = 0; i < 1024; i++)
		open_ones += fcntl(i, F_GETFD) >= 0;
	child_say(out, "%d %d %d %d", open_ones, out, (int)read(0, &i, 1), (int)getpgrp() == (int)getpid());
	return 0;
}

static void
a_child_inherits_no_descriptors(void **state)
{
	int fd[2], high;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	high = fcntl(fd[0], F_DUPFD, 700);
	run(descriptors, NULL, 10);
	assert_string_equal(lines[0], "4 3 0 1");
	close(high);
	close(fd[0]);
	close(fd[1]);
}

static int
signals(void *ctx, int out)
{
	struct sigaction s;
	sigset_t blocked;

	(void)ctx;
	sigaction(SIGTERM, NULL, &s);
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	child_say(out, "%d %d", s.sa_handler == SIG_DFL, sigismember(&blocked, SIGUSR1));
	return 0;
}

static void
nothing(int s)
{
	(void)s;
}

static void
a_child_has_default_signals(void **state)
{
	sigset_t one, now;

	(void)state;
	signal(SIGTERM, nothing);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	sigprocmask(SIG_BLOCK, &one, NULL);
	run(signals, NULL, 10);
	assert_string_equal(lines[0], "1 0");
	/* And the parent's signal mask is unchanged. */
	sigprocmask(SIG_BLOCK, NULL, &now);
	assert_int_equal(sigismember(&now, SIGUSR1), 1);
	assert_int_equal(sigismember(&now, SIGUSR2), 0);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	signal(SIGTERM, SIG_DFL);
}

static int
crash(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	raise(SIGKILL);
	return 0;
}

static void
a_killed_child_is_reported(void **state)
{
	struct child_result r = run(crash, NULL, 10);

	(void)state;
	assert_int_equal(r.end, CHILD_SIGNALLED);
	assert_int_equal(r.code, SIGKILL);
}

static int
write_much(void *ctx, int out)
{
	char block[4096] = "";
	int i, fd = open(ctx, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	(void)out;
	for (i = 0; i < 1000; i++)
		if (write(fd, block, sizeof(block)) < 0)
			return 1;
	return 0;
}

static void
the_file_limit_ends_a_child(void **state)
{
	char path[100];
	struct child_job job = { .run = write_much, .ctx = path, .seconds = 10, .file_bytes = 100000 };
	struct child_result r;

	(void)state;
	snprintf(path, sizeof(path), "%s/big", tmp);
	r = child_run(&job);
	assert_int_equal(r.end, CHILD_SIGNALLED);
	assert_int_equal(r.code, SIGXFSZ);
	job.file_bytes = 10 << 20;
	r = child_run(&job);
	assert_int_equal(r.end, CHILD_EXITED);
	assert_int_equal(r.code, 0);
}

static int
eat(void *ctx, int out)
{
	(void)out;
	return mmap(NULL, (size_t)*(int64_t *)ctx, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
	    MAP_FAILED ? 7 : 0;
}

static void
the_memory_limit_ends_a_child(void **state)
{
	int64_t want = 256 << 20;
	struct child_job job = { .run = eat, .ctx = &want, .seconds = 10, .memory = 64 << 20 };

	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	print_message("skipped: no address space limit under AddressSanitizer\n");
	skip();
#endif
	assert_int_equal(child_run(&job).code, 7);
	job.memory = 1 << 30;
	assert_int_equal(child_run(&job).code, 0);
}

/* In the child: what it executes inherits the refusal. */
static int
open_a_socket(void *ctx, int out)
{
	int fd;

	(void)ctx;
	if ((fd = socket(AF_INET, SOCK_STREAM, 0)) < 0)
		return 1;
	close(fd);
	if (!child_no_network())
		return 2;
	child_say(out, "%d", socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EACCES);
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 && open("/dev/null", O_RDONLY) >= 0 ? 0 : 3;
}

static void
a_child_without_network_has_no_sockets(void **state)
{
	struct child_job job = { .run = open_a_socket, .seconds = 10 };
	struct child_result r = child_run(&job);

	(void)state;
	assert_int_equal(r.end, CHILD_EXITED);
	assert_int_equal(r.code, 0);
}

static int
at_exit_ran(void *ctx, int out)
{
	(void)ctx;
	(void)out;
	/* Would be printed twice if the child flushed the parent's buffers. */
	return 0;
}

static void
a_child_runs_no_exit_handlers(void **state)
{
	char path[100], text[100] = "";
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/buffered", tmp);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("once", f);
	run(at_exit_ran, NULL, 10);
	fclose(f);
	f = fopen(path, "r");
	assert_non_null(fgets(text, sizeof(text), f));
	fclose(f);
	assert_string_equal(text, "once");
}

static int
start_tmp(void **state)
{
	(void)state;
	return fixture_start();
}

static int
stop_tmp(void **state)
{
	(void)state;
	return fixture_stop();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_gives_lines_and_status),
		cmocka_unit_test(long_lines_are_cut),
		cmocka_unit_test(a_child_that_hangs_is_ended),
		cmocka_unit_test(a_child_that_spins_is_ended),
		cmocka_unit_test(a_child_is_cancelled),
		cmocka_unit_test(grandchildren_die),
		cmocka_unit_test(dies_with_its_parent),
		cmocka_unit_test(a_child_inherits_no_descriptors),
		cmocka_unit_test(a_child_has_default_signals),
		cmocka_unit_test(a_killed_child_is_reported),
		cmocka_unit_test(the_file_limit_ends_a_child),
		cmocka_unit_test(the_memory_limit_ends_a_child),
		cmocka_unit_test(a_child_without_network_has_no_sockets),
		cmocka_unit_test(a_child_runs_no_exit_handlers),
	};

	return cmocka_run_group_tests(tests, start_tmp, stop_tmp);
}
