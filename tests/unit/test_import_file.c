/* Archives for imports: their parts on disk, the runs that take them, and what the sweep removes. */
#include "db_fixture.h"

#include "app/import_file.h"
#include "base/file.h"
#include "base/json.h"

#include <fcntl.h>
#include <unistd.h>

static void
run(struct fixture *f, const char *sql)
{
	const char *error = NULL;

	if (!db_script(f->db, f->arena, sql, &error))
		fail_msg("%s: %s", sql, error);
}

/* A file of ten bytes, announced `age` ms ago, of the run (NULL: none). */
static void
add(struct fixture *f, const char *id, int64_t age, const char *of)
{
	struct settings set = db_settings(f);

	run(f, arena_printf(f->arena, "INSERT INTO import_file (id, org, name, size, received, run, created_by, created_at) VALUES "
	    "('%s', '%s', 'a.zip', 10, 10, %s, '%s', %lld)", id, f->org, of != NULL ? arena_printf(f->arena, "'%s'", of) : "NULL", f->user,
	    (long long)(time_now() - age)));
	folder_make(AT_FDCWD, arena_printf(f->arena, "%s/uploads", f->dir), 0700);
	folder_make(AT_FDCWD, arena_printf(f->arena, "%s/cache", f->dir), 0700);
	folder_make(AT_FDCWD, arena_printf(f->arena, "%s/cache/arrive", f->dir), 0700);
	folder_make(AT_FDCWD, import_file_folder(f->arena, &set, id), 0700);
}

static void
add_job(struct fixture *f, const char *id, const char *state)
{
	run(f, arena_printf(f->arena, "INSERT INTO job (id, kind, org, space, state, run_at, created_at) VALUES ('%s', 'arrive', '%s', '%s', '%s', 0, 0)",
	    id, f->org, f->space, state));
}

static bool
is_there(struct fixture *f, const char *id)
{
	struct settings set = db_settings(f);
	struct import_file file;
	bool row;

	db_begin(f->db, false);
	row = import_file_find(f->db, f->arena, id, &file);
	db_rollback(f->db);
	assert_int_equal(row, access(import_file_folder(f->arena, &set, id), F_OK) == 0);
	return row;
}

static void
put_part(struct fixture *f, int64_t offset, const char *text)
{
	struct settings set = db_settings(f);
	int fd = open(import_file_part(f->arena, &set, "file", offset), O_WRONLY | O_CREAT, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void
parts_make_a_whole_only_without_a_gap(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct import_file file = { .id = "file", .size = 10, .received = 10 };

	add(f, "file", 0, NULL);
	assert_false(import_file_is_whole(f->arena, &set, &file));
	put_part(f, 6, "6789");
	assert_false(import_file_is_whole(f->arena, &set, &file));
	put_part(f, 0, "01234");
	assert_false(import_file_is_whole(f->arena, &set, &file));
	put_part(f, 0, "012345");
	assert_true(import_file_is_whole(f->arena, &set, &file));
	put_part(f, 6, "6789a");
	assert_false(import_file_is_whole(f->arena, &set, &file));
}

/* Where job number i unpacks its archive. */
static char *
unpacked(struct fixture *f, size_t i)
{
	return arena_printf(f->arena, "%s/cache/arrive/job%zu", f->dir, i);
}

static void
the_sweep_removes_what_no_run_needs(void **state)
{
	static const struct { const char *state; bool stays; } runs[] = {
		{ "queued", true }, { "running", true }, { "failed", true }, { "timeout", true }, { "done", false }, { "cancelled", false } };
	struct fixture *f = *state;
	struct settings set = db_settings(f);

	for (size_t i = 0; i < 6; i++) {
		add_job(f, arena_printf(f->arena, "job%zu", i), runs[i].state);
		add(f, arena_printf(f->arena, "file%zu", i), 0, arena_printf(f->arena, "job%zu", i));
	}
	add(f, "new", IMPORT_KEPT - 60000, NULL);
	add(f, "old", IMPORT_KEPT + 1, NULL);
	add(f, "oldRuns", IMPORT_KEPT + 1, "job1");
	add(f, "oldFailed", IMPORT_KEPT + 1, "job2");
	folder_make(AT_FDCWD, import_file_folder(f->arena, &set, "orphan"), 0700);
	for (size_t i = 0; i < 6; i++)
		folder_make(AT_FDCWD, unpacked(f, i), 0700);
	import_file_sweep(f->db, f->arena, &set);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(access(unpacked(f, i), F_OK) == 0, i < 2);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(is_there(f, arena_printf(f->arena, "file%zu", i)), runs[i].stays);
	assert_true(is_there(f, "new"));
	assert_false(is_there(f, "old"));
	assert_true(is_there(f, "oldRuns"));
	assert_false(is_there(f, "oldFailed"));
	assert_false(is_there(f, "orphan"));
}

static void
room_is_made_of_files_whose_run_has_ended(void **state)
{
	struct fixture *f = *state;
	struct settings set = db_settings(f);
	struct import_file file;

	add_job(f, "failed", "failed");
	add_job(f, "waits", "queued");
	add(f, "a", 0, "failed");
	add(f, "b", 0, "waits");
	add(f, "c", 0, NULL);
	db_begin(f->db, true);
	assert_true(import_file_find(f->db, f->arena, "a", &file));
	assert_null(file.run);
	assert_true(import_file_find(f->db, f->arena, "b", &file));
	assert_string_equal(file.run, "waits");
	import_file_make_room(f->db, "another");
	assert_true(import_file_find(f->db, f->arena, "a", &file));
	import_file_make_room(f->db, f->org);
	db_commit(f->db);
	import_file_sweep(f->db, f->arena, &set);
	assert_false(is_there(f, "a"));
	assert_true(is_there(f, "b"));
	assert_true(is_there(f, "c"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(parts_make_a_whole_only_without_a_gap, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_sweep_removes_what_no_run_needs, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(room_is_made_of_files_whose_run_has_ended, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
