/* Verifies an ID token. Contract: oidc/id_token.h. */
#include <cjose/cjose.h>
#include <cjson/cJSON.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/scan.h"
#include "base/secret.h"
#include "oidc/id_token.h"
#include "oidc/provider.h"

/* KEY_BITS: minimum size of an RSA key (RFC 7518, section 3.3). */
enum { KEY_BITS = 2048, SUBJECT_MOST = 255 };

static const struct json_limits limits = { 20000, 16 };

static const struct algorithm {
	const char *name, *kty;
	unsigned    bit;
} algorithms[] = { { "RS256", "RSA", OIDC_RS256 }, { "PS256", "RSA", OIDC_PS256 }, { "ES256", "EC", OIDC_ES256 } };

/* State of one verification. */
struct check {
	struct arena                 *arena;
	const struct id_token_wanted *w;
	const struct algorithm       *algorithm;
	const char                   *kid;      /* NULL: the header has none */
	const char                   *why;
};

static bool
check_fail(struct check *c, const char *why)
{
	if (c->why == NULL)
		c->why = why;
	return false;
}

/* Parses a JSON object strictly (no repeated names); NULL: the text is something else. */
static cJSON *
read_object(struct arena *a, struct str text)
{
	bool large;
	cJSON *v = json_scan(a, text, &limits, &large) == NULL ? cJSON_ParseWithLength(text.p, text.n) : NULL;

	return cJSON_IsObject(v) && !json_repeats(v) ? v : NULL;
}

/* ---- header ---- */

static bool
choose_algorithm(struct check *c, const char *name)
{
	for (size_t i = 0; name != NULL && i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
		if (strcmp(name, algorithms[i].name) == 0 && (c->w->algorithms & algorithms[i].bit) != 0)
			c->algorithm = &algorithms[i];
	if (c->algorithm != NULL)
		return true;
	return check_fail(c, name == NULL ? "its header names no algorithm" :
	    arena_printf(c->arena, "it is signed by \"%.20s\", an algorithm that is not accepted", name));
}

static bool
read_header(struct check *c, const char *token)
{
	struct str text, claims, signature;
	const char *type;
	cJSON *v;

	/* cjose ends the process at parts that are not base64url, so they are read here first. */
	if (strlen(token) > ID_TOKEN_MOST || !jwt_parts(c->arena, token, &text, &claims, &signature) ||
	    (v = read_object(c->arena, text)) == NULL)
		return check_fail(c, "it is no signed token");
	/* Tokens for other purposes have another type (RFC 8725, section 3.11): "at+jwt", "logout+jwt". */
	type = json_text_of(v, "typ");
	if (cJSON_GetObjectItemCaseSensitive(v, "typ") != NULL && (type == NULL || strcasecmp(type, "JWT") != 0))
		return check_fail(c, "it is a token for another purpose");
	if (cJSON_GetObjectItemCaseSensitive(v, "crit") != NULL)
		return check_fail(c, "its header demands an extension");
	c->kid = json_text_of(v, "kid");
	return choose_algorithm(c, json_text_of(v, "alg"));
}

/* ---- key ---- */

static bool
is_or_absent(const cJSON *v, const char *name, const char *want)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(v, name);

	return item == NULL || (cJSON_IsString(item) && strcmp(item->valuestring, want) == 0);
}

/*
 * True if the token may be signed with this key (RFC 7517, section 4): its type and, for EC, its curve are
 * those of the algorithm; it is for signatures; and it has the token's key id, if the token names one.
 */
static bool
key_fits(const struct check *c, const cJSON *key)
{
	const char *kty = json_text_of(key, "kty"), *kid = json_text_of(key, "kid");

	return kty != NULL && strcmp(kty, c->algorithm->kty) == 0 && is_or_absent(key, "use", "sig") &&
	    is_or_absent(key, "alg", c->algorithm->name) && (strcmp(kty, "EC") != 0 || same_text(json_text_of(key, "crv"), "P-256")) &&
	    (c->kid == NULL || (kid != NULL && strcmp(kid, c->kid) == 0));
}

