/*
 * octavo user disable, delete, export: revokes a user's access, deletes a user's personal data,
 * prints the data stored about a user. Deleting keeps the content that the user wrote, under the
 * name "Deleted user", since other people's pages, change requests and comments refer to it.
 */
#include <stdio.h>
#include <string.h>

#include "app/people.h"
#include "base/json.h"
#include "cmd_people.h"
#include "signin/session.h"

/* ---- ending memberships ---- */

/*
 * How to end memberships: of which organizations, by which function, and the action for the audit
 * record.
 */
struct membership_end {
	bool              enabled_only;
	bool            (*leave)(struct db *db, const char *org, const char *user, bool *last);
	enum audit_action action;
};
static const struct membership_end disabling = { true, member_disable, AUDIT_MEMBER_DISABLE },
    deleting = { false, member_remove, AUDIT_MEMBER_REMOVE };

/* Ends the membership in one organization. False after printing an error. */
static bool
leave_one(struct cli *c, struct db *db, const struct membership_end *how, const char *org, const char *user)
{
	char *before = member_snapshot(db, c->arena, org, user);
	bool last = false;

	if (how->leave(db, org, user, &last)) {
		people_record_member(c, db, how->action, org, user, before);
		return true;
	}
	cli_fail(c, "%s is the last admin of %s; make another one first: octavo member add --org %s --user EMAIL --role admin",
	    cli_option(c, "user"), org, org);
	return false;
}

/*
 * Revokes all tokens, and ends all sessions and memberships. In this order, because the revocation is recorded
 * in each organization of which the user is still a member. False after printing an error; the
 * caller must then not commit.
 */
static bool
leave_all(struct cli *c, struct db *db, const struct membership_end *how, const char *user, size_t *orgs, size_t *tokens)
{
	struct id_list ids = user_tokens(db, c->arena, user);
	size_t i;

	*tokens = ids.n;
	for (i = 0; i < ids.n; i++)
		if (token_revoke(db, ids.list[i]))
			people_record_token(c, db, ids.list[i], true);
	/* Disabling a membership ends sessions by a trigger; a user may have no enabled membership. */
	session_end_all(db, user, NULL, NULL);
	ids = user_orgs(db, c->arena, user, how->enabled_only);
	*orgs = ids.n;
	for (i = 0; i < ids.n; i++)
		if (!leave_one(c, db, how, ids.list[i], user))
			return false;
	return true;
}

/* The audit record keeps the deleted user's data. */
static void
record_deletion(struct cli *c, struct db *db, const char *user)
{
	struct audit_event e = people_event(AUDIT_USER_DELETE, "user", user);

	e.before = user_snapshot(db, c->arena, user);
	audit_add_everywhere(db, c->arena, user, &e);
}

