/* Slugs of titles: layout 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/slug.h"
#include "layout/layout.h"
#include "base/utf8.h"

static void
expect(const char *title, const char *slug)
{
	struct arena *a = arena_new(1 << 20);

	assert_string_equal(slug_from_title(a, str_of(title)), slug);
	arena_free(a);
}

static void
words_become_a_slug(void **state)
{
	(void)state;
	expect("Getting Started", "getting-started");
	expect("  What's \"new\" `here`? ", "whats-new-here");
	expect("Don\u2019t \u201cquote\u201d", "dont-quote");
	expect("Editing & publishing", "editing-and-publishing");
	expect("a < b > c | d", "a-less-than-b-greater-than-c-or-d");
	expect("Embed a URL\u2026", "embed-a-url...");
	expect("N+1", "n+1");
	expect("35.13. C++ Applications", "35.13.-c++-applications");
	expect("libmidi_analyzer.so", "libmidi_analyzer.so");
	expect("Chap 2.", "chap-2.");
	expect("_posts", "_posts");
	expect("a / b -- c", "a-b-c");
	expect("Install by RPM (Red Hat Linux)", "install-by-rpm-red-hat-linux");
	expect("[BETA] Composer", "beta-composer");
}

static void
letters_beyond_ascii_are_spelled_in_ascii(void **state)
{
	(void)state;
	expect("\u00c9t\u00e9 \u00e0 la plage", "ete-a-la-plage");
	expect("Za\u017c\u00f3\u0142\u0107 g\u0119\u015bl\u0105 ja\u017a\u0144", "zazolc-gesla-jazn");
	expect("e\u0301te\u0301", "ete");
	expect("Stra\u00dfe, \u00d8l, \u00c6ble", "strasse-ol-aeble");
	expect("\U0001F680 Quick start", "quick-start");
	expect("\U0001F469\u200D\U0001F4BB Dev", "dev");
	expect("1.1. \u5b89\u88c5", "1.1.");
	expect("SDK \u5b89\u88c5 guide", "sdk-guide");
}

static void
never_empty_never_a_directory(void **state)
{
	(void)state;
	expect("", "page");
	expect("   ", "page");
	expect("\u5b89\u88c5", "page");
	expect("\U0001F680", "page");
	expect("\u041f\u0440\u0438\u0432\u0435\u0442", "page");
	expect(".", "page");
	expect("..", "page");
	expect("../../etc/passwd", "..-..-etc-passwd");
	expect("---", "page");
	expect("a\\b", "a-b");
	expect("\xFF\xFE x", "x");
}

static void
a_slug_has_at_most_a_hundred_bytes(void **state)
{
	struct arena *a = arena_new(1 << 20);
	char title[400];
	const char *slug;

	(void)state;
	memset(title, 'a', sizeof(title));
	slug = slug_from_title(a, (struct str){ title, 300 });
	assert_int_equal(strlen(slug), 100);
	title[99] = ' ';
	slug = slug_from_title(a, (struct str){ title, 300 });
	assert_int_equal(strlen(slug), 99);
	title[96] = '|';
	title[97] = '|';
	title[98] = '>';
	slug = slug_from_title(a, (struct str){ title, 300 });
	assert_true(strlen(slug) <= 100 && utf8_valid(str_of(slug)));
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_become_a_slug),
		cmocka_unit_test(letters_beyond_ascii_are_spelled_in_ascii),
		cmocka_unit_test(never_empty_never_a_directory),
		cmocka_unit_test(a_slug_has_at_most_a_hundred_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
