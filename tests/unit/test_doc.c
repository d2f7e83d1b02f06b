/*
 * The document module on hand-written Markdown: each construct, what is written from it, and hostile or broken input.
 */
#include <time.h>

#include "doc_fixture.h"

static struct arena *a;

static int
setup(void **state)
{
	(void)state;
	a = arena_new((size_t)2 << 30);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

static struct str
fixture(const char *name)
{
	FILE *f = fopen(arena_printf(a, "tests/fixtures/doc/%s", name), "rb");
	struct buf b;
	char chunk[4096];
	size_t n;

	assert_non_null(f);
	buf_init(&b, a, 1 << 24);
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&b, chunk, n);
	fclose(f);
	return buf_view(&b);
}

/* The JSON of the Markdown's nodes must contain this text. */
static void
expect_json(const char *markdown, const char *json)
{
	const char *all = doc_text(a, parse(a, markdown), false);

	if (strstr(all, json) == NULL)
		fail_msg("%s\ngives %s\nwithout %s", markdown, all, json);
}

/* The Markdown must be written as `as` after a round trip. */
static void
expect_written(const char *markdown, const char *as)
{
	const char *out = markdown_of(a, parse(a, markdown));

	if (strcmp(out, as) != 0)
		fail_msg("%s\ncame back as\n%s", markdown, out);
}

static void
expect_same(const char *markdown)
{
	expect_written(markdown, markdown);
}

static void
the_fixture_is_a_fixpoint(void **state)
{
	struct doc *d = doc_parse(a, fixture("syntax.md"), NULL, NULL, NULL), *e;
	const char *one = markdown_of(a, d), *json = doc_text(a, d, true);

	(void)state;
	e = parse(a, one);
	assert_string_equal(doc_text(a, d, false), doc_text(a, e, false));
	assert_string_equal(one, markdown_of(a, e));
	e = read_back(a, json);
	assert_non_null(e);
	assert_string_equal(json, doc_text(a, e, true));
	assert_string_equal(one, markdown_of(a, e));
}

static void
the_fixture_has_every_node(void **state)
{
	static const char *const types[] = { "paragraph", "heading-1", "heading-2", "heading-3",
		"list-unordered", "list-ordered", "list-tasks", "list-item", "blockquote", "hint", "code",
		"code-line", "divider", "math", "images", "image", "file", "drawing", "embed", "content-ref",
		"table", "expandable", "tabs", "tabs-item", "stepper", "stepper-step", "columns", "column",
		"updates", "update", "prompt", "reusable-content", "integration", "swagger",
		"openapi-operation", "openapi-schemas", "openapi-webhook", "if", "link", "inline-math",
		"annotation", "emoji", "mention", "inline-image", "button", "icon", "expression" };
	const char *json = doc_text(a, doc_parse(a, fixture("syntax.md"), NULL, NULL, NULL), false);

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strstr(json, arena_printf(a, "\"type\":\"%s\"", types[i])) == NULL)
			fail_msg("no %s", types[i]);
}

static void
retired_forms_are_replaced(void **state)
{
	(void)state;
	expect_written("{% page-ref page=\"x.md\" %}\n", "{% content-ref url=\"x.md\" %}\n[x.md](x.md)\n{% endcontent-ref %}\n");
	expect_written("{% code-tabs %}\n{% code-tabs-item title=\"a.js\" %}\n```js\nx\n```\n{% endcode-tabs-item %}\n{% endcode-tabs %}\n",
	    "{% tabs %}\n{% tab title=\"a.js\" %}\n```js\nx\n```\n{% endtab %}\n{% endtabs %}\n");
	expect_written("{% swagger src=\"a.yaml\" path=\"/x/a\\_b\" method=get %}\n[a](a.yaml)\n{% endswagger %}\n",
	    "{% openapi src=\"a.yaml\" path=\"/x/a_b\" method=\"get\" %}\n[a.yaml](a.yaml)\n{% endopenapi %}\n");
	expect_written("<div data-gb-custom-block data-tag=\"hint\" data-style=\"info\" class=\"hint hint-info\"><p>x</p></div>\n",
	    "{% hint style=\"info\" %}\nx\n{% endhint %}\n");
	expect_written("a <span data-gb-custom-inline data-tag=\"emoji\" data-code=\"2705\">x</span>\n", "a :white_check_mark:\n");
	expect_written("{% embed url=\"https://e.org\" caption=\"Old\" %}\n", "{% embed url=\"https://e.org\" %}\nOld\n{% endembed %}\n");
	expect_same("{% api-method method=\"get\" host=\"h\" path=\"/x\" %}\n");
	expect_same("{% swagger method=\"get\" path=\"/x\" %}\n");
}

