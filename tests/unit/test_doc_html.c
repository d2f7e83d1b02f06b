/*
 * HTML that contains Markdown, misplaced tags, and the names that links use for headings: what a
 * reader sees, and that writing it is a fixpoint.
 */
#include "doc_fixture.h"

static struct arena *a;

static int
open_arena(void **state)
{
	(void)state;
	a = arena_new((size_t)1 << 30);
	return 0;
}

static int
close_arena(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* The source must be written as `want`, in two round trips, and its tree must stay the same. */
static void
expect_written(const char *source, const char *want)
{
	struct doc *d = parse(a, source), *again;
	const char *got = markdown_of(a, d);

	assert_string_equal(got, want);
	again = parse(a, got);
	assert_string_equal(doc_text(a, again, false), doc_text(a, d, false));
	assert_string_equal(markdown_of(a, again), got);
}

static void
expect_json(const char *source, const char *piece)
{
	const char *json = doc_text(a, parse(a, source), false);

	if (strstr(json, piece) == NULL)
		fail_msg("no %s in %s", piece, json);
}

/* The text of the first section, as search sees it. */
static const char *
plain(const char *source)
{
	size_t n;

	return doc_sections(a, parse(a, source), &n)[0].text;
}

static char warned[300];

static void
on_warning(void *ctx, size_t line, const char *message)
{
	(void)ctx;
	snprintf(warned + strlen(warned), sizeof(warned) - strlen(warned), "%zu: %s\n", line, message);
}

static const char *
warning(const char *source)
{
	warned[0] = '\0';
	doc_parse(a, str_of(source), NULL, on_warning, NULL);
	return warned;
}

#define TABLE(cells) "<table data-header-hidden><thead><tr><th></th></tr></thead><tbody>" cells "</tbody></table>\n"

static void
tables_may_have_blank_lines(void **state)
{
	(void)state;
	expect_written("<table>\n<tr>\n<td>one</td>\n\n</tr>\n</table>\n\nafter\n",
	    TABLE("<tr><td>one</td></tr>") "\nafter\n");
	expect_written("<table><tr><td>\n\n**bold** and [l](m.md)\n\n* x\n\n</td></tr></table>\n",
	    TABLE("<tr><td><p><strong>bold</strong> and <a href=\"m.md\">l</a></p><ul><li>x</li></ul></td></tr>"));
	/* Indented HTML is no code. */
	expect_written("<table>\n  <tr>\n    <td>\n\n      **b**\n\n      text\n    </td>\n  </tr>\n</table>\n",
	    TABLE("<tr><td><p><strong>b</strong></p><p>text</p></td></tr>"));
	expect_written("<table><tr><td>\n\n```js\na<b>\n```\n\n</td></tr></table>\n",
	    TABLE("<tr><td><pre class=\"language-js\"><code class=\"lang-js\">a&#x3C;b></code></pre></td></tr>"));
	/* Without a blank line it is not Markdown. */
	expect_written("<table><tr><td>**b**</td></tr></table>\n", TABLE("<tr><td>**b**</td></tr>"));
	/* Without an end tag the table does not swallow what follows. */
	expect_json("<table><tr><td>\n\n**b**\n", "\"text\":\"b\",\"marks\":[{\"object\":\"mark\",\"type\":\"bold\"}]");
}

/* A tag that is no HTML element is text, in code too; an end tag of the enclosing element does not close it. */
static void
unknown_elements_are_text(void **state)
{
	(void)state;
	expect_written("<pre>a <asm routine> b\n<T>x</T></pre>\n", "```\na <asm routine> b\n<T>x</T>\n```\n");
	expect_written("<p>a <T> b</p>\n", "a <T> b\n");
	expect_json("<ul><li>x <no columns></li></ul>\n", "\"raw\":\"<no columns>\"}]");
	expect_written("<pre>a <em>b</em></pre>\n", "```\na b\n```\n");
}

#define PIPES(cells) "| a   | b   |\n| --- | --- |\n" cells "\n"

/* Paragraphs and lists in cells of pipe tables, as the service writes them. */
static void
pipe_cells_hold_paragraphs_and_lists(void **state)
{
	(void)state;
	expect_written("|a|b|\n|-|-|\n| <p>one **b**</p><p>two `c`</p> | <ul><li>x</li><li>y<ol><li>z</li></ol></li></ul> |\n",
	    "| a                              | b                                                |\n"
	    "| ------------------------------ | ------------------------------------------------ |\n"
	    "| <p>one **b**</p><p>two `c`</p> | <ul><li>x</li><li>y<ol><li>z</li></ol></li></ul> |\n");
	expect_json(PIPES("| <p>one</p><p>two</p> | x |"), "\"text\":\"one\",\"marks\":[]}]}]},{\"object\":\"block\",\"type\":\"paragraph\"");
	expect_json(PIPES("| <ul><li>one</li><li>two</li></ul> | x |"), "\"type\":\"list-unordered\"");
	assert_string_equal(plain(PIPES("| lead<ul><li>x</li></ul>tail | <p>y</p>z |")), "a\nb\nlead\nx\ntail\ny\nz");
	assert_string_equal(plain("| <p>one</p><p>two</p> |\n| --- |\n| x |\n"), "one two\nx");
	/* Content that a pipe table cannot contain turns it into an HTML table. */
	expect_written("|a|\n|-|\n| x<figure><img src=\"i.png\" alt=\"\"><figcaption><p>c</p></figcaption></figure> |\n",
	    "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>x</p><figure><img src=\"i.png\" alt=\"\">"
	    "<figcaption><p>c</p></figcaption></figure></td></tr></tbody></table>\n");
	/* Tags that are left open, closed twice, or only look like tags. */
	assert_string_equal(plain(PIPES("| <ul><li>x<li>y | </p></ul>z<pw> |")), "a\nb\nx\ny\nz<pw>");
	assert_string_equal(plain("a<div>b</div>c\n"), "a\nb\nc");
}

static void
lists_with_blank_lines_are_read(void **state)
{
	(void)state;
	expect_written("<ul>\n<li>one</li>\n\n<li>two\n\n**b**\n</li>\n</ul>\n", "* one\n*   two\n\n    **b**\n");
	/* A list without items stays as it is. */
	expect_written("<ul>\n\n**b**\n\n</ul>\n", "<ul>\n\n**b**\n\n</ul>\n");
	expect_written("<ul>\n<br>\n</ul>\n", "<ul>\n<br>\n</ul>\n");
	expect_written("<table>\n\n<custom>\n\n**b**\n\n</custom></table>\n", "<table>\n\n<custom>\n\n**b**\n\n</custom>\n\n</table>\n");
	expect_written("<div data-gb-custom-block data-tag=\"hint\" data-style='warning'>\n\nIn **it**\n\n* l\n\n</div>\n\nafter\n",
	    "{% hint style=\"warning\" %}\nIn **it**\n\n* l\n{% endhint %}\n\nafter\n");
	expect_written("<table><tr><td><h5>x</h5><p>y</p></td></tr></table>\n", TABLE("<tr><td><h5>x</h5><p>y</p></td></tr>"));
}

/* A box in a cell or item is replaced by its content: no words are joined, and no source is left. */
static void
boxes_in_cells_become_their_content(void **state)
{
	(void)state;
	expect_written("<table><tr><td><div>one</div><div>two</div></td></tr></table>\n", TABLE("<tr><td><p>one</p><p>two</p></td></tr>"));
	expect_written("<table>\n  <tr>\n    <td>B\n      <ul>\n        <li>x</li>\n        <li>y</li>\n      </ul>\n"
	    "      <div class=\"note\">\n        <p>n</p>\n        <p>m</p>\n      </div>\n    </td>\n  </tr>\n</table>\n",
	    TABLE("<tr><td><p>B</p><ul><li>x</li><li>y</li></ul><p>n</p><p>m</p></td></tr>"));
	expect_written("<table><tr><td>\n\n**b**\n\n<ul><li>x</li></ul>\n<div><p>y</p><p>z</p></div>\n\nw\n</td></tr></table>\n",
	    TABLE("<tr><td><p><strong>b</strong></p><ul><li>x</li></ul><p>y</p><p>z</p><p>w</p></td></tr>"));
	expect_written("<ul><li><section>x<div>y</div></section>z</li></ul>\n", "*   x\n\n    y\n\n    z\n");
	/* A box on a page keeps its tags. */
	expect_written("<div class=\"note\">\n<p>x</p>\n</div>\n", "<div class=\"note\">\n\nx\n\n</div>\n");
}

/* Task lists in Markdown in cells, in HTML of other programs, and with items without a checkbox. */
static void
task_lists_in_html_keep_their_ticks(void **state)
{
	(void)state;
	expect_written("<table><tr><td>\n\n- [x] a\n- [ ] b **c**\n- d\n\n</td></tr></table>\n",
	    "<table data-header-hidden><thead><tr><th></th></tr></thead><tbody><tr><td><ul><li><input type=\"checkbox\" checked> a</li>"
	    "<li><input type=\"checkbox\"> b <strong>c</strong></li><li>d</li></ul></td></tr></tbody></table>\n");
	expect_written("<ul class=\"contains-task-list\">\n<li><input type=\"checkbox\" disabled checked> a</li>\n"
	    "<li><p><INPUT TYPE=Checkbox> b</p></li>\n</ul>\n",
	    "* [x] a\n* [ ] b\n");
	expect_written("<ul><li><input type=\"checkbox\" checked> a<ul><li><input type=\"checkbox\"> b</li></ul></li></ul>\n", "* [x] a\n  * [ ] b\n");
	/* Numbered items have no boxes, and other fields are none. */
	expect_json("<ol><li><input type=\"checkbox\"> a</li></ol>\n", "list-ordered");
	expect_json("<ul><li><input type=\"text\"> a</li></ul>\n", "list-unordered");
}

/* A caption is one paragraph, whatever its content, and loses none of it. */
static void
a_caption_is_one_paragraph(void **state)
{
	(void)state;
#define FIGURE(caption) "<figure><img src=\"i.png\" alt=\"\"><figcaption>" caption "</figcaption></figure>\n"
	expect_written(FIGURE("<p>one</p><p>two <b>b</b></p>"), FIGURE("<p>one<br>two <strong>b</strong></p>"));
	expect_written(FIGURE("\n  <div style=\"width:90%\">\n  one\n  </div>\n"), FIGURE("<p>one</p>"));
	expect_written(FIGURE("one <div><ul><li>two</li><li>three</li></ul></div>"), FIGURE("<p>one<br>two<br>three</p>"));
	assert_string_equal(plain(FIGURE("<p>one</p><p>two</p>")), "one\ntwo");
#undef FIGURE
}

/* Blocks that cells cannot contain are replaced by their content, with a warning. */
static void
content_impossible_in_cells_is_replaced(void **state)
{
	(void)state;
	expect_written("<table><tr><td>\n\n{% tabs %}\n{% tab title=\"t\" %}\n**in**\n{% endtab %}\n{% endtabs %}\n\n- [x] done\n\n"
	    "{% embed url=\"https://e.example\" %}\n\n</td></tr></table>\n",
	    TABLE("<tr><td><p><strong>in</strong></p><ul><li><input type=\"checkbox\" checked> done</li></ul>"
	    "<p><a href=\"https://e.example\">https://e.example</a></p></td></tr>"));
	assert_non_null(strstr(warning("<table><tr><td>\n\n{% embed url=\"https://e.example\" %}\n\n</td></tr></table>\n"),
	    "a block of type embed is not possible in a table"));
	assert_string_equal(warning("<table><tr><td>\n\n**x**\n\n</td></tr></table>\n"), "");
}

static void
tags_of_one_line_are_read_and_warned_about(void **state)
{
	(void)state;
	expect_written("{% @mermaid/diagram content=\"graph TD\nA-->B\" %}\n",
	    "{% @mermaid/diagram content=\"graph TD&#xA;A-->B\" %}\n");
	assert_string_equal(warning("x\n\n{% code title=\"t\" %}\nno fence\n{% endcode %}\n"),
	    "3: there is no fence in {% code %}; its options are left out\n");
	assert_string_equal(warning("{% hint %}\nx\n{% endhint %}\n"), "1: a hint without a style is shown as info\n");
	assert_string_equal(warning("{% hint style=\"Tip\" %}\nx\n{% endhint %}\n"),
	    "1: there is no hint style \"Tip\"; it is shown as success\n");
}

/* A link with this fragment, to a heading of the same page, must resolve to this anchor. */
static void
expect_anchor(const char *fragment, const char *anchor)
{
	expect_json(arena_printf(a, "[x](#%s)\n\n## A.b + C\n\n## A.b + C\n\n## Named <a href=\"#own\" id=\"own\"></a>\n\n## 2. Größe\n\n## 概要\n\n"
	    "<details>\n\n<summary>More of it</summary>\n\nx\n\n</details>\n", fragment),
	    arena_printf(a, "\"ref\":{\"kind\":\"anchor\",\"anchor\":\"%s\"}", anchor));
}

static void
fragments_find_their_anchor(void **state)
{
	(void)state;
	expect_anchor("a-b-c", "a-b-c");
	expect_anchor("A-B-C", "a-b-c");
	expect_anchor("a.b-+-c", "a-b-c");
	expect_anchor("ab--c", "a-b-c");
	expect_anchor("a-b-c-1", "a-b-c-1");
	expect_anchor("ab--c-1", "a-b-c-1");
	expect_anchor("own", "own");
	expect_anchor("OWN", "own");
	expect_anchor("named", "own");
	expect_anchor("2-gr%C3%B6%C3%9Fe", "2-grosse");
	expect_anchor("2-größe", "2-grosse");
	expect_anchor("id-2-grosse", "2-grosse");
	expect_anchor("%E6%A6%82%E8%A6%81", "概要");
	expect_anchor("more-of-it", "more-of-it");
	expect_anchor("nothing", "nothing");
	expect_written("[x](#Run-It)\n\n## Run it\n", "[x](#run-it)\n\n## Run it\n");
	/* The anchor that GitHub's rule gives one heading belongs to another heading. */
	expect_json("[x](#nodejs)\n\n## Node.js\n\n## NodeJS\n", "\"ref\":{\"kind\":\"anchor\",\"anchor\":\"nodejs\"}");
	expect_json("[x](#node.js)\n\n## NodeJS\n\n## Node.js\n", "\"ref\":{\"kind\":\"anchor\",\"anchor\":\"node-js\"}");
	/* In a cell, and in a tab. */
	expect_json("| a |\n| --- |\n| [x](#Run-It) |\n\n## Run it\n", "\"anchor\":\"run-it\"");
	expect_json("{% tabs %}\n{% tab title=\"t\" %}\n[x](#RUN)\n\n## Run\n{% endtab %}\n{% endtabs %}\n", "\"anchor\":\"run\"}");
}

/* Emphasis next to CJK characters, and other forms that the published service writes. */
static void
emphasis_works_beside_cjk(void **state)
{
	(void)state;
	expect_written("**強調（Concurrent）**として\n", "**強調（Concurrent）**として\n");
	expect_written("これは**「強調」**です、~~「消す」~~後。한국어**(괄호)**는\n",
	    "これは**「強調」**です、~~「消す」~~後。한국어**(괄호)**는\n");
	expect_written("**注意：**abc **x。**\n", "**注意：**abc **x。**\n");
	expect_written("は**`code`**と***（両）***を\n", "は**`code`**と**<em>（両）</em>**を\n");
	/* In cells, headings, link texts and link targets; not in code and not in escapes. */
	expect_json("| 表 |\n| --- |\n| **（x）**と |\n", "\"text\":\"（x）\",\"marks\":[{\"object\":\"mark\",\"type\":\"bold\"}]");
	expect_written("## **「題」**の話\n\n[**「x」**y](http://e.example/**「a」**b)\n",
	    "## **「題」**の話\n\n[**「x」**y](http://e.example/**「a」**b)\n");
	expect_written("は`**「x」**`と\\**「y」\\**z\n", "は`**「x」**`と\\*\\*「y」\\*\\*z\n");
	/* Without CJK characters next to the run CommonMark's rule applies, on any page. */
	expect_written("中 a**(x)**b\n", "中 a\\*\\*(x)\\*\\*b\n");
	expect_written("a**(x)**b\n", "a\\*\\*(x)\\*\\*b\n");
	/* Text that contains the internal marker keeps it. */
	expect_written("\xF0\x90\xA1\x97 **強調（C）**と\n", "\xF0\x90\xA1\x97 **強調（C）**と\n");
	expect_written(":white\\_check\\_mark: :no\\_such\\_emoji: :white_check_mark:\n", ":white_check_mark: :no_such_emoji: :white_check_mark:\n");
}

static void
a_heading_may_name_its_id(void **state)
{
	(void)state;
	expect_written("## Über uns {#about}\n\n[z](#about)\n", "## Über uns <a href=\"#about\" id=\"about\"></a>\n\n[z](#about)\n");
	expect_written("## x {#a b}\n\n## {#y}\n\n## y}\n", "## x {#a b}\n\n## {#y}\n\n## y}\n");
	expect_written("## `x {#a}`\n\ntext {#b}\n", "## `x {#a}`\n\ntext {#b}\n");
}

/* A link with this fragment from another page must find this anchor; "": none. */
static void
expect_place(const char *body, const char *fragment, const char *anchor)
{
	const char *got = doc_place(a, doc_places(a, parse(a, body)), fragment);

	assert_string_equal(got == NULL ? "" : got, anchor);
}

static void
links_find_headings_by_any_spelling(void **state)
{
	static const char body[] = "## Release 4.5\n\n## Release 4.5.1\n\n## Own <a href=\"#it\" id=\"it\"></a>\n\n"
	    "## R&D: `x`?\n\n## Größe\n\n## Same\n\n## Same\n";

	(void)state;
	/* Links on this page resolve to the anchor, also in table cells. */
	assert_non_null(strstr(doc_text(a, parse(a, "## Release 4.5\n\n<table><thead><tr><th data-type=\"content-ref\">L</th></tr>"
	    "</thead><tbody><tr><td><a href=\"#release-4.5\">x</a></td></tr></tbody></table>\n"), false),
	    "\"anchor\":\"release-4-5\""));
	expect_place(body, "release-4.5", "release-4-5");
	expect_place(body, "release-4-5", "release-4-5");
	expect_place(body, "release-45", "release-4-5");
	expect_place(body, "Release_4.5", "release-4-5");
	expect_place(body, "release-4.5.1", "release-4-5-1");
	expect_place(body, "it", "it");
	expect_place(body, "own", "it");
	expect_place(body, "rd-x", "r-and-d-x");
	expect_place(body, "r-and-d-x", "r-and-d-x");
	expect_place(body, "gr%C3%B6%C3%9Fe", "grosse");
	expect_place(body, "same-1", "same-1");
	expect_place(body, "same", "same");
	expect_place(body, "same-2", "");
	expect_place(body, "own-a-idit-a", "it");
	expect_place(body, "release", "");
	expect_place(body, "~", "");
	expect_place("", "x", "");
	expect_place("## Node.js\n\n## NodeJS\n", "nodejs", "nodejs");
	expect_place("## NodeJS\n\n## Node.js\n", "node.js", "node-js");
	/* Anchors as the published service writes them for headings that begin with a digit. */
	expect_place("## 1. Own + Others' Data\n", "id-1.-own--others-data", "1-own-others-data");
	expect_place("## 2. Own + Others & Mine\n", "id-2.-own--others-and-mine", "2-own-others-and-mine");
	expect_place("## Own + Others & Mine\n", "own--others-mine", "own-others-and-mine");
	expect_place("## 1. Create it in Azure AD\n", "id-1.-create-it-in-azure-a-d", "1-create-it-in-azure-ad");
	/* A heading inside a footnote has no anchor. */
	expect_place("a[^1]\n\n[^1]: ## In it\n", "in-it", "");
	assert_true(doc_names_title(a, "Axon & Co. 2.0", "axon-and-co-2.0"));
	assert_true(doc_names_title(a, "Axon & Co. 2.0", "axon--co-20"));
	assert_false(doc_names_title(a, "Axon", "axo"));
	assert_false(doc_names_title(a, "…", "-"));
}

/* Anchors of the published service for Chinese headings are in pinyin; "lü" is "lv" there. */
static void
links_find_chinese_headings_by_pinyin(void **state)
{
	static const char body[] = "## 安装\n\n## 1.1 安装 php-fpm\n\n## 執行程式\n\n## 点击率\n\n## 安装\n\n## 长 `API` 地址（可选）\n\n"
	    "## An zhuang zi\n\n"
	    "## 安装子\n\n## 目录 <a href=\"#toc\" id=\"toc\"></a>\n";

	(void)state;
	expect_place(body, "an-zhuang", "安装");
	expect_place(body, "an-zhuang-1", "安装-1");
	expect_place(body, "1.1-an-zhuang-php-fpm", "1-1-php-fpm");
	expect_place(body, "id-1.1-an-zhuang-phpfpm", "1-1-php-fpm");
	expect_place(body, "zhi-hang-cheng-shi", "執行程式");
	expect_place(body, "zhi-xing-cheng-shi", "執行程式");
	expect_place(body, "dian-ji-lv", "点击率");
	expect_place(body, "dian-ji-lu", "点击率");
	expect_place(body, "chang-api-di-zhi-ke-xuan", "api");
	expect_place(body, "zhang-api-de-zhi-ke-xuan", "api");
	expect_place(body, "mu-lu", "toc");
	expect_place(body, "toc", "toc");
	expect_place(body, "安装", "安装");
	/* An anchor in the spelling of the heading takes precedence over one in pinyin. */
	expect_place(body, "an-zhuang-zi", "an-zhuang-zi");
	expect_place(body, "an", "");
	expect_place(body, "zhuang-an", "");
	assert_non_null(strstr(doc_text(a, parse(a, "## 点击率\n\n[x](#dian-ji-lv)\n"), false), "\"anchor\":\"点击率\""));
	assert_true(doc_names_title(a, "安装 PHP", "an-zhuang-php"));
	assert_true(doc_names_title(a, "执行", "zhi-xing"));
	assert_true(doc_names_title(a, "执行", "zhi-hang"));
	assert_false(doc_names_title(a, "安装 PHP", "an-zhuang"));
}

/* The label of a mention whose target was deleted stays, in documents and in Markdown. */
static void
a_broken_mention_keeps_its_label(void **state)
{
	static const char *const kept[] = { "[Setup **guide**](/broken/pages/x1 \"mention\")\n",
		"[a.md](broken-reference \"mention\")\n", "[](/broken/pages/x1 \"mention\")\n", "[a.md](a.md \"mention\")\n" };
	struct doc *d;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		d = parse(a, kept[i]);
		assert_string_equal(markdown_of(a, d), kept[i]);
		/* A document read from JSON has no source bytes. */
		d = read_back(a, doc_text(a, d, false));
		assert_string_equal(markdown_of(a, d), kept[i]);
	}
	d = parse(a, kept[0]);
	assert_non_null(strstr(doc_text(a, d, false), "\"text\":\"guide\""));
	d = parse(a, "[broken-reference-2.md](broken-reference-2.md \"mention\")");
	assert_non_null(strstr(doc_text(a, d, false), "\"type\":\"mention\""));
	d = parse(a, "x <a data-mention href=\"/broken/pages/x1\">Old page</a>\n");
	assert_string_equal(markdown_of(a, d), "x [Old page](/broken/pages/x1 \"mention\")\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(tables_may_have_blank_lines, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(unknown_elements_are_text, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(pipe_cells_hold_paragraphs_and_lists, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(lists_with_blank_lines_are_read, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(boxes_in_cells_become_their_content, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(task_lists_in_html_keep_their_ticks, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(a_caption_is_one_paragraph, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(content_impossible_in_cells_is_replaced, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(tags_of_one_line_are_read_and_warned_about, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(emphasis_works_beside_cjk, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(a_heading_may_name_its_id, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(links_find_headings_by_any_spelling, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(links_find_chinese_headings_by_pinyin, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(a_broken_mention_keeps_its_label, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(fragments_find_their_anchor, open_arena, close_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
