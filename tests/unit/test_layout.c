/* layout_read() on small trees: the rules of include/layout/rules.md. */
#include "layout_fixture.h"

static void
expect_json(const char *json, const char *expected)
{
	assert_non_null(json);
	assert_string_equal(json, expected);
}

static const struct layout_setting *
setting(struct tree *t, const char *id)
{
	const struct layout_setting *s = t->layout.settings;

	while (s != NULL && strcmp(s->id, id) != 0)
		s = s->next;
	return s;
}

static const char *
assets(struct tree *t)
{
	const struct layout_asset *s;
	struct buf b;

	buf_init(&b, t->arena, 1 << 16);
	for (s = t->layout.assets; s != NULL; s = s->next)
		buf_printf(&b, "%.*s%s ", (int)s->file->path.n, s->file->path.p, s->listed ? "" : s->outside ? "!" : "?");
	return b.p;
}

static const struct layout_include *
listed_include(struct tree *t)
{
	const struct layout_include *i = t->layout.includes;

	while (i != NULL && !i->listed)
		i = i->next;
	return i;
}

static void
a_whole_space_is_read(void **state)
{
	struct tree *t = tree_of("",
	    "README.md", "# Welcome\n\nHi.\n",
	    "SUMMARY.md", "# Table of contents\n\n* [Welcome](README.md)\n  * [Child](readme/child.md)\n"
	        "* [Site](https://example.com/)\n\n## Get Started <a href=\"#start\" id=\"start\"></a>\n\n"
	        "* [Quick](getting-started/quick.md \"Q\")\n* [API](api/README.md)\n  * ```yaml\n    type: builtin:openapi\n"
	        "    props:\n      models: true\n    dependencies:\n      spec:\n        ref:\n          kind: openapi\n"
	        "          spec: my-spec\n    ```\n\n***\n\n* [Last](Last.md)\n",
	    "readme/child.md", "---\ndescription: A child\n---\n\n# Another title\n\ntext\n",
	    "getting-started/quick.md", "no heading\n",
	    "api/README.md", "", "Last.md", "# Last\n", "unlisted.md", "# U\n",
	    ".gitbook/assets/a.png", "png", ".gitbook/assets/note.md", "# A file\n",
	    ".gitbook/includes/notice.md", "---\ntitle: Notice\n---\n\nMind the gap.\n",
	    ".gitbook/vars.yaml", "v: 3.0\n", ".gitbook/tags.yaml", "- tag: beta\n  label: Beta\n  icon: flask\n",
	    "image.png", "png", ".github/workflows/x.yml", "a: b\n", NULL);
	const struct layout_page *p;

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D Welcome (readme)\n D Child (readme/child)\nL Site (site)\nG Get Started (start)\n"
	    " D Quick (getting-started/quick)\n D API (api)\n  C My spec (api/my-spec)\nD Last (last)\n");
	assert_int_equal(t->layout.documents, 5);
	assert_int_equal(t->layout.groups, 1);
	assert_int_equal(t->layout.links, 1);
	assert_int_equal(t->layout.computed, 1);
	assert_int_equal(t->layout.unlisted, 1);
	assert_int_equal(t->layout.warning_count, 0);
	p = tree_page(t, "readme/child");
	assert_string_equal(p->props, "{\"description\":\"A child\"}");
	assert_int_equal(p->line, 4);
	assert_int_equal(p->body_line, 7);
	assert_string_equal(p->slug, "child");
	p = tree_page(t, "getting-started/quick");
	assert_string_equal(p->link_title, "Q");
	assert_int_equal(p->front.n, 0);
	assert_string_equal(tree_page(t, "site")->props, "{\"target\":\"https://example.com/\"}");
	assert_string_equal(tree_page(t, "api/my-spec")->props, "{\"type\":\"builtin:openapi\",\"props\":{\"models\":true},"
	    "\"dependencies\":{\"spec\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"my-spec\"}}}}");
	assert_string_equal(assets(t), ".gitbook/assets/a.png .gitbook/assets/note.md image.png? ");
	assert_string_equal(listed_include(t)->title, "Notice");
	assert_memory_equal(listed_include(t)->body.p, "Mind", 4);
	assert_int_equal(listed_include(t)->body_line, 5);
	expect_json(setting(t, "vars")->json, "{\"v\":\"3.0\"}");
	expect_json(setting(t, "tags")->json, "[{\"slug\":\"beta\",\"label\":\"Beta\",\"color\":\"default\",\"icon\":\"flask\"}]");
	assert_null(setting(t, ".gitbook.yaml"));
	assert_non_null(setting(t, "SUMMARY.md"));
	tree_free(t);
}

/* Paths of files contain no character that a URL must encode, whatever the file's name. */
static void
addresses_of_files_are_clean(void **state)
{
	static const char *const cases[][2] = {
		{ "My Page.md", "my-page" }, { "a%20b%2Bc.md", "a-b+c" }, { "100% sure?.md", "100-sure" },
		{ "What's \"new\" #2 [draft].md", "whats-new-2-draft" }, { "A & B.md", "a-and-b" },
		{ "dir name/Sub  Dir/README.md", "dir-name/sub-dir" }, { "plain_name-1.2(x).md", "plain_name-1.2(x)" },
		{ "\xE6\x96\x87 \xE6\xA1\xA3.md", "\xE6\x96\x87-\xE6\xA1\xA3" }, { "%E6%96%87.md", "\xE6\x96\x87" },
		{ "%.md", "page" }, { "%2e%2e/x y.md", "page/x-y" }, { "a%2Fb.md", "a-b" }, { "%ff x.md", "ff-x" } };
	struct arena *a = arena_new(1 << 20);
	struct tree *t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(layout_page_path(a, str_of(cases[i][0])), cases[i][1]);
	arena_free(a);
	t = tree_of("", "README.md", "", "a b.md", "", "a-b.md", "", "c d.md", "[x](<a b.md>)\n",
	    "SUMMARY.md", "* [R](README.md)\n* [One](<a b.md>)\n* [Two](a-b.md)\n* [Three](c%20d.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D R (readme)\nD One (a-b-1)\nD Two (a-b)\nD Three (c-d)\n");
	tree_free(t);
}

