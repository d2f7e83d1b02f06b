/*
 * Documents as HTML: the output of each block, that no word is missing, and that no text of an
 * author becomes markup. Also with the corpus, if it is there.
 */
#include "doc_fixture.h"
#include "corpus_fixture.h"
#include "render/render.h"

static size_t pages, failures;

/* The title names the target; hostile addresses are passed on unchanged. */
static bool
link_of(void *ctx, const cJSON *ref, struct render_link *out)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(ref, "url");

	(void)ctx;
	if (!cJSON_IsString(v))
		return false;
	out->href = v->valuestring;
	out->title = v->valuestring;
	return true;
}

static struct str
html_in(struct arena *a, const cJSON *document, struct rendering *r,
    bool (*link)(void *ctx, const cJSON *ref, struct render_link *out))
{
	struct render_env env = { .link = link, .ctx = a, .search = "/s/~search", .language = LANG_EN };
	struct buf out;

	buf_init(&out, a, (size_t)1 << 30);
	buf_str(&out, "");
	render_document(a, &out, document, &env, r);
	return buf_view(&out);
}

static struct str
html_of_json(struct arena *a, const cJSON *document, struct rendering *r)
{
	return html_in(a, document, r, link_of);
}

static const char *
html_of(struct arena *a, const char *markdown)
{
	struct rendering r;

	json_arena(a);
	return html_of_json(a, cJSON_Parse(doc_text(a, parse(a, markdown), true)), &r).p;
}

/* ---- checks: well-formed and harmless ---- */

