/* The hash table: keys are found while it grows, and a large one takes little memory for each key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sodium.h>

#include "base/map.h"

enum { MANY = 200000 };

static struct str
key_of(struct arena *a, size_t i)
{
	return str_of(arena_printf(a, "chapter-%zu/page-%zu.md", i % 100, i));
}

static void
every_key_is_found_while_the_table_grows(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct map *m = map_new(a);
	size_t i, k;

	(void)state;
	assert_null(map_get(m, STR("page")));
	assert_false(map_has(m, STR("page")));
	for (i = 1; i <= 3000; i++) {
		assert_true(map_add(m, key_of(a, i), (void *)i));
		assert_false(map_add(m, key_of(a, i), NULL));
		for (k = 1; k <= i; k += 1 + i / 10)
			assert_int_equal((size_t)map_get(m, key_of(a, k)), k);
		assert_null(map_get(m, key_of(a, i + 1)));
	}
	arena_free(a);
}

static void
an_empty_key_and_no_value_are_entries(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct map *m = map_new(a);

	(void)state;
	assert_true(map_add(m, (struct str){ NULL, 0 }, m));
	assert_false(map_add(m, STR(""), a));
	assert_ptr_equal(map_get(m, STR("")), m);
	assert_null(*map_at(m, STR("none")));
	assert_true(map_has(m, STR("none")));
	*map_at(m, STR("none")) = a;
	assert_ptr_equal(map_get(m, STR("none")), a);
	arena_free(a);
}

static void
a_large_table_takes_little_memory(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30), *keys = arena_new((size_t)1 << 30);
	struct map *m = map_new(a);
	size_t i;

	(void)state;
	for (i = 0; i < MANY; i++) {
		map_add(m, key_of(keys, i), m);
		/* 24 bytes for a slot, of which half are free at most. */
		if (i > 10000 && i % 1000 == 0)
			assert_in_range(arena_used(a) / i, 24, 50);
	}
	for (i = 0; i < MANY; i++)
		assert_ptr_equal(map_get(m, key_of(keys, i)), m);
	arena_free(a);
	arena_free(keys);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_key_is_found_while_the_table_grows),
		cmocka_unit_test(an_empty_key_and_no_value_are_entries), cmocka_unit_test(a_large_table_takes_little_memory) };

	if (sodium_init() < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
