/* Page files: frontmatter, title, body (layout 5). */
#include "arena_fixture.h"

#include <cjson/cJSON.h>

#include "layout/layout.h"
#include "layout/write.h"
#include "base/json.h"
#include "base/utf8.h"
#include "../../src/layout/layout_parts.h"

static struct page_file f;

static void
split_bytes(struct str s)
{
	page_file_split(arena, s, &f);
	assert_int_equal(f.front.n + f.body.n, s.n);
	if (s.n > 0)
		assert_memory_equal(f.front.p, s.p, f.front.n);
}

static void
split(const char *s)
{
	split_bytes(str_of(s));
}

static void
expect_body(const char *s)
{
	assert_string_equal(arena_strndup(arena, f.body.p, f.body.n), s);
}

/* Frontmatter alone: its properties. */
static const char *
props(const char *yaml)
{
	split(arena_printf(arena, "---\n%s---\n\n# T\n\nBody\n", yaml));
	expect_body("Body\n");
	assert_string_equal(f.h1, "T");
	return f.props;
}

static void
a_whole_page_is_split(void **state)
{
	(void)state;
	split("---\ndescription: >-\n  Shown under\n  the title\nicon: book-open\nhidden: true\n"
	    "cover: .gitbook/assets/hero.png\ncoverY: -126.29255898366611\ncoverHeight: 301\n---\n\n# Page title\n\nBody\n");
	assert_string_equal(f.props, "{\"description\":\"Shown under the title\",\"icon\":\"book-open\","
	    "\"hidden\":true,\"cover\":{\"ref\":\".gitbook/assets/hero.png\",\"yPos\":-126.29255898366611,\"height\":301}}");
	assert_string_equal(f.h1, "Page title");
	assert_int_equal(f.body_line, 14);
	assert_null(f.warning);
	expect_body("Body\n");
}

/* "{#id}" sets the title's id and is not shown. */
static void
a_title_may_name_its_id(void **state)
{
	(void)state;
	split("# Über uns {#about}\n\nBody\n");
	assert_string_equal(f.h1, "Über uns");
	assert_string_equal(f.h1_id, "about");
	expect_body("Body\n");
	split("# {#about}\n");
	assert_string_equal(f.h1, "{#about}");
	assert_null(f.h1_id);
}

/* Comments before the title belong to the text before the body: they are not shown, and the title is shown once. */
static void
comments_may_precede_the_title(void **state)
{
	(void)state;
	split("<!-- made by a tool -->\n\n# Title\n\nBody\n");
	assert_string_equal(f.h1, "Title");
	assert_int_equal(f.matter, 0);
	expect_body("Body\n");
	split("---\nicon: x\n---\n\n<!-- one\ntwo -->\n<!-- three -->  \n\nTitle\n=====\n\nBody\n");
	assert_string_equal(f.h1, "Title");
	assert_int_equal(f.matter, 17);
	assert_int_equal(f.body_line, 12);
	expect_body("Body\n");
	/*
	 * A comment belongs to the body if no title follows, if text follows it, if it has no end,
	 * or if it is code.
	 */
	/*
	 * Comments in the form of link definitions, which some editors insert; other definitions
	 * may be used by links.
	 */
	split("[//]: # (-*- mode: markdown -*-)\n\n# Title\n\nBody\n");
	assert_string_equal(f.h1, "Title");
	expect_body("Body\n");
	split("[comment]: <> (a)\n<!-- b -->\n# Title\nBody\n");
	expect_body("Body\n");
	split("[top]: # (a)\n\n# No title\n\n[x][top]\n");
	expect_body("[top]: # (a)\n\n# No title\n\n[x][top]\n");
	split("<!-- a -->\n\nBody\n");
	assert_null(f.h1);
	expect_body("<!-- a -->\n\nBody\n");
	split("<!-- a --> text\n# No title\n");
	expect_body("<!-- a --> text\n# No title\n");
	split("<!-- a\n\n# No title\n");
	expect_body("<!-- a\n\n# No title\n");
	split("    <!-- a -->\n\n# No title\n");
	expect_body("    <!-- a -->\n\n# No title\n");
	split("<!-- a -->");
	expect_body("<!-- a -->");
}

