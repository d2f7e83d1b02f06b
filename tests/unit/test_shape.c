/* Shapes: which input is accepted, and the message of each fault. */
#include <stdlib.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "base/exact.h"
#include "http/req.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const struct shape Inner = { "Inner", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .max = 5 }, { 0 } } };
static const struct shape Circle = { "Circle", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "circle" }, { "radius", T_NUMBER, F_REQ }, { 0 } } };
static const struct shape Square = { "Square", (const struct field[]){
	{ "kind", T_CONST, F_REQ, .set = "square" }, { "side", T_INT, F_REQ, .min = 1, .max = 9 }, { 0 } } };
static const struct shape Figure = { "Figure", NULL, (const struct shape *const[]){ &Circle, &Square, NULL } };
static const struct shape Open = { "Open", (const struct field[]){ { "a", T_INT }, { 0 } }, .flags = SHAPE_OPEN };
static const struct shape Some = { "Some", (const struct field[]){ { "a", T_INT }, { 0 } }, .flags = SHAPE_SOME };
static const struct shape All = { "All", (const struct field[]){
	{ "title", T_TEXT, .min = 2, .max = 4 }, { "name", T_TEXT, .pattern = "^[a-z]+$" },
	{ "mode", T_ENUM, .set = "live,locked" }, { "count", T_INT, .min = 0, .max = 10 }, { "whole", T_INT },
	{ "ratio", T_NUMBER }, { "on", T_BOOL }, { "at", T_TIME }, { "link", T_URI, .max = 30 }, { "role", T_ROLE, F_NULL },
	{ "level", T_LEVEL }, { "inner", T_OBJECT, F_NULL, .of = &Inner },
	{ "list", T_LIST, .min = 1, .max = 3, .item = &(const struct field){ "", T_TEXT, .max = 2 } },
	{ "objects", T_LIST, .of = &Inner }, { "map", T_MAP, .item = &(const struct field){ "", T_INT } },
	{ "figure", T_OBJECT, .of = &Figure }, { "any", T_ANY }, { "open", T_OBJECT, .of = &Open },
	{ "some", T_OBJECT, .of = &Some },
	{ 0 } } };

/* Checks text against the shape; want: "PATH MESSAGE" of the first fault, or NULL for none. */
static void
expect(const char *text, const char *want)
{
	struct arena *a = arena_new(16 << 20);
	cJSON *v = cJSON_Parse(text);
	struct faults fs;
	const char *got = NULL;
	bool ok;

	faults_init(&fs, a);
	assert_non_null(v);
	ok = shape_check(&fs, &All, v, "");
	assert_int_equal(ok, fs.first == NULL);
	if (fs.first != NULL)
		got = arena_printf(a, "%s %s", fs.first->path, fs.first->message);
	if ((want == NULL) != (got == NULL) || (want != NULL && strncmp(got, want, strlen(want)) != 0))
		fail_msg("%s: \"%s\" instead of \"%s\"", text, got != NULL ? got : "(none)",
		    want != NULL ? want : "(none)");
	cJSON_Delete(v);
	arena_free(a);
}

