/*
 * Git import and export: starts them, and reports their status. Tables git_sync, job. A request is
 * checked here, credentials are split from the address and sealed, and a job is queued. The job
 * runner does the work (sync/import.h, sync/git_jobs.h).
 */
#include <cjson/cJSON.h>
#include <strings.h>

#include "api/access.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/git_operations.h"
#include "api/space_shape.h"
#include "api/wake_runner.h"
#include "app/audit.h"
#include "app/git_binding.h"
#include "app/queue.h"
#include "base/secret.h"
#include "git/credentials.h"
#include "git/git.h"
#include "http/req.h"
#include "sync/import.h"

/* git/info and Space.gitSync return this object unchanged; the job does not use it. */
static const struct shape ImportInfo = { "UpdateSpaceGitInfo", (const struct field[]){
	{ "provider", T_ENUM, .set = "github,gitlab", .doc = "Where the repository is hosted" },
	{ "url", T_URI, .max = 2048, .doc = "Address of the repository for people: Space.gitSync.url",
	  .example = "https://git.example.com/acme/docs" },
	{ 0 } } };
/* Import needs url and ref; export also needs commitMessage (docs/design/sync.md, "Operations"). */
#define SOURCE_MEMBERS \
	{ "url", T_TEXT, F_REQ, .min = 1, .max = 4096, \
	  .doc = "Address of the repository, with or without credentials, which are never stored unencrypted", \
	  .example = "https://git.example.com/acme/docs.git" }, \
	{ "ref", T_TEXT, F_REQ, .min = 1, .max = 250, .doc = "refs/heads/BRANCH", \
	  .example = "refs/heads/main" }, \
	{ "repoCacheID", T_TEXT, .max = 250, .doc = "Ignored", .example = "docs" }, \
	{ "repoTreeURL", T_URI, .max = 2048, .doc = "Prefix of addresses of files in the repository", \
	  .example = "https://git.example.com/acme/docs/blob/main" }, \
	{ "repoCommitURL", T_URI, .max = 2048, .doc = "Prefix of addresses of commits", \
	  .example = "https://git.example.com/acme/docs/commit" }, \
	{ "repoProjectDirectory", T_TEXT, .max = 1024, \
	  .doc = "Folder of the repository that holds the content", .example = "docs" }, \
	{ "timestamp", T_TIME, \
	  .doc = "Time of the event: an operation older than the last one is skipped" }, \
	{ "force", T_BOOL, .doc = "true: never skips; an import makes a revision even if nothing changed. The branch is never " \
	  "rewritten" }, \
	{ "gitInfo", T_OBJECT, .of = &ImportInfo, .doc = "Description of the repository" }
const struct shape GitImport = { "ImportGitRepository", (const struct field[]){
	SOURCE_MEMBERS,
	{ "standalone", T_BOOL, .doc = "true: makes a revision without changing the primary content" },
	{ 0 } } };
const struct shape GitExport = { "ExportToGitRepository", (const struct field[]){
	SOURCE_MEMBERS,
	{ "commitMessage", T_TEXT, F_REQ, .min = 1, .max = 10000, .doc = "Message of the commit",
	  .example = "Describe the new installer" },
	{ "standalone", T_BOOL, .doc = "true: exports a copy; the space does not become linked to the repository" },
	{ 0 } } };
/* The members of `operation` (docs/design/sync.md, "Operations"). */
static const struct shape Operation = { "GitOperation", (const struct field[]){
	{ "direction", T_TEXT, F_REQ, .doc = "Direction: import, export, or both", .example = "import" },
	{ "state", T_ENUM, F_REQ, .set = "running,failure,success", .doc = "running: queued or running; failure: also a time-out" },
	{ "stage", T_TEXT, .doc = "Present stage of the work", .example = "fetching" },
	{ "dispatchedTasks", T_INT, F_REQ, .doc = "Number of parts of the stage", .example = "40" },
	{ "completedTasks", T_INT, F_REQ, .doc = "Number of parts that are done", .example = "12" },
	{ "startedAt", T_TIME, F_REQ, .doc = "When it began" },
	{ "updatedAt", T_TIME, F_REQ, .doc = "Time of the last report of progress, or of its end" },
	{ "completedAt", T_TIME, .doc = "When it ended" },
	{ "endedAt", T_TIME, .doc = "The same as completedAt" },
	{ "error", T_TEXT, .doc = "Why it failed", .example = "the repository has no branch main" },
	{ "skipped", T_BOOL, .doc = "true: there was nothing to do" },
	{ "reason", T_ENUM, .set = "unchanged,outdated",
	  .doc = "Why it was skipped: both sides are already equal, or an operation with a later `timestamp` ran before" },
	{ "commit", T_TEXT, .doc = "Commit that it imported or exported", .example = "9fceb02d0ae598e95dc970b74767f19372d61af8" },
	{ "changeRequest", T_TEXT, .doc = "Id of the change request with the changes that conflict",
	  .example = "aRequestOfTheManual22" },
	{ "revision", T_TEXT, .doc = "Id of the revision that it made", .example = EXAMPLE_REVISION },
	{ 0 } } };