static void
a_page_needs_no_frontmatter(void **state)
{
	(void)state;
	split("");
	assert_string_equal(f.props, "{}");
	assert_null(f.h1);
	expect_body("");
	split("# T\nBody");
	assert_string_equal(f.h1, "T");
	assert_int_equal(f.body_line, 2);
	expect_body("Body");
	split(" \n\t\n\n");
	expect_body("");
	split("Body\n\n# Later\n");
	assert_null(f.h1);
	expect_body("Body\n\n# Later\n");
	split("\n---\ndescription: x\n---\n");
	assert_string_equal(f.props, "{}");
	expect_body("---\ndescription: x\n---\n");
}

static void
dividers_are_no_frontmatter(void **state)
{
	(void)state;
	split("---\n\nSome text.\n\n---\n\nMore.\n");
	assert_null(f.warning);
	expect_body("---\n\nSome text.\n\n---\n\nMore.\n");
	split("---\n* a\n* b\n---\n");
	expect_body("---\n* a\n* b\n---\n");
	split("---\nnever closed: 1\n\n# T\n");
	assert_null(f.warning);
	expect_body("---\nnever closed: 1\n\n# T\n");
	split("--- x\na: 1\n---\n");
	expect_body("--- x\na: 1\n---\n");
	split("----\na: 1\n---\n");
	expect_body("----\na: 1\n---\n");
}

static void
frontmatter_has_many_forms(void **state)
{
	(void)state;
	split("---\n---\n# T\n\nBody");
	assert_string_equal(f.props, "{}");
	expect_body("Body");
	split("\xEF\xBB\xBF---\r\ndescription: x\r\nicon: y\r\n---\r\n\r\n# T\r\n\r\nBody\r\n");
	assert_string_equal(f.props, "{\"description\":\"x\",\"icon\":\"y\"}");
	assert_int_equal(f.body_line, 8);
	expect_body("Body\r\n");
	split("--- \ndescription: x\n...\t\nBody");
	assert_string_equal(f.props, "{\"description\":\"x\"}");
	expect_body("Body");
	split("---\rdescription: x\r---\r# T\rBody");
	assert_string_equal(f.props, "{\"description\":\"x\"}");
	assert_string_equal(f.h1, "T");
	expect_body("Body");
	split("---\n# a comment\nicon: x # another\n---");
	assert_string_equal(f.props, "{\"icon\":\"x\"}");
	expect_body("");
}

static void
damaged_frontmatter_warns(void **state)
{
	(void)state;
	assert_string_equal(props("description: a: b\nicon: x\n"), "{}");
	assert_non_null(strstr(f.warning, "ignored"));
	assert_int_equal(f.warning_line, 2);
	assert_string_equal(props("icon: x\ndescription: >-\n\ta\n  b: [\n"), "{}");
	assert_non_null(f.warning);
	assert_string_equal(props("<<<<<<< HEAD\nicon: x\n=======\nicon: y\n>>>>>>> b\n") + 0, "{}");
	assert_string_equal(props("icon: x\nhidden: true\nicon: y\n"), "{\"icon\":\"x\",\"hidden\":true}");
	assert_int_equal(f.warning_line, 4);
}

