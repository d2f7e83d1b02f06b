/* Other programs run on a text: base/program.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"
#include "base/program.h"

/* Runs a line of the shell on a text. */
static bool
run_line(struct arena *a, const char *line, struct str input, size_t most, int seconds, struct str *out, const char **why)
{
	const char *const argv[] = { "/bin/sh", "-c", line, NULL };
	static const char *const env[] = { "PATH=/usr/bin:/bin", "GIVEN=yes", NULL };

	*why = "";
	return program_run(a, &(struct program){ .argv = argv, .env = env, .input = input, .most = most, .seconds = seconds }, out, why);
}

static int
count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static struct arena *arena;
static int descriptors;

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new(256 << 20);
	descriptors = count_descriptors();
	return 0;
}

/* No child is left, not even a zombie, and no descriptor. */
static int
tear_down(void **state)
{
	(void)state;
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(count_descriptors(), descriptors);
	arena_free(arena);
	return 0;
}

static void
a_program_answers(void **state)
{
	struct str out;
	const char *why;

	(void)state;
	assert_true(run_line(arena, "tr a-z A-Z; echo \" $GIVEN $HOME\"", str_of("hello"), 100, 10, &out, &why));
	assert_memory_equal(out.p, "HELLO yes \n", out.n);
}

static void
large_input_and_output_pass_at_the_same_time(void **state)
{
	size_t n = 8 << 20;
	char *text = arena_alloc(arena, n);
	struct str out;
	const char *why;

	(void)state;
	memset(text, 'x', n);
	assert_true(run_line(arena, "cat", (struct str){ text, n }, n, 60, &out, &why));
	assert_int_equal(out.n, n);
}

static void
a_program_need_not_read(void **state)
{
	size_t n = 8 << 20;
	char *text = arena_alloc(arena, n);
	struct str out;
	const char *why;

	(void)state;
	memset(text, 'x', n);
	assert_true(run_line(arena, "echo done", (struct str){ text, n }, 100, 60, &out, &why));
	assert_memory_equal(out.p, "done\n", out.n);
}

static void
a_program_that_hangs_is_ended_with_its_children(void **state)
{
	int64_t began = time_steady();
	struct str out;
	const char *why;

	(void)state;
	assert_false(run_line(arena, "sleep 3600 & sleep 3600", str_of(""), 100, 1, &out, &why));
	assert_string_equal(why, "it took too long");
	assert_true(time_steady() - began < 60 * 1000);
}

static void
too_much_output_is_an_error(void **state)
{
	struct str out;
	const char *why;

	(void)state;
	assert_false(run_line(arena, "yes", str_of(""), 1000, 60, &out, &why));
	assert_string_equal(why, "it printed too much");
}

static void
a_failure_is_named(void **state)
{
	static const char *const absent[] = { "/nowhere/at/all", NULL }, *const env[] = { NULL };
	struct str out;
	const char *why;

	(void)state;
	assert_false(run_line(arena, "exit 3", str_of(""), 100, 10, &out, &why));
	assert_string_equal(why, "it ended with status 3");
	assert_false(run_line(arena, "kill -SEGV $$", str_of(""), 100, 10, &out, &why));
	assert_string_equal(why, "a signal ended it");
	assert_false(program_run(arena, &(struct program){ .argv = absent, .env = env, .most = 10, .seconds = 10 }, &out, &why));
	assert_string_equal(why, "it cannot be started");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_program_answers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(large_input_and_output_pass_at_the_same_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_program_need_not_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_program_that_hangs_is_ended_with_its_children, set_up, tear_down),
		cmocka_unit_test_setup_teardown(too_much_output_is_an_error, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_failure_is_named, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