static bool
is_void(const char *name)
{
	static const char *const names[] = { "br", "hr", "img", "input" };

	for (size_t i = 0; i < 4; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* True for an attribute that would run code, or an address that would. */
static bool
runs(const char *name, const char *value)
{
	if (strncmp(name, "on", 2) == 0 || strcmp(name, "style") == 0 || strcmp(name, "srcdoc") == 0)
		return true;
	return (strcmp(name, "href") == 0 || strcmp(name, "src") == 0) && !h_url_safe(value);
}

/* Reads one attribute at *p (name="value" or name); NULL: there is none. */
static const char *
attribute(const char **p, char name[64], char value[4096])
{
	size_t n;

	*p += strspn(*p, " ");
	if (**p == '>' || **p == '\0')
		return NULL;
	n = strcspn(*p, "= >");
	if (n == 0 || n > 60)
		return "a strange name of an attribute";
	memcpy(name, *p, n);
	name[n] = '\0';
	*p += n;
	value[0] = '\0';
	if (**p != '=')
		return "";
	if (*++*p != '"')
		return "an attribute without quotes";
	n = strcspn(++*p, "\"");
	snprintf(value, 4096, "%.*s", (int)n, *p);
	*p += n + 1;
	return "";
}

/* What is wrong with a piece of HTML; NULL: nothing. */
static const char *
fault_of(const char *html)
{
	static const char *const never[] = { "script", "style", "iframe", "object", "embed", "form", "svg", "base",
		"link", "meta", "template" };
	static char open[1000][16], name[64], value[4096];
	const char *p = html, *why;
	size_t depth = 0, n;

	while ((p = strchr(p, '<')) != NULL) {
		bool closing = *++p == '/';
		p += closing;
		n = strcspn(p, " >");
		if (n == 0 || n > 15)
			return "a < that begins no element";
		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		p += n;
		for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
			if (strcmp(never[i], name) == 0)
				return "an element that has no place here";
		if (closing) {
			if (depth == 0 || strcmp(open[--depth], name) != 0)
				return "elements that cross";
			continue;
		}
		if (!is_void(name))
			snprintf(open[depth++], 16, "%.15s", name);
		while ((why = attribute(&p, name, value)) != NULL)
			if (*why != '\0')
				return why;
			else if (runs(name, value))
				return "an attribute that runs something";
	}
	return depth == 0 ? NULL : "an element that does not end";
}

/* ---- blocks ---- */

static void
has(const char *html, const char *part)
{
	if (strstr(html, part) == NULL)
		fail_msg("no %s in %s", part, html);
}

static void
blocks_become_html(void **state)
{
	static const struct { const char *markdown, *html; } rows[] = {
		{ "Some **bold** and *thin* `code`.", "<p>Some <strong>bold</strong> and <em>thin</em> <code>code</code>.</p>" },
		{ "## One\n\n### Two", "<h2 id=\"one\"><a href=\"#one\">One</a></h2><h3 id=\"two\">" },
		{ "#### Deep first", "<h2 id=\"deep-first\" class=\"l4\">" },
		{ "#### First\n\n#### Second", "<h2 id=\"second\" class=\"l4\">" },
		{ "### A\n\n#### B\n\n#### C\n\n## D", "<h3 id=\"c\" class=\"l4\"><a href=\"#c\">C</a></h3><h2 id=\"d\">" },
		{ "{% stepper %}\n{% step %}\n#### One\n{% endstep %}\n{% step %}\n#### Two\n{% endstep %}\n{% endstepper %}", "<h2 id=\"two\" class=\"l4\">" },
		{ "Use `--force-with-lease` or `one_identifier_that_is_long`.", "<code>--force-with-lease</code> or <code class=\"long\">" },
		{ "Use `curl -fsS https://example.org/a-b --max-time 10`.",
		  "<code class=\"long\">curl <span>-fsS</span> https://example.org/a-b <span>--max-time</span> 10</code>." },
		{ "See [API reference](https://example.org/ \"mention\").", "<a href=\"https://example.org/\">API reference</a>" },
		{ "See <a data-mention href=\"https://example.org/\">API reference</a>.", "<a href=\"https://example.org/\">API reference</a>" },
		{ "<table><thead><tr><th width=\"200\">a</th><th width=\"3000\">b</th><th>c</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>",
		  "<th scope=\"col\" class=\"x8\">a</th><th scope=\"col\" class=\"x40\">b</th><th scope=\"col\">c</th>" },
		{ "<table data-view=\"cards\"><thead><tr><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th></tr></thead><tbody><tr>"
		  "<td><p>metrics</p><p>Choose</p></td><td><a href=\"https://example.org/\">x</a></td></tr></tbody></table>", "aria-label=\"metrics Choose\"" },
		{ "<table data-view=\"cards\"><thead><tr><th></th><th data-hidden data-card-target data-type=\"content-ref\"></th><th data-hidden data-card-cover "
		  "data-type=\"files\"></th></tr></thead><tbody>\n<tr><td>Bare</td><td><a href=\"\"></a></td><td><a href=\"\"></a></td></tr>\n</tbody></table>",
		  "<li><div class=\"cells\"><div>Bare</div></div></li>" },
		{ "{% code expandable=\"true\" %}\n```c\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n```\n{% endcode %}",
		  "<input type=\"checkbox\" class=\"sr\" id=\"~fold-1\"><pre>" },
		{ "{% code expandable=\"true\" %}\n```c\nint x;\n```\n{% endcode %}", "</figcaption><pre><code>int x;" },
		{ "- a\n- b\n  - c", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>" },
		{ "3. x\n4. y", "<ol start=\"3\"><li>x</li><li>y</li></ol>" },
		{ "- [x] done\n- [ ] open", "<li class=\"done\"><span role=\"img\" class=\"box\" aria-label=\"Yes\">✓</span>" },
		{ "> said", "<blockquote><p>said</p></blockquote>" },
		{ "{% hint style=\"warning\" %}\nCare.\n{% endhint %}",
		  "<div class=\"hint warning\" role=\"note\"><span class=\"label\">Warning</span><p>Care.</p></div>" },
		{ "![RISE](x.png) RISE and ![y](y.png) more", " alt=\"RISE\"" },
		{ "[![RISE](x.png) RISE](https://example.com/)", " alt=\"\"" },
		{ "Before\n\n###\n\nBehind", "<p>Before</p><p>Behind</p>" },
		{ "Before\n\n#### <i class=\"fa-leaf\">:leaf:</i>\n\nBehind", "<p>Before</p><div id=\"section\"></div><p>Behind</p>" },
		{ "```c\nint x;\n```", "<figcaption class=\"bare\"><span class=\"lang\">c</span></figcaption><pre><code>int x;\n</code></pre>" },
		{ "{% tabs %}\n{% tab title=\"A\" %}\none\n{% endtab %}\n{% tab title=\"B\" %}\ntwo\n{% endtab %}\n{% endtabs %}",
		  "checked><label for=\"" },
		{ "<details>\n\n<summary>More</summary>\n\nHidden words\n\n</details>", "<summary>More</summary><div><p>Hidden words</p></div></details>" },
		{ "| a | b |\n|---|--:|\n| 1 | 2 |", "<th scope=\"col\">a</th><th scope=\"col\" class=\"end\">b</th>" },
		{ "[to](https://example.org/)", "<a href=\"https://example.org/\">to</a>" },
		{ "[nowhere](gone.md)", "<a href=\"gone.md\">nowhere</a>" },
		{ "A note[^1].\n\n[^1]: Its words.", "<li id=\"~note-1\"><p>Its words.</p>" },
		{ "![A dot](https://example.org/dot.png)", "<img src=\"https://example.org/dot.png\" alt=\"A dot\"" },
		/* The first is what readers see first. */
		{ "![A](https://example.org/a.png)\n\n![B](https://example.org/b.png)", "alt=\"A\" fetchpriority=\"high\" decoding=\"async\">" },
		{ "![A](https://example.org/a.png)\n\n![B](https://example.org/b.png)", "alt=\"B\" loading=\"lazy\" decoding=\"async\">" },
		{ "***", "<hr>" },
	};
	struct arena *a = arena_new((size_t)1 << 30);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *html = html_of(a, rows[i].markdown);
		has(html, rows[i].html);
		assert_null(fault_of(html));
	}
	json_arena(NULL);
	arena_free(a);
}

/* Anchors in raw HTML are kept as link targets, once each, at any place. */
static void
places_of_raw_html_are_kept_once(void **state)
{
	struct arena *a = arena_new((size_t)1 << 26);
	const char *html;

	(void)state;
	html = html_of(a, "<a id=\"pkg.Thing\"></a>\n\n```c\nint x;\n```\n\n<a name=\"two\"></a>\n\n* item\n\nMid <a id=\"in\"></a>text.\n\n"
	    "## Head <a href=\"#own\" id=\"own\"></a>\n\n<a id=\"own\"></a><a id=\"two\"></a>\n\nlast\n\n<a id=\"end\"></a>\n");
	assert_non_null(strstr(html, "<span id=\"pkg.Thing\"></span><span id=\"pkg.thing\"></span><figure"));
	assert_non_null(strstr(html, "<span id=\"two\"></span><ul"));
	assert_non_null(strstr(html, "Mid <span id=\"in\"></span>text"));
	assert_non_null(strstr(html, "<span id=\"end\"></span>"));
	assert_null(strstr(html, "<span id=\"own\">"));
	assert_null(strstr(strstr(html, "id=\"two\"") + 1, "id=\"two\""));
	/* No anchor that the frame uses, and none that would become markup. */
	html = html_of(a, "<a id=\"~note-1\"></a><a id=\"a b\"></a><a id=\"x><b>\"></a>\n\ntext\n");
	assert_null(strstr(html, "~note"));
	assert_null(strstr(html, "a b"));
	assert_non_null(strstr(html, "<span id=\"x&gt;&lt;b&gt;\"></span>"));
	arena_free(a);
}

static void
texts_exist_in_each_language(void **state)
{
	(void)state;
	for (int t = 0; t < TEXTS; t++)
		for (int l = 0; l < TEXT_LANGUAGES; l++)
			assert_true(*text_in(l, t) != '\0');
	assert_string_equal(text_in(text_language("no"), TEXT_SEARCH), "Søk");
	assert_string_equal(text_in(text_language("nb-NO"), TEXT_SEARCH), "Søk");
	assert_string_equal(text_in(text_language("nds"), TEXT_SEARCH), "Search");
}

static void
an_outline_lists_the_headings(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct rendering r;

	(void)state;
	json_arena(a);
	html_of_json(a, cJSON_Parse(doc_text(a, parse(a, "Begin here.\n\n## One\n\n### *Two*\n\n#### Three"), true)), &r);
	assert_int_equal(r.outline_count, 2);
	assert_string_equal(r.outline[1].text, "Two");
	assert_int_equal(r.outline[1].level, 2);
	assert_string_equal(r.first, "Begin here.");
	json_arena(NULL);
	arena_free(a);
}

/* ---- hostile text ---- */

/* Attacks, used as Markdown, in titles, in addresses, and in attributes of tags. */
static const char *const payloads[] = {
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "\"><script>alert(1)</script>",
	"'><img src=x onerror=alert(1)>", "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
	"<a href=\"javascript:alert(1)\">x</a>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))",
	"[x](java\tscript:alert(1))", "[x](&#106;avascript:alert(1))", "[x](vbscript:msgbox(1))",
	"[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)", "![x](javascript:alert(1))",
	"![\" onerror=\"alert(1)](x.png)", "[x](x.md \"\\\" onclick=\\\"alert(1)\")", "<details ontoggle=alert(1) open>x</details>",
	"<math><mtext></p><script>alert(1)</script>", "<style>@import 'x'</style>", "<base href=//evil.example>",
	"<form action=//evil.example><input name=q></form>", "`<script>alert(1)</script>`", "{% hint style=\"\\\"><script>\" %}\nx\n{% endhint %}",
	"{% tabs %}\n{% tab title=\"<script>alert(1)</script>\" %}\nx\n{% endtab %}\n{% endtabs %}",
	"{% embed url=\"javascript:alert(1)\" %}", "{% code title=\"<img src=x onerror=alert(1)>\" %}\n```<script>\nx\n```\n{% endcode %}",
	"| <script>alert(1)</script> |\n|---|\n| [x](javascript:alert(1)) |", "$$</span><script>alert(1)</script>$$",
	"<mark style=\"color:expression(alert(1))\">x</mark>", "\\<script>alert(1)\\</script>", "&lt;script&gt;alert(1)&lt;/script&gt;",
	"<a class=\"button primary\" href=\"javascript:alert(1)\">x</a>", "# <script>alert(1)</script>", "[x](//evil.example\\@good.example)",
	"[x](/\\evil.example)", "<http://a.example/\"onmouseover=\"alert(1)>",
};

static void
hostile_markdown_renders_safely(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);

	(void)state;
	for (size_t i = 0; i < sizeof(payloads) / sizeof(*payloads); i++) {
		const char *html = html_of(a, payloads[i]), *why = fault_of(html);
		if (why != NULL)
			fail_msg("%s: %s: %s", payloads[i], why, html);
	}
	json_arena(NULL);
	arena_free(a);
}

/* Addresses, in every place that takes one. */
static void
addresses_are_safe(void **state)
{
	static const char *const good[] = { "https://a.example/", "HTTP://a.example", "mailto:a@b.example", "tel:+1", "/a/b", "a/b:c",
		"#x", "?q=1", "" };
	static const char *const bad[] = { "javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
		"data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:x", "\x01javascript:x", "/\\evil.example" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(h_url_safe(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(h_url_safe(bad[i]));
	assert_false(h_url_safe(NULL));
}

/* A document sent by a client may contain anything: nodes of the wrong kind, missing members, deep nesting. */
static void
documents_of_any_json_render(void **state)
{
	static const char *const documents[] = {
		"{}", "{\"nodes\":1}", "{\"nodes\":[1,null,\"x\",{}]}", "{\"nodes\":[{\"type\":\"table\"},{\"type\":\"tabs\"},{\"type\":\"code\"},"
		"{\"type\":\"images\"},{\"type\":\"image\"},{\"type\":\"list-ordered\",\"nodes\":[{}]},{\"type\":\"heading-1\"},{\"type\":\"hint\"},"
		"{\"type\":\"expandable\"},{\"type\":\"stepper\",\"nodes\":[1]},{\"type\":\"updates\",\"nodes\":[{}]},{\"type\":\"prompt\"},"
		"{\"type\":\"swagger\"},{\"type\":\"openapi-operation\"},{\"type\":\"openapi-schemas\"},{\"type\":\"embed\"},{\"type\":\"file\"},"
		"{\"type\":\"content-ref\"},{\"type\":\"integration\"},{\"type\":\"math\"},{\"type\":\"columns\",\"nodes\":[{}]},{\"type\":\"nothing\"}]}",
		"{\"data\":{\"openapi\":{\"schemas\":[1,{}],\"others\":[1,{\"spec\":2}]}},\"nodes\":[{\"type\":\"openapi-operation\",\"data\":{"
		"\"operation\":{\"parameters\":[{\"name\":\"a\",\"schema\":{\"$ref\":\"#/x/A\"}}]}}},{\"type\":\"openapi-schemas\",\"data\":{\"schemas\":[\"A\"]}}]}",
		"{\"nodes\":[{\"type\":\"table\",\"data\":{\"view\":{\"type\":\"grid\",\"columns\":[\"a\",\"b\",1]},\"definition\":{\"a\":{},\"b\":{\"type\":\"rating\"}},"
		"\"records\":{\"r\":{\"values\":{\"a\":1,\"b\":1e300}},\"s\":1},\"cellMerges\":[{\"anchor\":{\"record\":\"r\",\"column\":\"b\"},\"rowSpan\":1e9,"
		"\"colSpan\":-4}]}}]}",
	};
	struct arena *a = arena_new((size_t)1 << 30);
	struct rendering r;

	(void)state;
	json_arena(a);
	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++)
		assert_null(fault_of(html_of_json(a, cJSON_Parse(documents[i]), &r).p));
	json_arena(NULL);
	arena_free(a);
}

/* Schemas come from the description that the block names; circular references end. */
static void
schemas_of_a_specification_render(void **state)
{
	static const char text[] = "{\"data\":{\"openapi\":{\"spec\":\"a\",\"schemas\":{\"Pet\":{\"properties\":{\"ofA\":{\"$ref\":"
	    "\"#/components/schemas/Pet\"}}}},\"others\":[{\"spec\":\"b\",\"schemas\":{\"Pet\":{\"properties\":{\"ofB\":{}}}}}]}},"
	    "\"nodes\":[%s%s]}";
	static const char block[] = "{\"type\":\"openapi-operation\",\"data\":{\"ref\":{\"kind\":\"openapi\",\"spec\":\"%s\"},"
	    "\"path\":\"/p\",\"operation\":{\"requestBody\":{\"content\":{\"x/y\":{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"}}}}}}}";
	struct arena *a = arena_new((size_t)1 << 30);
	char *of_a = arena_printf(a, block, "a"), *of_b = arena_printf(a, block, "b");
	struct rendering r;
	const char *html;

	(void)state;
	json_arena(a);
	html = html_of_json(a, cJSON_Parse(arena_printf(a, text, of_a, "")), &r).p;
	assert_non_null(strstr(html, "ofA"));
	assert_non_null(strstr(html, "<span id=\"~schema-2\">"));
	assert_non_null(strstr(html, "<a href=\"#~schema-2\">Pet</a>"));
	assert_null(strstr(html, "ofB"));
	html = html_of_json(a, cJSON_Parse(arena_printf(a, text, of_b, "")), &r).p;
	assert_non_null(strstr(html, "ofB"));
	assert_null(strstr(html, "ofA"));
	html = html_of_json(a, cJSON_Parse(arena_printf(a, text, of_b, arena_printf(a, ",%s", of_a))), &r).p;
	assert_true(strstr(html, "ofB") < strstr(html, "ofA"));
	assert_null(fault_of(html));
	json_arena(NULL);
	arena_free(a);
}

