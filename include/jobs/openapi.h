/*
 * Processing an OpenAPI specification: what the API and the schedule queue, and what
 * the job runner does with it (src/jobs/openapi*.c).
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
 * Runs a job of the kind "openapi" to its end: fetch or take the text, read, check,
 * take apart, write a version. Arguments: spec, its id; asked, the number of the
 * request for it, where a person asked: overtaken by a later one it does nothing.
 * Overtaken while it fetches, or with its specification deleted, it ends within seconds
 * and writes nothing. All documents are fetched within OCTAVO_FETCH_SECONDS.
 * A failure is told in the specification's row, whose newest version stays.
 */
void openapi_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
