/*
 * Between sync.c (a run), sync_chain.c (its commits), sync_row.c (what is remembered) and
 * sync_jobs.c (the two kinds of job).
 */
#ifndef OCTAVO_SYNC_H
#define OCTAVO_SYNC_H

#include "export_step.h"
#include "import_parts.h"

/* What a space and its repository knew of each other last: a row of git_sync. Ids "" where there are none. */
struct synced {
	bool        known;         /* there is a row, of this address, branch and folder */
	char        commit[41];    /* what the upstream branch holds */
	char        done[41];      /* what done_seq of main was exported as, or taken in from */
	int64_t     done_seq, done_outside;
	char        pending[41];   /* on its way when the last run ended */
	int64_t     pending_seq;
	const char *pending_paths;
	const char *waiting;       /* change request that is not merged yet; NULL: none */
	int64_t     waiting_no;    /* its number */
};

struct sync {
	struct import    *m;          /* address, credentials, job, fetch; takes in */
	struct arena     *arena;
	bool              binding;    /* both ways, and a commit a revision */
	bool              aside;      /* what comes in goes to a change request */
	const char       *message;    /* of the one commit; of a binding: the template */
	struct synced     row;
	const char       *tip;        /* the branch's commit; NULL: there is no such branch */
	char              last[41];   /* the newest commit that was made or found */
	bool              healed;     /* the cache was emptied: it has nothing of what is known */
	bool              rewritten;  /* the branch's history does not hold what was synchronised */
	struct point      after;      /* main, as it was exported */
	struct point      origin;     /* what the commit before the chain holds */
	struct export_paths paths;    /* that the chain has given */
	size_t            commits;    /* made in this run */
	const char       *revision;   /* main's newest, for the result */
	bool              taken;      /* something came in */
	const char       *wait;       /* why the binding waits; NULL: it does not */
	const char       *wait_state; /* conflict, waiting */
};

/* ---- what is remembered ---- */

void sync_read(struct sync *s);
/* In a transaction of its own. False: the job was cancelled. */
bool sync_pending(struct sync *s);
void sync_not_pending(struct sync *s);
/*
 * Has nobody else changed, in a repository beside, the files that the space was written to? False: m->state
 * says that such commits have to be imported first, for an export takes nothing in from there.
 */
bool sync_untouched(struct sync *s);
/* Main's revision seq is what the commit says; in the open write transaction. */
void sync_done(struct sync *s, const char *commit, int64_t seq);
/* Upstream branch where a revision of main took a commit in; false: it is not known. */
bool sync_outside_at(struct sync *s, int64_t branch, int64_t main_seq, struct point *out);
bool sync_point(struct sync *s, int64_t branch, int64_t seq, struct point *out);
/* Did main change between two of its revisions other than by taking in? */
bool sync_own_work(struct sync *s, int64_t branch, int64_t from, int64_t to);

/* ---- commits ---- */

/* Makes the commits that the branch lacks: s->last, s->after. False: m->state. */
bool sync_commits(struct sync *s);

/* ---- a run ---- */

/* Brings both sides together. False: m->state says how the job ends, or s->wait why it waits. */
bool sync_run(struct sync *s);

#endif
