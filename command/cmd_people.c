/*
 * octavo init, user, org, member, token: administration before anyone can sign in over the API, or
 * when no one can any more. Disabling, deleting and exporting a user: cmd_person.c.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/audit.h"
#include "cmd_data.h"
#include "cmd_people.h"
#include "base/json.h"
#include "app/installation.h"
#include "app/people.h"
#include "app/setup.h"
#include "base/secret.h"
#include "base/utf8.h"

SQL(q_email_taken, "SELECT 1 FROM account WHERE email = :email");
SQL(q_tokens,
    "SELECT t.id, t.label, t.scope, t.created_at, t.expires_at, t.revoked_at FROM token t "
    "WHERE t.account = :user ORDER BY t.created_at, t.id");

/* Default lifetime of a token, one year, so that forgotten tokens expire. */
#define TOKEN_LIFE_MS (365LL * 86400000)

/* ---- checks ---- */

static char *
good_email(struct cli *c, const char *text)
{
	char *mail = email_normal(c->arena, text);

	if (mail == NULL)
		cli_usage(c, "--email: \"%s\" is not an e-mail address", text);
	return mail;
}

static bool
good_text(struct cli *c, const char *option, const char *text, size_t min, size_t max)
{
	struct str s = str_of(text);

	if (utf8_valid(s) && utf8_count(s) >= min && utf8_count(s) <= max)
		return true;
	cli_usage(c, "--%s takes %zu to %zu characters of UTF-8", option, min, max);
	return false;
}

/*
 * Parses "90d", "12h", "30m" or a date-time. Returns ms since 1970; 0: never expires; -1 after
 * printing an error.
 */
static int64_t
expiry_option(struct cli *c)
{
	const char *text = cli_option(c, "expires");
	long long n;
	int64_t at;
	char *end;

	if (text == NULL)
		return time_now() + TOKEN_LIFE_MS;
	if (strcmp(text, "never") == 0)
		return 0;
	if (time_parse(text, &at) && at > time_now())
		return at;
	if (time_parse(text, &at)) {
		cli_usage(c, "--expires: %s is in the past; the token would never be valid", text);
		return -1;
	}
	errno = 0;
	n = strtoll(text, &end, 10);
	/* 100000 days are 273 years: the product cannot overflow 64 bits. */
	if (errno == 0 && n > 0 && n < 100000 && end != text && strlen(end) == 1 &&
	    strchr("dhm", *end) != NULL)
		return time_now() + n * (*end == 'd' ? 86400000 : *end == 'h' ? 3600000 : 60000);
	cli_usage(c, "--expires takes a time like 90d, 12h, 30m or 2027-01-31T00:00:00Z, not \"%s\"",
	    text);
	return -1;
}

/* ---- the audit record ---- */

struct audit_event
people_event(enum audit_action action, const char *type, const char *target)
{
	return (struct audit_event){ .action = action, .source = "script", .type = type, .target = target };
}

/* Records the same two events as the API: the new organization, and its first member. */
static void
record_org(struct cli *c, struct db *db, const char *org, const char *admin)
{
	struct audit_event e = people_event(AUDIT_ORG_CREATE, "organization", org);

	e.org = org;
	audit_add(db, c->arena, &e);
	e = people_event(AUDIT_MEMBER_ADD, "member", admin);
	e.org = org;
	e.after = member_snapshot(db, c->arena, org, admin);
	audit_add(db, c->arena, &e);
}

void
people_record_user(struct cli *c, struct db *db, const char *user)
{
	struct audit_event e = people_event(AUDIT_USER_CREATE, "user", user);

	e.after = user_snapshot(db, c->arena, user);
	audit_add_everywhere(db, c->arena, user, &e);
}

void
people_record_token(struct cli *c, struct db *db, const char *token, bool ended)
{
	struct audit_event e = people_event(ended ? AUDIT_TOKEN_REVOKE : AUDIT_TOKEN_CREATE, "token", token);
	char *whole = token_snapshot(db, c->arena, token);

	*(ended ? &e.before : &e.after) = whole;
	audit_add_everywhere(db, c->arena, token_user(db, c->arena, token), &e);
}

void
people_record_member(struct cli *c, struct db *db, enum audit_action action, const char *org, const char *user,
    char *before)
{
	struct audit_event e = people_event(action, "member", user);
	char *after = member_snapshot(db, c->arena, org, user);

	if (!audit_differ(c->arena, &before, &after))
		return;
	e.org = org;
	e.before = before;
	e.after = after;
	audit_add(db, c->arena, &e);
}

/* ---- commands ---- */

/*
 * True if the file may exist in a data directory before init: leftovers of an interrupted init, the
 * root folder of a volume (lost+found), hidden files.
 */
