/*
 * Git: asking for an import, and what became of it. Tables git_sync, job. The
 * work is the job runner's (src/jobs/import.c); here the request is checked,
 * credentials are split from the address and sealed, and the job is queued.
 */
#include <cjson/cJSON.h>

#include "api.h"
#include "git/credentials.h"
#include "git/git.h"
#include "jobs/import.h"
#include "app/queue.h"
#include "base/secret.h"

static const struct shape ImportInfo = { "UpdateSpaceGitInfo", (const struct field[]){
	{ "provider", T_ENUM, .set = "github,gitlab", .doc = "Where the repository is hosted" },
	{ "url", T_TEXT, .max = 2048, .doc = "Address of the repository for people",
	  .example = "https://git.example.com/acme/docs" },
	{ 0 } } };
const struct shape GitImport = { "ImportGitRepository", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .min = 1, .max = 4096,
	  .doc = "May hold credentials; they are never stored in clear",
	  .example = "https://git.example.com/acme/docs.git" },
	{ "ref", T_TEXT, F_REQ, .min = 1, .max = 250, .doc = "refs/heads/BRANCH",
	  .example = "refs/heads/main" },
	{ "repoCacheID", T_TEXT, .max = 250, .doc = "Not used", .example = "docs" },
	{ "repoTreeURL", T_TEXT, .max = 2048, .doc = "Prefix of addresses of files in the repository",
	  .example = "https://git.example.com/acme/docs/blob/main" },
	{ "repoCommitURL", T_TEXT, .max = 2048, .doc = "Prefix of addresses of commits",
	  .example = "https://git.example.com/acme/docs/commit" },
	{ "repoProjectDirectory", T_TEXT, .max = 1024,
	  .doc = "Folder of the repository that holds the content", .example = "docs" },
	{ "timestamp", T_TIME,
	  .doc = "Of the event: an import older than the last one is skipped" },
	{ "force", T_BOOL, .doc = "Never skip" },
	{ "standalone", T_BOOL, .doc = "Make a revision without changing the primary content" },
	{ "gitInfo", T_OBJECT, .of = &ImportInfo, .doc = "What to show about the repository" },
	{ 0 } } };
static const struct shape Operation = { "GitOperation", (const struct field[]){
	{ "direction", T_TEXT, F_REQ, .doc = "What was done", .example = "import" },
	{ "state", T_ENUM, F_REQ, .set = "running,failure,success,timeout", .doc = "How it stands" },
	{ "startedAt", T_TIME, F_REQ, .doc = "When it began" },
	{ "endedAt", T_TIME, .doc = "When it ended" },
	{ "error", T_TEXT, .doc = "Why it failed", .example = "the repository has no branch main" },
	{ "skipped", T_ENUM, .set = "unchanged,outdated",
	  .doc = "Nothing was imported: the commit is shown already, or a later `timestamp` was imported before" },
	{ "revision", T_TEXT, .doc = "Id of the revision that it made", .example = EXAMPLE_REVISION },
	{ 0 } } };
const struct shape GitInfo = { "GitInfo", (const struct field[]){
	{ "repoName", T_TEXT, .doc = "Name of the repository", .example = "acme/docs" },
	{ "installationProvider", T_TEXT, .doc = "Where the repository is hosted", .example = "github" },
	{ "integration", T_TEXT, .doc = "What synchronizes it", .example = "git" },
	{ "url", T_TEXT, .doc = "Address of the repository",
	  .example = "https://git.example.com/acme/docs" },
	{ "updatedAt", T_TIME, .doc = "When it was last synchronized" },
	{ "operation", T_OBJECT, .of = &Operation, .doc = "The last import" },
	{ 0 } } };

SQL(q_info,
    "SELECT url AS git_url, tree_url AS git_tree_url, provider AS git_provider, "
    "info_url AS git_info_url, updated_at AS git_updated_at FROM git_sync WHERE space = :space");
SQL(q_operation,
    "SELECT kind, state, created_at, started_at, ended_at, error, result "
    "FROM job WHERE space = :space AND kind IN ('import', 'export') "
    "ORDER BY created_at DESC, id DESC LIMIT 1");

