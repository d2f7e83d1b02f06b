/*
 * Imports from other programs: jobs that make pages from uploaded archives, as `octavo import FROM`
 * does (include/arrive/room.h). A run is a row of table job. Its arguments contain the source as
 * the client sent it:
 *
 *   {"type":"notion","files":["KEY"],"kind":"notion","name":"export.zip"}
 *
 * If `kind` is missing, the job determines the reader from the files. A run belongs to the
 * organization of its space. It is visible to users who may create spaces in the organization and
 * read this space.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "api/access.h"
#include "api/access_rules.h"
#include "api/audit_events.h"
#include "api/examples.h"
#include "api/import_runs.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/refusals.h"
#include "api/wake_runner.h"
#include "app/audit.h"
#include "app/import_file.h"
#include "app/queue.h"
#include "app/roles.h"
#include "base/exact.h"
#include "http/req.h"

#define EXAMPLE_IMPORT "anImportOfTheManual222"
#define EXAMPLE_KEY "f7QnT2wKxVb5LsZc9RhM"

static const struct field key = { "", T_TEXT, .min = 1, .max = 64 };
static const struct shape Source = { "ContentImportSource", (const struct field[]){
	{ "type", T_ENUM, F_REQ, .set = "file," IMPORT_READERS, .doc = "file: the format of the files is recognised; otherwise the "
	  "program that wrote them" },
	{ "files", T_LIST, F_REQ, .min = 1, .max = IMPORT_RUN_FILES, .item = &key,
	  .doc = "Storage keys of uploaded archives (zip or tar), several only for an export in several archives",
	  .example = "[\"" EXAMPLE_KEY "\"]" },
	{ 0 } } };
static const struct shape Target = { "ContentImportTarget", (const struct field[]){
	{ "space", T_TEXT, F_REQ, .min = 1, .max = 64, .doc = "Id of the space that gets the content", .example = EXAMPLE_SPACE },
	{ 0 } } };
const struct shape ImportRunStart = { "StartImportRun", (const struct field[]){
	{ "source", T_OBJECT, F_REQ, .of = &Source, .doc = "What is imported" },
	{ "target", T_OBJECT, F_REQ, .of = &Target, .doc = "Target of the import" },
	{ "enhance", T_BOOL, .doc = "Ignored: texts are imported unchanged" },
	{ 0 } } };
static const struct shape Urls = { "ImportRunUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/org/{:org}/imports/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/org/" EXAMPLE_ORG "/imports/" EXAMPLE_IMPORT },
	{ "report", T_TEXT, F_REQ, .url = "/v1/org/{:org}/imports/{id}/report", .doc = "Address of its report",
	  .example = EXAMPLE_URL "/org/" EXAMPLE_ORG "/imports/" EXAMPLE_IMPORT "/report" },
	{ 0 } } };
static const struct shape ReportLine = { "ImportReportLine", (const struct field[]){
	{ "file", T_TEXT, F_REQ, .doc = "File of the source; empty: the source as a whole", .example = "docs/install.md" },
	{ "line", T_INT, F_REQ, .doc = "Line of the file; 0: the file as a whole", .example = "12" },
	{ "message", T_TEXT, F_REQ, .doc = "What was not imported, or was imported differently",
	  .example = "the picture img/a.png is not there" },
	{ 0 } } };
LIST_SHAPE(ImportReportList, ReportLine);

/* ---- a run ---- */

static void
emit_source(struct json *j, const struct field *f, const struct row *w)
{
	const cJSON *args = cJSON_Parse(row_text(w, "args")), *file;

	json_kobj(j, f->name);
	json_kstr(j, "type", json_text_or_empty(args, "type"));
	json_karr(j, "files");
	cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(args, "files"))
		json_str(j, file->valuestring);
	json_end(j);
	json_end(j);
}

/* Writes a member of the job's result, which exists only after a successful end. */
static void
emit_result(struct json *j, const struct field *f, const struct row *w)
{
	const char *text = row_null(w, "result") ? NULL : json_text_of(cJSON_Parse(row_text(w, "result")), f->name);

	if (text != NULL)
		json_kstr(j, f->name, text);
}

