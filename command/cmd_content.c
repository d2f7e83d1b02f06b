/*
 * octavo import, pdf, jobs: import, export, and following jobs.
 *
 * An import is an ordinary job (include/app/queue.h): this command queues the job, follows it and
 * prints its result. If no runner is active, it starts octavo-jobs --once, so that an import needs
 * no running service.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "git/credentials.h"
#include "app/audit.h"
#include "cmd_content.h"
#include "git/git.h"
#include "command/leave.h"
#include "sync/import.h"
#include "base/json.h"
#include "app/people.h"
#include "command/service.h"
#include "store/space.h"
#include "base/utf8.h"

SQL(q_space_org, "SELECT org FROM space WHERE id = :space AND deleted_at IS NULL");
SQL(q_only_org, "SELECT min(id) FROM org HAVING count(*) = 1");
SQL(q_any_admin,
    "SELECT account FROM member WHERE org = :org AND role = " SQL_ROLE_ADMIN " AND disabled = 0 ORDER BY joined_at LIMIT 1");
SQL(q_watch,
    "SELECT state, stage, done, total, error, result, run_at, attempts FROM job WHERE id = :id");
SQL(q_drop_space, "UPDATE space SET deleted_at = :now, deleted_by = :user WHERE id = :id");
SQL(q_warnings, "SELECT file, line, message FROM job_warning WHERE job = :id ORDER BY n");
SQL(q_jobs,
    "SELECT id, kind, space, state, created_at, ended_at, error FROM job "
    "ORDER BY created_at DESC, id DESC LIMIT 100 /*scan*/");
SQL(q_waiting, "SELECT count(*) FROM job WHERE state IN ('queued', 'running')");
SQL(q_due, "SELECT count(*) FROM job WHERE state IN ('queued', 'running') AND run_at <= :now");
SQL(q_cancel, "UPDATE job SET cancel = 1 WHERE id = :id AND state IN ('queued', 'running')");
SQL(q_cancel_queued,
    "UPDATE job SET state = 'cancelled', error = 'cancelled', ended_at = :now, secret = NULL "
    "WHERE id = :id AND state = 'queued'");

static void
pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* ---- starting a runner ---- */

static bool
runner_at_work(struct cli *c)
{
	int fd = open(arena_printf(c->arena, "%s/run/jobs.lock", c->dir), O_RDWR | O_CLOEXEC);
	bool busy;

	if (fd < 0)
		return false;
	busy = flock(fd, LOCK_EX | LOCK_NB) != 0;
	close(fd);
	return busy;
}

/*
 * The runner's lock prevents a second one that started at the same moment from working beside it.
 */
static pid_t
start_runner(struct cli *c)
{
	const char *path = service_program(c->arena, "octavo-jobs");
	pid_t pid;

	if (path == NULL) {
		cli_fail(c, "%s; the job waits for a runner", service_missing(c->arena, "octavo-jobs"));
		exit(CLI_FAILED);
	}
	pid = fork();
	if (pid == 0) {
		/*
		 * A process group of its own keeps Ctrl-C from the runner: this command cancels the
		 * job cleanly.
		 */
		setpgid(0, 0);
		setenv("OCTAVO_DIR", c->dir, 1);
		execl(path, path, "--once", (char *)NULL);
		_exit(127);
	}
	return pid;
}

/* ---- import ---- */

struct request {
	struct repository from;
	const char *path;            /* folder or archive to import instead of a repository; NULL: none */
	const char *kind;            /* --from: program that wrote it; NULL: to be detected */
	const char *org, *space, *title, *dir;
	const char *author;
	bool        force;
};

static const char *
user_name(struct cli *c)
{
	const struct passwd *u = getpwuid(geteuid());

	return u != NULL ? arena_strdup(c->arena, u->pw_name) : arena_printf(c->arena, "%d", (int)geteuid());
}

/*
 * Makes a local path absolute, since the runner works in another folder. NULL after printing an
 * error. Text with a colon may be host:path and is left alone.
 */
