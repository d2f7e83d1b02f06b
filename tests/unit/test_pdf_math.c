/*
 * Formulas in print: from MathML to the positions of their parts in the PDF, as poppler reports
 * them. The conversion of TeX by KaTeX is tested by test_typeset, both together by
 * tests/http/cases/54_pdf.sh.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json.h"
#include "markdown/document.h"
#include "pdf/pdf.h"
#include "pdf_file.h"

static struct pdf_page pages[2];
static const char *bodies[2];
static size_t count, formulas_asked;
static char warnings[4000];

/* ---- the source ---- */

static struct str
document(void *ctx, struct arena *a, const struct pdf_page *page)
{
	struct json j;
	struct buf b;

	(void)ctx;
	buf_init(&b, a, 64 << 20);
	json_init(&j, &b);
	doc_json(&j, doc_parse(a, str_of(bodies[page - pages]), NULL, NULL, NULL));
	return buf_view(&b);
}

/* Formulas of these tests are MathML already, as octavo-typeset would make it; others cannot be set. */
static struct str
math(void *ctx, struct arena *a, const char *formula, bool display)
{
	(void)ctx;
	(void)a;
	(void)display;
	formulas_asked++;
	return strncmp(formula, "<math", 5) == 0 ? str_of(formula) : (struct str){ NULL, 0 };
}

static bool
progress(void *ctx, const char *stage, size_t done, size_t total)
{
	(void)ctx;
	(void)stage;
	return done < total;
}

static void
warn(void *ctx, const struct pdf_page *page, const char *message)
{
	size_t n = strlen(warnings);

	(void)ctx;
	snprintf(warnings + n, sizeof(warnings) - n, "%s: %s\n", page->id, message);
}

static void
add_page(const char *id, const char *title, const char *body)
{
	struct pdf_page *p = &pages[count];

	*p = (struct pdf_page){ .id = id, .title = title, .written = true };
	if (count > 0)
		pages[count - 1].next = p;
	bodies[count++] = body;
}

/* The functions that documents of formulas do not call are NULL. */
static void
printed(void)
{
	struct pdf_source s = { .title = "Book", .language = "en", .pages = pages, .font = "", .document = document, .math = math,
		.progress = progress, .warn = warn };
	struct pdf_result r = pdf_write(arena, &s, path);

	json_arena(NULL);
	if (r.error != NULL)
		fail_msg("%s", r.error);
	run("qpdf --check %s 2>&1", path);
}