/*
 * A thousand operations that refer to the same chain of schemas: the page contains each schema
 * once, so that its size is linear in the operations.
 */
static void
many_operations_grow_linearly(void **state)
{
	struct arena *a = arena_new((size_t)1 << 30);
	struct rendering r;
	struct buf b;
	const char *html;
	int i;

	(void)state;
	buf_init(&b, a, 64 << 20);
	buf_str(&b, "{\"data\":{\"openapi\":{\"schemas\":{");
	for (i = 0; i < 40; i++)
		buf_printf(&b, "%s\"S%d\":{\"properties\":{\"one%d\":{\"$ref\":\"#/x/S%d\"},\"two%d\":{\"type\":\"array\",\"items\":"
		    "{\"$ref\":\"#/x/S%d\"}}}}", i > 0 ? "," : "", i, i, (i + 1) % 40, i, (i + 7) % 40);
	buf_str(&b, "}}},\"nodes\":[");
	for (i = 0; i < 1000; i++)
		buf_printf(&b, "%s{\"type\":\"openapi-operation\",\"data\":{\"path\":\"/p%d\",\"operation\":{\"responses\":{\"200\":{\"content\":"
		    "{\"x/y\":{\"schema\":{\"$ref\":\"#/x/S%d\"}}}}}}}}", i > 0 ? "," : "", i, i % 40);
	buf_str(&b, "]}");
	json_arena(a);
	html = html_of_json(a, cJSON_Parse(b.p), &r).p;
	for (i = 0; i < 40; i++)
		assert_non_null(strstr(html, arena_printf(a, "<code class=\"name\">one%d</code>", i)));
	assert_non_null(strstr(html, "/p999"));
	assert_true(strlen(html) < 4 << 20);
	assert_null(fault_of(html));
	json_arena(NULL);
	arena_free(a);
}