static void
misplaced_tags_are_read(void **state)
{
	(void)state;
	expect_written("{% tabs %}{% tab title=\"A\" %} text {% endtab %}{% endtabs %}",
	    "{% tabs %}\n{% tab title=\"A\" %}\ntext\n{% endtab %}\n{% endtabs %}\n");
	expect_written("before {% hint style=\"info\" %} in {% endhint %} after",
	    "before\n\n{% hint style=\"info\" %}\nin\n{% endhint %}\n\nafter\n");
	expect_written("<table><tr><td>x</td></tr></table>{% hint style=\"tip\" %}\nx\n{% endhint %}",
	    "<table data-header-hidden><thead><tr><th></th></tr></thead><tbody><tr><td>x</td></tr></tbody></table>\n\n"
	    "{% hint style=\"success\" %}\nx\n{% endhint %}\n");
	expect_written("* item\n\n      {%- hint style='warning' -%}\n      in it\n      {%- endhint -%}\n",
	    "*   item\n\n    {% hint style=\"warning\" %}\n    in it\n    {% endhint %}\n");
	expect_written("{% tab title=”T” %}\nx\n{% endtab %}\n", "{% tabs %}\n{% tab title=\"T\" %}\nx\n{% endtab %}\n{% endtabs %}\n");
	expect_written("{% hint style=\"info\" %}\n* item\n  {% endhint %}\nafter\n",
	    "{% hint style=\"info\" %}\n* item\n{% endhint %}\n\nafter\n");
	expect_written("| a |\n|---|\n| b |\n{% hint style=\"info\" %}\nx\n{% endhint %}\n",
	    "| a   |\n| --- |\n| b   |\n\n{% hint style=\"info\" %}\nx\n{% endhint %}\n");
}

static void
tags_are_text_in_code(void **state)
{
	(void)state;
	expect_same("```\n{% hint style=\"info\" %}\n```\n");
	expect_same("Write `{% hint %}` here\n");
	expect_json("<pre><code>{% tabs %}\n</code></pre>", "\"text\":\"{% tabs %}\"");
}

static size_t warned_line;
static char   warned[200];

static void
on_warning(void *ctx, size_t line, const char *message)
{
	(void)ctx;
	warned_line = line;
	snprintf(warned, sizeof(warned), "%s", message);
}

static void
faulty_tags_give_warnings(void **state)
{
	(void)state;
	doc_parse(a, STR("x\n\n{% hint style=\"info\" %}\ny\n"), NULL, on_warning, NULL);
	assert_int_equal(warned_line, 3);
	assert_string_equal(warned, "{% hint %} is never closed");
	doc_parse(a, STR("x\n\n{% endtab %}\n"), NULL, on_warning, NULL);
	assert_string_equal(warned, "{% endtab %} without its beginning");
	doc_parse(a, STR("{% hint style=\"odd\" %}\n{% endhint %}\n"), NULL, on_warning, NULL);
	assert_string_equal(warned, "there is no hint style \"odd\"; it is shown as info");
}

static void
raw_html_is_kept(void **state)
{
	(void)state;
	expect_same("<!-- a\n\nb -->\n");
	expect_same("a <!-- b --> c\n");
	expect_same("<script>alert(1)</script>\n");
	expect_json("<script>alert(1)</script>", "\"text\":\"<script>alert(1)</script>\"");
	expect_json("<!-- hidden -->", "\"text\":\"\",\"marks\":[],\"raw\":\"<!-- hidden -->\"");
	expect_json("a <b onclick=x>b</b>", "\"text\":\"b\",\"marks\":[{\"object\":\"mark\",\"type\":\"bold\"}]");
	expect_json("use List<String> or <param>", "\"raw\":\"<param>\"");
	expect_same("{% unknown a=\"%}\" b_c_d %}\n");
}

static void
headings_get_anchors(void **state)
{
	(void)state;
	expect_json("## Same\n\n## Same\n\n## Same", "\"id\":\"same-2\"");
	expect_json("## 27.2.13 pg_stat_all & Ünïcode, l'été", "\"id\":\"27-2-13-pg_stat_all-and-unicode-lete\"");
	expect_json("## Title <a href=\"#own\" id=\"own\"></a>", "\"id\":\"own\"");
	expect_json("## Title <a id=\"old\"></a>", "\"id\":\"old\"");
	expect_same("## Title <a href=\"#own\" id=\"own\"></a>\n");
	expect_written("## Title <a href=\"#title\" id=\"title\"></a>\n", "## Title\n");
	expect_json("## 概要", "\"id\":\"概要\"");
	expect_json("## :tada:", "\"id\":\"section\"");
}

static void
special_characters_are_escaped(void **state)
{
	static const char *const texts[] = { "# a", "- a", "+", "1. a", "1) a", "> a", "| a |", "[a](b)", "*a*", "_a_",
		"__init__", "<a>", "&amp;", "{% hint %}", "{{ x }}", ":smile:", "$$x$$", "`a`", "a\\", "  a  ", "```",
		"~~~", "===", "---", "***", "[^1]", "[x]: y", "!", "![a](b)", "a\nb", "~a~", "<!-- -->", "\\*", "\ta",
		"* * *", "- - -", "| - |", "a\n---", "snake_case_name", "2 * 3 * 4", "a|b", "#tag", "C#", "1.5", "http://x" };
	struct doc *d;
	const char *json, *why, *where, *md;
	cJSON *c;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct buf b;
		struct json j;
		buf_init(&b, a, 4096);
		json_init(&j, &b);
		json_str(&j, texts[i]);
		json = arena_printf(a, "{\"object\":\"document\",\"nodes\":[{\"object\":\"block\",\"type\":\"paragraph\","
		    "\"nodes\":[{\"object\":\"text\",\"leaves\":[{\"object\":\"leaf\",\"text\":%s,\"marks\":[]}]}]}]}", b.p);
		c = cJSON_Parse(json);
		d = doc_read(a, c, &where, &why);
		cJSON_Delete(c);
		assert_non_null(d);
		md = markdown_of(a, d);
		if (strcmp(doc_text(a, d, false), doc_text(a, parse(a, md), false)) != 0)
			fail_msg("text %s was written %s", texts[i], md);
	}
}