static const char *
absolute_url(struct cli *c, const char *url)
{
	char real[PATH_MAX];

	if (strstr(url, "://") != NULL)
		return url;
	if (realpath(url, real) != NULL)
		return arena_strdup(c->arena, real);
	if (errno == EACCES) {
		cli_usage(c, "--url: the user of the data (%s) may not look into %s; the import runs as that user",
		    user_name(c), url);
		return NULL;
	}
	if (strchr(url, ':') != NULL)
		return url;
	cli_usage(c, "--url: there is nothing at %s on this machine; addresses begin with https://, http://, ssh:// or git://",
	    url);
	return NULL;
}

bool
repository_option(struct cli *c, struct repository *out)
{
	const char *url = absolute_url(c, cli_option(c, "url")), *why;

	if (url == NULL)
		return false;
	*out = (struct repository){ .ref = cli_option(c, "ref") };
	if (!git_split_url(c->arena, url, &out->url, &out->user, &out->password) ||
	    (why = git_refuse_url(c->arena, out->url, "", true)) != NULL) {
		why = git_refuse_url(c->arena, url, "", true);
		cli_usage(c, "--url: %s", why != NULL ? why : "not an address of a git repository");
		return false;
	}
	if (out->ref != NULL && (why = git_refuse_ref(out->ref)) != NULL) {
		cli_usage(c, "--ref: %s", why);
		return false;
	}
	return true;
}

/* The absolute path of FROM: the runner works in another folder. */
static bool
source_path(struct cli *c, struct request *r)
{
	char real[PATH_MAX];

	if (cli_option(c, "ref") != NULL || r->dir != NULL) {
		cli_usage(c, "--ref and --project-dir belong to --url");
		return false;
	}
	if (realpath(c->argv[0], real) == NULL || access(real, R_OK) != 0) {
		const char *why = strerror(errno);
		cli_usage(c, "%s: %s (the import runs as %s)", c->argv[0], why, user_name(c));
		return false;
	}
	r->path = arena_strdup(c->arena, real);
	return true;
}

static bool
read_request(struct cli *c, struct request *r)
{
	*r = (struct request){ .org = cli_option(c, "org"), .space = cli_option(c, "space"),
		.title = cli_option(c, "title"), .dir = cli_option(c, "project-dir"), .force = cli_flag(c, "force"),
		.kind = cli_option(c, "from") };
	if (r->kind != NULL && cli_option(c, "url") != NULL) {
		cli_usage(c, "--from belongs to FROM: --url is a git repository in the git-sync layout");
		return false;
	}
	if (c->argc > 1 || (c->argc == 1) == (cli_option(c, "url") != NULL)) {
		cli_usage(c, "takes either FROM (a folder or an archive) or --url (a git repository)");
		return false;
	}
	/* A source that is no repository may know its title: the import gives it to a space without one. */
	if (c->argc == 1 && r->space == NULL && r->title == NULL)
		r->title = "";
	else if ((r->space == NULL) == (r->title == NULL)) {
		cli_usage(c, "takes either --space (an existing one) or --title (a new one)");
		return false;
	}
	if (r->title != NULL && (!utf8_valid(str_of(r->title)) || (*r->title == '\0' && cli_option(c, "title") != NULL) ||
	    utf8_count(str_of(r->title)) > SPACE_TITLE_MAX)) {
		cli_usage(c, "--title takes 1 to %d characters of UTF-8", SPACE_TITLE_MAX);
		return false;
	}
	return c->argc == 1 ? source_path(c, r) : repository_option(c, &r->from);
}

/* Returns an admin of the organization as the author of revisions; NULL: it has none. */
const char *
content_author(struct cli *c, struct db *db, const char *org)
{
	struct stmt *q = db_use(db, &q_any_admin);

	bind_text(q, ":org", org);
	return stmt_step(q) ? col_dup(q, 0, c->arena) : NULL;
}

/* The organization where --org is missing: that of the space, or the only one. NULL after printing an error. */
static char *
only_org(struct cli *c, struct db *db, const char *space)
{
	struct stmt *q;
	char *id;

	if (space != NULL) {
		q = db_use(db, &q_space_org);
		bind_text(q, ":space", space);
		if ((id = stmt_dup(q, c->arena)) == NULL)
			cli_fail(c, "there is no space %s; octavo space list shows them", space);
		return id;
	}
	if ((id = stmt_dup(db_use(db, &q_only_org), c->arena)) == NULL)
		cli_fail(c, "--org ORG is missing: there are several organizations; octavo org list shows them");
	return id;
}