static void
odd_values_are_read_as_texts(void **state)
{
	(void)state;
	assert_string_equal(props("description: 2024-01-31\n"), "{\"description\":\"2024-01-31\"}");
	assert_string_equal(props("description: true\n"), "{\"description\":\"true\"}");
	assert_string_equal(props("description: 1.10\n"), "{\"description\":\"1.10\"}");
	assert_string_equal(props("description:\n"), "{}");
	assert_string_equal(props("description: ''\n"), "{}");
	assert_string_equal(props("description: \"a\xC2\xA0z\"\n"), "{\"description\":\"a\xC2\xA0z\"}");
	assert_string_equal(props("description: |\n  a\n  b\n"), "{\"description\":\"a\\nb\"}");
	assert_string_equal(props("description: [a]\n"), "{}");
	assert_non_null(f.warning);
	assert_string_equal(props("hidden: false\nnoIndex: 'true'\nnoRobotsIndex: true\n"),
	    "{\"noIndex\":true,\"noRobotsIndex\":true}");
	assert_string_equal(props("hidden: maybe\n"), "{}");
	assert_non_null(f.warning);
	assert_string_equal(props("icon: fa-book\n"), "{\"icon\":\"book\"}");
	assert_string_equal(props("cover: a.png\ncoverY: high\ncoverHeight: 5000\n"),
	    "{\"cover\":{\"ref\":\"a.png\",\"yPos\":0,\"height\":700}}");
	assert_string_equal(props("coverY: 10\n"), "{}");
	assert_string_equal(props("title: x\nname: y\nkeywords: [a]\ndate: 1\nredirect_from: /z\n"), "{}");
	assert_null(f.warning);
}

static void
layout_is_flat(void **state)
{
	(void)state;
	assert_string_equal(props("layout:\n  width: wide\n  cover:\n    visible: true\n    size: full\n    mask: none\n"
	    "  title:\n    visible: false\n  tableOfContents: {visible: true}\n  anchors: false\n  actions:\n    visible: true\n"),
	    "{\"layout\":{\"width\":\"wide\",\"cover\":true,\"title\":false,\"tableOfContents\":true,"
	    "\"actions\":true,\"anchors\":false,\"coverSize\":\"full\",\"coverMask\":\"none\"}}");
	assert_string_equal(props("layout: default\n"), "{}");
	assert_null(f.warning);
	assert_string_equal(props("layout:\n  width: huge\n"), "{\"layout\":{}}");
	assert_int_equal(f.warning_line, 3);
}

static void
tags_variables_and_condition_are_read(void **state)
{
	(void)state;
	assert_string_equal(props("tags:\n  - beta\n  - tag: api\n    primary: true\n  - beta\n  - [x]\n"),
	    "{\"tags\":[{\"tag\":{\"kind\":\"tag\",\"tag\":\"beta\"}},"
	    "{\"tag\":{\"kind\":\"tag\",\"tag\":\"api\"},\"primary\":true}]}");
	assert_string_equal(props("tags: one\n"), "{\"tags\":[{\"tag\":{\"kind\":\"tag\",\"tag\":\"one\"}}]}");
	assert_string_equal(props("vars:\n  version: 3.10\n  on: true\n  9x: a\n  l: [a]\n  empty: ''\n"),
	    "{\"variables\":{\"version\":\"3.10\",\"on\":\"true\",\"empty\":\"\"}}");
	assert_int_equal(f.warning_line, 5);
	assert_string_equal(props("if: visitor.claims.a === true\n"), "{\"condition\":\"visitor.claims.a === true\"}");
	assert_null(f.condition_fault);
	assert_string_equal(props("if: ''\n"), "{}");
}

