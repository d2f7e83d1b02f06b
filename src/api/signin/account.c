/* A person removes their own account. Tables account, member, token. */
#include "api/audit_events.h"
#include "api/sign_in.h"
#include "app/audit.h"
#include "app/people.h"
#include "http/req.h"

const struct shape AccountDelete = { "DeleteAccount", (const struct field[]){
	{ "email", T_TEXT, F_REQ, .max = 254, .doc = "Address of the account, as a safeguard against deleting it by mistake",
	  .example = "ada@example.com" },
	{ 0 } } };

SQL(q_email, "SELECT email FROM account WHERE id = :user");

/*
 * Revokes the user's tokens, while the user is still a member: the audit records are written in the
 * user's organizations.
 */
static void
revoke_tokens(struct req *r)
{
	struct id_list ids = user_tokens(r->db, r->arena, r->who.user);

	for (size_t i = 0; i < ids.n; i++)
		if (token_revoke(r->db, ids.list[i]))
			audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_TOKEN_REVOKE, .type = "token",
			    .target = ids.list[i], .before = token_snapshot(r->db, r->arena, ids.list[i]) });
}

static int
leave_or_fail(struct req *r, const char *org)
{
	char *before = member_snapshot(r->db, r->arena, org, r->who.user);
	bool last;

	if (!member_remove(r->db, org, r->who.user, &last) && last)
		return fail(r, E_CONFLICT, "you are the last admin of the organization %s: make another one first", org);
	audit(r, &(struct audit_event){ .action = AUDIT_MEMBER_REMOVE, .org = org, .type = "member",
	    .target = r->who.user, .before = before });
	return 0;
}

/*
 * DELETE /user: what the user wrote stays, under the name "Deleted user". Triggers of the database
 * end the sessions.
 */
HANDLER(deleteUser)
{
	struct id_list orgs;
	struct stmt *q;

	if (recent_or_fail(r, false) != 0)
		return -1;
	q = db_use(r->db, &q_email);
	bind_text(q, ":user", r->who.user);
	if (!stmt_step(q) || strcmp(col_text(q, 0), body_text(r, "email")) != 0)
		return fail_field(r, "/email", "is not the address of this account");
	audit_everywhere(r, r->who.user, &(struct audit_event){ .action = AUDIT_USER_DELETE, .type = "user",
	    .target = r->who.user, .before = user_snapshot(r->db, r->arena, r->who.user) });
	revoke_tokens(r);
	orgs = user_orgs(r->db, r->arena, r->who.user, false);
	for (size_t i = 0; i < orgs.n; i++)
		if (leave_or_fail(r, orgs.list[i]) != 0)
			return -1;
	user_forget(r->db, r->who.user);
	return reply_empty(r);
}
