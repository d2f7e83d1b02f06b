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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_of_every_length_are_written),
		cmocka_unit_test(escapes_are_written_at_every_place),
		cmocka_unit_test(bad_bytes_at_every_place),
		cmocka_unit_test(keys_are_escaped),
		cmocka_unit_test(members_written_by_hand_get_commas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