static void
one_style_is_written(void **state)
{
	(void)state;
	expect_written("- a\n+ b\n", "* a\n\n- b\n");
	expect_written("Title\n=====\n\nsoft\nwrap  \nbreak\n\n---\n", "## Title\n\nsoft wrap\\\nbreak\n\n***\n");
	expect_written("<http://e.org>\n", "[http://e.org](http://e.org)\n");
	expect_written("    code\n", "```\ncode\n```\n");
	expect_written("![alone](x.png \"Cap\")\n",
	    "<figure><img src=\"x.png\" alt=\"alone\"><figcaption><p>Cap</p></figcaption></figure>\n");
}

static bool
lookup(void *ctx, struct arena *ar, struct str s, enum doc_use use, struct doc_ref *out)
{
	(void)ctx, (void)ar;
	if (use == USE_LINK && str_is(s, "a b.md")) {
		*out = (struct doc_ref){ .kind = REF_PAGE, .id = "p1" };
		return true;
	}
	if (use == USE_FILE && str_is(s, "i.png")) {
		*out = (struct doc_ref){ .kind = REF_FILE, .id = "f1" };
		return true;
	}
	return false;
}

static bool
spell(void *ctx, struct arena *ar, const struct doc_ref *r, enum doc_use use, struct buf *out)
{
	(void)ctx, (void)ar, (void)use;
	if (r->kind != REF_PAGE)
		return false;
	buf_str(out, "../new place.md");
	return true;
}

static void
references_are_resolved_and_written(void **state)
{
	struct doc_refs refs = { lookup, spell, NULL };
	struct doc *d = doc_parse(a, STR("[x](a%20b.md) [y](gone.md) [z](#here) ![](i.png)"), &refs, NULL, NULL);
	const char *json = doc_text(a, d, false);
	struct buf out;

	(void)state;
	assert_non_null(strstr(json, "{\"kind\":\"page\",\"page\":\"p1\"}"));
	assert_non_null(strstr(json, "{\"kind\":\"url\",\"url\":\"gone.md\"}"));
	assert_non_null(strstr(json, "{\"kind\":\"anchor\",\"anchor\":\"here\"}"));
	assert_non_null(strstr(json, "{\"kind\":\"file\",\"file\":\"f1\"}"));
	buf_init(&out, a, 4096);
	doc_markdown(&out, d, &refs);
	assert_string_equal(out.p, "[x](<../new place.md>) [y](gone.md) [z](#here) ![](i.png)\n");
	d = parse(a, "x");
	d = read_back(a, "{\"object\":\"document\",\"nodes\":[{\"object\":\"block\",\"type\":\"content-ref\",\"isVoid\":true,"
	    "\"data\":{\"ref\":{\"kind\":\"page\",\"page\":\"lost\"}}}]}");
	assert_non_null(strstr(markdown_of(a, d), "/broken/pages/lost"));
}

static bool
respell(void *ctx, const struct doc_link *l, struct buf *out)
{
	(void)ctx;
	if (!str_starts(l->spelling, "a"))
		return false;
	buf_str(out, "b (\"1\") & c.md");
	return true;
}

static void
links_are_found_and_replaced(void **state)
{
	struct str body = STR("[x](a.md) `[n](a.md)` [y](<a b.md> \"t\") [z][r] <a href=\"a.md\">q</a>\n\n"
	    "```\n[no](a.md)\n```\n\n| [t](a%20c.md) |\n|---|\n| [[u](a.md)](v.md) |\n\n"
	    "{% content-ref url=\"a.md\" %}\n{% endcontent-ref %}\n\n{% include \"a.md\" %}\n\n[r]: a\\_d.md\n");
	struct doc_link *l = doc_links(a, body);
	struct buf out;

	(void)state;
	assert_int_equal(l->from, 4);
	assert_int_equal(l->to, 8);
	l = l->next;
	assert_true(str_is(l->spelling, "a b.md"));
	assert_int_equal(l->line, 1);
	l = l->next;
	assert_true(str_is(l->spelling, "a.md"));
	l = l->next;
	assert_true(str_is(l->spelling, "a c.md"));
	assert_int_equal(l->line, 7);
	buf_init(&out, a, 4096);
	doc_respell(&out, a, body, respell, NULL);
	assert_string_equal(out.p,
	    "[x](<b (\"1\") & c.md>) `[n](a.md)` [y](<b (\"1\") & c.md> \"t\") [z][r] "
	    "<a href=\"b (&#x22;1&#x22;) &#x26; c.md\">q</a>\n\n"
	    "```\n[no](a.md)\n```\n\n| [t](<b (\"1\") & c.md>) |\n|---|\n| [[u](<b (\"1\") & c.md>)](v.md) |\n\n"
	    "{% content-ref url=\"b (\\\"1\\\") & c.md\" %}\n{% endcontent-ref %}\n\n"
	    "{% include \"b (\\\"1\\\") & c.md\" %}\n\n[r]: <b (\"1\") & c.md>\n");
}

