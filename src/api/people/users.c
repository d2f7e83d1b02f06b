/*
 * Users. Table account. A user is visible to those who share an organization with the user, and to
 * those who can read content that contains the user's id: the user may have left, or have written
 * in a space before it was transferred to this organization. All others get 404, as for an id that
 * does not exist.
 */
#include <string.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/members.h"
#include "api/users.h"
#include "app/audit.h"
#include "app/people.h"
#include "app/roles.h"
#include "audience/visit.h"
#include "http/req.h"

/*
 * Visitors of a site see names, not addresses. A user whom user_forget() has anonymized has no
 * address.
 */
static void
emit_email(struct json *j, const struct field *f, const struct row *w)
{
	if (w->r->visit == NULL && !row_null(w, "email") && strchr(row_text(w, "email"), '@') != NULL)
		json_kstr(j, f->name, row_text(w, "email"));
}

static void
emit_only_org(struct json *j, const struct field *f, const struct row *w)
{
	if (w->r->who.only_org != NULL)
		json_kstr(j, f->name, w->r->who.only_org);
}

static const struct shape UserUrls = { "UserUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/users/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/users/" EXAMPLE_USER },
	{ 0 } } };
#define USER_FIELDS \
	{ "object", T_CONST, F_REQ, .set = "user", .doc = "Kind of object" }, \
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_USER }, \
	{ "displayName", T_TEXT, F_REQ, .col = "name", .doc = "Name that people see", .example = "Ada" }, \
	{ "email", T_TEXT, .emit = emit_email, .doc = "Address; answers for visitors of sites do not contain it", \
	  .example = "ada@example.com" }, \
	{ "photoURL", T_TEXT, .col = "photo_url", .doc = "Address of a picture", \
	  .example = "https://example.com/ada.png" }, \
	{ "urls", T_OBJECT, F_REQ, .of = &UserUrls, .join = "", .doc = "Its addresses" }
const struct shape User = { "User", (const struct field[]){ USER_FIELDS, { 0 } } };
/* A user as the user in person gets it: with members that are left out for others. */
const struct shape UserSelf = { "AuthenticatedUser", (const struct field[]){
	USER_FIELDS,
	{ "commitEmail", T_TEXT, .col = "commit_email", .doc = "Address in commits that Octavo makes; absent: commits have a no-reply address",
	  .example = "ada@example.com" },
	{ "organization", T_TEXT, .emit = emit_only_org, .doc = "Of a session after a sign-in at an organization's provider: id of that "
	  "organization, the only one that the session is valid for", .example = EXAMPLE_ORG },
	{ 0 } } };

#define USER "SELECT u.id, COALESCE(u.address, u.email) AS email, u.name, u.photo_url FROM account u "
SQL(q_self, "SELECT id, COALESCE(address, email) AS email, name, photo_url, commit_email FROM account WHERE id = :user");
/* An organization in which the caller is disabled does not count; one in which the other user is disabled does. */
SQL(q_other,
    USER "WHERE u.id = :id AND (u.id = :user OR EXISTS (SELECT 1 FROM member mine JOIN member theirs ON theirs.org = mine.org "
    "AND theirs.account = u.id WHERE mine.account = :user AND mine.disabled = 0 "
    "AND " OPENS("mine.org") "))");

/* Users whose names a visitor of a site may see: the members of its organization. */
SQL(q_of_org, USER "JOIN member m ON m.account = u.id AND m.org = :org WHERE u.id = :id");
SQL(q_any, USER "WHERE u.id = :id");
/* Spaces of the caller's organizations, not deleted, whose comments or history contain :id. */
SQL(q_named,
    "SELECT s.id FROM named n JOIN space s ON s.id = n.space AND s.deleted_at IS NULL "
    "JOIN member m ON m.org = s.org AND m.account = :user AND m.disabled = 0 "
    "AND " OPENS("m.org") " WHERE n.account = :id");
/*
 * The answer with agent instructions contains the id of their author, and everybody with the role
 * read in the organization gets it.
 */
SQL(q_instructed,
    "SELECT 1 FROM member m JOIN agent_instructions i ON i.org = m.org AND i.updated_by = :id "
    "WHERE m.account = :user AND m.disabled = 0 AND m.role >= " SQL_ROLE_READ " "
    "AND " OPENS("m.org") " LIMIT 1");

const struct shape UserEdit = { "UpdateUser", (const struct field[]){
	{ "displayName", T_TEXT, .min = 1, .max = 64, .doc = "Name that people see", .example = "Ada" },
	{ "photoURL", T_URI, F_EMPTY, .max = 2048, .doc = "Address of a picture; empty: none",
	  .example = "https://example.com/ada.png" },
	{ "commitEmail", T_TEXT, F_EMPTY, .max = 254, .doc = "Your own address, for commits that Octavo makes. Everybody "
	  "who can read the repository sees it. Empty: commits have a no-reply address", .example = "ada@example.com" },
	{ 0 } } };
