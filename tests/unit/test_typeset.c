/*
 * What octavo-typeset answers is taken for HTML only as far as it keeps to what is
 * expected: the program runs code of others on texts of others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "typeset/typeset.h"

static void
test_code(void **state)
{
	static const char *const good[] = { "plain &lt;text&gt;", "<span class=\"k\">let</span> x\n<span class=\"n\">1</span>" };
	static const char *const bad[] = { "<script>alert(1)</script>", "<span class=\"k\">open", "</span>", "a > b",
		"<span class=\"k\"><span class=\"s\">x</span></span>", "<span class=\"kk\">x</span>", "<span class=\"z\">x</span>",
		"<span class=\"k\" onclick=\"alert(1)\">x</span>", "<span class=\"k\">x</script>", "<", "<span class=\"" };
	struct arena *a = arena_new(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_string_equal(typeset_clean_code(a, str_of(good[i])).p, good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(typeset_clean_code(a, str_of(bad[i])).p);
	arena_free(a);
}

static void
test_math(void **state)
{
	static const struct { const char *from, *to; } rows[] = {
		{ "<math><mi>a</mi></math>", "<math><mi>a</mi></math>" },
		{ "<math display=\"block\"><mo stretchy=\"false\" style=\"color:red\">(</mo></math>", "<math display=\"block\"><mo stretchy=\"false\">(</mo></math>" },
		{ "<math onclick=\"alert(1)\"><mi href=\"javascript:alert(1)\">x</mi></math>", "<math><mi>x</mi></math>" },
		{ "<math><script>alert(1)</script></math>", NULL }, { "<math><mi>a</math>", NULL }, { "text", NULL }, { "", NULL },
		{ "<math><mi a=\"<\">x</mi></math>", NULL }, { "<math><mi a=x>x</mi></math>", NULL }, { "</math>", NULL },
		{ "<math><maction>x</maction></math>", NULL }, { "<math", NULL }, { "<math x=\"", NULL },
	};
	struct arena *a = arena_new(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str got = typeset_clean_math(a, str_of(rows[i].from));
		if (rows[i].to == NULL)
			assert_null(got.p);
		else
			assert_string_equal(got.p, rows[i].to);
	}
	arena_free(a);
}

/* Nothing beside the test sets texts: they are left as they are, and asked for again. */
static void
test_no_child(void **state)
{
	struct typeset t = { .dir = "/nonexistent" };
	struct arena *a = arena_new(1 << 20);

	(void)state;
	assert_null(typeset_code(&t, a, "c", STR("int x;")).p);
	assert_true(t.lacks);
	t.lacks = false;
	assert_null(typeset_code(&t, a, "../../x y", STR("int x;")).p);
	assert_null(typeset_code(&t, a, "", STR("int x;")).p);
	assert_null(typeset_math(&t, a, "", false).p);
	assert_false(t.lacks);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_math),
		cmocka_unit_test(test_no_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
