/*
 * Extracting texts from bodies and inserting them again, and pieces of texts. With the corpus:
 * test_translate_corpus.c.
 */
#include "arena_fixture.h"
#include "base/buf.h"
#include "translate/pieces.h"
#include "translate/body_texts.h"

static const char *
pieces_text(struct arena *a, const struct glossary *g, const char *text)
{
	struct piece *p;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	for (p = pieces_cut(a, g, str_of(text)); p != NULL; p = p->next)
		buf_printf(&b, p->send ? "[%.*s]" : "%.*s", (int)p->text.n, p->text.p);
	return b.n == 0 ? "" : b.p;
}

static void
only_words_are_sent(void **state)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "Run it now.", "[Run it now.]" },
		{ "  Run it\n now. ", "  [Run it now.] " },
		{ "42, 17!", "42, 17!" },
		{ "Hello {{name}}, welcome", "[Hello] {{name}}[, welcome]" },
		{ "Use ${HOME} or $PATH here", "[Use] ${HOME} [or] $PATH [here]" },
		{ "See https://example.com/a_b. Then", "[See] https://example.com/a_b[. Then]" },
		{ "write to me@example.com soon", "[write to] me@example.com [soon]" },
		{ "set max_size with --max-size", "[set] max_size [with] --max-size" },
		{ "%s has %d files, 5% less", "%s [has] %d [files, 5% less]" },
		{ "and/or well-known 1.5", "[and/or well-known 1.5]" },
		{ "{ open brace", "[{ open brace]" },
		{ "", "" } };
	struct arena *a = arena;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(pieces_text(a, NULL, cases[i].text), cases[i].want);
}

static void
terms_of_the_glossary_are_used(void **state)
{
	struct arena *a = arena;
	struct glossary *g = NULL;

	(void)state;
	glossary_add(a, &g, STR("request"), STR("petición"));
	glossary_add(a, &g, STR("change request"), STR("solicitud de cambio"));
	glossary_add(a, &g, STR("Octavo"), STR("Octavo"));
	assert_string_equal(pieces_text(a, g, "Open a change request in Octavo"),
	    "[Open a] solicitud de cambio [in] Octavo");
	assert_string_equal(pieces_text(a, g, "Change request, requests, request"),
	    "Solicitud de cambio[, requests,] petición");
	assert_string_equal(pieces_text(a, g, "prerequest requestée"), "[prerequest requestée]");
	glossary_add(a, &g, STR("C++"), STR("ce++"));
	glossary_add(a, &g, STR("C"), STR("ce"));
	glossary_add(a, &g, STR(".NET"), STR("punto"));
	glossary_add(a, &g, STR("Änderung"), STR("cambio"));
	/* Of two equal entries the first one stays. */
	assert_false(glossary_add(a, &g, STR("OCTAVO"), STR("ocho")));
	assert_false(glossary_add(a, &g, STR(""), STR("x")));
	assert_string_equal(pieces_text(a, g, "In c++, c or .net: änderung, Änderungen, octavo"),
	    "[In] ce++, ce [or] punto: cambio[, Änderungen,] Octavo");
}

/* "Translates" every text to capitals, with a character that Markdown must escape. */
static struct str
changed(struct arena *a, struct str s)
{
	struct buf b;
	size_t i, from = 0, to = s.n;

	if (!has_letters(s))
		return s;
	while (s.p[from] == ' ' || s.p[from] == '\n')
		from++;
	while (s.p[to - 1] == ' ' || s.p[to - 1] == '\n')
		to--;
	buf_init(&b, a, s.n * 2 + 10);
	buf_put(&b, str_slice(s, 0, from));
	for (i = from; i < to; i++)
		buf_char(&b, s.p[i] >= 'a' && s.p[i] <= 'z' ? (char)(s.p[i] - 32) : s.p[i] == '\n' ? ' ' : s.p[i]);
	buf_put(&b, str_slice(s, to, s.n));
	return buf_view(&b);
}

static void
count(void *ctx, const char *words)
{
	(void)words;
	++*(int *)ctx;
}

static const char *
capitals(struct arena *a, const char *body, int *failed)
{
	struct texts t;
	struct str out;
	size_t i;

	*failed = 0;
	texts_read(&t, a, str_of(body));
	for (i = 0; i < t.n; i++)
		texts_set(&t, i, changed(a, texts_get(&t, i)));
	out = texts_write(&t, count, failed);
	return arena_strndup(a, out.p, out.n);
}