/* A condition that cannot be parsed hides the page from all readers. */
static void
an_unreadable_condition_hides_the_page(void **state)
{
	char *text = arena_alloc(arena, 1200);

	(void)state;
	assert_string_equal(props("if: visitor.claims.(\n"), "{\"condition\":\"visitor.claims.(\"}");
	assert_string_equal(f.warning, "if is not a valid expression, so the page is hidden: unexpected end at character 17");
	assert_int_equal(f.warning_line, 2);
	assert_string_equal(f.condition_fault, "unexpected end at character 17");
	assert_string_equal(props("if: [a, b]\n"), "{\"condition\":\"false\"}");
	assert_string_equal(props("if:\n  - a\n"), "{\"condition\":\"false\"}");
	/* Text that YAML would read as a tag or as null is taken as typed. */
	assert_string_equal(props("if: !visitor.claims.a\n"), "{\"condition\":\"!visitor.claims.a\"}");
	assert_string_equal(props("description: d\nif: !(visitor.claims.a)\n"), "{\"description\":\"d\",\"condition\":\"!(visitor.claims.a)\"}");
	assert_string_equal(props("if: !(\"a\" in visitor.claims)\ndescription: d\n"),
	    "{\"description\":\"d\",\"condition\":\"!(\\\"a\\\" in visitor.claims)\"}");
	assert_string_equal(props("if: visitor.claims.a ? false : true\n"), "{\"condition\":\"visitor.claims.a ? false : true\"}");
	assert_null(f.warning);
	/* So is the condition of a frontmatter with a syntax error at another place. */
	assert_string_equal(props("description: [\nif: 'visitor.claims.a'\n"), "{\"condition\":\"visitor.claims.a\"}");
	assert_non_null(f.warning);
	assert_string_equal(props("x: [\nif: >-\n  visitor.claims.a\n"), "{\"condition\":\">-\"}");
	assert_non_null(f.condition_fault);
	assert_string_equal(props("if:\nhidden: true\n"), "{\"hidden\":true}");
	assert_string_equal(props("if: ''\n"), "{}");
	assert_string_equal(props("if: null\n"), "{}");
	assert_string_equal(props("if: # none\n"), "{}");
	assert_string_equal(props("if: [a, b]\n"), "{\"condition\":\"false\"}");
	assert_non_null(f.condition_fault);
	memcpy(text, "if: ", 4);
	memset(text + 4, 'a', 1025);
	text[1029] = '\n';
	assert_string_equal(props(text), "{\"condition\":\"false\"}");
	assert_non_null(f.condition_fault);
}

static const char *
h1(const char *text)
{
	split(text);
	return f.h1 == NULL ? "(none)" : f.h1;
}

static void
a_title_is_the_text_of_its_heading(void **state)
{
	(void)state;
	assert_string_equal(h1("# A **bold** [link](x.md) `code` ~~no~~ \\[WIP\\] &amp; c"), "A bold link code no [WIP] & c");
	assert_string_equal(h1("# Title <a href=\"#x\" id=\"x\"></a>"), "Title");
	assert_string_equal(h1("# Title ##\nx"), "Title");
	assert_string_equal(h1("# C#\n"), "C#");
	assert_string_equal(h1("#\tTab\n"), "Tab");
	assert_string_equal(h1("   # Indented\n"), "Indented");
	assert_string_equal(h1("# 1. Introduction\n"), "1. Introduction");
	assert_string_equal(h1("# \xF0\x9F\x9A\x80 Go\n"), "\xF0\x9F\x9A\x80 Go");
	assert_string_equal(h1("# :rocket: Go im::floo::X\n"), "\xF0\x9F\x9A\x80 Go im::floo::X");
	assert_string_equal(h1("Title\n=====\n\nBody\n"), "Title");
	expect_body("Body\n");
	assert_string_equal(h1("#NoSpace\n"), "(none)");
	expect_body("#NoSpace\n");
	assert_string_equal(h1("    # code\n"), "(none)");
	assert_string_equal(h1("## Second\n"), "(none)");
	assert_string_equal(h1("#\n\nBody"), "(none)");
	expect_body("Body");
	assert_string_equal(h1("# One\n\n# Two\n"), "One");
	expect_body("# Two\n");
	assert_string_equal(h1("> q\n===\n"), "(none)");
	assert_string_equal(h1("# bad \xFF byte\n"), "bad \xEF\xBF\xBD byte");
}