/* What the job needs to know, without the credentials. */
static char *
import_args(struct req *r, const char *clean)
{
	static const char *const same[] = { "ref", "repoTreeURL", "repoCommitURL",
		"repoProjectDirectory", "timestamp", "force", "standalone", "gitInfo" };
	struct json j;
	struct buf b;
	size_t i;

	buf_init(&b, r->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "url", clean);
	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		char *text = body_json(r, same[i]);
		if (text == NULL)
			continue;
		json_key(&j, same[i]);
		json_raw(&j, str_of(text));
	}
	json_end(&j);
	return b.p;
}

static void
after_queue(struct req *r, void *arg)
{
	(void)arg;
	runner_wake(r->arena, r->set);
}

bool
holds_credentials(const char *url)
{
	const char *host = url == NULL ? NULL : strstr(url, "://");

	return host != NULL && memchr(host + 3, '@', strcspn(host + 3, "/?#")) != NULL;
}

/* Addresses that are kept and shown as they came, unlike the one that is fetched. */
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

/* POST /spaces/{spaceId}/git/import: checks, seals, queues. */
int
importGitRepository(struct req *r)
{
	const char *clean, *user, *password, *why;
	struct job job = { .kind = "import", .space = r->space.id, .queue = r->space.id, .user = r->who.user };

	if (strcmp(r->space.edit_mode, "locked") == 0)
		return fail(r, E_FORBIDDEN, "the space is locked: its content cannot be changed");
	if (!git_split_url(r->arena, body_text(r, "url"), &clean, &user, &password))
		return fail_field(r, "/url", "is not an address of a git repository");
	why = git_refuse_url(r->arena, clean, r->set->git_root[0] ? r->set->git_root : NULL,
	    r->set->git_private);
	if (why != NULL)
		return fail_field(r, "/url", "is refused: %s", why);
	why = git_refuse_ref(body_text(r, "ref"));
	if (why != NULL)
		return fail_field(r, "/ref", "is refused: %s", why);
	if (shown_urls_or_fail(r) != 0)
		return -1;
	if (user != NULL || password != NULL)
		job.secret = credentials_seal(r->arena, user, password);
	job.args = import_args(r, clean);
	job_add(r->db, r->arena, &job, 0);
	audit(r, &(struct audit_event){ .action = AUDIT_SPACE_IMPORT, .org = r->space.org, .type = "space",
	    .target = r->space.id, .after = job.args });
	r->after = after_queue;
	return reply_empty(r);
}

static const char *
operation_state(const char *state)
{
	if (strcmp(state, "done") == 0)
		return "success";
	if (strcmp(state, "timeout") == 0)
		return "timeout";
	return strcmp(state, "queued") == 0 || strcmp(state, "running") == 0 ? "running" : "failure";
}

/* Writes a text of a job's result under its own name, if the result has it. */
static void
result_member(struct json *j, const cJSON *result, const char *name)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(result, name));

	if (text != NULL)
		json_kstr(j, name, text);
}

static void
operation_json(struct json *j, struct stmt *q)
{
	const cJSON *result = col_null(q, 6) ? NULL : cJSON_Parse(col_text(q, 6));

	json_kobj(j, "operation");
	json_kstr(j, "direction", col_text(q, 0));
	json_kstr(j, "state", operation_state(col_text(q, 1)));
	json_key(j, "startedAt");
	json_time(j, col_int(q, col_null(q, 3) ? 2 : 3));
	if (!col_null(q, 4)) {
		json_key(j, "endedAt");
		json_time(j, col_int(q, 4));
	}
	if (!col_null(q, 5))
		json_kstr(j, "error", col_text(q, 5));
	result_member(j, result, "revision");
	result_member(j, result, "skipped");
	json_end(j);
}

/* GET /spaces/{spaceId}/git/info */
int
getSpaceGitInfo(struct req *r)
{
	struct stmt *info = db_use(r->db, &q_info), *last = db_use(r->db, &q_operation);
	struct row w = { r, info, NULL };
	bool synced, worked;

	bind_text(info, ":space", r->space.id);
	bind_text(last, ":space", r->space.id);
	synced = stmt_step(info);
	worked = stmt_step(last);
	if (!synced && !worked)
		return fail(r, E_NOT_FOUND, "no git provider is set up for this space");
	json_obj(&r->json);
	if (synced)
		git_sync_members(&r->json, &w);
	if (worked)
		operation_json(&r->json, last);
	json_end(&r->json);
	return 0;
}