/* A body of tags alone: every way to write a target, and tags without a target. */
static void
targets_of_tags_are_links(void **state)
{
	static const char *const bodies[] = { "{% include \"a.md\" %}\n", "{% include 'a.md' %}\n",
		"{% include \xE2\x80\x9C" "a.md\xE2\x80\x9D %}\n", "{% content-ref url=a.md %}\n", "{% file src='a.md' %}\n" };
	struct doc_link *l;

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
		l = doc_links(a, str_of(bodies[i]));
		assert_non_null(l);
		assert_true(str_is(l->spelling, "a.md"));
		assert_null(l->next);
	}
	assert_null(doc_links(a, STR("{% stepper %}\n{% step %}\na\n{% endstep %}\n{% endstepper %}\n{% x %}\n")));
}

static bool
respell_as_is(void *ctx, const struct doc_link *l, struct buf *out)
{
	(void)ctx;
	buf_put(out, l->spelling);
	return true;
}

/* A bar or backquote in a replaced target is escaped, so that the text around it keeps its meaning. */
static void
replaced_targets_are_escaped(void **state)
{
	struct str body = STR("[`x`](a.md#b%60) and [`y`](c.md)\n\n| [t](a%7Cb.md) | <a href=\"d%7C.md\">d</a> |\n|---|---|\n");
	struct buf out;

	(void)state;
	buf_init(&out, a, 4096);
	doc_respell(&out, a, body, respell_as_is, NULL);
	assert_string_equal(out.p, body.p);
}

static void
blocks_keep_their_keys(void **state)
{
	struct str one = STR("# A\n\ntext\n\n{% hint style=\"info\" %}\nx\n\ny\n{% endhint %}\n\ntext\n");
	struct str two = STR("# A\n\nother\n\n{% hint style=\"info\" %}\nx\n\ny\n{% endhint %}\n\ntext\n");
	struct doc_block *b, *c;
	size_t n, m;

	(void)state;
	b = doc_blocks(a, one, &n);
	c = doc_blocks(a, two, &m);
	assert_int_equal(n, 4);
	assert_int_equal(m, 4);
	assert_string_equal(b[2].type, "hint");
	assert_true(str_is(b[2].source, "{% hint style=\"info\" %}\nx\n\ny\n{% endhint %}\n\n"));
	assert_string_equal(b[0].key, c[0].key);
	assert_string_not_equal(b[1].key, c[1].key);
	assert_string_equal(b[2].key, c[2].key);
	assert_string_equal(b[3].key, arena_printf(a, "%s-1", b[1].key));
	assert_non_null(strstr(doc_text(a, doc_parse(a, one, NULL, NULL, NULL), true), b[2].key));
	doc_blocks(a, STR(""), &n);
	assert_int_equal(n, 0);
	b = doc_blocks(a, STR("\n\n"), &n);
	assert_int_equal(n, 1);
	assert_string_equal(b[0].type, "");
}

static void
sections_begin_at_headings(void **state)
{
	struct doc *d = parse(a, "Intro **here**.\n\n## One\n\n`code` [link](x.md)\n\n"
	    "{% hint style=\"info\" %}\n### Two\n\ndeep\n{% endhint %}\n");
	struct doc_section *s;
	size_t n;

	(void)state;
	s = doc_sections(a, d, &n);
	assert_int_equal(n, 3);
	assert_null(s[0].heading);
	assert_string_equal(s[0].text, "Intro here.");
	assert_string_equal(s[1].anchor, "one");
	assert_int_equal(s[1].level, 2);
	assert_string_equal(s[1].text, "code link");
	assert_string_equal(s[2].heading, "Two");
	assert_string_equal(s[2].text, "deep");
	assert_int_equal(doc_words("don't stop -- now"), 3);
	assert_int_equal(doc_words("概要 and 説明"), 5);
	assert_int_equal(doc_words(""), 0);
}

/* The content of a condition is a section, and so is the text after it. */
static void
conditions_are_sections(void **state)
{
	struct doc *d = parse(a, "{% if x %}\nfirst\n{% endif %}\n\n## One\n\nopen\n\n{% if a %}\nof a\n\n"
	    "{% if b %}\n### Two\n\nof b\n{% endif %}\n\nof a again\n{% endif %}\n\nlast\n\n{% if c %}\nof c\n{% endif %}\n");
	static const struct { const char *under, *anchor, *text, *condition; bool part; } want[] = {
		{ NULL, NULL, "", NULL, false }, { NULL, NULL, "first", "x", true }, { NULL, NULL, "", NULL, true },
		{ "One", "one", "open", NULL, false }, { "One", "one", "of a", "a", true },
		{ "One", "one", "", "a" DOC_AND "b", true }, { "Two", "two", "of b", "a" DOC_AND "b", false },
		{ "One", "one", "of a again", "a", true }, { "One", "one", "last", NULL, true },
		{ "One", "one", "of c", "c", true } };
	struct doc_section *s;
	size_t n, i;

	(void)state;
	s = doc_sections(a, d, &n);
	assert_int_equal(n, sizeof(want) / sizeof(want[0]));
	for (i = 0; i < n; i++) {
		assert_true(same_text(s[i].part ? s[i].under : s[i].heading, want[i].under));
		assert_true(same_text(s[i].anchor, want[i].anchor));
		assert_string_equal(s[i].text, want[i].text);
		assert_true(same_text(s[i].condition, want[i].condition));
		assert_int_equal(s[i].part, want[i].part);
		assert_true(!s[i].part || s[i].heading == NULL);
	}
}

