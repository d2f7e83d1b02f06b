/*
 * Taking in a commit that is in the cache: what the import job and the one that keeps a
 * space and its repository in step share.
 *
 *   import.c        the import job
 *   import_take.c   read, plan, files, write
 *   import_note.c   what is told: warnings, the result, the commit's record
 *   import_plan.c   ids, order, links
 *   import_include.c  texts that pages include
 *   import_reuse.c  links of pages that did not change
 *   import_look.c   what bodies say
 *   import_aside.c  a change request of what clashed
 *   git_source.c    what is known of which repository
 */
#ifndef OCTAVO_IMPORT_PARTS_H
#define OCTAVO_IMPORT_PARTS_H

#include <cjson/cJSON.h>

#include "app/queue.h"
#include "base/map.h"
#include "base/settings.h"
#include "git/git.h"
#include "import_plan.h"
#include "merge/upstream.h"

struct warning {
	struct warning *next;
	const char     *file;
	size_t          line;
	const char     *message;
};

/* The list of warnings as it was at some time: what came after it can be dropped. */
struct warning_mark {
	struct warning **last;
	size_t           count;
};

struct import {
	struct db             *db;
	const struct settings *set;
	const struct job      *job;
	struct arena          *arena;
	const cJSON           *args;
	const char            *url, *ref, *dir;
	struct git_result      got;
	const char            *skipped;      /* why nothing was imported; NULL: it was */
	struct git_tree       *tree;
	struct layout_source   source;   /* the layout reads it as long as it is asked */
	struct layout          layout;
	struct plan            plan;
	struct blob_batch     *blobs;
	struct point           view;
	struct point           held_at;  /* what was listed last, and what it holds (UPSTREAM_KINDS) */
	const struct node     *held;
	size_t                 held_n;
	struct wanted         *list;     /* what is kept */
	size_t                 n;
	struct warning_mark    begun;    /* before those of this commit */
	struct warning_mark    planned;  /* behind those of the plan: the notes of a pass follow */
	struct warning_mark    noted;    /* behind the notes of the last pass */
	struct warning        *notes;    /* of the last pass; NULL: none */
	size_t                 warned;   /* warnings that are written, with the notes of the last pass */
	struct warning        *warnings, **last_warning;
	size_t                 warning_count, unresolved;
	int64_t                deadline;       /* ms of time_steady() */
	int64_t                told;           /* the same: when it last said how many files it has */
	/* Of a job that does more than taking in. */
	const struct point    *exported;       /* the commit was made from this point of main; NULL: it was not */
	const struct map      *paths;          /* then: id -> file that the export gave it */
	const char            *from;           /* the commit that the view holds; NULL or "": all pages are read */
	const char            *known;          /* as git_request.known; NULL: none */
	bool                   local;          /* an admin's binding: any address will do */
	bool                   aside;          /* all that differs goes to a change request */
	bool                   forced;         /* an import that makes a revision even where nothing differs */
	bool                   alone;          /* an import that makes a revision beside main */
	bool                   beside;         /* the space does not follow this repository: git_source holds what is known */
	int64_t                branch;         /* the repository's upstream branch, 0: none yet; since the last plan */
	bool                   returned;       /* it follows it again */
	const struct map      *pair;           /* then, and after another one: id -> path of its file here; NULL: not known */
	const char            *request;        /* out: change request with what clashed; NULL: nothing did */
	/* Instead of ending the job: in the publishing transaction. NULL: the job ends. */
	void                 (*taken)(struct import *m, const struct upstream_result *out);
	void                  *ctx;
	int64_t                looked;         /* ms: when it was asked last whether to go on */
	bool                   lost;           /* it stopped since the cache lacks what was fetched: fetch anew */
	const char            *state;          /* how it ends, where it ends early */
	const char            *error;
};


const char *import_text(const struct import *m, const char *name);
bool import_flag(const struct import *m, const char *name);

