/*
 * fetch() against a server on loopback that answers as its path says, through a resolver of the
 * test: public addresses are replaced by the server's at the last moment, so that all rules apply
 * and no packet leaves the machine.
 */
#include <poll.h>

#include "git_fixture.h"
#include "fetch/fetch.h"
#include "fetch/fetch_relay.h"

static int   port, hits[2];
static pid_t server;
static char  file[TEMP_MAX + 20];
static struct arena *arena;

/* ---- the server ---- */

static void
say(int fd, const char *fmt, ...)
{
	char text[4096];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (write(fd, text, (size_t)n) < 0)
		_exit(1);
}

static void
endless(int fd)
{
	static const char block[65536];
	int i;

	say(fd, "HTTP/1.1 200 OK\r\n\r\n");
	for (i = 0; i < 2000 && send(fd, block, sizeof(block), MSG_NOSIGNAL) > 0; i++)
		;
}

/* Sends 64 KiB of zeros again and again, which are few bytes under gzip. */
static void
bomb(int fd)
{
	char path[TEMP_MAX + 20], buf[70000];
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "%s/bomb.gz", tmp);
	f = fopen(path, "r");
	n = f == NULL ? 0 : fread(buf, 1, sizeof(buf), f);
	if (f != NULL)
		fclose(f);
	say(fd, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %zu\r\n\r\n", n);
	if (send(fd, buf, n, MSG_NOSIGNAL) < 0)
		return;
}

