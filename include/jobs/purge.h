/*
 * Permanent removal: spaces deleted longer ago than OCTAVO_PURGE_DAYS; after an hour, what a killed
 * request left of a new space (store/space.h); both with the blobs that nothing else refers to; old
 * jobs; old versions of OpenAPI specifications; unused entries of the translation memory
 * (translate/memory.h); counts of events on sites older than two years; once a day also files that
 * killed writers left (blob.h).
 *
 * Works in transactions of about DB_STEP_MS, a hundred rows or fewer at a time. It may be killed
 * between any two; the next run continues. The first transaction of a space checks that the space is
 * still due, and marks it as being purged: from then on the space cannot be restored, and its jobs do
 * not start (app/queue.h). Rows are deleted before their files.
 *
 * If a space has a running job, the purge only cancels the job; the next run purges the space.
 */
#ifndef OCTAVO_PURGE_H
#define OCTAVO_PURGE_H

#include "db/db.h"
#include "base/settings.h"

/* Purges all that is due, outside any transaction; returns the number of removed spaces. */
int purge_run(struct db *db, struct arena *a, const struct settings *set);

/*
 * Drops all but the newest versions of each specification (OCTAVO_OPENAPI_VERSIONS); a part of
 * purge_run().
 */
void purge_versions(struct db *db, struct arena *a, const struct settings *set);

/*
 * Drops versions that an interrupted import of the specification wrote but did not publish. Call it
 * outside any transaction, while no import of that specification writes.
 */
void versions_sweep(struct db *db, struct arena *a, const char *spec);

#endif
