/* Resolving the target of a link (layout 3.10, 5.4, 5.5, 6). */
#include "arena_fixture.h"

#include <time.h>

#include "layout_fixture.h"

/* The resolved target as text. */
static const char *
resolve(const char *from, const char *spelling)
{
	struct layout_target t = layout_resolve(arena, from, str_of(spelling));
	const char *hash = t.fragment == NULL ? "" : "#";
	const char *fragment = t.fragment == NULL ? "" : t.fragment;

	switch (t.kind) {
	case TARGET_URL:
		return arena_printf(arena, "url %s", t.url);
	case TARGET_PATH:
		return arena_printf(arena, "path %s%s%s", t.path, hash, fragment);
	case TARGET_SPACE:
		assert_non_null(t.url);
		return arena_printf(arena, "space %s %s%s%s", t.space, t.path, hash, fragment);
	case TARGET_BROKEN:
		return "broken";
	default:
		return "none";
	}
}

static void
paths_are_resolved(void **state)
{
	static const char *const cases[][3] = {
		{ "a/b/c.md", "d.md", "path a/b/d.md" },
		{ "a/b/c.md", "./d.md", "path a/b/d.md" },
		{ "a/b/c.md", "../d.md#x-y", "path a/d.md#x-y" },
		{ "a/b/c.md", "../../d.md", "path d.md" },
		{ "a/b/c.md", "/d/e.md", "path d/e.md" },
		{ "a/b/c.md", "/", "path " },
		{ "a/b/c.md", "./", "path a/b" },
		{ "a/b/c.md", "..", "path a" },
		{ "a/b/c.md", "../..", "path " },
		{ "a/b/c.md", "dir/", "path a/b/dir" },
		{ "a/b/c.md", "dir//x/./y/../z.md", "path a/b/dir/x/z.md" },
		{ "a/b/c.md", "#here", "path a/b/c.md#here" },
		{ "a/b/c.md", "#", "path a/b/c.md#" },
		{ "a/b/c.md", "?q=1", "path a/b/c.md" },
		{ "c.md", "d.md?q=1#x", "path d.md#x" },
		{ "c.md", "d.html", "path d.html" },
		{ "c.md", "images\\a.png", "path images/a.png" },
		{ "c.md", "..%2Fx.md", "path ../x.md" },
		{ "c.md", "../x.md", "path ../x.md" },
		{ "a/c.md", "../../x.md", "path ../x.md" },
		{ "a/c.md", "/../x.md", "path ../x.md" },
		{ "a/c.md", "../../../d/../x.md", "path ../../x.md" },
		{ "c.md", "", "none" },
		{ "c.md", "  ", "none" },
		{ "c.md", "<>", "none" },
		{ "c.md", "c:.md", "path c:.md" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(resolve(cases[i][0], cases[i][1]), cases[i][2]);
}

static void
spellings_are_decoded(void **state)
{
	static const char *const cases[][2] = {
		{ "preface/01\\_intro.md", "path preface/01_intro.md" },
		{ "a%20b.md", "path a b.md" },
		{ "a b.md", "path a b.md" },
		{ "<a b (1).png>", "path a b (1).png" },
		{ "a\\(1\\).png", "path a(1).png" },
		{ "a&amp;b&#x26;c.md", "path a&b&c.md" },
		{ "a&b.md", "path a&b.md" },
		{ "caf%C3%A9.md", "path caf\xC3\xA9.md" },
		{ "50%.md", "path 50%.md" },
		{ "50%25.md", "path 50%.md" },
		{ "a%00b.md", "path a%00b.md" },
		{ "a%2", "path a%2" },
		{ "a\\", "path a" },
		{ "a\\\\<b>\\", "path a/<b>" },
		{ "x.md#a%20b&amp;c", "path x.md#a b&c" },
		{ "a\\&lt;b.md", "path a<b.md" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(resolve("c.md", cases[i][0]), cases[i][1]);
	assert_int_equal(layout_resolve(arena, "c.md", STR("a\0b.md")).kind, TARGET_NONE);
}

static void
addresses_stay_addresses(void **state)
{
	static const char *const cases[][2] = {
		{ "https://example.com/a?b#c", "url https://example.com/a?b#c" },
		{ "HTTP://EXAMPLE.com", "url HTTP://EXAMPLE.com" },
		{ "mailto:a@b.c", "url mailto:a@b.c" },
		{ "ftp://x", "url ftp://x" },
		{ "irc://x", "url irc://x" },
		{ "news:x", "url news:x" },
		{ "hhttps://x", "url hhttps://x" },
		{ "data:image/png;base64,AAAA", "url data:image/png;base64,AAAA" },
		{ "javascript:alert(1)", "url javascript:alert(1)" },
		{ "//cdn.example.com/x.png", "url https://cdn.example.com/x.png" },
		{ "https://gblobscdn.gitbook.com/x?alt=media", "url https://gblobscdn.gitbook.com/x?alt=media" },
		{ "https://app.gitbook.com/s/Abc123/path/to#x", "space Abc123 path/to#x" },
		{ "https://app.gitbook.com/s/Abc123", "space Abc123 " },
		{ "https://app.gitbook.com/s/Abc123/", "space Abc123 " },
		{ "https://app.gitbook.com/s/Abc123#top", "space Abc123 #top" },
		{ "https://app.gitbook.com/o/Org/s/Abc123/a%20b?q#x", "space Abc123 a b#x" },
		{ "https://app.gitbook.com/o/Org", "url https://app.gitbook.com/o/Org" },
		{ "https://app.gitbook.com/s/", "url https://app.gitbook.com/s/" },
		{ "https://app.gitbook.com/account", "url https://app.gitbook.com/account" },
		{ "https://app.gitbook.com/s/A/../../x", "space A " },
		{ "broken-reference", "broken" },
		{ "broken-reference/", "broken" },
		{ "broken-reference#x", "broken" },
		{ "/broken/pages/abc", "broken" },
		{ "/broken/spaces/a/pages/b", "broken" },
		{ "broken-reference-guide.md", "path broken-reference-guide.md" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(resolve("c.md", cases[i][0]), cases[i][1]);
}

static struct tree *
space(void)
{
	return tree_of("",
	    "README.md", "", "a/README.md", "", "a/page.md", "", "b.md", "", "Case.md", "", "img/x.png", "",
	    "img/100%25.png", "", ".gitbook/assets/cafe\xCC\x81.png", "", ".gitbook/assets/Two.png", "",
	    ".gitbook/assets/two.png", "", ".gitbook/includes/i.md", "", "unlisted.md", "", "c#.md", "",
	    "e/index.md", "", "e/_index.md", "", "f/_INDEX.md", "",
	    "SUMMARY.md", "* [R](README.md)\n* [A](a/README.md)\n* [P](a/page.md)\n* [B](b.md)\n* [C](Case.md)\n* [S](c#.md)\n* [E](e)\n* [F](f/)\n",
	    NULL);
}

/* What a target spelled in "a/page.md" resolves to. */
static const char *
found(struct tree *t, const char *spelling)
{
	struct layout_target target = layout_resolve(t->arena, "a/page.md", str_of(spelling));
	struct layout_found f = layout_find(&t->layout, &target);

	if (f.file == NULL)
		return "nothing";
	return arena_printf(t->arena, "%s%s%.*s", f.page != NULL ? "page " : f.asset != NULL ? "asset "
	    : f.include != NULL ? "include " : "file ", f.guessed ? "~" : "", (int)f.file->path.n, f.file->path.p);
}

/* What "docs/a/page.md" shows or includes under this spelling, in a space whose root is docs. */
static const char *
used(struct tree *t, const char *spelling, bool included)
{
	struct layout_target target = layout_resolve(t->arena, "a/page.md", str_of(spelling));
	struct layout_found f;

	target.included = included;
	target.shown = !included;
	f = layout_find(&t->layout, &target);
	return f.file == NULL ? "nothing" : arena_printf(t->arena, "%s%.*s", f.page != NULL ? "page " :
	    f.asset != NULL ? "asset " : f.include != NULL ? "include " : "file ", (int)f.file->path.n, f.file->path.p);
}

static void
shown_and_included_files_may_be_anywhere(void **state)
{
	static const struct { bool included; const char *spelling, *what; } cases[] = {
		{ false, "../../img/x.png", "asset img/x.png" },
		{ false, "../../docs/in.png", "asset docs/in.png" },
		{ false, "/img/x.png", "asset img/x.png" },
		{ false, "/in.png", "asset docs/in.png" },
		{ false, "img/x.png", "nothing" },
		{ false, "../../../img/x.png", "nothing" },
		{ false, "/../../img/x.png", "nothing" },
		{ false, "../../link.png", "nothing" },
		{ true, "part.md", "include docs/a/part.md" },
		{ true, "a/part.md", "include docs/a/part.md" },
		{ true, "/a/part.md", "include docs/a/part.md" },
		{ true, "docs/a/part.md", "include docs/a/part.md" },
		{ true, "b.md", "page docs/b.md" },
		{ true, "/shared/s.txt", "include shared/s.txt" },
		{ true, "shared/s.txt", "include shared/s.txt" },
		{ true, "../../shared/s.txt", "include shared/s.txt" },
		{ true, ".gitbook/includes/n.md", "include docs/.gitbook/includes/n.md" },
		{ true, "../../../.gitbook/includes/n.md", "include docs/.gitbook/includes/n.md" },
		{ true, "other/.gitbook/includes/o.md", "include docs/other/.gitbook/includes/o.md" },
		{ true, "../../../../shared/none.md", "nothing" },
		{ true, "../SUMMARY.md", "file docs/SUMMARY.md" },
	};
	struct tree *t = tree_new();
	struct layout_target link;
	size_t i;

	(void)state;
	tree_add(t, STR(".gitbook.yaml"), STR("root: docs\n"));
	tree_add(t, STR("img/x.png"), STR("x"));
	tree_add(t, STR("link.png"), STR("img/x.png"))->mode = 0120000;
	tree_add(t, STR("shared/s.txt"), STR("shared\n"));
	tree_add(t, STR("docs/in.png"), STR("x"));
	tree_add(t, STR("docs/README.md"), STR("# R\n"));
	tree_add(t, STR("docs/b.md"), STR("# B\n"));
	tree_add(t, STR("docs/a/page.md"), STR("# P\n"));
	tree_add(t, STR("docs/a/part.md"), STR("part\n"));
	tree_add(t, STR("docs/.gitbook/includes/n.md"), STR("n\n"));
	tree_add(t, STR("docs/other/.gitbook.yaml"), STR(""));
	tree_add(t, STR("docs/other/.gitbook/includes/o.md"), STR("o\n"));
	tree_add(t, STR("docs/SUMMARY.md"), STR("* [R](README.md)\n* [B](b.md)\n* [P](a/page.md)\n"));
	assert_true(tree_try(t, ""));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(used(t, cases[i].spelling, cases[i].included), cases[i].what) != 0)
			fail_msg("%s: %s", cases[i].spelling, used(t, cases[i].spelling, cases[i].included));
	/* A plain link never resolves to a file outside the root. */
	link = layout_resolve(t->arena, "a/page.md", STR("../../shared/s.txt"));
	assert_null(layout_find(&t->layout, &link).file);
	tree_free(t);
}

/* An included file is read when its text is needed; a file that is no text gives an error. */
static void
only_texts_can_be_included(void **state)
{
	static const struct { const char *path, *says; } cases[] = {
		{ "a.md", NULL }, { "b.txt", "no text" }, { "c.md", "LFS" }, { "d.md", "larger" } };
	struct tree *t = tree_new();
	struct layout_target target;
	struct layout_found f;
	const char *why;
	size_t i;

	(void)state;
	t->limits.page_bytes = 200;
	tree_add(t, STR("README.md"), STR("# R\n"));
	tree_add(t, STR("SUMMARY.md"), STR("* [R](README.md)\n"));
	tree_add(t, STR("a.md"), STR("---\ntitle: Mine\n---\n\n# Heading\n\ntext\n"));
	tree_add(t, STR("b.txt"), STR("a\0b"));
	tree_add(t, STR("c.md"), STR("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"));
	tree_add(t, STR("d.md"), (struct str){ memset(arena_alloc(t->arena, 300), 'x', 300), 300 });
	assert_true(tree_try(t, ""));
	/* The caller's limits may be out of scope by then. */
	t->limits = (struct layout_limits){ 0 };
	for (i = 0; i < 4; i++) {
		target = layout_resolve(t->arena, "README.md", str_of(cases[i].path));
		target.included = true;
		f = layout_find(&t->layout, &target);
		assert_non_null(f.include);
		assert_null(f.include->body.p);
		why = layout_include_read(&t->layout, (struct layout_include *)(uintptr_t)f.include);
		if (cases[i].says == NULL) {
			assert_null(why);
			assert_string_equal(f.include->title, "Mine");
			assert_memory_equal(f.include->body.p, "# Heading", 9);
		} else {
			assert_non_null(strstr(why, cases[i].says));
		}
	}
	tree_free(t);
}

static void
links_find_their_files(void **state)
{
	static const char *const cases[][2] = {
		{ "../b.md", "page b.md" },
		{ "../b", "page ~b.md" },
		{ "../b.html", "page ~b.md" },
		{ "./", "page a/README.md" },
		{ "../a", "page a/README.md" },
		{ "index.html", "page ~a/README.md" },
		{ "../e", "page e/index.md" },
		{ "../e/", "page e/index.md" },
		{ "../e/index.html", "page ~e/index.md" },
		{ "../f#x", "page ~f/_INDEX.md" },
		{ "/", "page README.md" },
		{ "..", "page README.md" },
		{ "#x", "page a/page.md" },
		{ "page.md#x", "page a/page.md" },
		{ "../case.md", "page ~Case.md" },
		{ "../img/x.png", "asset img/x.png" },
		{ "../img/100%2525.png", "asset img/100%25.png" },
		{ "../img/100%25.png", "asset img/100%25.png" },
		{ "../c#.md", "page c#.md" },
		{ "../c%23.md", "page c#.md" },
		{ "../.gitbook/assets/caf%C3%A9.png", "asset ~.gitbook/assets/cafe\xCC\x81.png" },
		{ "../.gitbook/assets/two.png", "asset .gitbook/assets/two.png" },
		{ "../.gitbook/assets/TWO.png", "nothing" },
		{ "../.gitbook/includes/i.md", "include .gitbook/includes/i.md" },
		{ "../unlisted.md", "file unlisted.md" },
		{ "../gone.md", "nothing" },
		{ "../img", "nothing" },
		{ "https://example.com/b.md", "nothing" },
		{ "broken-reference", "nothing" },
	};
	struct tree *t = space();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(found(t, cases[i][0]), cases[i][1]);
	tree_free(t);
}

static void
candidates_are_in_order(void **state)
{
	const char *const *list = layout_candidates(arena, "a/index.html");

	(void)state;
	assert_string_equal(list[0], "a/index.html");
	assert_string_equal(list[1], "a/index.html/README.md");
	assert_string_equal(list[2], "a/index.html.md");
	assert_string_equal(list[3], "a/index.md");
	assert_string_equal(list[4], "a/README.md");
	assert_null(list[5]);
	assert_string_equal(layout_candidates(arena, "index.html")[4], "README.md");
	assert_null(layout_candidates(arena, "xindex.html")[4]);
	list = layout_candidates(arena, "");
	assert_string_equal(list[0], "README.md");
	assert_string_equal(list[1], "index.md");
	assert_string_equal(list[2], "_index.md");
	assert_null(list[3]);
	list = layout_candidates(arena, "a");
	assert_string_equal(list[1], "a/README.md");
	assert_string_equal(list[2], "a/index.md");
	assert_string_equal(list[3], "a/_index.md");
	assert_string_equal(list[4], "a.md");
	assert_null(list[5]);
	/* A spelling with a file extension is not tried as a directory of another generator. */
	list = layout_candidates(arena, "a.md");
	assert_string_equal(list[2], "a.md.md");
	assert_null(list[3]);
}

static void
hostile_spellings_end_soon(void **state)
{
	/* Each piece repeated 20,000 times, and the length of the resulting path; -1: it is no path. */
	static const struct { const char *piece; int length; } rows[] = {
		{ "../", 59997 }, { "a/", 40001 }, { "&amp;", 20002 }, { "\\", 0 }, { "%41", 20002 }, { "[", 20002 }, { "](", 40002 },
		{ "<", 20002 }, { ">", 20002 }, { "\\>", 20002 }, { "&#0;", 60002 }, { "\n", -1 } };
	clock_t start = clock();
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct layout_target t;
		struct buf b;

		buf_init(&b, arena, 1 << 20);
		for (k = 0; k < 20000; k++)
			buf_str(&b, rows[i].piece);
		t = layout_resolve(arena, "a/b.md", buf_view(&b));
		assert_int_equal(t.kind, rows[i].length < 0 ? TARGET_NONE : TARGET_PATH);
		assert_int_equal(t.kind == TARGET_NONE ? -1 : (int)strlen(t.path), rows[i].length);
	}
	/* All of them take a hundredth of a second; quadratic time would be minutes. */
	assert_true((clock() - start) / CLOCKS_PER_SEC < 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(paths_are_resolved, set_up, tear_down),
		cmocka_unit_test_setup_teardown(spellings_are_decoded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(addresses_stay_addresses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(links_find_their_files, set_up, tear_down),
		cmocka_unit_test(shown_and_included_files_may_be_anywhere),
		cmocka_unit_test(only_texts_can_be_included),
		cmocka_unit_test_setup_teardown(candidates_are_in_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_spellings_end_soon, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