static void
values_are_checked(void **state)
{
	static const struct { const char *text, *want; } table[] = {
		{ "{}", NULL }, { "[]", " must be an object" }, { "null", " must be an object" },
		{ "{\"title\":\"ab\"}", NULL }, { "{\"title\":\"a\"}", "/title must have at least 2 characters, has 1" },
		{ "{\"title\":\"\xc3\xa9\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80\"}", NULL },
		{ "{\"title\":\"abcde\"}", "/title must have at most 4 characters, has 5" },
		{ "{\"title\":5}", "/title must be a string" }, { "{\"title\":null}", "/title must not be null" },
		{ "{\"title\":{}}", "/title must be a string" },
		{ "{\"name\":\"abc\"}", NULL }, { "{\"name\":\"Abc\"}", "/name must match" },
		{ "{\"name\":\"abc\\n\"}", "/name must match" }, { "{\"name\":\"\"}", "/name must match" },
		{ "{\"mode\":\"live\"}", NULL }, { "{\"mode\":\"liv\"}", "/mode must be one of live,locked" },
		{ "{\"mode\":\"live,locked\"}", "/mode must be one of" }, { "{\"mode\":\"\"}", "/mode must be one of" },
		{ "{\"mode\":\"Live\"}", "/mode must be one of" },
		{ "{\"count\":0}", NULL }, { "{\"count\":10}", NULL }, { "{\"count\":-1}", "/count must be from 0 to 10" },
		{ "{\"count\":11}", "/count must be from 0 to 10" }, { "{\"count\":1.5}", "/count must be a whole number" },
		{ "{\"count\":\"1\"}", "/count must be a whole number" }, { "{\"count\":true}", "/count must be a whole number" },
		{ "{\"whole\":9007199254740991}", NULL }, { "{\"whole\":-9007199254740991}", NULL },
		{ "{\"whole\":9007199254740993}", "/whole must be" }, { "{\"whole\":1e300}", "/whole must be" },
		{ "{\"whole\":1e400}", "/whole must be" }, { "{\"ratio\":0.5}", NULL }, { "{\"ratio\":1e400}", "/ratio is out of range" },
		{ "{\"on\":true}", NULL }, { "{\"on\":1}", "/on must be true or false" }, { "{\"on\":\"true\"}", "/on must be" },
		{ "{\"at\":\"2026-01-31T09:30:00Z\"}", NULL }, { "{\"at\":\"2026-02-31T09:30:00Z\"}", "/at must be a date-time" },
		{ "{\"at\":1}", "/at must be a string" },
		{ "{\"link\":\"https://a.example/x?y#z\"}", NULL }, { "{\"link\":\"http://a\"}", NULL },
		{ "{\"link\":\"javascript:alert(1)\"}", "/link must be an absolute" }, { "{\"link\":\"/x\"}", "/link must be" },
		{ "{\"link\":\"https://\"}", "/link must be" }, { "{\"link\":\"https:///x\"}", "/link must be" },
		{ "{\"link\":\"https://a b\"}", "/link must be" }, { "{\"link\":\"https://a\\n\"}", "/link must be" },
		{ "{\"link\":\"https://a/<\"}", "/link must be" }, { "{\"link\":\" https://a\"}", "/link must be" },
		{ "{\"link\":\"https://a.example/aaaaaaaaaaaaa\"}", "/link must have at most 30" },
		{ "{\"role\":\"admin\"}", NULL }, { "{\"role\":null}", NULL }, { "{\"role\":\"guest\"}", "/role must be one of" },
		{ "{\"role\":\"inherit\"}", "/role must be one of" }, { "{\"level\":\"inherit\"}", NULL }, { "{\"level\":null}", NULL },
		{ "{\"level\":\"none\"}", "/level must be one of" },
		{ "{\"inner\":null}", NULL }, { "{\"inner\":{\"id\":\"x\"}}", NULL }, { "{\"inner\":{}}", "/inner/id is required" },
		{ "{\"inner\":{\"id\":\"x\",\"y\":1}}", "/inner/y is not known here" }, { "{\"inner\":[]}", "/inner must be an object" },
		{ "{\"inner\":{\"id\":\"abcdef\"}}", "/inner/id must have at most 5" },
		{ "{\"list\":[\"a\"]}", NULL }, { "{\"list\":[]}", "/list must have at least 1" },
		{ "{\"list\":[\"a\",\"b\",\"c\",\"d\"]}", "/list must have at most 3 items, has 4" },
		{ "{\"list\":[\"a\",\"bcd\"]}", "/list/1 must have at most 2" }, { "{\"list\":[null]}", "/list/0 must not be null" },
		{ "{\"list\":{}}", "/list must be a list" }, { "{\"objects\":[{\"id\":\"x\"},3]}", "/objects/1 must be an object" },
		{ "{\"objects\":[{\"id\":\"x\"},{}]}", "/objects/1/id is required" },
		{ "{\"map\":{\"a\":1,\"b\":2}}", NULL }, { "{\"map\":{\"a\":\"x\"}}", "/map/a must be a whole number" },
		{ "{\"map\":{\"a\":1,\"a\":2}}", "/map/a is there twice" }, { "{\"map\":[]}", "/map must be an object" },
		{ "{\"figure\":{\"kind\":\"circle\",\"radius\":1.5}}", NULL },
		{ "{\"figure\":{\"kind\":\"circle\",\"side\":1}}", "/figure/side is not known here" },
		{ "{\"figure\":{\"kind\":\"square\",\"side\":10}}", "/figure/side must be from 1 to 9" },
		{ "{\"figure\":{\"kind\":\"line\"}}", "/figure/kind must be one of circle,square" },
		{ "{\"figure\":{}}", "/figure/kind is required: it must be one of circle,square" },
		{ "{\"figure\":{\"kind\":1}}", "/figure/kind must be one of" },
		{ "{\"any\":null}", NULL }, { "{\"any\":[{\"x\":1}]}", NULL },
		{ "{\"open\":{\"a\":1,\"zzz\":2}}", NULL }, { "{\"open\":{\"a\":\"x\"}}", "/open/a must be a whole number" },
		{ "{\"some\":{}}", "/some must have at least one member" }, { "{\"some\":{\"a\":1}}", NULL },
		{ "{\"tilte\":\"ab\"}", "/tilte is not known here; did you mean \"title\"?" },
		{ "{\"Title\":\"ab\"}", "/Title is not known here; did you mean \"title\"?" },
		{ "{\"xxxxxxxx\":1}", "/xxxxxxxx is not known here" },
		{ "{\"on\":true,\"on\":true}", "/on is there twice" }, { "{\"on\":true,\"mode\":\"live\",\"on\":false}", "/on is there twice" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		expect(table[i].text, table[i].want);
}

static void
addresses_are_uris(void **state)
{
	static const struct { const char *text, *want; } table[] = {
		{ "{\"link\":\"https://a/\u00fc\"}", "/link must be an absolute http or https address, in which" },
		{ "{\"link\":\"https://\u00fc.example\"}", "/link must be" }, { "{\"link\":\"https://a/%C3%BC\"}", NULL },
		{ "{\"link\":\"http://[::1\"}", "/link must be" }, { "{\"link\":\"http://[::1/]\"}", "/link must be" },
		{ "{\"link\":\"http://::1]\"}", "/link must be" }, { "{\"link\":\"http://[::1]\"}", NULL },
		{ "{\"link\":\"http://[::1]:80/x\"}", NULL }, { "{\"link\":\"http://[::1]x\"}", "/link must be" },
		{ "{\"link\":\"http://[]\"}", "/link must be" }, { "{\"link\":\"http://[a.example]\"}", "/link must be" },
		{ "{\"link\":\"http://a]\"}", "/link must be" }, { "{\"link\":\"http://a[0]\"}", "/link must be" },
		{ "{\"link\":\"http://a:x\"}", "/link must be" },
		{ "{\"link\":\"http://a:65536\"}", "/link must be an absolute http or https address: its port is not a number from 1 to 65535" },
		{ "{\"link\":\"http://a:0\"}", "/link must be" }, { "{\"link\":\"http://a:65535\"}", NULL }, { "{\"link\":\"http://u@a:99999\"}", "/link must be" },
		{ "{\"link\":\"http://a%41/\"}", "/link must be" }, { "{\"link\":\"http://a:80?q\"}", NULL },
		{ "{\"link\":\"http://u:p@a:80\"}", NULL }, { "{\"link\":\"http://u@\"}", "/link must be" },
		{ "{\"link\":\"http://u@[::1\"}", "/link must be" }, { "{\"link\":\"http://a/[x]\"}", NULL }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		expect(table[i].text, table[i].want);
}

static void
the_nearest_name_is_suggested(void **state)
{
	(void)state;
	assert_string_equal(shape_nearest(&All, "titel"), "title");
	assert_string_equal(shape_nearest(&All, "COUNT"), "count");
	assert_null(shape_nearest(&All, "somethingElse"));
	assert_null(shape_nearest(&All, ""));
	assert_null(shape_nearest(&All, "x"));
	assert_string_equal(shape_nearest(&All, "om"), "on");
	assert_null(shape_nearest(&All, "titletitletitletitletitletitletitletitletitle"));
	assert_int_equal(role_number("admin"), ROLE_ADMIN);
	assert_int_equal(role_number("Admin"), ROLE_NONE);
	assert_int_equal(role_number(NULL), ROLE_NONE);
	assert_null(role_name(ROLE_NONE));
	assert_null(role_name(ROLE_ADMIN + 1));
	assert_string_equal(role_name(ROLE_READ), "read");
	assert_int_equal(strtoll(SQL_EXACT_MAX, NULL, 10), EXACT_MAX);
	/* SQL statements contain the same numbers as the C code. */
	assert_int_equal(strtol(SQL_ROLE_STRANGER, NULL, 10), ROLE_STRANGER);
	assert_int_equal(strtol(SQL_ROLE_READ, NULL, 10), ROLE_READ);
	assert_int_equal(strtol(SQL_ROLE_CREATE, NULL, 10), ROLE_CREATE);
	assert_int_equal(strtol(SQL_ROLE_ADMIN, NULL, 10), ROLE_ADMIN);
	assert_int_equal(strtol(SQL_LEVEL_INHERIT, NULL, 10), LEVEL_INHERIT);
}

/* Seconds to check {BEFORE,"NAME":1,…AFTER} with n members; numbered: with different names. */
static double
seconds(const char *before, const char *name, bool numbered, const char *after, size_t n)
{
	struct arena *a = arena_new(512 << 20);
	struct timespec from, to;
	struct faults fs;
	struct buf b;
	cJSON *v;
	size_t i;

	buf_init(&b, a, 64 << 20);
	buf_str(&b, before);
	for (i = 0; i < n; i++) {
		buf_printf(&b, ",\"%s", name);
		if (numbered)
			buf_int(&b, (int64_t)i);
		buf_str(&b, "\":1");
	}
	buf_str(&b, after);
	v = cJSON_Parse(b.p);
	assert_non_null(v);
	faults_init(&fs, a);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	shape_check(&fs, &All, v, "");
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	cJSON_Delete(v);
	arena_free(a);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* Two hundred thousand members are checked in linear time. */
static void
hostile_objects_are_checked_in_time(void **state)
{
	(void)state;
	assert_true(seconds("{\"on\":true", "count", false, "}", 199000) < 2);
	assert_true(seconds("{\"on\":true", "x", true, "}", 199000) < 2);
	assert_true(seconds("{\"map\":{\"a\":1", "k", true, "}}", 199000) < 2);
	assert_true(seconds("{\"map\":{\"a\":1", "k", false, "}}", 199000) < 2);
	assert_true(seconds("{\"open\":{\"a\":1", "k", true, "}}", 199000) < 2);
	assert_true(seconds("{\"open\":{\"b\":1", "a", false, "}}", 199000) < 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(values_are_checked),
	cmocka_unit_test(addresses_are_uris), cmocka_unit_test(the_nearest_name_is_suggested),
		cmocka_unit_test(hostile_objects_are_checked_in_time) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