static int
run_leaving(struct cli *c, const struct membership_end *how)
{
	struct db *db = data_open(c, DB_READ_WRITE);
	size_t orgs, tokens;
	int rc = CLI_FAILED;
	char *user;

	if (db == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if ((user = data_user(c, db, "user")) == NULL)
		goto out;
	if (how == &deleting)
		record_deletion(c, db, user);
	if (!leave_all(c, db, how, user, &orgs, &tokens))
		goto out;
	if (how == &deleting)
		user_forget(db, user);
	else
		user_disable(db, user, true);
	db_commit(db);
	rc = data_print(c, (const char *const[][2]){ { "user", user }, { "organizations", arena_printf(c->arena, "%zu", orgs) },
	    { "tokens", arena_printf(c->arena, "%zu", tokens) } }, 3);
out:
	db_close(db);
	return rc;
}

static int
run_disable(struct cli *c)
{
	return run_leaving(c, &disabling);
}

static int
run_delete(struct cli *c)
{
	return run_leaving(c, &deleting);
}

/* ---- export of the data stored about a person ---- */

SQL(q_person_orgs,
    "SELECT o.id, o.title, m.role AS role_role, m.disabled AS bool_disabled, m.sso AS bool_sso, m.joined_at AS \"time_joinedAt\", "
    "m.seen_at AS \"time_lastSeenAt\" FROM member m JOIN org o ON o.id = m.org WHERE m.account = :user ORDER BY m.org");
SQL(q_person_teams,
    "SELECT t.id, t.title, t.org, m.role FROM team_member m JOIN team t ON t.id = m.team WHERE m.account = :user ORDER BY t.id /*scan*/");
SQL(q_person_grants,
    "SELECT g.space, g.collection, g.site, g.role AS role_role, g.created_at AS \"time_createdAt\" FROM access_grant g "
    "WHERE g.account = :user ORDER BY g.id /*scan*/");
SQL(q_person_tokens,
    "SELECT t.id, t.label, t.scope, t.created_at AS \"time_createdAt\", t.expires_at AS \"time_expiresAt\", "
    "t.revoked_at AS \"time_revokedAt\" FROM token t WHERE t.account = :user ORDER BY t.created_at, t.id");
SQL(q_person_passwords, "SELECT p.set_at AS \"time_setAt\" FROM password p WHERE p.account = :user");
SQL(q_person_identities,
    "SELECT NULLIF(i.provider, '') AS provider, i.issuer, i.subject, i.linked AS bool_linked, i.made_at AS \"time_createdAt\" FROM identity i "
    "WHERE i.account = :user ORDER BY i.made_at, i.id");
SQL(q_person_sessions,
    "SELECT s.id, s.way, s.org, s.device, s.created_at AS \"time_createdAt\", s.used_at AS \"time_usedAt\", s.ends_at AS \"time_endsAt\" "
    "FROM session s WHERE s.account = :user ORDER BY s.created_at, s.id");
SQL(q_person_requests,
    "SELECT r.space, r.number, r.status, r.subject, r.created_at AS \"time_createdAt\" FROM change_request r "
    "WHERE r.created_by = :user ORDER BY r.created_at, r.id /*scan*/");
SQL(q_person_reviews,
    "SELECT r.space, r.number, v.status, v.created_at AS \"time_createdAt\" FROM review v JOIN change_request r ON r.id = v.request "
    "WHERE v.reviewer = :user ORDER BY v.created_at, v.id /*scan*/");
SQL(q_person_comments,
    "SELECT c.id, c.space, c.page, c.body, c.created_at AS \"time_createdAt\" FROM comment c WHERE c.author = :user "
    "ORDER BY c.created_at, c.id /*scan*/");
SQL(q_person_replies,
    "SELECT y.id, y.comment, y.body, y.created_at AS \"time_createdAt\" FROM comment_reply y WHERE y.author = :user "
    "ORDER BY y.created_at, y.id /*scan*/");
SQL(q_person_reactions,
    "SELECT x.target, x.emoji, x.created_at AS \"time_createdAt\" FROM reaction x WHERE x.account = :user "
    "ORDER BY x.created_at, x.target, x.emoji /*scan*/");
SQL(q_person_looks,
    "SELECT r.space, r.number, l.at AS \"time_until\" FROM last_look l JOIN change_request r ON r.id = l.request "
    "WHERE l.account = :user ORDER BY l.request");
SQL(q_person_revisions,
    "SELECT b.space, v.id, v.kind, v.created_at AS \"time_createdAt\" FROM revision v JOIN branch b ON b.id = v.branch "
    "WHERE v.author = :user ORDER BY v.created_at, v.id /*scan*/");
SQL(q_person_record,
    "SELECT e.at AS time_at, e.org, e.action, e.actor, e.address, e.target_type AS \"targetType\", e.target, "
    "e.before AS json_before, e.after AS json_after FROM audit_event e WHERE e.actor = :user OR e.target = :user ORDER BY e.seq /*scan*/");

static const struct {
	const char       *name;
	const struct sql *sql;
} parts[] = { { "organizations", &q_person_orgs }, { "teams", &q_person_teams }, { "grants", &q_person_grants },
	{ "tokens", &q_person_tokens }, { "passwords", &q_person_passwords }, { "identities", &q_person_identities },
	{ "sessions", &q_person_sessions }, { "changeRequests", &q_person_requests }, { "reviews", &q_person_reviews },
	{ "comments", &q_person_comments }, { "replies", &q_person_replies }, { "reactions", &q_person_reactions },
	{ "lastLooks", &q_person_looks }, { "revisions", &q_person_revisions }, { "record", &q_person_record } };

int
person_export(struct cli *c)
{
	struct db *db = data_open(c, DB_READ_WRITE);
	struct json *j;
	char *user, *row;
	struct stmt *q;

	if (db == NULL || (user = data_user(c, db, "user")) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	db_begin(db, false);
	j = cli_json(c);
	json_obj(j);
	json_kstr(j, "id", user);
	json_key(j, "account");
	json_raw(j, str_of(user_snapshot(db, c->arena, user)));
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		json_karr(j, parts[i].name);
		q = db_use(db, parts[i].sql);
		bind_text(q, ":user", user);
		while ((row = audit_snapshot(c->arena, q)) != NULL)
			json_raw(j, str_of(row));
		json_end(j);
	}
	json_end(j);
	db_close(db);
	cli_json_print(c);
	return CLI_OK;
}

const struct cli_command commands_person[] = {
	{ .name = "user disable", .needs_dir = true, .run = run_disable,
	  .summary = "Lock a user out: of signing in, of all organizations, of all tokens and sessions",
	  .options = (const struct cli_option[]){ USER_OPTION, { 0 } },
	  .details = "Roles, teams, permissions and the password are kept; `octavo member add` and `octavo user invite`\n"
	    "let the user in again. An admin of an organization cannot.",
	  .examples = "octavo user disable --dir DIR --user bob@example.com" },
	{ .name = "user delete", .needs_dir = true, .run = run_delete,
	  .summary = "Forget a user: name, address, memberships, tokens. It cannot be undone",
	  .options = (const struct cli_option[]){ USER_OPTION, { 0 } },
	  .details = "What the user wrote stays, under the name \"Deleted user\"; the address is free for another user.\n"
	    "The audit record, backups and commits in repositories keep what they say. `octavo user export --user`\n"
	    "writes down before what is stored; `octavo user disable` is for somebody who may come back.",
	  .examples = "octavo user export --user bob@example.com >bob.json\noctavo user delete --user bob@example.com" },
	{ 0 }
};