static void
answer(int fd, const char *request)
{
	char path[300] = "";
	const char *location;

	sscanf(request, "%*s %299s", path);
	if (strncmp(path, "/to?", 4) == 0) {
		location = path + 4;
		say(fd, "HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 4\r\n\r\naway", location);
	} else if (strncmp(path, "/again?", 7) == 0) {
		say(fd, "HTTP/1.1 307 Temporary Redirect\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", path + 7);
	} else if (strcmp(path, "/loop") == 0) {
		say(fd, "HTTP/1.1 301 Moved\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n");
	} else if (strcmp(path, "/endless") == 0) {
		endless(fd);
	} else if (strcmp(path, "/bomb") == 0) {
		bomb(fd);
	} else if (strcmp(path, "/claims") == 0) {
		say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nx");
	} else if (strcmp(path, "/silent") == 0) {
		poll(NULL, 0, 20000);
	} else if (strcmp(path, "/slow") == 0) {
		say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx");
		poll(NULL, 0, 20000);
	} else if (strcmp(path, "/drip") == 0) {
		say(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
		for (int i = 0; i < 200; i++, poll(NULL, 0, 100))
			say(fd, "%s", "drip");
	} else if (strcmp(path, "/echo") == 0) {
		say(fd, "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 201 Made\r\nSet-Cookie: a=b\r\nX-Late:  2 \r\nContent-Length: %zu\r\n\r\n",
		    strlen(request));
		say(fd, "%s", request);
	} else if (strcmp(path, "/missing") == 0) {
		say(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nnever");
	} else if (strstr(request, "If-None-Match: \"v1\"") != NULL) {
		say(fd, "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n");
	} else {
		say(fd, "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nLast-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n"
		    "Content-Length: 5\r\n\r\nhello");
	}
}

static void
serve(int listener)
{
	char request[4096];
	ssize_t n;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
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
	if (fixture_start() != 0 || !sh("head -c 20000000 /dev/zero | gzip -9 > bomb.gz"))
		return -1;
	snprintf(file, sizeof(file), "%s/body", tmp);
	listener = listen_anywhere(&port);
	if (listener < 0)
		return -1;
	server = fork();
	if (server == 0)
		serve(listener);
	close(listener);
	arena = arena_new(64 << 20);
	return server > 0 ? 0 : -1;
}

static int
group_stop(void **state)
{
	(void)state;
	arena_free(arena);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return fixture_stop();
}

/* ---- the network ---- */

static const struct { const char *host, *addresses[3]; } names[] = {
	{ "public.example", { "93.184.216.34" } },
	{ "other.example", { "2606:2800:220:1::1", "93.184.216.35" } },
	{ "private.example", { "10.0.0.1" } },
	{ "mixed.example", { "93.184.216.34", "192.168.1.1" } },
	{ "mapped.example", { "::ffff:127.0.0.1" } },
	{ "metadata.example", { "169.254.169.254" } } };

static size_t
test_resolve(void *ctx, const char *host, char out[][FETCH_ADDRESS_TEXT])
{
	size_t i, n = 0;

	(void)ctx;
	hits[0]++;
	/* A different answer for each request. */
	if (strcmp(host, "rebind.example") == 0)
		return (size_t)snprintf(out[0], FETCH_ADDRESS_TEXT, "%s",
		    hits[0] % 2 == 1 ? "93.184.216.34" : "127.0.0.1") > 0;
	if (strspn(host, "0123456789.") == strlen(host) || strchr(host, ':') != NULL)
		return (size_t)snprintf(out[0], FETCH_ADDRESS_TEXT, "%s", host) > 0;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (; strcmp(host, names[i].host) == 0 && n < 3 && names[i].addresses[n] != NULL; n++)
			snprintf(out[n], FETCH_ADDRESS_TEXT, "%s", names[i].addresses[n]);
	return n;
}

static void
test_reroute(void *ctx, void *address, unsigned *length)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	(void)ctx;
	hits[1]++;
	/* An IPv6 socket cannot connect to it: like an address that does not answer. */
	if (((struct sockaddr *)address)->sa_family != AF_INET)
		((struct sockaddr_in6 *)address)->sin6_addr = in6addr_loopback,
		((struct sockaddr_in6 *)address)->sin6_port = htons(1);
	else
		memcpy(address, &in, *length = sizeof(in));
}

static const struct fetch_network network = { test_resolve, test_reroute, NULL, NULL };

static struct fetch_result
get(const char *url)
{
	struct fetch_request q = { .url = url, .file = file, .seconds = 5, .bytes = 1 << 20, .redirects = 3,
		.network = &network };

	hits[0] = hits[1] = 0;
	return fetch(arena, &q);
}

static const char *
body(void)
{
	static char text[100];
	FILE *f = fopen(file, "r");
	size_t n = f == NULL ? 0 : fread(text, 1, sizeof(text) - 1, f);

	text[n] = '\0';
	if (f != NULL)
		fclose(f);
	return text;
}

/* ---- tests ---- */

static void
a_file_arrives(void **state)
{
	struct fetch_result r = get("http://public.example/api.json");

	(void)state;
	assert_int_equal(r.status, FETCH_DONE);
	assert_string_equal(body(), "hello");
	assert_int_equal(r.bytes, 5);
	assert_string_equal(r.etag, "\"v1\"");
	assert_non_null(r.modified);
	assert_int_equal(hits[1], 1);
	assert_int_equal(get("http://other.example/").status, FETCH_DONE);
	assert_int_equal(get("http://93.184.216.34/").status, FETCH_DONE);
	/* No server has this address (test_reroute()), but the request is sent. */
	assert_int_equal(get("http://[2606:2800:220:1:248:1893:25c8:1946]/").status, FETCH_FAILED);
	assert_int_equal(hits[1], 1);
	assert_int_equal(get("http://[::1]/").status, FETCH_REFUSED);
	assert_int_equal(hits[1], 0);
}

static void
what_is_here_is_not_fetched_again(void **state)
{
	struct fetch_request q = { .url = "http://public.example/", .file = file, .etag = "\"v1\"", .seconds = 5,
		.bytes = 100, .network = &network };

	(void)state;
	assert_int_equal(fetch(arena, &q).status, FETCH_UNCHANGED);
	q.etag = "\"v0\"";
	assert_int_equal(fetch(arena, &q).status, FETCH_DONE);
}

static void
addresses_that_are_not_public_are_refused(void **state)
{
	static const char *const urls[] = { "http://localhost/", "http://x.localhost./", "http://127.0.0.1/",
		"http://0x7f.1/", "http://2130706433/", "http://017700000001/", "http://[::1]/", "http://[::ffff:10.0.0.1]/",
		"http://169.254.169.254/latest/meta-data", "http://0/", "file:///etc/passwd", "gopher://public.example/",
		"ftp://public.example/", "http://u:p@public.example/", "http://u@public.example/", "nonsense",
		"http://private.example/", "http://mixed.example/", "http://mapped.example/", "http://metadata.example/" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct fetch_result r = get(urls[i]);
		if (r.status != FETCH_REFUSED || hits[1] != 0)
			fail_msg("%s: status %d, %d connections", urls[i], r.status, hits[1]);
		assert_non_null(r.message);
	}
}

static void
every_redirect_is_judged(void **state)
{
	static const char *const to[] = { "http://127.0.0.1/", "http://private.example/", "http://mixed.example/",
		"file:///etc/passwd", "http://0x7f.1/", "//localhost/", "http://u:p@public.example/" };
	char url[300];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(to) / sizeof(to[0]); i++) {
		snprintf(url, sizeof(url), "http://public.example/to?%s", to[i]);
		if (get(url).status != FETCH_REFUSED || hits[1] != 1)
			fail_msg("%s was followed", to[i]);
	}
	assert_int_equal(get("http://public.example/to?http://other.example/x").status, FETCH_DONE);
	assert_string_equal(body(), "hello");
	assert_int_equal(get("http://public.example/to?/x").status, FETCH_DONE);
	assert_int_equal(get("http://public.example/loop").status, FETCH_FAILED);
	assert_int_equal(hits[1], 4);
	/* The message hides the query of the redirect's target, which may hold secrets. */
	assert_string_equal(get("http://public.example/to?http://u:hunter2@other.example/?key=3").message,
	    "public.example redirects to a URL that is refused: it has a user or a password, which are never sent; leave them out");
	/* The second hop resolves the name again, now to this machine. */
	assert_int_equal(get("http://rebind.example/to?http://rebind.example/x").status, FETCH_REFUSED);
	assert_int_equal(hits[1], 1);
}