static int
setup(void **state)
{
	(void)state;
	arena = arena_new((size_t)1 << 30);
	temp_dir(tmp);
	snprintf(path, sizeof(path), "%s/out.pdf", tmp);
	count = formulas_asked = 0;
	*warnings = '\0';
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

/* Finds a word on the last sheet; at: left, top, right, bottom. */
static void
find_word(const char *word, double at[4])
{
	const char *line = run("pdftotext -bbox %s - | grep -F '>%s</word>' | tail -n 1", path, word);

	if (sscanf(line, " <word xMin=\"%lf\" yMin=\"%lf\" xMax=\"%lf\" yMax=\"%lf\"", &at[0], &at[1], &at[2], &at[3]) != 4)
		fail_msg("no word %s in: %s", word, words());
}

/* Prints one formula; body: the content of <math>. */
static void
print_formula(const char *body, bool display)
{
	count = 0;
	add_page("pa", "Formula", display ?
	    arena_printf(arena, "$$\n<math display=\"block\">%s</math>\n$$\n", body) :
	    arena_printf(arena, "x $$<math>%s</math>$$ x\n", body));
	printed();
}

#define MT(word) "<mtext>" word "</mtext>"

/* Positions of the parts of formulas, found by their words: each row is one element or attribute. */
static void
formulas_are_placed(void **state)
{
	enum place { ABOVE, BELOW, LEFT, FAR_LEFT, LARGER, WITHIN };
	static const struct { const char *mathml, *one; enum place place; const char *two; bool in_line; } rows[] = {
		{ "<mfrac>" MT("over") MT("under") "</mfrac>", "over", ABOVE, "under", false },
		{ "<mrow>" MT("line") "<mfrac>" MT("over") MT("under") "</mfrac></mrow>", "line", LARGER, "over", true },
		{ "<msup>" MT("base") MT("script") "</msup>", "base", LARGER, "script", false },
		{ "<msup>" MT("base") MT("script") "</msup>", "script", ABOVE, "base", false },
		{ "<msub>" MT("base") MT("script") "</msub>", "script", BELOW, "base", false },
		{ "<msubsup>" MT("base") MT("low") MT("high") "</msubsup>", "high", ABOVE, "low", false },
		{ "<munder>" MT("base") MT("low") "</munder>", "low", BELOW, "base", false },
		{ "<mover>" MT("base") MT("high") "</mover>", "high", ABOVE, "base", false },
		{ "<munderover><mo>∑</mo>" MT("low") MT("high") "</munderover>", "high", ABOVE, "low", false },
		{ "<munderover><mo>∑</mo>" MT("low") MT("high") "</munderover>", "∑", LEFT, "low", true },
		{ "<munderover><mo movablelimits=\"false\">∑</mo>" MT("low") MT("high") "</munderover>", "low", BELOW, "∑", true },
		{ "<mrow><mstyle displaystyle=\"true\"><mfrac>" MT("over") MT("under") "</mfrac></mstyle></mrow>", "over", ABOVE, "under", true },
		{ "<mrow>" MT("line") "<mstyle scriptlevel=\"1\">" MT("small") "</mstyle></mrow>", "line", LARGER, "small", false },
		{ "<mrow><mstyle mathsize=\"2em\">" MT("large") "</mstyle>" MT("line") "</mrow>", "large", LARGER, "line", false },
		{ "<mroot>" MT("inside") MT("degree") "</mroot>", "degree", LEFT, "inside", false },
		{ "<msqrt>" MT("one") "<mspace width=\"3em\"></mspace>" MT("two") "</msqrt>", "one", FAR_LEFT, "two", false },
		{ "<mrow>" MT("one") "<mphantom>" MT("wider") "</mphantom>" MT("two") "</mrow>", "one", FAR_LEFT, "two", false },
		{ "<mrow>" MT("one") "<mpadded width=\"+4em\" lspace=\"4em\">" MT("two") "</mpadded></mrow>", "one", FAR_LEFT, "two", false },
		{ "<mrow>" MT("one") "<mpadded voffset=\"2em\">" MT("two") "</mpadded></mrow>", "two", ABOVE, "one", false },
		{ "<mrow>" MT("one") "<mo lspace=\"2em\" rspace=\"0em\">=</mo>" MT("two") "</mrow>", "one", FAR_LEFT, "=two", false },
		{ "<mtable><mtr><mtd>" MT("a") "</mtd><mtd>" MT("b") "</mtd></mtr><mtr><mtd>" MT("c") "</mtd></mtr></mtable>", "b", ABOVE, "c", false },
		{ "<mtable><mtr><mtd columnspacing=\"3em\">" MT("one") "</mtd><mtd>" MT("two") "</mtd></mtr></mtable>", "one", FAR_LEFT, "two", false },
		{ "<mtable><mtr><mtd columnalign=\"left\">" MT("short") "</mtd></mtr><mtr><mtd columnalign=\"right\">" MT("shorter") "</mtd></mtr>"
		  "<mtr><mtd>" MT("muchlongerthanthese") "</mtd></mtr></mtable>", "short", LEFT, "shorter", false },
		{ "<mtable width=\"100%\"><mtr><mtd width=\"50%\"></mtd><mtd>" MT("sum") "</mtd><mtd width=\"50%\"></mtd><mtd>" MT("(1)")
		  "</mtd></mtr></mtable>", "sum", LEFT, "(1)", false },
		{ "<menclose notation=\"box\">" MT("boxed") "</menclose>", "boxed", WITHIN, "boxed", false },
		{ "<semantics><mrow>" MT("shown") "</mrow><annotation encoding=\"application/x-tex\">hidden</annotation></semantics>", "shown", WITHIN, "shown", false },
	};
	double a[4], b[4];
	size_t i;
	bool ok;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_formula(rows[i].mathml, !rows[i].in_line);
		find_word(rows[i].one, a);
		find_word(rows[i].two, b);
		ok = rows[i].place == ABOVE ? a[1] < b[1] && a[3] < b[3] : rows[i].place == BELOW ? a[1] > b[1] && a[3] > b[3] :
		    rows[i].place == LEFT ? a[0] < b[0] && a[2] < b[2] : rows[i].place == FAR_LEFT ? a[2] + 20 < b[0] :
		    rows[i].place == LARGER ? a[3] - a[1] > 1.2 * (b[3] - b[1]) : a[0] > 55 && a[2] < 541;
		if (!ok)
			fail_msg("%s: %.1f %.1f %.1f %.1f, %.1f %.1f %.1f %.1f", rows[i].mathml, a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]);
	}
	assert_string_equal(warnings, "");
	assert_int_equal(times(words(), "hidden"), 0);
}

