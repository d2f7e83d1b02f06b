/*
 * The links of a parsed document (doc_links_of()) equal those of its body (doc_links()). They need
 * no second parse if the lookups of the first one decide which places are links.
 */
#include "arena_fixture.h"
#include "markdown/document_tree.h"

/* A list as text, a line for each. */
static const char *
listed(const struct doc_link *l)
{
	struct buf b;

	buf_init(&b, arena, 1 << 24);
	for (; l != NULL; l = l->next)
		buf_printf(&b, "%zu %zu-%zu %d %d %.*s\n", l->line, l->from, l->to, (int)l->use, (int)l->place,
		    (int)l->spelling.n, l->spelling.p);
	return b.p;
}

/*
 * Both lists must be equal. again: the lookups do not decide which places are links, so the body is
 * parsed a second time.
 */
static void
same_links(struct str body, bool again)
{
	const struct doc *docs[] = { doc_parse(arena, body, NULL, NULL, NULL), doc_parse_words(arena, body, NULL, NULL) };
	const char *want = listed(doc_links(arena, body));
	size_t i, before;

	for (i = 0; i < 2; i++) {
		before = doc_bytes_parsed();
		assert_string_equal(listed(doc_links_of(arena, docs[i], body)), want);
		assert_int_equal(doc_bytes_parsed() > before, again);
	}
}

static void
a_parse_places_its_links(void **state)
{
	static const char *const bodies[] = {
		"[a](b.md) ![c](d%20e.png \"t\") [f](<g h.md>) [i](https://j.k/l?m&amp;n) [o](#p) [q]()",
		/* A spelling that occurs only in code is not looked up. */
		"`[a](b.md)`\n\n```\n[c](d.md)\n<a href=\"e.md\">\n```\n\n[f](g.md)\n",
		/* All occurrences. */
		"[a](b.md)\n\n- [c](b.md)\n\n| [d](b.md) |\n|---|\n| [e](b.md) |\n",
		"<a href=\"a.md\">b</a> <a href='c.md'>d</a>\n\n<figure><img src=\"e.png\" alt=\"\"></figure>\n",
		"{% content-ref url=\"a.md\" %}\n{% endcontent-ref %}\n\n{% include \"b.md\" %}\n\n{% file src=\"c.pdf\" %}\n",
		/* Addresses have no place. */
		"<https://a.b> <c@d.e>\n\n[f](g.md)\n",
		/*
		 * Of several definitions with one label the first counts; unused definitions are no
		 * links.
		 */
		"[a]: b.md\n[a]: c.md\n[d]: b.md\n\n[a] [a][a] ![x][d]\n\n[e]: f.md\n",
		/* Text within a line that looks like a definition is no definition. */
		"[a]: b.md\n\n[a] [a]: b.md\n\n[a] [a]: c.md\n",
		"[a](b.md) text\r\n\r\n[c](d.md)\r", "no ](link here", "[a](b.md)\n\n[^1]: c\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++)
		same_links(str_of(bodies[i]), false);
}

static void
ambiguous_links_are_placed_by_tokens(void **state)
{
	static const char *const bodies[] = {
		/* One of two places with equal spellings is a link. */
		"`[a](b.md)` [a](b.md)", "[a](b.md)\n\n```\n[a](b.md)\n```\n",
		"```\n<a href=\"a.md\">\n```\n\n<a href=\"a.md\">b</a>\n",
		/* An address may also be the text of a link. */
		"<https://a.b> `[c](https://a.b)`", "[https://a.b](https://a.b)",
		/* A link and an image with the same target. */
		"[a](b.png) ![c](b.png)",
		/* In a footnote, which is read where it is referred to. */
		"a[^1] b[^1]\n\n[^1]: [c](d.md)\n",
		/* A spelling with a bar has no position, and neither has a definition that is not requested. */
		"[a](b&#124;c.md) `[d](e.md)` [f](g|h.md)\n\n[i]: j|k.md\n\n[i]\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++)
		same_links(str_of(bodies[i]), true);
}

/* A target whose text contains another place, which is no target, keeps its spelling. */
static void
an_open_target_is_spelled_as_written(void **state)
{
	(void)state;
	assert_string_equal(listed(doc_links(arena, STR("[a](x.md[b](y%20z.md \"t\")"))), "0 0-0 0 0 x.md[b](y z.md\n");
}

/*
 * Definitions beyond the limit of growth: some of their uses stay text in the document, but all of them
 * are links of the page.
 */
static void
long_definitions_are_placed(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "[a]: ");
	for (size_t i = 0; i < 60000; i++)
		buf_char(&b, 'x');
	buf_str(&b, "\n[b]: c.md\n\n[a] [a] [a] [b]\n");
	same_links(buf_view(&b), true);
}

/* Beyond the limits a document is plain text. */
static void
a_plain_document_has_no_placed_links(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, arena, 4 << 20);
	for (size_t i = 0; i < DOC_NODES_MAX; i++)
		buf_str(&b, "[a](b)\n\n");
	assert_null(doc_links_of(arena, doc_parse_words(arena, buf_view(&b), NULL, NULL), buf_view(&b)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_parse_places_its_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ambiguous_links_are_placed_by_tokens, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_open_target_is_spelled_as_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(long_definitions_are_placed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_plain_document_has_no_placed_links, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
