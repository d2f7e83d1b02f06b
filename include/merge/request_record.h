/*
 * The record of a change request: its number, its status, and the revisions that it began with and
 * was merged as. Its content is its branch (content.h). Code that writes, updates or merges the
 * content calls these functions. Tables change_request, and space with the counters requests,
 * requests_open, requests_draft.
 *
 * All functions run inside the write transaction of the caller. Every status is changed here, so
 * the counters of the space are right at every commit.
 */
#ifndef OCTAVO_REQUEST_RECORD_H
#define OCTAVO_REQUEST_RECORD_H

#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"

/*
 * Creates a draft over the head of the space's main branch, with its own branch and a first
 * revision (kind edits, no rows). Returns its id.
 */
char *request_make(struct db *db, struct arena *a, const char *space, int64_t main,
    const char *user, const char *subject);

/* draft, open or archived; the request must not be merged. */
void request_set_status(struct db *db, const char *request, const char *status);

/*
 * Records that the user merged the request. revision: the revision of main that the merge made;
 * main's head if there were no changes.
 */
void request_merged(struct db *db, const char *request, const char *revision, const char *user);

/* Records that the request contains all changes of main up to this revision. */
void request_updated(struct db *db, const char *request, const char *ancestor);

/* Records a change of its content: sets updated_at. */
void request_touch(struct db *db, const char *request);

#endif
