/*
 * Signs in with the installation's OpenID provider; the parts that signing in at an organization's
 * provider needs, too, are in provider_parts.h. Tables used_flow, identity, account.
 *
 * The provider is called outside of any transaction (signin/provider.h). The first step gives the
 * browser a flow, which is sealed and contains a random state. The provider sends the same state
 * back with its answer, so that the answer is valid only in the browser in which the sign-in began.
 * A flow is marked as used before its code is sent to the provider, so that the same answer cannot
 * be used twice at once; if the provider then does not answer (503), the mark is removed, and the
 * browser may try again. The first step stores nothing.
 */
#include <unistd.h>

#include "api/audit_events.h"
#include "api/sign_in.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/address.h"
#include "base/secret.h"
#include "http/req.h"
#include "provider_parts.h"
#include "signin/saml.h"
#include "app/throttle.h"

/* RETRY_SECONDS: when clients may try again after a provider did not answer. */
enum { RETRY_SECONDS = 10 };

#define FLOW_FIELD \
	{ "flow", T_TEXT, F_REQ, .max = 4000, .doc = "Binds the answer of the provider to this browser", .example = "3q2-7wE4bXo" }

const struct shape ProviderStart = { "ProviderSignIn", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "provider-sign-in", .doc = "Kind of object" },
	{ "url", T_TEXT, F_REQ, .doc = "Address that the browser must open next",
	  .example = "https://login.example.com/authorize?client_id=octavo" },
	FLOW_FIELD,
	{ 0 } } };
const struct shape ProviderReturn = { "FinishProviderSignIn", (const struct field[]){
	FLOW_FIELD,
	{ "state", T_TEXT, F_REQ, .max = 200, .doc = "Parameter `state`, as the provider sent it back",
	  .example = "ocf_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ "code", T_TEXT, .max = 8000, .doc = "Parameter `code`, as the provider sent it; absent if it sent an error",
	  .example = "SplxlOBeZQQYbYS6WxSbIA" },
	{ "iss", T_TEXT, .max = 2000, .doc = "Parameter `iss` (RFC 9207), if the provider sent it",
	  .example = "https://login.example.com" },
	{ "error", T_TEXT, .max = 200, .doc = "Parameter `error`, if the provider sent it", .example = "access_denied" },
	{ 0 } } };

/* ---- checks at the beginning of both steps ---- */

static struct attempt
make_attempt(struct req *r)
{
	const char *address = address_client(r->arena, r->set->proxies, r->io->param(r->io, "REMOTE_ADDR"),
	    r->io->param(r->io, "HTTP_X_FORWARDED_FOR"));

	return (struct attempt){ .address = address != NULL ? address : "" };
}

int
provider_try_or_fail(struct req *r)
{
	struct attempt t = make_attempt(r);

	if (!secret_ready())
		return fail(r, E_BUSY, "this installation is not ready; try again");
	if ((r->retry_after = throttle_try(r->set, &t, time_steady())) > 0)
		return fail(r, E_TOO_MANY, "too many tries from your network; wait %d s", r->retry_after);
	return 0;
}

/* Reads the provider of the installation, and counts a try. 0 or fail(). */
static int
find_installed_or_fail(struct req *r, struct provider *out)
{
	if (!provider_is_set(r->set))
		return fail(r, E_CONFLICT, "this installation has no provider to sign in at");
	*out = provider_installed(r->set);
	return provider_try_or_fail(r);
}

void
provider_tries_clear(struct req *r, const struct flow *f)
{
	struct attempt t = make_attempt(r);

	throttle_clear(r->set, &t, time_steady());
	if (f == NULL)
		return;
	/* Both steps counted a try, and a phone may have changed its network between them. */
	t.address = f->from;
	throttle_clear(r->set, &t, time_steady());
}

int
provider_fail(struct req *r, const struct provider *p, const struct provider_answer *answer)
{
	struct attempt t = make_attempt(r);

	if (answer->failure == PROVIDER_REFUSED)
		return fail(r, E_UNAUTHORIZED, "%s; sign in again", answer->message);
	if (answer->failure == PROVIDER_BUSY) {
		throttle_undo(r->set, &t, time_steady());
		r->retry_after = RETRY_SECONDS;
		return fail(r, E_BUSY, "too many people sign in at this moment; try again");
	}
	if (answer->failure == PROVIDER_ABSENT)
		return fail(r, E_BUSY, "this installation signs nobody in by SAML, since its program octavo-saml is missing: an admin of the "
		    "machine installs it, or the organization signs in by OpenID");
	r->retry_after = RETRY_SECONDS;
	if (answer->failure == PROVIDER_DOWN)
		return fail(r, E_BUSY, "signing in at the provider does not work now: %s; try again in a moment", answer->message);
	return fail(r, E_BUSY, "signing in at the provider does not work until an admin of %s mends it: %s",
	    p->org == NULL ? "this installation" : "the organization", answer->message);
}

