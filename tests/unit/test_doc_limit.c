/*
 * The limits of a document: its growth by reference links, its nodes, and its memory. A document
 * beyond them is reported (doc_fault), needs no more memory than the limits allow, and stays
 * readable.
 */
#include "doc_fixture.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena_fixture.h"
#include "edit/body_keep.h"

/* A prefix followed by n times the piece. */
static struct str
repeated(const char *begin, const char *piece, size_t n)
{
	struct buf b;

	buf_init(&b, arena, (size_t)1 << 30);
	buf_str(&b, begin);
	while (n-- > 0)
		buf_str(&b, piece);
	return buf_view(&b);
}

static struct doc *
parsed(struct str body)
{
	return doc_parse(arena, body, NULL, NULL, NULL);
}

static size_t
count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)) != NULL; text += strlen(word))
		n++;
	return n;
}

/* A definition of 30 kB with 7,500 uses: 60 kB that would expand to a document of 200 MB. */
static void
repeated_definitions_are_bounded(void **state)
{
	struct str definition = repeated("[a]: b", "c", 30000), body;
	const char *text;
	struct doc *d;

	(void)state;
	body = repeated(arena_printf(arena, "%s\n\n", definition.p), "[a] ", 7500);
	d = parsed(body);
	assert_non_null(strstr(doc_fault(d), "reference links"));
	assert_string_equal(doc_body_fault(body), doc_fault(d));
	text = doc_text(arena, d, false);
	assert_in_range(strlen(text), 90000, 400000);
	/* As many uses become links as 100,000 bytes allow; the others stay as typed. */
	assert_int_equal(count(text, "\"type\":\"link\""), 3);
	assert_int_equal(count(text, "[a]"), 7497);
	assert_true(str_eq(body_keep(arena, body, NULL, str_of(markdown_of(arena, d)), NULL), body));
}

/* Titles count like addresses, and images like links. */
static void
repeated_titles_and_images_are_bounded(void **state)
{
	struct str title = repeated("[a]: b \"", "c", 30000), body;
	const char *text;

	(void)state;
	body = repeated(arena_printf(arena, "%s\"\n\n", title.p), "[text][a] ![image][A] ", 2000);
	assert_non_null(doc_body_fault(body));
	text = doc_text(arena, parsed(body), false);
	assert_in_range(strlen(text), 90000, 400000);
	assert_int_equal(count(text, "[text][a]"), 1998);
	assert_int_equal(count(text, "![image][a]"), 1999);
}

/* Definitions in ordinary use, at any place and in any spelling. */
static void
honest_references_are_resolved(void **state)
{
	static const struct { const char *body, *url; } table[] = {
		{ "[a]\n\n[a]: /x?y=%20&amp;z 'title'", "/x?y=%20&z" },
		{ "[a]\n\n[a]: <b c>", "b c" },
		{ "> [A]\n\n[a]: b\n[a]: c\n", "b" },
		{ "* [a]\n\n  [a]: \\*d\r\n", "*d" },
		{ "{% hint style=\"info\" %}\n[a]\n\n[a]: e\n{% endhint %}\n", "e" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct doc *d = parsed(str_of(table[i].body));
		assert_null(doc_fault(d));
		assert_non_null(strstr(doc_text(arena, d, false), arena_printf(arena, "\"url\":\"%s\"", table[i].url)));
	}
	/* The limit of growth is at least the size of the body. */
	assert_null(doc_body_fault(repeated("[a]: 0123456789\n\n", "[a] and more text ", 50000)));
}

/*
 * Rows of a table that get missing cells, nested marks and nested quotes: beyond the limits the
 * source becomes plain text.
 */
static void
text_beyond_the_limits_is_plain(void **state)
{
	static const struct { const char *piece; size_t times; } table[] = {
		{ "***a**b_c", 300000 }, { ">", 3000000 }, { "- a\n", 300000 }, { "[x](README.md) ", 140000 },
		{ "a\n\n", 300000 }, { "<b>x</b>\n\n", 200000 }, { ":smile: ", 250000 }, { "<b><i>", 1000000 } };
	const char *text;
	struct str body;
	struct doc *d;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		body = repeated("", table[i].piece, table[i].times);
		d = parsed(body);
		if (doc_fault(d) == NULL)
			fail_msg("%zu times \"%s\" is within the limits", table[i].times, table[i].piece);
		text = doc_text(arena, d, false);
		assert_int_equal(count(text, "\"object\":\"block\""), 1);
		assert_in_range(strlen(text), body.n * 9 / 10, body.n * 2 + 500);
		assert_null(doc_links(arena, body));
		assert_in_range(arena_used(arena), 0, (size_t)DOC_MEMORY_MAX);
		arena_reset(arena);
	}
}