/* Notes how the job ends; false. */
bool import_stop(struct import *m, const char *state, const char *error);
/* Shows where it is; false when it shall end. */
bool import_step(struct import *m, const char *stage, int64_t done, int64_t total);

/* The cache of an address. */
char *import_cache(struct arena *a, const struct settings *set, const char *url);
/* A job that takes in: its arguments read, its arena, its time counted from now. */
struct import *import_begin(struct db *db, struct arena *a, const struct settings *set, const struct job *job);
/* Ends the job as m->state says, or queues it again for later; in the open write transaction. result: JSON or NULL. */
void import_end_early(struct import *m, const char *result);

/* A transfer to or from m->url, within the limits and rules, with the job's credentials. False: m->state. */
bool import_request(struct import *m, struct git_request *q);
/* Another try later, or after the last of them the end of the job. False, m->state. */
bool import_again(struct import *m, const char *error);
/* A transfer failed: worth another try, or the end of the job. False, m->state. */
bool import_failed(struct import *m, const struct git_result *r);
/* Fetches m->url; m->got. False: m->state says how the job ends. */
bool import_fetch(struct import *m);

/* Stops: a commit of the cache cannot be read, or none be made of it. False, m->state and m->lost. */
bool import_unread(struct import *m, const char *commit, const char *error);

/*
 * What a point holds, m->held_n nodes of UPSTREAM_KINDS, in the open transaction: listed once for all
 * that is asked of it one after another. Such a list takes as long as much that a small commit needs.
 */
const struct node *import_held(struct import *m, const struct point *at);

/* Takes m->got in. False: m->state. */
bool import_take(struct import *m);

/* Do merge rules stand between this user (NULL: nobody any more) and the space's content? */
bool import_waits(struct import *m, const char *user);

/* Adds a warning. Not while an export's own commit is read again: that tells nothing new. */
void import_warn(struct import *m, const char *file, size_t line, const char *message);
struct warning_mark import_mark(const struct import *m);
/* Drops the warnings that were added since. */
void import_unwarn(struct import *m, struct warning_mark since);
/* Writes what was warned of; in the open transaction, or as many as it takes. */
void import_write_warnings(struct import *m);
char *import_result(struct import *m, const char *revision, bool changed);
char *import_commit_json(struct import *m);
/* The row of git_sync or, beside that, of git_source; in the publishing transaction. branch: the upstream branch. */
void import_remember(struct import *m, int64_t branch);

/* What an event says of the repository where it changes nothing else (gitInfo, prefixes, timestamp); in a write transaction. */
void import_remember_event(struct import *m);

/*
 * Before m->url, m->dir and ref (a full name) are read or written; each in a transaction of its own.
 * source_return(): was the space synchronised with this source before another, what was known of it
 * then is known again: row, commits and upstream branch. source_begin(): nothing is known of it but
 * where its files are (m->pair); the last source's state is what the first merge begins with, and is
 * kept for that source. An import returns only to what was written beside the source that the space
 * follows (is_beside): of another one it shows what that holds.
 */
void source_return(struct import *m, const char *ref);
void source_begin(struct import *m, const char *ref);
bool source_is_beside(struct import *m, const char *ref);

/*
 * Of an export: does the space follow another repository than this, or shall it follow none
 * (alone)? Then m->beside, and everything that is remembered of it is a row of git_source.
 */
void source_choose(struct import *m, const char *ref, bool alone);

/* The upstream branch of the job's repository, 0: none; and what that held last (main, where there is none). */
int64_t source_branch(struct import *m);
bool source_view(struct import *m, struct point *out);

/* A statement over git_source with the job's source bound: :space, :url, :ref, :dir. */
struct stmt *source_use(struct import *m, const struct sql *sql, const char *ref);

/* A change request of what clashed, in the publishing transaction; its id, NULL: nothing did. */
char *import_aside(struct import *m, const struct upstream_result *out);

#endif
