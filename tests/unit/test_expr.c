/*
 * Expressions: values as in JavaScript, errors with their position, limits. The expected values of
 * the table are those of ECMA-262, verified in a browser's console.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "expr/expr.h"

static const char scope_text[] =
    "{\"visitor\":{\"claims\":{\"plan\":\"pro\",\"beta\":true,\"seats\":12,\"roles\":[\"admin\",\"dev\"],"
    "\"team\":{\"name\":\"blue\"},\"empty\":\"\",\"none\":null,\"unsigned\":{\"language\":\"fr\"}}},"
    "\"space\":{\"vars\":{\"version\":\"2.10\"}},\"page\":{\"vars\":{}}}";

struct fixed { struct arena *arena; cJSON *scope; };

static int
setup(void **state)
{
	static struct fixed f;

	f.arena = arena_new(64 << 20);
	json_arena(f.arena);
	f.scope = cJSON_Parse(scope_text);
	*state = &f;
	return 0;
}

static int
teardown(void **state)
{
	json_arena(NULL);
	arena_free(((struct fixed *)*state)->arena);
	return 0;
}

/* The expression's type and value as text, or "! " and the error. */
static const char *
of(struct fixed *f, const char *text)
{
	static const char *const types[] = { "u ", "0 ", "b ", "n ", "s ", "l ", "o " };
	const char *error = NULL;
	struct expr *e = expr_parse(f->arena, str_of(text), &error);
	struct expr_value v;
	struct str s;

	if (e == NULL)
		return arena_printf(f->arena, "? %s", error);
	if (!expr_eval(e, f->scope, f->arena, &v, &error))
		return arena_printf(f->arena, "! %s", error);
	s = expr_text(f->arena, &v);
	return arena_printf(f->arena, "%s%.*s", types[v.type], (int)s.n, s.p);
}

