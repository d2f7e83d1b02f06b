/* PDFs read back with poppler and qpdf: the output of pdf_write() for documents made from Markdown. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <dlfcn.h>
#include <signal.h>

#include "base/json.h"
#include "markdown/document.h"
#include "pdf/pdf.h"
#include "pdf_file.h"
#include "pdf_operation.h"

static struct pdf_page pages[20];
static const char *bodies[20];
static size_t count, files_asked;
static char warnings[4000];
static bool stop;
static int asked, stop_at;   /* stop_at: number of the call of alive() that returns false; 0: none */

/* ---- the source ---- */

static bool
lookup(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	size_t i;

	(void)ctx;
	(void)a;
	*out = (struct doc_ref){ .kind = use == USE_FILE ? REF_FILE : REF_PAGE };
	for (i = 0; i < count; i++)
		if (use != USE_FILE && spelling.n >= 2 && strncmp(pages[i].id, spelling.p, strlen(pages[i].id)) == 0) {
			const char *hash = memchr(spelling.p, '#', spelling.n);

			out->id = pages[i].id;
			if (hash != NULL) {
				out->kind = REF_ANCHOR;
				out->anchor = arena_strndup(a, hash + 1, spelling.n - (size_t)(hash + 1 - spelling.p));
			}
			return true;
		}
	out->id = arena_strndup(a, spelling.p, spelling.n);
	return use == USE_FILE;
}

static struct str
document(void *ctx, struct arena *a, const struct pdf_page *page)
{
	struct doc_refs refs = { .lookup = lookup, .self = page->id };
	struct json j;
	struct buf b;

	(void)ctx;
	/* Document JSON for content that Markdown cannot express. */
	if (strncmp(bodies[page - pages], "{\"", 2) == 0)
		return str_of(bodies[page - pages]);
	buf_init(&b, a, 64 << 20);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, str_of(bodies[page - pages]), &refs, NULL, NULL));
	return buf_view(&b);
}