/* Finds or creates the target space; false after printing an error. */
static bool
target_space(struct cli *c, struct db *db, struct request *r)
{
	struct stmt *q;
	int64_t branch;

	if ((r->org = r->org != NULL ? data_org(c, db, r->org) : only_org(c, db, r->space)) == NULL)
		return false;
	r->author = content_author(c, db, r->org);
	if (r->title != NULL) {
		struct space_new n = { .org = r->org, .title = r->title, .author = r->author };
		r->space = space_make(db, c->arena, &n, &branch);
		return true;
	}
	q = db_use(db, &q_space_org);
	bind_text(q, ":space", r->space);
	if (!stmt_step(q) || strcmp(col_text(q, 0), r->org) != 0) {
		cli_fail(c, "there is no space %s in the organization %s", r->space, r->org);
		return false;
	}
	return true;
}

/*
 * "local" marks a job that an admin queued on the command line: only such a job may read local
 * paths.
 */
static char *
job_args(struct cli *c, const struct request *r)
{
	struct json j;
	struct buf b;

	buf_init(&b, c->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	if (r->path != NULL) {
		json_kstr(&j, "path", r->path);
		json_kstr(&j, "name", strrchr(r->path, '/') + 1);
		if (r->kind != NULL)
			json_kstr(&j, "kind", r->kind);
	} else {
		json_kstr(&j, "url", r->from.url);
	}
	if (r->from.ref != NULL)
		json_kstr(&j, "ref", r->from.ref);
	if (r->dir != NULL)
		json_kstr(&j, "repoProjectDirectory", r->dir);
	json_kbool(&j, "force", r->force);
	json_kbool(&j, "local", true);
	json_end(&j);
	return b.p;
}

static void
record_change(struct cli *c, struct db *db, enum audit_action action, const struct request *r, const char *after)
{
	audit_add(db, c->arena, &(struct audit_event){ .action = action, .source = "script", .org = r->org,
	    .type = "space", .target = r->space, .after = after });
}

/* Creates space, audit record and job in one transaction: an interrupted command leaves nothing. */
static char *
queue_import(struct cli *c, struct db *db, struct request *r)
{
	struct job job = { .kind = r->path != NULL ? "arrive" : "import" };
	char *id;

	db_begin(db, true);
	if (!target_space(c, db, r)) {
		db_rollback(db);
		return NULL;
	}
	job.space = job.queue = r->space;
	job.user = r->author;
	job.args = job_args(c, r);
	if (r->title != NULL)
		record_change(c, db, AUDIT_SPACE_CREATE, r, NULL);
	record_change(c, db, AUDIT_SPACE_IMPORT, r, job.args);
	if (r->from.user != NULL || r->from.password != NULL)
		/* Credentials are kept out of args: the API and `octavo jobs` show args. */
		job.secret = credentials_seal(c->arena, r->from.user, r->from.password);
	id = job_add(db, c->arena, &job, 0);
	db_commit(db);
	return id;
}

/* Ends the transaction, so that the next read sees newer commits. */
static struct job_state
read_job(struct cli *c, struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_watch);
	struct job_state s = { .state = "gone", .stage = "" };

	bind_text(q, ":id", id);
	if (stmt_step(q))
		s = (struct job_state){ col_dup(q, 0, c->arena), col_dup(q, 1, c->arena),
			col_dup(q, 4, c->arena), col_dup(q, 5, c->arena), col_int(q, 2), col_int(q, 3),
			col_int(q, 6), col_int(q, 7) };
	db_rollback(db);
	return s;
}

/* An unknown state counts as ended: waiting for it could take forever. */
static bool
open_state(const char *state)
{
	return strcmp(state, "queued") == 0 || strcmp(state, "running") == 0;
}

static volatile sig_atomic_t stopped;      /* 1: Ctrl-C was pressed, 2: the job was cancelled */

/*
 * Only sets the flag: job_follow() cancels the job, since a signal handler must not use the
 * database.
 */
