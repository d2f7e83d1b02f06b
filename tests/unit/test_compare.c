/*
 * Two versions of a document as one (render/compare.h): what is marked in some forms of edits, and for
 * random edits of the corpus of blocks that dropping what was removed gives the words of the later
 * version, and dropping what was added those of the earlier one.
 */
#include "doc_fixture.h"
#include "render/compare.h"
#include "render/render.h"

static size_t changes;

static cJSON *
document_of(struct arena *a, const char *markdown)
{
	json_arena(a);
	return cJSON_Parse(doc_text(a, parse(a, markdown), true));
}

static const char *
html_of(struct arena *a, const cJSON *document)
{
	const struct render_env env = { .language = LANG_EN };
	struct rendering r;
	struct buf out;

	buf_init(&out, a, 64 << 20);
	buf_str(&out, "");
	render_document(a, &out, document, &env, &r);
	return buf_view(&out).p;
}

static const char *
compared(struct arena *a, const char *before, const char *after)
{
	return html_of(a, compare_documents(a, document_of(a, before), document_of(a, after), &changes));
}

static void
assert_compared(const char *before, const char *after, const char *html)
{
	struct arena *a = arena_new((size_t)1 << 30);

	assert_string_equal(compared(a, before, after), html);
	arena_free(a);
}

static void
words_of_a_paragraph_are_marked(void **state)
{
	(void)state;
	assert_compared("One red house stands here.\n", "One blue house stands here.\n",
	    "<p>One <del>red</del><ins>blue</ins> house stands here.</p>");
	assert_compared("One **red** house stands here.\n", "One red house stands here.\n",
	    "<p>One <del><strong>red</strong></del><ins>red</ins> house stands here.</p>");
	assert_compared("Equal.\n", "Equal.\n", "<p>Equal.</p>");
	assert_int_equal(changes, 0);
}

static void
blocks_are_added_and_removed(void **state)
{
	(void)state;
	assert_compared("First.\n\nSecond.\n", "First.\n\nNew words.\n\nSecond.\n",
	    "<p>First.</p><p><ins>New words.</ins></p><p>Second.</p>");
	assert_compared("First.\n\nOld words.\n\nSecond.\n", "First.\n\nSecond.\n",
	    "<p>First.</p><p><del>Old words.</del></p><p>Second.</p>");
	assert_compared("Nothing alike.\n", "Quite different text\n", "<p><del>Nothing alike.</del></p><p><ins>Quite different text</ins></p>");
	assert_compared("", "---\n", "<ins><hr></ins>");
	assert_compared("---\n", "", "<del><hr></del>");
}

static void
items_and_lines_of_code_are_compared(void **state)
{
	(void)state;
	assert_compared("- one\n- two\n- three\n", "- one\n- three\n", "<ul><li>one</li><li><del>two</del></li><li>three</li></ul>");
	assert_compared("```\na = 1\nb = 2\n```\n", "```\na = 1\nb = 3\n```\n",
	    "<figure class=\"code\"><pre><code>a = 1\nb = <del>2</del><ins>3</ins>\n</code></pre></figure>");
}

static void
rows_and_cells_of_a_table_are_compared(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html = compared(a, "| A | B |\n| - | - |\n| one | two |\n| three | four |\n",
	    "| A | B |\n| - | - |\n| one | deux |\n| three | four |\n| five | six |\n");

	(void)state;
	assert_non_null(strstr(html, "<del>two</del>"));
	assert_non_null(strstr(html, "<ins>deux</ins>"));
	assert_non_null(strstr(html, "<tr class=\"added\">"));
	assert_non_null(strstr(html, "<ins>six</ins>"));
	assert_null(strstr(html, "<ins>four"));
	/* A new row before one that was edited is not taken for the edited one. */
	html = compared(a, "| A | B | C |\n| - | - | - |\n| Cake | 4 | Fresh |\n", "| A | B | C |\n| - | - | - |\n| Juice | 3 | Cold |\n| Cake | 5 | Fresh |\n");
	assert_non_null(strstr(html, "<tr class=\"added\">"));
	assert_non_null(strstr(html, "<ins>Juice</ins>"));
	assert_non_null(strstr(html, "<del>4</del>"));
	assert_non_null(strstr(html, "<ins>5</ins>"));
	assert_null(strstr(html, "<del>Cake"));
	assert_null(strstr(html, "<ins>Cake"));
	html = compared(a, "| A | B |\n| - | - |\n| one | two |\n", "| A | B | C |\n| - | - | - |\n| one | two | three |\n");
	/* Other columns: the table as it was, and as it became. */
	assert_non_null(strstr(html, "<del><div class=\"table\""));
	assert_non_null(strstr(html, "<ins><div class=\"table\""));
	arena_free(a);
}

