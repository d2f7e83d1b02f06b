/*
 * The record of a change request: number, status, and which revisions it came
 * from and went to. Its content is its branch (content.h); what writes, updates
 * and merges that content tells the record here. Tables change_request and the
 * counters requests, requests_open, requests_draft of space.
 *
 * All of it runs inside the caller's write transaction, and is how every
 * status changes: so the counters of the space are right at every commit.
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
 * Records that the user merged it: revision is the revision of main that the merge made or, without
 * changes, main's head.
 */
void request_merged(struct db *db, const char *request, const char *revision, const char *user);

/* Records that it has taken in main up to this revision of main. */
void request_updated(struct db *db, const char *request, const char *ancestor);

/* Records a change of its content: sets updated_at. */
void request_touch(struct db *db, const char *request);

#endif
