/* The verifier of ID tokens, against tokens that the test signs itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <cjose/cjose.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/secret.h"
#include "oidc/id_token.h"
#include "oidc/provider.h"

enum { NOW = 1800000000 };

static struct arena *arena;
static cjose_jwk_t  *rsa, *other, *weak, *ec, *wide;
static const char   *keys;   /* of the provider: rsa, weak, ec, wide under these names */

/* The public part, under a name. */
static const char *
shown(const cjose_jwk_t *key, const char *kid, const char *more)
{
	cjose_err err;
	char *text = cjose_jwk_to_json(key, false, &err);
	const char *out = arena_printf(arena, "%.*s,\"kid\":\"%s\"%s}", (int)strlen(text) - 1, text, kid, more);

	free(text);
	return out;
}

static int
group_start(void **state)
{
	cjose_err err;

	(void)state;
	arena = arena_new(64 << 20);
	json_arena(arena);
	rsa = cjose_jwk_create_RSA_random(2048, NULL, 0, &err);
	other = cjose_jwk_create_RSA_random(2048, NULL, 0, &err);
	weak = cjose_jwk_create_RSA_random(1024, NULL, 0, &err);
	ec = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_256, &err);
	wide = cjose_jwk_create_EC_random(CJOSE_JWK_EC_P_384, &err);
	keys = arena_printf(arena, "{\"keys\":[7,{},%s,%s,%s,%s,%s,{\"kty\":\"RSA\",\"kid\":\"broken\",\"n\":\"!\",\"e\":\"AQAB\"},"
	    "{\"kty\":\"RSA\",\"kid\":\"cut\",\"n\":\"AQABA\",\"e\":\"AQAB\"}]}",
	    shown(rsa, "rsa", ""), shown(weak, "weak", ",\"alg\":\"RS256\""), shown(ec, "ec", ",\"use\":\"sig\""),
	    shown(wide, "wide", ""), shown(other, "secret", ",\"use\":\"enc\""));
	return rsa != NULL && other != NULL && weak != NULL && ec != NULL && wide != NULL ? 0 : -1;
}

static int
group_stop(void **state)
{
	cjose_jwk_t *all[] = { rsa, other, weak, ec, wide };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		cjose_jwk_release(all[i]);
	json_arena(NULL);
	arena_free(arena);
	return 0;
}

/* A token with this header (without its algorithm) and these claims. */
static const char *
sign(const cjose_jwk_t *key, const char *alg, const char *kid, const char *claims)
{
	cjose_err err;
	cjose_header_t *header = cjose_header_new(&err);
	cjose_jws_t *jws;
	const char *text;

	assert_true(cjose_header_set(header, "alg", alg, &err));
	if (kid != NULL)
		assert_true(cjose_header_set(header, "kid", kid, &err));
	jws = cjose_jws_sign(key, header, (const uint8_t *)claims, strlen(claims), &err);
	assert_non_null(jws);
	assert_true(cjose_jws_export(jws, &text, &err));
	text = arena_strdup(arena, text);
	cjose_jws_release(jws);
	cjose_header_release(header);
	return text;
}

static const char *
claims_of(const char *more)
{
	return arena_printf(arena, "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"sub\":\"7\",\"nonce\":\"n\",\"iat\":%d,\"exp\":%d%s}",
	    NOW, NOW + 60, more);
}

static struct id_claims read_claims;

static enum id_token_result
verify_by(const char *token, unsigned algorithms, const char **why)
{
	struct id_token_wanted w = { "https://id.example", "octavo", "n", algorithms, NOW };

	return id_token_verify(arena, token, str_of(keys), &w, &read_claims, why);
}

static enum id_token_result
verify(const char *token, const char **why)
{
	return verify_by(token, OIDC_RS256 | OIDC_PS256 | OIDC_ES256, why);
}

#define REFUSED(token, reason) do { \
	const char *why_; \
	assert_int_equal(verify(token, &why_), ID_TOKEN_REFUSED); \
	if (strstr(why_, reason) == NULL) \
		fail_msg("\"%s\" instead of \"%s\"", why_, reason); \
} while (0)

static void
each_algorithm_that_counts_is_verified(void **state)
{
	const char *why, *claims = claims_of(",\"email\":\"a@b.example\",\"email_verified\":true,\"name\":\"Ada\"");

	(void)state;
	assert_int_equal(verify(sign(rsa, "RS256", "rsa", claims), &why), ID_TOKEN_VALID);
	assert_string_equal(read_claims.subject, "7");
	assert_string_equal(read_claims.email, "a@b.example");
	assert_string_equal(read_claims.name, "Ada");
	assert_true(read_claims.verified);
	assert_int_equal(verify(sign(rsa, "PS256", "rsa", claims), &why), ID_TOKEN_VALID);
	assert_int_equal(verify(sign(ec, "ES256", "ec", claims), &why), ID_TOKEN_VALID);
	/* Only what the provider announces. */
	assert_int_equal(verify_by(sign(ec, "ES256", "ec", claims), OIDC_RS256, &why), ID_TOKEN_REFUSED);
	assert_int_equal(verify_by(sign(rsa, "RS256", "rsa", claims), OIDC_ES256, &why), ID_TOKEN_REFUSED);
}