/* One line of code of 9 MB, and a line with line feeds in it: the page contains all of it. */
static void
a_long_line_of_code_is_whole(void **state)
{
	static const char node[] = "{\"nodes\":[{\"type\":\"code\",\"data\":{\"syntax\":\"c\"},\"nodes\":[{\"type\":\"code-line\",\"nodes\":"
	    "[{\"object\":\"text\",\"leaves\":[{\"text\":\"%s\"}]}]}]}]}";
	struct arena *a = arena_new((size_t)1 << 30);
	char *line = arena_bytes(a, (9 << 20) + 1);
	struct rendering r;
	const char *html;

	(void)state;
	json_arena(a);
	memset(line, 'x', 9 << 20);
	line[9 << 20] = '\0';
	html = html_of_json(a, cJSON_Parse(arena_printf(a, "%.*s%s%s", (int)(strstr(node, "%s") - node), node, line,
	    strstr(node, "%s") + 2)), &r).p;
	assert_non_null(strstr(html, line));
	assert_non_null(strstr(html, "<pre tabindex=\"0\">"));
	json_arena(NULL);
	arena_free(a);
}

/* ---- frames ---- */

/*
 * Hosts that the site allows are embedded as frames, by the address that their services permit for
 * it; all others are links.
 */
static void
allowed_hosts_are_framed(void **state)
{
	static const struct { const char *url, *frame; } rows[] = {
		{ "https://www.youtube.com/watch?v=a-B_9&t=3", "https://www.youtube-nocookie.com/embed/a-B_9" },
		{ "https://youtu.be/abc", "https://www.youtube-nocookie.com/embed/abc" },
		{ "https://youtu.be/abc/def", NULL }, { "https://www.youtube.com/watch?v=", NULL },
		{ "https://play.example.com/x?y=1", "https://play.example.com/x?y=1" },
		{ "http://play.example.com/x", NULL }, { "https://play.example.com:8443/x", NULL },
		{ "https://user@play.example.com/x", NULL }, { "https://play.example.com.evil.test/x", NULL },
		{ "https://evil.test/play.example.com", NULL }, { "https://vimeo.com/12", NULL },
		{ "javascript:alert(1)", NULL }, { "//play.example.com/x", NULL },
	};
	struct arena *a = arena_new(64 << 20);
	struct render_env env = { .link = link_of, .frames = "play.example.com www.youtube-nocookie.com" };
	size_t i;

	(void)state;
	json_arena(a);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const cJSON *d = cJSON_Parse(arena_printf(a, "{\"nodes\":[{\"type\":\"embed\",\"data\":{\"url\":\"%s\"}}]}", rows[i].url));
		struct rendering r;
		struct buf out;
		buf_init(&out, a, 1 << 20);
		buf_str(&out, "");
		render_document(a, &out, d, &env, &r);
		if (rows[i].frame == NULL)
			assert_null(strstr(out.p, "<iframe"));
		else
			assert_non_null(strstr(out.p, arena_printf(a, "<iframe src=\"%s\" title=\"", rows[i].frame)));
		/* Without the setting all of them are links. */
		assert_null(strstr(html_of_json(a, d, &r).p, "<iframe"));
		json_arena(a);
	}
	json_arena(NULL);
	arena_free(a);
}

