/* The JSON writer: strings and keys of every length, with what needs an escape at every place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/scan.h"

enum { LONGEST = 40 };

/* {"<text>":"<text>"}, and what comes back is the text that was wanted. */
static void
expect(const char *text, size_t n, const char *want)
{
	struct arena *a = arena_new(1 << 20);
	struct json j;
	struct buf b;
	cJSON *v;

	buf_init(&b, a, 1 << 16);
	json_init(&j, &b);
	json_obj(&j);
	json_keyn(&j, (struct str){ text, n });
	json_strn(&j, (struct str){ text, n });
	json_end(&j);
	v = cJSON_ParseWithLengthOpts(b.p, b.n + 1, NULL, 1);
	if (v == NULL || strcmp(v->child->string, want) != 0 || strcmp(v->child->valuestring, want) != 0)
		fail_msg("%s instead of %s", b.p, want);
	cJSON_Delete(v);
	arena_free(a);
}

static void
plain_of_every_length(void **state)
{
	char text[LONGEST + 1] = "";
	size_t n;

	(void)state;
	for (n = 0; n <= LONGEST; n++) {
		memset(text, 'x', n);
		expect(n == 0 ? NULL : text, n, text);
	}
}

/* One byte of each kind at each place: the words of eight bytes, and what is left of them. */
static void
escapes_at_every_place(void **state)
{
	static const char bytes[] = "\"\\\n\t\x01\x1f\x7f /";
	char text[LONGEST + 1];
	size_t n, i, k;

	(void)state;
	for (n = 1; n <= LONGEST; n++)
		for (i = 0; i < n; i++)
			for (k = 0; bytes[k] != '\0'; k++) {
				memset(text, 'x', n);
				text[n] = '\0';
				text[i] = bytes[k];
				text[n - 1 - i] = bytes[k];
				expect(text, n, text);
			}
}

static void
bad_bytes_at_every_place(void **state)
{
	char text[LONGEST], want[LONGEST + 3];
	size_t n, i;

	(void)state;
	for (n = 1; n <= LONGEST; n++)
		for (i = 0; i < n; i++) {
			memset(text, 'x', n);
			memset(want, 'x', sizeof(want));
			text[i] = '\xff';
			memcpy(want + i, "\xEF\xBF\xBD", 3);
			want[n + 2] = '\0';
			expect(text, n, want);
		}
}

/* Keys that the compiler knows, and keys of data beside them. */
static void
keys(void **state)
{
	struct arena *a = arena_new(1 << 20);
	const char *volatile data = "a \"quoted\" key";
	struct json j;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 16);
	json_init(&j, &b);
	json_obj(&j);
	json_kint(&j, "one", 1);
	json_kstr(&j, data, "\"");
	json_name(&j, "three", 5);
	json_bool(&j, true);
	json_kobj(&j, "four");
	json_end(&j);
	json_end(&j);
	assert_string_equal(b.p, "{\"one\":1,\"a \\\"quoted\\\" key\":\"\\\"\",\"three\":true,\"four\":{}}");
	assert_int_equal(strlen(b.p), b.n);
	arena_free(a);
}

/* ---- json_tree() ---- */

/* All that users of a tree look at. */
static void
same_trees(const char *text, const cJSON *want, const cJSON *got)
{
	const cJSON *last = NULL;

	for (; want != NULL && got != NULL; last = got, want = want->next, got = got->next) {
		if (want->type != got->type || want->valueint != got->valueint ||
		    memcmp(&want->valuedouble, &got->valuedouble, sizeof(double)) != 0 ||
		    (want->string == NULL) != (got->string == NULL) || (want->valuestring == NULL) != (got->valuestring == NULL) ||
		    (want->string != NULL && strcmp(want->string, got->string) != 0) ||
		    (want->valuestring != NULL && strcmp(want->valuestring, got->valuestring) != 0))
			fail_msg("another value in %s", text);
		if ((want->prev == NULL) != (got->prev == NULL) || (last != NULL && got->prev != last))
			fail_msg("another order in %s", text);
		same_trees(text, want->child, got->child);
	}
	if (want != NULL || got != NULL)
		fail_msg("more or less in %s", text);
}