/* Every page that the table of contents names is kept, in whatever way it is listed. */
static void
files_listed_oddly_are_pages(void **state)
{
	struct tree *t = tree_of("", "README.md", "# R\n", "ch.md", "# Chapter\n\n## One\n", "late.md", "# L\n",
	    "a.md", "", "b.md", "", "c.md", "", "d.md", "", "e.md", "", "g.md", "", "only.md", "",
	    "SUMMARY.md", "* [Home](README.md)\n* [One](ch.md#one)\n* [Two](ch.md#two)\n* [Place](late.md#x)\n* [Late](late.md)\n"
	        "* [A [b](b.md) c](a.md)\n* [C](c.md) and [D](d.md)\n  * [E](e.md)\n\n## [Group](g.md) <a href=\"#grp\" id=\"grp\"></a>\n\n"
	        "* [Again](a.md#x) [too](b.md)\n* [[x](only.md#y)](missing.md)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "D Home (readme)\nD One (ch)\nL Two (two)\nL Place (place)\nD Late (late)\n"
	    "D A b c (a)\nD b (b)\nD C (c)\n D D (d)\n D E (e)\nG Group (grp)\n D Group (g)\n L Again (grp/again)\n D x (only)\n");
	tree_expect_warning(t, "SUMMARY.md", 2, "ch.md is listed by places in it alone");
	tree_expect_warning(t, "SUMMARY.md", 6, "b.md is listed beside something else");
	tree_expect_warning(t, "SUMMARY.md", 7, "d.md is listed beside something else");
	tree_expect_warning(t, "SUMMARY.md", 10, "g.md is listed beside something else");
	tree_expect_warning(t, "SUMMARY.md", 12, "the link to b.md beside the first one is ignored");
	tree_expect_warning(t, "SUMMARY.md", 13, "missing.md is not in the repository");
	tree_free(t);
}

/* ---- settings ------------------------------------------------------------- */

