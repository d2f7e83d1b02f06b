/*
 * Removing for good: spaces deleted longer ago than OCTAVO_PURGE_DAYS, with the
 * blobs that nothing else holds, and the records of old jobs. Works in steps of
 * a few hundred rows, so that the write lock is short. A blob's file is
 * unlinked under the write lock; a writer checks that it exists after taking it.
 */
#ifndef OCTAVO_PURGE_H
#define OCTAVO_PURGE_H

#include "db.h"
#include "settings.h"

/* Does all that is due; the number of spaces that are gone. */
int purge_run(struct db *db, const struct settings *set);

#endif