static const char svg[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"><rect width=\"40\" height=\"20\"/></svg>";

static const unsigned char png[] = {   /* 3 x 2 pixels, one color */
	0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x03,
	0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0x12, 0x16, 0xf1, 0x4d, 0x00, 0x00, 0x00, 0x10, 0x49, 0x44, 0x41,
	0x54, 0x78, 0xda, 0x63, 0xb8, 0xa0, 0xe0, 0x00, 0x41, 0x0c, 0x70, 0x16, 0x00, 0x4a, 0xb4, 0x07, 0x21, 0xc1, 0x4d, 0x92,
	0x19, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

static struct str upright;   /* a JPEG with EXIF rotation: make_upright() */

/* Images that crash their decoders: functions below replace those of the libraries. */
static const char crash_early[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><!-- CRASH EARLY --></svg>";
static const char crash_late[] = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><!-- CRASH LATE --></svg>";
static bool late;

static void *
real(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (f == NULL)
		fail_msg("%s is not there", name);
	return f;
}

int gdk_pixbuf_loader_write(void *loader, const unsigned char *bytes, size_t n, void **error);
int
gdk_pixbuf_loader_write(void *loader, const unsigned char *bytes, size_t n, void **error)
{
	int (*f)(void *, const unsigned char *, size_t, void **);

	if (memmem(bytes, n, "CRASH", 5) != NULL)
		raise(SIGSEGV);
	*(void **)&f = real("gdk_pixbuf_loader_write");
	return f(loader, bytes, n, error);
}

void *rsvg_handle_new_from_data(const unsigned char *bytes, size_t n, void **error);
void *
rsvg_handle_new_from_data(const unsigned char *bytes, size_t n, void **error)
{
	void *(*f)(const unsigned char *, size_t, void **);

	if (memmem(bytes, n, "EARLY", 5) != NULL)
		abort();
	late = memmem(bytes, n, "LATE", 4) != NULL;
	*(void **)&f = real("rsvg_handle_new_from_data");
	return f(bytes, n, error);
}

int rsvg_handle_render_document(void *handle, void *cr, const void *box, void **error);
int
rsvg_handle_render_document(void *handle, void *cr, const void *box, void **error)
{
	int (*f)(void *, void *, const void *, void **);

	if (late)
		abort();
	*(void **)&f = real("rsvg_handle_render_document");
	return f(handle, cr, box, error);
}

static bool
file(void *ctx, struct arena *a, const char *id, bool bytes, struct pdf_file *out)
{
	(void)ctx;
	(void)a;
	files_asked++;
	*out = (struct pdf_file){ .name = id, .size = 20480 };
	if (bytes)
		out->bytes = strcmp(id, "early.svg") == 0 ? str_of(crash_early) : strcmp(id, "late.svg") == 0 ? str_of(crash_late) :
		    strcmp(id, "upright.jpg") == 0 ? upright :
		    strcmp(id, "crash.png") == 0 ? STR("\x89PNG\r\n\x1a\nCRASH") :
		    strcmp(id, "good.png") == 0 ? (struct str){ (const char *)png, sizeof(png) } :
		    strstr(id, ".svg") != NULL ? str_of(svg) : STR("\x89PNG\r\n\x1a\nbroken");
	return true;
}

static const char *
user(void *ctx, struct arena *a, const char *id)
{
	(void)ctx;
	(void)a;
	return strcmp(id, "u1") == 0 ? "Ada" : NULL;
}

static struct str
markdown(void *ctx, struct arena *a, const char *text)
{
	struct json j;
	struct buf b;

	(void)ctx;
	buf_init(&b, a, 1 << 20);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, str_of(text), NULL, NULL, NULL));
	return buf_view(&b);
}

/*
 * Stands for typeset_code(): marks keywords and escapes characters; for some sources the answer
 * differs from the source.
 */
static struct str
code(void *ctx, struct arena *a, const char *syntax, struct str source)
{
	(void)ctx;
	(void)a;
	(void)source;
	if (strcmp(syntax, "c") == 0)
		return STR("<span class=\"k\">if</span> (a &lt; b &amp;&amp; c)\n\t<span class=\"s\">&quot;x&quot;</span>;\n");
	return strcmp(syntax, "lies") == 0 ? STR("<span class=\"k\">other</span> text\n") :
	    strcmp(syntax, "html") == 0 ? STR("<b>kept</b>\n") : (struct str){ NULL, 0 };
}

/* Formulas that can be set are tested in test_pdf_math. */
static struct str
math(void *ctx, struct arena *a, const char *formula, bool display)
{
	(void)ctx;
	(void)a;
	(void)display;
	return strcmp(formula, "half") == 0 ? STR("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>") : (struct str){ NULL, 0 };
}

static bool
progress(void *ctx, const char *stage, size_t done, size_t total)
{
	(void)ctx;
	(void)stage;
	assert_true(done < total);
	asked++;
	return !stop && (stop_at == 0 || asked < stop_at);
}

static void
warn(void *ctx, const struct pdf_page *page, const char *message)
{
	size_t n = strlen(warnings);

	(void)ctx;
	snprintf(warnings + n, sizeof(warnings) - n, "%s: %s\n", page != NULL ? page->id : "", message);
}

static void
add_page(const char *id, const char *title, int depth, const char *body)
{
	struct pdf_page *p = &pages[count];

	*p = (struct pdf_page){ .id = id, .title = title, .depth = depth, .written = body != NULL };
	if (count > 0)
		pages[count - 1].next = p;
	bodies[count++] = body;
}

static struct pdf_result
write_pdf(void)
{
	struct pdf_source s = { .title = "Hand & Book", .owner = "Acme", .language = "en", .at = 1767225600000,
		.pages = count > 0 ? pages : NULL, .font = "", .document = document, .file = file, .user = user,
		.markdown = markdown, .code = code, .math = math, .progress = progress,
		.warn = warn };
	struct pdf_result r = pdf_write(arena, &s, path);

	json_arena(NULL);
	return r;
}

/* ---- reading back ---- */

static void
printed(void)
{
	struct pdf_result r = write_pdf();

	if (r.error != NULL)
		fail_msg("%s", r.error);
	run("qpdf --check %s 2>&1", path);
	assert_int_equal(r.sheets, strtol(run("pdfinfo %s | sed -n 's/^Pages: *//p'", path), NULL, 10));
}

/* The PDF must contain these texts in this order. */
static void
in_order(const char *const *texts, size_t n)
{
	const char *all = words(), *at = all;
	size_t i;

	for (i = 0; i < n; i++) {
		at = strstr(at, texts[i]);
		if (at == NULL)
			fail_msg("\"%s\" is missing or stands too early in: %s", texts[i], all);
	}
}

#define IN_ORDER(...) in_order((const char *const[]){ __VA_ARGS__ }, \
	sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* No word is outside the text area of the sheet. */
static void
nothing_overflows(void)
{
	char *bad = run("pdftotext -bbox %s - | awk -F'\"' '/<word/ { if ($2 < 55 || $6 > 541 || $4 < 30 || $8 > 815) print }'",
	    path);

	if (*bad != '\0')
		fail_msg("words over the edge: %s", bad);
}

static int
setup(void **state)
{
	(void)state;
	arena = arena_new((size_t)1 << 30);
	temp_dir(tmp);
	snprintf(path, sizeof(path), "%s/out.pdf", tmp);
	count = 0;
	*warnings = '\0';
	stop = false;
	memset(pages, 0, sizeof(pages));
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* ---- tests ---- */

static void
texts_are_printed_in_order(void **state)
{
	(void)state;
	add_page("pa", "First", 0, "One **two** `three`.\n\n* four\n* five\n\n1. six\n\n> seven\n\n"
	    "{% hint style=\"info\" %}\neight\n{% endhint %}\n\n```c\nnine();\n```\n\n- [x] ten\n");
	add_page("pb", "Second", 1, "{% tabs %}\n{% tab title=\"Eleven\" %}\ntwelve\n{% endtab %}\n{% tab title=\"Thirteen\" %}\n"
	    "fourteen\n{% endtab %}\n{% endtabs %}\n\n<details>\n\n<summary>fifteen</summary>\n\nsixteen\n\n</details>\n\n"
	    "{% stepper %}\n{% step %}\n### Seventeen\n\neighteen\n{% endstep %}\n{% endstepper %}\n\nnineteen[^1]\n\n[^1]: twenty\n");
	printed();
	IN_ORDER("Hand & Book", "Acme", "2026-01-01", "First", "One two three.", "four", "five", "six", "seven", "eight",
	    "nine();", "ten", "Second", "Eleven", "twelve", "Thirteen", "fourteen", "fifteen", "sixteen", "Seventeen",
	    "eighteen", "nineteen", "twenty");
	assert_string_equal(run("pdfinfo %s | sed -n 's/^Title: *//p'", path), "Hand & Book\n");
	assert_string_equal(run("qpdf --json=1 %s | jq -r '.objects | .[.trailer[\"/Root\"]][\"/Lang\"]'", path), "en\n");
	assert_string_equal(run("pdfinfo %s | sed -n 's/^Tagged: *//p'", path), "yes\n");
	nothing_overflows();
	assert_string_equal(warnings, "");
}

#define PARAGRAPH(nodes) "{\"object\":\"block\",\"type\":\"paragraph\",\"nodes\":[" nodes "]}"
#define NOTE(words, body) "{\"object\":\"inline\",\"type\":\"annotation\",\"nodes\":[{\"object\":\"text\",\"leaves\":[{\"object\":\"leaf\"," \
	"\"text\":\"" words "\"}]}],\"fragments\":[{\"object\":\"fragment\",\"type\":\"annotation-body\",\"nodes\":[" body "]}]}"

/* Notes of several sheets, many at one paragraph, one within a note, one that holds a table. */
static void
long_footnotes_continue_on_the_next_sheet(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "first[^long] second[^a][^b][^c][^d][^e][^f] third[^table]\n");
	for (int i = 0; i < 300; i++)
		buf_printf(&b, "\nbody%dx\n", i);
	buf_str(&b, "\n[^long]: begin0x\n");
	for (int i = 0; i < 400; i++)
		buf_printf(&b, "\n    long%dx with more words, so that the lines of one paragraph are several: %s\n", i,
		    i % 3 == 0 ? "one two three four five six seven eight nine ten eleven twelve thirteen fourteen" : "");
	for (int i = 0; i < 6; i++) {
		buf_printf(&b, "\n[^%c]:", 'a' + i);
		for (int k = 0; k < 300; k++)
			buf_printf(&b, " %c%dx", 'a' + i, k);
		buf_str(&b, "\n");
	}
	buf_str(&b, "\n[^table]: A table:\n\n    | t | u |\n    | - | - |\n");
	for (int i = 0; i < 150; i++)
		buf_printf(&b, "    | row%dx | v |\n", i);
	add_page("pa", "Notes", 0, b.p);
	/* Notes within notes come from documents alone. */
	add_page("pb", "Inner", 0, "{\"object\":\"document\",\"nodes\":[" PARAGRAPH(NOTE("outer", PARAGRAPH(NOTE("inner0x", PARAGRAPH(
	    "{\"object\":\"text\",\"leaves\":[{\"object\":\"leaf\",\"text\":\"outer0x\"}]}"))))) "]}");
	printed();
	nothing_overflows();
	/* Each word once: 300 + 1 + 400 + 6 * 300 + 150 + 2. */
	assert_string_equal(run("pdftotext -raw %s - | grep -oE '(body|begin|long|a|b|c|d|e|f|row|outer|inner)[0-9]+x' | sort | uniq -c | "
	    "awk '{ n[$1]++ } END { for (k in n) print k, n[k] }'", path), "1 2653\n");
	/* The text goes on beside them, and no sheet but the last ones holds notes alone. */
	assert_string_equal(run("pdftotext -f 4 -l 4 %s - | grep -cE '^(body|long)' | awk '{ print ($1 > 10) }'", path), "1\n");
	assert_string_equal(warnings, "");
}

static void
links_and_bookmarks_lead_to_sheets(void **state)
{
	(void)state;
	add_page("pa", "Alpha", 0, "To [the other](pb), [its heading](pb#there), [nowhere](pb#gone), [outside](https://example.org/x).\n");
	add_page("pg", "Group", 0, NULL);
	add_page("pb", "Beta", 1, "## There\n\ntext\n\n### Below\n\nmore\n\n## Again\n");
	printed();
	/* Cover, contents, two pages; each link within the document has a sheet as its target. */
	assert_string_equal(run("qpdf --json=1 %s | jq -c '[.outlines[] | {t: .title, p: .destpageposfrom1, "
	    "k: [.kids[] | {t: .title, p: .destpageposfrom1, k: [.kids[] | [.title, .destpageposfrom1, [.kids[].title]]]}]}]'", path),
	    "[{\"t\":\"Alpha\",\"p\":3,\"k\":[]},{\"t\":\"Group\",\"p\":4,\"k\":[{\"t\":\"Beta\",\"p\":4,\"k\":"
	    "[[\"There\",4,[\"Below\"]],[\"Again\",4,[]]]}]}]\n");
	assert_string_equal(run("qpdf --json=1 %s | jq -c '.objects as $o | [.pages[].object] as $pages "
	    "| ([$o[] | objects | .[\"/Names\"]? | arrays] | add | [range(0; length; 2) as $i | {key: .[$i], value: .[$i + 1][0]}] "
	    "| from_entries) as $names | [$o[] | objects | select(.[\"/Subtype\"] == \"/Link\") | if .[\"/Dest\"] "
	    "then $names[.[\"/Dest\"]] as $at | $pages | index($at) else .[\"/A\"][\"/URI\"] end] | sort'", path),
	    "[2,3,3,3,3,3,3,3,\"https://example.org/x\"]\n");
	IN_ORDER("Alpha", "3", "Group", "4", "Beta", "4", "There", "4");
	/* In the order of the file, which is also the order of reading aloud. */
	assert_non_null(strstr(run("pdftotext -raw -f 2 -l 2 %s - | tr -s '\\n\\f ' ' '", path), "Alpha 3 Group 4 Beta 4 There 4"));
}

/* Invalid widths, more columns than fit, tables inside tables: words wrap, and none is lost. */
static void
words_wrap_in_narrow_columns(void **state)
{
#define COLUMN(width, word) "{\"object\":\"block\",\"type\":\"column\",\"data\":{\"width\":" width "},\"nodes\":[" \
	"{\"object\":\"block\",\"type\":\"paragraph\",\"nodes\":[{\"object\":\"text\",\"leaves\":[{\"object\":\"leaf\"," \
	"\"text\":\"" word " and more words behind it\",\"marks\":[]}]}]}]}"
	struct buf b;
	int i;

	(void)state;
	add_page("pa", "Columns", 0, "{\"object\":\"document\",\"data\":{},\"nodes\":[{\"object\":\"block\",\"type\":\"columns\","
	    "\"data\":{},\"nodes\":[" COLUMN("-5", "one") "," COLUMN("0", "two") "," COLUMN("1e999", "three") "]}]}");
	buf_init(&b, arena, 1 << 20);
	for (i = 0; i < 12; i++)
		buf_str(&b, "<table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td>x</td><td>y</td><td>");
	buf_str(&b, "inmost");
	for (i = 0; i < 12; i++)
		buf_str(&b, "</td></tr></tbody></table>");
	buf_str(&b, "\n");
	add_page("pb", "Tables", 0, b.p);
	printed();
	assert_non_null(strstr(words(), "one"));
	assert_non_null(strstr(words(), "two"));
	assert_non_null(strstr(words(), "three"));
	assert_true(strtol(run("pdftotext -f 3 -l 3 -bbox %s - | awk -F'\"' '/<word/ && ($2 < 55 || $6 > 541)' | wc -l", path), NULL, 10) == 0);
}


/* As on the screen: a merged area has one text and no rules inside, and numbers are aligned right. */
static void
tables_are_those_of_the_screen(void **state)
{
#define TABLE(merges) "{\"object\":\"document\",\"data\":{},\"nodes\":[{\"object\":\"block\",\"type\":\"table\",\"data\":{" \
	"\"view\":{\"columns\":[\"a\",\"b\"]},\"definition\":{\"a\":{\"type\":\"select\",\"title\":\"Words\"}," \
	"\"b\":{\"type\":\"number\"}},\"records\":{\"r\":{\"orderIndex\":\"a\",\"values\":{\"a\":[\"shown\"],\"b\":7}}," \
	"\"s\":{\"orderIndex\":\"b\",\"values\":{\"a\":[\"covered\"],\"b\":123456}}},\"cellMerges\":[" merges "]}}]}"
	int apart;

	(void)state;
	add_page("pa", "Table", 0, TABLE(""));
	printed();
	IN_ORDER("Words", "shown", "covered");
	assert_string_equal(run("pdftotext -bbox %s - | awk -F'\"' '/>7<|>123456</ { printf \"%%d \", $6 }' | tr ' ' '\\n' | sort -u | "
	    "grep -c .", path), "1\n");
	apart = times(run("qpdf --qdf --object-streams=disable %s -", path), " re f\n");
	bodies[0] = TABLE("{\"anchor\":{\"record\":\"r\",\"column\":\"a\"},\"rowSpan\":2}");
	printed();
	IN_ORDER("Words", "shown", "7", "123456");
	assert_int_equal(times(words(), "covered"), 0);
	/* The rule between the two rows. */
	assert_int_equal(times(run("qpdf --qdf --object-streams=disable %s -", path), " re f\n"), apart - 1);
}

static void
tables_break_between_rows(void **state)
{
	struct buf b;
	char *all;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "| Headword | Other |\n|---|---|\n");
	for (i = 0; i < 150; i++)
		buf_printf(&b, "| row%d | some words that are there to wrap at the end of their column, as they are many |\n", i);
	buf_str(&b, "| tall");
	for (i = 0; i < 1500; i++)
		buf_printf(&b, " w%d", i);
	buf_str(&b, " | x |\n");
	add_page("pa", "Table", 0, b.p);
	printed();
	all = words();
	for (i = 0; i < 150; i++)
		assert_int_equal(times(all, arena_printf(arena, " row%d ", i)), 1);
	for (i = 0; i < 1500; i++)
		if (times(all, arena_printf(arena, " w%d ", i)) != 1)
			fail_msg("w%d stands there %d times", i, times(all, arena_printf(arena, " w%d ", i)));
	assert_int_equal(times(all, "Headword"), strtol(run("pdfinfo %s | sed -n 's/^Pages: *//p'", path), NULL, 10));
	nothing_overflows();
}