/* Number of strokes that draw a formula, besides its letters. */
static void
formulas_have_strokes(void **state)
{
	static const struct { const char *mathml; int strokes; } rows[] = {
		{ MT("none"), 0 }, { "<mfrac><mi>a</mi><mi>b</mi></mfrac>", 1 }, { "<mfrac linethickness=\"0px\"><mi>a</mi><mi>b</mi></mfrac>", 0 },
		{ "<msqrt><mi>a</mi></msqrt>", 1 }, { "<menclose notation=\"box\"><mi>a</mi></menclose>", 4 },
		{ "<menclose notation=\"updiagonalstrike downdiagonalstrike\"><mi>a</mi></menclose>", 2 },
		{ "<menclose notation=\"horizontalstrike\"><mi>a</mi></menclose>", 1 }, { "<menclose notation=\"actuarial\"><mi>a</mi></menclose>", 2 },
		{ "<menclose notation=\"top left\"><mi>a</mi></menclose>", 2 },
		{ "<menclose notation=\"top\"><mi>a</mi></menclose>", 1 }, { "<menclose notation=\"bottom\"><mi>a</mi></menclose>", 1 },
		{ "<mover accent=\"true\"><mi>v</mi><mo>⃗</mo></mover>", 2 },
		{ "<mover><mo stretchy=\"true\" minsize=\"3.0em\">↔</mo>" MT("a") "</mover>", 3 },
		{ "<mtable><mtr><mtd columnlines=\"solid\" rowlines=\"dashed\">" MT("a") "</mtd><mtd rowlines=\"dashed\">" MT("b") "</mtd></mtr>"
		  "<mtr><mtd columnlines=\"solid\">" MT("c") "</mtd><mtd columnlines=\"none\">" MT("d") "</mtd></mtr></mtable>", 2 },
	};
	int without, with;
	size_t i;

	(void)state;
	print_formula(MT("x"), true);
	without = times(run("qpdf --qdf --object-streams=disable %s -", path), " S\n");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_formula(rows[i].mathml, true);
		with = times(run("qpdf --qdf --object-streams=disable %s -", path), " S\n");
		if (with - without != rows[i].strokes)
			fail_msg("%s has %d strokes", rows[i].mathml, with - without);
	}
	assert_string_equal(warnings, "");
}

