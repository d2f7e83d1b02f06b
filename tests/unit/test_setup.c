/* The first request sets an installation up, whatever ended an earlier attempt, and never twice. */
#include "db_fixture.h"

#include <unistd.h>

#include "app/setup.h"

static const char setup_text[] = "email = bob@example.com\nname = Bob\norganization = Docs\n";

static void
write_setup(struct fixture *f, const char *dir)
{
	FILE *file = fopen(arena_printf(f->arena, "%s/setup", dir), "w");

	assert_non_null(file);
	fputs(setup_text, file);
	fclose(file);
}

static bool
is_there(struct fixture *f, const char *dir, const char *name)
{
	return access(arena_printf(f->arena, "%s/%s", dir, name), F_OK) == 0;
}

static void
sets_up(struct fixture *f, const char *dir)
{
	write_setup(f, dir);
	assert_null(setup_once(f->arena, dir));
	assert_true(is_there(f, dir, "admin-token"));
	assert_false(is_there(f, dir, "setup"));
	assert_null(setup_once(f->arena, dir));
}

static void
empty_folder(void **state)
{
	struct fixture *f = *state;
	char dir[TEMP_MAX];

	temp_dir(dir);
	assert_non_null(strstr(setup_once(f->arena, dir), "is not there"));
	sets_up(f, dir);
}

/* Ended behind the making of the database: the next request goes on. */
static void
interrupted(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	char dir[TEMP_MAX];

	temp_dir(dir);
	db_close(db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", dir), DB_CREATE, NULL, &error));
	assert_null(error);
	sets_up(f, dir);
}

static void
never_twice(void **state)
{
	struct fixture *f = *state;

	write_setup(f, f->dir);
	assert_null(setup_once(f->arena, f->dir));
	assert_false(is_there(f, f->dir, "setup"));
	assert_false(is_there(f, f->dir, "admin-token"));
}

static void
says_what_is_wrong(void **state)
{
	struct fixture *f = *state;
	char dir[TEMP_MAX];
	FILE *file;

	temp_dir(dir);
	file = fopen(arena_printf(f->arena, "%s/setup", dir), "w");
	fputs("email = bob@example.com\n", file);
	fclose(file);
	assert_non_null(strstr(setup_once(f->arena, dir), "name = YOUR NAME"));
	assert_true(is_there(f, dir, "setup"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(empty_folder), cmocka_unit_test(interrupted),
		cmocka_unit_test(never_twice), cmocka_unit_test(says_what_is_wrong) };

	return cmocka_run_group_tests_name("setup", tests, db_setup, db_teardown);
}