static void
wide_things_fit(void **state)
{
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	for (i = 0; i < 300; i++)
		buf_char(&b, 'x');
	buf_str(&b, "\n\n```\n");
	for (i = 0; i < 300; i++)
		buf_char(&b, 'y');
	buf_str(&b, "\n```\n\n");
	for (i = 0; i < 14; i++)
		buf_printf(&b, "| configuration_option_number_%d ", i);
	buf_str(&b, "|\n");
	for (i = 0; i < 14; i++)
		buf_str(&b, "|---");
	buf_str(&b, "|\n\n* a\n  * b\n    * c\n      * d\n        * e\n          * f\n            * g\n              * h\n\n"
	    "![](big.svg)\n");
	add_page("pa", "Wide", 0, b.p);
	printed();
	nothing_overflows();
}

static void
all_scripts_are_printed(void **state)
{
	(void)state;
	add_page("pa", "Ünïcödé", 0, "中文段落。 日本語です。\n\nעברית שלום\n\n"
	    "مرحبا بالعالم\n\nкириллица Ελληνικά\n");
	printed();
	IN_ORDER("Ünïcödé", "中文段落。", "日本語です。", "кириллица", "Ελληνικά");
	assert_string_equal(warnings, "");
}

/* In the colours of sites if the marked text equals the source; otherwise plain. */
static void
code_has_colors(void **state)
{
	char *drawn;

	(void)state;
	add_page("pa", "Code", 0, "```c\nif (a < b && c)\n\t\"x\";\n```\n\n```lies\nkept one\n```\n\n```html\n<b>kept</b>\n```\n\n"
	    "```other\nkept two\n```\n");
	printed();
	IN_ORDER("if (a < b && c)", "\"x\";", "kept one", "<b>kept</b>", "kept two");
	drawn = run("qpdf --qdf --object-streams=disable %s -", path);
	/* 8a2f6b and 1a6b3c, as fractions of 255. */
	assert_non_null(strstr(drawn, "0.541176 0.184314 0.419608 rg"));
	assert_non_null(strstr(drawn, "0.101961 0.419608 0.235294 rg"));
	assert_int_equal(times(drawn, "0.541176 0.184314 0.419608 rg"), 1);
	assert_string_equal(warnings, "");
}

