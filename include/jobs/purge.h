/*
 * Removing for good: spaces deleted longer ago than OCTAVO_PURGE_DAYS, with the
 * bytes that nothing else holds, and the records of old jobs; once a day also
 * what writers left behind that died (blob.h).
 *
 * Works in steps of a few hundred rows, so that the write lock is short. It may
 * be killed between any two: the first step takes the space for good, under the
 * lock and only if it is still due, and from then on nobody can restore it; the
 * next run goes on. Rows go before their files.
 */
#ifndef OCTAVO_PURGE_H
#define OCTAVO_PURGE_H

#include "db/db.h"
#include "base/settings.h"

/* Does all that is due, outside any transaction; the number of spaces that are gone. */
int purge_run(struct db *db, struct arena *a, const struct settings *set);

#endif
