/*
 * Signs in with a provider of an organization, OpenID or SAML, and links its person to an account.
 * The provider is trusted only for this organization (docs/design/security.md, "S21"): the session
 * is valid only for it, an existing account is used only under the conditions in signin/identity.h,
 * and audit records are written to this organization. A new person becomes a member with
 * defaultRole and defaultTeam. A disabled member remains disabled.
 */
#include <string.h>
#include <unistd.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/members.h"
#include "api/sign_in.h"
#include "api/teams.h"
#include "app/audit.h"
#include "provider_parts.h"
#include "signin/saml.h"

const struct shape OrganizationSignIn = { "OrganizationSignIn", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "organization-sign-in", .doc = "Kind of object" },
	{ "label", T_TEXT, F_REQ, .doc = "Name of the provider", .example = "Acme login" },
	{ "organization", T_TEXT, F_REQ, .col = "org", .doc = "Id of the organization", .example = "x9QkT2nVbWm5RcLr7ZhD" },
	{ 0 } } };

const struct shape SAMLMetadata = { "SAMLMetadata", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "saml-metadata", .doc = "Kind of object" },
	{ "metadata", T_TEXT, F_REQ, .doc = "Metadata of this service, XML", .example = "<EntityDescriptor/>" },
	{ 0 } } };
const struct shape SAMLResponse = { "SAMLResponse", (const struct field[]){
	{ "response", T_TEXT, F_REQ, .max = SAML_TEXT_MOST, .doc = "Form field `SAMLResponse`, as the provider sent it",
	  .example = "PHNhbWxwOlJlc3BvbnNlLz4=" },
	{ 0 } } };
const struct shape SAMLCode = { "SAMLCode", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "saml-code", .doc = "Kind of object" },
	{ "code", T_TEXT, F_REQ, .doc = "Code for `finishOrganizationSignIn`; it works once, within two minutes",
	  .example = "oca_SplxlOBeZQQYbYS6WxSbIA" },
	{ 0 } } };

SQL(q_shown,
    "SELECT label, org FROM active_provider WHERE id = :id");
/* Finds a provider that is not complete, too: an admin needs the metadata to get the missing settings. */
SQL(q_saml, "SELECT 1 FROM saml_provider WHERE id = :id");
SQL(q_member, "SELECT disabled FROM member WHERE org = :org AND account = :account");

static int
fail_no_provider(struct req *r)
{
	return fail(r, E_NOT_FOUND, "no provider %s that signs people in", path_id(r, "ssoProviderId"));
}

/* GET /sign-in/sso/{ssoProviderId} */
HANDLER(getOrganizationSignIn)
{
	struct stmt *q = db_use(r->db, &q_shown);

	bind_text(q, ":id", path_id(r, "ssoProviderId"));
	return stmt_step(q) ? reply_current(r, q, &OrganizationSignIn) : fail_no_provider(r);
}

/* ---- begin_sign_in ---- */

/* Finds the provider of the path, which must be of the organization org (NULL: of any). 0 or fail(). */
static int
provider_or_fail(struct req *r, const char *org, struct provider *out)
{
	if (provider_find(r->db, r->arena, r->set, path_id(r, "ssoProviderId"), out) && (org == NULL || strcmp(out->org, org) == 0))
		return 0;
	return fail_no_provider(r);
}

static int
begin_sign_in(struct req *r, const struct provider *p, const char *session)
{
	struct provider_start *s = r->ahead_arg;

	if (r->went_ahead)
		return provider_reply_start(r, s);
	if (provider_try_or_fail(r) != 0)
		return -1;
	s = arena_alloc(r->arena, sizeof(*s));
	*s = (struct provider_start){ .provider = *p, .session = session };
	return go_ahead(r, provider_ask_begin, s);
}

/* POST /sign-in/sso/{ssoProviderId} */
HANDLER(startOrganizationSignIn)
{
	struct provider p;

	return provider_or_fail(r, NULL, &p) != 0 ? -1 : begin_sign_in(r, &p, "");
}

/*
 * POST /orgs/{organizationId}/sso/{ssoProviderId}/link. It requires a recent sign-in to the account
 * itself, that is, not at the provider of an organization.
 */
HANDLER(linkOrganizationProvider)
{
	struct provider p;

	if (provider_or_fail(r, r->org.id, &p) != 0)
		return -1;
	if (r->who.only_org != NULL)
		return fail(r, E_FORBIDDEN, "a sign-in at the provider of an organization links no account: sign in to the account in another way");
	return recent_or_fail(r, false) != 0 ? -1 : begin_sign_in(r, &p, r->who.token);
}

/* ---- SAML ---- */

/* GET /sign-in/sso/{ssoProviderId}/metadata */
HANDLER(getSAMLMetadata)
{
	const char *id = path_id(r, "ssoProviderId");
	struct stmt *q = db_use(r->db, &q_saml);
	struct json *j = &r->json;

	bind_text(q, ":id", id);
	if (stmt_int(q, 0) != 1)
		return fail(r, E_NOT_FOUND, "no SAML provider %s", id);
	json_obj(j);
	json_kstr(j, "object", "saml-metadata");
	json_kstr(j, "metadata", saml_metadata(r->arena, r->set, id));
	json_end(j);
	return 0;
}

/* State of takeSAMLResponse between its two runs. */
struct saml_arrival {
	struct provider     provider;
	struct saml_reading reading;
};

static void
read_response(struct req *r, void *arg)
{
	struct saml_arrival *s = arg;
	int place = provider_place(r->arena, r->set, &s->provider);

	s->reading.answer.failure = PROVIDER_BUSY;
	if (place < 0)
		return;
	s->reading = saml_read(r->arena, r->set, &s->provider, NULL, body_text(r, "response"));
	close(place);
}

