/*
 * What a provider of sign-in sends. MODE 1: an ID token, as three lines: its header, its claims, and the signature in
 * base64; 2: the XML of a SAML response. The seeds are signed by keys of tests/fixtures/oidc/keys.json and
 * tests/fixtures/saml. What is accepted must say what was signed.
 */
#include <sodium.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "fuzz.h"
#include "oidc/id_token.h"
#include "oidc/provider.h"
#include "saml/response.h"

#ifndef MODE
#define MODE 1
#endif

#define SELF "https://docs.example.com/app/sso/p1/metadata"
#define ACS "https://docs.example.com/app/sso/p1/acs"

enum { NOW = 1800000000, MINUTE = 60 };

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static bool
is_one_of(const char *text, const char *one, const char *other)
{
	return text == NULL ? one == NULL : strcmp(text, other) == 0 || (one != NULL && strcmp(text, one) == 0);
}

static char *
base64(struct arena *a, const char *text, int variant)
{
	size_t n = strlen(text), room = sodium_base64_ENCODED_LEN(n, variant);

	return sodium_bin2base64(arena_alloc(a, room), room, (const unsigned char *)text, n, variant);
}

static struct str
fixture(struct arena *a, const char *path)
{
	struct str s;

	must(file_read(a, path, &s));
	return s;
}

/* ---- ID tokens ---- */

static void
verify_token(struct arena *a, char *text)
{
	static const char claims[] = "{\"iss\":\"https://id.example\",\"aud\":\"octavo\",\"sub\":\"7\",\"nonce\":\"n\","
	    "\"iat\":1800000000,\"exp\":1800000060,\"email\":\"ada@example.com\",\"email_verified\":true,\"name\":\"Ada\"}",
	    audiences[] = "{\"iss\":\"https://id.example\",\"aud\":[\"octavo\",\"x\"],\"azp\":\"octavo\",\"sub\":\"7\","
	    "\"nonce\":\"n\",\"nbf\":1800000000,\"iat\":1800000000,\"exp\":1800000060}";
	struct id_token_wanted w = { "https://id.example", "octavo", "n", OIDC_RS256 | OIDC_PS256 | OIDC_ES256, NOW };
	char *rest = text, *header = strsep(&rest, "\n"), *body = strsep(&rest, "\n");
	const int variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
	const char *why = NULL;
	struct id_claims out;

	if (rest == NULL)
		return;
	text = arena_printf(a, "%s.%s.%s", base64(a, header, variant), base64(a, body, variant), rest);
	if (id_token_verify(a, text, fixture(a, "tests/fixtures/oidc/keys.json"), &w, &out, &why) != ID_TOKEN_VALID)
		must(why != NULL);
	else
		must(is_one_of(body, claims, audiences) && strcmp(out.subject, "7") == 0);
}

/* ---- SAML ---- */

/* The base64 of the certificate with which the seeds were signed. */
static const char *
certificate(struct arena *a)
{
	struct str s = fixture(a, "tests/fixtures/saml/idp.pem");
	char *text = strchr(arena_strndup(a, s.p, s.n), '\n'), *end = strstr(text, "\n-----END");

	must(end != NULL);
	*end = '\0';
	return text;
}

static void
read_response(struct arena *a, const char *xml)
{
	struct saml_run run = { .arena = a, .self = SELF, .acs = ACS, .entity = "https://idp.example.com/metadata",
		.sso = "https://idp.example.com/sso", .certificates = { certificate(a) }, .now = NOW * 1000LL,
		.service = "<EntityDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"" SELF "\"><SPSSODescriptor "
		"protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\"><AssertionConsumerService index=\"0\" isDefault=\"true\" "
		"Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST\" Location=\"" ACS "\"/></SPSSODescriptor></EntityDescriptor>" };
	static bool started;
	struct saml_person who;

	started = started || saml_start();
	must(started);
	if (!saml_read_response(&run, base64(a, xml, sodium_base64_VARIANT_ORIGINAL), &who)) {
		must(run.failure == SAML_REFUSED && run.message != NULL);
		return;
	}
	must(strcmp(who.subject, "ada-7") == 0 && strcmp(who.assertion, "a1") == 0 && strcmp(who.request, "ocn_1") == 0);
	must(is_one_of(who.email, NULL, "ada@example.com") && who.name == NULL);
	must(who.ends_at == NOW * 1000LL + 5 * MINUTE * 1000 + SAML_SKEW_MS);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a;

	if (size > 65536 || sodium_init() < 0)
		return 0;
	a = fuzz_arena();
	json_arena(a);
	if (MODE == 1)
		verify_token(a, fuzz_text(a, data, size));
	else
		read_response(a, fuzz_text(a, data, size));
	json_arena(NULL);
	arena_free(a);
	return 0;
}
