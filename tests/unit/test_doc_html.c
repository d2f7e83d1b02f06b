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
becomes(const char *source, const char *want)
{
	struct doc *d = parse(a, source), *again;
	const char *got = markdown_of(a, d);

	assert_string_equal(got, want);
	again = parse(a, got);
	assert_string_equal(doc_text(a, again, false), doc_text(a, d, false));
	assert_string_equal(markdown_of(a, again), got);
}

static void
holds(const char *source, const char *piece)
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
	becomes("<table>\n<tr>\n<td>one</td>\n\n</tr>\n</table>\n\nafter\n",
	    TABLE("<tr><td>one</td></tr>") "\nafter\n");
	becomes("<table><tr><td>\n\n**bold** and [l](m.md)\n\n* x\n\n</td></tr></table>\n",
	    TABLE("<tr><td><p><strong>bold</strong> and <a href=\"m.md\">l</a></p><ul><li>x</li></ul></td></tr>"));
	/* Indented HTML is no code. */
	becomes("<table>\n  <tr>\n    <td>\n\n      **b**\n\n      text\n    </td>\n  </tr>\n</table>\n",
	    TABLE("<tr><td><p><strong>b</strong></p><p>text</p></td></tr>"));
	becomes("<table><tr><td>\n\n```js\na<b>\n```\n\n</td></tr></table>\n",
	    TABLE("<tr><td><pre class=\"language-js\"><code class=\"lang-js\">a&#x3C;b></code></pre></td></tr>"));
	/* Without a blank line it is not Markdown. */
	becomes("<table><tr><td>**b**</td></tr></table>\n", TABLE("<tr><td>**b**</td></tr>"));
	/* Without an end tag the table does not swallow what follows. */
	holds("<table><tr><td>\n\n**b**\n", "\"text\":\"b\",\"marks\":[{\"object\":\"mark\",\"type\":\"bold\"}]");
}

/* A tag that is no HTML element is text, in code too; an end tag of the enclosing element does not close it. */
static void
unknown_elements_are_text(void **state)
{
	(void)state;
	becomes("<pre>a <asm routine> b\n<T>x</T></pre>\n", "```\na <asm routine> b\n<T>x</T>\n```\n");
	becomes("<p>a <T> b</p>\n", "a <T> b\n");
	holds("<ul><li>x <no columns></li></ul>\n", "\"raw\":\"<no columns>\"}]");
	becomes("<pre>a <em>b</em></pre>\n", "```\na b\n```\n");
}

#define PIPES(cells) "| a   | b   |\n| --- | --- |\n" cells "\n"