const struct shape ImportRun = { "ContentImportRun", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "import-run", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_IMPORT },
	{ "status", T_ENUM, F_REQ, .set = "pending,in-progress,completed,failed,cancelled", .doc = "State of the import" },
	{ "reason", T_TEXT, .doc = "Why it failed", .example = "export.zip has no pages" },
	{ "stage", T_TEXT, F_REQ, .doc = "Current step; empty: none", .example = "converting" },
	{ "done", T_INT, F_REQ, .doc = "Parts of the stage that are done", .example = "12" },
	{ "total", T_INT, F_REQ, .doc = "Parts of the stage; 0: not known", .example = "40" },
	{ "warnings", T_INT, F_REQ, .doc = "Lines of the report", .example = "3" },
	{ "revision", T_TEXT, .emit = emit_result, .doc = "Id of the revision that it made", .example = EXAMPLE_REVISION },
	{ "changeRequest", T_TEXT, .emit = emit_result, .doc = "Id of the change request with the imported changes that conflict with "
	  "the space", .example = "aRequestOfTheManual22" },
	{ "source", T_OBJECT, F_REQ, .of = &Source, .emit = emit_source, .doc = "What is imported" },
	{ "target", T_OBJECT, F_REQ, .of = &Target, .join = "", .doc = "Target of the import" },
	{ "site", T_TEXT, .doc = "Id of the site that shows the space, if you have a role on exactly one such site",
	  .example = EXAMPLE_SITE },
	{ "createdBy", T_TEXT, .col = "created_by", .doc = "Id of the user who started it", .example = EXAMPLE_USER },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was requested" },
	{ "startedAt", T_TIME, .col = "started_at", .doc = "When it started" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "Time of the last report of progress, or of its end" },
	{ "completedAt", T_TIME, .col = "completed_at", .doc = "When it was completed" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(ImportRunList, ImportRun);
const struct shape ImportRunsQuery = { "ImportRunsQuery", (const struct field[]){
	PAGING,
	{ "space", T_TEXT, .max = 64, .doc = "Only imports into this space", .example = EXAMPLE_SPACE },
	{ "changeRequest", T_TEXT, .max = 64, .pattern = "^[A-Za-z0-9]*$", .want = "letters and digits",
	  .doc = "Only imports whose conflicts are in this change request", .example = EXAMPLE_REQUEST },
	{ "site", T_TEXT, .max = 64, .doc = "Only imports into spaces of this site", .example = EXAMPLE_SITE },
	{ "status", T_ENUM, .set = "active,pending,in-progress,completed,failed,cancelled",
	  .doc = "Only imports in this state; active: pending and in-progress" },
	{ 0 } } };

#define RUN_STATUS \
	"CASE j.state WHEN 'queued' THEN 'pending' WHEN 'running' THEN 'in-progress' WHEN 'done' THEN 'completed' " \
	"WHEN 'timeout' THEN 'failed' ELSE j.state END"
/* The sites that show the space of job j and on which the caller has a role. */
#define SITES_OF_RUN \
	"FROM site t WHERE t.org = :org AND EXISTS (SELECT 1 FROM site_space x WHERE x.space = j.space AND x.site = t.id) " \
	"AND " SITE_ROLE(":user", ":org_role") " >= " SQL_ROLE_READ
#define RUN_COLS \
	"j.id, " RUN_STATUS " AS status, CASE WHEN j.state IN ('failed', 'timeout') THEN j.error END AS reason, j.stage, j.done, j.total, " \
	"(SELECT count(*) FROM job_warning w WHERE w.job = j.id) AS warnings, j.result, j.args, j.space, j.account AS created_by, " \
	"(SELECT CASE WHEN count(*) = 1 THEN max(t.id) END " SITES_OF_RUN ") AS site, j.created_at, j.started_at, " \
	"COALESCE(j.ended_at, j.beat_at, j.created_at) AS updated_at, CASE WHEN j.state = 'done' THEN j.ended_at END AS completed_at"
#define RUNS_FOUND \
	"FROM job j JOIN seen v ON v.id = j.space WHERE j.org = :org AND j.kind = '" IMPORT_JOB "' " \
	"AND (CAST(:space AS TEXT) IS NULL OR j.space = :space) " \
	"AND (CAST(:status AS TEXT) IS NULL OR " RUN_STATUS " = :status OR (:status = 'active' AND j.state IN ('queued', 'running'))) " \
	"AND (CAST(:request AS TEXT) IS NULL OR j.result LIKE '%\"changeRequest\":\"' || CAST(:request AS TEXT) || '\"%') " \
	"AND (CAST(:site AS TEXT) IS NULL OR EXISTS (SELECT 1 " SITES_OF_RUN " AND t.id = :site)) "
SQL(q_runs,
    WITH_PLACES AND_SEEN "SELECT " RUN_COLS ", j.created_at AS k1, j.id AS k2 " RUNS_FOUND
    "AND (j.created_at, j.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY j.created_at DESC, j.id DESC LIMIT :limit");
SQL(q_runs_count, WITH_PLACES AND_SEEN "SELECT count(*) " RUNS_FOUND);
SQL(q_run, "SELECT " RUN_COLS " FROM job j WHERE j.id = :id");
SQL(q_run_space, "SELECT space FROM job WHERE id = :id AND org = :org AND kind = '" IMPORT_JOB "'");
/* Ends a queued job at once; a running job reads `cancel` from time to time. */
SQL(q_run_end,
    "UPDATE job SET cancel = 1, ended_at = CASE WHEN state = 'queued' THEN :now ELSE ended_at END, "
    "state = CASE WHEN state = 'running' THEN state ELSE 'cancelled' END WHERE id = :id AND state IN ('queued', 'running')");
SQL(q_report, "SELECT file, line, message, n AS k1 FROM job_warning WHERE job = :id AND n > COALESCE(CAST(:k1 AS BIGINT), -1) ORDER BY n LIMIT :limit");
SQL(q_report_count, "SELECT count(*) FROM job_warning WHERE job = :id");

/* Sets r->space as if the path named this space. 0 or fail(). */
static int
enter_space(struct req *r, const char *id)
{
	if (space_enter(r, id) != 0)
		return -1;
	return strcmp(r->space.org, r->org.id) == 0 ? 0 : not_found(r, "space", id);
}

static bool
sees_space(struct req *r, const char *id)
{
	struct stmt *q = space_role(r, id, false);

	return q != NULL && col_int(q, col(q, "role")) >= ROLE_READ && col_null(q, col(q, "deleted_at"));
}

/*
 * Finds the run of the path and its space. A caller who does not see the space must not learn from
 * the message that the run exists. 0 or fail().
 */
static int
run_or_fail(struct req *r)
{
	const char *id = path_id(r, "importRunId");
	struct stmt *q = db_use(r->db, &q_run_space);
	const char *space;

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	if ((space = stmt_dup(q, r->arena)) == NULL || !sees_space(r, space))
		return not_found(r, "import", id);
	return enter_space(r, space);
}

static int
reply_run(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_run);

	bind_caller(q, r);
	bind_text(q, ":id", id);
	return reply_row(r, q, &ImportRun);
}

