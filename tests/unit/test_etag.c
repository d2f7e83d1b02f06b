/* ETags: parsing the header's list, and what a tag computed before its response depends on. */
#include "http/req.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Replaces the real one (include/base/build.h): the programs before and after an update. */
extern char octavo_build[];
char octavo_build[] = "one";

static const char *condition;

static const char *
param(struct io *io, const char *name)
{
	(void)io;
	return strcmp(name, "HTTP_IF_NONE_MATCH") == 0 ? condition : NULL;
}

static void
if_match_lists_are_compared(void **state)
{
	static const struct { const char *header; bool strong, weak; } table[] = {
		{ "\"a\"", true, true }, { "\"b\", \"a\"", true, true }, { "\"b\",\"a\"", true, true },
		{ "*", true, true }, { " \"a\" ", true, true }, { "W/\"a\"", false, true },
		{ "W/\"a\", \"b\"", false, true }, { "W/\"a\", \"a\"", true, true }, { "W/\"b\",W/\"a\"", false, true },
		{ "", false, false }, { "a", false, false }, { "\"a", false, false }, { "\"A\"", false, false },
		{ "\"aa\"", false, false }, { "\"\"", false, false }, { "W/a", false, false }, { "W/", false, false },
		{ "\"a-gzip\"", false, true }, { "W/\"a-gzip\"", false, true }, { "\"b-gzip\", \"a-br\"", false, true },
		{ "\"a-\"", false, false }, { "\"a-gzip-gzip\"", false, false }, { "\"b-gzip\"", false, false }, { "\"-gzip\"", false, false },
		{ "w/\"a\"", false, false }, { "\"b\" x \"a\"", false, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (etag_listed(table[i].header, "a", false) != table[i].strong)
			fail_msg("strong: %s", table[i].header);
		if (etag_listed(table[i].header, "a", true) != table[i].weak)
			fail_msg("weak: %s", table[i].header);
	}
}

/* The tag of a response to a caller with role `cap` for a URL. */
static const char *
tag(struct arena *a, const char *user, int cap, const char *url, const char *what)
{
	struct settings set = { .url = url };
	struct io io = { .param = param };
	struct req r = { .arena = a, .io = &io, .set = &set, .who = { .user = user, .cap = cap } };
	bool fresh = not_modified(&r, "%s", what);

	assert_int_equal(fresh, r.status == 304);
	return arena_printf(a, "%s%s", r.etag, fresh ? "!" : "");
}

static void
a_tag_depends_on_all_that_is_shown(void **state)
{
	struct arena *a = arena_new(1 << 20);
	const char *first = tag(a, "u", 6, "http://a", "x");

	(void)state;
	assert_string_equal(tag(a, "u", 6, "http://a", "x"), first);
	assert_string_not_equal(tag(a, "v", 6, "http://a", "x"), first);
	assert_string_not_equal(tag(a, NULL, 6, "http://a", "x"), first);
	assert_string_not_equal(tag(a, "u", 5, "http://a", "x"), first);
	assert_string_not_equal(tag(a, "u", 6, "http://b", "x"), first);
	assert_string_not_equal(tag(a, "u", 6, "http://a", "y"), first);
	condition = arena_printf(a, "\"%s\"", first);
	assert_string_equal(tag(a, "u", 6, "http://a", "x"), arena_printf(a, "%s!", first));
	octavo_build[0] = 'O';
	assert_string_not_equal(tag(a, "u", 6, "http://a", "x"), arena_printf(a, "%s!", first));
	assert_string_not_equal(tag(a, "u", 6, "http://a", "x"), first);
	condition = NULL;
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(if_match_lists_are_compared),
		cmocka_unit_test(a_tag_depends_on_all_that_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
