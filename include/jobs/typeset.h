/*
 * Highlights code and typesets formulas of a published space before its first reader comes
 * (src/jobs/typeset_job.c). The schedule "typeset:SPACE" (app/queue.h), which
 * src/api/sites/site_rows.c makes, queues jobs of the kind "typeset".
 */
#ifndef OCTAVO_JOBS_TYPESET_H
#define OCTAVO_JOBS_TYPESET_H

#include "app/queue.h"

void typeset_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
