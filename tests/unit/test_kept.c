/* The file cache of data that can be made again: stored data is found, and a folder does not grow without limit. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../temp_dir.h"
#include "base/kept.h"

/* The i-th key of one folder. Storing a key whose third digit is 0 checks the number of files. */
static char *
key_of(struct arena *a, int i)
{
	return arena_printf(a, "ab%014d", i);
}

static int
entries(struct arena *a, const char *dir)
{
	DIR *d = opendir(arena_printf(a, "%s/cache/kind/ab", dir));
	const struct dirent *e;
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		n += *e->d_name != '.';
	closedir(d);
	return n;
}

static void
kept_bytes_come_back(void **state)
{
	struct arena *a = arena_new(128 << 20);
	char dir[TEMP_MAX];
	struct str got;

	(void)state;
	temp_dir(dir);
	assert_false(kept_get(a, dir, "kind", key_of(a, 1), &got));
	kept_put(a, dir, "kind", key_of(a, 1), STR("bytes\n"), 10);
	assert_true(kept_get(a, dir, "kind", key_of(a, 1), &got));
	assert_true(str_is(got, "bytes\n"));
	assert_false(kept_get(a, dir, "other", key_of(a, 1), &got));
	kept_put(a, dir, "kind", key_of(a, 2), (struct str){ arena_alloc(a, KEPT_MAX + 1), KEPT_MAX + 1 }, 10);
	assert_false(kept_get(a, dir, "kind", key_of(a, 2), &got));
	arena_free(a);
}

/* A power failure may leave a file empty or truncated: it is not returned. */
static void
bytes_that_were_cut_are_not_given(void **state)
{
	static const char text[] = "lines\nof\na text\n";
	struct arena *a = arena_new(128 << 20);
	char dir[TEMP_MAX], *path;
	struct str got;
	off_t n;

	(void)state;
	temp_dir(dir);
	path = arena_printf(a, "%s/cache/kind/%.2s/%s", dir, key_of(a, 1), key_of(a, 1) + 2);
	for (n = 0; n < (off_t)sizeof(text); n++) {
		kept_put(a, dir, "kind", key_of(a, 1), STR(text), 10);
		assert_true(kept_get(a, dir, "kind", key_of(a, 1), &got));
		assert_string_equal(got.p, text);
		assert_int_equal(truncate(path, n), 0);
		assert_false(kept_get(a, dir, "kind", key_of(a, 1), &got));
	}
	/* A file of the right length, with zeros from a certain block on. */
	assert_int_equal(truncate(path, (off_t)sizeof(text)), 0);
	assert_false(kept_get(a, dir, "kind", key_of(a, 1), &got));
	kept_put(a, dir, "kind", key_of(a, 1), STR(""), 10);
	assert_true(kept_get(a, dir, "kind", key_of(a, 1), &got));
	assert_int_equal(got.n, 0);
	arena_free(a);
}

static void
the_cache_stays_within_its_bounds(void **state)
{
	struct arena *a = arena_new(128 << 20);
	struct str large = { arena_alloc(a, 1 << 20), 1 << 20 }, got;
	char dir[TEMP_MAX];
	int i;

	(void)state;
	temp_dir(dir);
	for (i = 0; i < 100; i++) {
		kept_put(a, dir, "kind", key_of(a, i), STR("x"), 10);
		assert_true(kept_get(a, dir, "kind", key_of(a, i), &got));
		assert_true(entries(a, dir) <= 12);
	}
	for (i = 0; i < 20; i++) {
		kept_put(a, dir, "kind", key_of(a, 1000 + i), large, 1000);
		assert_true(kept_get(a, dir, "kind", key_of(a, 1000 + i), &got));
		assert_true(entries(a, dir) <= 12 + KEPT_FOLDER_BYTES / (1 << 20) + 1);
	}
	arena_free(a);
}

/* Temporary files of killed processes are removed after some time; one that is being written stays. */
static void
abandoned_files_are_removed(void **state)
{
	struct arena *a = arena_new(128 << 20);
	const struct timespec old[2] = { { .tv_sec = time(NULL) - 7200 }, { .tv_sec = time(NULL) - 7200 } };
	char dir[TEMP_MAX], *left, *fresh;
	int i;

	(void)state;
	temp_dir(dir);
	kept_put(a, dir, "kind", key_of(a, 1), STR("x"), 10);
	left = arena_printf(a, "%s/cache/kind/ab/.4194303", dir);
	fresh = arena_printf(a, "%s/cache/kind/ab/.4194302", dir);
	assert_int_equal(close(open(left, O_WRONLY | O_CREAT, 0600)), 0);
	assert_int_equal(close(open(fresh, O_WRONLY | O_CREAT, 0600)), 0);
	assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
	for (i = 0; i < 3; i++)
		kept_put(a, dir, "kind", key_of(a, i), STR("x"), 10);
	assert_int_not_equal(access(left, F_OK), 0);
	assert_int_equal(access(fresh, F_OK), 0);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kept_bytes_come_back),
		cmocka_unit_test(bytes_that_were_cut_are_not_given),
		cmocka_unit_test(the_cache_stays_within_its_bounds),
		cmocka_unit_test(abandoned_files_are_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
