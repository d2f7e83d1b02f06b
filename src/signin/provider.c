/* Makes requests with octavo-oidc. Contract: signin/provider.h. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/address.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/log.h"
#include "base/scan.h"
#include "base/secret.h"
#include "base/url.h"
#include "signin/code.h"
#include "app/outside.h"
#include "app/place.h"
#include "signin/provider.h"
#include "signin/saml.h"
#include "signin/verifier.h"

enum { REQUEST_MOST = 32 << 10 };

static const struct json_limits limits = { 100, 4 };

bool
provider_is_set(const struct settings *set)
{
	return *set->oidc_issuer != '\0';
}

struct provider
provider_installed(const struct settings *set)
{
	return (struct provider){ .id = "", .issuer = set->oidc_issuer, .client = set->oidc_client, .secret = set->oidc_secret,
		.private_hosts = true };
}

/* ---- providers of organizations ---- */

SQL(q_find,
    "SELECT id, org, label, issuer, client, secret, default_team, COALESCE(default_role, 0), NULL, NULL FROM oidc_provider "
    "WHERE id = :id AND issuer <> '' AND client <> '' "
    "UNION ALL SELECT id, org, label, entity_id, '', NULL, default_team, COALESCE(default_role, 0), sso_url, certificate "
    "FROM saml_provider WHERE id = :id AND entity_id <> '' AND sso_url <> '' AND certificate <> ''");

struct str
provider_seal_secret(struct arena *a, const char *secret)
{
	return secret_seal(a, SECRET_PROVIDER, str_of(secret));
}

static bool
unseal_secret(struct arena *a, struct stmt *q, int column, const char **out)
{
	struct str plain = { "", 0 };

	if (!col_null(q, column) && !secret_unseal(a, SECRET_PROVIDER, col_bytes(q, column), &plain))
		return false;
	*out = arena_strndup(a, plain.p, plain.n);
	return true;
}

bool
provider_find(struct db *db, struct arena *a, const struct settings *set, const char *id, struct provider *out)
{
	struct stmt *q = db_use(db, &q_find);

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return false;
	*out = (struct provider){ .kind = col_null(q, 8) ? PROVIDER_OIDC : PROVIDER_SAML, .id = col_dup(q, 0, a), .org = col_dup(q, 1, a),
		.label = col_dup(q, 2, a), .issuer = col_dup(q, 3, a), .client = col_dup(q, 4, a), .private_hosts = set->fetch_private,
		.default_team = col_dup(q, 6, a), .default_role = (enum role)col_int(q, 7), .sso = col_dup(q, 8, a),
		.certificates = col_dup(q, 9, a) };
	return unseal_secret(a, q, 5, &out->secret);
}

const char *
provider_issuer_fault(struct arena *a, const struct settings *set, const char *issuer)
{
	if (strncmp(issuer, "https://", 8) != 0 && !(set->fetch_private && strncmp(issuer, "http://", 7) == 0))
		return "must begin with https://";
	if (strpbrk(issuer, "?#") != NULL)
		return "must have no query and no fragment";
	return address_refuse_url(a, issuer, set->fetch_private);
}

/* ---- requests ---- */

int
provider_place(struct arena *a, const struct settings *set, const struct provider *p)
{
	int share = place_share(set);

	return place_take(a, set, "provider", p->org == NULL ? share : (share + 1) / 2, false);
}

char *
provider_return_path(struct arena *a, const struct provider *p)
{
	return p->org == NULL ? arena_strdup(a, "/app/provider/return") : arena_printf(a, "/app/sso/%s/return", p->id);
}

static char *
redirect_uri(struct arena *a, const struct settings *set, const struct provider *p)
{
	return url_make(a, set, "%s", provider_return_path(a, p));
}

static struct str
write_request(struct arena *a, const struct settings *set, const struct provider *p, const char *code, const struct flow *f)
{
	struct json j;
	struct buf b;

	buf_init(&b, a, REQUEST_MOST);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "do", f == NULL ? "begin" : "finish");
	json_kstr(&j, "dir", set->dir);
	json_kstr(&j, "issuer", p->issuer);
	json_kstr(&j, "client", p->client);
	json_kstr(&j, "secret", p->secret);
	json_kbool(&j, "ofOrganization", p->org != NULL);
	json_kbool(&j, "private", p->private_hosts);
	if (f != NULL) {
		json_kstr(&j, "code", code);
		json_kstr(&j, "redirect", redirect_uri(a, set, p));
		json_kstr(&j, "verifier", f->verifier);
		json_kstr(&j, "nonce", f->nonce);
	}
	json_end(&j);
	return buf_view(&b);
}

