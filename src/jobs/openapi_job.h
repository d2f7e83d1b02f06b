/* The job "openapi", which makes versions of a specification. Private to the files of this job. */
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
	const char            *url;          /* NULL: the text was given */
	bool                   url_lost;     /* octavo.key was replaced: url lacks the secret part */
	int64_t                asked;        /* number of the request that this run serves; each request raises it */
	int64_t                deadline;     /* for fetching all documents; ms of time_steady() */
	const char            *latest;       /* id of the newest version; NULL: none */
	struct str             hash;         /* hash of the documents of the newest version */
	struct str             made_of;      /* hash of the documents of this run */
	const char            *etag, *modified;  /* of the last answer; NULL: fetch unconditionally */
	bool                   unchanged;    /* the server answered "not modified" */
	bool                   incomplete;   /* a document was not fetched that the newest version may have */
	struct openapi_file    first;
	enum openapi_version   version;
	struct openapi_parts   parts;
	bool                   flat;         /* there are too many operations and models to give each a page */
	const char            *code;         /* the specification's error code; NULL: success */
	struct job_error      *errors, **last_error;
	size_t                 error_count;
};

/*
 * Writes a new version with all its parts, not shown yet, in transactions of its own; returns its
 * id. If the run is killed, versions_sweep() removes the version.
 */
const char *openapi_stage_version(struct openapi_job *o);
/* Shows the version as the newest one; call it in the job's last transaction. */
void openapi_show_version(struct openapi_job *o, const char *id, struct str hash);

#endif
