/* Members of organizations. Implemented in people/members.c. */
#ifndef OCTAVO_API_MEMBERS_H
#define OCTAVO_API_MEMBERS_H

#include "api/users.h"
#include "app/audit.h"
#include "http/req.h"

extern const struct shape Member, MemberList, MembersQuery, MemberEdit, MemberSpaceList, MemberSpacesQuery, Ping;

/*
 * Columns of the Member shape. Use them with MEMBER_FROM, in a statement that has AND_SEEN, the CTE
 * `them` (the members to read) and AND_GAINED (all in app/roles.h).
 */
#define MEMBER_COLS \
	"m.account AS id, m.role, m.disabled, m.joined_at, m.seen_at, m.sso, " USER_COLS("u", "u_") ", " \
	"(SELECT count(*) FROM team_member tm WHERE tm.account = m.account AND EXISTS " \
	"(SELECT 1 FROM team t WHERE t.id = tm.team AND t.org = m.org)) AS teams, " MEMBER_SPACES " AS spaces, " \
	"(SELECT count(*) FROM seen_site t WHERE m.disabled = 0 AND " SITE_ROLE("m.account", "COALESCE(m.role, 0)") " >= " SQL_ROLE_READ ") AS sites"
#define MEMBER_FROM \
	"gained x JOIN member m ON m.org = x.org AND m.account = x.account JOIN account u ON u.id = x.account "

/*
 * Binds :org, :user and :org_role of a statement that begins WITH_PLACES, for the organization of
 * the path.
 */
void bind_caller(struct stmt *q, struct req *r);

/*
 * A pattern for LIKE … ESCAPE '\\' on a folded column that matches texts containing `text`, ignoring
 * case and accents; NULL for NULL.
 */
char *like_pattern(struct arena *a, const char *text);

/* Binds a text folded as in like_pattern(), for a column in which lists are searched. NULL for NULL. */
void bind_folded(struct stmt *q, const char *name, struct arena *a, const char *text);

/* The role of new members: the organization's defaultRole; ROLE_NONE: a guest. */
enum role default_role(struct req *r, const char *org);

/*
 * The member that a body names by id or address. If the caller is an admin and the address is
 * unknown, a user is created as a member. NULL after fail() (404).
 */
const char *member_or_fail(struct req *r, const char *org, const char *key);

/*
 * Creates a user for an address without an account, as a member of this organization; writes the
 * audit record.
 */
char *invited_user(struct req *r, const char *org, const char *mail);

/* True if the user is also a member of another organization; disabled memberships count. */
bool is_elsewhere(struct req *r, const char *org, const char *user);

/*
 * Writes the audit record of a changed membership. before: an earlier member_snapshot(); NULL: the
 * membership is new, and `added` is the action.
 */
void member_changed(struct req *r, const char *org, const char *user, char *before,
    enum audit_action added);

/*
 * A token with which the caller sees sites of the organization as a member, for an hour
 * (audience/visit.h). The membership must have been checked before.
 */
const char *member_jwt(struct req *r, const char *org);

/*
 * Adds a user as a member, or changes a member's role; writes the audit record. ROLE_NONE: a guest.
 */
void member_add(struct req *r, const char *org, const char *user, enum role role, enum audit_action action);

#endif
