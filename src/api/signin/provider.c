/*
 * Signs in with the installation's OpenID provider. Tables used_flow, identity, account.
 *
 * The provider is called outside of any transaction (signin/provider.h). The first step gives the
 * browser a flow, which is sealed and contains a random state. The provider sends the same state
 * back with its answer; so an answer counts only in the browser in which the sign-in began. A flow
 * is marked as used before its code is sent to the provider, so that the same answer cannot be used
 * twice at once; where the provider then gives no answer (503), the mark is removed, and the browser
 * may try again. Beginning stores nothing.
 */
#include <unistd.h>

#include "api/audit_events.h"
#include "api/sign_in.h"
#include "app/audit.h"
#include "app/people.h"
#include "base/address.h"
#include "base/secret.h"
#include "http/req.h"
#include "signin/flow.h"
#include "signin/identity.h"
#include "signin/provider.h"
#include "signin/throttle.h"

/* RETRY_SECONDS: when clients may try again after a provider did not answer. */
enum { RETRY_SECONDS = 10 };

#define FLOW_FIELD \
	{ "flow", T_TEXT, F_REQ, .max = 4000, .doc = "Binds the answer of the provider to this browser", .example = "3q2-7wE4bXo" }

const struct shape ProviderStart = { "ProviderSignIn", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "provider-sign-in", .doc = "Kind of object" },
	{ "url", T_TEXT, F_REQ, .doc = "Where the browser goes next", .example = "https://login.example.com/authorize?client_id=octavo" },
	FLOW_FIELD,
	{ 0 } } };
const struct shape ProviderReturn = { "FinishProviderSignIn", (const struct field[]){
	FLOW_FIELD,
	{ "state", T_TEXT, F_REQ, .max = 200, .doc = "As the provider sent it back", .example = "ocf_5hT9wQzX2kLmN7vR4cJb8fYdG3xWs6Ht" },
	{ "code", T_TEXT, .max = 8000, .doc = "As the provider sent it; left out where it sent an error", .example = "SplxlOBeZQQYbYS6WxSbIA" },
	{ "iss", T_TEXT, .max = 2000, .doc = "The issuer, where the provider sent it (RFC 9207)", .example = "https://login.example.com" },
	{ "error", T_TEXT, .max = 200, .doc = "The provider's error, where it sent one", .example = "access_denied" },
	{ 0 } } };

/* ---- what both steps check first ---- */

static struct attempt
attempt_of(struct req *r)
{
	const char *address = address_client(r->arena, r->set->proxies, r->io->param(r->io, "REMOTE_ADDR"),
	    r->io->param(r->io, "HTTP_X_FORWARDED_FOR"));

	return (struct attempt){ .address = address != NULL ? address : "" };
}

static int
try_or_fail(struct req *r)
{
	struct attempt t = attempt_of(r);

	if (!provider_is_set(r->set))
		return fail(r, E_CONFLICT, "this installation has no provider to sign in at");
	if (!secret_ready())
		return fail(r, E_BUSY, "this installation is not ready; try again");
	if ((r->retry_after = throttle_try(r->set, &t, time_steady())) > 0)
		return fail(r, E_TOO_MANY, "too many tries from your network; wait %d s", r->retry_after);
	return 0;
}

static int
fail_provider(struct req *r, const struct provider_answer *answer)
{
	struct attempt t = attempt_of(r);

	if (answer->failure == PROVIDER_REFUSED)
		return fail(r, E_UNAUTHORIZED, "%s; sign in again", answer->message);
	if (answer->failure == PROVIDER_BUSY) {
		throttle_undo(r->set, &t, time_steady());
		r->retry_after = RETRY_SECONDS;
		return fail(r, E_BUSY, "too many people sign in at this moment; try again");
	}
	r->retry_after = RETRY_SECONDS;
	if (answer->failure == PROVIDER_DOWN)
		return fail(r, E_BUSY, "signing in at the provider does not work now: %s; try again in a moment", answer->message);
	return fail(r, E_BUSY, "signing in at the provider does not work until an admin of this installation mends it: %s",
	    answer->message);
}

/* ---- begin ---- */

static struct provider_answer
ask_to_begin(struct req *r)
{
	struct provider_answer answer = { .failure = PROVIDER_BUSY };
	int place = provider_place(r->arena, r->set);

	if (place >= 0) {
		answer = provider_begin(r->arena, r->set, NULL);
		close(place);
	}
	return answer;
}

/* POST /sign-in/provider */
HANDLER(startProviderSignIn)
{
	struct provider_answer answer;
	struct json *j = &r->json;
	struct flow f;

	if (try_or_fail(r) != 0)
		return -1;
	answer = ask_to_begin(r);
	if (answer.failure != PROVIDER_GOOD)
		return fail_provider(r, &answer);
	f = flow_make(r->arena, r->set->oidc_issuer, answer.names_itself, time_now());
	json_obj(j);
	json_kstr(j, "object", "provider-sign-in");
	json_kstr(j, "url", provider_url(r->arena, r->set, answer.authorization, &f));
	json_kstr(j, "flow", flow_seal(r->arena, &f));
	json_end(j);
	return 0;
}