/* A body may contain a key: it is only sent to the requested server. */
static void
what_is_posted_stays_with_its_server(void **state)
{
	static const char *const away[] = { "http://other.example/x", "https://public.example/x", "http://public.example:8080/x",
		"http://public.example.other.example/x" };
	struct fetch_request q = { .file = file, .post = STR("{\"api_key\":\"sesame\"}"), .seconds = 5, .bytes = 100, .redirects = 3,
		.network = &network };
	struct fetch_result r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(away) / sizeof(away[0]); i++) {
		hits[1] = 0;
		q.url = arena_printf(arena, "http://public.example/again?%s", away[i]);
		r = fetch(arena, &q);
		if (r.status != FETCH_REFUSED || hits[1] != 1)
			fail_msg("%s was followed", away[i]);
		assert_non_null(strstr(r.message, away[i]));
	}
	/* A GET would follow the redirect. */
	q.url = "http://public.example/to?/x";
	assert_int_equal(fetch(arena, &q).status, FETCH_REFUSED);
	q.url = "http://public.example/again?/x";
	assert_int_equal(fetch(arena, &q).status, FETCH_DONE);
	assert_string_equal(body(), "hello");
	q.url = "http://public.example/again?http://public.example:80/x";
	assert_int_equal(fetch(arena, &q).status, FETCH_DONE);
}

/* The resolver gives a public address, but libcurl would connect to another one: the socket's address is checked. */
static size_t
lying_resolve(void *ctx, const char *host, char out[][FETCH_ADDRESS_TEXT])
{
	(void)ctx;
	(void)host;
	snprintf(out[0], FETCH_ADDRESS_TEXT, "not an address");
	return 1;
}

