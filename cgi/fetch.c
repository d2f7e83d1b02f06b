/*
 * octavo-fetch: runs one job that makes requests to other servers (an API description, a
 * translation or an upload), then exits. It is a separate program because of libcurl: loading it
 * with its twenty libraries takes longer than loading all of libgit2, and runs of git bindings are
 * frequent.
 */
#include <string.h>

#include "jobs/openapi.h"
#include "jobs/translate.h"
#include "jobs/upload.h"
#include "job.h"

static const struct {
	const char *kind;
	job_work   *run;
} kinds[] = { { "openapi", openapi_run }, { "translate", translate_run }, { "upload", upload_run } };

static void
run_kind(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(job->kind, kinds[i].kind) == 0)
			kinds[i].run(db, a, set, job);
}

int
main(int argc, char **argv)
{
	return job_main(argc, argv, "octavo-fetch", run_kind);
}
