/*
 * octavo-oidc: makes requests to the OpenID provider of the installation or of an organization. It reads one JSON request from
 * standard input and prints one JSON answer. octavo-api and `octavo doctor` start it
 * (signin/provider.h). It is a separate program because of libcurl and cjose, and so that a hostile
 * provider only reaches a process without a database.
 *
 *   { do: "begin",  dir, issuer, client, secret, ofOrganization, private }
 *   { do: "finish", dir, issuer, client, secret, ofOrganization, private, code, redirect, verifier, nonce }
 *
 *   { authorization, sendsIssuer }                answer to "begin": URL at which the browser signs in; whether the provider
 *                                                 sends the browser back with the parameter iss (RFC 9207)
 *   { subject, email?, verified, name? }          answer to "finish"
 *   { failure: "down"|"setup"|"refused", message }
 */
#include <string.h>

#include "oidc/exchange.h"
#include "oidc/provider.h"
#include "question.h"

enum { REQUEST_MOST = 64 << 10, MEMORY = 32 << 20 };

static bool
begin_sign_in(struct oidc_run *run, struct json *j)
{
	struct oidc_provider p;

	if (!oidc_find_provider(run, &p))
		return false;
	json_kstr(j, "authorization", p.authorization);
	json_kbool(j, "sendsIssuer", p.sends_issuer);
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
answer(struct arena *a, const cJSON *v, struct json *j)
{
	static const char *const names[] = { [OIDC_DOWN] = "down", [OIDC_SETUP] = "setup", [OIDC_REFUSED] = "refused" };
	struct oidc_run run = { .arena = a, .until = time_steady() + OIDC_SECONDS * 1000, .now = time_now(),
		.dir = json_text_or_empty(v, "dir"), .issuer = json_text_or_empty(v, "issuer"), .client = json_text_or_empty(v, "client"),
		.secret = json_text_or_empty(v, "secret"), .of_org = json_flag_of(v, "ofOrganization"), .private_hosts = json_flag_of(v, "private") };

	if (strcmp(json_text_or_empty(v, "do"), "begin") == 0 ? begin_sign_in(&run, j) : finish_sign_in(&run, v, j))
		return;
	json_kstr(j, "failure", names[run.failure]);
	json_kstr(j, "message", run.message);
}

int
main(void)
{
	return question_answer(arena_new(MEMORY), "octavo-oidc", REQUEST_MOST, answer);
}
