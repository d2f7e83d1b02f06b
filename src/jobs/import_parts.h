/*
 * Taking in a commit that is in the cache: what the import job and the one that keeps a
 * space and its repository in step share.
 *
 *   import.c        the import job
 *   import_take.c   read, plan, files, write
 *   import_note.c   what is told: warnings, the result, the commit's record
 *   import_plan.c   ids, order, links
 *   import_aside.c  a change request of what clashed
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
	struct wanted         *list;     /* what is kept */
	size_t                 n;
	struct warning       **planned;  /* behind those of the plan */
	size_t                 planned_count;
	size_t                 warned;   /* warnings that are written, with the notes of the last pass */
	struct warning        *warnings, **last_warning;
	size_t                 warning_count, unresolved;
	int64_t                deadline;       /* ms of time_steady() */
	int64_t                told;           /* the same: when it last said how many files it has */
	/* Of a job that does more than taking in. */
	const struct point    *exported;       /* the commit was made from this point of main; NULL: it was not */
	const struct map      *paths;          /* then: id -> file that the export gave it */
	bool                   local;          /* an admin's binding: any address will do */
	bool                   aside;          /* all that differs goes to a change request */
	const char            *request;        /* out: change request with what clashed; NULL: nothing did */
	/* Instead of ending the job: in the publishing transaction. NULL: the job ends. */
	void                 (*taken)(struct import *m, const struct upstream_result *out);
	void                  *ctx;
	int64_t                looked;         /* ms: when it was asked last whether to go on */
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
/* Which addresses are allowed. */
void import_rules(const struct import *m, struct git_request *q);
/* Fetches m->url; m->got. False: m->state says how the job ends. */
bool import_fetch(struct import *m);

/* Takes m->got in. False: m->state. */
bool import_take(struct import *m);

void import_warn(struct import *m, const char *file, size_t line, const char *message);
/* Writes what was warned of; in the open transaction, or as many as it takes. */
void import_write_warnings(struct import *m);
char *import_result(struct import *m, const char *revision, bool changed);
char *import_commit_json(struct import *m);
/* The row of git_sync; in the publishing transaction. */
void import_remember(struct import *m);

/* A change request of what clashed, in the publishing transaction; its id, NULL: nothing did. */
char *import_aside(struct import *m, const struct upstream_result *out);

#endif
