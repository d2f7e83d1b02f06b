/*
 * Joins consecutive saves of one author in one change request into one revision. So the history
 * shows one revision per editing session, and the database grows with the amount of text and not
 * with the number of saves. The client names the newest revision, which it made itself; the new
 * revision replaces it.
 */
#ifndef OCTAVO_REQUEST_AMEND_H
#define OCTAVO_REQUEST_AMEND_H

#include "store/content.h"

/* A later save begins a new sitting. Milliseconds. */
enum { AMEND_MS = 10 * 60 * 1000 };

/*
 * Returns the number of the revision if the next one may replace it, otherwise 0. It must be the
 * head of the request, consist of edits of this author, be younger than AMEND_MS, and no comment,
 * review, PDF or translation may refer to it.
 */
int64_t request_amendable(struct db *db, const char *request, const struct point *head, const char *revision,
    const char *author);

/*
 * Removes the revision whose number request_amendable() returned, in favour of the new head. Call
 * it after all rows are written.
 */
void request_amend(struct db *db, struct arena *a, const char *request, const struct point *now, const char *revision,
    int64_t seq);

#endif
