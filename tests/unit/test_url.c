/* URLs that the API returns, and requests below the path at which Octavo is installed. */
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
the_path_below_octavo_is_found(void **state)
{
	(void)state;
	below("https://a.example", NULL, "/v1", "/v1");
	below("https://a.example", "", "/v1/orgs", "/v1/orgs");
	below("https://a.example", "", "/v10/orgs", "");
	below("https://a.example", "", "/docs/v1/orgs", "");
	below("https://a.example", "", "/", "");
	below("https://a.example", "", "", "");
	/* A path in OCTAVO_URL, removed by a proxy or not. */
	below("https://a.example/docs", "", "/docs/v1/orgs", "/v1/orgs");
	below("https://a.example/docs", "", "/v1/orgs", "/v1/orgs");
	below("https://a.example/docs", "", "/other/v1/orgs", "");
	below("https://a.example/docs", "", "/docs2/v1/orgs", "");
	/* Plain CGI: the path begins with the program's own name. */
	below("https://a.example", "/cgi-bin/octavo-api", "/cgi-bin/octavo-api/v1/orgs", "/v1/orgs");
	below("https://a.example/x", "/cgi-bin/octavo-api", "/cgi-bin/octavo-api/v1", "/v1");
	below("https://a.example", "/cgi-bin/octavo-api", "/cgi-bin/octavo-api2/v1", "");
}

static void
addresses_begin_as_set(void **state)
{
	struct settings s = at("https://a.example/docs"), plain = at("http://127.0.0.1:8080");

	(void)state;
	assert_string_equal(url_make(arena, &s, "/v1/orgs/%s", "x"), "https://a.example/docs/v1/orgs/x");
	assert_true(str_is(url_base_path(&s), "/docs"));
	assert_true(str_is(url_base_path(&plain), ""));
}

/* URLs that people enter may contain secrets, which are masked for those who can read the object. */
static void
secrets_of_an_address_are_masked(void **state)
{
	static const char *const pairs[][2] = {
		{ "https://a.example/openapi.yaml", "https://a.example/openapi.yaml" },
		{ "https://a.example/v2.1/api-docs?format=yaml&group=public#top", "https://a.example/v2.1/api-docs?format=yaml&group=public#top" },
		{ "https://user:pw@a.example/x", "https://***@a.example/x" },
		{ "https://tok3n@a.example:8443", "https://***@a.example:8443" },
		{ "https://a.example/x?token=abc&v=2", "https://a.example/x?token=***&v=2" },
		{ "https://a.example/x?v=2&private_token=abc", "https://a.example/x?v=2&private_token=***" },
		{ "https://a.example/x?API_KEY=abc", "https://a.example/x?API_KEY=***" },
		{ "https://a.example/x?X-Amz-Signature=0a&X-Amz-Date=1", "https://a.example/x?X-Amz-Signature=***&X-Amz-Date=1" },
		{ "https://a.example/x?sv=1;sig=a%2Bb", "https://a.example/x?sv=1;sig=***" },
		{ "https://a.example/x?q=Zx3kQ9abcdefghij01", "https://a.example/x?q=***" },
		{ "https://a.example/x?Zx3kQ9abcdefghij01", "https://a.example/x?***" },
		{ "https://a.example/x;key=abc/y;v=2?v=1", "https://a.example/x;key=***/y;v=2?v=1" },
		{ "https://a.example/token=abc/x.yaml", "https://a.example/token=***/x.yaml" },
		{ "https://a.example/x?%6b%65%79=abc&%4BEY=abc", "https://a.example/x?%6b%65%79=***&%4BEY=***" },
		{ "https://a.example/x#access_token=abc", "https://a.example/x#access_token=***" },
		{ "https://a.example/u/0123456789abcdef0123456789abcdef/raw/openapi.yaml", "https://a.example/u/***/raw/openapi.yaml" },
		{ "https://a.example/a?password=", "https://a.example/a?password=" },
		{ "a.yaml", "a.yaml" }, { "", "" } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		assert_string_equal(url_shown(arena, pairs[i][0]), pairs[i][1]);
		/* A masked URL is unchanged when it is masked again. */
		assert_string_equal(url_shown(arena, pairs[i][1]), pairs[i][1]);
		assert_int_equal(url_masked(pairs[i][1]), strstr(pairs[i][1], "***") != NULL);
		assert_false(url_masked(pairs[i][0]));
	}
	assert_false(url_masked("https://a.example/x***y?v=a***"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_path_below_octavo_is_found),
		cmocka_unit_test_setup_teardown(secrets_of_an_address_are_masked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(addresses_begin_as_set, set_up, tear_down) };

	return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
