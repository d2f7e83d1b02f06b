/*
 * Imports into a space, as the job runner runs it (src/sync/import*.c) and as the API and the octavo command
 * queue it.
 */
#ifndef OCTAVO_IMPORT_H
#define OCTAVO_IMPORT_H

#include "base/arena.h"
#include "db/db.h"
#include "app/queue.h"
#include "base/settings.h"
#include "base/str.h"
#include "layout/layout.h"

/*
 * Runs an import job to its end: fetch, read, write, and job_end() or job_retry().
 * Arguments (job.args): url, ref, repoProjectDirectory, repoTreeURL, repoCommitURL, timestamp,
 * force, standalone, gitInfo as in the API, and "local": set by the admin's own command, allows
 * every path that the runner can read.
 * Memory, the cache's lock and temporary files are released when the arena ends: a failed statement
 * leaves this function without returning.
 */
void import_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job);

/*
 * Files in the git-sync layout that come from no repository: a caller made them of something else
 * (room arrive). They are imported like a commit: content of the space that people edited since the
 * last import from the same origin is merged, and what clashes goes into a change request.
 */
struct import_origin {
	const char *name;              /* used in place of the repository's address: "import:mkdocs" */
	const char *message;           /* of the revision */
	const char *commit;            /* 40 hex digits, equal for equal files */
	struct layout_source source;   /* its member `known` is not used */
	const char *title, *language;  /* of a space that has none; NULL: none */
	const struct layout_warning *warnings;   /* about the origin's own files */
	const char *counts;            /* members for the job's result, each after a comma; "": none */
	/*
	 * Converts a place in a file of the source to the origin's own file (result) and line.
	 * NULL: report the place as it is.
	 */
	const char *(*locate)(void *ctx, const char *file, size_t *line);
	/* When an element of source.entries got its content, ms; 0: unknown. */
	int64_t   (*dated)(void *ctx, const struct layout_entry *e);
	int64_t     table_bytes;       /* limit of the table of contents; 0: that of a page */
	void       *ctx;
};

/* Runs a job to its end with these files. Arguments that count: force. */
void import_origin_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job,
    const struct import_origin *origin);
/* Ends a job whose origin cannot be read. state: "failed", or "cancelled" if a user cancelled it. */
void import_origin_failed(struct db *db, struct arena *a, const struct settings *set, const struct job *job,
    const struct layout_warning *warnings, const char *state, const char *error);

#endif
