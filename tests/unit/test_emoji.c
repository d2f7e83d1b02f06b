/* Emoji: which texts are a single emoji, and that all spellings of an emoji have the same key. */
#include "arena_fixture.h"
#include "markdown/document.h"
#include "markdown/document_tree.h"
#include "base/buf.h"
#include "base/emoji.h"
#include "base/secret.h"

struct spelling {
	const char *text, *key;
};

static void
spellings_of_an_emoji_have_one_key(void **state)
{
	static const struct spelling all[] = {
		{ "👍", "1f44d" }, { "1f44d", "1f44d" }, { "1F44D", "1f44d" },
		{ "❤️", "2764" }, { "❤", "2764" }, { "2764-fe0f", "2764" }, { "2764", "2764" },
		{ "👍🏽", "1f44d-1f3fd" }, { "🏽", "1f3fd" },
		{ "🇩🇪", "1f1e9-1f1ea" }, { "1f1e9-1f1ea", "1f1e9-1f1ea" },
		{ "1️⃣", "31-20e3" }, { "0031-20e3", "31-20e3" }, { "#️⃣", "23-20e3" },
		{ "👨‍👩‍👧", "1f468-200d-1f469-200d-1f467" },
		{ "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1f3f4-e0067-e0062-e0073-e0063-e0074-e007f" },
		{ "❤️‍🔥", "2764-200d-1f525" }, { "©", "a9" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *key = emoji_key(arena, all[i].text);
		assert_non_null(key);
		assert_string_equal(key, all[i].key);
		/* A key is a spelling of itself. */
		assert_string_equal(emoji_key(arena, key), key);
	}
}

static void
other_texts_are_no_emoji(void **state)
{
	static const char *const all[] = { "", "hello", "a", "1", "#", "ab", "1234", "1f44d-", "-1f44d",
		"1f44d-1f44d", "👍👍", "👍 ", " 👍", "👍a", "🇩", "🇩🇪🇩", "👍\u200D", "\u200D", "\uFE0F", "fe0f",
		"1f44d1f44d", "0000001f44d", "110000", "d800", "é", "👍\u200Da", "<b>", "🏴\U000E0067", "1f44g",
		"ffffffff", "1f44d--1f44d" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		assert_null(emoji_key(arena, all[i]));
}

/* A text of more code points than any emoji has is refused, not cut. */
static void
an_emoji_of_too_many_code_points_is_refused(void **state)
{
	char *text = arena_alloc(arena, 8 * 60 + 1);
	size_t i;

	(void)state;
	for (i = 0; i < 60; i++)
		memcpy(text + 7 * i, "👍\u200D", 7);
	text[7 * 59 + 4] = '\0';
	assert_null(emoji_key(arena, text));
	text[7 * 20 + 4] = '\0';
	assert_non_null(emoji_key(arena, text));
}

/* The table's spelling, which clients get in documents, has variation selectors where Unicode requires them. */
static void
the_known_spelling_has_selectors(void **state)
{
	(void)state;
	assert_string_equal(emoji_spelling("2764"), "2764-fe0f");
	assert_string_equal(emoji_spelling("1f44d"), "1f44d");
	assert_string_equal(emoji_spelling("31-20e3"), "31-fe0f-20e3");
	assert_string_equal(emoji_spelling("1f468-200d-1f4bb"), "1f468-200d-1f4bb");
	/* Emoji that are not in the table are spelled by their key. */
	assert_string_equal(emoji_spelling("1f44d-1f3fd"), "1f44d-1f3fd");
}

/* Every entry of the table is an emoji, and its key gives its spelling again. */
static void
every_name_of_the_table_is_an_emoji(void **state)
{
	static const char *const names[] = { "smile", "heart", "+1", "eye_speech_bubble", "scotland", "keycap_ten",
		"one", "rainbow_flag", "copyright", "airplane", "couple_with_heart", "de" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *code = emoji_code(arena, str_of(names[i]));
		assert_non_null(code);
		assert_non_null(emoji_key(arena, code));
		assert_string_equal(emoji_spelling(emoji_key(arena, code)), code);
	}
}

/*
 * A digest of the whole table. People's files contain the shortcodes: if another version of the
 * package changes the digest, check the differences, and keep the old shortcodes in
 * src/markdown/emoji.txt.
 */
static void
shortcodes_stay(void **state)
{
	static const struct emoji_row { const char *name, *code; int alias; } table[] = {
#include "emoji_table.h"
	};
	struct buf all;
	size_t i;

	(void)state;
	buf_init(&all, arena, 1 << 20);
	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		buf_printf(&all, "%s %s %d\n", table[i].name, table[i].code, table[i].alias);
		assert_string_equal(emoji_code(arena, str_of(table[i].name)), table[i].code);
		assert_non_null(emoji_key(arena, table[i].code));
		/* The shortcode written for an emoji is read as the same emoji. */
		assert_string_equal(emoji_code(arena, str_of(emoji_shortcode(arena, table[i].code))), table[i].code);
		if (table[i].alias == 0)
			assert_string_equal(emoji_shortcode(arena, table[i].code), table[i].name);
	}
	assert_int_equal(i, 1913);
	assert_string_equal(hex(arena, hash_of(arena, buf_view(&all))), "2afd31715b0732eab5b7732f635e75b4e2e11a21208af219c5ae87629438ad9a");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(spellings_of_an_emoji_have_one_key, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_texts_are_no_emoji, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_emoji_of_too_many_code_points_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_known_spelling_has_selectors, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_name_of_the_table_is_an_emoji, set_up, tear_down),
		cmocka_unit_test_setup_teardown(shortcodes_stay, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
