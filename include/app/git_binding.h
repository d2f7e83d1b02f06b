/*
 * Bindings of spaces to branches of repositories, as the API and the octavo command make
 * them; tables git_binding, git_delivery, schedule. What a run does: sync/git_jobs.h.
 */
#ifndef OCTAVO_GIT_BINDING_H
#define OCTAVO_GIT_BINDING_H

#include "app/queue.h"

#define GIT_MESSAGE "OCTAVO-{change_request_number}: {change_request_subject}"
/* Minutes between two looks at the repository: if nothing is said, and at most. */
enum { GIT_MINUTES = 15, GIT_MINUTES_MOST = 10080 };

struct git_binding {
	const char *space;
	const char *url;        /* without credentials, normalised */
	const char *ref;        /* refs/heads/BRANCH */
	const char *dir;        /* folder that holds the content; "": the repository's top */
	const char *provider;   /* github, gitlab, gitea, plain */
	const char *tree_url, *commit_url;   /* prefixes of addresses for people; NULL: none */
	const char *message;    /* template of commit messages */
	const char *user;       /* who makes it: author of what comes in, and whom the merge rules ask for */
	struct str  secret;     /* user name and password, sealed; n 0: those of before, if it is the same address */
	struct str  hook;       /* secret of the hook, sealed */
	int64_t     every;      /* ms between two looks */
	bool        local;      /* an admin's: any address, and any path of this machine */
};

/* Makes or replaces the space's binding and its schedule. In a write transaction. */
void git_binding_put(struct db *db, struct arena *a, const struct git_binding *b);

/* Takes it away; false: there was none. Content and what is known of the repository stay. In a write transaction. */
bool git_binding_drop(struct db *db, struct arena *a, const char *space);

/*
 * Asks for a run: the id of its job. One that waits already, perhaps for another try, begins now, and
 * sees whatever another would. user: NULL: nobody. In a write transaction; the caller wakes the runner.
 */
char *git_binding_ask(struct db *db, struct arena *a, const char *space, const char *user);

/* The id of a binding's schedule. */
char *git_schedule(struct arena *a, const char *space);

#endif