const struct shape GitInfo = { "GitInfo", (const struct field[]){
	{ "repoName", T_TEXT, .doc = "Name of the repository", .example = "acme/docs" },
	GIT_INSTALLATION_FIELDS,
	{ "integration", T_TEXT, .doc = "Service that synchronizes it", .example = "git" },
	{ "url", T_TEXT, .doc = "Address of the repository",
	  .example = "https://git.example.com/acme/docs" },
	{ "updatedAt", T_TIME, .doc = "When it was last synchronized" },
	{ "operation", T_OBJECT, .of = &Operation, .doc = "The last operation" },
	{ 0 } } };

/* There is no row before the first import, export or run of a binding. */
SQL(q_info,
    "SELECT url AS git_url, tree_url AS git_tree_url, provider AS git_provider, "
    "info_url AS git_info_url, updated_at AS git_updated_at FROM git_sync WHERE space = :space");
/* Detaches finished jobs from the space, cancels queued ones, and asks a running one to stop. */
SQL(q_forget_jobs,
    "UPDATE job SET space = NULL, cancel = 1, secret = CASE WHEN state = 'running' THEN secret END, "
    "state = CASE WHEN state = 'queued' THEN 'cancelled' ELSE state END "
    "WHERE space = :space AND kind IN ('import', 'export', 'git')");
/*
 * Stores the commit and the revision with which the last synchronization ended, so that a later
 * binding to the same branch continues from there (sync/git_source.c): otherwise it would take
 * content that both sides have for new content.
 */
SQL(q_keep_source,
    "INSERT INTO git_source (space, url, ref, project_dir, branch, commit_oid, root, done_oid, done_seq, "
    "done_outside, pending_oid, pending_seq, pending_paths, waiting) SELECT space, url, ref, project_dir, branch, "
    "commit_oid, root, done_oid, done_seq, done_outside, pending_oid, pending_seq, pending_paths, waiting "
    "FROM git_sync WHERE space = :space "
    "ON CONFLICT (space, url, ref, project_dir) DO UPDATE SET branch = excluded.branch, commit_oid = excluded.commit_oid, "
    "root = excluded.root, done_oid = excluded.done_oid, done_seq = excluded.done_seq, done_outside = excluded.done_outside, "
    "pending_oid = excluded.pending_oid, pending_seq = excluded.pending_seq, pending_paths = excluded.pending_paths, "
    "waiting = excluded.waiting");
SQL(q_forget_sync, "DELETE FROM git_sync WHERE space = :space");
/* The newest job in any state; jobs of the same millisecond are ordered by id. */
SQL(q_operation,
    "SELECT kind, state, created_at, started_at, ended_at, error, result, stage, done, total, beat_at "
    "FROM job WHERE space = :space AND kind IN ('import', 'export', 'git') "
    "ORDER BY created_at DESC, id DESC LIMIT 1");

/* The job's arguments, without credentials. */
static char *
import_args(struct req *r, const char *clean)
{
	static const char *const same[] = { "ref", "repoTreeURL", "repoCommitURL",
		"repoProjectDirectory", "timestamp", "force", "standalone", "gitInfo", "commitMessage" };
	struct json j;
	struct buf b;
	size_t i;

	/*
	 * 1 MiB is enough: the shapes limit all texts, and escaping makes a character at most six
	 * bytes long.
	 */
	buf_init(&b, r->arena, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "url", clean);
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		/* The value may be JSON of any type: the job checks it with its own shape. */
		char *text = body_json(r, same[i]);
		/* Absent members are omitted, so that the job uses its defaults. */
		if (text == NULL)
			continue;
		json_key(&j, same[i]);
		json_raw(&j, str_of(text));
	}
	json_end(&j);
	return b.p;
}