/* ---- finish ---- */

/* State of the second step between its two runs. */
struct provider_return {
	struct flow            flow;
	bool                   used;       /* the flow was used before */
	struct provider_answer answer;
	struct identity        refused;    /* the person to record as refused */
};

/* True if the answer comes from the provider at which the flow began. */
static bool
is_of_issuer(struct req *r, const struct flow *f)
{
	const char *iss = body_text(r, "iss");

	/* The settings may name another provider by now, which must not get this code. */
	if (strcmp(f->issuer, r->set->oidc_issuer) != 0)
		return false;
	return iss != NULL ? strcmp(iss, f->issuer) == 0 : !f->names_itself;
}

/* Checks the members of the body before the provider is called. 0 or fail(). */
static int
return_or_fail(struct req *r, struct flow *f)
{
	const char *error = body_text(r, "error"), *code = body_text(r, "code");

	if (!flow_unseal(r->arena, body_text(r, "flow"), time_now(), f))
		return fail(r, E_BAD_REQUEST, "this sign-in is older than ten minutes, or began in another browser; begin again");
	if (!secret_same(f->state, body_text(r, "state")))
		return fail(r, E_BAD_REQUEST, "the answer belongs to another sign-in than the one that began in this browser; begin again");
	if (!is_of_issuer(r, f))
		return fail(r, E_BAD_REQUEST, "the answer is of another provider than the one at which this sign-in began; begin again");
	if (error != NULL && *error != '\0')
		return fail(r, E_FORBIDDEN, strcmp(error, "access_denied") == 0 ? "the sign-in was cancelled at the provider (%s)" :
		    "the provider did not sign you in: %s", error);
	return code != NULL && *code != '\0' ? 0 : fail_field(r, "/code", "is missing");
}

/* True if the provider has not answered who the person is, and may do so at the next try. */
static bool
is_unanswered(enum provider_failure f)
{
	return f == PROVIDER_DOWN || f == PROVIDER_SETUP;
}

static void
ask_provider(struct req *r, void *arg)
{
	struct provider_return *p = arg;
	int place = provider_place(r->arena, r->set);

	p->answer.failure = PROVIDER_BUSY;
	/* The flow stays: the browser may come back with it. */
	if (place < 0)
		return;
	db_begin(r->db, true);
	p->used = !flow_use(r->db, r->arena, &p->flow, time_now());
	db_commit(r->db);
	if (!p->used)
		p->answer = provider_finish(r->arena, r->set, NULL, body_text(r, "code"), &p->flow);
	close(place);
	if (!p->used && is_unanswered(p->answer.failure)) {
		db_begin(r->db, true);
		flow_undo(r->db, r->arena, &p->flow);
		db_commit(r->db);
	}
}

/* A JSON object with one member, as the state of an audit record. */
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

/* Runs in a transaction of its own, since that of the request is rolled back. */
static void
record_refusal(struct req *r, void *arg)
{
	struct provider_return *p = arg;

	const char *reason = p->refused.result == IDENTITY_UNLINKED ? "the account was unlinked from this person of the provider" :
	    "the provider has not verified the address";

	db_begin(r->db, true);
	audit_everywhere(r, p->refused.account, &(struct audit_event){ .action = AUDIT_SESSION_REFUSE, .type = "user",
	    .target = p->refused.account, .after = record_text(r, "reason", reason) });
	db_commit(r->db);
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

static void
record_person(struct req *r, const struct provider_return *p, const struct identity *who)
{
	const char *account = who->account;

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
	struct identity who = identity_find(r->db, r->arena, p->flow.issuer, &p->answer.person);
	struct attempt t = attempt_of(r);

	if (who.result > IDENTITY_MADE) {
		if (who.account == NULL || p->refused.account != NULL)
			return fail_person(r, &who);
		p->refused = who;
		return go_ahead(r, record_refusal, p);
	}
	record_person(r, p, &who);
	/*
	 * A person who signed in does not use up the tries of others in the same network. The first step is not
	 * given back: it may have been counted for another address.
	 */
	throttle_clear(r->set, &t, time_steady());
	return reply_signed_in(r, who.account, "provider", NULL);
}

/* POST /sign-in/provider/return */
HANDLER(finishProviderSignIn)
{
	struct provider_return *p = r->ahead_arg;

	if (!r->went_ahead) {
		p = arena_alloc(r->arena, sizeof(*p));
		if (try_or_fail(r) != 0 || return_or_fail(r, &p->flow) != 0)
			return -1;
		return go_ahead(r, ask_provider, p);
	}
	if (p->used)
		return fail(r, E_BAD_REQUEST, "this sign-in was used before; begin again");
	if (p->answer.failure != PROVIDER_GOOD)
		return fail_provider(r, &p->answer);
	return sign_in_person(r, p);
}