/* Copies only the public members of a key, for cjose; NULL: the key cannot be used. The caller releases it. */
static cjose_jwk_t *
import_key(struct check *c, const cJSON *key)
{
	static const char *const parts[] = { "kty", "crv", "n", "e", "x", "y" };
	enum { NAMES = 2 };   /* the first parts; the others are numbers */
	cjose_jwk_t *jwk = NULL;
	const char *value;
	struct str bytes;
	bool whole = true;
	cjose_err err;
	struct json j;
	struct buf b;

	buf_init(&b, c->arena, 2 * OIDC_BYTES);
	json_init(&j, &b);
	json_obj(&j);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if ((value = json_text_of(key, parts[i])) == NULL)
			continue;
		/* cjose ends the process at numbers that are not base64url. */
		whole = whole && (i < NAMES || base64url_read(c->arena, str_of(value), &bytes));
		json_keyn(&j, str_of(parts[i]));
		json_str(&j, value);
	}
	json_end(&j);
	if (whole)
		jwk = cjose_jwk_import(b.p, b.n, &err);
	if (jwk != NULL && cjose_jwk_get_kty(jwk, &err) == CJOSE_JWK_KTY_RSA && cjose_jwk_get_keysize(jwk, &err) < KEY_BITS) {
		cjose_jwk_release(jwk);
		jwk = NULL;
	}
	if (jwk == NULL)
		check_fail(c, "the provider's key is damaged or too small");
	return jwk;
}

/* NULL without a reason in c->why: no key fits. */
static cjose_jwk_t *
find_key(struct check *c, struct str keys)
{
	const cJSON *set = read_object(c->arena, keys), *list = cJSON_GetObjectItemCaseSensitive(set, "keys"), *key, *found = NULL;

	cJSON_ArrayForEach(key, list) {
		if (!cJSON_IsObject(key) || !key_fits(c, key))
			continue;
		if (found != NULL) {
			check_fail(c, c->kid == NULL ? "it does not say which of the provider's keys signed it" :
			    "the provider has two keys of that name");
			return NULL;
		}
		found = key;
	}
	return found == NULL ? NULL : import_key(c, found);
}

/* ---- signature ---- */

/* Returns the signed content; false if the signature was not made with the key. */
static bool
open_token(struct check *c, const char *token, const cjose_jwk_t *key, struct str *claims)
{
	cjose_err err;
	cjose_jws_t *jws = cjose_jws_import(token, strlen(token), &err);
	uint8_t *text;
	size_t n;
	bool valid = jws != NULL && cjose_jws_verify(jws, key, &err) && cjose_jws_get_plaintext(jws, &text, &n, &err);

	if (valid)
		*claims = (struct str){ arena_strndup(c->arena, (const char *)text, n), n };
	if (jws != NULL)
		cjose_jws_release(jws);
	return valid || check_fail(c, "its signature is not valid");
}

/* ---- claims ---- */

/* True if the client is among the audiences, and the token was issued to it. */
static bool
check_audience(struct check *c, const cJSON *v)
{
	const cJSON *aud = cJSON_GetObjectItemCaseSensitive(v, "aud"), *azp = cJSON_GetObjectItemCaseSensitive(v, "azp"), *one;
	bool found = cJSON_IsString(aud) && strcmp(aud->valuestring, c->w->client) == 0;

	if (cJSON_IsArray(aud))
		cJSON_ArrayForEach(one, aud)
			found = found || (cJSON_IsString(one) && strcmp(one->valuestring, c->w->client) == 0);
	if (!found)
		return check_fail(c, "it is for another client (aud)");
	if (azp == NULL && cJSON_IsArray(aud) && cJSON_GetArraySize(aud) > 1)
		return check_fail(c, "it is for several clients and does not name the one that it was made for (azp)");
	if (azp != NULL && (!cJSON_IsString(azp) || strcmp(azp->valuestring, c->w->client) != 0))
		return check_fail(c, "it was made for another client (azp)");
	return true;
}