/* Paragraphs and lists in cells of pipe tables, as the service writes them. */
static void
pipe_cells_hold_paragraphs_and_lists(void **state)
{
	(void)state;
	becomes("|a|b|\n|-|-|\n| <p>one **b**</p><p>two `c`</p> | <ul><li>x</li><li>y<ol><li>z</li></ol></li></ul> |\n",
	    "| a                              | b                                                |\n"
	    "| ------------------------------ | ------------------------------------------------ |\n"
	    "| <p>one **b**</p><p>two `c`</p> | <ul><li>x</li><li>y<ol><li>z</li></ol></li></ul> |\n");
	holds(PIPES("| <p>one</p><p>two</p> | x |"), "\"text\":\"one\",\"marks\":[]}]}]},{\"object\":\"block\",\"type\":\"paragraph\"");
	holds(PIPES("| <ul><li>one</li><li>two</li></ul> | x |"), "\"type\":\"list-unordered\"");
	assert_string_equal(plain(PIPES("| lead<ul><li>x</li></ul>tail | <p>y</p>z |")), "a\nb\nlead\nx\ntail\ny\nz");
	assert_string_equal(plain("| <p>one</p><p>two</p> |\n| --- |\n| x |\n"), "one two\nx");
	/* Content that a pipe table cannot contain turns it into an HTML table. */
	becomes("|a|\n|-|\n| x<figure><img src=\"i.png\" alt=\"\"><figcaption><p>c</p></figcaption></figure> |\n",
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
	becomes("<ul>\n<li>one</li>\n\n<li>two\n\n**b**\n</li>\n</ul>\n", "* one\n*   two\n\n    **b**\n");
	/* A list without items stays as it is. */
	becomes("<ul>\n\n**b**\n\n</ul>\n", "<ul>\n\n**b**\n\n</ul>\n");
	becomes("<ul>\n<br>\n</ul>\n", "<ul>\n<br>\n</ul>\n");
	becomes("<table>\n\n<custom>\n\n**b**\n\n</custom></table>\n", "<table>\n\n<custom>\n\n**b**\n\n</custom>\n\n</table>\n");
	becomes("<div data-gb-custom-block data-tag=\"hint\" data-style='warning'>\n\nIn **it**\n\n* l\n\n</div>\n\nafter\n",
	    "{% hint style=\"warning\" %}\nIn **it**\n\n* l\n{% endhint %}\n\nafter\n");
	becomes("<table><tr><td><h5>x</h5><p>y</p></td></tr></table>\n", TABLE("<tr><td><h5>x</h5><p>y</p></td></tr>"));
}

/* A box in a cell or item is dissolved into its content: no words are joined, and no source is left. */
static void
boxes_in_cells_are_taken_apart(void **state)
{
	(void)state;
	becomes("<table><tr><td><div>one</div><div>two</div></td></tr></table>\n", TABLE("<tr><td><p>one</p><p>two</p></td></tr>"));
	becomes("<table>\n  <tr>\n    <td>B\n      <ul>\n        <li>x</li>\n        <li>y</li>\n      </ul>\n"
	    "      <div class=\"note\">\n        <p>n</p>\n        <p>m</p>\n      </div>\n    </td>\n  </tr>\n</table>\n",
	    TABLE("<tr><td><p>B</p><ul><li>x</li><li>y</li></ul><p>n</p><p>m</p></td></tr>"));
	becomes("<table><tr><td>\n\n**b**\n\n<ul><li>x</li></ul>\n<div><p>y</p><p>z</p></div>\n\nw\n</td></tr></table>\n",
	    TABLE("<tr><td><p><strong>b</strong></p><ul><li>x</li></ul><p>y</p><p>z</p><p>w</p></td></tr>"));
	becomes("<ul><li><section>x<div>y</div></section>z</li></ul>\n", "*   x\n\n    y\n\n    z\n");
	/* A box on a page keeps its tags. */
	becomes("<div class=\"note\">\n<p>x</p>\n</div>\n", "<div class=\"note\">\n\nx\n\n</div>\n");
}

/* A caption is one paragraph, whatever its content, and loses none of it. */
/* Of Markdown in cells, of HTML as other programs write it, and beside items without a box. */
static void
task_lists_in_html_keep_their_ticks(void **state)
{
	(void)state;
	becomes("<table><tr><td>\n\n- [x] a\n- [ ] b **c**\n- d\n\n</td></tr></table>\n",
	    "<table data-header-hidden><thead><tr><th></th></tr></thead><tbody><tr><td><ul><li><input type=\"checkbox\" checked> a</li>"
	    "<li><input type=\"checkbox\"> b <strong>c</strong></li><li>d</li></ul></td></tr></tbody></table>\n");
	becomes("<ul class=\"contains-task-list\">\n<li><input type=\"checkbox\" disabled checked> a</li>\n"
	    "<li><p><INPUT TYPE=Checkbox> b</p></li>\n</ul>\n",
	    "* [x] a\n* [ ] b\n");
	becomes("<ul><li><input type=\"checkbox\" checked> a<ul><li><input type=\"checkbox\"> b</li></ul></li></ul>\n", "* [x] a\n  * [ ] b\n");
	/* Numbered items have no boxes, and other fields are none. */
	holds("<ol><li><input type=\"checkbox\"> a</li></ol>\n", "list-ordered");
	holds("<ul><li><input type=\"text\"> a</li></ul>\n", "list-unordered");
}

static void
a_caption_is_one_paragraph(void **state)
{
	(void)state;
#define FIGURE(caption) "<figure><img src=\"i.png\" alt=\"\"><figcaption>" caption "</figcaption></figure>\n"
	becomes(FIGURE("<p>one</p><p>two <b>b</b></p>"), FIGURE("<p>one<br>two <strong>b</strong></p>"));
	becomes(FIGURE("\n  <div style=\"width:90%\">\n  one\n  </div>\n"), FIGURE("<p>one</p>"));
	becomes(FIGURE("one <div><ul><li>two</li><li>three</li></ul></div>"), FIGURE("<p>one<br>two<br>three</p>"));
	assert_string_equal(plain(FIGURE("<p>one</p><p>two</p>")), "one\ntwo");
#undef FIGURE
}

/* Content that cells cannot contain is dissolved, with a warning. */
static void
what_cells_cannot_hold_is_taken_apart(void **state)
{
	(void)state;
	becomes("<table><tr><td>\n\n{% tabs %}\n{% tab title=\"t\" %}\n**in**\n{% endtab %}\n{% endtabs %}\n\n- [x] done\n\n"
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
	becomes("{% @mermaid/diagram content=\"graph TD\nA-->B\" %}\n",
	    "{% @mermaid/diagram content=\"graph TD&#xA;A-->B\" %}\n");
	assert_string_equal(warning("x\n\n{% code title=\"t\" %}\nno fence\n{% endcode %}\n"),
	    "3: there is no fence in {% code %}; its options are left out\n");
	assert_string_equal(warning("{% hint %}\nx\n{% endhint %}\n"), "1: a hint without a style is shown as info\n");
	assert_string_equal(warning("{% hint style=\"Tip\" %}\nx\n{% endhint %}\n"),
	    "1: there is no hint style \"Tip\"; it is shown as success\n");
}

/* A link to a heading of the same page resolves to its anchor, by any of the rules for making anchors. */
static void
leads(const char *fragment, const char *anchor)
{
	holds(arena_printf(a, "[x](#%s)\n\n## A.b + C\n\n## A.b + C\n\n## Named <a href=\"#own\" id=\"own\"></a>\n\n## 2. Größe\n\n## 概要\n\n"
	    "<details>\n\n<summary>More of it</summary>\n\nx\n\n</details>\n", fragment),
	    arena_printf(a, "\"ref\":{\"kind\":\"anchor\",\"anchor\":\"%s\"}", anchor));
}

static void
fragments_find_their_anchor(void **state)
{
	(void)state;
	leads("a-b-c", "a-b-c");
	leads("A-B-C", "a-b-c");
	leads("a.b-+-c", "a-b-c");
	leads("ab--c", "a-b-c");
	leads("a-b-c-1", "a-b-c-1");
	leads("ab--c-1", "a-b-c-1");
	leads("own", "own");
	leads("OWN", "own");
	leads("named", "own");
	leads("2-gr%C3%B6%C3%9Fe", "2-grosse");
	leads("2-größe", "2-grosse");
	leads("id-2-grosse", "2-grosse");
	leads("%E6%A6%82%E8%A6%81", "概要");
	leads("more-of-it", "more-of-it");
	leads("nothing", "nothing");
	becomes("[x](#Run-It)\n\n## Run it\n", "[x](#run-it)\n\n## Run it\n");
	/* The anchor that GitHub's rule gives one heading belongs to another heading. */
	holds("[x](#nodejs)\n\n## Node.js\n\n## NodeJS\n", "\"ref\":{\"kind\":\"anchor\",\"anchor\":\"nodejs\"}");
	holds("[x](#node.js)\n\n## NodeJS\n\n## Node.js\n", "\"ref\":{\"kind\":\"anchor\",\"anchor\":\"node-js\"}");
	/* In a cell, and in a tab. */
	holds("| a |\n| --- |\n| [x](#Run-It) |\n\n## Run it\n", "\"anchor\":\"run-it\"");
	holds("{% tabs %}\n{% tab title=\"t\" %}\n[x](#RUN)\n\n## Run\n{% endtab %}\n{% endtabs %}\n", "\"anchor\":\"run\"}");
}

/* Emphasis next to CJK characters, and other forms that the published service writes. */
static void
emphasis_works_beside_cjk(void **state)
{
	(void)state;
	becomes("**強調（Concurrent）**として\n", "**強調（Concurrent）**として\n");
	becomes("これは**「強調」**です、~~「消す」~~後。한국어**(괄호)**는\n",
	    "これは**「強調」**です、~~「消す」~~後。한국어**(괄호)**는\n");
	becomes("**注意：**abc **x。**\n", "**注意：**abc **x。**\n");
	becomes("は**`code`**と***（両）***を\n", "は**`code`**と**<em>（両）</em>**を\n");
	/* In cells, headings, link texts and link targets; not in code and not in escapes. */
	holds("| 表 |\n| --- |\n| **（x）**と |\n", "\"text\":\"（x）\",\"marks\":[{\"object\":\"mark\",\"type\":\"bold\"}]");
	becomes("## **「題」**の話\n\n[**「x」**y](http://e.example/**「a」**b)\n",
	    "## **「題」**の話\n\n[**「x」**y](http://e.example/**「a」**b)\n");
	becomes("は`**「x」**`と\\**「y」\\**z\n", "は`**「x」**`と\\*\\*「y」\\*\\*z\n");
	/* Without CJK characters next to the run CommonMark's rule applies, on any page. */
	becomes("中 a**(x)**b\n", "中 a\\*\\*(x)\\*\\*b\n");
	becomes("a**(x)**b\n", "a\\*\\*(x)\\*\\*b\n");
	/* Text that contains the internal marker keeps it. */
	becomes("\xF0\x90\xA1\x97 **強調（C）**と\n", "\xF0\x90\xA1\x97 **強調（C）**と\n");
	becomes(":white\\_check\\_mark: :no\\_such\\_emoji: :white_check_mark:\n", ":white_check_mark: :no_such_emoji: :white_check_mark:\n");
}

static void
a_heading_may_name_its_id(void **state)
{
	(void)state;
	becomes("## Über uns {#about}\n\n[z](#about)\n", "## Über uns <a href=\"#about\" id=\"about\"></a>\n\n[z](#about)\n");
	becomes("## x {#a b}\n\n## {#y}\n\n## y}\n", "## x {#a b}\n\n## {#y}\n\n## y}\n");
	becomes("## `x {#a}`\n\ntext {#b}\n", "## `x {#a}`\n\ntext {#b}\n");
}

/* The anchor for a fragment from another page; "" for none. */
static void
place(const char *body, const char *fragment, const char *anchor)
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
	place(body, "release-4.5", "release-4-5");
	place(body, "release-4-5", "release-4-5");
	place(body, "release-45", "release-4-5");
	place(body, "Release_4.5", "release-4-5");
	place(body, "release-4.5.1", "release-4-5-1");
	place(body, "it", "it");
	place(body, "own", "it");
	place(body, "rd-x", "r-and-d-x");
	place(body, "r-and-d-x", "r-and-d-x");
	place(body, "gr%C3%B6%C3%9Fe", "grosse");
	place(body, "same-1", "same-1");
	place(body, "same", "same");
	place(body, "same-2", "");
	place(body, "own-a-idit-a", "it");
	place(body, "release", "");
	place(body, "~", "");
	place("", "x", "");
	place("## Node.js\n\n## NodeJS\n", "nodejs", "nodejs");
	place("## NodeJS\n\n## Node.js\n", "node.js", "node-js");
	/* Anchors as the published service writes them for headings that begin with a digit. */
	place("## 1. Own + Others' Data\n", "id-1.-own--others-data", "1-own-others-data");
	place("## 2. Own + Others & Mine\n", "id-2.-own--others-and-mine", "2-own-others-and-mine");
	place("## Own + Others & Mine\n", "own--others-mine", "own-others-and-mine");
	place("## 1. Create it in Azure AD\n", "id-1.-create-it-in-azure-a-d", "1-create-it-in-azure-ad");
	/* A heading inside a footnote has no anchor. */
	place("a[^1]\n\n[^1]: ## In it\n", "in-it", "");
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
	place(body, "an-zhuang", "安装");
	place(body, "an-zhuang-1", "安装-1");
	place(body, "1.1-an-zhuang-php-fpm", "1-1-php-fpm");
	place(body, "id-1.1-an-zhuang-phpfpm", "1-1-php-fpm");
	place(body, "zhi-hang-cheng-shi", "執行程式");
	place(body, "zhi-xing-cheng-shi", "執行程式");
	place(body, "dian-ji-lv", "点击率");
	place(body, "dian-ji-lu", "点击率");
	place(body, "chang-api-di-zhi-ke-xuan", "api");
	place(body, "zhang-api-de-zhi-ke-xuan", "api");
	place(body, "mu-lu", "toc");
	place(body, "toc", "toc");
	place(body, "安装", "安装");
	/* An anchor in the spelling of the heading takes precedence over one in pinyin. */
	place(body, "an-zhuang-zi", "an-zhuang-zi");
	place(body, "an", "");
	place(body, "zhuang-an", "");
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
		cmocka_unit_test_setup_teardown(boxes_in_cells_are_taken_apart, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(task_lists_in_html_keep_their_ticks, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(a_caption_is_one_paragraph, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(what_cells_cannot_hold_is_taken_apart, open_arena, close_arena),
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
