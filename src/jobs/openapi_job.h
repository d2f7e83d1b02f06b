/*
 * What the files of the job share; nobody else includes this.
 */
#ifndef OCTAVO_OPENAPI_JOB_H
#define OCTAVO_OPENAPI_JOB_H

#include "app/queue.h"
#include "base/settings.h"
#include "openapi/parts.h"
#include "store/content.h"

struct job_error {
	struct job_error *next;
	const char       *code;     /* SYNTAX, VERSION, INVALID, REFERENCE, FETCH, REFUSED, LIMIT, CANCELLED */
	const char       *pointer;  /* NULL: none */
	const char       *message;
};

struct openapi_job {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	const struct job      *job;
	const char            *spec, *org, *slug;
	const char            *url;          /* NULL: it was given as text */
	bool                   url_lost;     /* octavo.key was replaced: url is what was shown of it */
	int64_t                asked;        /* the request that this run answers */
	int64_t                deadline;     /* of fetching all documents; ms of time_steady() */
	const char            *latest;       /* version; NULL: none */
	struct str             hash;         /* of what that was made from */
	struct str             made_of;      /* the same of what this run read */
	const char            *etag, *modified;
	bool                   unchanged;    /* the server says so */
	struct openapi_file    first;
	enum openapi_version   version;
	struct openapi_parts   parts;
	const char            *code;         /* how it ends; NULL: well */
	struct job_error      *errors, **last_error;
	size_t                 error_count;
};

/*
 * Writes a new version with all that belongs to it, which nobody sees yet, in transactions of its
 * own; its id. What a run leaves behind that is killed meanwhile, versions_sweep() takes away.
 */
const char *openapi_stage_version(struct openapi_job *o);
/* Makes it the newest. In the job's last transaction. */
void openapi_show_version(struct openapi_job *o, const char *id, struct str hash);

#endif
