/*
 * HTML in Markdown is content: an element with a matching block becomes that block, of any other
 * one the children are kept; no word, link or picture is lost and no words are joined. What is
 * written reads back as the same tree, as Markdown and as JSON.
 */
#include <time.h>

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

static size_t
count(const char *json, const char *type)
{
	const char *word = arena_printf(a, "\"type\":\"%s\"", type);
	size_t n = 0;

	for (; (json = strstr(json, word)) != NULL; json++)
		n++;
	return n;
}

/* All words that search sees, and sections with their headings, separated by bars. */
static const char *
words(const struct doc *d)
{
	size_t n;
	struct doc_section *s = doc_sections(a, d, &n);
	struct buf b;

	buf_init(&b, a, (size_t)1 << 24);
	for (size_t i = 0; i < n; i++) {
		if (s[i].heading != NULL)
			buf_printf(&b, "# %s|", s[i].heading);
		buf_printf(&b, "%s%s", s[i].text, i + 1 < n ? "|" : "");
	}
	for (size_t i = 0; i < b.n; i++)
		if (b.p[i] == '\n')
			b.p[i] = '|';
	return b.p;
}

static void
comes_back(const struct doc *d, const char *json)
{
	const char *text = markdown_of(a, d);
	struct doc *again = parse(a, text);

	assert_string_equal(doc_text(a, again, false), json);
	assert_string_equal(markdown_of(a, again), text);
	again = read_back(a, json);
	assert_non_null(again);
	assert_string_equal(doc_text(a, again, false), json);
}

/* An HTML source with its words, its links and pictures, and a type that its document must contain (NULL: any). */
struct form {
	const char *source, *words;
	size_t      links, images;
	const char *type;
};

static void
check_form(const struct form *f)
{
	const struct doc *d = parse(a, f->source);
	const char *json = doc_text(a, d, false);

	if (strcmp(words(d), f->words) != 0)
		fail_msg("%s: words are %s", f->source, words(d));
	if (count(json, "link") != f->links || count(json, "image") + count(json, "inline-image") != f->images)
		fail_msg("%s: %zu links, %zu images", f->source, count(json, "link"),
		    count(json, "image") + count(json, "inline-image"));
	if (f->type != NULL && count(json, f->type) == 0)
		fail_msg("%s: no %s in %s", f->source, f->type, json);
	comes_back(d, json);
	arena_reset(a);
}

#define L "<a href=\"b.md\">l</a>"
#define I "<img src=\"a.png\">"

