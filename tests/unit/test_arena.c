/* Arena and buffer: sizes, growth, limits, and functions that run when the arena is freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mapped.h"
#include "base/sort.h"

/* Runs fn in a child; true if it panicked. */
static bool
panics(void (*fn)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (freopen("/dev/null", "w", stderr) == NULL)
			_exit(1);
		fn();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == EX_SOFTWARE;
}

static void
every_size_is_aligned_and_zeroed(void **state)
{
	struct arena *a = arena_new(64 << 20);
	char *last = NULL;
	size_t n, i;

	(void)state;
	for (n = 0; n < 3000; n += 7) {
		char *p = arena_alloc(a, n);
		assert_int_equal((uintptr_t)p % 16, 0);
		assert_ptr_not_equal(p, last);
		for (i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xAA, n);
		last = p;
	}
	arena_reset(a);
	assert_int_equal(arena_used(a), 0);
	/* Memory allocated after a reset is zeroed again. */
	last = arena_alloc(a, 5000);
	for (i = 0; i < 5000; i++)
		assert_int_equal(last[i], 0);
	assert_non_null(arena_alloc(a, 20 << 20));
	arena_free(a);
	arena_free(NULL);
}

/* Keeps memory reachable that a panic does not free, so that LeakSanitizer reports nothing at exit. */
static struct arena *left;

static void
over_the_cap(void)
{
	left = arena_new(1 << 20);
	arena_alloc(left, 1 << 19);
	arena_alloc(left, (1 << 19) + 1);
}

static void
many_small(void)
{
	left = arena_new(1 << 16);
	for (;;)
		arena_alloc(left, 1);
}

static void
huge(void)
{
	left = arena_new(SIZE_MAX / 2);
	arena_alloc(left, SIZE_MAX - 3);
}

static void
overflow(void)
{
	left = arena_new(1 << 20);
	arena_array(left, SIZE_MAX / 4 + 2, 4);
}

static void
buffer_ceiling(void)
{
	struct buf b;

	left = arena_new(1 << 20);
	buf_init(&b, left, 100);
	buf_add(&b, "0123456789", 10);
	buf_printf(&b, "%0100d", 1);
}

static void
an_arena_beyond_its_ceiling_panics(void **state)
{
	(void)state;
	assert_true(panics(over_the_cap));
	assert_true(panics(many_small));
	assert_true(panics(huge));
	assert_true(panics(overflow));
	assert_true(panics(buffer_ceiling));
}

static char order[8];

static void
note(void *arg)
{
	order[strlen(order)] = *(char *)arg;
}

static void
cleanups_run_once_in_reverse(void **state)
{
	static char one = '1', two = '2';
	struct arena *a = arena_new(1 << 20);

	(void)state;
	arena_on_end(a, note, &one);
	arena_on_end(a, note, &two);
	arena_reset(a);
	assert_string_equal(order, "21");
	arena_reset(a);
	assert_string_equal(order, "21");
	arena_on_end(a, note, &one);
	arena_free(a);
	assert_string_equal(order, "211");
}

static void
texts_are_copied_with_their_end(void **state)
{
	const char *volatile bytes = NULL;
	struct arena *a = arena_new(1 << 20);

	(void)state;
	assert_string_equal(arena_strdup(a, ""), "");
	assert_memory_equal(arena_strndup(a, "a\0b", 3), "a\0b\0", 4);
	assert_string_equal(arena_strndup(a, NULL, 0), "");
	assert_string_equal(arena_printf(a, "%d-%s", 5, "x"), "5-x");
	/* Formats of %s alone take a faster path. */
	assert_string_equal(arena_printf(a, "%s", ""), "");
	assert_string_equal(arena_printf(a, "no directive"), "no directive");
	assert_string_equal(arena_printf(a, "<%s|%s>%s", "ab", "", "c"), "<ab|>c");
	assert_string_equal(arena_printf(a, "%s%s%s%s%s%s%s%s", "1", "2", "3", "4", "5", "6", "7", "8"), "12345678");
	assert_string_equal(arena_printf(a, "%s%s%s%s%s%s%s%s%s", "1", "2", "3", "4", "5", "6", "7", "8", "9"), "123456789");
	assert_string_equal(arena_printf(a, "%s 100%%", "x"), "x 100%");
	assert_string_equal(arena_printf(a, "%.2s%s", "abc", "d"), "abd");
	assert_string_equal(arena_printf(a, "%c%.*s|%.*s|%zu", '<', 2, "abc", 9, "abc", (size_t)0), "<ab|abc|0");
	assert_string_equal(arena_printf(a, "%zu-%zu", SIZE_MAX, (size_t)10), "18446744073709551615-10");
	assert_string_equal(arena_printf(a, "%.*s%u", -1, "abc", 1u), "abc1");
	assert_string_equal(arena_printf(a, "%.*s", -1, "abc"), "abc");
	/* The bytes of an empty string may be NULL; a variable hides that from the compiler, which would warn. */
	assert_string_equal(arena_printf(a, "<%.*s>", 0, bytes), "<>");
	assert_string_equal(arena_printf(a, "%zd%s", (ssize_t)-1, "x"), "-1x");
	assert_int_equal(strlen(arena_printf(a, "%0100000d", 1)), 100000);
	arena_free(a);
}

