/*
 * Bindings of spaces to branches of git repositories, for the API and the octavo command. Tables
 * git_binding, git_delivery, schedule. sync/git_jobs.h describes what a job of a binding does.
 */
#ifndef OCTAVO_GIT_BINDING_H
#define OCTAVO_GIT_BINDING_H

#include "app/queue.h"

#define GIT_MESSAGE "OCTAVO-{change_request_number}: {change_request_subject}"
/* Minutes between two checks of the repository: the default, and the maximum. */
enum { GIT_MINUTES = 15, GIT_MINUTES_MOST = 10080 };

struct git_binding {
	const char *space;
	const char *url;        /* without credentials, normalised */
	const char *ref;        /* refs/heads/BRANCH */
	const char *dir;        /* folder with the content; "": the root of the repository */
	const char *provider;   /* github, gitlab, gitea, plain */
	const char *tree_url, *commit_url;   /* prefixes of web addresses; NULL: none */
	const char *message;    /* template of commit messages */
	const char *user;       /* creator: author of imported revisions, and the user that merge rules apply to */
	struct str  secret;     /* user name and password, sealed; n 0: keep the stored ones, which is allowed if the address does not change */
	struct str  hook;       /* secret of the hook, sealed */
	int64_t     every;      /* ms between two checks */
	bool        local;      /* made by an admin: any address, and any path of this machine */
};

/* Makes or replaces the space's binding and its schedule. Inside a write transaction. */
void git_binding_put(struct db *db, struct arena *a, const struct git_binding *b);

/*
 * Deletes it; false: there was none. The content and the known state of the repository stay. Inside
 * a write transaction.
 */
bool git_binding_drop(struct db *db, struct arena *a, const char *space);

/*
 * Queues a job for the binding and returns the job's id. A job of the binding that waits already,
 * perhaps for another attempt, becomes due now. user NULL: none. Inside a write transaction; the
 * caller wakes the runner.
 */
char *git_binding_queue_run(struct db *db, struct arena *a, const char *space, const char *user);

/*
 * A commit message by a template, ending with a newline. number 0: there is no request, and a template
 * with a placeholder gives the subject alone.
 */
char *git_message_fill(struct arena *a, const char *message, int64_t number, const char *subject);

/* The id of a binding's schedule. */
char *git_schedule(struct arena *a, const char *space);

#endif