/* A color has its letters, strokes and ground; what follows has the ink again. */
static void
formulas_have_their_colors(void **state)
{
	static const struct { const char *mathml, *drawn; } rows[] = {
		{ "<mstyle mathcolor=\"red\"><mi>a</mi></mstyle>", "1 0 0 rg" }, { "<mi mathcolor=\"#00f\">a</mi>", "0 0 1 rg" },
		{ "<mstyle mathcolor=\"#00ff00\"><mfrac><mi>a</mi><mi>b</mi></mfrac></mstyle>", "0 1 0 RG" },
		{ "<mpadded mathbackground=\"yellow\"><mi>a</mi></mpadded>", "1 1 0 rg" },
		{ "<mrow><mi>a</mi><mspace width=\"1em\" height=\"1em\" mathbackground=\"aqua\"></mspace></mrow>", "0 1 1 rg" },
		{ "<mrow><mi mathcolor=\"nocolor\">a</mi></mrow>", NULL },
		{ "<mstyle mathcolor=\"red\"><mspace width=\"1em\" height=\"1em\" mathbackground=\"currentcolor\"></mspace></mstyle>", "1 0 0 rg" },
	};
	const char *pdf;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_formula(arena_printf(arena, "<mrow>%s<mi>z</mi></mrow>", rows[i].mathml), true);
		pdf = run("qpdf --qdf --object-streams=disable %s -", path);
		if (rows[i].drawn != NULL && strstr(pdf, rows[i].drawn) == NULL)
			fail_msg("%s is not drawn with %s", rows[i].mathml, rows[i].drawn);
	}
	assert_string_equal(warnings, "");
}

/* Brackets are as high as their content; with a size they have that size; others are as high as a letter. */
static void
fences_stretch(void **state)
{
	static const char inside[] = "<mfrac><mfrac><mi>a</mi><mi>b</mi></mfrac><mfrac><mi>a</mi><mi>b</mi></mfrac></mfrac>";
	double scale[3] = { 0, 0, 0 };
	static const char *const fences[] = { "<mo fence=\"true\">", "<mo fence=\"true\" stretchy=\"false\">",
		"<mo fence=\"false\" stretchy=\"true\" minsize=\"1.8em\" maxsize=\"1.8em\">" };
	double bracket[4];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		print_formula(arena_printf(arena, "<mrow>%s[</mo>%s</mrow>", fences[i], inside), true);
		find_word("[", bracket);
		scale[i] = bracket[3] - bracket[1];
	}
	assert_true(scale[0] > 2 * scale[1]);
	assert_true(scale[2] > 1.3 * scale[1] && scale[2] < scale[0]);
}

/* A formula that cannot be set is printed as its source, with one warning; it is requested once per pass at most. */
static void
other_formulas_print_their_source(void **state)
{
	static const char *const bodies_of[] = { "<mglyph></mglyph>", "<mi><mrow><mi>a</mi></mrow></mi>", "<mfrac><mi>a</mi></mfrac>",
		"<msub><mi>a</mi></msub>", "<mover accent=\"true\"><mi>a</mi></mover>", "<mstyle></mstyle>", "<maction><mi>a</mi></maction>" };
	struct buf deep;
	size_t i;

	(void)state;
	buf_init(&deep, arena, 1 << 20);
	for (i = 0; i < 20000; i++)
		buf_str(&deep, "<mrow>");
	for (i = 0; i <= sizeof(bodies_of) / sizeof(bodies_of[0]); i++) {
		*warnings = '\0';
		print_formula(i < sizeof(bodies_of) / sizeof(bodies_of[0]) ? bodies_of[i] : deep.p, true);
		assert_true(times(words(), "<math") > 0);
		assert_int_equal(times(warnings, "pa: the formula <math display=\"block\">"), 1);
	}
	*warnings = '\0';
	formulas_asked = count = 0;
	add_page("pa", "One", "$$\n\\nosuchthing{x}\n$$\n\nand $$\\nosuchthing{x}$$\n");
	add_page("pb", "Two", "$$\n\\nosuchthing{x}\n$$\n");
	printed();
	assert_int_equal(times(words(), "\\nosuchthing{x}"), 3);
	assert_int_equal(times(warnings, "nosuchthing"), 2);
	assert_int_equal(formulas_asked, 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = { TEST(formulas_are_placed), TEST(formulas_have_strokes), TEST(formulas_have_their_colors), TEST(fences_stretch),
		TEST(other_formulas_print_their_source) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