static void
translations_are_put_back_in_place(void **state)
{
	static const struct { const char *body, *want; } cases[] = {
		{ "One _two_ three.\n", "ONE _TWO_ THREE.\n" },
		{ "See [the guide](a/b.md#c \"tip\") and `code`.\n", "SEE [THE GUIDE](a/b.md#c \"TIP\") AND `code`.\n" },
		{ "```js\nlet x;\n```\n\nafter\n", "```js\nlet x;\n```\n\nAFTER\n" },
		{ "## Install it\n", "## INSTALL IT\n" },
		{ "{% hint style=\"info\" %}\nnote\n{% endhint %}\n", "{% hint style=\"info\" %}\nNOTE\n{% endhint %}\n" },
		{ "* a\n* b\n\n$$\nx + y\n$$\n", "* A\n* B\n\n$$\nx + y\n$$\n" },
		/* Other content than words in a table head. */
		{ "| ![x](i.png) **a** | `b` | [c](d.md) |\n| --- | --- | --- |\n| e | `f` | [g](h.md) |\n",
		  "| ![X](i.png) **A** | `b` | [C](d.md) |\n| ----------------- | --- | --------- |\n| E                 | `f` | [G](h.md) |\n" },
		{ "<table data-full-width=\"true\"><thead><tr><th><a href=\"d.md\">a</a> <code>b</code></th></tr></thead>"
		  "<tbody><tr><td>c</td></tr></tbody></table>\n",
		  "<table data-full-width=\"true\"><thead><tr><th><a href=\"d.md\">A</a> <code>b</code></th></tr></thead>"
		  "<tbody><tr><td>C</td></tr></tbody></table>\n" },
		/* A heading that is found although the link spells it differently. */
		{ "See [there](#readwrite).\n\n## Read/Write\n",
		  "SEE [THERE](#read-write).\n\n## READ/WRITE\n" },
		{ "<!-- keep me -->\n\ntext\n", "<!-- keep me -->\n\nTEXT\n" },
		{ "\n\n", "\n\n" } };
	struct arena *a = arena;
	size_t i;
	int failed;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(capitals(a, cases[i].body, &failed), cases[i].want);
		assert_int_equal(failed, 0);
	}
}

/* A heading whose new text would have another anchor names the old one. */
static void
anchors_stay(void **state)
{
	struct arena *a = arena;
	struct texts t;
	struct str out;

	(void)state;
	texts_read(&t, a, STR("## Install it\n\nSee [there](#install-it).\n"));
	texts_set(&t, 0, STR("Instálelo"));
	out = texts_write(&t, NULL, NULL);
	assert_non_null(memmem(out.p, out.n, "id=\"install-it\"", 15));
	assert_non_null(memmem(out.p, out.n, "[there](#install-it)", 20));
}

/* Translations that look like markup stay text, and the blocks around them do not change. */
static void
hostile_answers_stay_texts(void **state)
{
	static const char *const answers[] = { "# heading", "* item", "[x](y)", "**bold**", "`code`", "{% hint %}", "<b>x</b>",
		"| a | b |", "1. one", "> quote", "a\\", "http://x.example/", ":smile:", "$$x$$", "&amp;", "![i](j)", "~~~",
		"---", "_a_ *b", "{% endhint %}" };
	struct arena *a = arena;
	const char *body = "One [two](t.md) three.\n\n{% hint style=\"info\" %}\nnote\n{% endhint %}\n\n* item\n\n| h |\n| - |\n| c |\n";
	struct texts t, again;
	struct str out;
	size_t i, k;
	int failed = 0;

	(void)state;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		texts_read(&t, a, str_of(body));
		for (k = 0; k < t.n; k++)
			texts_set(&t, k, str_of(answers[i]));
		out = texts_write(&t, count, &failed);
		texts_read(&again, a, out);
		assert_int_equal(again.doc != NULL, 1);
		assert_non_null(memmem(out.p, out.n, "](t.md)", 7));
		assert_non_null(memmem(out.p, out.n, "{% endhint %}", 13));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(only_words_are_sent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(terms_of_the_glossary_are_used, set_up, tear_down),
		cmocka_unit_test_setup_teardown(translations_are_put_back_in_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(anchors_stay, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_answers_stay_texts, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