static void
a_buffer_grows_and_is_cut(void **state)
{
	struct arena *a = arena_new(8 << 20);
	struct buf b;
	size_t i;

	(void)state;
	buf_init(&b, a, 1 << 20);
	assert_int_equal(buf_view(&b).n, 0);
	for (i = 0; i < 100000; i++)
		buf_int(&b, (int64_t)(i % 10));
	assert_int_equal(b.n, 100000);
	assert_int_equal(b.p[b.n], '\0');
	assert_int_equal(b.p[99999], '9');
	buf_cut(&b, 99990);
	assert_string_equal(b.p, "0123456789");
	buf_cut(&b, 10);
	buf_int(&b, INT64_MIN);
	buf_char(&b, ' ');
	buf_int(&b, INT64_MAX);
	assert_string_equal(b.p, "-9223372036854775808 9223372036854775807");
	buf_cut(&b, b.n);
	buf_utf8(&b, 'a');
	buf_utf8(&b, 0xE9);
	buf_utf8(&b, 0x20AC);
	buf_utf8(&b, 0x1F600);
	assert_string_equal(b.p, "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	/* Growing must not need four times the written bytes. */
	assert_true(arena_used(a) < 1 << 20);
	arena_free(a);
}

/* buf_fit() returns unused memory of a buffer to the arena, unless another allocation follows it. */
static void
a_fitted_buffer_gives_memory_back(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct buf one, two;
	size_t used;
	char *next;

	(void)state;
	buf_init(&one, a, 1000);
	buf_str(&one, "text");
	used = arena_used(a);
	buf_fit(&one);
	assert_true(arena_used(a) < used);
	next = arena_bytes(a, 100);
	assert_true(next > one.p && next < one.p + 100);
	memset(next, 'x', 100);
	assert_string_equal(one.p, "text");
	/* It can still grow, at another address. */
	buf_init(&two, a, 1000);
	arena_bytes(a, 1);
	used = arena_used(a);
	buf_fit(&two);
	assert_int_equal(arena_used(a), used);
	buf_str(&one, " goes on");
	buf_str(&two, "other");
	assert_string_equal(one.p, "text goes on");
	assert_string_equal(two.p, "other");
	arena_free(a);
}

/* Large chunks are kept and reused, up to the limit that was set. */
static void
spare_chunks_are_used_again(void **state)
{
	enum { LARGE = 3 << 20 };
	struct arena *a = arena_new(64 << 20);
	char *first, *again;

	(void)state;
	arena_spare(4 << 20);
	first = arena_bytes(a, LARGE);
	memset(first, 'x', LARGE);
	arena_reset(a);
	again = arena_alloc(a, LARGE);
#ifndef __SANITIZE_ADDRESS__
	assert_ptr_equal(first, again);
#endif
	/* Zeroed allocations contain zeros, whatever the memory contained before. */
	assert_int_equal(again[LARGE - 1], 0);
	/* Two exceed the limit: one is freed. */
	assert_non_null(arena_bytes(a, LARGE));
	arena_free(a);
	arena_spare(0);
	a = arena_new(64 << 20);
	assert_int_equal(*(char *)arena_alloc(a, LARGE), 0);
	arena_free(a);
}

/* A table that is replaced by a larger one gives its memory back; the others stay as they are. */
static void
a_dropped_table_counts_no_longer(void **state)
{
	struct arena *a = arena_new(1 << 20);
	char *other = arena_strdup(a, "other"), *small = arena_apart(a, 1000, 8), *large = arena_apart(a, 2000, 8);
	size_t used = arena_used(a);

	(void)state;
	assert_int_equal((uintptr_t)large % 16, 0);
	assert_int_equal(large[15999], 0);
	memset(small, 'x', 8000);
	memset(large, 'y', 16000);
	arena_drop(a, small);
	assert_int_equal(arena_used(a), used - 8000);
	assert_int_equal(large[0], 'y');
	assert_string_equal(other, "other");
	/* The rest ends with the arena. */
	arena_reset(a);
	assert_int_equal(arena_used(a), 0);
	assert_int_equal(*(char *)arena_apart(a, 1, 1000), 0);
	arena_free(a);
}

static void
exceed_the_cap_apart(void)
{
	left = arena_new(100000);
	arena_apart(left, 1000, 101);
}

static void
a_table_beyond_the_ceiling_panics(void **state)
{
	(void)state;
	assert_true(panics(exceed_the_cap_apart));
}

/* Bytes of files and shared memory that this process has in memory. */
static size_t
shared_bytes(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%*u %*u %lu", &pages), 1);
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* With their map, 16 MB. */
enum { KEYS = 300000 };

static void
a_list_on_disk_does_not_fill_memory(void **state)
{
	struct arena *owner = arena_new(1 << 20), *a = arena_on_disk(owner, (size_t)1 << 30, "/tmp"),
	    *inner = arena_on_disk(a, (size_t)1 << 30, NULL);
	size_t before = shared_bytes(), most = 0, i;
	struct map *m = map_new(inner);
	uint64_t *list = arena_array(a, KEYS, sizeof(*list));

	(void)state;
	for (i = 0; i < KEYS; i++) {
		list[i] = i;
		assert_true(map_add(m, (struct str){ (char *)&list[i], sizeof(*list) }, &list[i]));
	}
	for (i = 0; i < KEYS; i++) {
		uint64_t key = i * 7919 % KEYS;

		assert_ptr_equal(map_get(m, (struct str){ (char *)&key, sizeof(key) }), &list[key]);
		assert_int_equal(list[key], key);
		if (i % 1000 == 0 && shared_bytes() > most)
			most = shared_bytes();
	}
	/* Between two looks the process may use a few megabytes more. */
	assert_true(most < before + 2 * MAPPED_RESIDENT);
	arena_free(owner);
}

static int
descending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a < b) - (a > b);
}

