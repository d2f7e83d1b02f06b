/*
 * Exports of an organization: jobs that write all its data into one file (app/org_export.h). An
 * export is a row of table job.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/audit_events.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/org_exports.h"
#include "api/wake_runner.h"
#include "app/audit.h"
#include "app/org_export.h"
#include "app/queue.h"
#include "base/exact.h"
#include "http/req.h"

#define EXAMPLE_EXPORT "anExportOfTheOrg222222"

static const struct shape Urls = { "OrganizationExportUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .url = "/v1/orgs/{:org}/exports/{id}", .doc = "Address in this API",
	  .example = EXAMPLE_URL "/orgs/" EXAMPLE_ORG "/exports/" EXAMPLE_EXPORT },
	{ 0 } } };
const struct shape OrganizationExport = { "OrganizationExport", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "organization-export", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_EXPORT },
	{ "state", T_ENUM, F_REQ, .set = "queued,running,done,failed,timeout,cancelled", .doc = "State of the export" },
	{ "stage", T_TEXT, F_REQ, .doc = "Current step; empty: none", .example = "repositories" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was requested" },
	{ "endedAt", T_TIME, .col = "ended_at", .doc = "When it ended" },
	{ "error", T_TEXT, .doc = "Why it failed", .example = "there is no room on the disk" },
	{ "keptUntil", T_TIME, .col = "kept_until", .doc = "Until when the file can be downloaded, unless a newer export replaces it" },
	{ "urls", T_OBJECT, F_REQ, .of = &Urls, .join = "", .doc = "Its addresses" },
	{ 0 } } };
LIST_SHAPE(OrganizationExportList, OrganizationExport);
const struct shape OrganizationExportAddress = { "OrganizationExportAddress", (const struct field[]){
	{ "url", T_TEXT, F_REQ, .doc = "Address of the file; it needs no token and works for an hour, while you are an admin",
	  .example = "https://docs.example.com/~exports/octavo-export.tar" },
	{ 0 } } };

#define EXPORT_COLS "j.id, j.state, j.stage, j.created_at, j.ended_at, j.error, " \
	"CASE WHEN j.state = 'done' THEN j.ended_at + :kept END AS kept_until"
SQL(q_exports,
    "SELECT " EXPORT_COLS ", j.created_at AS k1, j.id AS k2 FROM job j WHERE j.org = :org AND j.kind = '" EXPORT_KIND "' "
    "AND (j.created_at, j.id) < (COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX "), COALESCE(:k2, '')) "
    "ORDER BY j.created_at DESC, j.id DESC LIMIT :limit");
SQL(q_exports_count, "SELECT count(*) FROM job j WHERE j.org = :org AND j.kind = '" EXPORT_KIND "'");
SQL(q_export, "SELECT " EXPORT_COLS " FROM job j WHERE j.id = :id AND j.org = :org AND j.kind = '" EXPORT_KIND "'");
SQL(q_export_waits,
    "SELECT count(*) FROM job WHERE org = :org AND kind = '" EXPORT_KIND "' AND state IN ('queued', 'running')");
/* Ends a queued job at once; a running job reads `cancel` from time to time. */
SQL(q_export_end,
    "UPDATE job SET cancel = 1, ended_at = CASE WHEN state = 'queued' THEN :now ELSE ended_at END, "
    "state = CASE WHEN state = 'running' THEN state ELSE 'cancelled' END WHERE id = :id");

static struct stmt *
find_export(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_export);

	bind_text(q, ":id", id);
	bind_text(q, ":org", r->org.id);
	bind_int(q, ":kept", EXPORT_KEPT);
	return q;
}

/* GET /orgs/{organizationId}/exports */
HANDLER(listOrganizationExports)
{
	struct stmt *q;
	struct list l;
	int64_t count;

	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_exports_count);
	bind_text(q, ":org", r->org.id);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_exports);
	bind_text(q, ":org", r->org.id);
	bind_int(q, ":kept", EXPORT_KEPT);
	list_bind(q, &l);
	return list_reply(r, &l, q, &OrganizationExport, count);
}

static void
audit_export(struct req *r, const char *id)
{
	struct audit_event e = { .action = AUDIT_ORG_EXPORT, .org = r->org.id, .type = "organization-export", .target = id };

	audit(r, &e);
}

/* POST /orgs/{organizationId}/exports */
HANDLER(exportOrganization)
{
	struct job job = { .kind = EXPORT_KIND, .org = r->org.id, .user = r->who.user, .args = "{}" };
	struct stmt *q = db_use(r->db, &q_export_waits);
	const char *id;

	bind_text(q, ":org", r->org.id);
	if (stmt_int(q, 0) > 0)
		return fail(r, E_CONFLICT, "an export of this organization waits or runs already: wait for it, or cancel it");
	if (job_room_or_fail(r) != 0)
		return -1;
	id = job_add(r->db, r->arena, &job, 0);
	audit_export(r, id);
	r->after = wake_runner;
	reply_created(r, arena_printf(r->arena, "/orgs/%s/exports/%s", r->org.id, id));
	return reply_row(r, find_export(r, id), &OrganizationExport);
}

/* GET /orgs/{organizationId}/exports/{exportId} */
HANDLER(getOrganizationExport)
{
	return reply_row(r, find_export(r, path_id(r, "exportId")), &OrganizationExport);
}

/* GET /orgs/{organizationId}/exports/{exportId}/download */
HANDLER(getOrganizationExportAddress)
{
	const char *id = path_id(r, "exportId");
	struct stmt *q = find_export(r, id);

	if (!stmt_step(q))
		return fail(r, E_NOT_FOUND, "not found");
	if (strcmp(col_text(q, col(q, "state")), "done") != 0 || access(org_export_path(r->arena, r->set, id), R_OK) != 0)
		return fail(r, E_CONFLICT, "this export has no file (yet, or any more)");
	json_obj(&r->json);
	json_kstr(&r->json, "url", org_export_url(r->arena, r->set, id, r->who.token, time_now()));
	json_end(&r->json);
	return 0;
}

static void
delete_file(struct req *r, void *path)
{
	(void)r;
	unlink(path);
}

/*
 * Renames the file of an export at once, and deletes it after the answer, when the write lock is
 * free: deleting many GB takes long.
 */
static void
drop_file(struct req *r, const char *id)
{
	const char *path = org_export_path(r->arena, r->set, id);
	char *gone = arena_printf(r->arena, "%s.gone", path);

	/* If the transaction is rolled back, the export is lost; it can be made again. */
	if (rename(path, gone) != 0)
		return;
	r->after = delete_file;
	r->after_arg = gone;
}

/* DELETE /orgs/{organizationId}/exports/{exportId} */
HANDLER(cancelOrganizationExport)
{
	const char *id = path_id(r, "exportId");
	struct stmt *q = find_export(r, id);
	bool open;

	/* DELETE is idempotent: an unknown export answers 204, too. */
	if (!stmt_step(q))
		return reply_empty(r);
	open = strcmp(col_text(q, col(q, "state")), "queued") == 0 || strcmp(col_text(q, col(q, "state")), "running") == 0;
	if (open) {
		q = db_use(r->db, &q_export_end);
		bind_text(q, ":id", id);
		bind_int(q, ":now", time_now());
		stmt_run(q);
	}
	drop_file(r, id);
	return reply_empty(r);
}