/* Descriptions are Markdown; steps are numbered in both passes. */
static void
operations_and_steps_are_printed(void **state)
{
	(void)state;
	add_page("p1", "Reference", 0, read_pet);
	add_page("p2", "Steps", 0, "{% stepper %}\n{% step %}\n## First\n\nDo it\n{% endstep %}\n\n{% step %}\n## Second\n\nDone\n"
	    "{% endstep %}\n{% endstepper %}\n");
	printed();
	IN_ORDER("Find a pet", "GET /pets/{id}", "Needs one key.", "Limits", "ten a second", "Parameters",
	    "id array of integer (int64)", "Which one", "Responses", "200 It", "application/json Pet",
	    "name string or null", "kind string", "Pet", "Has four legs", "name string or null", "1", "First", "2", "Second");
	assert_int_equal(times(words(), " required"), 3);
	assert_string_equal(warnings, "");
	assert_null(strstr(run("qpdf --json=1 %s | jq -c '[.outlines[] | .kids[].title]'", path), "Limits"));
	nothing_overflows();
}

/* What a page of an API says is on paper, too: without what can be folded there, all is open. */
static void
operations_have_all_parts(void **state)
{
	(void)state;
	add_page("p1", "Reference", 0, whole_operation);
	add_page("p2", "Models", 0, extended_models);
	printed();
	IN_ORDER("Add a pet", "POST /pets", "Server: https://{r}.x.example", "Live one", "r: eu of eu, us", "Region of it",
	    "Authorization: door oauth2, pets", "Ask us", "implicit authorizationUrl: https://x.example/in", "pets: Feed them",
	    "curl sample", "Parameters", "q Size, in query", "Values: s, l", "l: Very large", "n integer, in header, deprecated",
	    "default: 5, minimum: 1", "Request body (required)", "One of: sort", "1 Cat", "lives integer, read-only", "maximum: 9",
	    "Other", "number", "Example: First one", "\"x\"", "Example: b", "second value", "Responses", "201 Made",
	    "X-Left integer, in header", "How many left", "Link: next", "getPet", "Callback done", "POST {$url}", "Told later", "200 Heard",
	    "Dog", "hue string, required", "maxLength: 7", "age integer", "coat string", "Values: blue", "Color", "Type: string", "Values: red, blue");
	/* A property of two parts of an allOf is one line, as on screen. */
	assert_int_equal(times(words(), "hue"), 1);
	assert_int_equal(times(words(), "go sample"), 0);
	/* Of a parameter's schema nothing is made that is worth a line. */
	assert_int_equal(times(words(), "77"), 0);
	assert_string_equal(warnings, "");
	nothing_overflows();
}

