/*
 * octavo-pdf: makes one PDF (include/jobs/pdf.h), or smaller versions of a space's pictures
 * (include/jobs/variants.h), as a job of the queue, then exits. It is a
 * separate program because of its libraries: loading Pango, Cairo and librsvg, with the forty that
 * they need, takes longer than most jobs.
 */
#include <string.h>

#include "jobs/pdf.h"
#include "jobs/variants.h"
#include "job.h"

static void
run_kind(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	if (strcmp(job->kind, "pdf") == 0)
		pdf_run(db, a, set, job);
	else if (strcmp(job->kind, "variants") == 0)
		variants_run(db, a, set, job);
}

int
main(int argc, char **argv)
{
	return job_main(argc, argv, "octavo-pdf", run_kind);
}
