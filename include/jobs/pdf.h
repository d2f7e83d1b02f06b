/*
 * Jobs that make files from content (PDF, HTML and others; app/pdf_request.h). The API queues them,
 * and the job runner runs them.
 */
#ifndef OCTAVO_JOBS_PDF_H
#define OCTAVO_JOBS_PDF_H

#include "app/queue.h"

/*
 * Runs a job of the kind "pdf" to its end. Arguments: pdf, the id of its row. Content that cannot
 * be printed (a damaged image, characters that no font has) gives a warning; the file gets its name
 * when it is complete. If the row or the content was deleted, the job ends.
 */
void pdf_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
