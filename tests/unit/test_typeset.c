/*
 * The output of octavo-typeset is used as HTML only if it has the expected form: that program runs
 * third-party code on text of authors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>
#include <libgen.h>
#include <limits.h>

#include "../temp_dir.h"
#include "typeset/typeset.h"

static void
only_safe_code_is_accepted(void **state)
{
	static const char *const good[] = { "plain &lt;text&gt;", "<span class=\"k\">let</span> x\n<span class=\"n\">1</span>" };
	static const char *const bad[] = { "<script>alert(1)</script>", "<span class=\"k\">open", "</span>", "a > b",
		"<span class=\"k\"><span class=\"s\">x</span></span>", "<span class=\"kk\">x</span>", "<span class=\"z\">x</span>",
		"<span class=\"k\" onclick=\"alert(1)\">x</span>", "<span class=\"k\">x</script>", "<", "<span class=\"" };
	struct arena *a = arena_new(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_string_equal(typeset_clean_code(a, str_of(good[i])).p, good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_null(typeset_clean_code(a, str_of(bad[i])).p);
	arena_free(a);
}

static void
only_safe_formulas_are_accepted(void **state)
{
	static const struct { const char *from, *to; } rows[] = {
		{ "<math><mi>a</mi></math>", "<math><mi>a</mi></math>" },
		{ "<math display=\"block\"><mo stretchy=\"false\" style=\"color:red\">(</mo></math>", "<math display=\"block\"><mo stretchy=\"false\">(</mo></math>" },
		{ "<math onclick=\"alert(1)\"><mi href=\"javascript:alert(1)\">x</mi></math>", "<math><mi>x</mi></math>" },
		{ "<math mathcolor=\"red;x:y\"><mi mathcolor=\"#00f\">x</mi></math>", "<math><mi mathcolor=\"#00f\">x</mi></math>" },
		{ "<math><script>alert(1)</script></math>", NULL }, { "<math><mi>a</math>", NULL }, { "text", NULL }, { "", NULL },
		{ "<math><mi a=\"<\">x</mi></math>", NULL }, { "<math><mi a=x>x</mi></math>", NULL }, { "</math>", NULL },
		{ "<math><maction>x</maction></math>", NULL }, { "<math", NULL }, { "<math x=\"", NULL },
	};
	struct arena *a = arena_new(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str got = typeset_clean_math(a, str_of(rows[i].from));
		if (rows[i].to == NULL)
			assert_null(got.p);
		else
			assert_string_equal(got.p, rows[i].to);
	}
	arena_free(a);
}

/* With the real program: each row is one kind of KaTeX's output that browsers do not render. */
static void
formulas_are_set_for_browsers(void **state)
{
	static const struct { const char *tex, *has, *lacks; } rows[] = {
		{ "\\mathbb{R}", "<mi>&#8477;</mi>", "double-struck" }, { "\\mathbb{K}", "<mi>&#120130;</mi>", NULL },
		{ "\\mathcal{A}\\mathscr{L}", "<mi>&#119964;</mi><mi>&#8466;</mi>", NULL },
		{ "\\mathfrak{gH}", "<mi>&#120100;</mi><mi>&#8460;</mi>", NULL },
		{ "\\mathbf{x}\\mathrm{d}", "<mi mathvariant=\"bold\">x</mi><mi mathvariant=\"normal\">d</mi>", NULL },
		{ "\\overset{a}{b}", "<mover><mrow><mi>b</mi></mrow><mi>a</mi></mover>", "<mi><m" },
		{ "x \\stackrel{a}{b} y", "<mspace width=\"0.2778em\"></mspace><mover>", "<mo><m" },
		{ "\\mathop{\\rm foo}_x", "<mo mathvariant=\"normal\">foo</mo>", "<mo><m" },
		{ "\\ulcorner x", "<mo mathvariant=\"normal\">⌜</mo>", "<mo><m" },
		{ "a \\bmod n", ">mod</mo>", "<mo lspace=\"0.22em\" rspace=\"0.22em\"><" },
		{ "2\\sin x", "<mn>2</mn><mspace width=\"0.1667em\"></mspace><mi>sin</mi><mspace width=\"0.1667em\"></mspace><mi>x</mi>", NULL },
		{ "\\sin(x)", "<mi>sin</mi><mo stretchy=\"false\">(</mo>", "mspace" },
		{ "\\lim_{x} y", "</munder><mspace width=\"0.1667em\"></mspace><mi>y</mi>", NULL },
		{ "a\\quad b", "<mspace width=\"1em\"></mspace>", NULL }, { "a\\hspace*{2em}b", "<mspace width=\"2em\"></mspace><mi>b</mi>", NULL },
		{ "a \\pmod n", "<mi mathvariant=\"normal\">d</mi>", NULL },
		{ "a\\kern1em b", "<mspace width=\"1em\">", NULL }, { "a\\,b", "<mspace width=\"0.1667em\"></mspace>", "mtext" },
		{ "\\lvert x\\rvert", "lspace=\"0em\"", NULL }, { "a \\mid b", "<mo>∣</mo>", NULL },
		{ "\\begin{vmatrix} a \\end{vmatrix}", "<mo fence=\"true\" stretchy=\"true\"", NULL },
		{ "\\begin{aligned} a &= b \\end{aligned}", "<mtd columnalign=\"right\" columnspacing=\"0em\">", "<mtable c" },
		{ "\\begin{align} a &= b \\end{align}", "<mtr><mtd columnalign=\"right\"", "<mtd></mtd>" },
		{ "\\begin{array}{c|c} a & b \\\\ \\hline c & d \\end{array}", "columnlines=\"solid\" rowspacing=\"0.16em\" rowlines=\"solid\"", NULL },
		{ "\\overline{AB}", "<menclose notation=\"top\"><mrow><mi>A</mi>", "mover" },
		{ "\\underline{x}", "<menclose notation=\"bottom\"><mi>x</mi></menclose>", "munder" },
		{ "x = 1 \\\\ y = 2", "<mtable><mtr><mtd", "linebreak" }, { "x \\rule{1em}{2em}", "mathbackground=\"currentcolor\"", "black" },
		{ "\\textcolor{red}{x}", "<mstyle mathcolor=\"red\"><mi>x</mi></mstyle>", NULL }, { "\\color{#00f}x", "mathcolor=\"#00f\"", NULL },
		{ "\\colorbox{yellow}{x}", "mathbackground=\"yellow\"", NULL },
		{ "\\fcolorbox{red}{aqua}{x}", "<menclose notation=\"box\" mathbackground=\"aqua\">", "style" },
		{ "\\overlinesegment{AB}", NULL, NULL }, { "\\nosuchthing", NULL, NULL }, { "\\frac{1", NULL, NULL },
	};
	char dir[TEMP_MAX], self[PATH_MAX] = "";
	struct typeset t = { .dir = dir, .limit_ms = 60000 };
	struct arena *a = arena_new(16 << 20);

	(void)state;
	temp_dir(dir);
	/* The tests are in a folder below that of the programs. */
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	setenv("OCTAVO_LAUNCHER", arena_printf(a, "%s/../octavo-site", dirname(self)), 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str got = typeset_math(&t, a, rows[i].tex, true);
		if ((rows[i].has == NULL) != (got.p == NULL) || (got.p != NULL && strstr(got.p, rows[i].has) == NULL))
			fail_msg("%s is set as %s", rows[i].tex, got.p != NULL ? got.p : "nothing");
		if (rows[i].lacks != NULL && strstr(got.p, rows[i].lacks) != NULL)
			fail_msg("%s has %s: %s", rows[i].tex, rows[i].lacks, got.p);
	}
	assert_false(t.lacks);
	unsetenv("OCTAVO_LAUNCHER");
	typeset_end();
	arena_free(a);
}

