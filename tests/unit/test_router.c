/* From the raw request path to a route: templates, decoding, and refused paths. */
#include "http/req.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static int
handler(struct req *r)
{
	(void)r;
	return 0;
}

#define R(m, p) { m, p, p, handler, ANYONE, BY_ALL, RO, NULL, NULL, NULL, 200, "", "", "ANYONE" }
static const struct route routes[] = {
	R(M_GET, "/"), R(M_GET, "/orgs"), R(M_POST, "/orgs"), R(M_GET, "/orgs/self"),
	R(M_GET, "/orgs/{org}"), R(M_GET, "/orgs/{org}/spaces"), R(M_GET, "/orgs/{org}/{thing}"),
	R(M_GET, "/orgs-of"), R(M_DELETE, "/s/{id}"), R(M_PUT, "/s/{id}"), R(M_PATCH, "/s/{id}"),
	R(M_GET, "/s/{id}/path/{rest...}"),
};
static const struct app app = { routes, sizeof(routes) / sizeof(routes[0]), handler };

static const char *
no_param(struct io *io, const char *name)
{
	(void)io;
	(void)name;
	return NULL;
}

static struct io io = { .param = no_param };
static const struct settings set = { .url = "https://a.example" };

/* want: the template that must be found; NULL: the request must fail with this error. */
static struct req
find(struct arena *a, enum method m, const char *uri, const char *want, enum error error)
{
	struct req r = { .arena = a, .app = &app, .io = &io, .set = &set, .method = m };
	int rc;

	faults_init(&r.faults, a);
	rc = route_find(&r, uri);
	if (want == NULL && (rc == 0 || r.error != error))
		fail_msg("%s: error %d instead of %d", uri, (int)r.error, (int)error);
	if (want != NULL && (rc != 0 || strcmp(r.route->path, want) != 0))
		fail_msg("%s: %s instead of %s", uri, rc == 0 ? r.route->path : r.message, want);
	return r;
}

static void
addresses_find_their_routes(void **state)
{
	struct arena *a = arena_new(16 << 20);
	struct req r;

	(void)state;
	find(a, M_GET, "/v1", "/", E_NONE);
	find(a, M_GET, "/v1/", "/", E_NONE);
	find(a, M_GET, "/v1?x=/y", "/", E_NONE);
	find(a, M_HEAD, "/v1/orgs", "/orgs", E_NONE);
	r = find(a, M_POST, "/v1/orgs?x=1", "/orgs", E_NONE);
	assert_int_equal(r.route->method, M_POST);
	r = find(a, M_GET, "/v1/orgs/a%2Fb", "/orgs/{org}", E_NONE);
	assert_string_equal(path_id(&r, "org"), "a/b");
	/* Literal segments take precedence over variables; variables are used where no literal route matches. */
	find(a, M_GET, "/v1/orgs/self", "/orgs/self", E_NONE);
	find(a, M_GET, "/v1/orgs/self/spaces", "/orgs/{org}/spaces", E_NONE);
	find(a, M_GET, "/v1/orgs-of", "/orgs-of", E_NONE);
	find(a, M_GET, "/v1/orgs/%7Borg%7D", "/orgs/{org}", E_NONE);
	find(a, M_GET, "/v1/orgs/sel", "/orgs/{org}", E_NONE);
	find(a, M_GET, "/v1/orgs/selfs", "/orgs/{org}", E_NONE);
	find(a, M_GET, "/v1/orgs/x/spaces", "/orgs/{org}/spaces", E_NONE);
	r = find(a, M_GET, "/v1/orgs/x/y", "/orgs/{org}/{thing}", E_NONE);
	assert_string_equal(path_id(&r, "thing"), "y");
	assert_true(path_has(&r, "org"));
	assert_false(path_has(&r, "rest"));
	r = find(a, M_GET, "/v1/s/1/path/a/b%20c/%C3%A9?q", "/s/{id}/path/{rest...}", E_NONE);
	assert_string_equal(path_id(&r, "rest"), "a/b c/\xc3\xa9");
	assert_string_equal(path_id(&r, "id"), "1");
	r = find(a, M_GET, "/v1/s/1/path/a%2Fb", "/s/{id}/path/{rest...}", E_NONE);
	assert_string_equal(path_id(&r, "rest"), "a/b");
	r = find(a, M_GET, "/v1/s/1/path/a/b/", "/s/{id}/path/{rest...}", E_NONE);
	assert_string_equal(path_id(&r, "rest"), "a/b");
	find(a, M_GET, "/v1/%6Frgs", "/orgs", E_NONE);
	arena_free(a);
}