/* ---- begin ---- */

void
provider_ask_begin(struct req *r, void *arg)
{
	struct provider_start *s = arg;
	const struct provider *p = &s->provider;
	int place = provider_place(r->arena, r->set, p);

	s->answer = (struct provider_answer){ .failure = PROVIDER_BUSY };
	if (place < 0)
		return;
	s->flow = flow_make(r->arena, p->id, p->issuer, time_now());
	s->flow.session = s->session;
	s->flow.from = make_attempt(r).address;
	s->answer = provider_begin(r->arena, r->set, p, NULL, &s->flow);
	close(place);
}

int
provider_reply_start(struct req *r, const struct provider_start *s)
{
	struct json *j = &r->json;

	if (s->answer.failure != PROVIDER_GOOD)
		return provider_fail(r, &s->provider, &s->answer);
	json_obj(j);
	json_kstr(j, "object", "provider-sign-in");
	json_kstr(j, "url", s->answer.url);
	json_kstr(j, "flow", flow_seal(r->arena, &s->flow));
	json_end(j);
	return 0;
}

/* POST /sign-in/provider: it does not use the database, so it needs no second run outside a transaction. */
HANDLER(startProviderSignIn)
{
	struct provider_start s = { .session = "" };

	if (find_installed_or_fail(r, &s.provider) != 0)
		return -1;
	provider_ask_begin(r, &s);
	return provider_reply_start(r, &s);
}

/* ---- finish ---- */

/*
 * True if the answer comes from the provider at which the flow began. The settings may contain
 * another issuer by now, which must not get this code.
 */
static bool
is_of_issuer(struct req *r, const struct provider *p, const struct flow *f)
{
	const char *iss = body_text(r, "iss");

	if (strcmp(f->provider, p->id) != 0 || strcmp(f->issuer, p->issuer) != 0)
		return false;
	return iss != NULL ? strcmp(iss, f->issuer) == 0 : !f->sends_issuer;
}

int
provider_return_or_fail(struct req *r, struct provider_return *p)
{
	const char *error = body_text(r, "error"), *code = body_text(r, "code");
	struct flow *f = &p->flow;

	if (!flow_unseal(r->arena, body_text(r, "flow"), time_now(), f))
		return fail(r, E_BAD_REQUEST, "this sign-in is older than ten minutes, or began in another browser; begin again");
	if (!secret_same(f->state, body_text(r, "state")))
		return fail(r, E_BAD_REQUEST, "the answer belongs to another sign-in than the one that began in this browser; begin again");
	if (!is_of_issuer(r, &p->provider, f))
		return fail(r, E_BAD_REQUEST, "the answer is of another provider than the one at which this sign-in began; begin again");
	if (error != NULL && *error != '\0')
		return fail(r, E_FORBIDDEN, strcmp(error, "access_denied") == 0 ? "the sign-in was cancelled at the provider (%s)" :
		    "the provider did not sign you in: %s", error);
	return code != NULL && *code != '\0' ? 0 : fail_field(r, "/code", "is missing");
}

/* True if the provider has not said who the person is, and may do so at the next try. */
static bool
is_unanswered(enum provider_failure f)
{
	return f == PROVIDER_DOWN || f == PROVIDER_SETUP;
}

void
provider_ask_finish(struct req *r, void *arg)
{
	struct provider_return *p = arg;
	int place = provider_place(r->arena, r->set, &p->provider);

	p->answer.failure = PROVIDER_BUSY;
	/* The flow is not marked as used, so that the browser can try again. */
	if (place < 0)
		return;
	db_begin(r->db, true);
	p->used = !flow_use(r->db, r->arena, &p->flow, time_now());
	if (!p->used && p->provider.kind == PROVIDER_SAML)
		p->answer = saml_take(r->db, r->arena, &p->provider, body_text(r, "code"), &p->flow);
	db_commit(r->db);
	if (!p->used && p->provider.kind == PROVIDER_OIDC)
		p->answer = provider_finish(r->arena, r->set, &p->provider, NULL, body_text(r, "code"), &p->flow);
	close(place);
	if (!p->used && is_unanswered(p->answer.failure)) {
		db_begin(r->db, true);
		flow_undo(r->db, r->arena, &p->flow);
		db_commit(r->db);
	}
}

