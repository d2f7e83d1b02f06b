/*
 * octavo git bind, list, run, unbind: manages spaces that are synchronized with a branch, for the
 * admin and for cron. Same functions as PUT, GET, POST and DELETE .../git/binding of the API; in
 * addition, any address and local paths are allowed, as for octavo import.
 */
#include <stdlib.h>
#include <string.h>

#include "app/audit.h"
#include "app/git_binding.h"
#include "base/json.h"
#include "base/secret.h"
#include "cmd_content.h"
#include "git/credentials.h"

SQL(q_space, "SELECT org FROM space WHERE id = :space AND deleted_at IS NULL");
/* A space has at most one binding. */
SQL(q_bound, "SELECT id, hook, url FROM git_binding WHERE space = :space");
SQL(q_list,
    "SELECT b.space, b.url, b.ref, b.state, b.checked_at, b.reason FROM git_binding b JOIN space s ON s.id = b.space "
    "WHERE s.deleted_at IS NULL AND (CAST(:org AS TEXT) IS NULL OR s.org = :org) ORDER BY s.org, b.created_at, b.space /*scan*/");

/* Returns the organization of a space; NULL after printing an error. */
static const char *
org_of(struct cli *c, struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_space);

	bind_text(q, ":space", space);
	if (stmt_step(q))
		return col_dup(q, 0, c->arena);
	cli_fail(c, "there is no space %s; octavo space list shows them", space);
	return NULL;
}

/* url contains no credentials: repository_option() has removed them. */
static void
record_binding(struct cli *c, struct db *db, enum audit_action action, const char *org, const char *space, const char *url)
{
	struct audit_event e = { .action = action, .source = "script", .org = org, .type = "space", .target = space };
	struct json j;
	struct buf b;

	if (url != NULL) {
		buf_init(&b, c->arena, 64 << 10);
		json_init(&j, &b);
		json_obj(&j);
		json_kstr(&j, "url", url);
		json_end(&j);
		e.after = b.p;
	}
	audit_add(db, c->arena, &e);
}

/* ---- runs ---- */

/* Waits for the run. A failed run is retried by its schedule in any case. */
static int
follow_run(struct cli *c, struct db *db, const char *space, const char *job)
{
	struct job_state s = job_follow(c, db, job);

	if (strcmp(s.state, "done") != 0)
		return cli_fail(c, "the run ended as \"%s\": %s", s.state, s.error != NULL ? s.error : "no reason was given");
	job_report(c, db, job, &s, "space", space);
	return CLI_OK;
}

/* Prints an error if the space is not bound to a repository. */
static bool
is_bound(struct cli *c, struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_bound);

	bind_text(q, ":space", space);
	if (stmt_step(q))
		return true;
	cli_fail(c, "the space %s is bound to no repository; octavo git list shows those that are", space);
	return false;
}