static void
on_stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/* RUNNERS_FAILED: give up after so many failed runners in a row. */
enum { RUNNERS_FAILED = 3 };

/*
 * Starts a runner while a job is due and no other runner is active, and reaps the previous one. If
 * each one started fails, the command ends and the jobs stay queued.
 */
static void
keep_runner(struct cli *c, pid_t *child, bool due, int *failed)
{
	int status;

	if (*child > 0 && waitpid(*child, &status, WNOHANG) == *child) {
		*child = -1;
		*failed = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : *failed + 1;
	}
	if (*failed >= RUNNERS_FAILED) {
		cli_progress_end();
		cli_fail(c, "octavo-jobs failed %d times in a row; its messages are above. The jobs stay queued "
		    "(octavo jobs --dir %s)", *failed, cli_quoted(c->arena, c->dir));
		exit(CLI_FAILED);
	}
	if (*child < 0 && due && !runner_at_work(c) && (*child = start_runner(c)) < 0) {
		cli_progress_end();
		cli_fail(c, "octavo-jobs cannot be started: %s. The jobs stay queued (octavo jobs --dir %s)", strerror(errno),
		    cli_quoted(c->arena, c->dir));
		exit(CLI_FAILED);
	}
}

/* Cancels a queued or running job; false if there is none with that id. */
static bool
cancel_job(struct db *db, const char *id)
{
	struct stmt *q;
	int64_t n;

	db_begin(db, true);
	q = db_use(db, &q_cancel);
	bind_text(q, ":id", id);
	n = stmt_run(q);
	q = db_use(db, &q_cancel_queued);
	bind_text(q, ":id", id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	db_commit(db);
	return n == 1;
}

struct job_state
job_follow(struct cli *c, struct db *db, const char *id)
{
	struct sigaction sa = { .sa_handler = on_stop };
	int64_t told = 0, now;
	pid_t child = -1;
	int failed = 0;
	struct job_state s;

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	for (;;) {
		s = read_job(c, db, id);
		if (!open_state(s.state))
			break;
		now = time_now();
		/*
		 * Cancel only once: a second Ctrl-C has no effect, since the job shuts down
		 * cleanly.
		 */
		if (stopped == 1) {
			cancel_job(db, id);
			stopped = 2;
		}
		if (s.run_at > now && s.error != NULL && s.attempts != told) {
			told = s.attempts;
			cli_say(c, "%s; the next try is in %lld s, Ctrl-C gives up", s.error, (long long)(s.run_at - now + 999) / 1000);
		}
		/* Repeated at each poll: an active runner may have ended since. */
		keep_runner(c, &child, s.run_at <= now, &failed);
		cli_progress(*s.stage != '\0' ? s.stage : "waiting", s.done, s.total);
		/* Short enough that small imports return quickly. */
		pause_ms(10);
	}
	cli_progress_end();
	if (child > 0)
		waitpid(child, NULL, 0);
	return s;
}

/* Prints the warnings in the order in which the job reported them. */
static void
json_warnings(struct cli *c, struct db *db, const char *id)
{
	struct json *j = cli_json(c);
	struct stmt *q = db_use(db, &q_warnings);

	bind_text(q, ":id", id);
	json_karr(j, "warnings");
	while (stmt_step(q)) {
		json_obj(j);
		json_kstr(j, "file", col_text(q, 0));
		json_kint(j, "line", col_int(q, 1));
		json_kstr(j, "message", col_text(q, 2));
		json_end(j);
	}
	json_end(j);
}

static void
print_warnings(struct db *db, const char *id)
{
	struct stmt *q = db_use(db, &q_warnings);

	bind_text(q, ":id", id);
	while (stmt_step(q)) {
		printf("warning: %s", col_text(q, 0));
		if (col_int(q, 1) > 0)
			printf(":%lld", (long long)col_int(q, 1));
		printf(": %s\n", col_text(q, 2));
	}
}

/* Prints the members of the job's result, a JSON object without nested values, as "name  value" lines. */
static void
print_result(const char *result)
{
	const char *p = result, *end;

	while ((p = strchr(p, '"')) != NULL) {
		end = strchr(p + 1, '"');
		printf("%-17.*s", (int)(end - p - 1), p + 1);
		p = end + 2;
		end = p + strcspn(p, ",}");
		if (*p == '"')
			printf("%.*s\n", (int)(end - p - 2), p + 1);
		else
			printf("%.*s\n", (int)(end - p), p);
		p = end;
	}
}

void
job_report(struct cli *c, struct db *db, const char *id, const struct job_state *s, const char *name,
    const char *value)
{
	struct json *j;

	if (!c->json) {
		print_warnings(db, id);
		print_result(s->result);
		return;
	}
	j = cli_json(c);
	json_obj(j);
	json_kstr(j, name, value);
	json_key(j, "result");
	json_raw(j, str_of(s->result));
	json_warnings(c, db, id);
	json_end(j);
	cli_json_print(c);
}

/* Moves the empty space that was created for a failed import to the trash. */
static void
drop_space(struct cli *c, struct db *db, const struct request *r)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_drop_space);
	bind_int(q, ":now", time_now());
	bind_text(q, ":user", r->author);
	bind_text(q, ":id", r->space);
	stmt_run(q);
	record_change(c, db, AUDIT_SPACE_DELETE, r, NULL);
	db_commit(db);
}