static void
other_encodings_are_warned_about(void **state)
{
	(void)state;
	split("# caf\xE9\n\nBody \xE9\n");
	assert_non_null(strstr(f.warning, "not valid UTF-8"));
	split_bytes((struct str){ "\xFF\xFE#\0 \0x\0", 8 });
	assert_non_null(strstr(f.warning, "UTF-16"));
	split_bytes((struct str){ "# a\0b\n\nx\0y", 10 });
	assert_null(f.warning);
	assert_int_equal(f.body.n, 3);
	split("<<<<<<< HEAD\n# A\n=======\n# B\n>>>>>>> x\n");
	assert_null(f.h1);
}

static void
includes_keep_their_heading(void **state)
{
	(void)state;
	include_file_split(arena, STR("---\ntitle: Notice me\n---\n\n# Kept\n\ntext\n"), &f);
	assert_string_equal(f.title, "Notice me");
	expect_body("# Kept\n\ntext\n");
	include_file_split(arena, STR("text\n"), &f);
	assert_null(f.title);
	expect_body("text\n");
}

static void
hostile_files_end_soon(void **state)
{
	clock_t start = clock();
	size_t n = 1 << 20, i;
	char *text = arena_alloc(arena, n + 1);

	(void)state;
	memcpy(text, "---\na: ", 7);
	memset(text + 7, '[', n - 12);
	memcpy(text + n - 5, "\n---\n", 5);
	split_bytes((struct str){ text, n });
	assert_non_null(strstr(f.warning, "too large"));
	for (i = 0; i < n; i++)
		text[i] = "# []("[i % 5 == 0 && i > 5 ? 2 : i % 5];
	split_bytes((struct str){ text, n });
	memset(text, '\n', n);
	split_bytes((struct str){ text, n });
	memset(text, '#', n);
	split_bytes((struct str){ text, n });
	memset(text, '*', n);
	memcpy(text, "# ", 2);
	split_bytes((struct str){ text, n });
	assert_true((clock() - start) / CLOCKS_PER_SEC < 10);
}

static void
retitled(const char *old, const char *want)
{
	struct front_edit e = { .old = str_of(old), .old_title = "Old", .title = "New", .old_props = "{}", .props = "{}" };
	const char *fault;

	assert_string_equal(front_write(arena, &e, &fault).p, want);
	assert_null(fault);
	assert_null(json_arena(NULL));
}

/* Comments above a heading stay, however many lines they have. */
static void
a_new_title_keeps_comments(void **state)
{
	(void)state;
	retitled("# Old\n\n", "# New\n\n");
	retitled("Old\n===\n\n", "# New\n\n");
	retitled("<!-- a -->\n# Old\n\n", "<!-- a -->\n# New\n\n");
	retitled("<!-- a\nb\n-->\n# Old\n\n", "<!-- a\nb\n-->\n# New\n\n");
	retitled("<!--\n# Old\n-->\n\n# Old\n\n", "<!--\n# Old\n-->\n\n# New\n\n");
}