/* Languages by the names that authors give them, each with what its grammar marks. */
static void
code_is_coloured_by_the_names_of_authors(void **state)
{
	static const struct { const char *language, *code, *has; } rows[] = {
		{ "terraform", "resource \"a\" \"b\" {}", "<span class=\"k\">resource </span>" }, { "postgresql", "SELECT 1", "<span class=\"k\">SELECT</span>" },
		{ "perl", "my $x = 'a'; # c", "<span class=\"c\"># c</span>" }, { "markdown", "# T", "<span class=\"f\"># T</span>" }, { "md", "# T", "<span" },
		{ "bat", "rem x", "<span class=\"c\">rem x</span>" }, { "cxx", "int x;", "<span class=\"k\">int</span>" },
		{ "svelte", "<p>x</p>", "<span class=\"t\">p</span>" },
		{ "jinja", "{% if a %}", "<span class=\"k\">if</span>" }, { "bazel", "load('a')", "<span class=\"f\">load</span>(<span class=\"s\">'a'</span>)" },
		{ "starlark", "name = 1", "<span class=\"f\">name</span> = <span class=\"n\">1</span>" },
		{ "bzl", "[x for (a) in b]", "<span class=\"k\">for</span> (a)" },
		{ "bat", "set A=%B% /p", "<span class=\"k\">set</span> <span class=\"n\">A</span>=<span class=\"n\">%B%</span>" },
		{ "env", "# c\nA=1", "<span class=\"c\"># c</span>" },
		{ "PostgreSQL", "SELECT 1", "<span" }, { "mysql", "SELECT 1", "<span" }, { "tf", "a = 1", "<span" },
		{ "patch", "+a", "<span" }, { "pwsh", "if (1) {}", "<span" },
		{ "text", "if x", NULL }, { "nosuchlanguage", "if x", NULL },
	};
	char dir[TEMP_MAX], self[PATH_MAX] = "";
	struct typeset t = { .dir = dir, .limit_ms = 60000 };
	struct arena *a = arena_new(16 << 20);

	(void)state;
	temp_dir(dir);
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	setenv("OCTAVO_LAUNCHER", arena_printf(a, "%s/../octavo-site", dirname(self)), 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct str got = typeset_code(&t, a, rows[i].language, str_of(rows[i].code));
		if ((rows[i].has == NULL) != (got.p == NULL) || (got.p != NULL && strstr(got.p, rows[i].has) == NULL))
			fail_msg("%s is set as %s", rows[i].language, got.p != NULL ? got.p : "nothing");
	}
	assert_false(t.lacks);
	unsetenv("OCTAVO_LAUNCHER");
	typeset_end();
	arena_free(a);
}

