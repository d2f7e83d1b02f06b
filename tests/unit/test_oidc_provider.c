/*
 * Reading the description of an OpenID provider, and requests to a provider: a server on loopback that
 * answers, is silent, or redirects. The verification of tokens is tested with a real provider: tests/oidc.
 */
#include <poll.h>

#include "git_fixture.h"
#include "base/json.h"
#include "oidc/exchange.h"
#include "oidc/provider.h"

static struct arena *arena;
static int           port;
static pid_t         server;

/* ---- the server ---- */

static void
answer(int fd, const char *request)
{
	static const char silent[] = "GET /silent/", away[] = "GET /away/", large[] = "GET /large/";
	char text[300];
	int n = snprintf(text, sizeof(text), "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno");

	if (strncmp(request, silent, sizeof(silent) - 1) == 0) {
		poll(NULL, 0, 20000);
		return;
	}
	if (strncmp(request, away, sizeof(away) - 1) == 0)
		n = snprintf(text, sizeof(text), "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/else\r\nContent-Length: 0\r\n\r\n", port);
	if (strncmp(request, large, sizeof(large) - 1) == 0)
		n = snprintf(text, sizeof(text), "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{");
	if (write(fd, text, (size_t)n) < 0)
		_exit(1);
}

static void
serve(int listener)
{
	char request[4096];
	ssize_t n;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	while ((fd = accept(listener, NULL, NULL)) >= 0) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			n = read(fd, request, sizeof(request) - 1);
			request[n > 0 ? n : 0] = '\0';
			answer(fd, request);
			_exit(0);
		}
		close(fd);
	}
	_exit(0);
}

static int
group_start(void **state)
{
	int listener;

	(void)state;
	if (fixture_start() != 0 || (listener = listen_anywhere(&port)) < 0 || !sh("mkdir cache"))
		return -1;
	server = fork();
	if (server == 0)
		serve(listener);
	close(listener);
	arena = arena_new(64 << 20);
	json_arena(arena);
	return server > 0 ? 0 : -1;
}

static int
group_stop(void **state)
{
	(void)state;
	json_arena(NULL);
	arena_free(arena);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return fixture_stop();
}

static struct oidc_run
run_of(const char *issuer)
{
	return (struct oidc_run){ .arena = arena, .dir = tmp, .issuer = issuer, .client = "octavo", .secret = "", .private_hosts = true,
		.until = time_steady() + 1200, .now = time_now() };
}

/* ---- descriptions ---- */

#define HEAD "{\"issuer\":\"https://id.example/x\","
#define ADDRESSES "\"authorization_endpoint\":\"https://id.example/a?b=c\",\"token_endpoint\":\"https://id.example/t\"," \
	"\"jwks_uri\":\"https://keys.example/k\""

static void
a_description_is_read(void **state)
{
	struct oidc_run run = run_of("https://id.example/x");
	struct oidc_provider p;

	(void)state;
	assert_true(oidc_read_provider(&run, str_of(HEAD ADDRESSES "}"), &p));
	assert_string_equal(p.authorization, "https://id.example/a?b=c");
	assert_string_equal(p.token, "https://id.example/t");
	assert_string_equal(p.keys, "https://keys.example/k");
	assert_null(p.userinfo);
	/* Defaults of absent members (OpenID Connect Discovery 1.0, section 3). */
	assert_int_equal(p.algorithms, OIDC_RS256);
	assert_true(p.basic);
	assert_false(p.sends_issuer);
	assert_true(oidc_read_provider(&run, str_of(HEAD ADDRESSES ",\"id_token_signing_alg_values_supported\":[\"ES256\",\"RS384\",7],"
	    "\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"],\"userinfo_endpoint\":\"https://id.example/u\","
	    "\"authorization_response_iss_parameter_supported\":true}"), &p));
	assert_int_equal(p.algorithms, OIDC_ES256);
	assert_false(p.basic);
	assert_true(p.sends_issuer);
	assert_string_equal(p.userinfo, "https://id.example/u");
}

