/*
 * Queues runs of translations: after a new revision of the source's primary content, or on request.
 * Table translation; the run is a job (kind "translate", src/jobs/translate_job.c).
 */
#ifndef OCTAVO_START_TRANSLATIONS_H
#define OCTAVO_START_TRANSLATIONS_H

#include "db/db.h"

/*
 * Queues a run, unless one is queued or running; true if it did. The first run makes the space of
 * the result, beside the source and with the same access. In a write transaction. The source must
 * exist.
 */
bool translation_queue(struct db *db, struct arena *a, const char *id);

/*
 * Queues the translations that follow a space automatically, after a new revision of its primary
 * content. In the same transaction.
 */
void translations_follow(struct db *db, struct arena *a, const char *space);

/*
 * Queues the automatic translation whose result was waiting in this change request, once the
 * request is merged or archived. Its runs failed while the request was open. In the same
 * transaction.
 */
void translation_resume(struct db *db, struct arena *a, const char *request);

#endif