/* Without octavo-typeset texts are left as they are, and will be set at another time. */
static void
without_a_child_texts_stay(void **state)
{
	struct typeset t = { .dir = "/nonexistent" };
	struct arena *a = arena_new(1 << 20);

	(void)state;
	assert_null(typeset_code(&t, a, "c", STR("int x;")).p);
	assert_true(t.lacks);
	t.lacks = false;
	assert_null(typeset_code(&t, a, "../../x y", STR("int x;")).p);
	assert_null(typeset_code(&t, a, "", STR("int x;")).p);
	assert_null(typeset_math(&t, a, "", false).p);
	assert_false(t.lacks);
	arena_free(a);
}

/* Makes a folder with a script in place of octavo-typeset. */
static void
stand_in(struct arena *a, char dir[TEMP_MAX], const char *script)
{
	FILE *f;

	temp_dir(dir);
	f = fopen(arena_printf(a, "%s/octavo-typeset", dir), "w");
	assert_non_null(f);
	assert_true(fputs(script, f) >= 0 && fchmod(fileno(f), 0755) == 0 && fclose(f) == 0);
	setenv("OCTAVO_LAUNCHER", arena_printf(a, "%s/octavo-site", dir), 1);
}

/* Sets one text as the code of a page; *lacks: the page should be typeset again later. */
static const char *
one(struct arena *a, const char *dir, const char *source, bool *lacks)
{
	struct typeset t = { .dir = dir };
	const char *out = typeset_code(&t, a, "c", str_of(source)).p;

	*lacks = t.lacks;
	return out;
}

/* A child that reads nothing, with a text longer than the capacity of a pipe: the page is sent without it. */
static void
a_deaf_child_is_given_up(void **state)
{
	char dir[TEMP_MAX];
	struct arena *a = arena_new(16 << 20);
	char *text = arena_bytes(a, TYPESET_SOURCE_MAX + 1);
	bool lacks;

	(void)state;
	stand_in(a, dir, "#!/bin/sh\necho ready\nexec sleep 600\n");
	memset(text, 'x', TYPESET_SOURCE_MAX);
	text[TYPESET_SOURCE_MAX] = '\0';
	/* Ends the test if it would wait forever. */
	alarm(60);
	assert_null(one(a, dir, text, &lacks));
	alarm(0);
	/* The child used no processor time, so the failure is not attributed to the text. */
	assert_true(lacks);
	typeset_end();
	unsetenv("OCTAVO_LAUNCHER");
	arena_free(a);
}

/* True if the machine gives a busy process so little time that no loop reaches BLAME_MS of typeset.c. */
static bool
is_starved(void)
{
	struct timespec from, now, cpu, begin;
	double all, own;

	clock_gettime(CLOCK_MONOTONIC, &from);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((all = (double)(now.tv_sec - from.tv_sec) + (double)(now.tv_nsec - from.tv_nsec) / 1e9) < 1);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	own = (double)(cpu.tv_sec - begin.tv_sec) + (double)(cpu.tv_nsec - begin.tv_nsec) / 1e9;
	return own < all / 3;
}