static void
html_is_content(void **state)
{
	static const struct form forms[] = {
		{ "<div>See " L " and <b>bold</b>.</div>\n", "See l and bold.", 1, 0, "bold" },
		{ "<div>One</div><div>Two</div>\n", "One|Two", 0, 0, NULL },
		{ "<section><h2>Head</h2><p>t " L "</p></section>\n", "|# Head|t l", 1, 0, "heading-1" },
		{ "<div align=\"center\"><a href=\"https://x.example\">" I "</a></div>\n", "", 1, 1, NULL },
		{ "<center><h1>Title</h1>" I "<p>w " L "</p></center>\n", "|# Title|w l", 1, 1, "images" },
		{ "<p align=\"center\">\n  " I "\n</p>\n", "", 0, 1, "images" },
		{ "<p align=\"center\">\n\n![](a.png) x\n\n</p>\n", " x", 0, 1, NULL },
		{ "<dl><dt>Term</dt><dd>Def " L "</dd><dt>T2<dd>D2</dl>\n", "Term|Def l|T2|D2", 1, 0, "bold" },
		{ "<details><summary>T " L "</summary>\n<ul><li>a " L "</li></ul>\n<table><tr><td>c</td></tr></table>\n"
		  "<h3>H</h3><pre>x\ny</pre>" I "</details>\n", "T l|a l|c|# H|x|y", 2, 1, "expandable" },
		{ "<div><details><summary>S</summary>in " L "</details></div>\n", "S|in l", 1, 0, "expandable" },
		{ "<ul><li>x<details><summary>S</summary><p>in " L "</p></details></li>stray</ul>\n", "x|S|in l|stray", 1, 0,
		  "expandable" },
		{ "<table><caption>Cap " L "</caption><tr><th>A</th></tr><tr><td>1</td></tr></table>\n", "Cap l|A|1", 1, 0, "table" },
		{ "<div><table><tr><td>cell " L "</td></tr></table></div>\n", "cell l", 1, 0, "table" },
		{ "<table><tr><td>a<table><tr><td>in " L "</td></tr></table></td><td>" I "</td></tr></table>\n", "a|in l", 1, 1, "table" },
		{ "<table><tr><th>" I "</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>\n", "B|1|2", 0, 1, "table" },
		{ "<table>\n<tr><td>\n\n<table>\n<tr><td>in</td></tr>\n\n</table>\n\n**b**\n\n</td></tr>\n</table>\n", "in|b", 0, 0, "bold" },
		{ "<figure><a href=\"b.md\">" I "</a><figcaption>Cap " L "</figcaption></figure>\n", "Cap l", 2, 1, NULL },
		{ "<figure>" I I "<figcaption>two</figcaption></figure>\n", "two", 0, 2, "images" },
		{ "<figure><pre>x</pre><figcaption>Cap</figcaption></figure>\n", "x|Cap", 0, 0, "code" },
		{ "The <ruby>A<rp>[</rp><rt>b</rt><rp>]</rp></ruby>.\n", "The A(b).", 0, 0, NULL },
		{ "<div><ruby>A<rt>b</ruby> c</div>\n", "A(b) c", 0, 0, NULL },
		{ "<video src=\"a.mp4\" controls>Your browser</video>\n", "", 0, 0, "file" },
		{ "<video controls>\n<source src=\"a.mp4\">\nNo video.\n</video>\n", "", 0, 0, "file" },
		{ "<center><audio src=\"https://e.example/a.mp3\"></audio></center>\n", "", 0, 0, "embed" },
		{ "See <video src=\"a.mp4\">x</video> and <audio src=\"b.mp3\"/> there.\n", "See a.mp4 and b.mp3 there.", 2, 0, NULL },
		{ "<video src=\"a.mp4\">words " L "\n\nmore\n", "words l|more", 1, 0, "file" },
		{ "<p><iframe src=\"//p.example/1\"></iframe></p>\n", "", 0, 0, "embed" },
		{ "x <iframe src=\"https://p.example/1\" title=\"t\"></iframe> y\n", "x t y", 1, 0, NULL },
		{ "<address>Main St.<br>Town " L "</address>\n", "Main St.|Town l", 1, 0, NULL },
		{ "<fieldset><legend>Leg</legend><label>Name</label> <input> w</fieldset>\n", "Leg|Name  w", 0, 0, NULL },
		{ "<nav><a href=\"a.md\">A</a> " L "</nav>\n", "A l", 2, 0, NULL },
		{ "<a href=\"b.md\"><div><h3>Card</h3><p>text</p>" I "</div></a>\n", "|# Card|text", 3, 1, "heading-2" },
		{ "<b><div>bold</div></b> <font color=\"red\">red</font>\n", "bold|red", 0, 0, "bold" },
		{ "text <div>**b** in</div> more <ul><li>x</li><li>[y](y.md)</li></ul> end\n", "text|b in|more|x|y|end", 1, 0, "list-item" },
		{ "**m** <a href=\"b.md\">one<div>two **x**</div></a> t\n", "m one|two x|t", 2, 0, NULL },
		{ "- item\n\n  <p align=\"center\">\n  " I "\n </p>\n\n- next\n", "item|next", 0, 1, "images" },
		{ "1. item\n   <div>\n   text " L "\n </div>\n2. next\n", "item|text l|next", 1, 0, NULL },
		{ "> <div>q " L "</div>\n> <center>c</center>\n", "q l|c", 1, 0, "blockquote" },
		{ "<blockquote>\n\nq **md**\n\n</blockquote>\n", "q md", 0, 0, "blockquote" },
		{ "<div>\n\n**md** ![](a.png)\n\n<section>\n\n- x\n\n</section>\n\n</div>\n", "md |x", 0, 1, "list-item" },
		{ "<div>open " L "\n\nafter\n", "open l|after", 1, 0, NULL },
		{ "<p>one\n<p>two " L "\n\nafter\n", "one|two l|after", 1, 0, NULL },
		{ "| a | b |\n|-|-|\n| <div>one</div><div>two</div> | <details><summary>S</summary>in " L "</details> |\n",
		  "a|b|one|two|S|in l", 1, 0, "expandable" },
		{ "| a |\n|-|\n| <dl><dt>T</dt><dd>D</dd></dl> |\n", "a|T|D", 0, 0, NULL },
		{ "<div>\n{% hint style=\"info\" %}\nx " L "\n{% endhint %}\n</div>\n", "x l", 1, 0, "hint" },
		{ "<Card title=\"x\">\n<p>t " L "</p>\n</Card>\n", "<Card title=\"x\">|t l|</Card>", 1, 0, NULL },
		{ "<a name=\"x\"></a>\n<h2>Title <div>sub</div></h2>\n", "|# Title sub|", 0, 0, "heading-1" },
		{ "<div><!-- c -->One <!-- d --> two</div>\n", "One  two", 0, 0, NULL },
		{ "<div><img src=\"i.png\"> beside</div>\n", " beside", 0, 1, "inline-image" },
		{ "<table><tr><th>H</th></tr><tr><td><p> <i> </i><b> end </b>\n</p><p>x</p></td></tr></table>\n", "H|end|x", 0, 0, "bold" },
		{ "<p> <b> a </b> <i> </i>\n</p>\n", "a", 0, 0, "bold" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		check_form(&forms[i]);
}

/* A quotation mark that was never closed hides no text, whether another one follows or not. */
static void
open_quotes_hide_nothing(void **state)
{
	static const struct form forms[] = {
		{ "<figure><img src=\"a.png\" alt=\"A view of it.\u201c ><figcaption><p>Cap</p></figcaption></figure>\n\nafter\n",
		  "Cap|after", 0, 1, "images" },
		{ "<p align=\"center\">\n  <img src=\"a.png\" alt=\"A/>\n</p>\n\nafter\n", "after", 0, 1, "images" },
		{ "<p align=\"center>words " L "</p>\n\nafter\n", "words l|after", 1, 0, NULL },
		{ "<p align='center>words " I "</p>\n", "words", 0, 1, NULL },
		{ "<div class=\"x>\n\nin **md** " L "\n\n</div>\n", "in md l", 1, 0, "bold" },
		{ "<details>\n<summary class=\"x>Sum</summary>\n\nin " L "\n\n</details>\n", "Sum|in l", 1, 0, "expandable" },
		{ "<table><tr><td class=\"a>one " L "</td><td>two</td></tr></table>\n", "one l|two", 1, 0, "table" },
		{ "<ul><li class=\"a>one " I "</li><li>two</li></ul>\n", "one |two", 0, 1, "list-item" },
		{ "<!-- <a href=\"x> -->\n<p id=\"a>b\">c</p>\n", "c", 0, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		check_form(&forms[i]);
}

/*
 * Mentions of users of the published service, whom this installation does not know: their names and
 * links stay, and words are not joined. Ids stay users.
 */
static void
mentions_of_unknown_users_keep_their_names(void **state)
{
	static const struct form forms[] = {
		{ "<table><thead><tr><th>D</th><th data-type=\"users\" data-multiple>By</th><th data-type=\"users\">Own</th></tr></thead><tbody>"
		  "<tr><td>1</td><td><a href=\"https://app.example/u/a1\">Ann A</a><a href=\"https://app.example/u/b2\">Bob B</a></td><td>id1</td></tr>"
		  "<tr><td>2</td><td></td><td></td></tr><tr><td>3</td><td>Eve</td><td></td></tr></tbody></table>\n",
		  "D|By|Own|1|Ann A, Bob B|id1|2|3|Eve", 2, 0, "users" },
	};

	(void)state;
	check_form(&forms[0]);
}

/* Single tildes are text, as in ranges; only double ones strike words through. */
static void
single_tildes_are_letters(void **state)
{
	static const char *const letters[] = { "From 100~130 to 240~255.\n", "1~2\u4ee5\u4e0a\u30013~4\n",
		"x&~y, a ~b~ c\n", "| 1~2 | 3~4 |\n| --- | --- |\n| ~a~ | b |\n", "* ~/.one and ~/.two\n" };
	const struct doc *d;
	const char *json;

	(void)state;
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++) {
		d = parse(a, letters[i]);
		json = doc_text(a, d, false);
		assert_null(strstr(json, "strikethrough"));
		comes_back(d, json);
	}
	d = parse(a, "~~gone~~, 5~6 ~~and~7~~\n");
	json = doc_text(a, d, false);
	assert_int_equal(count(json, "strikethrough"), 2);
	assert_non_null(strstr(json, ", 5~6 "));
	comes_back(d, json);
	/* A tilde next to struck-through text, or where it would open a fence, is escaped so that it stays text. */
	json = "{\"object\":\"document\",\"data\":{},\"nodes\":[{\"object\":\"block\",\"type\":\"paragraph\",\"nodes\":[{\"object\":\"text\","
	    "\"leaves\":[{\"object\":\"leaf\",\"text\":\"~~~ a~~b \",\"marks\":[]},{\"object\":\"leaf\",\"text\":\"c\",\"marks\":"
	    "[{\"object\":\"mark\",\"type\":\"strikethrough\"}]},{\"object\":\"leaf\",\"text\":\"~d\",\"marks\":[]}]}]}]}";
	d = parse(a, markdown_of(a, read_back(a, json)));
	assert_string_equal(words(d), "~~~ a~~b c~d");
	assert_int_equal(count(doc_text(a, d, false), "strikethrough"), 1);
}

/* The tags of a box are kept beside its blocks, and its alignment applies to these. */
static void
boxes_keep_their_look(void **state)
{
	const char *json;

	(void)state;
	assert_string_equal(markdown_of(a, parse(a, "<div class=\"x\"><p>One</p><b>two</b></div>\n\nthree\n")),
	    "<div class=\"x\">\n\nOne\n\n**two**\n\n</div>\n\nthree\n");
	json = doc_text(a, parse(a, "<div align=\"center\">\n\n# T\n\n![](a.png)\n\nw\n\n</div>\n\nafter\n"), false);
	assert_non_null(strstr(json, "\"type\":\"heading-1\",\"data\":{\"align\":\"center\"}"));
	assert_non_null(strstr(json, "\"type\":\"images\",\"isVoid\":false,\"data\":{\"align\":\"center\"}"));
	assert_non_null(strstr(json, "\"type\":\"paragraph\",\"data\":{\"align\":\"center\"}"));
	assert_null(strstr(strstr(json, "\"text\":\"w\""), "\"align\""));
	json = doc_text(a, parse(a, "<p style=\"text-align: right\">w</p>\n"), false);
	assert_non_null(strstr(json, "\"align\":\"end\""));
}

/* Elements that run code or fetch something are shown as source, in any place. */
static void
active_elements_stay_source(void **state)
{
	static const char *const pieces[] = { "<script>alert(1)</script>", "<iframe src=\"javascript:y\"></iframe>",
		"<video src=\"javascript:y\"></video>", "<object data=\"x\"></object>", "<iframe srcdoc=\"<b>x</b>\"></iframe>" };
	static const char *const around[][2] = { { "", "\n" }, { "<div>", "</div>\n" }, { "a ", " b\n" },
		{ "<ul><li>", "</li></ul>\n" }, { "<table><tr><td>", "</td></tr></table>\n" }, { "<p align=\"center\">", "</p>\n" } };
	const struct doc *d;
	const char *json;

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++)
		for (size_t k = 0; k < sizeof(around) / sizeof(*around); k++) {
			d = parse(a, arena_printf(a, "%s%s%s", around[k][0], pieces[i], around[k][1]));
			json = doc_text(a, d, false);
			assert_int_equal(count(json, "embed") + count(json, "file") + count(json, "link"), 0);
			/* The words contain the element's name. */
			if (strstr(words(d), arena_strndup(a, pieces[i], 4)) == NULL)
				fail_msg("%s%s shows %s", around[k][0], pieces[i], words(d));
			arena_reset(a);
		}
}

static void
empty_headings_stay_as_raw_text(void **state)
{
	const char *json;
	struct doc *d;

	(void)state;
	d = parse(a, "##\n\ntext\n\n### <a href=\"#x\" id=\"x\"></a>\n\n> #\n\n- ###\n\n## <!-- c -->\n\n<h2> </h2>\n\n## &nbsp;\n");
	json = doc_text(a, d, false);
	assert_null(strstr(json, "\"heading-"));
	assert_non_null(strstr(json, "\"rawBefore\":[\"##\"]"));
	comes_back(d, json);
	/* A picture or a formula counts as visible content. */
	assert_non_null(strstr(doc_text(a, parse(a, "## ![](a.png)\n"), false), "\"heading-1\""));
	/* Visible content does not become invisible on import. */
	d = read_back(a, "{\"object\":\"document\",\"nodes\":[{\"object\":\"block\",\"type\":\"divider\",\"rawBefore\":"
	    "[\"## x\",\"## <!-- a --> y\",\"## <b>z</b>\",\"##\"]}]}");
	assert_string_equal(markdown_of(a, d), "##\n\n***\n");
}

/*
 * Text indented below an item that was emptied still belongs to the item and is no code; other
 * indented text is code.
 */
static void
text_indented_below_an_empty_item_belongs_to_it(void **state)
{
	static const struct form forms[] = {
		{ "1. One\n\n2.\n\n    <figure>" I "</figure>\n\n    more\n\n3. Three\n", "One|more|Three", 0, 1, "images" },
		{ "*   \n\n    <figure>" I "<figcaption></figcaption></figure>\n", "", 0, 1, "images" },
		{ "* a\n\n  *\n\n        <div align=\"center\">" I "</div>\n", "a", 0, 1, "images" },
		{ "-\n\n      ![](a.png)\n\n      | x |\n      | - |\n      | y |\n", "x|y", 0, 1, "table" },
		{ "- [ ] a\n-\n\n    {% hint style=\"info\" %}\n    x\n    {% endhint %}\n", "a|x", 0, 0, "hint" },
		{ "> 1.\n>\n>     " I "\n", "", 0, 1, "images" },
	};
	const char *json;

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		json = doc_text(a, parse(a, forms[i].source), false);
		assert_null(strstr(json, "\"type\":\"code\""));
		check_form(&forms[i]);
	}
	assert_int_equal(count(doc_text(a, parse(a, "x\n\n    <figure>" I "</figure>\n"), false), "code"), 1);
	assert_int_equal(count(doc_text(a, parse(a, "-\n\n```\n<figure>\n```\n"), false), "code"), 1);
}

static double
seconds(const char *piece, size_t bytes)
{
	size_t n = bytes / strlen(piece), k = strlen(piece);
	struct arena *own = arena_new((size_t)2 << 30);
	char *text = arena_alloc(own, n * k + 1);
	struct timespec from, to;

	for (size_t i = 0; i < n; i++)
		memcpy(text + i * k, piece, k);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	doc_parse(own, (struct str){ text, n * k }, NULL, NULL, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	arena_free(own);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* Four times the text takes about four times as long, not sixteen times. */
static void
cost_is_linear(void **state)
{
	static const char *const pieces[] = { "<div>", "<div>\n\n", "<table>\n\n", "</div>", "<p>x", "<b><div>", "<i></b>", "<details>",
		"<div><img src=x>", "<a href=x>\n", "<ul><li>\n\n", "<video src=x>", "x <div> ", "x <a href=y> <p> ", "<dt>x</dt>",
		"<div align=center>x ", "<figure>\n\n", "-\n\n      x\n\n", "<ruby>a<rt>", "<div data-tag=hint>", "<!--", "<script>" };
	enum { BYTES = 30000 };
	double one, four;
	int tries;

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		/* Try again, since other programs may have used the processor during a measurement. */
		for (tries = 0, one = 0, four = 1; tries < 4 && four > one * 9 + 0.05; tries++) {
			one = seconds(pieces[i], BYTES);
			four = seconds(pieces[i], BYTES * 4);
		}
		if (four > one * 9 + 0.05)
			fail_msg("\"%s\": %.3f s, and %.3f s for four times as much", pieces[i], one, four);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(html_is_content, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(open_quotes_hide_nothing, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(single_tildes_are_letters, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(mentions_of_unknown_users_keep_their_names, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(boxes_keep_their_look, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(active_elements_stay_source, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(empty_headings_stay_as_raw_text, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(text_indented_below_an_empty_item_belongs_to_it, open_arena, close_arena),
		cmocka_unit_test_setup_teardown(cost_is_linear, open_arena, close_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