/* Targets are relative to the table of contents; those not found there, to the root. */
static void
targets_are_relative_to_the_summary(void **state)
{
	struct tree *t = tree_of("", ".gitbook.yaml", "structure:\n  summary: toc/SUMMARY.md\n", "README.md", "# R\n",
	    "toc/a.md", "# A\n", "a.md", "# Other\n", "b/c.md", "# C\n",
	    "toc/SUMMARY.md", "* [R](../README.md)\n* [A](a.md)\n* [C](b/c.md)\n* [Part](./b/c.md#x)\n* [No](d.md)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "D R (readme)\nD A (toc/a)\nD C (b/c)\nL Part (part)\n");
	tree_expect_warning(t, "toc/SUMMARY.md", 5, "d.md is not in the repository");
	tree_free(t);
}

static void
root_and_structure_are_followed(void **state)
{
	struct tree *t = tree_of("space/",
	    "space/.gitbook.yaml", "root: ./docs/\n\nstructure:\n  readme: ./intro.md\n  summary: p/SUMMARY.md \n",
	    "space/docs/intro.md", "# Intro\n", "space/docs/p/SUMMARY.md", "* [Intro](../intro.md)\n* [A](/a.md)\n",
	    "space/docs/a.md", "# A\n", "space/outside.md", "# O\n", "docs/other.md", "# X\n", NULL);

	(void)state;
	assert_string_equal(t->layout.root, "space/docs");
	assert_string_equal(tree_outline(t), "D Intro (intro)\nD A (a)\n");
	assert_int_equal(t->layout.warning_count, 0);
	assert_int_equal(t->layout.unlisted, 0);
	assert_int_equal(setting(t, ".gitbook.yaml")->bytes.n, 72);
	tree_free(t);
}

/* Settings of Honkit's book.json; those of .gitbook.yaml take precedence. */
static void
book_json_gives_settings(void **state)
{
	static const char book[] = "{\n\t\"title\": \" T \", \"language\": \"zh-hans\", \"root\": \"./docs\",\n\t\"structure\": {\"readme\": \"intro.md\", "
	    "\"summary\": \"toc.md\"}, \"plugins\": [\"x\"]\n}\n";
	struct tree *t = tree_of("", "book.json", book, "docs/intro.md", "# Intro {#top}\n", "docs/toc.md", "* [Intro](intro.md)\n"
	    "* [A](a.md)\n", "docs/a.md", "# A\n", "docs/LANGS.md", "* [English](en)\n", NULL);

	(void)state;
	assert_string_equal(t->layout.root, "docs");
	assert_string_equal(t->layout.title, "T");
	assert_string_equal(t->layout.language, "zh-hans");
	assert_string_equal(tree_outline(t), "D Intro (intro)\nD A (a)\n");
	tree_expect_warning(t, "docs/LANGS.md", 0, "a book in several languages");
	tree_free(t);
	t = tree_of("", "book.json", "{\"root\": \"none\"}", "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	tree_expect_warning(t, "book.json", 0, "root is no directory");
	tree_free(t);
	t = tree_of("", "book.json", book, ".gitbook.yaml", "", "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n",
	    "docs/intro.md", "# Intro\n", NULL);
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	assert_null(t->layout.title);
	tree_free(t);
	t = tree_of("", "book.js", "module.exports = {};\n", "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n", NULL);
	tree_expect_warning(t, "book.js", 0, "settings that are a program");
	tree_free(t);
	t = tree_of("", "book.json", "[1", "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	tree_expect_warning(t, "book.json", 0, "no JSON object");
	tree_free(t);
	/* A path with a NUL inside is refused: cJSON alone would read "docs". */
	t = tree_of("", "book.json", "{\"root\": \"docs\\u0000/x\"}", "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n",
	    "docs/README.md", "# D\n", NULL);
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	tree_expect_warning(t, "book.json", 0, "no JSON object");
	tree_free(t);
}

static void
settings_with_zero_width_characters(void **state)
{
	struct tree *t = tree_of("",
	    ".gitbook.yaml", "\xE2\x80\x8Broot: ./docs\n\xE2\x80\x8Bstructure:\n  summary: toc.md\xE2\x80\x8B\nunknown: 1\n",
	    "docs/README.md", "# R\n", "docs/toc.md", "* [R](README.md)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	assert_int_equal(t->layout.warning_count, 0);
	tree_free(t);
}

static void
damaged_settings_are_ignored(void **state)
{
	static const char *const damaged[] = { "", "---\n", "root: [\n", "- a\n", "\troot: docs\n",
		"root: .\nroot: docs\n", "just text\n", "structure: 5\nredirects: []\n", "root:\n", "structure:\n  readme: ../x.md\n" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		struct tree *t = tree_of("", ".gitbook.yaml", damaged[i], "README.md", "# R\n",
		    "SUMMARY.md", "* [R](README.md)\n", "docs/README.md", "# D\n", NULL);

		assert_string_equal(tree_outline(t), "D R (readme)\n");
		tree_free(t);
	}
}

static void
a_root_that_cannot_be_is_refused(void **state)
{
	static const char *const bad[][2] = { { "root: ../x\n", "" }, { "root: missing\n", "" },
		{ "root: README.md\n", "" }, { "", "nowhere" }, { "", "../up" }, { "", "a/../../b" },
		{ "root: docs/../../x\n", "" } };
	static const char *const good[][2] = { { "root: /docs/\n", "" }, { "root: ./docs/../docs//\n", "" },
		{ "", "/docs/" }, { "", "./docs" }, { "", "docs//" } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct tree *t = tree_new();

		tree_add(t, STR(".gitbook.yaml"), str_of(bad[i][0]));
		tree_add(t, STR("README.md"), STR("# R\n"));
		tree_add(t, STR("docs/README.md"), STR("# D\n"));
		assert_false(tree_try(t, bad[i][1]));
		assert_non_null(t->layout.error);
		tree_free(t);
	}
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct tree *t = tree_of(good[i][1], ".gitbook.yaml", good[i][0], "README.md", "# R\n",
		    "docs/README.md", "# D\n", NULL);

		assert_string_equal(t->layout.root, "docs");
		tree_free(t);
	}
}

static void
redirects_are_read(void **state)
{
	struct tree *t = tree_of("",
	    ".gitbook.yaml", "redirects:\n  Old/Path: new.md\n  ./a/: ./dir/\n  b.md: gone.md\n  c/README: new.md#x\n"
	        "  d#one: new.md\n  d#two: dir/README.md\n  /e: https://example.com/x\n  f:\n  old/path/: dir/README.md\n",
	    "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n", "new.md", "# N\n", "dir/README.md", "# D\n", NULL);

	(void)state;
	expect_json(setting(t, "redirects")->json, "{\"old/path\":\"new.md\",\"a\":\"./dir/\",\"b\":\"gone.md\","
	    "\"c/readme\":\"new.md#x\",\"c\":\"new.md#x\",\"d\":\"new.md\",\"e\":\"https://example.com/x\"}");
	tree_expect_warning(t, ".gitbook.yaml", 4, "gone.md");
	tree_expect_warning(t, ".gitbook.yaml", 9, "needs");
	assert_int_equal(t->layout.warning_count, 2);
	tree_free(t);
}

static void
variables_and_tags_are_read(void **state)
{
	struct tree *t = tree_of("", "README.md", "# R\n", "SUMMARY.md", "* [R](README.md)\n",
	    ".gitbook/vars.yaml", "latest_version: v3.0.4\nn: 3.10\nt: true\npkg: '@evolve/node'\n1x: a\nm: {a: b}\nz:\n",
	    ".gitbook/tags.yaml", "- tag: beta\n- tag: pro\n  label: Pro\n  color: $primary\n- label: none\n- tag: beta\n"
	        "- tag: odd\n  color: mauve\n  emoji: \xF0\x9F\x9A\x80\n", NULL);

	(void)state;
	expect_json(setting(t, "vars")->json,
	    "{\"latest_version\":\"v3.0.4\",\"n\":\"3.10\",\"t\":\"true\",\"pkg\":\"@evolve/node\",\"z\":\"\"}");
	expect_json(setting(t, "tags")->json, "[{\"slug\":\"beta\",\"label\":\"beta\",\"color\":\"default\"},"
	    "{\"slug\":\"pro\",\"label\":\"Pro\",\"color\":\"$primary\"},"
	    "{\"slug\":\"odd\",\"label\":\"odd\",\"color\":\"default\",\"emoji\":\"\xF0\x9F\x9A\x80\"}]");
	tree_expect_warning(t, ".gitbook/vars.yaml", 5, "name");
	tree_expect_warning(t, ".gitbook/vars.yaml", 6, "value");
	tree_expect_warning(t, ".gitbook/tags.yaml", 5, "slug");
	tree_expect_warning(t, ".gitbook/tags.yaml", 6, "twice");
	tree_expect_warning(t, ".gitbook/tags.yaml", 8, "color");
	tree_free(t);
	t = tree_of("", "README.md", "# R\n", ".gitbook/vars.yaml", "- a\n", ".gitbook/tags.yaml", "{{\n", NULL);
	expect_json(setting(t, "vars")->json, "{}");
	expect_json(setting(t, "tags")->json, "[]");
	tree_expect_warning(t, ".gitbook/vars.yaml", 1, "map");
	tree_free(t);
}

/* ---- items ---------------------------------------------------------------- */

static void
odd_items_are_read_with_warnings(void **state)
{
	struct tree *t = tree_of("", "README.md", "# R\n", "a.md", "# A\n", "b.md", "# B\n", "d/README.md", "# D\n",
	    "x.pdf", "pdf",
	    "SUMMARY.md", "* [R](README.md)\n* Obsolete\n  * [A](a.md)\n* Alone\n* [A again](a.md)\n"
	        "* [Gone](gone.md)\n* [Gone with child](gone/README.md)\n  * [B](b.md)\n* [Dir](d/)\n* [Again dir](d)\n"
	        "* [Frag](b.md#x)\n* [Paper](x.pdf)\n* [Broken](broken-reference)\n* [Up](../up.md)\n* [](a.md)\n"
	        "* [Mail](mailto:a@b.c)\n* [Other](https://app.gitbook.com/s/abc/x/y#z)\n* [Empty]()\n* [Hash](#h)\n*\n"
	        "* [Self](SUMMARY.md)\n* [Note](.gitbook/assets/n.md)\n* [Top](https://x.y)\n  * [Below](c.md)\n",
	    "c.md", "", ".gitbook/assets/n.md", "", NULL);

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D R (readme)\nD Obsolete (obsolete)\n D A (a)\nD Alone (alone)\nL A again (a-again)\n"
	    "D Gone with child (gone-with-child)\n D B (b)\nD Dir (d)\nL Again dir (again-dir)\nL Frag (frag)\n"
	    "L Paper (paper)\nL a.md (a.md)\nL Mail (mail)\nL Other (other)\nD Empty (empty)\nD Hash (hash)\n"
	    "L Note (note)\nL Top (top)\nD Below (c)\n");
	assert_int_equal(t->layout.documents, 5);
	assert_int_equal(t->layout.empty, 5);
	assert_int_equal(t->layout.links, 9);
	tree_expect_warning(t, "SUMMARY.md", 21, "lists itself");
	tree_expect_warning(t, "SUMMARY.md", 23, "put beside it");
	tree_expect_warning(t, "SUMMARY.md", 4, "without a link");
	tree_expect_warning(t, "SUMMARY.md", 5, "second time");
	tree_expect_warning(t, "SUMMARY.md", 6, "gone.md is not in the repository; the item is skipped");
	tree_expect_warning(t, "SUMMARY.md", 7, "empty page");
	tree_expect_warning(t, "SUMMARY.md", 13, "skipped");
	tree_expect_warning(t, "SUMMARY.md", 14, "skipped");
	assert_false(tree_warned(t, "SUMMARY.md", 2, ""));
	assert_string_equal(tree_page(t, "a-again")->props, "{\"target\":\"a.md\"}");
	assert_string_equal(tree_page(t, "frag")->props, "{\"target\":\"b.md#x\"}");
	tree_free(t);
}

static void
targets_are_found_in_all_spellings(void **state)
{
	struct tree *t = tree_of("", "README.md", "# R\n", "01_intro.md", "# I\n", "with space.md", "# S\n",
	    "Upper.md", "# U\n", "x(1).md", "# X\n", "a&b.md", "# A\n", "50%.md", "# P\n", "c#.md", "# C\n",
	    "sub/p.md", "# P\n", "caf\xC3\xA9.md", "# E\n", "plain.md", "# N\n", "ang le.md", "# L\n",
	    "SUMMARY.md", "* [R](./README.md)\n* [I](01\\_intro.md)\n* [S](with%20space.md)\n* [U](upper.md)\n"
	        "* [X](x\\(1\\).md)\n* [A](a&amp;b.md)\n* [P](50%.md)\n* [C](c#.md)\n* [Q](/sub/p.md)\n"
	        "* [E](cafe%CC%81.md)\n* [N](plain)\n* [L](<ang le.md>)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D R (readme)\nD I (01_intro)\nD S (with-space)\nD U (upper)\nD X (x(1))\nD A (a&b)\nD P (50)\nD C (c)\n"
	    "D Q (sub/p)\nD E (caf\xC3\xA9)\nD N (plain)\nD L (ang-le)\n");
	tree_expect_warning(t, "SUMMARY.md", 4, "not spelled like the file Upper.md");
	tree_expect_warning(t, "SUMMARY.md", 10, "not spelled like");
	tree_expect_warning(t, "SUMMARY.md", 11, "not spelled like");
	assert_int_equal(t->layout.warning_count, 3);
	tree_free(t);
}

static void
groups_are_read(void **state)
{
	struct tree *t = tree_of("", "README.md", "# R\n", "guides/README.md", "# G\n", "a.md", "# A\n",
	    "SUMMARY.md", "***\n## Guides\n* [R](README.md)\n## Empty\n## Guides\n* [G](guides/README.md)\n"
	        "##\n## Evil <a href=\"#../x\" id=\"../x\"></a>\n***\n***\n* [A](a.md)\n***\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "G Guides (guides-1)\n D R (readme)\nG Empty (empty)\nG Guides (guides-2)\n"
	    " D G (guides)\nG Untitled (untitled)\nG Evil (..-x)\nD A (a)\n");
	tree_expect_warning(t, "SUMMARY.md", 7, "without a title");
	tree_free(t);
}

static void
titles_come_from_the_summary_or_the_file(void **state)
{
	struct tree *t = tree_of("", "README.md", "# Other\n", "a.md", "# From the file\n", "some-name.md", "text\n",
	    "e.md", "# \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB Coder\n", "f.md", "", "g.md", "", "h.md", "", "i.md", "",
	    "SUMMARY.md", "* [Mine](README.md)\n* [](a.md)\n* [](some-name.md)\n"
	        "* [\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB Coder](e.md)\n* [\xF0\x9F\x9A\x80](f.md)\n* [:rocket: Go](g.md)\n"
	        "* [\xE2\x9C\x94\xEF\xB8\x8F Done](h.md)\n* [\xC2\xA9 Us](i.md)\n"
	        "\n## \xF0\x9F\x87\xAB\xF0\x9F\x87\xB7 France\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "D Mine (readme)\nD From the file (a)\nD Some name (some-name)\nD Coder (e)\n"
	    "D \xF0\x9F\x9A\x80 (f)\nD Go (g)\nD Done (h)\nD \xC2\xA9 Us (i)\nG France (france)\n");
	assert_string_equal(tree_page(t, "e")->props, "{\"emoji\":\"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB\"}");
	assert_string_equal(tree_page(t, "f")->props, "{}");
	assert_string_equal(tree_page(t, "g")->props, "{\"emoji\":\"\xF0\x9F\x9A\x80\"}");
	assert_string_equal(tree_page(t, "h")->props, "{\"emoji\":\"\xE2\x9C\x94\xEF\xB8\x8F\"}");
	assert_string_equal(tree_page(t, "france")->props, "{\"emoji\":\"\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7\"}");
	tree_free(t);
}

static void
long_link_titles_are_cut(void **state)
{
	struct tree *t = tree_new();
	const char *title;

	(void)state;
	title = arena_printf(t->arena, "* [A](README.md \"%0120d\")\n", 7);
	tree_add(t, STR("README.md"), STR("# R\n"));
	tree_add(t, STR("SUMMARY.md"), str_of(title));
	assert_true(tree_try(t, ""));
	assert_int_equal(strlen(tree_page(t, "readme")->link_title), 100);
	tree_expect_warning(t, "SUMMARY.md", 1, "cut");
	tree_free(t);
}

static void
computed_items_are_read(void **state)
{
	struct tree *t = tree_of("", "README.md", "# R\n",
	    "SUMMARY.md", "* [R](README.md)\n* ```yaml\n  type: other\n  ```\n* ```yaml\n  a: [\n  ```\n* ```yaml\n  - x\n  ```\n"
	        "  * [R2](README.md)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "D R (readme)\nC API reference (api-reference)\nL R2 (r2)\n");
	tree_expect_warning(t, "SUMMARY.md", 2, "other");
	tree_expect_warning(t, "SUMMARY.md", 8, "not a map");
	tree_free(t);
}

static void
the_first_page_comes_first(void **state)
{
	struct tree *t = tree_of("", "README.md", "# Home\n", "a.md", "", "SUMMARY.md", "* [A](a.md)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t), "D Home (readme)\nD A (a)\n");
	tree_expect_warning(t, "README.md", 0, "first page");
	tree_free(t);
	t = tree_of("", "README.md", "# Home\n", "SUMMARY.md", "", NULL);
	assert_string_equal(tree_outline(t), "D Home (readme)\n");
	tree_free(t);
	t = tree_of("", "a.md", "", "SUMMARY.md", "* [A](a.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D A (a)\n");
	tree_expect_warning(t, "README.md", 0, "not in the repository");
	tree_free(t);
}

/* ---- paths ---------------------------------------------------------------- */

static void
paths_are_unique(void **state)
{
	struct tree *t = tree_of("", "README.md", "", "A.md", "", "a.md", "", "x.md", "", "x/README.md", "", "x-1.md", "",
	    "_ncs.md", "", "ncs.md", "", "c++.md", "", "d/readme.md", "", "\xC3\x89t\xC3\xA9.md", "",
	    "SUMMARY.md", "* [R](README.md)\n* [A](A.md)\n* [a](a.md)\n* [X](x.md)\n* [X](x/README.md)\n* [X](x-1.md)\n"
	        "* [N](_ncs.md)\n* [N](ncs.md)\n* [C](c++.md)\n* Same\n* Same\n* Same\n* [D](d/readme.md)\n"
	        "* [E](\xC3\x89t\xC3\xA9.md)\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D R (readme)\nD A (a)\nD a (a-1)\nD X (x)\nD X (x-1)\nD X (x-1-1)\nD N (_ncs)\nD N (ncs)\nD C (c++)\n"
	    "D Same (same)\nD Same (same-1)\nD Same (same-2)\nD D (d)\nD E (\xC3\xA9t\xC3\xA9)\n");
	tree_expect_warning(t, "a.md", 0, "differs from A.md");
	tree_free(t);
}

static void
slugs_are_unique_among_siblings(void **state)
{
	struct tree *t = tree_of("", "README.md", "", "a/x.md", "", "b/x.md", "",
	    "SUMMARY.md", "* [R](README.md)\n* [X](a/x.md)\n* [X](b/x.md)\n* P\n  * [L](https://x.y)\n", NULL);

	(void)state;
	assert_string_equal(tree_page(t, "a/x")->slug, "x");
	assert_string_equal(tree_page(t, "b/x")->slug, "x-1");
	assert_string_equal(tree_page(t, "p/l")->slug, "l");
	tree_free(t);
}

/* ---- files ---------------------------------------------------------------- */

static void
links_and_strange_names_are_never_read(void **state)
{
	struct tree *t = tree_new();

	(void)state;
	tree_add(t, STR("README.md"), STR("# R\n"));
	tree_add(t, STR("SUMMARY.md"), STR("* [R](README.md)\n* [L](link.md)\n* [M](sub)\n* [B](back\\\\slash.md)\n"));
	tree_add(t, STR("link.md"), STR("/etc/passwd"))->mode = 0120000;
	tree_add(t, STR(".gitbook/assets/dir"), STR("../.."))->mode = 0120000;
	*tree_add(t, STR("sub"), STR("")) = (struct layout_entry){ .path = STR("sub"), .mode = 0160000, .size = -1 };
	tree_add(t, STR("a/../b.md"), STR("x"));
	tree_add(t, STR("/abs.md"), STR("x"));
	tree_add(t, STR("a//b.png"), STR("x"));
	tree_add(t, STR("x/.GIT/config"), STR("x"));
	tree_add(t, STR("back\\slash.md"), STR("x"));
	tree_add(t, STR("nul\0.md"), STR("x"));
	tree_add(t, STR("tab\t.png"), STR("x"));
	tree_add(t, STR("bad\xFF.png"), STR("x"));
	tree_add(t, STR("CON"), STR("x"));
	tree_add(t, STR("trailing. "), STR("x"));
	tree_add(t, STR(".gitbook/assets/.pre-commit-config.yaml"), STR("x"));
	tree_add(t, STR(".gitbook/assets/.DS_Store"), STR("x"));
	tree_add(t, STR(".env"), STR("x"));
	assert_true(tree_try(t, ""));
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	assert_string_equal(assets(t),
	    ".gitbook/assets/.DS_Store .gitbook/assets/.pre-commit-config.yaml CON? trailing. ? ");
	tree_expect_warning(t, "link.md", 0, "symbolic link");
	tree_expect_warning(t, "sub", 0, "submodule");
	tree_expect_warning(t, "a/../b.md", 0, "component");
	tree_expect_warning(t, "/abs.md", 0, "component");
	tree_expect_warning(t, "x/.GIT/config", 0, ".git");
	tree_expect_warning(t, "back\\slash.md", 0, "backslash");
	tree_expect_warning(t, "bad\xEF\xBF\xBD.png", 0, "UTF-8");
	tree_expect_warning(t, "tab\xEF\xBF\xBD.png", 0, "control");
	tree_expect_warning(t, "SUMMARY.md", 2, "skipped");
	tree_free(t);
}

static void
assets_of_other_spaces_do_not_leak(void **state)
{
	struct tree *t = tree_of("", "README.md", "", "SUMMARY.md", "* [R](README.md)\n",
	    ".gitbook/assets/a.png", "", "img/b.png", "",
	    "ja/SUMMARY.md", "* [R](README.md)\n", "ja/README.md", "", "ja/.gitbook/assets/c.png", "", "ja/x.md", "",
	    "api/.gitbook.yaml", "", "api/README.md", "", "api/d.png", "", "api/.gitbook/vars.yaml", "a: b\n",
	    "api/v2/.gitbook.yaml", "", "api/v2/e.png", "", NULL);

	(void)state;
	/* Only the files that a page of this space shows count. */
	assert_string_equal(assets(t), ".gitbook/assets/a.png api/.gitbook/vars.yaml! api/d.png! api/v2/e.png! img/b.png? "
	    "ja/.gitbook/assets/c.png! ");
	assert_null(setting(t, "vars"));
	assert_int_equal(t->layout.unlisted, 3);
	tree_free(t);
	t = tree_of("", "README.md", "", "SUMMARY.md", "* [R](README.md)\n* [O](old/README.md)\n",
	    "old/SUMMARY.md", "", "old/README.md", "", "old/c.png", "", NULL);
	assert_string_equal(assets(t), "old/c.png? ");
	tree_free(t);
}

static void
lfs_pointers_are_kept(void **state)
{
	static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
	struct tree *t = tree_of("", "README.md", pointer, "SUMMARY.md", "* [R](README.md)\n",
	    ".gitbook/assets/a.png", pointer, NULL);

	(void)state;
	assert_string_equal(assets(t), ".gitbook/assets/a.png ");
	tree_expect_warning(t, ".gitbook/assets/a.png", 0, "LFS");
	tree_expect_warning(t, "README.md", 0, "LFS");
	tree_free(t);
}

static void
warnings_name_the_file_and_line(void **state)
{
	struct tree *t = tree_of("docs", "docs/README.md", "---\nicon: x\nhidden: perhaps\n---\n# R\n",
	    "docs/SUMMARY.md", "# T\n\n* [R](README.md)\n* [Gone](x.md)\n", "docs/.gitbook/includes/i.md", "---\na: b: c\n---\n", NULL);

	(void)state;
	tree_expect_warning(t, "docs/README.md", 3, "hidden");
	tree_expect_warning(t, "docs/SUMMARY.md", 4, "x.md");
	tree_expect_warning(t, "docs/.gitbook/includes/i.md", 2, "frontmatter");
	assert_string_equal(t->layout.includes->title, "I");
	tree_free(t);
}

/* ---- limits --------------------------------------------------------------- */

static struct tree *
limited(struct layout_limits limits, const char *page, const char *asset)
{
	struct tree *t = tree_new();

	t->limits = limits;
	tree_add(t, STR("README.md"), str_of(page));
	tree_add(t, STR("SUMMARY.md"), STR("* [R](README.md)\n* A\n  * B\n    * C\n"));
	tree_add(t, STR(".gitbook/assets/a.png"), str_of(asset));
	tree_add(t, STR("loose.png"), STR("1234567890"));
	return t;
}

static void
trees_beyond_the_limits_are_refused(void **state)
{
	static const struct { struct layout_limits limits; const char *error, *file; } cases[] = {
		{ { 4, 3, 100, 10, 30 }, NULL, NULL },
		{ { 3, 3, 100, 10, 30 }, "more than 3 pages", NULL },
		{ { 4, 2, 100, 10, 30 }, "nested more than 2", "SUMMARY.md" },
		{ { 4, 3, 45, 10, 30 }, "larger than 45", "README.md" },
		{ { 4, 3, 100, 9, 30 }, "larger than 9", ".gitbook/assets/a.png" },
		{ { 4, 3, 100, 10, 20 }, "longer than 20", ".gitbook/assets/a.png" },
	};
	static const char page[] = "# R\n\n12345678901234567890123456789012345678901";
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tree *t = limited(cases[i].limits, page, "1234567890");

		assert_int_equal(tree_try(t, ""), cases[i].error == NULL);
		if (cases[i].error != NULL)
			assert_non_null(strstr(t->layout.error, cases[i].error));
		if (cases[i].file != NULL)
			assert_string_equal(t->layout.error_file, cases[i].file);
		tree_free(t);
	}
}

/* A file that is too large is left out if no page needs it; the rest is imported. */
static void
large_loose_files_are_left_out(void **state)
{
	struct tree *t = limited((struct layout_limits){ 4, 3, 100, 5, 30 }, "# R\n", "12345");

	(void)state;
	assert_true(tree_try(t, ""));
	assert_string_equal(assets(t), ".gitbook/assets/a.png ");
	tree_expect_warning(t, "loose.png", 0, "larger");
	tree_free(t);
}

/* ---- no table of contents ------------------------------------------------- */

static void
pages_are_found_without_a_summary(void **state)
{
	struct tree *t = tree_of("", "README.md", "# Home\n", "zoo.md", "# The zoo\n", "about_us.md", "text\n",
	    "guides/README.md", "# Guides\n", "guides/b.md", "", "guides/a.md", "", "guides/deep/x.md", "",
	    "ref/one.md", "", "topic.md", "# Topic\n", "topic/sub.md", "", "both.md", "", "both/README.md", "# Both\n",
	    ".github/x.md", "", "node_modules/y.md", "", "img/a.png", "", ".gitbook/includes/i.md", "",
	    ".gitbook/assets/f.md", "", "LANGS.md", "", "other/.gitbook.yaml", "", "other/README.md", "",
	    "Some/folder name/x.md", "", "a-b/c.md", "", NULL);

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D Home (readme)\nG Some (some)\n D Folder name (some/folder-name)\n  D X (some/folder-name/x)\n"
	    "G A b (a-b)\n D C (a-b/c)\nD About us (about_us)\nD Both (both)\nD Both (both-1)\n"
	    "D Guides (guides)\n D A (guides/a)\n D B (guides/b)\n D Deep (guides/deep)\n  D X (guides/deep/x)\n"
	    "G Ref (ref)\n D One (ref/one)\nD Topic (topic)\n D Sub (topic/sub)\nD The zoo (zoo)\n");
	tree_expect_warning(t, "SUMMARY.md", 0, "no table of contents");
	assert_int_equal(t->layout.groups, 3);
	assert_int_equal(t->layout.empty, 2);
	tree_free(t);
}

/* In MkDocs, Docusaurus and Hugo an index file is the directory's page; a README.md beside it takes precedence. */
static void
index_files_are_pages_of_directories(void **state)
{
	struct tree *t = tree_of("", "index.md", "# Start\n", "a.md", "# A\n", "guides/_index.md", "---\ntitle: Guides\n---\n",
	    "guides/b.md", "# B\n", "guides/deep/INDEX.md", "text\n", "guides/deep/c.md", "", "both/index.md", "# Index\n",
	    "both/README.md", "# Both\n", "beside.md", "# Beside\n", "beside/index.md", "# In\n", "x.md/index.md", "# Dir\n",
	    "x.md/y.md", "# Y\n", "two/_index.md", "# Lesser\n", "two/index.md", "# Two\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D Start (index)\nD A (a)\nD Beside (beside)\nD In (beside/index)\nD Both (both)\n D Index (both/index)\n"
	    "D Guides (guides/_index)\n D B (guides/b)\n D Deep (guides/deep/index)\n  D C (guides/deep/c)\n"
	    "D Two (two/index)\n D Lesser (two/_index)\nD Dir (x.md/index)\n D Y (x.md/y)\n");
	tree_free(t);
	t = tree_of("docs", "docs/.gitbook.yaml", "", "docs/index.md", "# Start\n", "docs/a.md", "# A\n", NULL);
	assert_string_equal(tree_outline(t), "D Start (index)\nD A (a)\n");
	tree_free(t);
	/* If there is a table of contents, it decides which page is first. */
	t = tree_of("", "index.md", "# Start\n", "a.md", "# A\n", "SUMMARY.md", "* [A](a.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D A (a)\n");
	tree_free(t);
}

/* Frontmatter titles (Hugo, Docusaurus): H1 and the table of contents take precedence; a value must be text. */
static void
frontmatter_may_hold_the_title(void **state)
{
	struct tree *t = tree_of("", "README.md", "---\ntitle: Front\n---\n# Home\n", "cant.md",
	    "---\ntitle: \"If you can't log in\"\n---\n\nText.\n", "list.md", "---\ntitle: [a, b]\n---\nText.\n",
	    "empty.md", "---\ntitle: '  '\n---\nText.\n", "year.md", "---\ntitle: 2024\n---\n", NULL);

	(void)state;
	assert_string_equal(tree_outline(t),
	    "D Home (readme)\nD If you can't log in (cant)\nD Empty (empty)\nD List (list)\nD 2024 (year)\n");
	tree_free(t);
	t = tree_of("", "README.md", "---\ntitle: Front\n---\nText.\n", "SUMMARY.md", "* [Listed](README.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D Listed (readme)\n");
	tree_free(t);
}

static void
an_empty_repository_is_warned_about(void **state)
{
	struct tree *t = tree_of("", NULL, NULL);

	(void)state;
	assert_int_equal(t->layout.page_count, 0);
	tree_expect_warning(t, "README.md", 0, "not in the repository");
	tree_free(t);
	t = tree_of("", "script.sh", "", NULL);
	assert_int_equal(t->layout.page_count, 0);
	tree_free(t);
	t = tree_of("", "Readme.md", "# Low\n", "summary.md", "* [R](Readme.md)\n", NULL);
	assert_string_equal(tree_outline(t), "D R (readme)\n");
	tree_free(t);
	t = tree_of("", "a.md", "# A\n", NULL);
	assert_string_equal(tree_outline(t), "D A (a)\n");
	tree_free(t);
}

static void
depth_of_directories_is_limited(void **state)
{
	struct tree *t = tree_new();
	struct buf b;
	size_t i;

	(void)state;
	buf_init(&b, t->arena, 1000);
	for (i = 0; i < 30; i++)
		buf_str(&b, "d/");
	buf_str(&b, "x.md");
	tree_add(t, STR("a.md"), STR("# A\n"));
	tree_add(t, buf_view(&b), STR("x"));
	assert_true(tree_try(t, ""));
	/* The rest is imported. */
	tree_expect_warning(t, b.p, 0, "nested");
	assert_string_equal(t->layout.pages->title, "A");
	tree_free(t);
}

/* A link's title may have a hundred characters, however many bytes they take. */
static void
a_link_title_has_a_hundred_characters(void **state)
{
	char summary[1000], title[203];
	struct tree *t;
	int n, i;

	(void)state;
	for (n = 99; n <= 101; n++) {
		for (i = 0; i < n; i++)
			memcpy(title + 2 * i, "\xc3\xa9", 3);
		snprintf(summary, sizeof(summary), "* [A](a.md \"%s\")\n", title);
		t = tree_of("", "README.md", "# R\n", "a.md", "# A\n", "SUMMARY.md", summary, NULL);
		if (tree_warned(t, "SUMMARY.md", 1, "cut to 100 characters") != (n > 100))
			fail_msg("a link title of %d characters", n);
		tree_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_space_is_read), cmocka_unit_test(a_link_title_has_a_hundred_characters),
		cmocka_unit_test(files_listed_oddly_are_pages),
		cmocka_unit_test(addresses_of_files_are_clean),
		cmocka_unit_test(root_and_structure_are_followed), cmocka_unit_test(targets_are_relative_to_the_summary),
		cmocka_unit_test(book_json_gives_settings),
		cmocka_unit_test(settings_with_zero_width_characters),
		cmocka_unit_test(damaged_settings_are_ignored),
		cmocka_unit_test(a_root_that_cannot_be_is_refused),
		cmocka_unit_test(redirects_are_read),
		cmocka_unit_test(variables_and_tags_are_read),
		cmocka_unit_test(odd_items_are_read_with_warnings),
		cmocka_unit_test(targets_are_found_in_all_spellings),
		cmocka_unit_test(groups_are_read),
		cmocka_unit_test(titles_come_from_the_summary_or_the_file),
		cmocka_unit_test(long_link_titles_are_cut),
		cmocka_unit_test(computed_items_are_read),
		cmocka_unit_test(the_first_page_comes_first),
		cmocka_unit_test(paths_are_unique),
		cmocka_unit_test(slugs_are_unique_among_siblings),
		cmocka_unit_test(links_and_strange_names_are_never_read),
		cmocka_unit_test(assets_of_other_spaces_do_not_leak),
		cmocka_unit_test(lfs_pointers_are_kept),
		cmocka_unit_test(warnings_name_the_file_and_line),
		cmocka_unit_test(trees_beyond_the_limits_are_refused),
		cmocka_unit_test(large_loose_files_are_left_out),
		cmocka_unit_test(pages_are_found_without_a_summary),
		cmocka_unit_test(frontmatter_may_hold_the_title),
		cmocka_unit_test(index_files_are_pages_of_directories),
		cmocka_unit_test(an_empty_repository_is_warned_about),
		cmocka_unit_test(depth_of_directories_is_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
