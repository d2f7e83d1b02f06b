/* The priority of heavy work (base/priority.h): it is lower, except under the write lock, and returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/priority.h"

/* FORBIDDEN: the machine lets nobody raise the limit, as a container may. No line of this file has the number. */
enum { BY = 7, NOBODY = 65534, FORBIDDEN = 255 };

static int
nice_now(void)
{
	return getpriority(PRIO_PROCESS, 0);
}

/* Runs a test in a process of its own, which may give up its rights; 0: it succeeded, otherwise the line. */
static int
in_process(int (*test)(int usual))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(test(nice_now()));
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define MUST(so) do { if (!(so)) return __LINE__; } while (0)

static int
lower_and_return(int usual)
{
	MUST(priority_lower(BY));
	MUST(nice_now() == usual + BY);
	priority_lock();
	MUST(nice_now() == usual);
	priority_unlock();
	MUST(nice_now() == usual + BY);
	/* Twice is once. */
	MUST(priority_lower(BY));
	MUST(nice_now() == usual + BY);
	priority_restore();
	MUST(nice_now() == usual);
	/* Outside of heavy work the lock changes nothing. */
	priority_lock();
	MUST(nice_now() == usual);
	priority_unlock();
	MUST(nice_now() == usual);
	return 0;
}

/* As under systemd with LimitNICE=: not as root, but with the limit. */
static int
with_the_limit(int usual)
{
	struct rlimit r = { (rlim_t)(20 - usual), (rlim_t)(20 - usual) };

	if (setrlimit(RLIMIT_NICE, &r) != 0)
		return FORBIDDEN;
	MUST(setuid(NOBODY) == 0);
	return lower_and_return(usual);
}

static int
without_right(int usual)
{
	struct rlimit r = { 0, 0 };

	MUST(setrlimit(RLIMIT_NICE, &r) == 0);
	MUST(geteuid() != 0 || setuid(NOBODY) == 0);
	MUST(!priority_lower(BY));
	MUST(nice_now() == usual);
	priority_lock();
	priority_unlock();
	priority_restore();
	MUST(nice_now() == usual);
	return 0;
}

static void
heavy_work_has_a_lower_priority_except_under_the_lock(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(in_process(lower_and_return), 0);
}

static void
the_limit_of_the_service_is_enough(void **state)
{
	int rc = geteuid() == 0 ? in_process(with_the_limit) : FORBIDDEN;

	(void)state;
	if (rc == FORBIDDEN)
		skip();
	assert_int_equal(rc, 0);
}

static void
a_process_that_could_not_return_keeps_its_priority(void **state)
{
	(void)state;
	assert_int_equal(in_process(without_right), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heavy_work_has_a_lower_priority_except_under_the_lock),
		cmocka_unit_test(the_limit_of_the_service_is_enough),
		cmocka_unit_test(a_process_that_could_not_return_keeps_its_priority),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