/* True if the address contains a user or a password. */
static bool
holds_credentials(const char *url)
{
	const char *host = url == NULL ? NULL : strstr(url, "://");

	return host != NULL && memchr(host + 3, '@', strcspn(host + 3, "/?#")) != NULL;
}

/*
 * Refuses credentials in repoTreeURL and the like, which are stored and shown unchanged. 0 or
 * fail_field().
 */
static int
shown_urls_or_fail(struct req *r)
{
	static const char *const names[] = { "repoTreeURL", "repoCommitURL" };
	const cJSON *url = cJSON_GetObjectItemCaseSensitive(body_get(r, "gitInfo"), "url");
	size_t i;

	for (i = 0; i < 2; i++)
		if (holds_credentials(body_text(r, names[i])))
			return fail_field(r, arena_printf(r->arena, "/%s", names[i]),
			    "is shown to readers: leave the credentials out");
	if (cJSON_IsString(url) && holds_credentials(url->valuestring))
		return fail_field(r, "/gitInfo/url", "is shown to readers: leave the credentials out");
	return 0;
}

/* True if a segment of the path would leave the repository or enter .git. */
static bool
leaves_repository(const char *dir)
{
	size_t n;

	for (; dir != NULL && *dir != '\0'; dir += n + (dir[n] == '/')) {
		n = strcspn(dir, "/");
		if ((n == 2 && memcmp(dir, "..", 2) == 0) || (n == 4 && strncasecmp(dir, ".git", 4) == 0))
			return true;
	}
	return false;
}

/*
 * Checks the source of an import, an export or a binding, before anything is sealed or queued.
 * secret->n is 0 if the address contains no credentials.
 */
int
git_source_or_fail(struct req *r, const char **clean, struct str *secret)
{
	/* NULL if the address has none */
	const char *user, *password, *why;

	/* Split the address first, so that messages contain it without credentials. */
	if (!git_split_url(r->arena, body_text(r, "url"), clean, &user, &password))
		return fail_field(r, "/url", "is not an address of a git repository");
	/*
	 * Checks scheme and host, and for the scheme `file` the configured folder
	 * (docs/design/sync.md, "Addresses of repositories"). The runner checks again when it
	 * connects, since the name may resolve to another address by then (docs/design/security.md,
	 * "S9").
	 */
	why = git_refuse_url(r->arena, *clean, r->set->git_root[0] ? r->set->git_root : NULL,
	    r->set->git_private);
	if (why != NULL)
		return fail_field(r, "/url", "is refused: %s", why);
	/*
	 * The ref must be a branch, as in the published API: exports and bindings commit to it, and
	 * a tag cannot take commits.
	 */
	if (strncmp(body_text(r, "ref"), "refs/heads/", 11) != 0)
		return fail_field(r, "/ref", "must be the full name of a branch: refs/heads/BRANCH");
	why = git_refuse_ref(body_text(r, "ref"));
	if (why != NULL)
		return fail_field(r, "/ref", "is refused: %s", why);
	if (leaves_repository(body_text(r, "repoProjectDirectory")))
		return fail_field(r, "/repoProjectDirectory", "is refused: it must be a folder of the repository");
	if (shown_urls_or_fail(r) != 0)
		return -1;
	*secret = (struct str){ NULL, 0 };
	if (user != NULL || password != NULL)
		*secret = credentials_seal(r->arena, user, password);
	return 0;
}

/* Checks the body, seals the credentials and queues the job. */
static int
queue_git_job(struct req *r, const char *kind, enum audit_action action)
{
	struct job job = { .kind = kind, .space = r->space.id, .queue = r->space.id, .user = r->who.user };
	const char *clean;

	if (git_source_or_fail(r, &clean, &job.secret) != 0 || job_room_or_fail(r) != 0)
		return -1;
	job.args = import_args(r, clean);
	job_add(r->db, r->arena, &job, 0);
	audit(r, &(struct audit_event){ .action = action, .org = r->space.org, .type = "space",
	    .target = r->space.id, .after = job.args });
	/*
	 * The runner is woken after the answer, which is after COMMIT; before that it would not see
	 * the job.
	 */
	r->after = wake_runner;
	return reply_empty(r);
}

/* POST /spaces/{spaceId}/git/import */
HANDLER(importGitRepository)
{
	if (space_unlocked_or_fail(r) != 0)
		return -1;
	return queue_git_job(r, "import", AUDIT_SPACE_IMPORT);
}

/* POST /spaces/{spaceId}/git/export */
HANDLER(exportToGitRepository)
{
	return queue_git_job(r, "export", AUDIT_SPACE_EXPORT);
}