/* Is it taken? A tree is the one that cJSON makes; and what the strict scan takes is taken. */
static bool
tree_of(struct arena *a, const char *text, size_t n)
{
	/* An exact copy, so that a read past the end is one past the allocation. */
	char *copy = malloc(n + 1);
	cJSON *tree, *want;
	bool large;

	memcpy(copy, text, n);
	tree = json_tree(a, (struct str){ copy, n });
	want = cJSON_ParseWithLength(copy, n);
	if (tree != NULL && want == NULL)
		fail_msg("cJSON does not take %s", text);
	if (tree != NULL)
		same_trees(text, want, tree);
	else if (json_scan(a, (struct str){ copy, n }, &json_limits_body, &large) == NULL)
		fail_msg("not taken: %s", text);
	cJSON_Delete(want);
	free(copy);
	return tree != NULL;
}

static const char *const trees[] = {
	"{}", "[]", "null", "true", "false", "0", "-0", "-1.5e3", "123456789012345", "1234567890123456", "9007199254740993",
	"2147483648", "-2147483649", "1e400", "0.1", "\"\"", " [ 1 , 2 ] ", "[[],{},[{}]]", "{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":\"\"}",
	"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"a\\u0001b\\uFFFFc\\u00e9\\uD83D\\uDE00d\"", "{\"k\\\"ey\":\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}",
	"{\"\":1,\"\":2}", "{\"nodes\":[{\"text\":\"x\\ny\",\"marks\":[]},{\"text\":\"long, long, long\",\"n\":-17}]}" };
enum { TREES = sizeof(trees) / sizeof(trees[0]) };

static void
trees_as_cjson_makes_them(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct buf many;
	size_t i;

	(void)state;
	for (i = 0; i < TREES; i++)
		if (!tree_of(a, trees[i], strlen(trees[i])))
			fail_msg("not taken: %s", trees[i]);
	/* More values than are allocated at once. */
	buf_init(&many, a, 1 << 16);
	for (i = 0; i < 500; i++)
		buf_str(&many, i == 0 ? "[1" : ",{},[]");
	buf_str(&many, "]");
	assert_true(tree_of(a, many.p, many.n));
	arena_free(a);
}

static void
what_is_no_json(void **state)
{
	static const char *const texts[] = { "", " ", "{", "[", "}", "{]", "[}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1]]",
		"{} x", "{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\" 1}", "nul", "-", "+1", ".5", "-x", "0x1", "1e", "1-", "inf", "nan",
		"\"", "\"a", "\"\\", "\"\\x\"", "\"\\u\"", "\"\\u12\"", "\"\\u0000\"", "\"\\uD800\"", "\"\\uD800\\u0041\"", "\"\\uDC00\"",
		"\"\\uD83D\\uDE\"", "\"\\uD83D\\uDE00", "\"\n\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\\", "[\"" };
	struct arena *a = arena_new(1 << 20);
	char deep[JSON_MAX_DEPTH * 2 + 1] = "";
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (tree_of(a, texts[i], strlen(texts[i])))
			fail_msg("taken: %s", texts[i]);
	assert_false(tree_of(a, "\"a\0b\"", 5));
	assert_false(tree_of(a, "{}\0", 3));
	/* What struct json can write, and one level more. */
	for (i = 0; i < JSON_MAX_DEPTH; i++)
		deep[i] = '[', deep[JSON_MAX_DEPTH * 2 - 1 - i] = ']';
	assert_non_null(json_tree(a, (struct str){ deep + 1, (JSON_MAX_DEPTH - 1) * 2 }));
	assert_null(json_tree(a, (struct str){ deep, JSON_MAX_DEPTH * 2 }));
	arena_free(a);
}

/* Texts with some bytes changed, many of them no JSON any more. */
static void
changed_at_random(void **state)
{
	static const char bytes[] = "{}[],:\"\\u0D8a1-.e tn\n";
	unsigned seed = 7, turns, k, taken = 0;
	char text[200];
	size_t n;

	(void)state;
	for (turns = 0; turns < 40000; turns++) {
		struct arena *a = arena_new(1 << 20);

		n = strlen(trees[turns % TREES]);
		memcpy(text, trees[turns % TREES], n + 1);
		for (k = 0; k <= turns % 3; k++) {
			seed = seed * 1664525 + 1013904223;
			text[(seed >> 8) % n] = bytes[(seed >> 20) % (sizeof(bytes) - 1)];
		}
		taken += tree_of(a, text, n);
		arena_free(a);
	}
	assert_in_range(taken, 1000, 39000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_of_every_length),
		cmocka_unit_test(escapes_at_every_place),
		cmocka_unit_test(bad_bytes_at_every_place),
		cmocka_unit_test(keys),
		cmocka_unit_test(trees_as_cjson_makes_them),
		cmocka_unit_test(what_is_no_json),
		cmocka_unit_test(changed_at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
