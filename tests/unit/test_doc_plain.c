/*
 * Blocks of plain text (doc_plain.c), whose inlines are not parsed, give the same result as a parse
 * would, whatever byte they contain at any place.
 */
#include "arena_fixture.h"
#include "markdown/document.h"

/* Heading and text of all sections of a body. */
static const char *
sections_as_text(const char *body)
{
	struct doc_section *s;
	struct buf b;
	size_t n;

	s = doc_sections(arena, doc_parse_words(arena, str_of(body), NULL, NULL), &n);
	buf_init(&b, arena, 1 << 16);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "[%s|%s]", s[i].heading == NULL ? "" : s[i].heading, s[i].text);
	return b.p;
}

/* The block must read the same alone and after inline code, which makes it be parsed and is then cut off. */
static void
expect_same(const char *before, const char *text, const char *after)
{
	const char *plain = sections_as_text(arena_printf(arena, "%sq %s%s", before, text, after));
	const char *read = sections_as_text(arena_printf(arena, "%s`q` %s%s", before, text, after));

	if (strcmp(plain, read) != 0)
		fail_msg("%s%s: %s instead of %s", before, text, plain, read);
}

static void
every_byte_of_a_text_comes_back(void **state)
{
	/* "?" is replaced by the byte. */
	static const char *const texts[] = { "*?*", "?b?", "a?", "? b ?", "[a?(b)", "&am?;", "<?>", ":smile?", "a?  ",
		"$$a?$", "{% a ?%}", "\\?" };
	static const char *const blocks[][2] = { { "", "\n\nb\n" }, { "# ", "\n" }, { "", "\n===\n" }, { "- ", "\n" },
		{ "> ", "\n" }, { "| a |\n|---|\n| ", " |\n" }, { "", "" } };
	char *text, *p;

	(void)state;
	for (int c = ' '; c < 0x80; c++)
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
			text = arena_strdup(arena, texts[i]);
			for (p = text; c != '?' && (p = strchr(p, '?')) != NULL; )
				*p = (char)c;
			for (size_t k = 0; k < sizeof(blocks) / sizeof(*blocks); k++)
				/* A bar ends a cell, so the byte would be in another cell. */
				if (c != '|' || k != 5)
					expect_same(blocks[k][0], text, blocks[k][1]);
		}
}

/* Spaces at the end, letters of other scripts, and bytes that cmark treats specially at the end of a text. */
static void
blanks_at_the_end_come_back(void **state)
{
	static const char *const texts[] = { "a  ", "a\t", "\xC3\xA9\xE4\xB8\xAD", "a\r", "a \xC2\xA0", "a \\" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		expect_same("", texts[i], "");
		expect_same("", texts[i], "\n\nb\n");
		expect_same("## ", texts[i], "\n");
	}
	assert_string_equal(sections_as_text("[a]: b\n"), sections_as_text(""));
	/* Headings without text are ignored. */
	assert_string_equal(sections_as_text("#\n\n##\n"), "[|]");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_byte_of_a_text_comes_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(blanks_at_the_end_come_back, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
