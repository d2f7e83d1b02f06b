/*
 * Git import, as the job runner runs it (src/sync/import*.c) and as the API and the octavo command
 * queue it.
 */
#ifndef OCTAVO_IMPORT_H
#define OCTAVO_IMPORT_H

#include "base/arena.h"
#include "db/db.h"
#include "app/queue.h"
#include "base/settings.h"
#include "base/str.h"

/*
 * Runs an import job to its end: fetch, read, write, and job_end() or job_retry().
 * Arguments (job.args): url, ref, repoProjectDirectory, repoTreeURL, repoCommitURL, timestamp,
 * force, standalone, gitInfo as in the API, and "local": set by the admin's own command, allows
 * every path that the runner can read.
 * Memory, the cache's lock and temporary files are released when the arena ends: a failed statement
 * leaves this function without returning.
 */
void import_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
