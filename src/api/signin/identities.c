/*
 * Lists, unlinks and relinks the identities of the caller's account. An identity is a person as
 * known to the provider of the installation or of an organization (table identity). Contract:
 * signin/identity.h.
 */
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/sign_in.h"
#include "app/audit.h"
#include "base/exact.h"
#include "http/req.h"
#include "signin/identity.h"
#include "signin/passkey.h"
#include "signin/session.h"

const struct shape Identity = { "Identity", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "identity", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = "i5WmR2xKq8TnVb4ZcLd7" },
	{ "issuer", T_TEXT, F_REQ, .doc = "Issuer of the tokens of the provider", .example = "https://login.example.com" },
	{ "subject", T_TEXT, F_REQ, .doc = "The provider's id for the person", .example = "248289761001" },
	{ "label", T_TEXT, F_REQ, .doc = "Name of the provider", .example = "Example Login" },
	{ "organization", T_TEXT, .col = "org", .doc = "Id of the organization that has this provider; the person signs in only for this "
	  "organization. Absent: the provider of this installation", .example = EXAMPLE_ORG },
	{ "linked", T_BOOL, F_REQ, .doc = "true: this person at the provider signs in to your account; false: you have unlinked the "
	  "person, and sign-ins are refused" },
	{ "createdAt", T_TIME, F_REQ, .col = "made_at", .doc = "First sign-in of the person" },
	{ 0 } } };
LIST_SHAPE(IdentityList, Identity);
const struct shape IdentityEdit = { "UpdateIdentity", (const struct field[]){
	{ "linked", T_BOOL, F_REQ, .doc = "false: this person at the provider can no longer sign in to your account" },
	{ 0 } } };

#define IDENTITY_COLS \
	"i.id, i.issuer, i.subject, i.linked, i.made_at, COALESCE(p.org, s.org) AS org, " \
	"CASE WHEN i.provider <> '' THEN COALESCE(p.label, s.label) " \
	"WHEN i.issuer = :issuer THEN CAST(:label AS TEXT) ELSE i.issuer END AS label"
#define IDENTITY_FROM "identity i LEFT JOIN oidc_provider p ON p.id = i.provider LEFT JOIN saml_provider s ON s.id = i.provider"

SQL(q_list,
    "SELECT " IDENTITY_COLS ", i.made_at AS k1, i.id AS k2 FROM " IDENTITY_FROM " WHERE i.account = :user AND (i.made_at, i.id) < "
    "(COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) ORDER BY i.made_at DESC, i.id DESC LIMIT :limit");
SQL(q_count, "SELECT count(*) FROM identity WHERE account = :user");
SQL(q_one, "SELECT " IDENTITY_COLS " FROM " IDENTITY_FROM " WHERE i.account = :user AND i.id = :id");
SQL(q_of_org, "SELECT 1 FROM identity WHERE account = :user AND id = :id AND provider <> ''");
SQL(q_snapshot, "SELECT issuer, subject, linked AS bool_linked FROM identity WHERE account = :user AND id = :id");

static void
bind_identity(struct req *r, struct stmt *q)
{
	const struct settings *set = r->set;

	bind_text(q, ":user", r->who.user);
	bind_text(q, ":issuer", set->oidc_issuer);
	bind_text(q, ":label", *set->oidc_name != '\0' ? set->oidc_name : set->oidc_issuer);
}

/* GET /user/identities: newest first. */
HANDLER(listUserIdentities)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_count);
	bind_text(q, ":user", r->who.user);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_list);
	bind_identity(r, q);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Identity, count);
}

static struct stmt *
find_identity(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_one);

	bind_identity(r, q);
	bind_text(q, ":id", id);
	return q;
}

/*
 * True for an identity at the provider of an organization. Such an identity need not be kept as the
 * last way to sign in, since its sessions give no access to the account itself.
 */
static bool
is_of_org(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_of_org);

	bind_text(q, ":user", r->who.user);
	bind_text(q, ":id", id);
	return stmt_int(q, 0) == 1;
}

static char *
identity_snapshot(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_snapshot);

	bind_text(q, ":user", r->who.user);
	bind_text(q, ":id", id);
	return audit_snapshot(r->arena, q);
}

/*
 * PATCH /user/identities/{identityId}. The reason for unlinking may be that an attacker signed in
 * with the identity, so all other sessions end, as with a new password.
 */
HANDLER(updateUserIdentity)
{
	const char *id = path_id(r, "identityId");
	bool linked = body_bool(r, "linked", true);
	char *before;

	if ((before = identity_snapshot(r, id)) == NULL)
		return fail(r, E_NOT_FOUND, "no identity %s", id);
	if (recent_or_fail(r, false) != 0)
		return -1;
	if (!linked && !is_of_org(r, id) &&
	    !identity_is_spare(r->db, r->who.user, id, passkey_host(r->arena, r->set), r->set->oidc_issuer))
		return fail(r, E_CONFLICT, "this is the only way in to your account: set a password first");
	if (identity_set_linked(r->db, r->who.user, id, linked)) {
		audit_everywhere(r, r->who.user, &(struct audit_event){ .action = linked ? AUDIT_IDENTITY_LINK : AUDIT_IDENTITY_UNLINK,
		    .type = "user", .target = r->who.user, .before = before, .after = identity_snapshot(r, id) });
		if (!linked)
			session_end_all(r->db, r->who.user, NULL, r->who.token);
	}
	return reply_row(r, find_identity(r, id), &Identity);
}