/*
 * After a failure the new space is moved to the trash, so that a second attempt does not create
 * two.
 */
static int
report_import(struct cli *c, struct db *db, const char *id, const struct request *r,
    const struct job_state *s)
{
	if (strcmp(s->state, "done") != 0) {
		if (r->title != NULL)
			drop_space(c, db, r);
		return cli_fail(c, "the import ended as \"%s\": %s%s", s->state,
		    s->error != NULL ? s->error : "no reason was given",
		    r->title != NULL ? "; the new space was moved to the trash" : "");
	}
	job_report(c, db, id, s, "job", id);
	return CLI_OK;
}

static int
run_import(struct cli *c)
{
	struct request r;
	struct db *db;
	struct job_state s;
	char *id;
	int rc;

	/*
	 * leave_import() reads an export of Octavo with the rights of the caller, who may have written it;
	 * everything else is read with the rights of the data's owner.
	 */
	if (c->argc == 1 && leave_is_export(c->arena, c->argv[0]))
		return cli_flag(c, "beside") ? leave_import_beside(c, c->argv[0]) : leave_import(c, c->argv[0]);
	if (!cli_become_owner(c))
		return CLI_FAILED;
	if (!read_request(c, &r))
		return CLI_USAGE;
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	if ((id = queue_import(c, db, &r)) == NULL) {
		db_close(db);
		return CLI_FAILED;
	}
	s = job_follow(c, db, id);
	rc = report_import(c, db, id, &r, &s);
	db_close(db);
	return rc;
}

/* ---- jobs ---- */

static const char *
time_text(struct cli *c, struct stmt *q, int i)
{
	char text[25];

	if (col_null(q, i))
		return NULL;
	time_format(col_int(q, i), text);
	return arena_strdup(c->arena, text);
}

/* Starts a runner only while a job is due: jobs scheduled for later do not need one yet. */
static void
wait_for_all(struct cli *c, struct db *db)
{
	pid_t child = -1;
	int failed = 0;
	struct stmt *due;
	int64_t left;

	while ((left = stmt_int(db_use(db, &q_waiting), 0)) > 0) {
		due = db_use(db, &q_due);
		bind_int(due, ":now", time_now());
		keep_runner(c, &child, stmt_int(due, 0) > 0, &failed);
		cli_progress("jobs left", left, 0);
		pause_ms(100);
	}
	cli_progress_end();
	if (child > 0)
		waitpid(child, NULL, 0);
}

static int
run_jobs(struct cli *c)
{
	static const char *const columns[] = { "id", "kind", "space", "state", "createdAt", "endedAt",
		"error" };
	const char *stop = cli_option(c, "cancel");
	struct db *db = data_open(c, DB_READ_WRITE);
	struct cli_table *t;
	struct stmt *q;

	if (db == NULL)
		return CLI_FAILED;
	if (stop != NULL && !cancel_job(db, stop)) {
		db_close(db);
		return cli_fail(c, "no job %s is queued or running", stop);
	}
	if (cli_flag(c, "wait"))
		wait_for_all(c, db);
	t = cli_table_new(c, columns, 7);
	q = db_use(db, &q_jobs);
	while (stmt_step(q))
		cli_table_row(t, (const char *const[]){ col_dup(q, 0, c->arena),
		    col_dup(q, 1, c->arena), col_dup(q, 2, c->arena), col_dup(q, 3, c->arena),
		    time_text(c, q, 4), time_text(c, q, 5), col_dup(q, 6, c->arena) });
	cli_table_print(t);
	db_close(db);
	return CLI_OK;
}