static const struct { const char *text, *value; } rows[] = {
	/* from real documentation */
	{ "visitor.claims.beta", "b true" },
	{ "visitor.claims.plan == 'pro' && visitor.claims.seats > 10", "b true" },
	{ "visitor.claims.roles.includes('admin')", "b true" },
	{ "visitor.claims.roles?.includes(\"boss\")", "b false" },
	{ "visitor.claims.unsigned.language in {fr: 1, de: 2}", "b true" },
	{ "visitor.claims.missing", "u undefined" },
	{ "visitor.claims.missing ?? 'no'", "s no" },
	{ "visitor.claims.missing?.deep.deeper", "u undefined" },
	{ "visitor.claims.missing?.deep.call() == visitor.claims.plan", "b false" },
	{ "visitor.claims.missing.deep", "! undefined has no member \"deep\"" },
	{ "visitor.claims.none.deep", "! null has no member \"deep\"" },
	{ "visitor.claims.missing?.includes('x')", "u undefined" },
	{ "visitor.claims.missing.gone.includes('x')", "! undefined has no member \"gone\"" },
	{ "'abc'.includes(1 + missing.deep)", "! \"missing\" is not known here" },
	{ "'abc'.includes('')", "b true" },
	{ "'abc'.startsWith('')", "b true" },
	{ "'abc' != 'abd'", "b true" },
	{ "'abc' != 'abc'", "b false" },
	{ "'ab' < 'abc'", "b true" },
	{ "'' < 'a'", "b true" },
	{ "'a' > ''", "b true" },
	{ "'a' <= 'a'", "b true" },
	{ "'b' >= 'c'", "b false" },
	{ "null + 'x'", "s nullx" },
	{ "{a: 1} + ''", "s [object Object]" },
	{ "[{a: 1}, true, false] + ''", "s [object Object],true,false" },
	{ "-1 / 0 + ''", "s -Infinity" },
	{ "[1] == [1]", "b false" },
	{ "[1] == 1", "b true" },
	{ "1 == [1]", "b true" },
	{ "null == undefined", "b true" },
	{ "null == 0", "b false" },
	{ "0 == null", "b false" },
	{ "0 / 0 || 'no'", "s no" },
	{ "[1, 0 / 0].includes(0 / 0)", "b true" },
	{ "['a', 1].includes('b')", "b false" },
	{ "'abc'['']", "u undefined" },
	{ "'abc'[-1]", "u undefined" },
	{ "'abc'[0.5]", "u undefined" },
	{ "'abc'[9]", "u undefined" },
	{ "[1, 2]['1']", "n 2" },
	{ "[1, 2][true]", "u undefined" },
	{ "[1, 2][5]", "u undefined" },
	{ "1 in [5, 6]", "b true" },
	{ "2 in [5, 6]", "b false" },
	{ "-1 in [5, 6]", "b false" },
	{ "'\\u0041\\x42'", "s AB" },
	{ "\r\n\t1", "n 1" },
	{ "true ?.5 : 1", "n 0.5" },
	/*
	 * messages are cut between characters: 50 two-byte characters are 100 bytes, and after an
	 * "a" the 50th would be cut
	 */
#define TEN "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
	{ "visitor.claims.none['a" TEN TEN TEN TEN TEN "']",
	  "! null has no member \"a" TEN TEN TEN TEN "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\"" },
	{ "nobody.claims", "! \"nobody\" is not known here" },
	{ "typeof nobody", "s undefined" },
	{ "space.vars.version.startsWith('2.')", "b true" },
	{ "space.vars['version'].length", "n 4" },
	{ "visitor['claims'].team.name.endsWith('ue') ? 1 : 2", "n 1" },
	{ "visitor.claims.roles[1]", "s dev" },
	{ "visitor.claims.roles[2]", "u undefined" },
	{ "visitor.claims.roles.length - 1", "n 1" },
	{ "\"plan\" in visitor.claims", "b true" },
	{ "'toString' in visitor.claims", "b false" },
	{ "0 in visitor.claims.roles", "b true" },
	{ "['pro', 'max'].includes(visitor.claims.plan)", "b true" },
	/* operators */
	{ "1 + 2 * 3 - 4 / 2 % 3", "n 5" },
	{ "(1 + 2) * 3", "n 9" },
	{ "-2 - -3", "n 1" },
	{ "!0 && !''", "b true" },
	{ "!!'0'", "b true" },
	{ "1 < 2 == true", "b true" },
	{ "3 > 2 >= 1", "b true" },
	{ "'10' < '9'", "b true" },
	{ "'10' < 9", "b false" },
	{ "'a' < 1", "b false" },
	{ "0 || '' || null || 'x'", "s x" },
	{ "0 ?? 1", "n 0" },
	{ "false && nobody", "b false" },
	{ "true || nobody", "b true" },
	{ "true ? 1 : nobody", "n 1" },
	{ "true ? false ? 1 : 2 : 3", "n 2" },
	{ "1 == '1'", "b true" },
	{ "1 === '1'", "b false" },
	{ "1 !== '1'", "b true" },
	{ "null == undefined", "b true" },
	{ "null === undefined", "b false" },
	{ "null == 0", "b false" },
	{ "null >= 0", "b true" },
	{ "'' == 0", "b true" },
	{ "true == 1", "b true" },
	{ "'true' == true", "b false" },
	{ "[1] == 1", "b true" },
	{ "[1, 2] == '1,2'", "b true" },
	{ "[] == []", "b false" },
	{ "undefined == NaN_", "! \"NaN_\" is not known here" },
	{ "0/0 == 0/0", "b false" },
	{ "[0/0].includes(0)", "b false" },
	{ "1/0", "n Infinity" },
	{ "'a' + 1 + 2", "s a12" },
	{ "1 + 2 + 'a'", "s 3a" },
	{ "1 + null", "n 1" },
	{ "1 + undefined", "n NaN" },
	{ "+'12'", "n 12" },
	{ "+'1x'", "n NaN" },
	{ "-'3'", "n -3" },
	{ "typeof null", "s object" },
	{ "typeof 1 + typeof 'a' + typeof true", "s numberstringboolean" },
	{ "0.1 + 0.2", "n 0.30000000000000004" },
	{ "1e3", "n 1000" },
	{ ".5 + 5.", "n 5.5" },
	/* literals */
	{ "'\\u00e9' == 'é'", "b true" },
	{ "\"a\\n\\\"b\\\"\"", "s a\n\"b\"" },
	{ "`a`", "s a" },
	{ "'😀é'.length", "n 3" },
	{ "[1, 'a', null,]", "l [1,\"a\",null]" },
	{ "{a: 1, 'b': [2],}.b[0]", "n 2" },
	{ "'abc'.includes('')", "b true" },
	{ "'abc'.startsWith('abcd')", "b false" },
	/* errors */
	{ "", "? unexpected end at character 1" },
	{ "a b", "? unexpected \"b\" at character 3" },
	{ "a = 1", "? unexpected \"=\" at character 3" },
	{ "a == ", "? unexpected end at character 6" },
	{ "(a", "? unexpected end at character 3" },
	{ "é ~", "? unexpected \"~\" at character 3" },
	{ "1?.5:1", "n 0.5" },
	{ "'a", "? a string does not end at character 3" },
	{ "`${a}`", "? values inside `…` are not known here at character 2" },
	{ "a?? b || c", "? ?? beside || or && takes parentheses at character 9" },
	{ "function(){}", "? \"function\" is not known here at character 1" },
	{ "new Date()", "? \"new\" is not known here at character 1" },
	{ "f(1)", "? only includes, startsWith and endsWith can be called at character 3" },
	{ "a++", "? unexpected \"+\" at character 2" },
	{ "1 && /x/", "? unexpected \"/\" at character 6" },
	{ "012", "? a number that is written in an unknown way at character 1" },
	{ "0x1f", "? a number that is written in an unknown way at character 1" },
	{ "1x", "? unexpected \"x\" at character 2" },
	{ "a.b => 1", "? unexpected \"=\" at character 5" },
	{ "visitor.claims.plan.repeat(9)", "! a value of type string has no such method" },
	{ "visitor.claims.seats.includes(1)", "! a value of type number has no such method" },
	{ "'a' in 'abc'", "! \"in\" takes a list or an object on its right" },
};

