/*
 * Notes of programs that wait for their schema version: a note of another build counts until the
 * database has its version.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena_fixture.h"
#include "../temp_dir.h"

#include "app/ready.h"
#include "base/file.h"
#include "db/db.h"

static char dir[TEMP_MAX];

static int
start(void **state)
{
	temp_dir(dir);
	return set_up(state);
}

static int
stop(void **state)
{
	assert_int_equal(system(arena_printf(arena, "rm -rf '%s'", dir)), 0);
	return tear_down(state);
}

static char *
path_of(const char *program)
{
	return arena_printf(arena, "%s/run/schema-%s", dir, program);
}

/* Writes a note as another build does. */
static void
note(const char *program, const char *text)
{
	FILE *f = fopen(path_of(program), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void
a_note_of_another_build_is_reported(void **state)
{
	static const char *const programs[] = { "octavo-api", "octavo-site", "octavo-jobs" };
	static const int apart[] = { 1, 9, -1 };
	const char *problem;

	(void)state;
	assert_int_equal(mkdir(arena_printf(arena, "%s/run", dir), 0700), 0);
	assert_null(ready_problem(arena, dir));
	for (size_t i = 0; i < 3; i++) {
		for (size_t k = 0; k < 3; k++) {
			note(programs[i], arena_printf(arena, "%d\n", db_latest() + apart[k]));
			assert_non_null(problem = ready_problem(arena, dir));
			assert_string_equal(problem, arena_printf(arena, "%s waits for schema version %d, the database has %d: run "
			    "octavo migrate", programs[i], db_latest() + apart[k], db_latest()));
		}
		/* A note truncated by a full disk. */
		note(programs[i], "");
		assert_non_null(ready_problem(arena, dir));
		/* The database has that version: the program no longer waits. */
		note(programs[i], arena_printf(arena, "%d\n", db_latest()));
		assert_null(ready_problem(arena, dir));
	}
	/* The second of two programs that wait. */
	note("octavo-jobs", arena_printf(arena, "%d\n", db_latest() + 2));
	assert_non_null(problem = ready_problem(arena, dir));
	assert_non_null(strstr(problem, "octavo-jobs waits"));
	note("octavo-other", "999\n");
	assert_int_equal(unlink(path_of("octavo-jobs")), 0);
	assert_null(ready_problem(arena, dir));
}

static void
a_note_of_this_build_is_not_reported(void **state)
{
	struct str text;

	(void)state;
	/* The folder may be missing: programs may start before the first `octavo up`. */
	ready_note(arena, dir, "octavo-site", true);
	assert_true(file_read(arena, path_of("octavo-site"), &text));
	assert_string_equal(arena_strndup(arena, text.p, text.n), arena_printf(arena, "%d\n", db_latest()));
	/* A note of this build names the version that the database has. */
	assert_null(ready_problem(arena, dir));
	/* Overwrites the note of another build. */
	note("octavo-site", "12345678\n");
	ready_note(arena, dir, "octavo-site", true);
	assert_null(ready_problem(arena, dir));
	ready_note(arena, dir, "octavo-site", false);
	assert_int_equal(access(path_of("octavo-site"), F_OK), -1);
	ready_note(arena, dir, "octavo-site", false);
	assert_null(ready_problem(arena, dir));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_note_of_another_build_is_reported, start, stop),
		cmocka_unit_test_setup_teardown(a_note_of_this_build_is_not_reported, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