/*
 * DELETE /spaces/{spaceId}/git/legacy-installation: removes the space's git settings and
 * credentials, and stops a running job. The content stays.
 */
HANDLER(deleteLegacyGitInstallation)
{
	const struct sql *const all[] = { &q_forget_jobs, &q_keep_source, &q_forget_sync };
	struct stmt *q;
	size_t i;

	/*
	 * Delete the binding with its schedule: otherwise its next run would write a new row of
	 * git_sync.
	 */
	git_binding_drop(r->db, r->arena, r->space.id);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		q = db_use(r->db, all[i]);
		bind_text(q, ":space", r->space.id);
		stmt_run(q);
	}
	audit(r, &(struct audit_event){ .action = AUDIT_SPACE_GIT_REMOVE, .org = r->space.org, .type = "space",
	    .target = r->space.id });
	return reply_empty(r);
}

/*
 * Maps the states of a job (done, queued, running, failed, timeout, cancelled) to the three that
 * clients know (docs/design/sync.md, "Operations").
 */
static const char *
operation_state(const char *state)
{
	if (strcmp(state, "done") == 0)
		return "success";
	return strcmp(state, "queued") == 0 || strcmp(state, "running") == 0 ? "running" : "failure";
}

/* Writes a text member of a job's result, if the result has it. */
static void
write_result_member(struct json *j, const cJSON *result, const char *name, const char *as)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, name));

	if (text != NULL)
		json_kstr(j, as, text);
}

/*
 * Writes the last operation. Columns are read by number, as in q_operation. `result` is what the
 * job wrote when it ended; NULL before that.
 */
static void
write_operation(struct json *j, struct stmt *q)
{
	const cJSON *result = col_null(q, 6) ? NULL : cJSON_Parse(col_text(q, 6));

	json_kobj(j, "operation");
	/* A job of kind git is a run of a binding. */
	json_kstr(j, "direction", strcmp(col_text(q, 0), "git") == 0 ? "both" : col_text(q, 0));
	json_kstr(j, "state", operation_state(col_text(q, 1)));
	if (*col_text(q, 7) != '\0')
		json_kstr(j, "stage", col_text(q, 7));
	json_kint(j, "dispatchedTasks", col_int(q, 9));
	json_kint(j, "completedTasks", col_int(q, 8));
	json_key(j, "startedAt");
	/* startedAt is required, so for a job that has not started it is the time of queueing. */
	json_time(j, col_int(q, col_null(q, 3) ? 2 : 3));
	json_key(j, "updatedAt");
	/*
	 * updatedAt is the time when the job ended; else its last heartbeat; else the time of
	 * queueing.
	 */
	json_time(j, col_int(q, !col_null(q, 4) ? 4 : !col_null(q, 10) ? 10 : 2));
	if (!col_null(q, 4)) {
		json_key(j, "completedAt");
		json_time(j, col_int(q, 4));
		json_key(j, "endedAt");
		json_time(j, col_int(q, 4));
	}
	if (!col_null(q, 5))
		json_kstr(j, "error", col_text(q, 5));
	write_result_member(j, result, "revision", "revision");
	write_result_member(j, result, "commit", "commit");
	write_result_member(j, result, "changeRequest", "changeRequest");
	if (cJSON_GetObjectItemCaseSensitive(result, "skipped") != NULL)
		json_kbool(j, "skipped", true);
	write_result_member(j, result, "skipped", "reason");
	json_end(j);
}

/* GET /spaces/{spaceId}/git/info */
HANDLER(getSpaceGitInfo)
{
	struct stmt *info = db_use(r->db, &q_info), *last = db_use(r->db, &q_operation);
	/*
	 * git_sync_members() reads columns by the names that they have in the row of a Space;
	 * q_info uses these names.
	 */
	struct row w = { r, info, NULL };
	bool synced, worked;

	bind_text(info, ":space", r->space.id);
	bind_text(last, ":space", r->space.id);
	synced = stmt_step(info);
	worked = stmt_step(last);
	/* An operation that failed before it wrote git_sync has a status, too. */
	if (!synced && !worked)
		return fail(r, E_NOT_FOUND, "no git provider is set up for this space");
	json_obj(&r->json);
	if (synced)
		git_sync_members(&r->json, &w);
	else
		git_installation_members(&r->json, NULL);
	if (worked)
		write_operation(&r->json, last);
	json_end(&r->json);
	return 0;
}