static void
the_socket_has_the_last_word(void **state)
{
	struct fetch_network lying = { lying_resolve, test_reroute, NULL, NULL };
	struct fetch_request q = { .url = "http://localhost.localdomain/", .file = file, .seconds = 5, .bytes = 100,
		.network = &lying };

	(void)state;
	hits[1] = 0;
	assert_int_not_equal(fetch(arena, &q).status, FETCH_DONE);
	assert_int_equal(hits[1], 0);
}

static void
size_and_time_have_limits(void **state)
{
	struct fetch_request q = { .url = "http://public.example/silent", .file = file, .seconds = 1, .bytes = 100,
		.network = &network };
	double from = seconds_now();

	(void)state;
	assert_int_equal(get("http://public.example/endless").status, FETCH_TOO_LARGE);
	assert_int_equal(get("http://public.example/claims").status, FETCH_TOO_LARGE);
	assert_int_equal(get("http://public.example/bomb").status, FETCH_TOO_LARGE);
	assert_int_equal(fetch(arena, &q).status, FETCH_TIMEOUT);
	q.url = "http://public.example/slow";
	assert_int_equal(fetch(arena, &q).status, FETCH_TIMEOUT);
	assert_true(seconds_now() - from < 15);
}

/* A transfer that sends a little all the time is ended by its rate, long before the time limit. */
static void
a_transfer_below_the_least_rate_ends(void **state)
{
	struct fetch_request q = { .url = "http://public.example/drip", .file = file, .seconds = 60, .bytes = 1000,
		.rate = 1000, .patience = 2, .network = &network };
	double from = seconds_now();
	struct fetch_result r = fetch(arena, &q);

	(void)state;
	assert_int_equal(r.status, FETCH_TIMEOUT);
	assert_string_equal(r.message, "public.example sent less than 1000 bytes a second for 2 seconds");
	assert_true(seconds_now() - from < 10);
}

/* What octavo-fetch answers to this question of a reader. */
static const char *
relayed(const char *question, const struct fetch_network *net)
{
	struct str out = fetch_relay(arena, str_of(question), net);

	return out.p != NULL ? arena_strndup(arena, out.p, out.n) : NULL;
}

static const char *
relayed_get(const char *url)
{
	hits[1] = 0;
	return relayed(arena_printf(arena, "{\"url\":\"%s\",\"method\":\"GET\",\"headers\":[]}\n", url), &network);
}

static void
what_a_reader_tries_is_sent_as_it_is(void **state)
{
	const char *out = relayed("{\"url\":\"http://public.example/echo\",\"method\":\"PATCH\","
	    "\"headers\":[\"X-Key: sesame\",\"X-Empty;\",\"Content-Type: text/plain\"]}\na body", &network), *body_at = strchr(out, '\n') + 1;

	(void)state;
	assert_non_null(strstr(out, "\"status\":201"));
	assert_non_null(strstr(out, "[\"X-Late\",\"2\"]"));
	/* Cookies of the answer are for no browser, and an interim answer is none. */
	assert_null(strstr(out, "a=b"));
	assert_null(strstr(out, "X-Early"));
	assert_int_equal(strncmp(body_at, "PATCH /echo HTTP/1.1\r\n", 22), 0);
	assert_non_null(strstr(body_at, "\r\nX-Key: sesame\r\n"));
	assert_non_null(strstr(body_at, "\r\nX-Empty:\r\n"));
	assert_non_null(strstr(body_at, "\r\nContent-Type: text/plain\r\n"));
	assert_non_null(strstr(body_at, "\r\n\r\na body"));
	/* Without a type, none is sent. */
	assert_null(strstr(relayed("{\"url\":\"http://public.example/echo\",\"method\":\"POST\",\"headers\":[]}\nx", &network), "Content-Type"));
	assert_non_null(strstr(relayed("{\"url\":\"http://public.example/echo\",\"method\":\"HEAD\",\"headers\":[]}\n", &network), "\"status\":201"));
	assert_non_null(strstr(relayed_get("http://public.example/missing"), "\"status\":404"));
	assert_null(relayed("nonsense", &network));
	assert_null(relayed("{\"url\":\"http://public.example/\"}\n", &network));
}

