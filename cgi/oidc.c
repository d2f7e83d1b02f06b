/*
 * octavo-oidc: makes requests to the OpenID provider of the installation or of an organization. It reads one JSON request from
 * standard input and prints one JSON answer. octavo-api and `octavo doctor` start it
 * (signin/provider.h). It is a separate program because of libcurl and cjose, and so that a hostile
 * provider only reaches a process without a database.
 *
 *   { do: "begin",  dir, issuer, client, secret, ofOrganization, private }
 *   { do: "finish", dir, issuer, client, secret, ofOrganization, private, code, redirect, verifier, nonce }
 *
 *   { authorization, namesItself }                answer to "begin"
 *   { subject, email?, verified, name? }          answer to "finish"
 *   { failure: "down"|"setup"|"refused", message }
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/scan.h"
#include "oidc/exchange.h"
#include "oidc/provider.h"

enum { REQUEST_MOST = 64 << 10, MEMORY = 32 << 20 };

/* Reads the request; NULL: the input is not a request. */
static cJSON *
read_request(struct arena *a)
{
	char piece[4096];
	struct buf b;
	ssize_t n;
	bool large;

	buf_init(&b, a, REQUEST_MOST);
	while ((n = read(STDIN_FILENO, piece, sizeof(piece))) > 0 && b.n + (size_t)n <= REQUEST_MOST)
		buf_add(&b, piece, (size_t)n);
	return n == 0 && json_scan(a, buf_view(&b), &json_limits_body, &large) == NULL ? cJSON_ParseWithLength(b.p, b.n) : NULL;
}

static bool
begin_sign_in(struct oidc_run *run, struct json *j)
{
	struct oidc_provider p;

	if (!oidc_find_provider(run, &p))
		return false;
	json_kstr(j, "authorization", p.authorization);
	json_kbool(j, "namesItself", p.names_itself);
	return true;
}

static bool
finish_sign_in(struct oidc_run *run, const cJSON *v, struct json *j)
{
	struct oidc_return r = { json_text_or_empty(v, "code"), json_text_or_empty(v, "redirect"), json_text_or_empty(v, "verifier"), json_text_or_empty(v, "nonce") };
	struct id_claims claims;

	if (!oidc_exchange(run, &r, &claims))
		return false;
	json_kstr(j, "subject", claims.subject);
	if (claims.email != NULL)
		json_kstr(j, "email", claims.email);
	json_kbool(j, "verified", claims.verified);
	if (claims.name != NULL)
		json_kstr(j, "name", claims.name);
	return true;
}

static void
print_answer(struct oidc_run *run, const cJSON *v, struct json *j)
{
	static const char *const names[] = { [OIDC_DOWN] = "down", [OIDC_SETUP] = "setup", [OIDC_REFUSED] = "refused" };

	json_obj(j);
	if (strcmp(json_text_or_empty(v, "do"), "begin") == 0 ? !begin_sign_in(run, j) : !finish_sign_in(run, v, j)) {
		json_kstr(j, "failure", names[run->failure]);
		json_kstr(j, "message", run->message);
	}
	json_end(j);
}

/*
 * The program does what its input says, so it must not be reachable over HTTP. The refusal is in
 * the CGI format (RFC 3875, section 6).
 */
static bool
refuse_http(void)
{
	if (getenv("GATEWAY_INTERFACE") == NULL && getenv("REQUEST_METHOD") == NULL)
		return false;
	printf("Status: 404 Not Found\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n\r\n"
	    "{\"error\":{\"code\":404,\"message\":\"there is nothing at this address\"}}");
	return true;
}

int
main(void)
{
	struct arena *a = arena_new(MEMORY);
	struct oidc_run run = { .arena = a, .until = time_steady() + OIDC_SECONDS * 1000, .now = time_now() };
	struct json j;
	struct buf b;
	cJSON *v;

	if (refuse_http())
		return 1;
	json_arena(a);
	if ((v = read_request(a)) == NULL) {
		fprintf(stderr, "octavo-oidc: octavo-api starts it; there is nothing to do by hand\n");
		return 2;
	}
	run.dir = json_text_or_empty(v, "dir");
	run.issuer = json_text_or_empty(v, "issuer");
	run.client = json_text_or_empty(v, "client");
	run.secret = json_text_or_empty(v, "secret");
	run.of_org = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "ofOrganization"));
	run.private_hosts = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "private"));
	buf_init(&b, a, REQUEST_MOST);
	json_init(&j, &b);
	print_answer(&run, v, &j);
	return fwrite(b.p, 1, b.n, stdout) == b.n && fflush(stdout) == 0 ? 0 : 1;
}