/* ---- list, get, cancel, report ---- */

static struct stmt *
find_runs(struct req *r, const struct sql *sql)
{
	struct stmt *q = db_use(r->db, sql);

	bind_caller(q, r);
	bind_text(q, ":space", query_text(r, "space"));
	bind_text(q, ":status", query_text(r, "status"));
	bind_text(q, ":request", query_text(r, "changeRequest"));
	bind_text(q, ":site", query_text(r, "site"));
	return q;
}

/* GET /org/{organizationId}/imports */
HANDLER(listImportRuns)
{
	const char *space = query_text(r, "space");
	struct stmt *q;
	struct list l;
	int64_t count;

	if ((space != NULL && enter_space(r, space) != 0) || list_open(r, &l, 2) != 0)
		return -1;
	count = stmt_int(find_runs(r, &q_runs_count), 0);
	q = find_runs(r, &q_runs);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ImportRun, count);
}

/* GET /org/{organizationId}/imports/{importRunId} */
HANDLER(getImportRun)
{
	return run_or_fail(r) == 0 ? reply_run(r, path_id(r, "importRunId")) : -1;
}

/* GET /org/{organizationId}/imports/{importRunId}/report */
HANDLER(listImportReport)
{
	const char *id = path_id(r, "importRunId");
	struct stmt *q;
	struct list l;
	int64_t count;

	if (run_or_fail(r) != 0 || list_open(r, &l, 1) != 0)
		return -1;
	q = db_use(r->db, &q_report_count);
	bind_text(q, ":id", id);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_report);
	bind_text(q, ":id", id);
	list_bind(q, &l);
	return list_reply(r, &l, q, &ReportLine, count);
}