/* While its author types, the preview has no link without a name and an address. */
static void
an_embed_without_an_address_shows_nothing(void **state)
{
	struct arena *a = arena_new(1 << 20);
	struct rendering r;
	const cJSON *d;

	(void)state;
	json_arena(a);
	d = cJSON_Parse("{\"nodes\":[{\"type\":\"embed\",\"data\":{\"url\":\"\"}}]}");
	assert_null(strstr(html_of_json(a, d, &r).p, "<a"));
	json_arena(NULL);
	arena_free(a);
}

/* ---- words of mentions ---- */

/* The text that search sees of a mention: a name in words, and nothing if the address has none. */
static void
a_mention_is_read_as_words(void **state)
{
	static const struct { const char *url, *said; } rows[] = {
		{ "b-c_d.md", "b c d" }, { "../a/b.md", "b" }, { "a/README.md", "a" }, { "a/b/", "b" },
		{ "a/b.md#the-place", "the place" }, { "#place", "place" }, { "b.md#", "b" }, { "b", "b" },
		{ "../", "" }, { "..", "" }, { "./", "" }, { ".", "" }, { "../README.md", "" }, { "../../", "" } };
	struct arena *a = arena_new((size_t)1 << 30);
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct doc *d = parse(a, arena_printf(a, "See ([x](%s \"mention\")).\n", rows[i].url));
		assert_string_equal(doc_sections(a, d, &n)[0].text, arena_printf(a, "See (%s).", rows[i].said));
	}
	arena_free(a);
}

