/* octavo doctor: signing in. Contract: doctor.h. */
#include <string.h>

#include "base/address.h"
#include "base/json.h"
#include "base/settings.h"
#include "cmd_data.h"
#include "command/service.h"
#include "doctor.h"
#include "signin/provider.h"

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
