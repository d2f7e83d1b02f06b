/*
 * octavo user invite, user reset: print a link with which a person sets a password and signs in
 * (signin/link.h); where OCTAVO_SENDMAIL is set, it is mailed as well.
 */
#include "app/people.h"
#include "base/json.h"
#include "base/role.h"
#include "base/settings.h"
#include "cmd_people.h"
#include "signin/link.h"
#include "signin/mail.h"

/* The settings of the running service, as far as links and mails need them. NULL after printing an error. */
static struct settings *
read_settings(struct cli *c)
{
	const char *error, *url = data_url(c), *sendmail = data_value(c, "OCTAVO_SENDMAIL");
	struct settings *set = settings_env(c->arena, &error);

	if (set == NULL) {
		cli_fail(c, "%s", error);
		return NULL;
	}
	if (url == NULL) {
		cli_fail(c, "the address of this installation is not known: set OCTAVO_URL, for example OCTAVO_URL=https://docs.example.com");
		return NULL;
	}
	set->dir = c->dir;
	set->url = url;
	set->sendmail = sendmail != NULL ? sendmail : "";
	return set;
}

SQL(q_address, "SELECT email FROM account WHERE id = :user");

/* Mails the link where that is set up. Returns what to print of it. */
static const char *
mail_link(struct cli *c, const struct settings *set, const char *email, const char *kind, const char *link)
{
	bool invite = strcmp(kind, "invite") == 0;
	struct mail m = { .to = email, .subject = invite ? "Your invitation" : "Choose a new password" };

	if (!mail_can(set))
		return "no, OCTAVO_SENDMAIL is not set: pass the link on";
	m.text = arena_printf(c->arena, "%s\n\n%s\n\nThe link works once, within %s.\n",
	    invite ? arena_printf(c->arena, "You have an account at %s. Choose a password here:", set->url) :
	    arena_printf(c->arena, "An admin of %s asked for a new password for you. Choose it here:", set->url), link,
	    invite ? "seven days" : "two hours");
	return mail_send(c->arena, set, &m) ? email : "failed, see above: pass the link on";
}

/* Makes the link in the open transaction, commits, mails and prints it. Returns an enum cli_status. */
static int
print_link(struct cli *c, struct db *db, const struct settings *set, const char *user, const char *kind)
{
	struct stmt *q = db_use(db, &q_address);
	char ends[25], *email, *link;
	struct audit_event e = people_event(AUDIT_LINK_CREATE, "user", user);
	int64_t ends_at;

	bind_text(q, ":user", user);
	email = stmt_dup(q, c->arena);
	link = link_make(db, c->arena, set, user, kind, &ends_at);
	audit_add_everywhere(db, c->arena, user, &e);
	db_commit(db);
	time_format(ends_at, ends);
	return data_print(c, (const char *const[][2]){ { "user", user }, { "link", link }, { "ends", ends },
	    { "mailed", mail_link(c, set, email, kind, link) } }, 4);
}

/* The user with this address, made where there is none; NULL after printing an error. */
static char *
person_of(struct cli *c, struct db *db, const char *email)
{
	const char *name = cli_option(c, "name");
	char *user = user_find(db, c->arena, email);

	if (user != NULL)
		return user;
	user = user_make(db, c->arena, email, name != NULL ? name : arena_strndup(c->arena, email, strcspn(email, "@")));
	people_record_user(c, db, user);
	return user;
}

/* Adds the person to the organization of --org, if it is given. False after printing an error. */
static bool
add_to_org(struct cli *c, struct db *db, const char *user, enum role role)
{
	const char *org = cli_option(c, "org");
	char *before;

	if (org == NULL)
		return true;
	if ((org = data_org(c, db, org)) == NULL)
		return false;
	/* An invitation neither raises nor lowers the role of a member. */
	if ((before = member_snapshot(db, c->arena, org, user)) != NULL)
		return true;
	member_set(db, org, user, role);
	people_record_member(c, db, AUDIT_MEMBER_ADD, org, user, NULL);
	return true;
}

static int
run_invite(struct cli *c)
{
	char *email = email_normal(c->arena, cli_option(c, "email")), *user;
	const struct settings *set;
	enum role role;
	struct db *db;
	int rc = CLI_FAILED;

	if (email == NULL)
		return cli_usage(c, "--email: \"%s\" is no e-mail address", cli_option(c, "email"));
	if (!people_role(c, &role))
		return CLI_USAGE;
	if ((set = read_settings(c)) == NULL || (db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	user = person_of(c, db, email);
	user_disable(db, user, false);
	if (add_to_org(c, db, user, role))
		rc = print_link(c, db, set, user, "invite");
	db_close(db);
	return rc;
}

static int
run_reset(struct cli *c)
{
	const struct settings *set;
	int rc = CLI_FAILED;
	struct db *db;
	char *user;

	if ((set = read_settings(c)) == NULL || (db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if ((user = data_user(c, db, "user")) != NULL && user_disabled(db, user))
		cli_fail(c, "%s is disabled: octavo user invite or octavo member add lets them in again", cli_option(c, "user"));
	else if (user != NULL)
		rc = print_link(c, db, set, user, "reset");
	db_close(db);
	return rc;
}

const struct cli_command commands_sign_in[] = {
	{ .name = "user invite", .needs_dir = true, .run = run_invite,
	  .summary = "Print a link with which a person chooses a password and signs in",
	  .options = (const struct cli_option[]){
		{ .name = "email", .arg = "EMAIL", .help = "of the person; an account is made where there is none", .required = true },
		{ .name = "name", .arg = "NAME", .help = "of a new account; default: what stands before the @" },
		{ .name = "org", .arg = "ORG", .help = "make the person a member of this organization: title or id" },
		PEOPLE_ROLE_OPTION, { 0 } },
	  .details = "The link works once, within seven days; a newer one replaces it. It is mailed as well where "
	    "OCTAVO_SENDMAIL names a program that sends mail.",
	  .examples = "octavo user invite --email bob@example.com --name Bob --org Acme --role edit" },
	{ .name = "user reset", .needs_dir = true, .run = run_reset,
	  .summary = "Print a link with which a user chooses a new password",
	  .options = (const struct cli_option[]){ USER_OPTION, { 0 } },
	  .details = "The link works once, within two hours. The old password works until then; sessions end when the new one is set.",
	  .examples = "octavo user reset --user bob@example.com" },
	{ 0 } };
