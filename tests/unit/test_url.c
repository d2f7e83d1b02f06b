/* Addresses given out, and requests below wherever Octavo stands. */
#include "arena_fixture.h"

#include "base/url.h"

static struct settings
at(const char *url)
{
	return (struct settings){ .url = url };
}

static void
below(const char *url, const char *script, const char *path, const char *expected)
{
	struct settings s = at(url);
	struct str rest = url_below(&s, script, str_of(path), "/v1");

	if (!str_is(rest, expected))
		fail_msg("%s under %s, script %s: %.*s", path, url, script, (int)rest.n, rest.p);
}

static void
where_octavo_stands(void **state)
{
	(void)state;
	below("https://a.example", NULL, "/v1", "/v1");
	below("https://a.example", "", "/v1/orgs", "/v1/orgs");
	below("https://a.example", "", "/v10/orgs", "");
	below("https://a.example", "", "/docs/v1/orgs", "");
	below("https://a.example", "", "/", "");
	below("https://a.example", "", "", "");
	/* A path in OCTAVO_URL: taken away by a proxy, or not. */
	below("https://a.example/docs", "", "/docs/v1/orgs", "/v1/orgs");
	below("https://a.example/docs", "", "/v1/orgs", "/v1/orgs");
	below("https://a.example/docs", "", "/other/v1/orgs", "");
	below("https://a.example/docs", "", "/docs2/v1/orgs", "");
	/* Plain CGI: the program's own name stands before it. */
	below("https://a.example", "/cgi-bin/octavo-api", "/cgi-bin/octavo-api/v1/orgs", "/v1/orgs");
	below("https://a.example/x", "/cgi-bin/octavo-api", "/cgi-bin/octavo-api/v1", "/v1");
	below("https://a.example", "/cgi-bin/octavo-api", "/cgi-bin/octavo-api2/v1", "");
}

static void
given_out(void **state)
{
	struct settings s = at("https://a.example/docs"), plain = at("http://127.0.0.1:8080");

	(void)state;
	assert_string_equal(url_make(arena, &s, "/v1/orgs/%s", "x"), "https://a.example/docs/v1/orgs/x");
	assert_true(str_is(url_base_path(&s), "/docs"));
	assert_true(str_is(url_base_path(&plain), ""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(where_octavo_stands),
		cmocka_unit_test_setup_teardown(given_out, set_up, tear_down) };

	return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