static int
run_run(struct cli *c)
{
	const char *space = cli_option(c, "space"), *job = NULL;
	struct db *db = data_open(c, DB_READ_WRITE);
	int rc = CLI_FAILED;

	if (db == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	if (org_of(c, db, space) != NULL && is_bound(c, db, space))
		job = git_binding_queue_run(db, c->arena, space, NULL);
	db_commit(db);
	if (job != NULL)
		rc = follow_run(c, db, space, job);
	db_close(db);
	return rc;
}

/* ---- bind ---- */

/* Reads the options; false after printing an error. */
static bool
read_binding(struct cli *c, struct git_binding *b, struct repository *from)
{
	static const char *const providers[] = { "github", "gitlab", "gitea", "plain" };
	const char *minutes = cli_option(c, "minutes"), *rest = "";
	/* On overflow strtoll() returns the largest number, which is above the limit too. */
	int64_t n = minutes == NULL ? GIT_MINUTES : strtoll(minutes, (char **)&rest, 10);
	bool ok = *rest == '\0' && n >= 1 && n <= GIT_MINUTES_MOST;
	size_t i;

	*b = (struct git_binding){ .space = cli_option(c, "space"), .dir = cli_option(c, "project-dir"),
		.provider = cli_option(c, "provider"), .message = cli_option(c, "message"), .local = true, .every = ok ? n * 60000 : 0 };
	if (!repository_option(c, from))
		return false;
	if (strncmp(from->ref, "refs/heads/", 11) != 0)
		from->ref = arena_printf(c->arena, "refs/heads/%s", from->ref);
	b->url = from->url;
	b->ref = from->ref;
	b->dir = b->dir != NULL ? b->dir : "";
	b->message = b->message != NULL ? b->message : GIT_MESSAGE;
	b->provider = b->provider != NULL ? b->provider : "plain";
	for (i = 0; i < 4 && strcmp(providers[i], b->provider) != 0; i++)
		;
	if (i == 4)
		cli_usage(c, "--provider is github, gitlab, gitea or plain");
	else if (!ok)
		cli_usage(c, "--minutes takes 1 to %d", GIT_MINUTES_MOST);
	return i < 4 && ok;
}

/*
 * Returns the webhook's sealed secret: the stored one, or a new one. *shown is the plain text of a
 * new secret, to be printed once, else NULL.
 */
static struct str
hook_secret(struct cli *c, struct db *db, const char *space, const char **shown)
{
	struct stmt *q = db_use(db, &q_bound);

	*shown = NULL;
	bind_text(q, ":space", space);
	if (stmt_step(q) && !cli_flag(c, "renew-secret"))
		return (struct str){ arena_strndup(c->arena, col_bytes(q, 1).p, col_bytes(q, 1).n), col_bytes(q, 1).n };
	*shown = secret_token(c->arena);
	return credentials_seal(c->arena, NULL, *shown);
}

/* Prints the webhook's settings to enter at the repository's host. */
static void
print_hook(struct cli *c, struct db *db, const char *space, const char *secret)
{
	struct stmt *q = db_use(db, &q_bound);

	bind_text(q, ":space", space);
	if (stmt_step(q))
		data_print(c, (const char *const[][2]){ { "hook", arena_printf(c->arena, "/v1/git/hooks/%s", col_text(q, 0)) },
		    { "secret", secret != NULL ? secret : "as before" } }, 2);
	/* Ends the read transaction that the query began. */
	db_rollback(db);
}

/* Stores the binding; false after printing an error. */
static bool
bind_space(struct cli *c, struct db *db, struct git_binding *b, const struct repository *from, const char **secret)
{
	const char *org = org_of(c, db, b->space);

	if (org == NULL)
		return false;
	/* Revisions need an author: the binding acts as an admin. */
	if ((b->user = content_author(c, db, org)) == NULL) {
		cli_fail(c, "the organization %s has no admin to bind its spaces; octavo member add makes one", org);
		return false;
	}
	if (from->user != NULL || from->password != NULL)
		b->secret = credentials_seal(c->arena, from->user, from->password);
	b->hook = hook_secret(c, db, b->space, secret);
	git_binding_put(db, c->arena, b);
	record_binding(c, db, AUDIT_SPACE_BIND, org, b->space, b->url);
	return true;
}

/* Stores binding and audit record in one transaction. */
static int
run_bind(struct cli *c)
{
	struct repository from;
	struct git_binding b;
	const char *secret = NULL;
	struct db *db;
	bool ok;

	if (!read_binding(c, &b, &from))
		return CLI_USAGE;
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	ok = bind_space(c, db, &b, &from, &secret);
	if (ok)
		db_commit(db);
	else
		db_rollback(db);
	if (ok)
		print_hook(c, db, b.space, secret);
	db_close(db);
	return ok ? CLI_OK : CLI_FAILED;
}

/* ---- list, unbind ---- */

static int
run_list(struct cli *c)
{
	static const char *const names[] = { "space", "repository", "branch", "state", "checkedAt", "reason" };
	struct cli_table *t = cli_table_new(c, names, 6);
	struct db *db = data_open(c, DB_READ_WRITE);
	const char *key = cli_option(c, "org"), *org;
	char when[25] = "";
	struct stmt *q;

	if (db == NULL)
		return CLI_FAILED;
	org = key == NULL ? NULL : data_org(c, db, key);
	if (key != NULL && org == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	q = db_use(db, &q_list);
	bind_text(q, ":org", org);
	while (stmt_step(q)) {
		if (!col_null(q, 4))
			time_format(col_int(q, 4), when);
		cli_table_row(t, (const char *const[]){ col_dup(q, 0, c->arena), col_dup(q, 1, c->arena), col_dup(q, 2, c->arena),
		    col_dup(q, 3, c->arena), col_null(q, 4) ? NULL : arena_strdup(c->arena, when), col_dup(q, 5, c->arena) });
	}
	db_close(db);
	cli_table_print(t);
	return CLI_OK;
}

static int
run_unbind(struct cli *c)
{
	const char *space = cli_option(c, "space"), *org;
	struct db *db = data_open(c, DB_READ_WRITE);
	bool ok;

	if (db == NULL)
		return CLI_FAILED;
	db_begin(db, true);
	org = org_of(c, db, space);
	ok = org != NULL && is_bound(c, db, space) && git_binding_drop(db, c->arena, space);
	if (ok)
		record_binding(c, db, AUDIT_SPACE_UNBIND, org, space, NULL);
	db_commit(db);
	db_close(db);
	return !ok ? CLI_FAILED : data_print(c, (const char *const[][2]){ { "unbound", space } }, 1);
}

#define SPACE { .name = "space", .arg = "ID", .help = "id of the space", .required = true }

const struct cli_command commands_git[] = {
	{ .name = "git bind", .needs_dir = true, .run = run_bind,
	  .summary = "Keep a space and a branch of a repository in step",
	  .details = "What is pushed to the branch is merged into the space, and each change request that is merged\n"
	    "here becomes a commit there. Prints the path of the hook that the repository's host may call after\n"
	    "a push, below the address of this service, and its secret, once. The first run comes within the\n"
	    "minutes, or with octavo git run. A space that is bound already is bound anew.",
	  .options = (const struct cli_option[]){
		SPACE,
		{ .name = "url", .arg = "URL", .help = "https, http, ssh, git, file, or a path", .required = true },
		{ .name = "ref", .arg = "R", .help = "branch or refs/heads/…", .required = true },
		{ .name = "project-dir", .arg = "D", .help = "directory of the space in the repository" },
		{ .name = "provider", .arg = "P", .help = "who calls the hook: github, gitlab, gitea, plain (default)",
		  .values = "github gitlab gitea plain" },
		{ .name = "minutes", .arg = "N", .help = "between two looks at the repository (default: 15)" },
		{ .name = "message", .arg = "T", .help = "template of commit messages" },
		{ .name = "renew-secret", .help = "make a new secret for the hook" },
		{ 0 } },
	  .examples = "octavo git bind --dir DIR --space ID --url https://me:TOKEN@git.example.com/docs.git --ref main" },
	{ .name = "git list", .needs_dir = true, .run = run_list,
	  .summary = "List the spaces that are bound to a branch, and what is in the way",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "id or title of an organization (default: all)" },
		{ 0 } } },
	{ .name = "git run", .needs_dir = true, .run = run_run,
	  .summary = "Bring a bound space and its branch together now, and wait for it",
	  .options = (const struct cli_option[]){ SPACE, { 0 } } },
	{ .name = "git unbind", .needs_dir = true, .run = run_unbind,
	  .summary = "End the binding of a space; its content stays",
	  .options = (const struct cli_option[]){ SPACE, { 0 } } },
	{ 0 }
};
