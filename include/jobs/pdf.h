/*
 * Making a PDF: what the API queues (app/pdf_request.h), and what the job runner does with it.
 */
#ifndef OCTAVO_JOBS_PDF_H
#define OCTAVO_JOBS_PDF_H

#include "app/queue.h"

/*
 * Runs a job of the kind "pdf" to its end. Arguments: pdf, the id of its row. What cannot
 * be printed (a damaged image, characters that no font has) is a warning; the file gets
 * its name when it is whole. A row that is gone, or content that is, ends the job.
 */
void pdf_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