/* ---- the corpus ---- */

/*
 * The title of a target is its file name or heading in words, as sections have it (a title may
 * change). So these words, and all around them, must be on the page.
 */
static bool
link_named(void *ctx, const cJSON *ref, struct render_link *out)
{
	static const char *const ends[] = { "/", "#", ".md", "/README" };
	struct arena *a = ctx;
	char *s, *at;

	if (!link_of(NULL, ref, out))
		return false;
	s = arena_strdup(a, out->title);
	if ((at = strrchr(s, '#')) != NULL && at[1] != '\0')
		s = at + 1;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		while (strlen(s) > strlen(ends[i]) && strcmp(s + strlen(s) - strlen(ends[i]), ends[i]) == 0)
			s[strlen(s) - strlen(ends[i])] = '\0';
	if ((at = strrchr(s, '/')) != NULL)
		s = at + 1;
	for (at = s; *(at += strcspn(at, "-_")) != '\0'; )
		*at = ' ';
	/* A space, because for an empty title the address would be shown. */
	out->title = s[strspn(s, ".")] == '\0' ? " " : s;
	return true;
}

/* The text without white space and control characters, which stand for line breaks. */
static char *
packed(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] > ' ')
			out[n++] = s.p[i];
	return out;
}

/* True if the table's view shows this column. */
static bool
is_shown(const cJSON *view, const char *column)
{
	const cJSON *id;

	cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(view, "columns"))
		if (cJSON_IsString(id) && strcmp(id->valuestring, column) == 0)
			return true;
	return false;
}

