/* Members of organizations. What other files need of people/members.c. */
#ifndef OCTAVO_API_MEMBERS_H
#define OCTAVO_API_MEMBERS_H

#include "api/users.h"
#include "app/audit.h"
#include "http/req.h"

extern const struct shape Member, MemberList, MembersQuery, MemberEdit, MemberSpaceList, MemberSpacesQuery, Ping;

/* Columns of the Member shape, from MEMBER_FROM; in a statement with AND_SEEN, them and AND_GAINED. */
#define MEMBER_COLS \
	"m.account AS id, m.role, m.disabled, m.joined_at, m.seen_at, m.sso, " USER_COLS("u", "u_") ", " \
	"(SELECT count(*) FROM team_member tm WHERE tm.account = m.account AND EXISTS " \
	"(SELECT 1 FROM team t WHERE t.id = tm.team AND t.org = m.org)) AS teams, " MEMBER_SPACES " AS spaces"
#define MEMBER_FROM \
	"gained x JOIN member m ON m.org = x.org AND m.account = x.account JOIN account u ON u.id = x.account "

/* Binds :org, :user and :org_role of a statement that begins WITH_PLACES, for {organizationId}. */
void bind_caller(struct stmt *q, struct req *r);

/* A pattern for LIKE … ESCAPE '\\' on octavo_fold(…): text that holds this, whatever case and accents; NULL for NULL. */
char *like_pattern(struct arena *a, const char *text);

/* The role that new members get: the organization's defaultRole, ROLE_NONE: a guest. */
enum role default_role(struct req *r, const char *org);

/*
 * The member that an id or address in a body names. An unknown address makes a
 * user and a member where the caller is an admin; NULL after fail() (404).
 */
const char *member_or_fail(struct req *r, const char *org, const char *key);

/* A new user for an address that nobody has, named in this organization; with the audit record. */
char *invited_user(struct req *r, const char *org, const char *mail);

/* Records what a membership has become since before, a member_snapshot(); NULL: it is new, by `added`. */
void member_changed(struct req *r, const char *org, const char *user, char *before,
    enum audit_action added);

/* Makes a user a member, or gives one another role, with the audit record. ROLE_NONE: a guest. */
void member_add(struct req *r, const char *org, const char *user, enum role role, enum audit_action action);

#endif
