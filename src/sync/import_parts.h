/*
 * Importing a commit that is in the cache: shared by the import job and by the jobs that write to
 * repositories (sync.h).
 *
 *   import.c          the import job
 *   import_take.c     read, plan, files, write
 *   import_note.c     what is reported: warnings, the result, the commit's record
 *   import_plan.c     ids, links
 *   import_order.c    order keys
 *   import_include.c  texts that pages include
 *   import_reuse.c    links of unchanged pages
 *   import_look.c     parsing of bodies
 *   import_keep.c     stores and indexes what was read
 *   import_conflicts.c    a change request with the conflicts
 *   git_source.c      the state of each repository that the space was paired with
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
#include "sync/import.h"

struct warning {
	struct warning *next;
	const char     *file;
	size_t          line;
	const char     *message;
};

/* A position in the list of warnings: later ones can be dropped. */
struct warning_mark {
	struct warning **last;
	size_t           count;
};

struct import {
	struct db             *db;
	const struct settings *set;
	const struct job      *job;
	struct arena          *arena;
	const cJSON           *args;     /* of the job */
	const char            *url, *ref, *dir; /* address of the repository, branch or tag, project directory in it */
	struct git_result      got;      /* the commit to import */
	const char            *skipped;      /* why nothing was imported; NULL: something was */
	const struct import_origin *origin;   /* files that come from no repository; NULL: a commit */
	struct git_tree       *tree;     /* of the commit; NULL with `origin` */
	struct layout_source   source;   /* must stay open while the layout is used */
	struct layout          layout;   /* what was read of the files */
	struct plan            plan;     /* the nodes that the space should have */
	struct blob_batch     *blobs;    /* bytes of new files */
	struct import_text    *texts;    /* read by the plan and not stored yet, in its batch arena */
	size_t                 text_count, text_room;
	size_t                 texts_done; /* texts stored so far, for the progress */
	struct point           view;     /* upstream's last state (merge/upstream.h) */
	struct point           nodes_at; /* the point whose nodes `nodes` lists (import_nodes()) */
	const struct node     *nodes;    /* NULL: not listed yet */
	size_t                 node_count;
	struct wanted         *list;     /* the nodes to import */
	size_t                 n;
	struct warning_mark    begun;    /* position in the list before the warnings of this commit */
	struct warning_mark    planned;  /* position after the warnings of the plan; those of a pass follow */
	struct warning_mark    noted;    /* position after the warnings of the last pass */
	struct warning        *notes;    /* warnings of the last pass; NULL: none */
	size_t                 warned;   /* number of warnings written, with the notes of the last pass */
	struct warning        *warnings, **last_warning;
	size_t                 warning_count;
	size_t                 unresolved;     /* number of links without a target */
	int64_t                deadline;       /* ms of time_steady() */
	int64_t                reported_at;    /* ms of time_steady(): last call of import_report() that reported */
	/* For jobs that also export: */
	const struct point    *exported;       /* the point of main from which this program made the commit; NULL: somebody else made it */
	const struct map      *paths;          /* if exported: id -> path given by the export */
	const char            *from;           /* the commit whose content the view has; NULL or "": read all pages */
	const char            *known;          /* see git_request.known; NULL: none */
	bool                   local;          /* an admin's command: any address is allowed */
	bool                   as_request;     /* put all differences into a change request */
	bool                   forced;         /* make a revision even if nothing differs */
	bool                   standalone;     /* make a revision of a new branch; main stays unchanged */
	bool                   branch_only;    /* the space follows another repository: state is in git_source */
	int64_t                branch;         /* the repository's upstream branch; 0: none; set by the plan */
	bool                   returned;       /* the space follows this repository again */
	const struct map      *paired_paths;           /* id -> path of its file in this repository, after another one; NULL: unknown */
	const char            *request;        /* result: change request with the conflicts; NULL: none */
	/* It is called in the publishing transaction instead of ending the job. NULL: the job ends. */
	void                 (*on_publish)(struct import *m, const struct upstream_result *out);
	void                  *ctx;
	int64_t                checked_at;     /* ms: last check whether the job may go on */
	bool                   cache_incomplete; /* stopped since the cache lacks objects: fetch again */
	const char            *state;          /* the job's state if it ends early */
	const char            *error;          /* and why; NULL: no message */
};

/* Arguments of the job by name: a text (NULL: missing), and a flag (false if it is missing). */
const char *import_text(const struct import *m, const char *name);
bool import_flag(const struct import *m, const char *name);

/* Sets the job's state and error; always false. error must live as long as the job's arena. */
bool import_stop(struct import *m, const char *state, const char *error);
/* Reports that `done` of `total` (0: unknown) parts of a stage are done; false when the job has to end, with m->state set. */
bool import_step(struct import *m, const char *stage, int64_t done, int64_t total);
/* The same for work on the items of the plan; it may be called for each item, and reports a few times a second. */
bool import_report(struct import *m, const char *stage, int64_t done);

