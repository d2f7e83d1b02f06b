/* octavo doctor: signing in. Contract: doctor.h. */
#include <string.h>

#include "app/certificate.h"
#include "base/address.h"
#include "base/json.h"
#include "base/settings.h"
#include "cmd_data.h"
#include "command/service.h"
#include "doctor.h"
#include "signin/provider.h"

/* SOON_MS: a certificate that expires within this time is reported. */
#define SOON_MS (30LL * 24 * 3600 * 1000)

/* Its scan ends at the first row. */
SQL(q_passkeys, "SELECT EXISTS (SELECT 1 FROM passkey) /*scan*/");
/* Only providers that are complete sign people in. */
SQL(q_saml,
    "SELECT p.label, o.title, p.certificate FROM saml_provider p JOIN org o ON o.id = p.org "
    "WHERE p.sso_url <> '' AND p.entity_id <> '' AND p.certificate <> '' ORDER BY o.title, p.label /*scan*/");

/* True if the address is http, and not of this machine alone. */
static bool
is_open(struct arena *a, const char *url)
{
	const char *host = strncmp(url, "http://", 7) == 0 ? arena_strndup(a, url + 7, strcspn(url + 7, ":/")) : NULL;

	return host != NULL && !address_is_localhost(host) && strncmp(host, "127.", 4) != 0 &&
	    strncmp(url + 7, "[::1]", 5) != 0;
}

/* Asks without the cache, so that the finding is of now and nothing is written. */
static void
ask_provider(struct doctor *d, const struct settings *set)
{
	struct arena *a = d->cli->arena;
	struct settings fresh = *set;
	const char *program = service_program(a, "octavo-oidc");
	struct provider p = provider_installed(set);
	struct provider_answer answer;
	struct flow flow = flow_make(a, p.id, p.issuer, time_now());

	if (program == NULL) {
		doctor_find(d, BAD, service_missing(a, "octavo-oidc"), "nobody can sign in at the OpenID provider without it: install it beside octavo-api");
		return;
	}
	fresh.dir = "";
	answer = provider_begin(a, &fresh, &p, program, &flow);
	if (answer.failure == PROVIDER_GOOD)
		doctor_find(d, GOOD, arena_printf(a, "the OpenID provider %s answers", set->oidc_issuer), NULL);
	else
		doctor_find(d, BAD, arena_printf(a, "nobody can sign in at the OpenID provider %s: %s", set->oidc_issuer, answer.message),
		    answer.failure == PROVIDER_DOWN ? "does it run, and can this machine reach it? Ask it: curl ISSUER/.well-known/openid-configuration" :
		    "compare the settings OCTAVO_OIDC_… with what the provider says (the manual: Sign in with OpenID)");
}

/*
 * Checks one or two certificates (text) of a provider; label and org name it. While a provider
 * replaces its key there are two, and the one that expires later counts.
 */
static void
check_certificate(struct doctor *d, const char *label, const char *org, const char *text)
{
	struct arena *a = d->cli->arena;
	struct certificate list[CERTIFICATES_MOST];
	int64_t ends = 0, now = time_now();
	char day[25];
	size_t n;

	if (certificates_read(a, text, list, &n) != NULL) {
		doctor_find(d, BAD, arena_printf(a, "nobody can sign in at the SAML provider \"%s\" of %s: its certificate has no RSA key of 2048 bits or more",
		    label, org), "an admin of the organization enters the current certificate of the provider");
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (list[i].ends_at > ends)
			ends = list[i].ends_at;
	if (ends > now + SOON_MS)
		return;
	time_format(ends, day);
	doctor_find(d, NOTE, arena_printf(a, "the certificate of the SAML provider \"%s\" of %s %s on %.10s", label, org,
	    ends > now ? "expires" : "has expired", day), "the provider will sign by another key: an admin of the organization adds its new certificate "
	    "below the current one (the manual: Sign-in)");
}

void
doctor_check_providers(struct doctor *d)
{
	struct arena *a = d->cli->arena;
	struct stmt *q = db_use(d->db, &q_saml);
	bool any = false;

	while (stmt_step(q)) {
		any = true;
		check_certificate(d, col_dup(q, 0, a), col_dup(q, 1, a), col_dup(q, 2, a));
	}
	if (any && service_program(a, "octavo-saml") == NULL)
		doctor_find(d, BAD, service_missing(a, "octavo-saml"), "nobody can sign in at the SAML providers of organizations without it: "
		    "install it beside octavo-api; the archive for shared hosts does not have it");
	if (stmt_int(db_use(d->db, &q_passkeys), 0) > 0 && service_program(a, "octavo-passkey") == NULL)
		doctor_find(d, BAD, service_missing(a, "octavo-passkey"), "nobody can sign in by a passkey without it: install it beside "
		    "octavo-api; the archive for shared hosts does not have it");
}

void
doctor_check_sign_in(struct doctor *d)
{
	const char *url = cli_option(d->cli, "url");

	if (url == NULL)
		url = data_url(d->cli);
	if (url != NULL && is_open(d->cli->arena, url))
		doctor_find(d, NOTE, arena_printf(d->cli->arena, "%s is without TLS: passwords and the cookies of sessions travel unencrypted: "
		    "a listener on the network can take them and act as that person", url), "give the web server a certificate, and say https:// in OCTAVO_URL");
	if (d->set != NULL && provider_is_set(d->set))
		ask_provider(d, d->set);
}
