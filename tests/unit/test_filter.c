/* Other programs as filters: base/filter.h. */
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
#include "base/filter.h"

/* Runs a line of the shell on a text; NULL, or why it failed. */
static const char *
run_line(struct arena *a, const char *line, struct str input, size_t most, int seconds, struct str *out)
{
	static const char *const env[] = { "PATH=/usr/bin:/bin", "GIVEN=yes", NULL };
	struct filter f = { .command = line, .shell = true, .env = env, .bare = true, .in = input, .most = most, .seconds = seconds };
	const char *why = filter_run(a, &f);

	*out = buf_view(&f.out);
	return why;
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

	(void)state;
	assert_null(run_line(arena, "tr a-z A-Z; echo \" $GIVEN $HOME\"", str_of("hello"), 100, 10, &out));
	assert_memory_equal(out.p, "HELLO yes \n", out.n);
}

static void
large_input_and_output_pass_at_the_same_time(void **state)
{
	size_t n = 8 << 20;
	char *text = arena_alloc(arena, n);
	struct str out;

	(void)state;
	memset(text, 'x', n);
	assert_null(run_line(arena, "cat", (struct str){ text, n }, n, 60, &out));
	assert_int_equal(out.n, n);
}

static void
a_program_need_not_read(void **state)
{
	size_t n = 8 << 20;
	char *text = arena_alloc(arena, n);
	struct str out;

	(void)state;
	memset(text, 'x', n);
	assert_null(run_line(arena, "echo done", (struct str){ text, n }, 100, 60, &out));
	assert_memory_equal(out.p, "done\n", out.n);
}

static void
a_program_that_hangs_is_ended_with_its_children(void **state)
{
	int64_t began = time_steady();
	struct str out;

	(void)state;
	assert_string_equal(run_line(arena, "sleep 3600 & sleep 3600", str_of(""), 100, 1, &out), "took longer than 1 s");
	assert_true(time_steady() - began < 60 * 1000);
}

static void
too_much_output_is_an_error(void **state)
{
	struct str out;

	(void)state;
	assert_string_equal(run_line(arena, "yes", str_of(""), 1000, 60, &out), "answered more than 1000 bytes");
}

static void
a_failure_is_named(void **state)
{
	struct filter absent = { .command = "/nowhere/at/all", .most = 10, .seconds = 10 };
	struct str out;

	(void)state;
	assert_string_equal(run_line(arena, "exit 3", str_of(""), 100, 10, &out), "ended with status 3");
	assert_string_equal(run_line(arena, "kill -SEGV $$", str_of(""), 100, 10, &out), "was ended by signal 11");
	assert_string_equal(filter_run(arena, &absent), "could not be started");
}

/* What a program leaves running has its pipes open, and is ended with it. */
static void
nobody_waits_for_what_a_program_leaves_running(void **state)
{
	int64_t began = time_steady();
	struct str out;

	(void)state;
	assert_null(run_line(arena, "echo done; sleep 3600 &", str_of(""), 100, 60, &out));
	assert_memory_equal(out.p, "done\n", out.n);
	assert_true(time_steady() - began < 30 * 1000);
}

static bool
never(void *ctx)
{
	(void)ctx;
	return false;
}

static void
a_caller_cancels(void **state)
{
	struct filter f = { .command = "sleep 3600", .shell = true, .most = 10, .seconds = 60, .tick = never };

	(void)state;
	assert_string_equal(filter_run(arena, &f), "was cancelled");
}

/* A variable that is given takes the place of ours of the same name. */
static void
given_variables_count(void **state)
{
	static const char *const env[] = { "FILTER_TEST=given", NULL };
	struct filter f = { .command = "echo $FILTER_TEST $FILTER_KEPT", .shell = true, .env = env, .most = 100, .seconds = 10 };

	(void)state;
	setenv("FILTER_TEST", "ours", 1);
	setenv("FILTER_KEPT", "kept", 1);
	assert_null(filter_run(arena, &f));
	assert_memory_equal(f.out.p, "given kept\n", f.out.n);
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
		cmocka_unit_test_setup_teardown(nobody_waits_for_what_a_program_leaves_running, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_caller_cancels, set_up, tear_down),
		cmocka_unit_test_setup_teardown(given_variables_count, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