/* Any title comes back from its heading, and from its line in the table of contents. */
static void
odd_titles_come_back(void **state)
{
	static const char *const titles[] = { "R&D", "&amp; and &#35;", "a ~~b~~ c", "~", ":rocket:", "a :x: b", "10:x:20",
		"C #", "C#", "##", "A {#id}", "{#id}", "a\\b", "\\:x:", "\\\\:x:", "`a` *b* _c_ [d](e) <f> ![g]", "1. One", "- a",
		"> a", "# a", "a \\", "***", "===", "http://x.example", "&lt;b&gt;", "{% if a %}", ":+1: {#a}", "\xC3\xBC\xE2\x80\x94" };
	struct toc_item want[3];
	struct summary s;
	struct str text;
	struct buf b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		const char *title = titles[i];
		buf_init(&b, arena, 1000);
		heading_write(&b, title);
		buf_str(&b, "\n\nBody\n");
		split(b.p);
		assert_string_equal(f.h1, title);
		assert_null(f.h1_id);
		memset(want, 0, sizeof(want));
		want[0] = (struct toc_item){ .kind = LAYOUT_DOCUMENT, .title = title, .target = "a.md", .link_title = title, .parent = -1, .was = -1 };
		want[1] = (struct toc_item){ .kind = LAYOUT_DOCUMENT, .title = title, .parent = -1, .was = -1 };
		want[2] = (struct toc_item){ .kind = LAYOUT_GROUP, .title = title, .slug = "g", .parent = -1, .was = -1 };
		text = toc_write(arena, STR(""), NULL, 0, want, 3);
		assert_null(json_arena(NULL));
		s = (struct summary){ 0 };
		summary_parse(arena, text, 10, &s);
		assert_int_equal(s.count, 3);
		assert_string_equal(s.items->text.link_text, title);
		assert_string_equal(s.items->text.link_title, title);
		assert_string_equal(s.items->next->text.text, title);
		assert_string_equal(s.items->next->next->text.text, title);
	}
	/* A shortcode and an id without a backslash are unchanged. */
	split("# :rocket: `\\:x:` {#id}\n");
	assert_string_equal(f.h1, "\xF0\x9F\x9A\x80 \\:x:");
	assert_string_equal(f.h1_id, "id");
}

/* Words that YAML 1.1 or 1.2 reads as another type, as values and as names. */
static void
odd_words_of_computed_pages(void **state)
{
	static const char *const words[] = { "yes", "NO", "on", "off", "y", "N", "null", "Null", "true", "False", "-", "a:", ":", "/",
		"1e3", "2024-01-01", "~", "", "---", "a: b", "a #b", "<<", "=", "\x7F", "\xC2\x85", "\xEF\xBB\xBF", "a\nb", "\"\\" };
	struct toc_item want = { .kind = LAYOUT_COMPUTED, .title = "T", .parent = -1, .was = -1 };
	const char *error;
	struct summary s;
	struct str text;
	struct buf in, out;
	struct json j;
	size_t i, line;

	(void)state;
	buf_init(&in, arena, 10000);
	json_init(&j, &in);
	json_obj(&j);
	json_kobj(&j, "props");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		json_kstr(&j, words[i], words[i]);
	json_end(&j);
	json_kstr(&j, "type", "yes");
	json_end(&j);
	want.json = in.p;
	text = toc_write(arena, STR(""), NULL, 0, &want, 1);
	assert_null(json_arena(NULL));
	s = (struct summary){ 0 };
	summary_parse(arena, text, 10, &s);
	assert_int_equal(s.items->kind, SUMMARY_YAML);
	buf_init(&out, arena, 10000);
	if (!yaml_to_json(arena, s.items->yaml, &out, &error, &line))
		fail_msg("%s in %.*s", error, (int)text.n, text.p);
	assert_string_equal(out.p, in.p);
	/* All words that another parser would read differently are quoted. */
	assert_null(strstr(arena_strndup(arena, text.p, text.n), ": yes\n"));
	assert_null(strstr(arena_strndup(arena, text.p, text.n), " NO:"));
	assert_non_null(strstr(arena_strndup(arena, text.p, text.n), "\"yes\": \"yes\"\n"));
}

/* True for characters that end a line, or are forbidden, in YAML 1.1 or 1.2: no file may contain them unquoted. */
static bool
is_unsafe(uint32_t cp)
{
	return (cp < ' ' && cp != '\n') || (cp >= 0x7f && cp <= 0x9f) || cp == 0x2028 || cp == 0x2029 || cp == 0xfeff ||
	    cp == 0xfffe || cp == 0xffff;
}

static void
put_utf8(struct buf *b, uint32_t cp)
{
	static const unsigned lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned n = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4, k;

	buf_char(b, (char)(n == 1 ? cp : lead[n] | (cp >> (6 * (n - 1)))));
	for (k = 1; k < n; k++)
		buf_char(b, (char)(0x80 | ((cp >> (6 * (n - 1 - k))) & 0x3f)));
}