static void
expressions_have_their_values(void **state)
{
	struct fixed *f = *state;
	const char *got;
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		got = of(f, rows[i].text);
		if (strcmp(got, rows[i].value) != 0 && ++wrong)
			fprintf(stderr, "%s: %s instead of %s\n", rows[i].text, got, rows[i].value);
	}
	assert_int_equal(wrong, 0);
}

static char *
repeated(struct fixed *f, const char *what, size_t n, const char *end)
{
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	while (n-- > 0)
		buf_str(&b, what);
	buf_str(&b, end);
	return b.p;
}

static void
expressions_beyond_the_bounds_are_refused(void **state)
{
	struct fixed *f = *state;
	const char *big;

	assert_string_equal(of(f, repeated(f, "(", 15, repeated(f, ")", 0, ""))), "? unexpected end at character 16");
	assert_non_null(strstr(of(f, repeated(f, "(", 100, "1")), "nested too deeply"));
	assert_non_null(strstr(of(f, repeated(f, "!", 100, "1")), "nested too deeply"));
	assert_non_null(strstr(of(f, repeated(f, "[", 100, "1")), "nested too deeply"));
	assert_non_null(strstr(of(f, repeated(f, "1?", 100, "1")), "nested too deeply"));
	assert_string_equal(of(f, repeated(f, "1+", 511, "1")), "n 512");
	assert_non_null(strstr(of(f, repeated(f, "1+", 512, "1")), "longer than 1024"));
	assert_string_equal(of(f, repeated(f, "é", 1023, "")), arena_printf(f->arena, "! \"%s\" is not known here", repeated(f, "é", 1023, "")));
	assert_string_equal(of(f, "\xff"), "? longer than 1024 characters, or no text");
	/* Claims may be long: neither results nor the work grow without limit. */
	big = repeated(f, "x", 20000, "");
	cJSON_AddItemToObject(f->scope, "big", cJSON_CreateString(big));
	assert_string_equal(of(f, "big + big + big + big"), "! a text gets too long");
	assert_string_equal(of(f, repeated(f, "big.includes('y') || ", 40, "1")), "! it takes too many steps");
	assert_string_equal(of(f, "big.includes('y')"), "b false");
}

