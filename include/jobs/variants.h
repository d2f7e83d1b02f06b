/*
 * Makes variants of the pictures of a published space (store/variants.h), in octavo-pdf. The job
 * "typeset" of the space, which runs after each change and once a day, queues the job "variants" if
 * pictures lack variants.
 */
#ifndef OCTAVO_JOBS_VARIANTS_H
#define OCTAVO_JOBS_VARIANTS_H

#include "app/queue.h"

void variants_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/* Lists the hashes of pictures of a published space that lack variants. In a transaction. */
struct str *variants_lacking(struct db *db, struct arena *a, const char *dir, const char *space, size_t *count);

/* Queues the job, if pictures lack variants and no job of the space waits or runs. In transactions of its own. */
void variants_queue(struct db *db, struct arena *a, const char *dir, const char *space);

#endif