/* Children of a container that are inside a condition stay there: they get their own container. */
static void
conditional_children_stay_inside(void **state)
{
	static const char *const tags[][2] = { { "tabs", "tab title=\"t\"" }, { "stepper", "step" },
		{ "updates format=\"full\"", "update date=\"2026-01-02\"" }, { "columns", "column" } };
	struct doc_section *s;
	size_t i, k, n;
	char *text;

	(void)state;
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		int outer = (int)strcspn(tags[i][0], " "), inner = (int)strcspn(tags[i][1], " ");
		text = arena_printf(a, "{%% %s %%}\n{%% %s %%}\nopen\n{%% end%.*s %%}\n{%% if x %%}\n{%% %s %%}\nveiled\n"
		    "{%% end%.*s %%}\n{%% %s %%}\nveiled too\n{%% end%.*s %%}\n{%% endif %%}\n{%% end%.*s %%}\n",
		    tags[i][0], tags[i][1], inner, tags[i][1], tags[i][1], inner, tags[i][1], tags[i][1], inner, tags[i][1],
		    outer, tags[i][0]);
		s = doc_sections(a, parse(a, text), &n);
		for (k = 0; k < n; k++) {
			assert_true(strstr(s[k].text, "veiled") == NULL || same_text(s[k].condition, "x"));
			assert_true(strstr(s[k].text, "open") == NULL || s[k].condition == NULL);
		}
		assert_true(n > 1);
	}
}

/* doc_read() must refuse the nodes, and name the place and the reason. */
static void
expect_refused(const char *nodes, const char *where, const char *why)
{
	const char *w = "", *y = "";
	cJSON *c = cJSON_Parse(arena_printf(a, "{\"object\":\"document\",\"nodes\":%s}", nodes));

	assert_non_null(c);
	if (doc_read(a, c, &w, &y) != NULL)
		fail_msg("%s was accepted", nodes);
	cJSON_Delete(c);
	assert_string_equal(w, where);
	assert_non_null(strstr(y, why));
}

static void
invalid_nodes_are_refused(void **state)
{
	(void)state;
	expect_refused("{}", "/nodes", "list");
	expect_refused("[{\"object\":\"block\",\"type\":\"odd\"}]", "/nodes/0", "unknown type");
	expect_refused("[{\"object\":\"block\",\"type\":\"divider\",\"data\":{}},"
	    "{\"object\":\"block\",\"type\":\"hint\",\"data\":{\"style\":\"x\"},\"nodes\":[]}]",
	    "/nodes/1/data/style", "one of");
	expect_refused("[{\"object\":\"block\",\"type\":\"list-item\",\"nodes\":[]}]", "/nodes/0", "outside of its parent");
	expect_refused("[{\"object\":\"block\",\"type\":\"paragraph\",\"nodes\":[{\"object\":\"text\",\"leaves\":[{\"text\":\"x\","
	    "\"marks\":[{\"type\":\"odd\"}]}]}]}]", "/nodes/0/nodes/0/leaves/0/marks", "mark");
	expect_refused("[{\"object\":\"block\",\"type\":\"embed\",\"data\":{}}]", "/nodes/0/data/url", "missing");
	expect_refused("[{\"object\":\"block\",\"type\":\"file\",\"data\":{\"ref\":{\"kind\":\"url\",\"url\":\"x\"}}}]", "/nodes/0/data/ref", "kind");
	expect_refused("[{\"object\":\"block\",\"type\":\"tabs\",\"nodes\":[]}]", "/nodes/0", "children");
	expect_refused("[{\"object\":\"block\",\"type\":\"table\",\"data\":{}}]", "/nodes/0/data", "view");
	expect_refused("[{\"object\":\"block\",\"type\":\"table\",\"data\":{\"view\":{\"type\":\"grid\",\"columns\":[\"a/~\"]},"
	    "\"definition\":{\"a/~\":{\"id\":\"a/~\",\"title\":\"A\",\"type\":\"odd\"}},\"records\":{}}}]",
	    "/nodes/0/data/definition/a~1~0", "");
	expect_refused("[{\"object\":\"block\",\"type\":\"update\"}]", "/nodes/0", "outside");
	expect_refused("[{\"object\":\"block\",\"type\":\"expandable\",\"fragments\":[{\"type\":\"expandable-body\","
	    "\"nodes\":[{\"object\":\"block\",\"type\":\"divider\"}]}]}]", "/nodes/0", "expandable-title");
}

/* Comments between blocks are kept, but clients do not get them as blocks. */
static void
comments_are_kept_without_blocks(void **state)
{
	static const char md[] = "<!-- one -->\n\nText.\n\n<!-- two -->\n\n* <!-- three -->\n\n  item\n* <!-- alone -->\n\n"
	    "{% hint style=\"info\" %}\nx\n\n<!-- four -->\n{% endhint %}\n\n<!-- five -->\n\n<!-- six -->\n";
	const char *json = doc_text(a, parse(a, md), false);
	struct doc *d = read_back(a, json);

	(void)state;
	assert_non_null(strstr(json, "\"rawBefore\":[\"<!-- one -->\"]"));
	assert_non_null(strstr(json, "\"rawBefore\":[\"<!-- two -->\"]"));
	assert_non_null(strstr(json, "\"rawBefore\":[\"<!-- three -->\"]"));
	assert_non_null(strstr(json, "\"rawAfter\":[\"<!-- four -->\"]"));
	assert_non_null(strstr(json, "\"rawAfter\":[\"<!-- five -->\",\"<!-- six -->\"]"));
	/* An item must contain a block. */
	assert_null(strstr(strstr(json, "\"text\":\"\"") + 1, "\"text\":\"\""));
	assert_non_null(d);
	assert_string_equal(doc_text(a, d, false), json);
	assert_string_equal(markdown_of(a, d), markdown_of(a, parse(a, md)));
	/* The start and end tag of an anchor are one block. */
	json = doc_text(a, parse(a, "<a name=\"x\"></a>\n\nText.\n"), false);
	assert_non_null(strstr(json, "\"rawBefore\":[\"<a name=\\\"x\\\"></a>\"]"));
	assert_string_equal(markdown_of(a, read_back(a, json)), "<a name=\"x\"></a>\n\nText.\n");
	/* An element that shows something cannot be hidden in this way. */
	d = read_back(a, "{\"object\":\"document\",\"nodes\":[{\"object\":\"block\",\"type\":\"divider\",\"data\":{},"
	    "\"rawBefore\":[\"<p>x</p>\",\"plain\",7],\"rawAfter\":\"<!-- x -->\"}]}");
	assert_string_equal(markdown_of(a, d), "***\n");
}