/*
 * Which failures are attributed to a text: not if the child was killed from outside, or died after
 * other texts; but if the text makes a new child die or loop, it is never set again.
 */
static void
a_text_is_blamed_only_for_its_own_failure(void **state)
{
	static const char script[] = "#!/bin/sh\necho ready\necho x >>\"$(dirname \"$0\")/starts\"\n"
	    "while read -r kind language n; do\n\ttext=$(head -c \"$n\")\n\tcase $text in\n\tdies*) exit 3 ;;\n"
	    "\tslowly*) exec >&-; sleep 0.3; exit 3 ;;\n"
	    "\tkilled*) kill -9 $$ ;;\n\tlater*) [ -z \"$second\" ] || exit 3 ;;\n\tloops*) while :; do :; done ;;\n\tesac\n\tsecond=1\n"
	    "\tprintf '00000004\\ndone'\ndone\n";
	char dir[TEMP_MAX];
	struct arena *a = arena_new(16 << 20);
	bool lacks;

	(void)state;
	stand_in(a, dir, script);
	/*
	 * After a failure with other texts, a new child confirms that it is the text. The result is
	 * cached: no child is started again.
	 */
	assert_string_equal(one(a, dir, "first", &lacks), "done");
	assert_null(one(a, dir, "dies", &lacks));
	assert_false(lacks);
	assert_null(one(a, dir, "dies", &lacks));
	assert_false(lacks);
	/* As on a busy machine: the child has closed its output, but has not exited yet. */
	assert_null(one(a, dir, "slowly", &lacks));
	assert_false(lacks);
	/* A text that fails only after others: the new child sets it. */
	assert_string_equal(one(a, dir, "second", &lacks), "done");
	assert_string_equal(one(a, dir, "later", &lacks), "done");
	assert_false(lacks);
	/* Killed from outside, however often: never cached. */
	for (int i = 0; i < 3; i++) {
		assert_null(one(a, dir, "killed", &lacks));
		assert_true(lacks);
	}
	typeset_end();
	/* A loop uses up its processor time, however slowly on a busy machine; then it is never tried again. */
	for (int i = 0; i < 20 && lacks; i++) {
		assert_null(one(a, dir, "loops", &lacks));
		if (i > 3 && lacks && is_starved())
			skip();
	}
	assert_false(lacks);
	assert_null(one(a, dir, "loops", &lacks));
	assert_false(lacks);
	typeset_end();
	unsetenv("OCTAVO_LAUNCHER");
	arena_free(a);
}

/*
 * A child that takes 0.2 s for each text: a page waits for some of them only, and the next request
 * continues, until all are set.
 */
static void
a_page_waits_for_its_budget_of_texts(void **state)
{
	static const char script[] = "#!/bin/sh\necho ready\nwhile read -r kind language n; do\n\thead -c \"$n\" >/dev/null\n\tsleep 0.2\n"
	    "\tprintf '00000004\\ndone'\ndone\n";
	char dir[TEMP_MAX];
	struct arena *a = arena_new(16 << 20);
	int set, round, i;

	(void)state;
	stand_in(a, dir, script);
	for (round = 0, set = 0; set < 12 && round < 12; round++) {
		struct typeset t = { .dir = dir };
		int before = set;
		for (set = 0, i = 0; i < 12; i++)
			set += typeset_code(&t, a, "c", str_of(arena_printf(a, "int x%d;", i))).p != NULL;
		assert_true(set > before);
		assert_int_equal(t.lacks, set < 12);
		/* Including the text that was begun last. */
		assert_true(t.spent_us < (TYPESET_PAGE_MS + TYPESET_ONE_MS) * 1000);
	}
	assert_int_equal(set, 12);
	assert_true(round > 1);
	typeset_end();
	unsetenv("OCTAVO_LAUNCHER");
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_safe_code_is_accepted),
		cmocka_unit_test(only_safe_formulas_are_accepted), cmocka_unit_test(formulas_are_set_for_browsers),
		cmocka_unit_test(code_is_coloured_by_the_names_of_authors),
		cmocka_unit_test(without_a_child_texts_stay),
		cmocka_unit_test(a_page_waits_for_its_budget_of_texts),
		cmocka_unit_test(a_deaf_child_is_given_up),
		cmocka_unit_test(a_text_is_blamed_only_for_its_own_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