static void
broken_content_is_printed(void **state)
{
	(void)state;
	add_page("pa", "Broken", 0, "before\n\n![alt words](bad.png)\n\n![](good.svg)\n\n$$\nhalf\n$$\n\n"
	    "$$\n\\nosuchthing{x}\n$$\n\n\xF3\xBF\xBF\xBD after\n");
	printed();
	IN_ORDER("before", "alt words", "\\nosuchthing{x}", "after");
	assert_int_equal(times(words(), "half"), 0);
	assert_int_equal(times(warnings, "bad.png"), 1);
	assert_int_equal(times(warnings, "good.svg"), 0);
	assert_int_equal(times(warnings, "pa: no installed font has 1 "), 1);
}

/* A decoder that crashes costs its picture only; all other pictures are drawn. */
static void
decoders_crash_alone(void **state)
{
	(void)state;
	add_page("pa", "Crash", 0, "one\n\n![](crash.png)\n\ntwo\n\n![](early.svg)\n\nthree\n\n![](late.svg)\n\nfour\n\n"
	    "![](good.png)\n\n![](good.svg)\n\nfive\n");
	printed();
	IN_ORDER("one", "two", "three", "four", "five");
	assert_int_equal(times(warnings, "the image crash.png"), 1);
	assert_int_equal(times(warnings, "the image early.svg"), 1);
	assert_int_equal(times(warnings, "the image late.svg is damaged"), 1);
	assert_int_equal(times(warnings, "good"), 0);
	assert_string_equal(run("pdfimages -list %s | awk 'NR > 2 { print $4, $5, $6 }'", path), "3 2 rgb\n");
}