/*
 * Clients get headings of levels 5 and 6 as bold paragraphs, as the published service sends them;
 * the source keeps its level.
 */
static void
low_headings_are_bold_paragraphs(void **state)
{
	static const char md[] = "##### Five _and_ a half\n\n###### Six <a href=\"#other\" id=\"other\"></a>\n";
	const char *json = doc_text(a, parse(a, md), false);
	struct doc *d = read_back(a, json);
	struct doc_section *s;
	size_t n;

	(void)state;
	assert_null(strstr(json, "heading"));
	assert_non_null(strstr(json, "\"type\":\"paragraph\",\"data\":{},\"nodes\":[{\"object\":\"text\",\"leaves\":["
	    "{\"object\":\"leaf\",\"text\":\"Five \",\"marks\":[{\"object\":\"mark\",\"type\":\"bold\"}]}"));
	assert_non_null(strstr(json, "\"meta\":{\"id\":\"other\"},\"level\":6"));
	assert_string_equal(markdown_of(a, d), md);
	assert_string_equal(doc_text(a, d, false), json);
	assert_string_equal(doc_text(a, parse(a, "##### **Five** *and* a half\n"), false),
	    doc_text(a, parse(a, "##### Five *and* a half\n"), false));
	s = doc_sections(a, parse(a, md), &n);
	assert_int_equal(n, 3);
	assert_int_equal(s[1].level, 5);
}

static void
invalid_bytes_are_replaced(void **state)
{
	(void)state;
	expect_json("a\xff\xfe" "b", "a\xEF\xBF\xBD\xEF\xBF\xBD" "b");
	assert_non_null(strstr(doc_text(a, doc_parse(a, (struct str){ "a\0b", 3 }, NULL, NULL, NULL), false), "a\xEF\xBF\xBD" "b"));
	assert_string_equal(doc_text(a, parse(a, ""), false),
	    "{\"object\":\"document\",\"data\":{\"schemaVersion\":1},\"nodes\":[]}");
	expect_written("a\r\nb\r\n\r\n```\r\nc\r\n```\r\n", "a b\n\n```\nc\n```\n");
	expect_written("```js\nnever closed", "```js\nnever closed\n```\n");
}

/*
 * A client's block whose text would break the Markdown is refused; NULL: it can be written and
 * reads back the same.
 */
static const char *
why_refused(const char *block)
{
	const char *where = "", *why = NULL, *text = arena_printf(a, "{\"object\":\"document\",\"nodes\":[%s]}", block);
	cJSON *json = cJSON_Parse(text);
	struct doc *d = doc_read(a, json, &where, &why);

	cJSON_Delete(json);
	if (d == NULL)
		return arena_printf(a, "%s: %s", where, why);
	assert_string_equal(doc_text(a, parse(a, markdown_of(a, d)), false), doc_text(a, d, false));
	return NULL;
}

#define BLOCK(type, data) "{\"object\":\"block\",\"type\":\"" type "\",\"data\":{" data "}}"
#define IF(expression) "{\"object\":\"block\",\"type\":\"if\",\"data\":{\"expression\":\"" expression "\"}," \
	"\"nodes\":[{\"object\":\"block\",\"type\":\"divider\"}]}"
#define INLINE_MATH(formula) "{\"object\":\"block\",\"type\":\"paragraph\",\"nodes\":[{\"object\":\"inline\"," \
	"\"type\":\"inline-math\",\"data\":{\"formula\":\"" formula "\"}}]}"
#define INTEGRATION(name, block, props) BLOCK("integration", "\"integration\":\"" name "\",\"block\":\"" block \
	"\",\"fullWidth\":true,\"props\":{" props "}")

