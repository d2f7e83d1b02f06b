/* Closes exactly the descriptors that a child must not inherit: with close_range(2) and without it. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/descriptors.h"

enum { FIRST = 40, MORE = 30 };

/* Runs in a child, because the test's own descriptors are closed as well; returns 0 on success. */
static int
closed(void (*close_them)(int))
{
	int null = open("/dev/null", O_RDONLY), i;

	for (i = FIRST - 1; i < FIRST + MORE; i++)
		if (dup2(null, i) < 0)
			return 1;
	close_them(FIRST);
	for (i = FIRST; i < FIRST + MORE; i++)
		if (fcntl(i, F_GETFD) >= 0)
			return 2;
	return fcntl(FIRST - 1, F_GETFD) >= 0 ? 0 : 3;
}

static void
in_child(void (*close_them)(int))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(closed(close_them));
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void
a_range_of_descriptors_is_closed(void **state)
{
	(void)state;
	in_child(descriptors_close_from);
}

static void
each_descriptor_is_closed(void **state)
{
	(void)state;
	in_child(descriptors_close_each);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_of_descriptors_is_closed),
		cmocka_unit_test(each_descriptor_is_closed),
	};

	return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