int
provider_answer_or_fail(struct req *r, const struct provider_return *p)
{
	if (p->used)
		return fail(r, E_BAD_REQUEST, "this sign-in was used before; begin again");
	return p->answer.failure == PROVIDER_GOOD ? 0 : provider_fail(r, &p->provider, &p->answer);
}

/* Returns a JSON object with one member, for an audit record. */
static char *
record_text(struct req *r, const char *name, const char *value)
{
	struct json j;
	struct buf b;

	buf_init(&b, r->arena, 16 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_keyn(&j, str_of(name));
	json_str(&j, value);
	json_end(&j);
	return arena_strndup(r->arena, b.p, b.n);
}

static void
record_refusal(struct req *r, void *arg)
{
	struct provider_return *p = arg;

	db_begin(r->db, true);
	r->who.only_org = p->provider.org;
	audit_everywhere(r, p->refused.account, &(struct audit_event){ .action = AUDIT_SESSION_REFUSE, .type = "user",
	    .target = p->refused.account, .after = record_text(r, "reason", p->reason) });
	db_commit(r->db);
}

int
provider_refuse(struct req *r, struct provider_return *p, const struct identity *who, const char *reason)
{
	p->refused = *who;
	p->reason = reason;
	return go_ahead(r, record_refusal, p);
}

static int
fail_person(struct req *r, const struct identity *who)
{
	if (who->result == IDENTITY_UNLINKED)
		return fail(r, E_FORBIDDEN, "you have unlinked this person of the provider from your account: sign in with your password, "
		    "and link it again on the page Account");
	if (who->result == IDENTITY_NO_EMAIL)
		return fail(r, E_FORBIDDEN, "the provider tells no email address of you: ask its admin to, or sign in with a password");
	if (who->result == IDENTITY_UNVERIFIED)
		return fail(r, E_FORBIDDEN, "the provider has not verified that %s is your address: have it verified there, or sign in with "
		    "a password", who->email);
	return fail(r, E_FORBIDDEN, "nobody here has the address %s: ask an admin for an invitation", who->email);
}

void
provider_record(struct req *r, const struct provider_return *p, const struct identity *who)
{
	const char *account = who->account;

	r->who.only_org = p->provider.org;
	r->who.user = account;
	if (who->result == IDENTITY_MADE)
		audit_everywhere(r, account, &(struct audit_event){ .action = AUDIT_USER_CREATE, .type = "user", .target = account,
		    .after = user_snapshot(r->db, r->arena, account) });
	if (who->result != IDENTITY_KNOWN)
		audit_everywhere(r, account, &(struct audit_event){ .action = AUDIT_IDENTITY_LINK, .type = "user", .target = account,
		    .after = record_text(r, "subject", p->answer.person.subject) });
}

static int
sign_in_person(struct req *r, struct provider_return *p)
{
	struct identity who = identity_find(r->db, r->arena, &p->provider, &p->answer.person, "");

	/* All results after IDENTITY_MADE are refusals. */
	if (who.result > IDENTITY_MADE) {
		if (who.account == NULL || p->refused.account != NULL)
			return fail_person(r, &who);
		return provider_refuse(r, p, &who, who.result == IDENTITY_UNLINKED ?
		    "the account was unlinked from this person of the provider" : "the provider has not verified the address");
	}
	provider_record(r, p, &who);
	provider_tries_clear(r, &p->flow);
	return reply_signed_in(r, who.account, "provider", NULL, NULL);
}

/* POST /sign-in/provider/return */
HANDLER(finishProviderSignIn)
{
	struct provider_return *p = r->ahead_arg;

	if (!r->went_ahead) {
		p = arena_alloc(r->arena, sizeof(*p));
		if (find_installed_or_fail(r, &p->provider) != 0 || provider_return_or_fail(r, p) != 0)
			return -1;
		return go_ahead(r, provider_ask_finish, p);
	}
	return provider_answer_or_fail(r, p) != 0 ? -1 : sign_in_person(r, p);
}