static enum provider_failure
read_failure(const char *word)
{
	if (word == NULL)
		return PROVIDER_GOOD;
	return strcmp(word, "down") == 0 ? PROVIDER_DOWN : strcmp(word, "refused") == 0 ? PROVIDER_REFUSED : PROVIDER_SETUP;
}

/* What octavo-oidc printed. */
struct printed {
	struct provider_answer answer;
	const char *authorization;   /* of "begin": where a browser signs in */
	bool        sends_issuer;    /* the provider adds "iss" when it sends a browser back */
};

static struct printed
read_answer(struct arena *a, struct str text)
{
	bool large;
	cJSON *v = json_scan(a, text, &limits, &large) == NULL ? cJSON_ParseWithLength(text.p, text.n) : NULL;
	struct printed out = { .answer = { .failure = PROVIDER_DOWN, .message = "octavo-oidc printed no answer" } };

	if (v == NULL)
		return out;
	out = (struct printed){ { .failure = read_failure(verifier_text(a, v, "failure")), .message = verifier_text(a, v, "message"),
		.person = { verifier_text(a, v, "subject"), verifier_text(a, v, "email"), json_flag_of(v, "verified"), verifier_text(a, v, "name") } },
		verifier_text(a, v, "authorization"), json_flag_of(v, "sendsIssuer") };
	cJSON_Delete(v);
	return out;
}

static struct printed
ask_program(struct arena *a, const struct settings *set, const struct provider *p, const char *program, struct str request)
{
	struct printed out = { .answer = { .failure = PROVIDER_DOWN } };
	struct str text;
	const char *why = outside_run(a, set, OUTSIDE_OIDC, program, request, &text);

	if (why == NULL)
		out = read_answer(a, text);
	else
		out.answer.message = arena_printf(a, "octavo-oidc %s", why);
	if (out.answer.failure == PROVIDER_DOWN || out.answer.failure == PROVIDER_SETUP)
		log_line("%s: %s", p->issuer, out.answer.message);
	return out;
}

struct provider_answer
provider_begin(struct arena *a, const struct settings *set, const struct provider *p, const char *program, struct flow *f)
{
	struct printed got;

	if (p->kind == PROVIDER_SAML)
		return saml_begin(a, set, p, program, f);
	got = ask_program(a, set, p, program, write_request(a, set, p, NULL, NULL));
	if (got.answer.failure != PROVIDER_GOOD)
		return got.answer;
	if (got.authorization == NULL)
		return (struct provider_answer){ .failure = PROVIDER_DOWN, .message = "octavo-oidc found no address" };
	f->sends_issuer = got.sends_issuer;
	got.answer.url = provider_url(a, set, p, got.authorization, f);
	return got.answer;
}

struct provider_answer
provider_finish(struct arena *a, const struct settings *set, const struct provider *p, const char *program, const char *code,
    const struct flow *f)
{
	struct provider_answer out = ask_program(a, set, p, program, write_request(a, set, p, code, f)).answer;

	if (out.failure == PROVIDER_GOOD && out.person.subject == NULL)
		out = (struct provider_answer){ .failure = PROVIDER_DOWN, .message = "octavo-oidc found no person" };
	return out;
}

char *
provider_url(struct arena *a, const struct settings *set, const struct provider *p, const char *authorization,
    const struct flow *f)
{
	/* The address may already have a query, which must be kept (RFC 6749, section 3.1). */
	return arena_printf(a, "%s%cresponse_type=code&client_id=%s&redirect_uri=%s&scope=openid%%20email%%20profile&state=%s&nonce=%s"
	    "&code_challenge=%s&code_challenge_method=S256", authorization, strchr(authorization, '?') != NULL ? '&' : '?',
	    url_segment(a, str_of(p->client)), url_segment(a, str_of(redirect_uri(a, set, p))), f->state, f->nonce,
	    code_challenge(a, f->verifier));
}
