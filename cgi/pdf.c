/*
 * octavo-pdf: makes one PDF (include/jobs/pdf.h) as a job of the queue, and ends. A program of its
 * own for its libraries' sake: the loader takes longer over Pango, Cairo and librsvg, with the forty
 * that they need, than most jobs take.
 */
#include <string.h>

#include "jobs/pdf.h"
#include "job.h"

static void
run_kind(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	if (strcmp(job->kind, "pdf") == 0)
		pdf_run(db, a, set, job);
}

int
main(int argc, char **argv)
{
	return job_main(argc, argv, "octavo-pdf", run_kind);
}
