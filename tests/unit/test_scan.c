/* The strict JSON scan: what RFC 8259 allows, what it forbids, and the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

/* Before cmocka.h, which has a macro fail(). */
#include "base/scan.h"
#include "http/req.h"

#include <cmocka.h>

struct sample {
	const char *text;
	size_t      n;
};
#define S(literal) { literal, sizeof(literal) - 1 }

static const char *
scan(struct arena *a, struct str s, bool *large)
{
	/* An exact copy, so that sanitizers detect a read past its end. */
	char *copy = malloc(s.n + 1);
	const char *error;

	memcpy(copy, s.p, s.n);
	error = json_scan(a, (struct str){ copy, s.n }, &json_limits_body, large);
	free(copy);
	return error;
}

static void
good_json_is_accepted(void **state)
{
	static const struct sample texts[] = {
		S("{}"), S("[]"), S("null"), S("true"), S("false"), S("0"), S("-0"), S("-0.0e-0"), S("1E+2"),
		S("123456789012345678901234567890"), S("\"\""), S(" \t\r\n[ 1 , 2 ] \n"), S("[[],{},[{}]]"),
		S("{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":\"\"}"), S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
		S("\"\\u0001\\uFFFF\\uD83D\\uDE00\""), S("\"\x7f\""), S("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""),
		S("\"\xf4\x8f\xbf\xbf\""), S("{\"\":1}"), S("{\"a\":1,\"a\":2}"), S("1e400"),
	};
	struct arena *a = arena_new(1 << 20);
	size_t i;
	bool large;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *error = scan(a, (struct str){ texts[i].text, texts[i].n }, &large);
		if (error != NULL)
			fail_msg("%s: %s", texts[i].text, error);
		assert_false(large);
	}
	arena_free(a);
}

static void
bad_json_is_refused(void **state)
{
	static const struct sample texts[] = {
		S(""), S(" "), S("{"), S("["), S("}"), S("]"), S("{]"), S("[}"), S("[1"), S("[1,"), S("[1,]"),
		S("[,1]"), S("[1 2]"), S("[1]]"), S("{}{}"), S("{} x"), S("{a:1}"), S("{'a':1}"), S("{\"a\"}"),
		S("{\"a\":}"), S("{\"a\":1,}"), S("{\"a\":1 \"b\":2}"), S("{1:2}"), S("{\"a\" 1}"), S("nul"),
		S("nulL"), S("tru"), S("TRUE"), S("nullx"), S("NaN"), S("Infinity"), S("-"), S("+1"), S("01"), S("-01"),
		S("1."), S(".1"), S("1e"), S("1e+"), S("0x1"), S("1_0"), S("\""), S("\"a"), S("\"\\"), S("\"\\x\""), S("\"\\\0\""),
		S("\"\\u\""), S("\"\\u12\""), S("\"\\u123g\""), S("\"\\u0000\""), S("\"\\uD800\""), S("\"\\uD800x\""),
		S("\"\\uD800\\n\""), S("\"\\uD800\\u0041\""), S("\"\\uDC00\""), S("\"\\uD800\\uD800\""), S("\"\\uD800\\"),
		S("\"\n\""), S("\"\t\""), S("\"\x01\""), S("\"a\0b\""), S("{}\0"), S("\0"), S("\"\x80\""),
		S("\"\xc0\x80\""), S("\"\xc1\xbf\""), S("\"\xe0\x80\x80\""), S("\"\xed\xa0\x80\""), S("\"\xf0\x80\x80\x80\""),
		S("\"\xf4\x90\x80\x80\""), S("\"\xf8\x88\x80\x80\x80\""), S("\"\xe2\x82\""), S("\"\xff\""),
		S("\xef\xbb\xbf{}"), S("/* */{}"), S("{} // x"), S("\v1"), S("\xc2\xa0""1"),
	};
	struct arena *a = arena_new(1 << 20);
	size_t i;
	bool large;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (scan(a, (struct str){ texts[i].text, texts[i].n }, &large) == NULL)
			fail_msg("%zu: \"%s\" was taken", i, texts[i].text);
		assert_false(large);
	}
	arena_free(a);
}

/* Every proper prefix of a valid text is invalid. */
static void
json_that_is_cut_is_refused(void **state)
{
	static const char text[] = "{\"a\":[1.5e-3,true,{\"\\u00e9\xc3\xa9\":null}],\"b\":\"\\ud83d\\ude00\"}";
	struct arena *a = arena_new(1 << 20);
	bool large;
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(text) - 1; n++)
		assert_non_null(scan(a, (struct str){ text, n }, &large));
	assert_null(scan(a, (struct str){ text, n }, &large));
	arena_free(a);
}

static struct str
repeat(struct arena *a, const char *before, const char *each, size_t n, const char *after)
{
	size_t k = strlen(each);
	struct buf b;

	buf_init(&b, a, 1 << 24);
	buf_str(&b, before);
	for (; n > 0; n--)
		buf_add(&b, each, k);
	buf_str(&b, after);
	return buf_view(&b);
}

static struct str
nested(struct arena *a, size_t depth, const char *open, const char *close)
{
	struct str left = repeat(a, "", open, depth, "");

	return repeat(a, arena_strndup(a, left.p, left.n), close, depth, "");
}

static void
json_beyond_the_limits_is_refused(void **state)
{
	struct arena *a = arena_new(256 << 20);
	bool large;

	(void)state;
	assert_null(scan(a, nested(a, 128, "[", "]"), &large));
	assert_non_null(scan(a, nested(a, 129, "[", "]"), &large));
	assert_true(large);
	assert_non_null(scan(a, repeat(a, "", "{\"a\":", 129, "1"), &large));
	assert_true(large);
	assert_non_null(scan(a, repeat(a, "", "[", 1000000, ""), &large));
	assert_true(large);
	assert_null(scan(a, repeat(a, "[0", ",0", 199998, "]"), &large));
	assert_non_null(scan(a, repeat(a, "[0", ",0", 199999, "]"), &large));
	assert_true(large);
	assert_null(scan(a, repeat(a, "\"", "x", 10000000, "\""), &large));
	arena_free(a);
}

/* cJSON can parse everything that the scan accepts, and the scan accepts what cJSON prints. */
static void
what_is_accepted_cjson_reads(void **state)
{
	static const char pieces[] = "{}[]\":,0123456789.-+eE \\untrfalsd\t\n\x80\xc3\xa9";
	struct arena *a = arena_new(64 << 20);
	char text[24];
	size_t round, i, n, taken = 0;
	cJSON *v;
	bool large;

	(void)state;
	srand(7);
	for (round = 0; round < 400000; round++) {
		n = 1 + (size_t)rand() % 12;
		for (i = 0; i < n; i++)
			text[i] = pieces[(size_t)rand() % (sizeof(pieces) - 1)];
		text[n] = '\0';
		if (json_scan(a, (struct str){ text, n }, &json_limits_body, &large) == NULL) {
			taken++;
			v = cJSON_ParseWithLength(text, n + 1);
			if (v == NULL)
				fail_msg("cJSON does not read \"%s\"", text);
			cJSON_Delete(v);
		}
		if (round % 1000 == 0)
			arena_reset(a);
	}
	assert_true(taken > 1000);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_json_is_accepted), cmocka_unit_test(bad_json_is_refused),
		cmocka_unit_test(json_that_is_cut_is_refused),
		cmocka_unit_test(json_beyond_the_limits_is_refused), cmocka_unit_test(what_is_accepted_cjson_reads) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
