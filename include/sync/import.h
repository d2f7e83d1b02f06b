/*
 * Git import: what the API and the octavo command put into the queue, and what
 * the job runner does with it (src/jobs/import*.c).
 */
#ifndef OCTAVO_IMPORT_H
#define OCTAVO_IMPORT_H

#include "base/arena.h"
#include "db/db.h"
#include "app/queue.h"
#include "base/settings.h"
#include "base/str.h"

/*
 * Runs an import job to its end: fetch, read, write, and job_end() or
 * job_retry(). Arguments (job.args): url, ref, repoProjectDirectory,
 * repoTreeURL, repoCommitURL, timestamp, force, standalone, gitInfo as in the
 * API, and "local": the admin's own command asks, so that any path the runner
 * can read is allowed. What it holds (memory, the cache's lock, temporary files)
 * ends with the arena: after a failed statement it does not return.
 */
void import_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