/* A body of two runs of pieces, the first of which makes each piece of the second expensive. */
static struct str
two_runs(const char *first, const char *second, size_t n)
{
	struct str begin = repeated("", first, n / 2 / strlen(first));

	return repeated(begin.p, second, n / 2 / strlen(second));
}

/*
 * Input for which cmark or gumbo would take quadratic time is refused by a count of their steps:
 * 400 kB of each would run for minutes. Small ones are refused too (24 kB: less than doc_body_fault
 * parses), tiny ones are read.
 */
static void
quadratic_texts_are_refused(void **state)
{
	static const struct { const char *first, *second, *why; } table[] = {
		{ "- ", "\n", "nests" }, { "1. ", "\n", "nests" }, { "+ ", "\n \n", "nests" },
		{ "> - ", "\n>\n", "nests" }, { "\t", "- a\n\n", "nests" }, { "[^a]: ", "\n", "nests" },
		{ "a <?", "a <?", "opens" }, { "a <![CDATA[", "b", "opens" }, { "a <!A ", "b\n", "opens" },
		{ "<pre ", " a=\"b\" c", "attributes" }, { "<table ", "/a", "attributes" },
		{ "<pre a='>' ", "d='>' ", "attributes" },
		{ "<pre x=/ \" ", "a ", "attributes" }, { "<pre = \" ", "a ", "attributes" }, { "<pre a=b=\" ", "a ", "attributes" } };
	struct str body;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		body = two_runs(table[i].first, table[i].second, 400000);
		if (doc_fault(parsed(body)) == NULL || strstr(doc_fault(parsed(body)), table[i].why) == NULL)
			fail_msg("\"%s\": %s", table[i].first, doc_fault(parsed(body)));
		body = two_runs(table[i].first, table[i].second, 24000);
		if (doc_body_fault(body) == NULL || doc_fault(parsed(body)) != doc_body_fault(body))
			fail_msg("\"%s\", small: %s", table[i].first, doc_body_fault(body));
		assert_null(doc_fault(parsed(two_runs(table[i].first, table[i].second, 1000))));
		arena_reset(arena);
	}
}

/* Similar constructs in ordinary texts: closed, in many paragraphs, nested as people do. */
static void
honest_nesting_is_parsed(void **state)
{
	static const char *const pieces[] = { "- a\n  - b\n    - c\n\n\n\n", "> > > a\n\n", "a <?php ?> b\n",
		"a <!A b> c\n", "```\n<?php\n```\n\n", "<div a=1 b=2 c=3 d=4>x</div>\n\n", "a <b c> d <e f>\n",
		"- - - - - - - - - - - -\n\n", "1. 2. 3. a\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		assert_null(doc_fault(parsed(repeated("", pieces[i], 200000 / strlen(pieces[i])))));
		arena_reset(arena);
	}
}

/* Replacing the targets of a body takes short time, whatever the body contains. */
static void
a_body_of_marker_text_is_parsed_soon(void **state)
{
	const struct doc_link *l;

	(void)state;
	l = doc_links(arena, repeated("[a](b.md) octavolink", "x", 300000));
	assert_non_null(l);
	assert_true(str_is(l->spelling, "b.md"));
	assert_null(l->next);
	assert_in_range(arena_used(arena), 0, 64 << 20);
}