static bool
check_times(struct check *c, const cJSON *v)
{
	const cJSON *exp = cJSON_GetObjectItemCaseSensitive(v, "exp"), *iat = cJSON_GetObjectItemCaseSensitive(v, "iat"),
		*nbf = cJSON_GetObjectItemCaseSensitive(v, "nbf");
	double now = (double)c->w->now;

	if (!cJSON_IsNumber(exp) || !cJSON_IsNumber(iat) || (nbf != NULL && !cJSON_IsNumber(nbf)))
		return check_fail(c, "it does not say when it was made and ends");
	if (exp->valuedouble <= now - ID_TOKEN_SKEW)
		return check_fail(c, "it has expired: is a clock wrong?");
	if (iat->valuedouble > now + ID_TOKEN_SKEW || (nbf != NULL && nbf->valuedouble > now + ID_TOKEN_SKEW))
		return check_fail(c, "it is from the future: is a clock wrong?");
	return true;
}

static bool
check_claims(struct check *c, const cJSON *v, struct id_claims *out)
{
	const char *issuer = json_text_of(v, "iss"), *nonce = json_text_of(v, "nonce"), *subject = json_text_of(v, "sub");

	if (issuer == NULL || strcmp(issuer, c->w->issuer) != 0)
		return check_fail(c, "it is of another issuer (iss)");
	if (!check_audience(c, v) || !check_times(c, v))
		return false;
	if (nonce == NULL || !secret_same(nonce, c->w->nonce))
		return check_fail(c, "it belongs to another sign-in (nonce)");
	if (subject == NULL || *subject == '\0' || strlen(subject) > SUBJECT_MOST)
		return check_fail(c, "it names no person (sub)");
	id_claims_read(c->arena, v, out);
	out->subject = arena_strdup(c->arena, subject);
	return true;
}

/* Accepts true, and the text "true", which some providers send. */
static bool
is_yes(const cJSON *v)
{
	return cJSON_IsTrue(v) || (cJSON_IsString(v) && (strcmp(v->valuestring, "true") == 0 || strcmp(v->valuestring, "1") == 0)) ||
	    (cJSON_IsNumber(v) && v->valuedouble == 1);
}

void
id_claims_read(struct arena *a, const struct cJSON *v, struct id_claims *out)
{
	const cJSON *verified = cJSON_GetObjectItemCaseSensitive(v, "email_verified");
	const char *email = json_text_of(v, "email"), *name = json_text_of(v, "name");

	/* Microsoft sends no email_verified; its claim "email domain owner verified" has the same meaning. */
	if (verified == NULL)
		verified = cJSON_GetObjectItemCaseSensitive(v, "xms_edov");
	out->email = email == NULL ? NULL : arena_strdup(a, email);
	out->verified = email != NULL && is_yes(verified);
	out->name = name == NULL ? NULL : arena_strdup(a, name);
}

enum id_token_result
id_token_verify(struct arena *a, const char *token, struct str keys, const struct id_token_wanted *w, struct id_claims *out,
    const char **why)
{
	struct check c = { .arena = a, .w = w };
	cjose_jwk_t *key = read_header(&c, token) ? find_key(&c, keys) : NULL;
	enum id_token_result result = ID_TOKEN_REFUSED;
	struct str text;
	cJSON *claims;

	*out = (struct id_claims){ 0 };
	if (key == NULL) {
		result = c.why == NULL ? ID_TOKEN_NO_KEY : ID_TOKEN_REFUSED;
		check_fail(&c, "none of the provider's keys has signed it");
	} else if (open_token(&c, token, key, &text)) {
		claims = read_object(a, text);
		if (claims == NULL ? check_fail(&c, "its claims are no JSON object") : check_claims(&c, claims, out))
			result = ID_TOKEN_VALID;
	}
	cjose_jwk_release(key);
	*why = c.why;
	return result;
}