/* The definitions of a table's columns, and the values in columns that it does not show. */
static void
hidden_columns(struct buf *b, const cJSON *table)
{
	const cJSON *data = cJSON_GetObjectItemCaseSensitive(table, "data"), *record, *value, *f;

	buf_str(b, cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(data, "definition")));
	cJSON_ArrayForEach(record, cJSON_GetObjectItemCaseSensitive(data, "records"))
		cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(record, "values")) {
			if (is_shown(cJSON_GetObjectItemCaseSensitive(data, "view"), value->string))
				continue;
			buf_str(b, cJSON_PrintUnformatted(value));
			cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(table, "fragments"))
				if (cJSON_IsString(value) && strcmp(cJSON_GetStringValue(
				    cJSON_GetObjectItemCaseSensitive(f, "fragment")), value->valuestring) == 0)
					buf_str(b, cJSON_PrintUnformatted(f));
		}
}

/*
 * Text that readers do not see: hidden columns, titles of columns in cards, values of options that
 * have a label, and text under a condition.
 */
static void
unseen(struct buf *b, const cJSON *node)
{
	const cJSON *one;

	cJSON_ArrayForEach(one, node) {
		const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "type"));
		if (type != NULL && strcmp(type, "table") == 0)
			hidden_columns(b, one);
		if (type != NULL && strcmp(type, "if") == 0)
			buf_str(b, render_plain(b->arena, one));
		unseen(b, one);
	}
}

