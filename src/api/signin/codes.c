/*
 * Signs a program in through the browser. The user confirms it in a session and gets a one-time
 * code, which the program exchanges for a token. Tables sign_in_code, token. Contract:
 * signin/code.h.
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/sign_in.h"
#include "api/tokens.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/secret.h"
#include "http/req.h"
#include "signin/code.h"

const struct shape CodeCreate = { "CreateSignInCode", (const struct field[]){
	{ "client", T_TEXT, F_REQ, .min = 1, .max = 100, .doc = "Name of the program, which becomes the label of its token",
	  .example = "Nightly import" },
	{ "scope", T_ENUM, F_REQ, .set = "read,write,admin", .doc = "Scope of the token" },
	{ "challenge", T_TEXT, F_REQ, .min = CODE_CHALLENGE, .max = CODE_CHALLENGE,
	  .doc = "Code challenge of the program, by the method S256 (RFC 7636)", .example = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" },
	{ "expiresAt", T_TIME, .doc = "When the token expires; absent: never" },
	{ 0 } } };
const struct shape Code = { "SignInCode", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "sign-in-code", .doc = "Kind of object" },
	{ "code", T_TEXT, F_REQ, .doc = "Code for the program that started the sign-in; it works once",
	  .example = "occ_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ "endsAt", T_TIME, F_REQ, .doc = "When the code expires: after a minute" },
	{ 0 } } };
const struct shape CodeExchange = { "ExchangeSignInCode", (const struct field[]){
	{ "code", T_TEXT, F_REQ, .max = 100, .doc = "The code from the browser", .example = "occ_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ "verifier", T_TEXT, F_REQ, .min = CODE_VERIFIER_LEAST, .max = CODE_VERIFIER_MOST,
	  .doc = "Code verifier: the secret whose SHA-256 the program sent as challenge",
	  .example = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" },
	{ 0 } } };

/* POST /user/codes */
HANDLER(createSignInCode)
{
	struct sign_in_code c = { .session = r->who.token, .client = body_text(r, "client"), .scope = body_text(r, "scope"),
		.challenge = body_text(r, "challenge") };
	struct json *j = &r->json;
	int64_t ends;
	char *code;

	if (recent_or_fail(r, false) != 0)
		return -1;
	if (!code_challenge_ok(c.challenge))
		return fail_field(r, "/challenge", "must be the base64url of a SHA-256");
	if (body_text(r, "expiresAt") != NULL) {
		time_parse(body_text(r, "expiresAt"), &c.token_end);
		if (c.token_end <= time_now())
			return fail_field(r, "/expiresAt", "must be in the future");
	}
	code = code_make(r->db, r->arena, &c, &ends);
	json_obj(j);
	json_kstr(j, "object", "sign-in-code");
	json_kstr(j, "code", code);
	json_key(j, "endsAt");
	json_time(j, ends);
	json_end(j);
	return 0;
}

/*
 * Runs in a transaction of its own: after a wrong verifier the code must not be usable again,
 * although the request fails.
 */
static void
take_code(struct req *r, void *arg)
{
	struct sign_in_code *c = arg;

	db_begin(r->db, true);
	if (!code_take(r->db, r->arena, body_text(r, "code"), body_text(r, "verifier"), c))
		c->account = NULL;
	db_commit(r->db);
}

/* POST /sso/token */
HANDLER(exchangeSignInCode)
{
	struct sign_in_code *c = r->ahead_arg;
	struct token_new t;

	if (!r->went_ahead)
		return go_ahead(r, take_code, arena_alloc(r->arena, sizeof(*c)));
	if (c->account == NULL)
		return fail(r, E_BAD_REQUEST,
		    "the code is not valid: it was used, is older than a minute, or was made for another program");
	t = (struct token_new){ .user = c->account, .scope = c->scope, .label = c->client, .expires_at = c->token_end };
	r->who.user = c->account;
	return reply_new_token(r, &t);
}