/* The character alone, between words, or in a text that is long enough to be folded. */
static const char *
form_of(struct arena *a, uint32_t cp, unsigned form)
{
	static const char *const before[] = { "a", "", "", "a", "words " }, *const behind[] = { "b", "", "b", "",
		" that go on until a line of them is longer than what fits into eighty columns of text" };
	struct buf b;

	buf_init(&b, a, 256);
	buf_str(&b, before[form]);
	put_utf8(&b, cp);
	buf_str(&b, behind[form]);
	return b.p;
}

/* Reads the text back with libyaml, as this project does, and checks each character. */
static void
expect_read(struct arena *a, const char *text, uint32_t cp)
{
	/* Spaces around a description are trimmed, and a description of spaces is empty. */
	struct str want = layout_trim(str_of(text));
	const char *trimmed = arena_strndup(a, want.p, want.n);
	bool none = want.n == 0, whole = strcmp(trimmed, text) == 0;
	const char *fault;
	struct front_edit e = { .title = "T", .old_props = "{}" };
	struct page_file read;
	struct str front, rest;
	uint32_t c;
	size_t n;
	struct json j;
	struct buf b;
	const cJSON *v;

	buf_init(&b, a, 4096);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "description", text);
	json_end(&j);
	e.props = b.p;
	front = front_write(a, &e, &fault);
	if (fault != NULL && whole)
		fail_msg("U+%04X: %s", (unsigned)cp, fault);
	for (rest = front; (n = utf8_next(rest, &c)) > 0; rest = str_slice(rest, n, rest.n))
		if (is_unsafe(c))
			fail_msg("U+%04X stands bare", (unsigned)c);
	assert_int_equal(rest.n, 0);
	page_file_split(a, front, &read);
	v = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(read.props == NULL ? "{}" : read.props), "description");
	if (!none && (!cJSON_IsString(v) || strcmp(v->valuestring, trimmed) != 0))
		fail_msg("U+%04X: %.*s", (unsigned)cp, (int)front.n, front.p);
}

/* Every character comes back, written in bytes that readers of YAML 1.1 and 1.2 read in the same way. */
static void
all_characters_come_back_from_yaml(void **state)
{
	struct arena *a = arena_new(16 << 20);
	unsigned form;
	uint32_t cp;

	(void)state;
	for (cp = 1; cp <= 0x10ffff; cp++) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		/* Beyond the first plane no character is special in YAML: one form of every 16th one. */
		for (form = 0; form < (cp < 0x3100 || (cp >= 0xfe00 && cp < 0x10010) ? 5 : cp < 0x10000 || cp % 16 == 0 ? 1 : 0); form++) {
			json_arena(a);
			expect_read(a, form_of(a, cp, form), cp);
			arena_reset(a);
		}
	}
	json_arena(NULL);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_whole_page_is_split, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_title_may_name_its_id, set_up, tear_down),
		cmocka_unit_test_setup_teardown(comments_may_precede_the_title, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_page_needs_no_frontmatter, set_up, tear_down),
		cmocka_unit_test_setup_teardown(dividers_are_no_frontmatter, set_up, tear_down),
		cmocka_unit_test_setup_teardown(frontmatter_has_many_forms, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damaged_frontmatter_warns, set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_values_are_read_as_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(layout_is_flat, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tags_variables_and_condition_are_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_unreadable_condition_hides_the_page, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_title_is_the_text_of_its_heading, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_new_title_keeps_comments, set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_titles_come_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(odd_words_of_computed_pages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_encodings_are_warned_about, set_up, tear_down),
		cmocka_unit_test_setup_teardown(includes_keep_their_heading, set_up, tear_down),
		cmocka_unit_test_setup_teardown(hostile_files_end_soon, set_up, tear_down),
		cmocka_unit_test(all_characters_come_back_from_yaml),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