static void
names_in_an_expression_are_found(void **state)
{
	struct fixed *f = *state;
	const char *error;

	assert_true(expr_uses_name(expr_parse(f->arena, STR("1 ? [a, page.vars.x] : 2"), &error), "page"));
	assert_false(expr_uses_name(expr_parse(f->arena, STR("visitor.page['page'] == 'page'"), &error), "page"));
}

/* The error shown to the author, for a visitor without claims; "": no error. */
static const struct { const char *text, *why; } wrongs[] = {
	{ "visitor.claims.plan == 'pro'", "" },
	{ "visitor.claims.team.name == 'blue'", "" },
	{ "visitor.claims.roles.includes('admin')", "" },
	{ "'a' in visitor.claims.roles", "" },
	{ "(visitor.claims.a || visitor.claims.b).c", "" },
	{ "visitor.claims.plan && page.vars.tier", "" },
	{ "visitor.claim.plan", "undefined has no member \"plan\"" },
	{ "visitor.claim == 'pro'", "visitor has no \"claim\"" },
	{ "plan == 'pro'", "\"plan\" is not known here" },
	{ "space.vars.version.includes(2) && visitor.claims.a", "" },
	{ "space.vars.number.includes(2)", "a value of type number has no such method" },
	{ "space.vars.versoin == '2.10'", "space.vars has no \"versoin\"" },
	{ "space.vars['versoin']", "space.vars has no \"versoin\"" },
	{ "page.vars.tiers.includes('a')", "undefined has no member \"includes\"" },
	/* not reached in an evaluation without claims */
	{ "visitor.claims.a && page.vars.tiers == 1", "page.vars has no \"tiers\"" },
	{ "true ? 1 : [{ a: page.vars.tiers }]", "page.vars has no \"tiers\"" },
	{ "visitor.claims.a == 1 && page.vars.tiers.b == 1", "page.vars has no \"tiers\"" },
	/* the author tests whether the variable exists */
	{ "page.vars?.tiers == 1", "" },
	{ "page.vars.tiers ?? 'none'", "" },
	{ "page.vars.tiers && page.vars.tier", "" },
	{ "typeof page.vars.tiers", "" },
	{ "!page.vars.tiers", "" },
	{ "undefined !== page.vars.tiers", "" },
	{ "'none' ?? page.vars.tiers", "page.vars has no \"tiers\"" },
};

static void
authors_are_warned_of_faults(void **state)
{
	struct fixed *f = *state;
	const cJSON *scope = cJSON_Parse("{\"visitor\":{\"claims\":{}},\"space\":{\"vars\":{\"version\":\"2.10\","
	    "\"number\":2}},\"page\":{\"vars\":{\"tier\":\"gold\"}}}");
	const char *error, *why;
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		why = expr_find_mistake(expr_parse(f->arena, str_of(wrongs[i].text), &error), scope, f->arena);
		if (strcmp(why == NULL ? "" : why, wrongs[i].why) != 0 && ++wrong)
			fprintf(stderr, "%s: %s instead of %s\n", wrongs[i].text, why, wrongs[i].why);
	}
	assert_int_equal(wrong, 0);
}

