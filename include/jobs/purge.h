/*
 * Removing for good: spaces deleted longer ago than OCTAVO_PURGE_DAYS, and what a
 * killed request left of a new one after an hour (store/space.h), with the
 * bytes that nothing else holds, the records of old jobs, old versions of OpenAPI
 * specifications, translations that no run has needed for long (translate/memory.h), and
 * counts of events on sites of two years ago; once a day also what writers left behind that died (blob.h).
 *
 * Works in transactions of about DB_STEP_MS, cut between any hundred rows. It may
 * be killed between any two: the first step takes the space for good, under the
 * lock and only if it is still due, and from then on nobody can restore it; the
 * next run goes on. Rows go before their files.
 *
 * A space that a job works on is not taken: the job is told to end, and the next run
 * takes the space. Jobs of a space that was taken are not begun (app/queue.h).
 */
#ifndef OCTAVO_PURGE_H
#define OCTAVO_PURGE_H

#include "db/db.h"
#include "base/settings.h"

/* Does all that is due, outside any transaction; the number of spaces that are gone. */
int purge_run(struct db *db, struct arena *a, const struct settings *set);

/* Drops all but the newest versions of each specification (OCTAVO_OPENAPI_VERSIONS), part of purge_run(). */
void purge_versions(struct db *db, struct arena *a, const struct settings *set);

/* Drops versions that a run wrote and did not show. Outside any transaction, while no run of that specification writes. */
void versions_sweep(struct db *db, struct arena *a, const char *spec);

#endif