/* ---- import_keep.c: functions of struct plan; ctx is the import ---- */
void import_keep(void *ctx, struct item *i, struct str body, struct str refs, const struct search_body *read);
bool import_flush(void *ctx);
/* Indexes the pages that include texts, when all link maps are made. */
void import_index_includes(struct import *m);

/* The path of the cache of an address. */
char *import_cache(struct arena *a, const struct settings *set, const char *url);
/* Starts a job that imports: reads its arguments, makes its arena, starts its time limit. */
struct import *import_begin(struct db *db, struct arena *a, const struct settings *set, const struct job *job);
/*
 * Ends the job with m->state, or queues it for a retry; in the open write transaction. result: JSON
 * or NULL.
 */
void import_end_early(struct import *m, const char *result);

/*
 * Fills a transfer to or from m->url, with the limits, rules and credentials of the job. False:
 * m->state is set.
 */
bool import_request(struct import *m, struct git_request *q);
/* Makes the job try again later; after the last attempt it fails. Always false, with m->state set. */
bool import_retry(struct import *m, const char *error);
/* Handles a failed transfer: requests another attempt, or ends the job. Always returns false, with m->state set. */
bool import_failed(struct import *m, const struct git_result *r);
/* Fetches m->url into the cache; the result is in m->got. False: m->state is set. */
bool import_fetch(struct import *m);

/*
 * The cache lacks objects of a commit, or a commit cannot be made from it. Always false; sets
 * m->state and m->cache_incomplete.
 */
bool import_fail_unreadable(struct import *m, const char *commit, const char *error);

/*
 * The m->node_count nodes (UPSTREAM_KINDS) at a point; in the open transaction. The list is kept while
 * the point stays the same, because listing takes as long as all else that a small commit needs.
 */
const struct node *import_nodes(struct import *m, const struct point *at);

/* Imports m->got: plans and writes it. False: m->state is set. */
bool import_take(struct import *m);

/* True if merge rules keep this user (NULL: the account is gone) from publishing to the space. */
bool import_is_restricted(struct import *m, const char *user);

/*
 * Adds a warning; ignored while this program's own commit is imported, since it would repeat known
 * ones.
 */
void import_warn(struct import *m, const char *file, size_t line, const char *message);
struct warning_mark import_mark(const struct import *m);
/* Drops the warnings that were added since the mark. */
void import_drop_warnings(struct import *m, struct warning_mark since);
/* Writes the warnings to the job; in the open transaction, or split over several. */
void import_write_warnings(struct import *m);
/* The job's result as JSON. revision: main's newest one; changed: this import made it. */
char *import_result(struct import *m, const char *revision, bool changed);
/* The imported commit as JSON, for revision.git. */
char *import_commit_json(struct import *m);
/*
 * Writes the source's state to git_sync or, if m->branch_only, to git_source; in the publishing
 * transaction. branch: the upstream branch.
 */
void import_remember(struct import *m, int64_t branch);

/*
 * Stores what an event sets about the repository (gitInfo, prefixes, timestamp) when nothing else
 * changes; in a write transaction.
 */
void import_remember_event(struct import *m);

/*
 * Call these before state of m->url, m->dir and ref (a full name) is read or written; each has a
 * transaction of its own.
 * source_return(): if the space was synchronised with this source before another one, restores that
 * state: row, commits and upstream branch.
 * source_begin(): starts without state, except for the paths of the pages' files (m->paired_paths). The
 * first merge starts from the state of the last source, which is kept for that source.
 * source_is_beside(): true if the space was also exported to this source while it follows another one.
 * An import returns only to such a source; of any other source it shows what that holds.
 */
void source_return(struct import *m, const char *ref);
void source_begin(struct import *m, const char *ref);
bool source_is_beside(struct import *m, const char *ref);

/*
 * For an export: sets m->branch_only if the space follows another repository, or if it should follow
 * none (alone). All state of this repository is then stored in git_source.
 */
void source_choose(struct import *m, const char *ref, bool alone);

/*
 * source_branch(): the upstream branch of the job's repository; 0: none. source_view(): the point
 * that it holds; main's if there is no branch.
 */
int64_t source_branch(struct import *m);
bool source_view(struct import *m, struct point *out);

/* A statement over git_source with the job's source bound: :space, :url, :ref, :dir. */
struct stmt *source_use(struct import *m, const struct sql *sql, const char *ref);

/*
 * Makes a change request with the conflicts, in the publishing transaction. Returns its id; NULL:
 * no conflicts.
 */
char *import_conflict_request(struct import *m, const struct upstream_result *out);

#endif