static void
a_description_that_is_not_the_issuers_is_refused(void **state)
{
	static const struct { const char *text; enum oidc_failure failure; const char *why; } table[] = {
		{ "", OIDC_DOWN, "no JSON object" }, { "[]", OIDC_DOWN, "no JSON object" }, { "{} x", OIDC_DOWN, "no JSON object" },
		{ "{" ADDRESSES "}", OIDC_SETUP, "to the last slash" },
		{ "{\"issuer\":\"https://id.example/x/\"," ADDRESSES "}", OIDC_SETUP, "to the last slash" },
		{ "{\"issuer\":\"https://ID.example/x\"," ADDRESSES "}", OIDC_SETUP, "to the last slash" },
		/* A repeated member is refused: JSON parsers differ in which one they use. */
		{ "{\"issuer\":\"https://evil.example\",\"issuer\":\"https://id.example/x\"," ADDRESSES "}", OIDC_DOWN, "no JSON object" },
		{ HEAD "\"x\":1}", OIDC_SETUP, "names no authorization_endpoint" },
		{ HEAD "\"authorization_endpoint\":\"http://id.example/a\"}", OIDC_SETUP, "not https" },
		{ HEAD "\"authorization_endpoint\":\"https://id.example/a#b\"}", OIDC_SETUP, "fragment" },
		{ HEAD "\"authorization_endpoint\":\"https://a:b@id.example/\"}", OIDC_SETUP, "is refused" },
		{ HEAD ADDRESSES ",\"userinfo_endpoint\":\"ftp://id.example/\"}", OIDC_SETUP, "userinfo_endpoint is refused" },
		{ HEAD ADDRESSES ",\"id_token_signing_alg_values_supported\":[]}", OIDC_SETUP, "signs with none" },
	};
	struct oidc_provider p;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct oidc_run run = run_of("https://id.example/x");

		assert_false(oidc_read_provider(&run, str_of(table[i].text), &p));
		assert_int_equal(run.failure, table[i].failure);
		assert_non_null(strstr(run.message, table[i].why));
	}
}

static void
a_public_client_needs_no_way_to_send_a_secret(void **state)
{
	static const char text[] = HEAD ADDRESSES ",\"token_endpoint_auth_methods_supported\":[\"none\"]}";
	struct oidc_run public = run_of("https://id.example/x"), secret = run_of("https://id.example/x");
	struct oidc_provider p;

	(void)state;
	secret.secret = "s";
	assert_true(oidc_read_provider(&public, str_of(text), &p));
	assert_false(oidc_read_provider(&secret, str_of(text), &p));
	assert_int_equal(secret.failure, OIDC_SETUP);
}

/* ---- requests ---- */

static const char *
issuer_at(const char *path)
{
	return arena_printf(arena, "http://127.0.0.1:%d/%s", port, path);
}

static void
a_provider_that_answers_wrongly_is_down(void **state)
{
	static const struct { const char *path, *why; } table[] = {
		{ "silent", "in time" }, { "away", "redirects" }, { "large", "bytes" }, { "none", "status 404" } };
	struct oidc_provider p;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct oidc_run run = run_of(issuer_at(table[i].path));

		assert_false(oidc_find_provider(&run, &p));
		assert_int_equal(run.failure, OIDC_DOWN);
		assert_non_null(strstr(run.message, table[i].why));
	}
}

/* The previous test has recorded /silent as down, so the first request fails at once. */
static void
a_silent_provider_is_remembered(void **state)
{
	struct oidc_run run = run_of(issuer_at("silent")), later = run;
	int64_t began = time_steady();
	struct oidc_provider p;

	(void)state;
	assert_false(oidc_find_provider(&run, &p));
	assert_true(time_steady() - began < 900);
	assert_non_null(strstr(run.message, "in time"));
	later.now += OIDC_DOWN_MS + 5000;
	later.until = time_steady() + 1200;
	began = time_steady();
	assert_false(oidc_find_provider(&later, &p));
	assert_true(time_steady() - began >= 900);
}

static void
nothing_is_sent_to_private_addresses_that_the_provider_names(void **state)
{
	struct fetch_request q = { .url = "http://127.0.0.2:9/token", .post = STR("code=x") };
	struct oidc_run run = run_of("http://127.0.0.1:9/");
	struct str body;
	int status;

	(void)state;
	assert_false(oidc_request(&run, &q, &body, &status));
	assert_non_null(strstr(run.message, "127.0.0.2"));
	assert_non_null(strstr(run.message, "refused"));
}

/* An admin of an organization chose the issuer: even its own host must be public, and no cache says otherwise. */
static void
the_issuer_of_an_organization_has_a_public_host(void **state)
{
	struct oidc_run run = run_of(issuer_at("good")), inside = run;
	struct oidc_provider p;

	(void)state;
	inside.private_hosts = true;
	run.private_hosts = false;
	(void)oidc_find_provider(&inside, &p);
	assert_false(oidc_find_provider(&run, &p));
	assert_int_equal(run.failure, OIDC_DOWN);
	assert_non_null(strstr(run.message, "refused"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_description_is_read),
		cmocka_unit_test(a_description_that_is_not_the_issuers_is_refused),
		cmocka_unit_test(a_public_client_needs_no_way_to_send_a_secret),
		cmocka_unit_test(a_provider_that_answers_wrongly_is_down),
		cmocka_unit_test(a_silent_provider_is_remembered),
		cmocka_unit_test(the_issuer_of_an_organization_has_a_public_host),
		cmocka_unit_test(nothing_is_sent_to_private_addresses_that_the_provider_names),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