/* Line numbers of addresses whose spelling in the source differs from the address (20,000 of them), and of others. */
static void
lines_of_addresses_are_found(void **state)
{
	const struct doc_link *l;

	(void)state;
	l = doc_links(arena, STR("a\n<b@c.de>\n\n<http://a.b>\n<mailto:x@y.z>\n"));
	for (size_t line = 2; line < 6; line += line == 2 ? 2 : 1, l = l->next)
		assert_int_equal(l->line, line);
	assert_null(l);
	/* Mail addresses in either spelling, and one that only ends in the same way. */
	l = doc_links(arena, STR("x b@c.de>\n<b@c.de>\n<mailto:b@c.de>\n<b@c.de>\n"));
	for (size_t line = 2; line < 5; line++, l = l->next)
		assert_int_equal(l->line, line);
	assert_null(l);
	l = doc_links(arena, repeated("<http://a.b>\n", "<http://a.b?c&amp;d> ", 20000));
	assert_int_equal(l->line, 1);
	assert_int_equal(l->next->line, 0);
}

/*
 * The largest body that is accepted (10 MB, close to the limit of nodes) is compared with its
 * stored body in a part of a worker's 1 GiB. Runs in a child, so that the peak is that of this test
 * alone.
 */
static void
the_largest_body_is_kept_in_bounded_memory(void **state)
{
#if defined(__SANITIZE_ADDRESS__)
	enum { PEAK_MIB = 1200 };  /* includes what the sanitizer adds to each allocation */
#else
	enum { PEAK_MIB = 600 };
#endif
	struct str part = repeated("", "Some words of plain text that fill a line, and some more of them to fill "
	    "another, and more, [link text](http://example.com/some/long/path/to/a/page) and ", 6);
	struct str old = repeated("", repeated(part.p, "end.\n\n", 1).p, 9900);
	struct str sent = repeated(old.p, "\n\nOne more.\n", 1);
	struct rusage use;
	pid_t child;
	int status;

	(void)state;
	assert_null(doc_body_fault(sent));
	assert_in_range(sent.n, 8 << 20, 10 << 20);
	if ((child = fork()) == 0)
		_exit(body_keep(arena, old, NULL, sent, NULL).n >= old.n ? 0 : 1);
	assert_int_equal(wait4(child, &status, 0, &use), child);
	assert_int_equal(status, 0);
	assert_in_range(use.ru_maxrss / 1024, 1, PEAK_MIB);
}

/* Ordinary long texts are far below the limits, and a parse beyond the limits does not affect later ones. */
static void
long_honest_texts_are_parsed(void **state)
{
	struct str body = repeated("# Title\n\n", "Some words and a [link](page.md) in a sentence.\n\n", 20000);

	(void)state;
	assert_null(doc_body_fault(body));
	assert_non_null(doc_body_fault(repeated("", "*a* ", 400000)));
	assert_string_equal(doc_text(arena, parse(arena, "*a* ~~b~~ {x} $ :c"), true),
	    doc_text(arena, parse(arena, "*a* ~~b~~ {x} $ :c"), true));
	assert_null(doc_fault(parse(arena, "*a*")));
}

/* The text of a footnote is parsed at another place: the blocks after its reference are still found. */
static void
blocks_after_a_footnote_are_found(void **state)
{
	static const char body[] = "Some text[^note] here.\n\n* a\n* b\n\nA   paragraph.\n\n[^note]: The *text*.\n\nEnd.\n";
	static const char *const starts[] = { "Some", "* a", "A   ", "End" };
	size_t n;
	struct doc_block *b = doc_blocks(arena, STR(body), &n);
	struct doc *d = read_back(arena, doc_text(arena, parse(arena, body), true));

	(void)state;
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++)
		assert_true(str_starts(b[i].source, starts[i]));
	assert_true(str_eq(body_keep(arena, STR(body), NULL, str_of(markdown_of(arena, d)), NULL), STR(body)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(repeated_definitions_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(repeated_titles_and_images_are_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(honest_references_are_resolved, set_up, tear_down),
		cmocka_unit_test_setup_teardown(text_beyond_the_limits_is_plain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_honest_texts_are_parsed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(quadratic_texts_are_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(honest_nesting_is_parsed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lines_of_addresses_are_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_body_of_marker_text_is_parsed_soon, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_largest_body_is_kept_in_bounded_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(blocks_after_a_footnote_are_found, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
