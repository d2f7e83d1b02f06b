/* The table of kinds. Contract: jobs/kinds.h. */
#include <string.h>

#include "sync/git_jobs.h"
#include "sync/import.h"
#include "jobs/kinds.h"
#include "jobs/openapi.h"
#include "merge/upstream.h"
#include "search/search.h"
#include "conversations/storage.h"

/* A fetch, then all the rest of the import, and a minute for what is in between. */
static int64_t
import_seconds(const struct settings *set)
{
	return set->git_seconds + set->import_seconds + 60;
}

/* As long as it takes: a first ingestion may be of years. */
static int64_t
conversations_seconds(const struct settings *set)
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

/* After imports that were killed. */
static void
unstage_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	(void)set;
	upstream_sweep(db, a, job->space);
	db_begin(db, true);
	job_end(db, job->id, "done", NULL, "{}");
	db_commit(db);
}

/* All documents, then their processing. */
static int64_t
openapi_seconds(const struct settings *set)
{
	return set->fetch_seconds + (int64_t)600;
}

/* A first run may be of a large space, with a slow engine. */
static int64_t
translate_seconds(const struct settings *set)
{
	(void)set;
	return 86400;
}

/*
 * memory is a limit of address space (RLIMIT_AS), not of use. Kinds without seconds have JOB_SECONDS.
 * What needs libraries that take long to load is done by programs of their own (cgi/).
 */
static const struct job_kind kinds[] = {
	{ .name = "import", .run = import_run, .seconds = import_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "export", .run = export_run, .seconds = import_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "git", .run = git_run, .seconds = import_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "unstage", .run = unstage_run },
	{ .name = "conversations", .run = conversations_run, .seconds = conversations_seconds, .memory = (int64_t)4 << 30 },
	{ .name = "index", .run = index_run, .memory = (int64_t)8 << 30 },
	{ .name = "openapi", .program = "fetch", .seconds = openapi_seconds, .memory = (int64_t)4 << 30,
	  .tries = OPENAPI_TRIES },
	{ .name = "translate", .program = "fetch", .seconds = translate_seconds, .memory = (int64_t)8 << 30 },
	{ .name = "upload", .program = "fetch" },
	/* What one attempt cannot do for want of memory, or since a library fails at it, a third cannot either. */
	{ .name = "pdf", .program = "pdf", .memory = (int64_t)4 << 30, .tries = 2 },
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