static void
other_addresses_are_refused(void **state)
{
	static const struct { const char *uri; enum error error; } table[] = {
		{ "", E_NOT_FOUND }, { "/", E_NOT_FOUND }, { "/v2/orgs", E_NOT_FOUND }, { "/v1x", E_NOT_FOUND },
		{ "v1/orgs", E_NOT_FOUND }, { "http://a/v1/orgs", E_NOT_FOUND }, { "*", E_NOT_FOUND },
		{ "/v1/nothing", E_NOT_FOUND }, { "/v1/Orgs", E_NOT_FOUND }, { "/v1/orgs/", E_NOT_FOUND },
		{ "/v1//orgs", E_NOT_FOUND }, { "/v1/orgs//x", E_NOT_FOUND }, { "/v1/orgs/a/b/c", E_NOT_FOUND },
		{ "/v1/s/1/path", E_NOT_FOUND }, { "/v1/s/1/path/", E_NOT_FOUND }, { "/v1/s/1/path/a//b", E_NOT_FOUND },
		{ "/v1/s/1/path/a//", E_NOT_FOUND }, { "/v1/orgs/a/", E_NOT_FOUND },
		{ "/v1/orgs/.", E_BAD_REQUEST }, { "/v1/orgs/..", E_BAD_REQUEST }, { "/v1/orgs/%2e", E_BAD_REQUEST },
		{ "/v1/orgs/%2E%2e", E_BAD_REQUEST }, { "/v1/s/1/path/../x", E_BAD_REQUEST },
		{ "/v1/orgs/%", E_BAD_REQUEST }, { "/v1/orgs/%4", E_BAD_REQUEST }, { "/v1/orgs/%4g", E_BAD_REQUEST },
		{ "/v1/orgs/%+1", E_BAD_REQUEST }, { "/v1/orgs/% 1", E_BAD_REQUEST }, { "/v1/orgs/%-1", E_BAD_REQUEST },
		{ "/v1/orgs/%00", E_BAD_REQUEST }, { "/v1/orgs/a%00b", E_BAD_REQUEST }, { "/v1/orgs/%ff", E_BAD_REQUEST },
		{ "/v1/orgs/%c0%80", E_BAD_REQUEST }, { "/v1/orgs/\xff", E_BAD_REQUEST }, { "/v1/orgs/%ed%a0%80", E_BAD_REQUEST },
		{ "/v1/orgs/%C3", E_BAD_REQUEST },
	};
	struct arena *a = arena_new(16 << 20);
	char *uri = arena_alloc(a, 10001);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		find(a, M_GET, table[i].uri, NULL, table[i].error);
	memset(uri, 'a', 10000);
	memcpy(uri, "/v1/", 4);
	find(a, M_GET, uri, NULL, E_URI_TOO_LONG);
	uri[8193] = '\0';
	find(a, M_GET, uri, NULL, E_URI_TOO_LONG);
	uri[8192] = '\0';
	find(a, M_GET, uri, NULL, E_NOT_FOUND);
	for (i = 4; i < 2000; i++)
		uri[i] = i % 2 ? '/' : 'a';
	find(a, M_GET, uri, NULL, E_URI_TOO_LONG);
	arena_free(a);
}

static void
methods_find_their_routes(void **state)
{
	struct arena *a = arena_new(16 << 20);
	struct req r;

	(void)state;
	r = find(a, M_DELETE, "/v1/orgs", NULL, E_METHOD);
	assert_string_equal(r.allow, "GET, HEAD, POST, OPTIONS");
	r = find(a, M_OTHER, "/v1/s/1", NULL, E_METHOD);
	assert_string_equal(r.allow, "DELETE, PUT, PATCH, OPTIONS");
	r = find(a, M_HEAD, "/v1/s/1", NULL, E_METHOD);
	r = (struct req){ .arena = a, .app = &app, .io = &io, .set = &set, .method = M_OPTIONS };
	assert_int_equal(route_find(&r, "/v1/s/1"), 0);
	assert_null(r.route);
	assert_string_equal(r.allow, "DELETE, PUT, PATCH, OPTIONS");
	/* The methods of the variable's route do not apply to the literal one. */
	r = find(a, M_PUT, "/v1/orgs/self", NULL, E_METHOD);
	assert_string_equal(r.allow, "GET, HEAD, OPTIONS");
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(addresses_find_their_routes),
	cmocka_unit_test(other_addresses_are_refused),
		cmocka_unit_test(methods_find_their_routes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
