/* Settings: defaults, refused values, and allowed origins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/settings.h"

static const char *name, *value;

static const char *
get(void *ctx, const char *wanted)
{
	(void)ctx;
	return strcmp(wanted, name) == 0 ? value : NULL;
}

static struct settings *
with(struct arena *a, const char *n, const char *v, const char **error)
{
	*error = NULL;
	name = n;
	value = v;
	return settings_read(a, get, NULL, error);
}

static void
the_address_is_normalized(void **state)
{
	static const struct { const char *given, *url; } table[] = {
		{ "https://a.example", "https://a.example" }, { "https://a.example/", "https://a.example" },
		{ "http://a.example:81/docs//", "http://a.example:81/docs" }, { "", "http://localhost:8080" },
		{ "a.example", NULL }, { "//a.example", NULL }, { "ftp://a.example", NULL },
	};
	struct arena *a = arena_new(1 << 20);
	struct settings *s;
	const char *error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		s = with(a, "OCTAVO_URL", table[i].given, &error);
		if (table[i].url == NULL) {
			assert_null(s);
			assert_non_null(strstr(error, "OCTAVO_URL"));
		} else {
			assert_string_equal(s->url, table[i].url);
		}
	}
	arena_free(a);
}

static void
numbers_are_checked(void **state)
{
	static const char *const wrong[] = { "x", "10M", "1.5", "-1", "0", "99999999999999999999", "10 " };
	struct arena *a = arena_new(1 << 20);
	const char *error;
	size_t i;

	(void)state;
	assert_int_equal(with(a, "OCTAVO_GIT_OBJECTS", "7", &error)->git_objects, 7);
	assert_int_equal(with(a, "OCTAVO_GIT_OBJECTS", "", &error)->git_objects, 5000000);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_null(with(a, "OCTAVO_GIT_OBJECTS", wrong[i], &error));
		assert_non_null(strstr(error, wrong[i]));
	}
	arena_free(a);
}

/* Two settings need each other, so the reader gives both. */
static const char *
get_issuer(void *ctx, const char *wanted)
{
	return strcmp(wanted, "OCTAVO_OIDC_ISSUER") == 0 ? ctx : strncmp(wanted, "OCTAVO_OIDC_", 12) == 0 ? "a/" : NULL;
}

static void
an_issuer_stays_as_it_is_and_has_tls(void **state)
{
	static const char *const right[] = { "https://id.example", "https://id.example/", "https://id.example/realms/a//",
		"http://localhost:8080/x", "http://127.0.0.1:81", "https://10.0.0.1/" };
	static const char *const wrong[] = { "http://id.example", "http://127.0.0.1.evil.example", "http://127.0.0.1@evil.example",
		"id.example", "https://id.example/?a", "https://id.example/#", "https://a:b@id.example/", "https:///", "ftp://id.example" };
	struct arena *a = arena_new(1 << 20);
	struct settings *s;
	const char *error;

	(void)state;
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		s = settings_read(a, get_issuer, (void *)right[i], &error);
		assert_non_null(s);
		assert_string_equal(s->oidc_issuer, right[i]);
		assert_string_equal(s->oidc_client, "a/");
		assert_string_equal(s->oidc_secret, "a/");
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_null(settings_read(a, get_issuer, (void *)wrong[i], &error));
		assert_non_null(strstr(error, "OCTAVO_OIDC_ISSUER"));
	}
	assert_null(with(a, "OCTAVO_OIDC_ISSUER", "https://id.example", &error));
	assert_non_null(strstr(error, "OCTAVO_OIDC_CLIENT"));
	arena_free(a);
}

/* Seconds become milliseconds, some of them stored as int: values that would overflow are refused. */
static void
times_are_checked(void **state)
{
	static const char *const names[] = { "OCTAVO_GIT_SECONDS", "OCTAVO_IMPORT_SECONDS", "OCTAVO_FETCH_SECONDS",
		"OCTAVO_TRANSLATE_SECONDS", "OCTAVO_OPENAPI_HOURS", "OCTAVO_PURGE_DAYS" };
	struct arena *a = arena_new(1 << 20);
	const char *error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_non_null(with(a, names[i], "8000", &error));
		/* A regression: 2^32 + 1 was read as one second. */
		assert_null(with(a, names[i], "4294967297", &error));
		assert_non_null(strstr(error, names[i]));
		assert_null(with(a, names[i], "9223372036854775807", &error));
	}
	assert_null(with(a, "OCTAVO_GIT_BYTES", "9223372036854775807", &error));
	arena_free(a);
}

/* A setting with two possible words refuses anything else: a misspelled word would mean the other one. */
static void
words_are_one_of_two(void **state)
{
	struct arena *a = arena_new(1 << 20);
	const char *error;

	(void)state;
	assert_true(with(a, "OCTAVO_SYNC", "normal", &error)->relaxed);
	assert_false(with(a, "OCTAVO_SYNC", "full", &error)->relaxed);
	assert_false(with(a, "OCTAVO_SYNC", "", &error)->relaxed);
	assert_null(with(a, "OCTAVO_SYNC", "off", &error));
	assert_string_equal(error, "OCTAVO_SYNC: \"off\" is neither full nor normal");
	assert_string_equal(with(a, "OCTAVO_PDF_PAPER", "letter", &error)->pdf_paper, "letter");
	assert_null(with(a, "OCTAVO_PDF_PAPER", "A4", &error));
	assert_string_equal(error, "OCTAVO_PDF_PAPER: \"A4\" is neither a4 nor letter");
	arena_free(a);
}

static void
origins_are_listed(void **state)
{
	struct arena *a = arena_new(1 << 20);
	const char *error;
	struct settings *s = with(a, "OCTAVO_CORS", "https://a.example:1  https://a.example ", &error);

	(void)state;
	assert_string_equal(settings_cors(s, "https://a.example"), "https://a.example");
	assert_string_equal(settings_cors(s, "https://a.example:1"), "https://a.example:1");
	assert_null(settings_cors(s, "https://a.example:"));
	assert_null(settings_cors(s, "https://a.example:1 "));
	assert_null(settings_cors(s, ""));
	assert_null(settings_cors(s, NULL));
	s = with(a, "OCTAVO_CORS", "", &error);
	assert_null(settings_cors(s, "https://a.example"));
	s = with(a, "OCTAVO_DIR", "/x", &error);
	assert_string_equal(settings_cors(s, NULL), "*");
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_address_is_normalized),
		cmocka_unit_test(numbers_are_checked), cmocka_unit_test(times_are_checked), cmocka_unit_test(words_are_one_of_two),
		cmocka_unit_test(an_issuer_stays_as_it_is_and_has_tls), cmocka_unit_test(origins_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
