/*
 * Fetching a file into a change request: src/api/content/uploads.c queues the job; the job runner
 * fetches the file (fetch/fetch.h) and writes it as a revision of the change request.
 */
#ifndef OCTAVO_JOBS_UPLOAD_H
#define OCTAVO_JOBS_UPLOAD_H

#include "app/queue.h"

/*
 * Runs an upload job to its end. Arguments: request, its id; url; name. The result is { "file": id,
 * "revision": id }.
 */
void upload_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
