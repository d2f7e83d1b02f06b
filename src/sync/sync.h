/*
 * Shared by sync.c (a run), sync_chain.c (its commits), sync_row.c (stored state) and sync_jobs.c
 * (the two kinds of job).
 */
#ifndef OCTAVO_SYNC_H
#define OCTAVO_SYNC_H

#include "export_step.h"
#include "import_parts.h"

/*
 * The last synchronised state of a space and its repository: a row of git_sync. The upstream branch
 * (merge/upstream.h) is the branch of the space that contains the imported state. Commit ids are ""
 * where there are none.
 */
struct synced {
	bool        known;         /* there is a row, of this address, branch and folder */
	char        commit[41];    /* the newest imported commit; the upstream branch has its content */
	char        done[41];      /* the last commit that equals a revision of main */
	int64_t     done_seq;      /* that revision */
	int64_t     done_outside;  /* head of the upstream branch at that time */
	char        pending[41];   /* the commit that a killed run was pushing */
	int64_t     pending_seq;   /* the revision of main that it contains */
	const char *pending_paths; /* JSON: id -> path that it gave to the file */
	const char *waiting;       /* open change request; NULL: none */
	int64_t     waiting_no;    /* its number */
};

struct sync {
	struct import    *m;          /* the import part of this run: address, credentials, job, fetch */
	struct arena     *arena;
	bool              binding;    /* synchronise in both directions, with one commit for each revision */
	bool              as_request; /* imported changes go to a change request */
	const char       *message;    /* commit message; for a binding: its template */
	struct synced     row;
	const char       *tip;        /* the branch's tip; NULL: the branch does not exist */
	char              last[41];   /* the newest commit, made or fetched */
	bool              cache_refilled;     /* the cache was emptied in this run and fetched again */
	bool              rewritten;  /* force-push: the history lacks the last synchronised commit */
	struct point      after;      /* main as it was exported */
	struct point      origin;     /* main's content in the commit on which this run's first commit is based */
	struct export_paths paths;    /* paths that this chain has given */
	size_t            commits;    /* number of commits made in this run */
	const char       *revision;   /* main's newest revision, for the result */
	bool              taken;      /* a commit was imported in this run */
	const char       *wait;       /* why the binding waits; NULL: it does not wait */
	const char       *wait_state; /* "conflict" or "waiting" */
};

/* ---- stored state ---- */

void sync_read(struct sync *s);
/* Records the pending push in a transaction of its own. False: the job was cancelled. */
bool sync_pending(struct sync *s);
void sync_not_pending(struct sync *s);
/*
 * For an export to a repository beside the one that the space follows: true if nobody else has
 * committed there since the last export. False: m->state says that such commits must be imported
 * first, because an export imports nothing.
 */
bool sync_untouched(struct sync *s);
/* Records that the commit equals revision seq of main; in the open write transaction. */
void sync_done(struct sync *s, const char *commit, int64_t seq);
/*
 * The point of the upstream branch from which revision main_seq imported a commit; false: none is
 * stored.
 */
bool sync_outside_at(struct sync *s, int64_t branch, int64_t main_seq, struct point *out);
bool sync_point(struct sync *s, int64_t branch, int64_t seq, struct point *out);
/* True if main changed between two of its revisions other than by imports. */
bool sync_own_work(struct sync *s, int64_t branch, int64_t from, int64_t to);

/* ---- commits ---- */

/* Makes the commits that the branch lacks; sets s->last and s->after. False: m->state is set. */
bool sync_commits(struct sync *s);

/* ---- a run ---- */

/*
 * Synchronises both sides. False: m->state says how the job ends, or s->wait why the binding waits.
 */
bool sync_run(struct sync *s);

#endif
