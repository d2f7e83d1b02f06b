/* How subcommands follow jobs: a runner is started if none is active. */
#ifndef OCTAVO_CMD_CONTENT_H
#define OCTAVO_CMD_CONTENT_H

#include "cmd_data.h"

/* Current or final state of a job. */
struct job_state {
	const char *state, *stage, *error, *result;
	int64_t     done, total, run_at, attempts;
};

/* Waits until the job has ended, including its retries. Ctrl-C cancels the job. */
struct job_state job_follow(struct cli *c, struct db *db, const char *id);

/*
 * Prints the job's warnings and result: as lines, or with --json as one object whose first member
 * is the given name and value.
 */
void job_report(struct cli *c, struct db *db, const char *id, const struct job_state *s, const char *name,
    const char *value);

/* A repository as given by --url and --ref. */
struct repository {
	const char *url, *user, *password;   /* address without credentials; the credentials, or NULL */
	const char *ref;                     /* NULL: not given */
};

/* Reads --url, which may be a local path, and --ref; false after printing an error. */
bool repository_option(struct cli *c, struct repository *out);

/* Returns the admin who joined the organization first; NULL: it has none. */
const char *content_author(struct cli *c, struct db *db, const char *org);

int cmd_pdf(struct cli *c);

#endif
