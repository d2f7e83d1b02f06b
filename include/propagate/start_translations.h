/*
 * Translations that run: by themselves after a new revision of their source's primary
 * content, or because somebody asked. Table translation; the run is a job (kind
 * "translate", src/jobs/translate_job.c).
 */
#ifndef OCTAVO_START_TRANSLATIONS_H
#define OCTAVO_START_TRANSLATIONS_H

#include "db/db.h"

/*
 * Queues a run, unless one is queued or at work; true if it did. The first makes the
 * space that the result goes into, beside the source and with its access. In a write
 * transaction. The source must be there.
 */
bool translation_queue(struct db *db, struct arena *a, const char *id);

/* The primary content of a space has a new revision: queues the translations that follow it. In its transaction. */
void translations_follow(struct db *db, struct arena *a, const char *space);

#endif