static void
equal_input_gives_equal_bytes(void **state)
{
	char *first;

	(void)state;
	add_page("pa", "Same", 0, "text\n");
	printed();
	first = run("sha256sum <%s", path);
	printed();
	assert_string_equal(first, run("sha256sum <%s", path));
}

static void
printing_ends_when_cancelled(void **state)
{
	(void)state;
	assert_string_equal(write_pdf().error, "there is no page to print");
	add_page("pa", "Page", 0, "text\n");
	stop = true;
	assert_string_equal(write_pdf().error, "stopped");
	stop = false;
	snprintf(path, sizeof(path), "%s/no/such/folder.pdf", tmp);
	assert_non_null(write_pdf().error);
}

/* Cancelled within a page as well: a page of megabytes has thousands of sheets. */
static void
printing_ends_within_a_page(void **state)
{
	enum { LINES = 20000, SHEETS = 300 };
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "```\n");
	for (i = 0; i < LINES; i++)
		buf_str(&b, "x\n");
	add_page("p1", "Long", 0, b.p);
	asked = 0;
	stop_at = 3;
	assert_string_equal(write_pdf().error, PDF_STOPPED);
	assert_int_equal(asked, stop_at);
	stop_at = 0;
	/* The first pass alone would call it five times. */
	assert_null(write_pdf().error);
	assert_true(asked > 2 * (LINES / 100 / 50));
}

