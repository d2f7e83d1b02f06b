/* Jobs as the octavo command follows them: a runner is started where none is at work. */
#ifndef OCTAVO_CMD_CONTENT_H
#define OCTAVO_CMD_CONTENT_H

#include "cmd_data.h"

/* What became of a job. */
struct seen {
	const char *state, *stage, *error, *result;
	int64_t     done, total, run_at, attempts;
};

/* Follows the job to its end, over its retries; Ctrl-C ends it. */
struct seen job_follow(struct cli *c, struct db *db, const char *id);

/* Prints its warnings and its result: lines, or one JSON value that begins with a name and its value. */
void job_report(struct cli *c, struct db *db, const char *id, const struct seen *s, const char *name,
    const char *value);

int cmd_pdf(struct cli *c);

#endif
