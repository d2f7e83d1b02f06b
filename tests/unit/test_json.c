/* The JSON writer: strings and keys of every length, with characters that need an escape at every position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { LONGEST = 40 };

/* Writes {"<text>":"<text>"}; parsing it must give the wanted text. */
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
texts_of_every_length_are_written(void **state)
{
	char text[LONGEST + 1] = "";
	size_t n;

	(void)state;
	for (n = 0; n <= LONGEST; n++) {
		memset(text, 'x', n);
		expect(n == 0 ? NULL : text, n, text);
	}
}

/* One byte of each kind at each position: in words of eight bytes, and in the rest. */
static void
escapes_are_written_at_every_place(void **state)
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

/* Literal keys, and keys from data among them. */
static void
keys_are_escaped(void **state)
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

/* Members written directly into the buffer get commas before and after them. */
static void
members_written_by_hand_get_commas(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct json j;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 16);
	json_init(&j, &b);
	json_arr(&j);
	json_begin(&j, STR("{\"one\":1"));
	json_kint(&j, "two", 2);
	json_key(&j, "three");
	json_quote(json_by_hand(&j), STR("a\"b"));
	json_end(&j);
	buf_str(json_by_hand(&j), "4");
	json_begin(&j, STR("{\"five\":[]"));
	json_open(&j, STR(",\"six\":["));
	json_int(&j, 6);
	json_int(&j, 7);
	json_end(&j);
	json_open(&j, STR(",\"eight\":{"));
	json_kint(&j, "nine", 9);
	json_end(&j);
	json_end(&j);
	json_end(&j);
	assert_string_equal(b.p, "[{\"one\":1,\"two\":2,\"three\":\"a\\\"b\"},4,{\"five\":[],\"six\":[6,7],\"eight\":{\"nine\":9}}]");
	arena_free(a);
}

/* Checks the text as people write it: it reads back as the same value. most: bytes. */
static void
expect_pretty(const char *text, const char *want, size_t most)
{
	struct arena *a = arena_new(1 << 24);
	cJSON *v = cJSON_Parse(text), *back;
	const char *made = json_pretty(a, v);

	if (want != NULL)
		assert_string_equal(made, want);
	assert_in_range(strlen(made), 0, most);
	back = cJSON_Parse(made);
	assert_true(cJSON_Compare(v, back, true));
	cJSON_Delete(v);
	cJSON_Delete(back);
	arena_free(a);
}

static void
json_for_people_is_indented(void **state)
{
	enum { DEEP = 150, MANY = 10000 };
	static char deep[2 * DEEP + 2 * MANY + 1];

	(void)state;
	expect_pretty("{}", "{}", 2);
	expect_pretty("{\"a\":[1,{\"b\\n\":\"\\u00e9\\n\"}],\"c\":[]}",
	    "{\n  \"a\": [\n    1,\n    {\n      \"b\\n\": \"\xc3\xa9\\n\"\n    }\n  ],\n  \"c\": []\n}", 100);
	/* With blanks for each level, the list below a hundred and fifty levels would become three megabytes. */
	memset(deep, '[', DEEP);
	for (int i = 0; i < MANY; i++)
		memcpy(deep + DEEP + 2 * i, i + 1 < MANY ? "1," : "1]", 2);
	memset(deep + DEEP + 2 * MANY, ']', DEEP - 1);
	expect_pretty(deep, NULL, 50 * MANY);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_of_every_length_are_written),
		cmocka_unit_test(escapes_are_written_at_every_place),
		cmocka_unit_test(bad_bytes_at_every_place),
		cmocka_unit_test(keys_are_escaped),
		cmocka_unit_test(members_written_by_hand_get_commas),
		cmocka_unit_test(json_for_people_is_indented),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