/* POST /org/{organizationId}/imports/{importRunId}/cancel: a run that has ended stays as it is. */
HANDLER(cancelImportRun)
{
	const char *id = path_id(r, "importRunId");
	struct stmt *q;

	if (run_or_fail(r) != 0 || role_or_fail(r, ROLE_REVIEW) != 0)
		return -1;
	q = db_use(r->db, &q_run_end);
	bind_text(q, ":id", id);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	return reply_run(r, id);
}

/* ---- start ---- */

/* Reads an uploaded file. It must be complete, and no other run may have taken it. 0 or fail(). */
static int
file_or_fail(struct req *r, const char *id, int i, struct import_file *out)
{
	if (!import_file_find(r->db, r->arena, id, out) || strcmp(out->org, r->org.id) != 0)
		return not_found(r, "uploaded file", id);
	if (out->received < out->size)
		return fail_field(r, arena_printf(r->arena, "/source/files/%d", i), "%lld of its %lld bytes are there: upload the rest",
		    (long long)out->received, (long long)out->size);
	return out->run == NULL ? 0 : fail(r, E_CONFLICT, "the file %s is being imported already", id);
}

/* Checks the files; *name is set to the name of the first one, which becomes the name of the import. 0 or fail(). */
static int
files_or_fail(struct req *r, const cJSON *files, const char **name)
{
	struct import_file f;
	const cJSON *id, *other;
	int i = 0;

	cJSON_ArrayForEach(id, files) {
		for (other = files->child; other != id; other = other->next)
			if (strcmp(other->valuestring, id->valuestring) == 0)
				return fail_field(r, arena_printf(r->arena, "/source/files/%d", i), "is named twice");
		if (file_or_fail(r, id->valuestring, i, &f) != 0)
			return -1;
		if (i++ == 0)
			*name = f.name;
	}
	return 0;
}

static char *
make_job_args(struct req *r, const cJSON *source, const char *name)
{
	const char *type = json_text_of(source, "type");
	const cJSON *id;
	struct json j;
	struct buf b;

	buf_init(&b, r->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "type", type);
	json_karr(&j, "files");
	cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(source, "files"))
		json_str(&j, id->valuestring);
	json_end(&j);
	if (strcmp(type, "file") != 0)
		json_kstr(&j, "kind", type);
	json_kstr(&j, "name", name);
	json_end(&j);
	return b.p;
}

/* Queues the job and reserves the files for it. */
static const char *
queue_run(struct req *r, const cJSON *files, const char *args)
{
	struct job job = { .kind = IMPORT_JOB, .org = r->org.id, .space = r->space.id, .queue = r->space.id, .user = r->who.user, .args = args };
	const char *run = job_add(r->db, r->arena, &job, 0);
	const cJSON *id;

	cJSON_ArrayForEach(id, files)
		import_file_take(r->db, id->valuestring, run);
	audit(r, &(struct audit_event){ .action = AUDIT_SPACE_IMPORT, .org = r->org.id, .type = "space", .target = r->space.id, .after = args });
	r->after = wake_runner;
	return run;
}

/* POST /org/{organizationId}/imports */
HANDLER(startImportRun)
{
	const cJSON *source = body_get(r, "source"), *files = cJSON_GetObjectItemCaseSensitive(source, "files");
	const char *name = "", *id;

	if (enter_space(r, json_text_of(body_get(r, "target"), "space")) != 0 || role_or_fail(r, ROLE_REVIEW) != 0 ||
	    space_unlocked_or_fail(r) != 0)
		return -1;
	if (files_or_fail(r, files, &name) != 0 || job_room_or_fail(r) != 0)
		return -1;
	id = queue_run(r, files, make_job_args(r, source, name));
	reply_created(r, arena_printf(r->arena, "/org/%s/imports/%s", r->org.id, id));
	return reply_run(r, id);
}
