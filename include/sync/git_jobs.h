/*
 * Jobs that write to git repositories: exports, and bindings, which synchronise a space and a branch
 * both ways.
 *
 * A run: fetch; complete an export that a crash interrupted; import the commits that the space lacks
 * (merge/upstream.h); make commits of the revisions that the branch lacks; record them as pending;
 * push; import the last of them, which only records main's own content as synchronised. If the
 * branch was moved meanwhile, it is fetched and merged again. A run can be killed at any point: the
 * next one completes it.
 *
 *   export   one commit with the caller's message
 *   git      a binding: one commit for each revision of main that was not exported, with the
 *            revision's author, and a merge commit where both sides changed
 *
 * Commits are based on the last synchronised commit, with edits of its tree (sync/export_step.h).
 * A push never rewrites a branch.
 */
#ifndef OCTAVO_JOBS_GIT_H
#define OCTAVO_JOBS_GIT_H

#include "app/queue.h"

/* Runs an export job to its end. job.args: as in the API, and those of import_run(). */
void export_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/* Runs a binding's job to its end. No arguments: everything is in the binding's row. */
void git_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

#endif