/* Removes the numbers of footnotes, which are in the middle of words. */
static struct str
without_notes(struct arena *a, struct str html)
{
	static const char from[] = "<sup class=\"note\">", to[] = "</sup>";
	const char *p = html.p, *next;
	struct buf b;

	buf_init(&b, a, html.n + 1);
	while ((next = strstr(p, from)) != NULL) {
		buf_add(&b, p, (size_t)(next - p));
		p = strstr(next, to) + sizeof(to) - 1;
	}
	buf_str(&b, p);
	return buf_view(&b);
}

static bool
check_words(struct arena *a, const char *path, const char *words, const char *text, const char *hidden)
{
	static const char blanks[] = " \t\r\n\f\v";
	const char *word;
	size_t n;

	for (; words != NULL && *(words += strspn(words, blanks)) != '\0'; words += n) {
		n = strcspn(words, blanks);
		word = arena_strndup(a, words, n);
		if (strstr(text, packed(a, str_of(word))) == NULL && strstr(hidden, word) == NULL) {
			if (++failures <= 20)
				print_error("%s: \"%s\" is missing\n", path, word);
			return false;
		}
	}
	return true;
}

/* Every word that search finds on a page is visible to a reader. */
static void
check_sections(struct arena *a, const char *path, const struct doc *d, const cJSON *json, struct str html)
{
	const char *text = packed(a, h_words(a, without_notes(a, html)));
	struct buf hidden;
	size_t n;
	struct doc_section *s = doc_sections(a, d, &n);

	buf_init(&hidden, a, (size_t)1 << 30);
	buf_str(&hidden, "");
	unseen(&hidden, json);
	for (size_t i = 0; i < n; i++)
		if (!check_words(a, path, s[i].heading, text, hidden.p) || !check_words(a, path, s[i].text, text, hidden.p))
			return;
}

static int
check_page(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct arena *a;
	struct rendering r;
	struct str html;
	struct doc *d;
	const char *why;
	cJSON *json;

	(void)st, (void)ftw;
	if (!corpus_is_page(path, type))
		return 0;
	pages++;
	a = arena_new((size_t)2 << 30);
	json_arena(a);
	d = doc_parse(a, corpus_read(a, path), NULL, NULL, NULL);
	json = cJSON_Parse(doc_text(a, d, true));
	html = html_in(a, json, &r, link_named);
	check_sections(a, path, d, json, html);
	if ((why = fault_of(html.p)) != NULL && ++failures <= 20)
		print_error("%s: %s\n", path, why);
	json_arena(NULL);
	arena_free(a);
	return 0;
}

static void
pages_of_the_corpus_render(void **state)
{
	(void)state;
	corpus_pages(check_page);
	print_message("%zu pages, %zu failures\n", pages, failures);
	assert_true(pages > 1000);
	assert_int_equal(failures, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_become_html),
		cmocka_unit_test(places_of_raw_html_are_kept_once),
		cmocka_unit_test(texts_exist_in_each_language),
		cmocka_unit_test(an_outline_lists_the_headings),
		cmocka_unit_test(hostile_markdown_renders_safely),
		cmocka_unit_test(addresses_are_safe),
		cmocka_unit_test(documents_of_any_json_render),
		cmocka_unit_test(schemas_of_a_specification_render),
		cmocka_unit_test(many_operations_grow_linearly),
		cmocka_unit_test(a_long_line_of_code_is_whole),
		cmocka_unit_test(allowed_hosts_are_framed),
		cmocka_unit_test(an_embed_without_an_address_shows_nothing),
		cmocka_unit_test(a_mention_is_read_as_words),
		cmocka_unit_test(pages_of_the_corpus_render),
	};

	return cmocka_run_group_tests(tests, corpus_start, corpus_end);
}