/*
 * An empty commitEmail stores NULL, which means the no-reply address. Any other value must be the
 * account's own address.
 */
SQL(q_edit,
    "UPDATE account SET name = CASE WHEN :has_displayName = 1 THEN :displayName ELSE name END, "
    "name_folded = COALESCE(:folded, name_folded), "
    "photo_url = CASE WHEN :has_photoURL = 1 THEN NULLIF(:photoURL, '') ELSE photo_url END, "
    "commit_email = CASE WHEN :has_commitEmail = 0 THEN commit_email WHEN :commitEmail <> '' THEN email END WHERE id = :user");
SQL(q_is_own, "SELECT 1 FROM account WHERE id = :user AND email = :email");

/* GET /user */
HANDLER(getAuthenticatedUser)
{
	struct stmt *q = db_use(r->db, &q_self);

	bind_text(q, ":user", r->who.user);
	return reply_row(r, q, &UserSelf);
}

/* Prepares a statement with {userId} and the caller, and does not step it. */
static struct stmt *
bind_user(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":id", path_id(r, "userId"));
	bind_sign_in(q, r);
	return q;
}

/* True if something that the caller may read contains {userId}. */
static bool
is_named(struct req *r)
{
	struct stmt *named = bind_user(r, &q_named), *q;

	while (stmt_step(named)) {
		q = space_row(r, col_text(named, 0));
		if (q != NULL && col_int(q, col(q, "role")) >= ROLE_READ)
			return true;
	}
	return stmt_int(bind_user(r, &q_instructed), 0) == 1;
}

/*
 * Finds the user of the path, if the caller may see this user (docs/design/permissions.md,
 * "Users"). NULL after fail().
 */
struct stmt *
user_or_fail(struct req *r)
{
	struct stmt *q = r->visit == NULL ? bind_user(r, &q_other) : db_use(r->db, &q_of_org);

	if (r->visit != NULL) {
		bind_text(q, ":id", path_id(r, "userId"));
		bind_text(q, ":org", r->visit->site.org);
	}
	if (stmt_step(q))
		return q;
	/* Tried last, since it is slow: most users who are looked up are colleagues. */
	if (r->visit == NULL && is_named(r)) {
		q = db_use(r->db, &q_any);
		bind_text(q, ":id", path_id(r, "userId"));
		if (stmt_step(q))
			return q;
	}
	fail(r, E_NOT_FOUND, "no user %s", path_id(r, "userId"));
	return NULL;
}

/* GET /users/{userId} */
HANDLER(getUserById)
{
	struct stmt *q = user_or_fail(r);

	return q == NULL ? -1 : reply_current(r, q, &User);
}

/*
 * True if the body's commitEmail is empty or the caller's own address: nobody may write commits
 * under the address of another person.
 */
static bool
commit_email_fits(struct req *r)
{
	const char *email = body_text(r, "commitEmail");
	struct stmt *q = db_use(r->db, &q_is_own);

	if (email == NULL || *email == '\0')
		return true;
	bind_text(q, ":user", r->who.user);
	bind_text(q, ":email", email_normal(r->arena, email));
	return stmt_step(q);
}

/* PATCH /users/{userId}: cannot change the address. */
HANDLER(updateUserById)
{
	struct audit_event e = { .action = AUDIT_USER_UPDATE, .type = "user", .target = r->who.user };
	char *before = user_snapshot(r->db, r->arena, r->who.user), *after;
	struct stmt *q;

	if (!body_has(r, "displayName") && !body_has(r, "photoURL") && !body_has(r, "commitEmail"))
		return fail_field(r, "/displayName", "is required, unless there is a photoURL or commitEmail");
	if (!commit_email_fits(r))
		return fail_field(r, "/commitEmail", "must be the address of your account; if it is empty, commits have a no-reply address");
	q = db_use(r->db, &q_edit);
	bind_body(q, r, "displayName");
	bind_folded(q, ":folded", r->arena, body_text(r, "displayName"));
	bind_body(q, r, "photoURL");
	bind_body(q, r, "commitEmail");
	bind_text(q, ":user", r->who.user);
	stmt_run(q);
	after = user_snapshot(r->db, r->arena, r->who.user);
	/* audit_differ() reduces both to the members that differ. */
	if (audit_differ(r->arena, &before, &after)) {
		e.before = before;
		e.after = after;
		audit_everywhere(r, r->who.user, &e);
	}
	return getAuthenticatedUser(r);
}
