/*
 * Running a translation: what propagate/start_translations.h queues. Table translation*.
 *
 *   look     the source at its head, the engine, the glossary
 *   collect  the texts of what changed since the last complete run
 *   ask      those that the memory does not know, in batches; each goes into the memory
 *            as it comes, so that a run that is cut off goes on there
 *   apply    page by page; what does not keep its structure stays as it was, and is told
 *   take     into the result as a state of upstream (merge/upstream.h), where
 *            corrections win: block by block, property by property
 *
 * The result never shows a half of it. A failure is told in the translation's row, whose
 * last result stays.
 */
#ifndef OCTAVO_JOBS_TRANSLATE_H
#define OCTAVO_JOBS_TRANSLATE_H

#include "app/queue.h"

/* Arguments: translation, its id. job->space is the result. */
void translate_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