static void
a_long_list_on_disk_is_sorted(void **state)
{
	struct arena *owner = arena_new(1 << 20), *a = arena_on_disk(owner, (size_t)1 << 30, "/tmp");
	uint64_t *list = arena_array(a, KEYS, sizeof(*list)), key = 5;
	size_t i;

	(void)state;
	for (i = 0; i < KEYS; i++)
		list[i] = i * 7919 % KEYS;
	sort_list(list, KEYS, sizeof(*list), descending);
	for (i = 0; i < KEYS; i++)
		assert_int_equal(list[i], KEYS - 1 - i);
	assert_ptr_equal(find_sorted(&key, list, KEYS, sizeof(*list), descending), &list[KEYS - 6]);
	arena_free(owner);
}

static void
without_a_folder_such_an_arena_works_too(void **state)
{
	struct arena *owner = arena_new(1 << 20), *a = arena_on_disk(owner, (size_t)1 << 30, "/nowhere");
	char *large = arena_alloc(a, 20 << 20), *small = arena_strdup(a, "small"), *apart = arena_apart(a, 1, 10 << 20);

	(void)state;
	assert_int_equal(large[(20 << 20) - 1], 0);
	memset(large, 'x', 20 << 20);
	memset(apart, 'y', 10 << 20);
	arena_drop(a, apart);
	assert_string_equal(small, "small");
	arena_reset(a);
	assert_int_equal(arena_used(a), 0);
	assert_int_equal(*(char *)arena_alloc(a, 20 << 20), 0);
	arena_free(owner);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_size_is_aligned_and_zeroed),
	cmocka_unit_test(an_arena_beyond_its_ceiling_panics),
		cmocka_unit_test(cleanups_run_once_in_reverse), cmocka_unit_test(texts_are_copied_with_their_end),
		cmocka_unit_test(a_buffer_grows_and_is_cut), cmocka_unit_test(a_fitted_buffer_gives_memory_back),
		cmocka_unit_test(spare_chunks_are_used_again), cmocka_unit_test(a_dropped_table_counts_no_longer),
		cmocka_unit_test(a_table_beyond_the_ceiling_panics),
		cmocka_unit_test(a_list_on_disk_does_not_fill_memory), cmocka_unit_test(a_long_list_on_disk_is_sorted),
		cmocka_unit_test(without_a_folder_such_an_arena_works_too) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