static int
saml_provider_or_fail(struct req *r, struct provider *out)
{
	if (provider_or_fail(r, NULL, out) != 0)
		return -1;
	return out->kind == PROVIDER_SAML ? 0 : fail_no_provider(r);
}

/*
 * POST /sign-in/sso/{ssoProviderId}/response: the browser sends the response with a form of the
 * provider's site, so without Octavo's cookies. That it belongs to this browser is checked when the
 * browser sends the code.
 */
HANDLER(takeSAMLResponse)
{
	struct saml_arrival *s = r->ahead_arg;
	struct json *j = &r->json;
	char *code;

	if (!r->went_ahead) {
		s = arena_alloc(r->arena, sizeof(*s));
		if (saml_provider_or_fail(r, &s->provider) != 0 || provider_try_or_fail(r) != 0)
			return -1;
		return go_ahead(r, read_response, s);
	}
	if (s->reading.answer.failure != PROVIDER_GOOD)
		return provider_fail(r, &s->provider, &s->reading.answer);
	if ((code = saml_keep(r->db, r->arena, &s->provider, &s->reading, time_now())) == NULL)
		return fail(r, E_UNAUTHORIZED, "this response of the provider was used before; sign in again");
	provider_tries_clear(r, NULL);
	json_obj(j);
	json_kstr(j, "object", "saml-code");
	json_kstr(j, "code", code);
	json_end(j);
	return 0;
}

/* ---- finish ---- */

enum membership { MEMBER_NONE, MEMBER_ENABLED, MEMBER_OFF };

static enum membership
find_membership(struct req *r, const char *org, const char *account)
{
	struct stmt *q = db_use(r->db, &q_member);

	bind_text(q, ":org", org);
	bind_text(q, ":account", account);
	if (!stmt_step(q))
		return MEMBER_NONE;
	return col_int(q, 0) == 1 ? MEMBER_OFF : MEMBER_ENABLED;
}

static int
fail_person(struct req *r, const struct identity *who, const char *reason)
{
	if (who->result == IDENTITY_ENDED)
		return fail(r, E_FORBIDDEN, "the sign-in in which you asked to link your account has ended: sign in to it again, and link it then");
	if (who->result == IDENTITY_UNLINKED)
		return fail(r, E_FORBIDDEN, "you have unlinked this person of the provider from your account: sign in to it in another way, "
		    "and link it again on the page Account");
	if (who->result == IDENTITY_UNVERIFIED)
		return fail(r, E_FORBIDDEN, "the provider has not verified that %s is your address: have it verified there", who->email);
	return fail(r, E_FORBIDDEN, "%s", reason);
}

/* Returns why the person may not sign in; NULL if there is no reason. *in becomes the membership. */
static const char *
find_refusal(struct req *r, const struct provider_return *p, const struct identity *who, enum membership *in)
{
	*in = MEMBER_NONE;
	if (who->result == IDENTITY_UNLINKED)
		return "the account was unlinked from this person of the provider";
	if (who->result == IDENTITY_UNVERIFIED)
		return "the provider has not verified the address";
	if (who->result == IDENTITY_ENDED)
		return "the sign-in that asked to link it has ended";
	*in = find_membership(r, p->provider.org, who->account);
	/* A person who links an account was a member at the first step; the membership may have ended since. */
	if (*p->flow.session != '\0' && *in == MEMBER_NONE)
		return "you are no member of the organization any more";
	return *in == MEMBER_OFF ? "you are disabled in this organization: ask an admin of it" : NULL;
}

static void
make_member(struct req *r, const struct provider *p, const char *account)
{
	member_add(r, p->org, account, p->default_role, AUDIT_MEMBER_JOIN);
	if (p->default_team != NULL)
		team_join(r, p->default_team, account);
}

static int
sign_in_person(struct req *r, struct provider_return *p)
{
	struct identity who = identity_find(r->db, r->arena, &p->provider, &p->answer.person, p->flow.session);
	enum membership in;
	const char *reason = find_refusal(r, p, &who, &in);

	if (reason != NULL) {
		if (who.account == NULL || p->refused.account != NULL)
			return fail_person(r, &who, reason);
		return provider_refuse(r, p, &who, reason);
	}
	provider_record(r, p, &who);
	if (in == MEMBER_NONE)
		make_member(r, &p->provider, who.account);
	provider_tries_clear(r, &p->flow);
	return reply_signed_in(r, who.account, "provider", p->provider.org, p->provider.id);
}

/*
 * True if the provider has the same issuer and client as when the request was sent. p gets the present
 * settings.
 */
static bool
is_unchanged(struct req *r, struct provider_return *p)
{
	struct provider now;

	if (!provider_find(r->db, r->arena, r->set, p->provider.id, &now) || strcmp(now.issuer, p->provider.issuer) != 0 ||
	    strcmp(now.client, p->provider.client) != 0)
		return false;
	p->provider = now;
	return true;
}

/* POST /sign-in/sso/{ssoProviderId}/return */
HANDLER(finishOrganizationSignIn)
{
	struct provider_return *p = r->ahead_arg;

	if (!r->went_ahead) {
		p = arena_alloc(r->arena, sizeof(*p));
		if (provider_or_fail(r, NULL, &p->provider) != 0 || provider_try_or_fail(r) != 0)
			return -1;
		return provider_return_or_fail(r, p) != 0 ? -1 : go_ahead(r, provider_ask_finish, p);
	}
	if (provider_answer_or_fail(r, p) != 0)
		return -1;
	return is_unchanged(r, p) ? sign_in_person(r, p) : fail_no_provider(r);
}
