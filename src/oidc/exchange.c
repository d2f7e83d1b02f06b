/* Exchanges a code for the claims of a person. Contract: oidc/exchange.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/buf.h"
#include "base/secret.h"
#include "base/url.h"
#include "oidc/exchange.h"

enum { FORM_MOST = 64 << 10 };

/* ---- the token endpoint ---- */

static void
add_field(struct buf *b, const char *name, const char *value)
{
	if (b->n > 0)
		buf_char(b, '&');
	buf_printf(b, "%s=%s", name, url_segment(b->arena, str_of(value)));
}

/* Base64 with padding (RFC 4648, section 4). */
static char *
base64_padded(struct arena *a, const char *text)
{
	char *s = base64url(a, str_of(text));

	for (char *p = s; *p != '\0'; p++)
		*p = *p == '-' ? '+' : *p == '_' ? '/' : *p;
	return arena_printf(a, "%s%.*s", s, (int)((4 - strlen(s) % 4) % 4), "===");
}

/* The header for HTTP Basic, made of the encoded id and secret (RFC 6749, section 2.3.1). */
static char *
basic_header(struct oidc_run *run)
{
	struct arena *a = run->arena;

	return arena_printf(a, "Basic %s", base64_padded(a, arena_printf(a, "%s:%s", url_segment(a, str_of(run->client)),
	    url_segment(a, str_of(run->secret)))));
}

static const char *
write_form(struct oidc_run *run, const struct oidc_return *r, bool basic)
{
	struct buf b;

	buf_init(&b, run->arena, FORM_MOST);
	add_field(&b, "grant_type", "authorization_code");
	add_field(&b, "code", r->code);
	add_field(&b, "redirect_uri", r->redirect);
	add_field(&b, "code_verifier", r->verifier);
	if (!basic)
		add_field(&b, "client_id", run->client);
	if (!basic && *run->secret != '\0')
		add_field(&b, "client_secret", run->secret);
	return b.p;
}

/* Converts an error of the token endpoint (RFC 6749, section 5.2) to a failure with a message. */
static bool
fail_exchange(struct oidc_run *run, const cJSON *answer, int status)
{
	const char *error = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "error"));

	if (error == NULL)
		return oidc_fail(run, OIDC_DOWN, "the provider answers with status %d when asked for a token", status);
	if (strcmp(error, "invalid_client") == 0 || strcmp(error, "unauthorized_client") == 0)
		return oidc_fail(run, OIDC_SETUP, "the provider does not take %s (%s)", run->of_org ?
		    "the client id with the client secret of the settings" : "OCTAVO_OIDC_CLIENT with OCTAVO_OIDC_SECRET", error);
	if (strcmp(error, "invalid_grant") == 0)
		return oidc_fail(run, OIDC_REFUSED, "the provider does not know the code: it was used before, or is too old");
	return oidc_fail(run, OIDC_REFUSED, "the provider refused the code (%.60s)", error);
}

/* Requests the answer of the token endpoint; NULL after oidc_fail(). */
static cJSON *
ask_token(struct oidc_run *run, const struct oidc_provider *p, const struct oidc_return *r)
{
	bool basic = p->basic && *run->secret != '\0';
	struct fetch_request q = { .url = p->token, .post = str_of(write_form(run, r, basic)),
		.post_type = "application/x-www-form-urlencoded", .authorization = basic ? basic_header(run) : NULL };
	struct str body;
	cJSON *answer;
	int status;

	if (!oidc_request(run, &q, &body, &status) || (answer = oidc_object(run, body, "answer to the code")) == NULL)
		return NULL;
	if (status >= 300) {
		fail_exchange(run, answer, status);
		return NULL;
	}
	return answer;
}

/* ---- claims of the person ---- */

static bool
verify_token(struct oidc_run *run, const struct oidc_provider *p, const char *token, const struct id_token_wanted *w,
    struct id_claims *out)
{
	enum id_token_result result = ID_TOKEN_NO_KEY;
	const char *why = NULL;
	struct str keys;

	for (int fresh = 0; fresh < 2 && result == ID_TOKEN_NO_KEY; fresh++) {
		if (!oidc_find_keys(run, p, fresh == 1, &keys))
			return false;
		result = id_token_verify(run->arena, token, keys, w, out, &why);
	}
	return result == ID_TOKEN_VALID || oidc_fail(run, OIDC_REFUSED, "the provider's token is refused: %s", why);
}

/* True if the text has the form of a token (RFC 6750, section 2.1), since it becomes part of a header. */
static bool
is_bearer(const char *s)
{
	return s != NULL && *s != '\0' &&
	    s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=")] == '\0';
}

/*
 * Requests the claims of the person from the UserInfo endpoint. Takes email, its verification and
 * name from one source only: a verification must not be combined with an email from another source.
 */
static bool
ask_person(struct oidc_run *run, const struct oidc_provider *p, const char *access, struct id_claims *out)
{
	struct fetch_request q = { .url = p->userinfo, .authorization = arena_printf(run->arena, "Bearer %s", access) };
	struct str body;
	const char *subject;
	cJSON *v;
	int status;

	if (!oidc_request(run, &q, &body, &status))
		return false;
	/*
	 * Without an answer of UserInfo, go on without an email. Only the first sign-in of a person needs
	 * one; later ones are recognised by `sub`.
	 */
	if (status >= 300)
		return true;
	if ((v = oidc_object(run, body, "answer to who it is")) == NULL)
		return false;
	subject = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(v, "sub"));
	if (subject == NULL || strcmp(subject, out->subject) != 0)
		return oidc_fail(run, OIDC_REFUSED, "the provider gives data of another person than its ID token names");
	id_claims_read(run->arena, v, out);
	return true;
}

bool
oidc_exchange(struct oidc_run *run, const struct oidc_return *r, struct id_claims *out)
{
	struct id_token_wanted w = { .issuer = run->issuer, .client = run->client, .nonce = r->nonce, .now = run->now / 1000 };
	const char *token, *access;
	struct oidc_provider p;
	cJSON *answer;

	if (!oidc_find_provider(run, &p) || (answer = ask_token(run, &p, r)) == NULL)
		return false;
	w.algorithms = p.algorithms;
	token = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "id_token"));
	access = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(answer, "access_token"));
	if (token == NULL)
		return oidc_fail(run, OIDC_SETUP, "the provider sent no ID token: is the scope openid allowed for this client?");
	if (!verify_token(run, &p, token, &w, out))
		return false;
	return out->email != NULL || p.userinfo == NULL || !is_bearer(access) || ask_person(run, &p, access, out);
}