static void
other_algorithms_are_refused(void **state)
{
	static const char *const names[] = { "RS384", "RS512", "PS512" };
	cjose_err err;
	cjose_jwk_t *oct = cjose_jwk_create_oct_spec((const uint8_t *)keys, 64, &err);

	(void)state;
	for (size_t i = 0; i < 3; i++)
		REFUSED(sign(rsa, names[i], "rsa", claims_of("")), "is not accepted");
	REFUSED(sign(wide, "ES384", "wide", claims_of("")), "is not accepted");
	REFUSED(sign(oct, "HS256", "rsa", claims_of("")), "is not accepted");
	cjose_jwk_release(oct);
}

/* A token of parts that the test writes. */
static const char *
joined(const char *header, const char *claims, const char *mac)
{
	return arena_printf(arena, "%s.%s.%s", base64url(arena, str_of(header)), base64url(arena, str_of(claims)), mac);
}

static void
headers_are_read_strictly(void **state)
{
	static const struct { const char *header, *why; } table[] = {
		{ "{\"alg\":\"none\"}", "\"none\"" }, { "{\"alg\":\"NONE\"}", "\"NONE\"" }, { "{\"alg\":\"\"}", "\"\"" },
		{ "{\"alg\":[\"RS256\"]}", "names no algorithm" }, { "{}", "names no algorithm" }, { "[]", "no signed token" },
		{ "{\"alg\":\"RS256\"} x", "no signed token" }, { "{\"alg\":\"none\",\"alg\":\"RS256\"}", "no signed token" },
		{ "{\"alg\":\"RS256\",\"crit\":[\"exp\"]}", "demands an extension" },
		{ "{\"alg\":\"RS256\",\"typ\":\"at+jwt\"}", "another purpose" }, { "{\"alg\":\"RS256\",\"typ\":7}", "another purpose" } };
	static const char *const damaged[] = { "", ".", "..", "a.b", "a.b.c.d", "%.%.%", "e30=.e30.e30", "e30.e30.e30xy", "e30.e.e30" };

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		REFUSED(joined(table[i].header, claims_of(""), ""), table[i].why);
	for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++)
		REFUSED(damaged[i], "no signed token");
	REFUSED(arena_printf(arena, "%.*s.e30.e30", ID_TOKEN_MOST, (const char *)memset(arena_alloc(arena, ID_TOKEN_MOST + 1), 'a',
	    ID_TOKEN_MOST)), "no signed token");
}

static void
a_signature_is_of_the_named_key_and_of_every_byte(void **state)
{
	const char *token = sign(rsa, "RS256", "rsa", claims_of("")), *why;
	char *changed;

	(void)state;
	REFUSED(sign(other, "RS256", "rsa", claims_of("")), "signature");
	for (size_t i = 0; i < strlen(token); i += 41) {
		changed = arena_strdup(arena, token);
		changed[i] = changed[i] == 'A' ? 'B' : 'A';
		assert_int_not_equal(verify(changed, &why), ID_TOKEN_VALID);
	}
	/* 342 characters of base64 without their last six are whole bytes. */
	REFUSED(arena_strndup(arena, token, strlen(token) - 6), "signature");
	/* The signature of another algorithm of the same key. */
	REFUSED(arena_printf(arena, "%.*s%s", (int)(strchr(token, '.') - token), token,
	    strchr(sign(rsa, "PS256", "rsa", claims_of("")), '.')), "signature");
}

static void
keys_are_chosen_by_name_and_kind(void **state)
{
	const char *why;

	(void)state;
	assert_int_equal(verify(sign(other, "RS256", "new", claims_of("")), &why), ID_TOKEN_NO_KEY);
	assert_int_equal(verify(sign(other, "RS256", "secret", claims_of("")), &why), ID_TOKEN_NO_KEY);
	assert_int_equal(verify(sign(rsa, "RS256", "ec", claims_of("")), &why), ID_TOKEN_NO_KEY);
	assert_int_equal(verify(sign(weak, "PS256", "weak", claims_of("")), &why), ID_TOKEN_NO_KEY);
	REFUSED(sign(weak, "RS256", "weak", claims_of("")), "damaged or too small");
	REFUSED(sign(rsa, "RS256", "broken", claims_of("")), "damaged or too small");
	REFUSED(sign(rsa, "RS256", "cut", claims_of("")), "damaged or too small");
	REFUSED(sign(rsa, "RS256", NULL, claims_of("")), "which of the provider's keys");
	assert_int_equal(verify(sign(ec, "ES256", NULL, claims_of("")), &why), ID_TOKEN_VALID);
}