static bool
all_is_here(void *ctx, const void *address)
{
	(void)ctx;
	(void)address;
	return true;
}

static void
a_reader_reaches_nothing_inside(void **state)
{
	static const char *const urls[] = { "http://localhost/", "http://127.0.0.1/", "http://0x7f.1/", "http://[::1]/", "http://[::ffff:10.0.0.1]/",
		"http://169.254.169.254/latest/meta-data", "http://private.example/", "http://mixed.example/", "http://mapped.example/",
		"http://metadata.example/", "file:///etc/passwd", "gopher://public.example/", "http://u:p@public.example/" };
	struct fetch_network here = { test_resolve, test_reroute, all_is_here, NULL };
	const char *out;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		if (strstr(out = relayed_get(urls[i]), "\"failure\"") == NULL || hits[1] != 0)
			fail_msg("%s: %s", urls[i], out);
	/* A redirect is shown, and nothing is sent there. */
	out = relayed_get("http://public.example/to?http://127.0.0.1/");
	assert_non_null(strstr(out, "\"status\":302"));
	assert_non_null(strstr(out, "[\"Location\",\"http://127.0.0.1/\"]"));
	assert_int_equal(hits[1], 1);
	/* A public address of this machine. */
	hits[1] = 0;
	out = relayed("{\"url\":\"http://public.example/echo\",\"method\":\"GET\",\"headers\":[]}\n", &here);
	assert_non_null(strstr(out, "the host public.example is this machine"));
	assert_int_equal(hits[1], 0);
}

static void
an_answer_to_a_reader_has_limits(void **state)
{
	double from = seconds_now();

	(void)state;
	assert_non_null(strstr(relayed_get("http://public.example/endless"), "\"failure\":\"the file has more than 1048576 bytes\""));
	assert_non_null(strstr(relayed_get("http://public.example/bomb"), "more than 1048576 bytes"));
	assert_non_null(strstr(relayed_get("http://public.example/silent"), "\"failure\""));
	assert_true(seconds_now() - from < 15);
}

static bool
stop_at_once(void *ctx, int64_t received)
{
	(void)ctx;
	(void)received;
	return false;
}

static void
failures_say_what_they_are(void **state)
{
	struct fetch_request q = { .url = "http://public.example/slow", .file = file, .seconds = 10, .bytes = 100,
		.progress = stop_at_once, .network = &network };
	struct fetch_result r = get("http://public.example/missing");

	(void)state;
	assert_int_equal(r.status, FETCH_FAILED);
	assert_int_equal(r.http, 404);
	assert_non_null(strstr(r.message, "404"));
	assert_non_null(strstr(get("http://nowhere.example/").message, "no host named nowhere.example"));
	assert_int_equal(fetch(arena, &q).status, FETCH_CANCELLED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_arrives),
		cmocka_unit_test(what_is_here_is_not_fetched_again),
		cmocka_unit_test(addresses_that_are_not_public_are_refused),
		cmocka_unit_test(every_redirect_is_judged),
		cmocka_unit_test(what_is_posted_stays_with_its_server),
		cmocka_unit_test(what_a_reader_tries_is_sent_as_it_is),
		cmocka_unit_test(a_reader_reaches_nothing_inside),
		cmocka_unit_test(an_answer_to_a_reader_has_limits),
		cmocka_unit_test(the_socket_has_the_last_word),
		cmocka_unit_test(size_and_time_have_limits), cmocka_unit_test(a_transfer_below_the_least_rate_ends),
		cmocka_unit_test(failures_say_what_they_are),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
