/*
 * Git both ways: exports, and bindings that keep a space and a branch in step.
 *
 * A run: fetch; settle an export that a crash cut short; take in what the branch has
 * that the space has not (merge/upstream.h); make commits of what main has that the branch has
 * not; note them as pending; push; take in the last of them, whose content is main's own.
 * A branch that was moved meanwhile is fetched and merged again. Killed at any point,
 * another run brings both sides together.
 *
 *   export   one commit with the caller's message
 *   git      a binding: one commit for each revision of main that was not exported,
 *            by who wrote it, and a merge commit where both sides had changed
 *
 * Commits are made on the last synchronised commit, with edits of its tree
 * (sync/export_step.h). A push never rewrites a branch.
 */
#ifndef OCTAVO_JOBS_GIT_H
#define OCTAVO_JOBS_GIT_H

#include "app/queue.h"

/* Arguments as in the API, and those of import_run(). */
void export_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/* No arguments: the binding's row says everything. */
void git_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