static bool
is_expected(const char *name)
{
	static const char *const known[] = { "blobs", "cache", "log", "run", "lost+found", "setup", "setup.example" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(name, known[i]) == 0)
			return true;
	/*
	 * The files of a killed init have names that begin with "octavo.", as have SQLite's files
	 * beside the database.
	 */
	return *name == '.' || strncmp(name, "octavo.", 7) == 0;
}

/* Refuse a folder with other content: a typing error must not turn it into a data directory. */
static int
refuse_foreign(struct cli *c)
{
	DIR *d = opendir(c->dir);
	struct dirent *e;
	int rc = CLI_OK;

	while (d != NULL && rc == CLI_OK && (e = readdir(d)) != NULL)
		if (!is_expected(e->d_name))
			rc = cli_fail(c, "%s holds something else (%s); name a folder that is new or empty",
			    c->dir, e->d_name);
	if (d != NULL)
		closedir(d);
	return rc;
}

static int
fail_done(struct cli *c, const char *email)
{
	return cli_fail(c, "%s is initialised already; make a token with: "
	    "octavo token create --dir %s --user %s", c->dir, cli_quoted(c->arena, c->dir), cli_quoted(c->arena, email));
}

/*
 * Creates the key, then the database, then the first user: an init killed in between can be
 * repeated until the first user exists.
 */
static int
run_init(struct cli *c)
{
	const char *name = cli_option(c, "name"), *title = cli_option(c, "org"), *error;
	char *email = good_email(c, cli_option(c, "email"));
	struct setup_made made;
	struct db *db;

	if (email == NULL || !good_text(c, "name", name, 1, 64) || !good_text(c, "org", title, 2, 255))
		return CLI_USAGE;
	/* Checked before any file is created, and by setup_people() again under the write lock. */
	if (setup_done(c->arena, c->dir)) {
		/* Left by an init that was killed after its commit. */
		setup_end(c->arena, c->dir);
		return fail_done(c, email);
	}
	if (refuse_foreign(c) != CLI_OK)
		return CLI_FAILED;
	/* An interrupted init may be repeated. */
	if ((error = setup_begin(c->arena, c->dir)) != NULL)
		return cli_fail(c, "%s", error);
	if ((db = data_open(c, DB_CREATE)) == NULL)
		return CLI_FAILED;
	if ((error = installation_take_key(db, c->arena, c->dir, true)) != NULL) {
		db_close(db);
		return cli_fail(c, "%s", error);
	}
	db_begin(db, true);
	if (!setup_people(db, c->arena, &(struct setup){ email, name, title }, &made)) {
		/* Closing the database rolls back the open transaction. */
		db_close(db);
		return fail_done(c, email);
	}
	db_commit(db);
	db_close(db);
	setup_end(c->arena, c->dir);
	cli_say(c, "%s is ready. The token is shown only now; keep it.", c->dir);
	return data_print(c, (const char *const[][2]){ { "user", made.user }, { "organization", made.org },
	    { "token", made.token } }, 3);
}

static int
run_user_create(struct cli *c)
{
	const char *name = cli_option(c, "name");
	char *email = good_email(c, cli_option(c, "email")), *user;
	struct stmt *q;
	struct db *db;

	if (email == NULL || !good_text(c, "name", name, 1, 64))
		return CLI_USAGE;
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	q = db_use(db, &q_email_taken);
	bind_text(q, ":email", email);
	if (stmt_int(q, 0) == 1) {
		db_close(db);
		return cli_fail(c, "there is a user %s already", email);
	}
	user = user_make(db, c->arena, email, name);
	people_record_user(c, db, user);
	db_commit(db);
	db_close(db);
	return data_print(c, (const char *const[][2]){ { "user", user } }, 1);
}