static void
breaking_texts_are_refused(void **state)
{
	(void)state;
	assert_null(why_refused(IF("a == \\\"%} $$\\\" && b != '%}'")));
	assert_null(why_refused(IF(" a\\n&& b ")));
	assert_string_equal(why_refused(IF("a %} b")), "/nodes/0/data/expression: cannot stand in {% if %}: \"%}\" ends the tag");
	assert_null(why_refused(IF("a == \\\"x")));
	assert_non_null(why_refused(IF("a == \\\"x %} b")));
	assert_null(why_refused(BLOCK("math", "\"formula\":\" a\\n\\n$$ b\\n- c $\"")));
	assert_non_null(why_refused(BLOCK("math", "\"formula\":\"a\\n$$\\nb\"")));
	assert_non_null(why_refused(BLOCK("math", "\"formula\":\"a $$ \"")));
	assert_null(why_refused(INLINE_MATH("a $ b\\nc")));
	assert_non_null(why_refused(INLINE_MATH("a $$ b")));
	/* In Markdown a space separates the formula from its signs. */
	assert_null(why_refused(INLINE_MATH("a$")));
	assert_null(why_refused(INLINE_MATH("$a")));
	assert_null(why_refused(INLINE_MATH("$")));
	assert_non_null(why_refused(INLINE_MATH("$$")));
	assert_string_equal(markdown_of(a, parse(a, "a $$$b$$ $$5\\$ $$ $$ $ $$\n")), "a $$ $b$$ $$5\\$ $$ $$ $ $$\n");
	assert_non_null(strstr(doc_text(a, parse(a, "$$5\\$ $$\n"), false), "{\"formula\":\"5\\\\$\"}"));
	assert_string_equal(markdown_of(a, read_back(a, doc_text(a, parse(a, "a$$$$$$x$$\n"), true))), "a\\$\\$\\$$$ $x$$\n");
	assert_non_null(why_refused(INLINE_MATH(" ")));
	assert_null(why_refused(INTEGRATION("who", "a/b", "\"k\":\"a \\\"%} b\",\"l%\":\"\"")));
	assert_non_null(why_refused(INTEGRATION("who %}", "b", "")));
	assert_non_null(why_refused(INTEGRATION("w", "b c", "")));
	assert_string_equal(why_refused(INTEGRATION("w", "b", "\"k%}\":\"v\"")),
	    "/nodes/0/data/props: has a member whose name cannot stand in a tag");
	assert_non_null(why_refused(INTEGRATION("w", "b", "\"a b\":\"v\"")));
	assert_non_null(why_refused(INTEGRATION("w", "b", "\"a=\":\"v\"")));
	assert_non_null(why_refused(INTEGRATION("w", "b", "\"\":\"v\"")));
	/* Names with commas in lists. */
	assert_null(why_refused(BLOCK("openapi-schemas", "\"ref\":{\"kind\":\"openapi\",\"spec\":\"p\"},"
	    "\"schemas\":[\"a,b\",\"c\\\\\",\"\\\\,\",\"d\"]")));
	/* Options of a code block with marked lines, and entities after a fence. */
	assert_null(why_refused("{\"object\":\"block\",\"type\":\"code\",\"data\":{\"syntax\":\"c\",\"collapsedLineCount\":7},"
	    "\"nodes\":[{\"object\":\"block\",\"type\":\"code-line\",\"data\":{\"highlighted\":true},\"nodes\":[]}]}"));
	assert_null(why_refused("{\"object\":\"block\",\"type\":\"code\",\"data\":{\"syntax\":\"c\",\"info\":\"&amp; \\\\\"},"
	    "\"nodes\":[{\"object\":\"block\",\"type\":\"code-line\",\"data\":{},\"nodes\":[]}]}"));
	/* Ratings without a number of stars, and with more than the API allows. */
	assert_non_null(strstr(doc_text(a, parse(a, "<table><thead><tr><th data-type=\"rating\" data-max=\"inf\">R</th></tr>"
	    "</thead><tbody><tr><td>3</td></tr></tbody></table>\n"), false), "\"max\":5"));
	assert_non_null(strstr(doc_text(a, parse(a, "<table><thead><tr><th data-type=\"rating\" data-max=\"1e9\">R</th></tr>"
	    "</thead><tbody><tr><td>3</td></tr></tbody></table>\n"), false), "\"max\":5"));
	/* A level that equals that of the type is not stored. */
	assert_non_null(strstr(doc_text(a, read_back(a, "{\"object\":\"document\",\"nodes\":[{\"object\":\"block\","
	    "\"type\":\"heading-3\",\"data\":{\"level\":4},\"nodes\":[]}]}"), false), "heading-3"));
}

/* Repeated pieces must not take quadratic time. */
static void
repeated_pieces_take_linear_time(void **state)
{
	static const char *const pieces[] = { "[", "![", "{% ", "{% a ", "{% hint style=\"info\" %}\n", "<", "<div>\n", "<b>",
		"> ", "*a ", "$$ a ", ":a", "{% x \"", "[a](", "<table>\n\n", "<details>\n\n", "{% endhint %}\n", "[^1]", "<!-- ",
		"{% tab %}\n", "<details>{% ", "<details>\n<summary>", "<div><code ", "|a", "](", "<a href=\"x\">", "* ", "$$\n", "{% hint a=\"", "<p align=\"center\">" };
	struct timespec from, to;
	struct buf b;
	size_t n, count = 20000;
	struct doc *d;

	(void)state;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		arena_reset(a);
		buf_init(&b, a, 1 << 24);
		for (size_t k = 0; k < count; k++)
			buf_str(&b, pieces[i]);
		d = doc_parse(a, buf_view(&b), NULL, NULL, NULL);
		doc_text(a, d, true);
		markdown_of(a, d);
		doc_links(a, buf_view(&b));
		doc_sections(a, d, &n);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	/* About 3 s in total under sanitizers; a single quadratic one would take minutes. */
	assert_true(to.tv_sec - from.tv_sec < 60);
}

