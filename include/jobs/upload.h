/*
 * A file of a change request that is fetched from an address: src/api/content/uploads.c queues
 * it, the job runner fetches it (fetch/fetch.h) and writes it as a revision of the
 * change request.
 */
#ifndef OCTAVO_JOBS_UPLOAD_H
#define OCTAVO_JOBS_UPLOAD_H

#include "app/queue.h"

/* Arguments: request, its id; url; name. The result is { "file": id, "revision": id }. */
void upload_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