static int
run_org_create(struct cli *c)
{
	struct org_new o = { .title = cli_option(c, "title") };
	char *org, *admin;
	struct db *db;

	if (!good_text(c, "title", o.title, 2, 255))
		return CLI_USAGE;
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if ((admin = data_user(c, db, "user")) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	org = org_make(db, c->arena, &o);
	member_set(db, org, admin, 6);
	member_chose(db, org, admin);
	record_org(c, db, org, admin);
	db_commit(db);
	db_close(db);
	return data_print(c, (const char *const[][2]){ { "organization", org }, { "admin", admin } }, 2);
}

bool
people_role(struct cli *c, enum role *role)
{
	const char *name = cli_option(c, "role");

	*role = name == NULL ? ROLE_READ : role_number(name);
	if (*role == ROLE_NONE && strcmp(name, "guest") != 0) {
		cli_usage(c, "--role takes admin, create, review, edit, comment, read or guest");
		return false;
	}
	return true;
}

/* Adds or changes a member, so that a script may run the command repeatedly. */
static int
run_member_add(struct cli *c)
{
	const char *org = cli_option(c, "org");
	enum role role;
	char *user, *before;
	struct db *db;
	int rc = CLI_FAILED;

	if (!people_role(c, &role))
		return CLI_USAGE;
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if ((user = data_user(c, db, "user")) == NULL)
		goto out;
	if ((org = data_org(c, db, org)) == NULL)
		goto out;
	/* Without an admin, the API could no longer change the organization. */
	if (role < ROLE_ADMIN && member_last_admin(db, org, user)) {
		cli_fail(c, "%s is the last admin of %s", cli_option(c, "user"), org);
		goto out;
	}
	before = member_snapshot(db, c->arena, org, user);
	member_set(db, org, user, role);
	user_disable(db, user, false);
	people_record_member(c, db, before == NULL ? AUDIT_MEMBER_ADD : AUDIT_MEMBER_UPDATE, org, user, before);
	db_commit(db);
	rc = data_print(c, (const char *const[][2]){ { "organization", org }, { "user", user },
	    { "role", role == ROLE_NONE ? "guest" : role_name(role) } }, 3);
out:
	db_close(db);
	return rc;
}

/* Keeps the row, so that enabling the member again restores role and grants. */
static int
run_member_disable(struct cli *c)
{
	const char *org = cli_option(c, "org");
	struct db *db = data_open(c, DB_READ_WRITE);
	int rc = CLI_FAILED;
	char *user, *before;
	bool last = false;

	if (db == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if ((user = data_user(c, db, "user")) == NULL || (org = data_org(c, db, org)) == NULL)
		goto out;
	before = member_snapshot(db, c->arena, org, user);
	if (!member_disable(db, org, user, &last)) {
		cli_fail(c, last ? "%s is the last admin of %s" : "%s is no member of %s",
		    cli_option(c, "user"), org);
		goto out;
	}
	people_record_member(c, db, AUDIT_MEMBER_DISABLE, org, user, before);
	db_commit(db);
	rc = data_print(c, (const char *const[][2]){ { "organization", org }, { "user", user },
	    { "disabled", NULL } }, 3);
out:
	db_close(db);
	return rc;
}

/* The token is printed once, after the commit: the database stores only its hash. */
static int
run_token_create(struct cli *c)
{
	const char *scope = cli_option(c, "scope"), *label = cli_option(c, "label");
	int64_t expires = expiry_option(c);
	char *user, *token = NULL, *id = NULL, until[25] = "never";
	struct db *db;

	/* The caller is an admin: without --scope the token has all rights of its user. */
	scope = scope == NULL ? "admin" : scope;
	label = label == NULL ? "" : label;
	if (expires < 0 || !good_text(c, "label", label, 0, 100))
		return CLI_USAGE;
	if (strcmp(scope, "read") != 0 && strcmp(scope, "write") != 0 && strcmp(scope, "admin") != 0)
		return cli_usage(c, "--scope takes read, write or admin, not \"%s\"", scope);
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if ((user = data_user(c, db, "user")) != NULL) {
		token = token_make(db, c->arena, user, scope, label, expires);
		id = token_id(db, c->arena, token);
		people_record_token(c, db, id, false);
		db_commit(db);
	}
	db_close(db);
	if (token == NULL)
		return CLI_FAILED;
	if (expires != 0)
		time_format(expires, until);
	return data_print(c, (const char *const[][2]){ { "id", id }, { "token", token }, { "expires", until } }, 3);
}

static const char *
time_text(struct cli *c, struct stmt *q, int i)
{
	char text[25];

	if (col_null(q, i))
		return NULL;
	time_format(col_int(q, i), text);
	return arena_strdup(c->arena, text);
}

static int
run_token_list(struct cli *c)
{
	static const char *const columns[] = { "id", "label", "scope", "createdAt", "expiresAt",
		"revokedAt" };
	struct db *db = data_open(c, DB_READ_WRITE);
	struct cli_table *t;
	struct stmt *q;
	char *user;

	if (db == NULL || (user = data_user(c, db, "user")) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	t = cli_table_new(c, columns, 6);
	q = db_use(db, &q_tokens);
	bind_text(q, ":user", user);
	while (stmt_step(q))
		cli_table_row(t, (const char *const[]){ col_dup(q, 0, c->arena),
		    col_dup(q, 1, c->arena), col_dup(q, 2, c->arena), time_text(c, q, 3), time_text(c, q, 4),
		    time_text(c, q, 5) });
	cli_table_print(t);
	db_close(db);
	return CLI_OK;
}

/* Revokes a token, with its descendants unless `keep` is set. True if the token was valid. */
static bool
revoke_token(struct cli *c, struct db *db, const char *id, bool keep)
{
	struct id_list family = token_family(db, c->arena, id);
	bool lived = family.n > 0 && strcmp(family.list[0], id) == 0;
	size_t i;

	/*
	 * With `keep`, revoke only the first of the family, which is the token itself if it is
	 * valid.
	 */
	for (i = 0; i < (keep ? lived : family.n); i++)
		if (token_revoke(db, family.list[i]))
			people_record_token(c, db, family.list[i], true);
	return lived;
}

/* Token and descendants are revoked in one transaction, so they stop working at the same moment. */
static int
run_token_revoke(struct cli *c)
{
	struct db *db;
	bool done;

	if (c->argc != 1)
		return cli_usage(c, "takes the id of one token; octavo token list shows them");
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	done = revoke_token(c, db, c->argv[0], cli_flag(c, "keep-descendants"));
	db_commit(db);
	db_close(db);
	if (!done)
		return cli_fail(c, "there is no active token %s", c->argv[0]);
	return data_print(c, (const char *const[][2]){ { "revoked", c->argv[0] } }, 1);
}

#define ORG_OPTION { .name = "org", .arg = "ORG", .help = "id or title of the organization", .required = true }

const struct cli_command commands_people[] = {
	{ .name = "init", .needs_dir = true, .run = run_init,
	  .summary = "Make a data directory with its first user, organization and token",
	  .options = (const struct cli_option[]){
		{ .name = "email", .arg = "EMAIL", .help = "of the first user", .required = true },
		{ .name = "name", .arg = "NAME", .help = "of the first user", .required = true },
		{ .name = "org", .arg = "TITLE", .help = "of the first organization", .required = true },
		{ 0 } },
	  .examples = "octavo init --dir /var/lib/octavo --email ada@example.com --name Ada --org Acme" },
	{ .name = "user create", .needs_dir = true, .run = run_user_create,
	  .summary = "Make a user",
	  .options = (const struct cli_option[]){
		{ .name = "email", .arg = "EMAIL", .help = "how the user is known", .required = true },
		{ .name = "name", .arg = "NAME", .help = "shown to others", .required = true },
		{ 0 } },
	  .examples = "octavo user create --dir DIR --email bob@example.com --name Bob" },
	{ .name = "org create", .needs_dir = true, .run = run_org_create,
	  .summary = "Make an organization",
	  .options = (const struct cli_option[]){
		{ .name = "title", .arg = "TITLE", .help = "2 to 255 characters", .required = true },
		{ .name = "user", .arg = "USER", .help = "its first admin: address or id",
		  .required = true },
		{ 0 } },
	  .examples = "octavo org create --dir DIR --title Acme --user ada@example.com" },
	{ .name = "member add", .needs_dir = true, .run = run_member_add,
	  .summary = "Add a user to an organization, or change the role",
	  .options = (const struct cli_option[]){ ORG_OPTION, USER_OPTION,
		PEOPLE_ROLE_OPTION, { 0 } },
	  .details = "A member who was disabled is let in again.",
	  .examples = "octavo member add --dir DIR --org ID --user bob@example.com --role edit" },
	{ .name = "member disable", .needs_dir = true, .run = run_member_disable,
	  .summary = "Lock a member out of an organization; takes effect at once",
	  .options = (const struct cli_option[]){ ORG_OPTION, USER_OPTION, { 0 } },
	  .details = "Role, teams and permissions are kept; `octavo member add` lets the member in again.",
	  .examples = "octavo member disable --dir DIR --org ID --user bob@example.com" },
	{ .name = "token create", .needs_dir = true, .run = run_token_create,
	  .summary = "Make a bearer token for the API; it is shown once",
	  .options = (const struct cli_option[]){ USER_OPTION,
		{ .name = "scope", .arg = "S", .help = "read, write or admin (default)",
		  .values = "read write admin" },
		{ .name = "expires", .arg = "D", .help = "90d, 12h, 30m, a date-time or never; default: 365d",
		  .values = "30d 90d 365d never" },
		{ .name = "label", .arg = "TEXT", .help = "what it is for, up to 100 characters" },
		{ 0 } },
	  .examples = "octavo token create --dir DIR --user ada@example.com --scope read --expires 90d" },
	{ .name = "token list", .needs_dir = true, .run = run_token_list,
	  .summary = "List a user's tokens",
	  .options = (const struct cli_option[]){ USER_OPTION, { 0 } } },
	{ .name = "token revoke", .needs_dir = true, .run = run_token_revoke, .operands = "ID",
	  .summary = "End a token and those that were made with it; takes effect at once",
	  .options = (const struct cli_option[]){
		{ .name = "keep-descendants", .help = "those that were made with it live on" },
		{ 0 } } },
	{ 0 }
};
