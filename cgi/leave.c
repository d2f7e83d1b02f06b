/*
 * octavo-leave: writes one export of an organization (include/app/org_export.h) as a job of the queue, then
 * exits. It is a separate program because an export asks the API, which the job runner does not link.
 */
#include <string.h>

#include "app/org_export.h"
#include "command/leave.h"
#include "job.h"

static void
run_kind(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	(void)a;
	if (strcmp(job->kind, EXPORT_KIND) == 0)
		leave_job(db, set, job);
}

int
main(int argc, char **argv)
{
	return job_main(argc, argv, "octavo-leave", run_kind);
}