/* Beyond the limit of sheets nothing is written, and the error names the limit. */
static void
sheets_have_a_limit(void **state)
{
	enum { PAGES = 21000 };
	struct pdf_page *many = arena_array(arena, PAGES, sizeof(*many));
	struct pdf_source s = { .title = "Many", .language = "en", .pages = many, .font = "", .document = document, .file = file,
		.user = user, .markdown = markdown, .code = code, .progress = progress, .warn = warn };
	size_t i;

	(void)state;
	for (i = 0; i < PAGES; i++)
		many[i] = (struct pdf_page){ .next = i + 1 < PAGES ? &many[i + 1] : NULL, .id = arena_printf(arena, "p%zu", i), .title = "T" };
	assert_non_null(strstr(pdf_write(arena, &s, path).error, "more than 20000 sheets"));
	json_arena(NULL);
}

/* A table head that fills a sheet is printed once, with its rows after it. */
static void
a_head_of_a_sheet_is_printed_once(void **state)
{
	enum { LETTERS = 30000 };
	struct buf b;
	char *all;
	int i;

	(void)state;
	buf_init(&b, arena, 1 << 20);
	buf_str(&b, "| ");
	for (i = 0; i < LETTERS; i++)
		buf_char(&b, 'y');
	buf_str(&b, " | b |\n|---|---|\n");
	for (i = 0; i < 200; i++)
		buf_printf(&b, "| r%03d | c |\n", i);
	add_page("p1", "High", 0, b.p);
	printed();
	assert_in_range(strtol(run("pdfinfo %s | sed -n 's/^Pages: *//p'", path), NULL, 10), 5, 30);
	all = words();
	for (i = 0; i < 200; i++)
		if (strstr(all, arena_printf(arena, "r%03d", i)) == NULL)
			fail_msg("r%03d is lost", i);
	for (i = 0; *all != '\0'; all++)
		i += *all == 'y';
	assert_true(i >= LETTERS && i < LETTERS + 100);
}

/*
 * Very long paragraphs, as programs write them, one of them a single word, with and without marks:
 * nothing is lost between the pieces that they are laid out in, and time is not quadratic.
 */
