/*
 * Processing an OpenAPI specification: jobs that the API and the schedule queue and the job runner
 * runs (src/jobs/openapi*.c).
 */
#ifndef OCTAVO_JOBS_OPENAPI_H
#define OCTAVO_JOBS_OPENAPI_H

#include "app/queue.h"

enum { OPENAPI_TRIES = 3 };

/* The id of a specification's schedule. */
static inline char *
openapi_schedule(struct arena *a, const char *spec)
{
	return arena_printf(a, "openapi:%s", spec);
}

/*
 * Runs a job of the kind "openapi" to its end: fetches or takes the text, reads and checks it,
 * writes a version.
 * Arguments: spec, its id; asked, the request's number, if a person requested the run: if a later
 * request replaced this one, the run does nothing. If it is replaced, or the specification deleted,
 * while it fetches, it ends within seconds and writes nothing.
 * All documents are fetched within OCTAVO_FETCH_SECONDS. A failure is recorded in the
 * specification's row, and the newest version stays.
 */
void openapi_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
