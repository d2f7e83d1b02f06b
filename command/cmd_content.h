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

/* A repository as --url and --ref name it. */
struct repository {
	const char *url, *user, *password;   /* the address without credentials, and those; or NULL */
	const char *ref;                     /* NULL: not given */
};

/* Reads --url, which may be a path of this machine, and --ref; false after a complaint. */
bool repository_option(struct cli *c, struct repository *out);

/* The admin of an organization who has been one for longest; NULL: it has none. */
const char *content_author(struct cli *c, struct db *db, const char *org);

int cmd_pdf(struct cli *c);

#endif