static void
an_anchor_is_there_once(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	const char *html = compared(a, "# Title\n\n## Setup\n\nText.\n\n## Setup\n\nMore.\n", "# Title\n\n## Setup\n\nOther.\n");

	(void)state;
	assert_non_null(strstr(html, "id=\"setup\""));
	assert_null(strstr(strstr(html, "id=\"setup\"") + 1, "id=\"setup\""));
	arena_free(a);
}

/* ---- both versions are in it ---- */

/* Drops elements of the name and what is in them. */
static const char *
without(struct arena *a, const char *html, const char *name)
{
	const char *open = arena_printf(a, "<%s>", name), *close = arena_printf(a, "</%s>", name), *at;
	struct buf b;

	buf_init(&b, a, 64 << 20);
	for (; (at = strstr(html, open)) != NULL; html = strstr(at, close) + strlen(close))
		buf_add(&b, html, (size_t)(at - html));
	buf_str(&b, html);
	buf_char(&b, '\0');
	return b.p;
}

/* Words without blanks: a removed block leaves its element. */
static const char *
words_of(struct arena *a, const char *html)
{
	struct str words = h_words(a, str_of(html));
	struct buf b;

	buf_init(&b, a, 64 << 20);
	for (size_t i = 0; i < words.n; i++)
		if (!isspace((unsigned char)words.p[i]))
			buf_char(&b, words.p[i]);
	buf_char(&b, '\0');
	return b.p;
}

static const char *const blocks[] = { "A paragraph of some plain words.\n", "## A heading of it\n", "- one item\n- another item\n- a third one\n",
	"1. first step\n2. second step\n", "> A quoted remark here\n", "```\nmake all\nmake test\n```\n", "| A | B |\n| - | - |\n| c1 | c2 |\n| d1 | d2 |\n",
	"{% hint style=\"info\" %}\nMind the gap here.\n{% endhint %}\n",
	"{% tabs %}\n{% tab title=\"One\" %}\nfirst tab\n{% endtab %}\n\n{% tab title=\"Two\" %}\nsecond tab\n{% endtab %}\n{% endtabs %}\n",
	"Text with **bold words**, `code` and [a link](https://example.org/).\n" };

/* Some of the blocks in order, with a word in some of them replaced. */
static const char *
random_text(struct arena *a, unsigned *seed)
{
	struct buf b;

	buf_init(&b, a, 1 << 20);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		*seed = *seed * 1103515245u + 12345u;
		if ((*seed >> 16) % 4 == 0)
			continue;
		buf_str(&b, blocks[i]);
		if ((*seed >> 18) % 3 == 0)
			buf_printf(&b, "\nAnother paragraph, number %u.\n", (*seed >> 20) % 5);
		buf_char(&b, '\n');
	}
	buf_char(&b, '\0');
	return b.p;
}

static void
both_versions_can_be_read_from_it(void **state)
{
	unsigned seed = 20261127;

	(void)state;
	for (int i = 0; i < 400; i++) {
		struct arena *a = arena_new((size_t)1 << 30);
		const char *before = random_text(a, &seed), *after = random_text(a, &seed), *html = compared(a, before, after);

		assert_string_equal(words_of(a, without(a, html, "del")), words_of(a, html_of(a, document_of(a, after))));
		assert_string_equal(words_of(a, without(a, html, "ins")), words_of(a, html_of(a, document_of(a, before))));
		arena_free(a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(words_of_a_paragraph_are_marked), cmocka_unit_test(blocks_are_added_and_removed),
		cmocka_unit_test(items_and_lines_of_code_are_compared), cmocka_unit_test(rows_and_cells_of_a_table_are_compared),
		cmocka_unit_test(an_anchor_is_there_once), cmocka_unit_test(both_versions_can_be_read_from_it) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
