/* Order keys: there is always one between two others, and they stay short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "content.h"

static void
well_formed(const char *key)
{
	assert_true(strlen(key) > 0);
	assert_int_equal(strspn(key, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
	    strlen(key));
	/* Nothing would fit before it. */
	assert_int_not_equal(key[strlen(key) - 1], '0');
}

static const char *
between(struct arena *a, const char *before, const char *after)
{
	char *key = ord_between(a, before, after);

	well_formed(key);
	if (strcmp(before, key) >= 0 || (*after != '\0' && strcmp(key, after) >= 0))
		fail_msg("\"%s\" is not between \"%s\" and \"%s\"", key, before, after);
	return key;
}

/* Inserts at random places, as people sort pages. */
static void
anywhere(void **state)
{
	enum { N = 3000 };
	struct arena *a = arena_new(256 << 20);
	const char **keys = arena_array(a, N + 1, sizeof(*keys));
	size_t n, at, longest = 0;

	(void)state;
	srand(11);
	for (n = 0; n < N; n++) {
		at = (size_t)rand() % (n + 1);
		memmove(keys + at + 1, keys + at, (n - at) * sizeof(*keys));
		keys[at] = between(a, at == 0 ? "" : keys[at - 1], at == n ? "" : keys[at + 1]);
		if (strlen(keys[at]) > longest)
			longest = strlen(keys[at]);
	}
	for (n = 1; n < N; n++)
		assert_true(strcmp(keys[n - 1], keys[n]) < 0);
	assert_true(longest < 20);
	arena_free(a);
}

static size_t
grow(struct arena *a, int where, size_t n)
{
	const char *low = between(a, "", ""), *high = between(a, low, "");

	for (; n > 0; n--) {
		if (where == 0)
			low = between(a, "", low);             /* always first */
		else if (where == 1)
			high = between(a, high, "");           /* always last */
		else if (where == 2)
			high = between(a, low, high);          /* always after the same one */
		else
			low = between(a, low, high);           /* always before the same one */
	}
	return strlen(low) > strlen(high) ? strlen(low) : strlen(high);
}

static void
one_end(void **state)
{
	struct arena *a = arena_new(256 << 20);

	(void)state;
	/* Appending is what happens most: a key a thousand pages on is still short. */
	assert_true(grow(a, 1, 1000) <= 40);
	assert_true(grow(a, 0, 1000) <= 260);
	assert_true(grow(a, 2, 1000) <= 260);
	assert_true(grow(a, 3, 1000) <= 260);
	arena_free(a);
}

static void
spread(void **state)
{
	static const size_t counts[] = { 0, 1, 2, 59, 60, 61, 62, 63, 1000, 3719, 3720, 3721, 20000 };
	static const char *const after[] = { "", "V", "zzz", "0V" };
	struct arena *a = arena_new(512 << 20);
	size_t i, k, n;
	char **keys;

	(void)state;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		for (k = 0; k < sizeof(after) / sizeof(after[0]); k++) {
			keys = ord_spread(a, after[k], counts[i]);
			for (n = 0; n < counts[i]; n++) {
				well_formed(keys[n]);
				assert_true(strcmp(n == 0 ? after[k] : keys[n - 1], keys[n]) < 0);
				/* There is room between neighbours, and before the first. */
				between(a, n == 0 ? after[k] : keys[n - 1], keys[n]);
			}
			arena_reset(a);
		}
	}
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(anywhere), cmocka_unit_test(one_end),
		cmocka_unit_test(spread) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