const struct cli_command commands_content[] = {
	{ .name = "import", .needs_dir = true, .stays_root = true, .run = run_import, .operands = "[FROM]",
	  .summary = "Import a folder, an archive or a git repository into a space; or an export of Octavo into an empty DIR",
	  .details = "FROM is a folder or a zip or tar archive of another program's documentation (MkDocs, Docusaurus, Notion "
	    "and others); without --title or --space a new space takes the title of the source. --url is a "
	    "git repository in the git-sync layout. Prints every warning with its file and line, then the counts. The address may be a "
	    "path of this machine. Credentials in it are sealed and never shown. A second import of "
	    "the same commit makes no new revision.\n\n"
	    "FROM may also be what octavo export wrote: then DIR, which must hold no data, gets the same installation, and "
	    "with the passphrase its secrets. With --beside, its organizations are added to the data in DIR, without secrets.",
	  .options = (const struct cli_option[]){
		{ .name = "org", .arg = "ORG", .help = "id or title of the organization; default: that of the space, or the only one" },
		{ .name = "space", .arg = "ID", .help = "into this space" },
		{ .name = "title", .arg = "T", .help = "into a new space of this title" },
		{ .name = "from", .arg = "KIND", .help = "what FROM is, where it is not recognised: mkdocs, markdown, ..." },
		{ .name = "url", .arg = "URL", .help = "https, http, ssh, git, file, or a path" },
		{ .name = "beside", .help = "add the organizations of an export to the data in DIR" },
		{ .name = "match-users", .help = "with --beside: its users are users here with the same verified address" },
		{ .name = "new-ids", .help = "with --beside: give all things new ids, also where the old ones were never used here" },
		{ .name = "ids", .arg = "FILE", .help = "with --beside: new file for old and new ids; default: octavo-ids.tsv" },
		{ .name = "passphrase-file", .arg = "FILE", .help = "its first line opens the secrets of an export; -: standard input" },
		{ .name = "ref", .arg = "R", .help = "branch or refs/heads/…; default: the remote's own" },
		{ .name = "project-dir", .arg = "D", .help = "directory of the space in the repository" },
		{ .name = "force", .help = "write a revision even from a commit that is here already" },
		{ 0 } },
	  .examples = "octavo import --dir DIR ~/project-with-mkdocs\n"
	    "octavo import --dir DIR --org ID --title Manual --url https://example.com/docs.git\n"
	    "octavo import --dir DIR --org ID --space ID --url /srv/docs --ref main --project-dir guides" },
	{ .name = "pdf", .needs_dir = true, .stays_root = true, .run = cmd_pdf,
	  .summary = "Print a space, or pages of it, into a PDF file",
	  .details = "Prints the newest primary content, or that of a change request, and every warning: images "
	    "that are damaged, characters that no installed font has.",
	  .operands = "FILE",
	  .options = (const struct cli_option[]){
		{ .name = "space", .arg = "ID", .help = "what to print", .required = true },
		{ .name = "request", .arg = "ID", .help = "as this change request has it" },
		{ .name = "page", .arg = "ID", .help = "this page and those below it" },
		{ .name = "only", .help = "with --page: that page alone" },
		{ 0 } },
	  .examples = "octavo pdf --dir DIR --space ID handbook.pdf" },
	{ .name = "jobs", .needs_dir = true, .run = run_jobs,
	  .summary = "List the latest jobs; wait for them, or cancel one",
	  .options = (const struct cli_option[]){
		{ .name = "wait", .help = "until nothing is queued or running" },
		{ .name = "cancel", .arg = "ID", .help = "end this job" },
		{ 0 } } },
	{ 0 }
};
