/* The grammar of SUMMARY.md (layout 3), from text alone. */
#include <time.h>

#include "layout_fixture.h"

static struct arena *arena;
static struct summary s;
static struct buf warnings;

static int
set_up(void **state)
{
	(void)state;
	arena = arena_new((size_t)1 << 30);
	buf_init(&warnings, arena, 64 << 20);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static void
warn(void *ctx, size_t line, const char *message)
{
	(void)ctx;
	(void)message;
	if (warnings.n < 1000)
		buf_printf(&warnings, "%zu ", line);
}

static void
parse(const char *text)
{
	buf_cut(&warnings, warnings.n);
	s = (struct summary){ .warn = warn };
	summary_parse(arena, str_of(text), 50, &s);
}

/* Items as lines: kind, depth, text, target, title. */
static const char *
outline(const char *text)
{
	const struct summary_item *i;
	size_t count = 0;
	struct buf b;

	parse(text);
	buf_init(&b, arena, 1 << 20);
	for (i = s.items; i != NULL; i = i->next, count++) {
		assert_true(i->parent == NULL ? i->depth == 0 : i->depth == i->parent->depth + 1);
		buf_printf(&b, "%c%zu %s", "G-IY."[i->kind], i->depth, i->kind == SUMMARY_ITEM && i->text.url != NULL
		    ? i->text.link_text : i->text.text);
		if (i->text.url != NULL)
			buf_printf(&b, " -> %s", i->text.url);
		if (i->text.link_title != NULL)
			buf_printf(&b, " \"%s\"", i->text.link_title);
		if (i->text.anchor != NULL)
			buf_printf(&b, " #%s", i->text.anchor);
		buf_char(&b, '\n');
	}
	assert_int_equal(count, s.count);
	return b.p;
}

#define EXPECT(text, expected, lines) \
	do { assert_string_equal(outline(text), expected); assert_string_equal(warnings.p, lines); } while (0)

static void
tables_of_the_service_are_read(void **state)
{
	(void)state;
	EXPECT("# Table of contents\n\n* [Welcome](README.md)\n  * [Child](readme/child.md)\n"
	    "* [Changelog](https://example.com/changelog)\n* [Buttons](formatting/inline.md#buttons)\n\n"
	    "## Get Started <a href=\"#getting-started\" id=\"getting-started\"></a>\n\n"
	    "* [Long](getting-started/quickstart.md \"Quickstart\")\n* [API](api/README.md)\n"
	    "  * ```yaml\n    props:\n      models: true\n    type: builtin:openapi\n    ```\n\n***\n\n"
	    "* [Page](security.md)\n",
	    "I0 Welcome -> README.md\nI1 Child -> readme/child.md\nI0 Changelog -> https://example.com/changelog\n"
	    "I0 Buttons -> formatting/inline.md#buttons\nG0 Get Started #getting-started\n"
	    "I0 Long -> getting-started/quickstart.md \"Quickstart\"\nI0 API -> api/README.md\nY1 \n-0 \n"
	    "I0 Page -> security.md\n", "");
	assert_int_equal(s.items->line, 3);
}

static struct summary_item *
nth(size_t n)
{
	struct summary_item *i = s.items;

	while (n-- > 0)
		i = i->next;
	return i;
}

static const char *
text_of(struct str t)
{
	return arena_strndup(arena, t.p, t.n);
}

static void
own_lines_are_kept(void **state)
{
	(void)state;
	parse("* [A](a.md)\n  * ```yaml\n    a: 1\n\n    ```\n\n## G\n\n* [Long\n  name](b.md)\n\n* [C](c.md)");
	assert_string_equal(text_of(nth(0)->source), "* [A](a.md)\n");
	assert_string_equal(text_of(nth(1)->source), "  * ```yaml\n    a: 1\n\n    ```\n");
	assert_string_equal(text_of(nth(1)->yaml), "a: 1\n\n");
	assert_string_equal(text_of(nth(2)->source), "## G\n");
	assert_string_equal(text_of(nth(3)->source), "* [Long\n  name](b.md)\n");
	assert_string_equal(nth(3)->text.link_text, "Long name");
	assert_string_equal(text_of(nth(4)->source), "* [C](c.md)");
	assert_int_equal(nth(4)->line, 12);
}

static void
headings_open_groups(void **state)
{
	(void)state;
	EXPECT("Summary\n=======\n\nPart\n----\n* [A](a.md)\n", "G0 Part\nI0 A -> a.md\n", "");
	EXPECT("## A\n## B ##\n### C\n###### D\n##\n", "G0 A\nG0 B\nG0 C\nG0 D\nG0 \n", "");
	EXPECT("# One\n# Two\n", "G0 Two\n", "");
	EXPECT("* [A](a.md)\n# Late\n* [B](b.md)\n", "I0 A -> a.md\nG0 Late\nI0 B -> b.md\n", "");
	EXPECT("## 1. Old <a id=\"old\"></a>\n", "G0 1. Old #old\n", "");
	EXPECT("## C#\n", "G0 C#\n", "");
	EXPECT("* [A](a.md)\n## G\n  * [B](b.md)\n", "I0 A -> a.md\nG0 G\nI0 B -> b.md\n", "");
	EXPECT("#No\n\n* [A](a.md)\n", "I0 A -> a.md\n", "1 ");
	EXPECT("", "", "");
	EXPECT("\xEF\xBB\xBF# T\r\n\r\n* [A](a.md)\r\n  * [B](b.md)\r\n", "I0 A -> a.md\nI1 B -> b.md\n", "");
}

static void
dividers_are_read(void **state)
{
	(void)state;
	EXPECT("***\n* [A](a.md)\n---\n----\n* * *\n- - -\n___\n", "-0 \nI0 A -> a.md\n-0 \n-0 \n-0 \n-0 \n-0 \n", "");
	EXPECT("* [A](a.md)\n---\n  * [B](b.md)\n", "I0 A -> a.md\n-0 \nI0 B -> b.md\n", "");
	EXPECT("--\n", "", "1 ");
}

static void
items_nest_by_their_indentation(void **state)
{
	(void)state;
	EXPECT("- [A](a)\n    - [B](b)\n        - [C](c)\n    - [D](d)\n- [E](e)\n",
	    "I0 A -> a\nI1 B -> b\nI2 C -> c\nI1 D -> d\nI0 E -> e\n", "");
	EXPECT("* [A](a)\n\t* [B](b)\n\t\t+ [C](c)\n* [D](d)\n", "I0 A -> a\nI1 B -> b\nI2 C -> c\nI0 D -> d\n", "");
	EXPECT("* [A](a)\n      * [B](b)\n   * [C](c)\n * [D](d)\n", "I0 A -> a\nI1 B -> b\nI1 C -> c\nI0 D -> d\n", "");
	EXPECT("1. [A](a)\n   2) [B](b)\n  10. [C](c)\n", "I0 A -> a\nI1 B -> b\nI1 C -> c\n", "");
	EXPECT("  * [A](a)\n  * [B](b)\n    * [C](c)\n* [D](d)\n", "I0 A -> a\nI0 B -> b\nI1 C -> c\nI0 D -> d\n", "");
	EXPECT("* [A](a)\n\n\n  * [B](b)\n", "I0 A -> a\nI1 B -> b\n", "");
}

static void
targets_and_titles_are_read(void **state)
{
	(void)state;
	EXPECT("* [\\[WIP\\] a\\_b \\(c\\) &amp; ~~x~~ A\\*](preface/01\\_intro.md)\n",
	    "I0 [WIP] a_b (c) & x A* -> preface/01_intro.md\n", "");
	EXPECT("* [A](<path with spaces.md>)\n* [B](path%20x.md)\n* [C](a b.md)\n",
	    "I0 A -> path with spaces.md\nI0 B -> path%20x.md\nI0 C -> a b.md\n", "");
	EXPECT("* [A](a.md 'x \"y\"')\n* [B](b.md \"say \"hi\" [x]\")\n", "I0 A -> a.md \"x \"y\"\"\nI0 B -> b.md \"say \"hi\" [x]\"\n", "");
	EXPECT("* [im::floo::X](a.md)\n* [:rocket: Go](b.md)\n", "I0 im::floo::X -> a.md\nI0 \xF0\x9F\x9A\x80 Go -> b.md\n", "");
	EXPECT("* [](a.md)\n* []()\n* [A](<>)\n", "I0  -> a.md\nI0  -> \nI0 A -> \n", "");
	EXPECT("* Plain item\n* **bold** `c`\n*\n", "I0 Plain item\nI0 bold c\nI0 \n", "");
	EXPECT("* 1. not a list\n* # nor a heading\n", "I0 1. not a list\nI0 # nor a heading\n", "");
	EXPECT("* see [A](a.md), or [B](b.md)\n", "I0 A -> a.md\n", "");
	assert_int_equal(s.items->text.links, 2);
	assert_true(s.items->text.outside);
	EXPECT("* [a [b] c](x(1).md)\n", "I0 a [b] c -> x(1).md\n", "");
	EXPECT("* [ ] task\n* [x]\n", "I0 [ ] task\nI0 [x]\n", "");
	EXPECT("* [a \xFF](b.md)\n", "I0 a \xEF\xBF\xBD -> b.md\n", "");
}

static void
other_lines_are_no_items(void **state)
{
	(void)state;
	EXPECT("$MAINNET_SUMMARY\n\n* [A](a.md)\n", "I0 A -> a.md\n", "1 ");
	EXPECT("[Overview](./README.md)\n\n* [A](a.md)\n", "I0 Overview -> ./README.md\nI0 A -> a.md\n", "1 ");
	EXPECT("* [A](a.md)\n[B](b.md)\n", "I0 A -> a.md\nI0 B -> b.md\n", "2 ");
	EXPECT("Text with [a link](x.md) in it.\n", "", "1 ");
	EXPECT("```\n* [A](a.md)\n```\n* [B](b.md)\n", "I0 B -> b.md\n", "1 ");
}

static void
comments_are_left_out(void **state)
{
	(void)state;
	EXPECT("<!-- * [X](x.md) -->\n* [A](a.md) <!-- why -->\n* <!-- gone -->[B](b.md)\n",
	    "I0 A -> a.md\nI0 B -> b.md\n", "");
	EXPECT("* [A](a.md)\n<!--\n* [X](x.md)\n## No\n-->\n  * [B](b.md)\n", "I0 A -> a.md\nI1 B -> b.md\n", "");
	EXPECT("<!-- a --><!-- b -->* [A](a.md)\n", "I0 A -> a.md\n", "");
	EXPECT("* [A](a.md)\n<!-- never closed\n* [B](b.md)\n", "I0 A -> a.md\nI0 B -> b.md\n", "2 ");
}

static void
yaml_items_are_read(void **state)
{
	(void)state;
	parse("* [A](a.md)\n\t* ```yaml\n\t  a:\n\t  \tb: 1\n\t  ```\n\t* [B](b.md)\n");
	assert_int_equal(s.count, 3);
	assert_int_equal(nth(1)->kind, SUMMARY_YAML);
	assert_string_equal(text_of(nth(1)->yaml), "a:\n  b: 1\n");
	assert_int_equal(nth(2)->depth, 1);
	parse("*\n  ```yaml\n  a: 1\n  ```\n* [B](b.md)\n");
	assert_int_equal(nth(0)->kind, SUMMARY_YAML);
	assert_string_equal(text_of(nth(0)->yaml), "a: 1\n");
	parse("* ~~~~ yml\n  a: \"```\"\n  ~~~\n  ~~~~\n* [B](b.md)\n");
	assert_string_equal(text_of(nth(0)->yaml), "a: \"```\"\n~~~\n");
	EXPECT("* ```js\n  x\n  ```\n* [B](b.md)\n", ".0 \nI0 B -> b.md\n", "1 ");
	EXPECT("* ```yaml\n  a: 1\n* [B](b.md)\n", "Y0 \nI0 B -> b.md\n", "1 ");
	EXPECT("* `code`\n", "I0 code\n", "");
}

static void
hostile_tables_end_soon(void **state)
{
	size_t n = 1 << 20, i;
	clock_t start = clock();
	struct buf b;

	(void)state;
	buf_init(&b, arena, 8 * n);
	for (i = 0; b.n < n; i++) {
		size_t k;

		for (k = 0; k < i; k++)
			buf_str(&b, "  ");
		buf_str(&b, "* x\n");
	}
	parse(b.p);
	assert_int_equal(s.too_deep, 51);
	buf_cut(&b, b.n);
	for (i = 0; i < 100000; i++)
		buf_str(&b, "* [a](b.md)\n");
	parse(b.p);
	assert_int_equal(s.count, 100000);
	buf_cut(&b, b.n);
	for (i = 0; i < n / 4; i++)
		buf_str(&b, "<!--");
	parse(b.p);
	buf_cut(&b, b.n);
	for (i = 0; i < n / 5; i++)
		buf_str(&b, "<!--\n");
	parse(b.p);
	buf_cut(&b, b.n);
	for (i = 0; i < n / 2; i++)
		buf_str(&b, i == 0 ? "* " : "[](");
	parse(b.p);
	buf_cut(&b, b.n);
	for (i = 0; i < n / 2; i++)
		buf_str(&b, "a\n");
	parse(b.p);
	buf_cut(&b, b.n);
	for (i = 0; i < n / 8; i++)
		buf_str(&b, "* ```x\n");
	parse(b.p);
	assert_true((clock() - start) / CLOCKS_PER_SEC < 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tables_of_the_service_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(own_lines_are_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(headings_open_groups, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dividers_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(items_nest_by_their_indentation, set_up, tear_down),
		cmocka_unit_test_setup_teardown(targets_and_titles_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_lines_are_no_items, set_up, tear_down),
		cmocka_unit_test_setup_teardown(comments_are_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(yaml_items_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_tables_end_soon, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
