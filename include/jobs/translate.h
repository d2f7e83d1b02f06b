/*
 * Runs a translation, which propagate/start_translations.h queues. Tables translation*.
 *
 *   look     reads the source at its head, the engine, the glossary
 *   collect  lists the texts of nodes that changed since the last complete run
 *   ask      sends the texts that the memory does not have to the engine, in batches; each answer
 *            is stored in the memory at once, so an interrupted run continues from there
 *   apply    page by page; a block that would lose its structure stays untranslated, with a warning
 *   take     merges the pages into the result as a state of upstream (merge/upstream.h);
 *            corrections win, block by block and property by property
 *
 * The result never shows a partial translation. A failure is recorded in the translation's row, and
 * the last result stays.
 */
#ifndef OCTAVO_JOBS_TRANSLATE_H
#define OCTAVO_JOBS_TRANSLATE_H

#include "app/queue.h"

/*
 * Runs a job of a translation. Arguments: translation, its id. job->space is the space of the
 * result.
 */
void translate_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