/* The same between other texts, which make the parser search for the end of each piece. */
static void
enclosed_pieces_take_linear_time(void **state)
{
	static const char *const texts[][3] = { { "", "{%! ", "%}" }, { "<div>\n", "{%! ", "%}" }, { "<div>\n", "{% x ", "%}" },
		{ "{% @a/b ", "a%zu=1 ", "%}" }, { "| a |\n|---|\n| ", "<figure>", " |" },
		{ "| a |\n|---|\n| ", "<figure>", "</figure> |" }, { "| a |\n|---|\n| ", "<pre>", "_a_ |" } };
	struct timespec from, to;
	struct buf b;

	(void)state;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		arena_reset(a);
		buf_init(&b, a, 1 << 24);
		buf_str(&b, texts[i][0]);
		for (size_t k = 0; k < 20000; k++) {
			size_t n = strcspn(texts[i][1], "%z");
			if (strstr(texts[i][1], "%zu") == NULL)
				buf_str(&b, texts[i][1]);
			else
				buf_printf(&b, "%.*s%zu=1 ", (int)n, texts[i][1], k);
		}
		buf_str(&b, texts[i][2]);
		doc_text(a, doc_parse(a, buf_view(&b), NULL, NULL, NULL), true);
		/* A regression: a cell of 160 kB took more than a gigabyte. */
		assert_true(arena_used(a) < (size_t)200 << 20);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	assert_true(to.tv_sec - from.tv_sec < 30);
}

static void
deep_lists_come_back(void **state)
{
	struct buf b;
	struct doc *d;

	(void)state;
	buf_init(&b, a, 1 << 24);
	for (int i = 0; i < 300; i++)
		buf_printf(&b, "%*s* a\n", i * 2, "");
	d = doc_parse(a, buf_view(&b), NULL, NULL, NULL);
	assert_non_null(read_back(a, doc_text(a, d, true)));
	assert_string_equal(doc_text(a, d, false), doc_text(a, parse(a, markdown_of(a, d)), false));
}

/* A document parsed without keys contains the same text. */
static void
parsing_without_keys_gives_the_same_text(void **state)
{
	static const char body[] = "Before\r\n\r## One {#own}\nText [to](#own) [^n].\n\n{% if x %}\n## Two\nHidden\n{% endif %}\n\n"
	    "| a | b |\n|---|---|\n| c | `d` |\n\n## One {#own}\n\n[^n]: Note.\n";
	struct doc *with = doc_parse(a, str_of(body), NULL, NULL, NULL), *without = doc_parse_words(a, str_of(body), NULL, NULL);
	struct doc_section *s, *t;
	size_t n, m, i;

	(void)state;
	s = doc_sections(a, with, &n);
	t = doc_sections(a, without, &m);
	assert_int_equal(n, m);
	for (i = 0; i < n; i++) {
		assert_string_equal(s[i].text, t[i].text);
		assert_true((s[i].anchor == NULL) == (t[i].anchor == NULL));
		if (s[i].anchor != NULL)
			assert_string_equal(s[i].anchor, t[i].anchor);
		assert_true((s[i].condition == NULL) == (t[i].condition == NULL));
	}
	assert_true(str_eq(doc_places(a, with), doc_places(a, without)));
	assert_non_null(doc_expressions_of(a, without, &n));
	assert_int_equal(n, 1);
	assert_ptr_equal(doc_fault(with), doc_fault(without));
}

/* Bodies that a quick scan rules out, and which are therefore not parsed, contain no expressions. */
static void
expressions_are_found(void **state)
{
	static const struct {
		const char *body;
		size_t      count;
	} bodies[] = { { "{% if x %}\na\n{% endif %}\n", 1 }, { "{%if x%}\na\n{%endif%}\n", 1 },
		{ "{%- if x -%}\na\n{% endif %}\n", 1 }, { "{%\n if x %}\na\n{% endif %}\n", 1 },
		{ "{% hint style=\"info\" %}\n{% if x %}\nb\n{% endif %}\n{% endhint %}\n", 1 },
		{ "A <CODE CLASS=\"expression\">x</CODE>.\n", 1 }, { "{% hint style=\"info\" %}\nif\n{% endhint %}\n", 0 },
		{ "An expression if {%", 0 }, { "{%", 0 }, { "", 0 } };
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct doc_expression *list = doc_expressions(a, str_of(bodies[i].body), &n);

		assert_int_equal(n, bodies[i].count);
		assert_true(n == 0 || list[0].text[0] == 'x');
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(the_fixture_is_a_fixpoint), T(the_fixture_has_every_node), T(retired_forms_are_replaced),
		T(misplaced_tags_are_read), T(tags_are_text_in_code), T(faulty_tags_give_warnings),
		T(raw_html_is_kept), T(headings_get_anchors), T(special_characters_are_escaped),
		T(one_style_is_written), T(references_are_resolved_and_written), T(links_are_found_and_replaced),
		T(targets_of_tags_are_links), T(replaced_targets_are_escaped), T(blocks_keep_their_keys),
		T(sections_begin_at_headings), T(conditions_are_sections), T(conditional_children_stay_inside),
		T(invalid_nodes_are_refused), T(comments_are_kept_without_blocks),
		T(low_headings_are_bold_paragraphs), T(invalid_bytes_are_replaced), T(breaking_texts_are_refused),
		T(repeated_pieces_take_linear_time), T(enclosed_pieces_take_linear_time), T(deep_lists_come_back),
		T(expressions_are_found), T(parsing_without_keys_gives_the_same_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
