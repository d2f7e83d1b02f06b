/* The table of kinds. Contract: jobs/kinds.h. */
#include <string.h>

#include "arrive/arrive.h"
#include "sync/git_jobs.h"
#include "sync/import.h"
#include "jobs/kinds.h"
#include "jobs/openapi.h"
#include "jobs/typeset.h"
#include "merge/upstream.h"
#include "search/search.h"
#include "conversations/storage.h"

/*
 * Time for a fetch and for the rest of the import, plus a minute in which the job can end by
 * itself.
 */
static int64_t
import_seconds(const struct settings *set)
{
	return set->git_seconds + set->import_seconds + 60;
}

/* Unpacking an archive of gigabytes comes before the import. */
static int64_t
arrive_seconds(const struct settings *set)
{
	return set->import_seconds + (int64_t)6 * 3600;
}

/* The job has practically no limit, because a first ingestion may cover years of conversations. */
static int64_t
conversations_seconds(const struct settings *set)
{
	(void)set;
	return 86400;
}

/* The time limit suffices for the largest organization, whose whole history is written. */
static int64_t
leave_seconds(const struct settings *set)
{
	(void)set;
	return 86400;
}

static void
index_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	(void)set;
	search_job(db, a, job);
}

/* Removes staged rows that killed imports left. */
static void
unstage_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	(void)set;
	upstream_sweep(db, a, job->space);
	db_begin(db, true);
	job_end(db, job->id, "done", NULL, "{}");
	db_commit(db);
}

/* Time to fetch all documents, then to process them. */
static int64_t
openapi_seconds(const struct settings *set)
{
	return set->fetch_seconds + (int64_t)600;
}

/* A first run may translate a large space with a slow engine. */
static int64_t
translate_seconds(const struct settings *set)
{
	(void)set;
	return 86400;
}

/*
 * memory limits address space (RLIMIT_AS), not memory in use. Kinds without seconds have
 * JOB_SECONDS. Kinds that need libraries which load slowly are programs of their own (cgi/).
 */
static const struct job_kind kinds[] = {
	{ .name = "import", .run = import_run, .seconds = import_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "arrive", .run = arrive_run, .seconds = arrive_seconds, .memory = (int64_t)8 << 30, .tries = 2 },
	{ .name = "export", .run = export_run, .seconds = import_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "git", .run = git_run, .seconds = import_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "unstage", .run = unstage_run },
	{ .name = "conversations", .run = conversations_run, .seconds = conversations_seconds, .memory = (int64_t)4 << 30 },
	{ .name = "typeset", .run = typeset_run, .memory = (int64_t)4 << 30, .tries = 2 },
	{ .name = "index", .run = index_run, .memory = (int64_t)8 << 30 },
	{ .name = "openapi", .program = "fetch", .seconds = openapi_seconds, .memory = (int64_t)4 << 30,
	  .tries = OPENAPI_TRIES },
	{ .name = "translate", .program = "fetch", .seconds = translate_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "upload", .program = "fetch" },
	/*
	 * Two attempts: if one fails for lack of memory, or because a library fails, a third would
	 * fail too.
	 */
	{ .name = "leave", .program = "leave", .seconds = leave_seconds, .memory = (int64_t)32 << 30, .tries = 2 },
	{ .name = "pdf", .program = "pdf", .memory = (int64_t)4 << 30, .tries = 2 },
	{ .name = "variants", .program = "pdf", .memory = (int64_t)4 << 30, .tries = 2 },
};

/* A linear search of ten rows, once a job. */
const struct job_kind *
job_kind_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}