static void
claims_are_of_this_provider_client_and_sign_in(void **state)
{
	static const struct { const char *claims, *why; } table[] = {
		{ "{\"aud\":\"octavo\"}", "(iss)" },
		{ "{\"iss\":\"https://id.example/\"}", "(iss)" },
		{ "{\"iss\":[\"https://id.example\"]}", "(iss)" },
		{ "{\"iss\":\"https://id.example\"}", "(aud)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"Octavo\"}", "(aud)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":[[\"octavo\"]]}", "(aud)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":[\"octavo\",\"b\"]}", "(azp)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"azp\":\"b\"}", "(azp)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"azp\":null}", "(azp)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"iat\":1,\"exp\":\"1900000000\"}", "ends" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"iat\":1,\"exp\":1900000000}", "(nonce)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"iat\":1,\"exp\":1900000000,\"nonce\":\"n\"}", "(sub)" },
		{ "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"iat\":1,\"exp\":1900000000,\"nonce\":\"n\",\"sub\":\"\"}", "(sub)" },
		{ "{\"iss\":\"https://evil.example\",\"iss\":\"https://id.example\",\"aud\":\"octavo\"}", "no JSON object" },
		{ "\"text\"", "no JSON object" }, { "", "no JSON object" } };
	const char *why;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		REFUSED(sign(rsa, "RS256", "rsa", table[i].claims), table[i].why);
	assert_int_equal(verify(sign(rsa, "RS256", "rsa", "{\"iss\":\"https://id.example\",\"aud\":[\"octavo\"],\"iat\":1,"
	    "\"exp\":1900000000,\"nonce\":\"n\",\"sub\":\"7\"}"), &why), ID_TOKEN_VALID);
	assert_null(read_claims.email);
	assert_false(read_claims.verified);
}

static enum id_token_result
at(int iat, int exp, int nbf)
{
	const char *why;

	return verify(sign(rsa, "RS256", "rsa", arena_printf(arena, "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"sub\":\"7\","
	    "\"nonce\":\"n\",\"iat\":%d,\"exp\":%d,\"nbf\":%d}", NOW + iat, NOW + exp, NOW + nbf)), &why);
}

static void
clocks_may_differ_by_five_minutes(void **state)
{
	(void)state;
	assert_int_equal(at(ID_TOKEN_SKEW, 1000, 0), ID_TOKEN_VALID);
	assert_int_equal(at(ID_TOKEN_SKEW + 1, 1000, 0), ID_TOKEN_REFUSED);
	assert_int_equal(at(-1000, 1 - ID_TOKEN_SKEW, 0), ID_TOKEN_VALID);
	assert_int_equal(at(-1000, -ID_TOKEN_SKEW, 0), ID_TOKEN_REFUSED);
	assert_int_equal(at(0, 1000, ID_TOKEN_SKEW), ID_TOKEN_VALID);
	assert_int_equal(at(0, 1000, ID_TOKEN_SKEW + 1), ID_TOKEN_REFUSED);
}

static void
an_address_is_verified_where_the_provider_says_so(void **state)
{
	static const struct { const char *more; bool verified; } table[] = {
		{ ",\"email\":\"a@b\"", false }, { ",\"email\":\"a@b\",\"email_verified\":true", true },
		{ ",\"email\":\"a@b\",\"email_verified\":\"true\"", true }, { ",\"email\":\"a@b\",\"email_verified\":\"false\"", false },
		{ ",\"email\":\"a@b\",\"email_verified\":null", false }, { ",\"email_verified\":true", false },
		{ ",\"email\":[\"a@b\"],\"email_verified\":true", false }, { ",\"email\":\"a@b\",\"xms_edov\":true", true },
		{ ",\"email\":\"a@b\",\"xms_edov\":\"1\"", true }, { ",\"email\":\"a@b\",\"xms_edov\":0", false },
		{ ",\"email\":\"a@b\",\"email_verified\":false,\"xms_edov\":true", false } };
	const char *why;

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_int_equal(verify(sign(rsa, "RS256", "rsa", claims_of(table[i].more)), &why), ID_TOKEN_VALID);
		assert_int_equal(read_claims.verified, table[i].verified);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_algorithm_that_counts_is_verified),
		cmocka_unit_test(other_algorithms_are_refused),
		cmocka_unit_test(headers_are_read_strictly),
		cmocka_unit_test(a_signature_is_of_the_named_key_and_of_every_byte),
		cmocka_unit_test(keys_are_chosen_by_name_and_kind),
		cmocka_unit_test(claims_are_of_this_provider_client_and_sign_in),
		cmocka_unit_test(clocks_may_differ_by_five_minutes),
		cmocka_unit_test(an_address_is_verified_where_the_provider_says_so),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