static void
long_paragraphs_are_whole(void **state)
{
	enum { WORDS = 6000, LETTERS = 40000 };
	struct arena *long_arena = arena_new(64 << 20);
	clock_t start = clock();
	char *all;
	struct buf b;
	int i;

	(void)state;
	buf_init(&b, long_arena, 8 << 20);
	for (i = 0; i < WORDS; i++)
		buf_printf(&b, i % 2 == 0 ? "w%04d " : "**w%04d** ", i);
	buf_str(&b, "\n\n");
	for (i = 0; i < LETTERS; i++)
		buf_char(&b, 'x');
	buf_str(&b, "\n\nEnd of all.\n");
	add_page("p1", "Long", 0, b.p);
	printed();
	all = words();
	for (i = 0; i < WORDS; i++)
		if (strstr(all, arena_printf(long_arena, "w%04d", i)) == NULL)
			fail_msg("w%04d is lost", i);
	assert_non_null(strstr(all, "End of all."));
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 40);
	arena_free(long_arena);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* Declarations of gdk-pixbuf, whose headers the tests do not need otherwise. */
void *gdk_pixbuf_new(int colors, int alpha, int bits, int w, int h);
unsigned char *gdk_pixbuf_get_pixels(const void *pixels);
int gdk_pixbuf_get_rowstride(const void *pixels);
int gdk_pixbuf_save_to_buffer(void *pixels, char **buffer, size_t *n, const char *type, void **error, ...);
void g_free(void *p);
void g_object_unref(void *object);

/* 160 x 80 as stored: red on the left, blue on the right; rotated so that the left side is on top. */
static void
make_upright(void)
{
	static const char exif[] = "\xFF\xE1\0\x22" "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
	void *pixels = gdk_pixbuf_new(0, 0, 8, 160, 80);
	int x, y, stride = gdk_pixbuf_get_rowstride(pixels);
	char *jpeg = NULL;
	struct buf b;
	size_t n;

	for (y = 0; y < 80; y++)
		for (x = 0; x < 160; x++) {
			unsigned char *p = gdk_pixbuf_get_pixels(pixels) + (size_t)y * (size_t)stride + (size_t)x * 3;
			p[0] = x < 80 ? 255 : 0;
			p[1] = 0;
			p[2] = x < 80 ? 0 : 255;
		}
	assert_true(gdk_pixbuf_save_to_buffer(pixels, &jpeg, &n, "jpeg", NULL, NULL));
	buf_init(&b, arena, n + 100);
	buf_add(&b, jpeg, 2);
	buf_add(&b, exif, sizeof(exif) - 1);
	buf_add(&b, jpeg + 2, n - 2);
	upright = buf_view(&b);
	g_free(jpeg);
	g_object_unref(pixels);
}

static void
rotated_pictures_are_upright(void **state)
{
	char *colors;

	(void)state;
	make_upright();
	add_page("pa", "Photo", 0, "before\n\n![](upright.jpg)\n\nbehind\n");
	printed();
	assert_string_equal(warnings, "");
	/* From top to bottom red, then blue, both equally wide: columns of 60 points, 80 pixels. */
	colors = run("pdftoppm -r 36 %s | tail -c +16 | od -An -v -tu1 -w3 | awk '"
	    "$1 > 200 && $2 < 80 && $3 < 80 { if (blue) bad = 1; red++ } $3 > 200 && $1 < 80 && $2 < 80 { blue++ } "
	    "END { print (bad ? \"mixed\" : red > 500 && blue > 500 ? \"red above blue\" : red \" \" blue) }'", path);
	assert_string_equal(colors, "red above blue\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(long_paragraphs_are_whole), TEST(texts_are_printed_in_order),
		TEST(long_footnotes_continue_on_the_next_sheet), TEST(links_and_bookmarks_lead_to_sheets),
		TEST(words_wrap_in_narrow_columns), TEST(rotated_pictures_are_upright),
		TEST(tables_are_those_of_the_screen), TEST(tables_break_between_rows),
		TEST(operations_and_steps_are_printed), TEST(operations_have_all_parts),
		TEST(code_has_colors), TEST(wide_things_fit),
		TEST(all_scripts_are_printed), TEST(broken_content_is_printed), TEST(decoders_crash_alone),
		TEST(equal_input_gives_equal_bytes), TEST(printing_ends_when_cancelled),
		TEST(printing_ends_within_a_page), TEST(sheets_have_a_limit),
		TEST(a_head_of_a_sheet_is_printed_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
