/* One call of a translation command: its input, and what it cannot be given. */
#include "arena_fixture.h"
#include <stdlib.h>

#include "translate/engine.h"

enum { LARGE = 600 << 10 };

static const char *why;

/* Translates n texts by the command; NULL with the reason on failure. */
static struct str *
ask(const char *command, const struct str *texts, size_t n, const char *instructions, const char *glossary)
{
	struct settings set = { .translate_seconds = 30 };
	struct engine_batch b = { .set = &set, .texts = texts, .n = n, .instructions = instructions, .glossary = glossary };
	struct engine e;

	setenv("OCTAVO_TRANSLATE_EN_ES", command, 1);
	assert_true(engine_find(arena, "en", "es", &e, &why));
	b.out = arena_array(arena, n, sizeof(*b.out));
	return engine_ask(arena, &e, &b, &why) ? b.out : NULL;
}

static char *
repeated(char c, size_t n)
{
	char *p = arena_alloc(arena, n + 1);

	memset(p, c, n);
	return p;
}

static void
a_command_gets_all_of_it(void **state)
{
	const struct str texts[] = { STR("one"), STR("two words") };
	struct str *out = ask("sed \"/./s/\\$/ $OCTAVO_FROM $OCTAVO_TO $OCTAVO_INSTRUCTIONS $OCTAVO_GLOSSARY/\"", texts, 2, "Be brief.",
	    "{}");

	(void)state;
	assert_non_null(out);
	assert_string_equal(out[0].p, "one en es Be brief. {}");
	assert_string_equal(out[1].p, "two words en es Be brief. {}");
}

/* A text that is too long is neither sent nor lost, and the others are translated. */
static void
a_text_that_is_too_long_stays(void **state)
{
	const struct str texts[] = { { repeated('x', LARGE), LARGE } };
	struct str *out = ask("exit 3", texts, 1, "", "");

	(void)state;
	assert_non_null(out);
	assert_null(out[0].p);
}

/* A glossary too long for the environment: the command runs without it. */
static void
a_glossary_that_is_too_long_is_left_out(void **state)
{
	const struct str texts[] = { STR("one") };
	struct str *out = ask("cat; echo \"$OCTAVO_GLOSSARY\"", texts, 1, "", repeated('g', LARGE));

	(void)state;
	assert_non_null(out);
	assert_string_equal(out[0].p, "one");
}

static void
instructions_that_are_too_long_are_refused(void **state)
{
	const struct str texts[] = { STR("one") };

	(void)state;
	assert_null(ask("cat", texts, 1, repeated('i', LARGE), ""));
	assert_non_null(strstr(why, "100 KiB"));
}

/* A text that does not begin a sentence does not become one; words in capitals stay. */
static void
the_middle_of_a_sentence_stays_lower_case(void **state)
{
	const struct str texts[] = { STR("with it"), STR("With it"), STR("as api"), STR("über it"), STR("1 it") };
	struct str *out = ask("sed 's/^with/Con/; s/^With/Con/; s/^as/API/; s/^\303\274ber/\303\211l/; s/^1/Uno  /'", texts, 5, "", "");

	(void)state;
	assert_non_null(out);
	assert_string_equal(out[0].p, "con it");
	assert_string_equal(out[1].p, "Con it");
	assert_string_equal(out[2].p, "API api");
	assert_string_equal(out[3].p, "él it");
	assert_string_equal(out[4].p, "Uno it");
}

enum { MANY = 200 };

/*
 * Texts that an engine drops are found among the others, however many there are; an engine that
 * drops all of them is an error.
 */
static void
swallowed_texts_are_found(void **state)
{
	struct str texts[MANY], *out;
	size_t i;

	(void)state;
	for (i = 0; i < MANY; i++)
		texts[i] = str_of(arena_printf(arena, i % 40 == 7 ? "bad %zu" : "text %zu", i));
	out = ask("sed '/^bad/d'", texts, MANY, "", "");
	assert_non_null(out);
	for (i = 0; i < MANY; i++)
		if (i % 40 == 7)
			assert_null(out[i].p);
		else
			assert_true(str_eq(out[i], texts[i]));
	assert_null(ask("cat >/dev/null", texts, MANY, "", ""));
	assert_non_null(strstr(why, "other many texts"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_command_gets_all_of_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_text_that_is_too_long_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_glossary_that_is_too_long_is_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(instructions_that_are_too_long_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_middle_of_a_sentence_stays_lower_case, set_up, tear_down),
		cmocka_unit_test_setup_teardown(swallowed_texts_are_found, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