/* Visitors for whom the condition may hold. c: only some with claims, a: also those without claims, -: none. */
static const struct { const char *text, *who; } holds[] = {
	{ "true", "a" }, { "false", "-" }, { "1 > 2", "-" }, { "space.vars.version == '2.10'", "a" },
	{ "space.vars.version == '3'", "-" }, { "space.vars.nothing", "-" }, { "plan == 'pro'", "-" },
	{ "visitor.claims.beta", "c" }, { "!visitor.claims.beta", "a" }, { "!(!visitor.claims.beta)", "c" },
	{ "visitor.claims.unsigned.product === 'A'", "c" }, { "visitor.claims.unsigned.product !== 'A'", "a" },
	{ "visitor.claims.unsigned.a.b !== 'A'", "c" }, { "'A' !== visitor.claims.a && 'B' !== visitor.claims.a", "a" },
	{ "visitor.claims.beta && false", "-" }, { "false && visitor.claims.beta", "-" },
	{ "visitor.claims.beta && space.vars.version == '3'", "-" }, { "visitor.claims.beta || false", "c" },
	{ "visitor.claims.beta || plan", "c" }, { "plan || visitor.claims.beta", "-" },
	{ "visitor.claims.beta ? false : true", "a" }, { "visitor.claims.beta ? true : false", "c" },
	{ "visitor.claims.beta ? false : 1 > 2", "-" }, { "!(visitor.claims.beta || true)", "-" },
	{ "visitor.claims.plan ?? 'pro'", "a" }, { "typeof visitor.claims.plan == 'undefined'", "a" },
};

static void
conditions_that_hide_from_all_are_found(void **state)
{
	struct fixed *f = *state;
	const cJSON *scope = cJSON_Parse("{\"visitor\":{\"claims\":{\"unsigned\":{}}},\"space\":{\"vars\":{"
	    "\"version\":\"2.10\"}},\"page\":{\"vars\":{}}}");
	const char *error, *who;
	const struct expr *e;
	size_t i, wrong = 0;

	for (i = 0; i < sizeof(holds) / sizeof(holds[0]); i++) {
		e = expr_parse(f->arena, str_of(holds[i].text), &error);
		who = expr_may_hold(e, scope, f->arena, false) ? "a" : expr_may_hold(e, scope, f->arena, true) ? "c" : "-";
		if (strcmp(who, holds[i].who) != 0 && ++wrong)
			fprintf(stderr, "%s: %s instead of %s\n", holds[i].text, who, holds[i].who);
	}
	assert_int_equal(wrong, 0);
}

/* Any text is parsed or refused, in bounded time. */
static void
random_texts_are_read_or_refused(void **state)
{
	static const char *const pieces[] = { "visitor", ".claims", "?.", "[", "]", "(", ")", "'a'", "\"", "1", ".5", "+",
		"-", "!", "==", "&&", "||", "??", "?", ":", " in ", "typeof ", "{", "}", ",", "includes", "é", "`", "\\", " " };
	struct fixed *f = *state;
	uint32_t dice = 1;
	struct buf b;
	int i, k;

	for (i = 0; i < 20000; i++) {
		buf_init(&b, f->arena, 4096);
		for (k = 0; k < 1 + i % 12; k++) {
			dice = dice * 1664525 + 1013904223;
			buf_str(&b, pieces[(dice >> 8) % (sizeof(pieces) / sizeof(pieces[0]))]);
		}
		assert_non_null(of(f, b.p == NULL ? "" : b.p));
		if (i % 500 == 0) {
			arena_reset(f->arena);
			f->scope = cJSON_Parse(scope_text);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(expressions_have_their_values, setup, teardown),
		cmocka_unit_test_setup_teardown(expressions_beyond_the_bounds_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(names_in_an_expression_are_found, setup, teardown),
		cmocka_unit_test_setup_teardown(authors_are_warned_of_faults, setup, teardown),
		cmocka_unit_test_setup_teardown(conditions_that_hide_from_all_are_found, setup, teardown),
		cmocka_unit_test_setup_teardown(random_texts_are_read_or_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
