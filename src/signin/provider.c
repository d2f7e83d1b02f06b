/* Makes requests with octavo-oidc. Contract: signin/provider.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/log.h"
#include "base/scan.h"
#include "base/url.h"
#include "signin/code.h"
#include "signin/outside.h"
#include "signin/place.h"
#include "signin/provider.h"

enum { REQUEST_MOST = 32 << 10 };

static const struct json_limits limits = { 100, 4 };

bool
provider_is_set(const struct settings *set)
{
	return *set->oidc_issuer != '\0';
}

int
provider_place(struct arena *a, const struct settings *set)
{
	return place_take(a, set, "provider", place_share(set), false);
}

static char *
redirect_uri(struct arena *a, const struct settings *set)
{
	return url_make(a, set, "/app/provider/return");
}

static struct str
write_request(struct arena *a, const struct settings *set, const char *code, const struct flow *f)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, REQUEST_MOST);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "do", f == NULL ? "begin" : "finish");
	json_kstr(&j, "dir", set->dir);
	json_kstr(&j, "issuer", set->oidc_issuer);
	json_kstr(&j, "client", set->oidc_client);
	json_kstr(&j, "secret", set->oidc_secret);
	if (f != NULL) {
		json_kstr(&j, "code", code);
		json_kstr(&j, "redirect", redirect_uri(a, set));
		json_kstr(&j, "verifier", f->verifier);
		json_kstr(&j, "nonce", f->nonce);
	}
	json_end(&j);
	return buf_view(&b);
}

/* A member that is a string; NULL: there is none. */
static const char *
text_of(struct arena *a, const cJSON *v, const char *name)
{
	const char *text = json_text_of(v, name);

	return text == NULL ? NULL : arena_strdup(a, text);
}

static enum provider_failure
read_failure(const char *word)
{
	if (word == NULL)
		return PROVIDER_GOOD;
	return strcmp(word, "down") == 0 ? PROVIDER_DOWN : strcmp(word, "refused") == 0 ? PROVIDER_REFUSED : PROVIDER_SETUP;
}

static struct provider_answer
read_answer(struct arena *a, struct str text)
{
	bool large;
	cJSON *v = json_scan(a, text, &limits, &large) == NULL ? cJSON_ParseWithLength(text.p, text.n) : NULL;
	struct provider_answer out = { .failure = PROVIDER_DOWN, .message = "octavo-oidc printed no answer" };

	if (v == NULL)
		return out;
	out = (struct provider_answer){ read_failure(text_of(a, v, "failure")), text_of(a, v, "message"),
		text_of(a, v, "authorization"), cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "namesItself")),
		{ text_of(a, v, "subject"), text_of(a, v, "email"), cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(v, "verified")),
		  text_of(a, v, "name") } };
	cJSON_Delete(v);
	return out;
}

static struct provider_answer
ask_program(struct arena *a, const struct settings *set, const char *program, struct str request)
{
	struct provider_answer out;
	struct str printed;
	const char *why = outside_run(a, set, OUTSIDE_OIDC, program, request, &printed);

	out = why == NULL ? read_answer(a, printed) :
	    (struct provider_answer){ .failure = PROVIDER_DOWN, .message = arena_printf(a, "octavo-oidc %s", why) };
	if (out.failure == PROVIDER_DOWN || out.failure == PROVIDER_SETUP)
		log_line("%s: %s", set->oidc_issuer, out.message);
	return out;
}

struct provider_answer
provider_begin(struct arena *a, const struct settings *set, const char *program)
{
	struct provider_answer out = ask_program(a, set, program, write_request(a, set, NULL, NULL));

	if (out.failure == PROVIDER_GOOD && out.authorization == NULL)
		out = (struct provider_answer){ .failure = PROVIDER_DOWN, .message = "octavo-oidc found no address" };
	return out;
}

struct provider_answer
provider_finish(struct arena *a, const struct settings *set, const char *program, const char *code, const struct flow *f)
{
	struct provider_answer out = ask_program(a, set, program, write_request(a, set, code, f));

	if (out.failure == PROVIDER_GOOD && out.person.subject == NULL)
		out = (struct provider_answer){ .failure = PROVIDER_DOWN, .message = "octavo-oidc found no person" };
	return out;
}

char *
provider_url(struct arena *a, const struct settings *set, const char *authorization, const struct flow *f)
{
	/* The address may already have a query, which must be kept (RFC 6749, section 3.1). */
	return arena_printf(a, "%s%cresponse_type=code&client_id=%s&redirect_uri=%s&scope=openid%%20email%%20profile&state=%s&nonce=%s"
	    "&code_challenge=%s&code_challenge_method=S256", authorization, strchr(authorization, '?') != NULL ? '&' : '?',
	    url_segment(a, str_of(set->oidc_client)), url_segment(a, str_of(redirect_uri(a, set))), f->state, f->nonce,
	    code_challenge(a, f->verifier));
}
