/*
 * Consecutive saves of one author in one change request become one revision, so that the history shows
 * sittings and not each save, and the database grows with what was written and not with how often it was
 * saved. The writer names the newest revision, which it made; the new revision then replaces it.
 */
#ifndef OCTAVO_REQUEST_AMEND_H
#define OCTAVO_REQUEST_AMEND_H

#include "store/content.h"

/* A later save begins a new sitting. Milliseconds. */
enum { AMEND_MS = 10 * 60 * 1000 };

/*
 * The number of the revision if the next one may replace it: it is the head of the request, edits of this author
 * that were written less than AMEND_MS ago, and no comment, review, PDF or translation was made of it. Otherwise 0.
 */
int64_t request_amendable(struct db *db, const char *request, const struct point *head, const char *revision,
    const char *author);

/* Replaces the revision, whose number request_amendable() found, by the new head. Call it after all rows are written. */
void request_amend(struct db *db, struct arena *a, const char *request, const struct point *now, const char *revision,
    int64_t seq);

#endif
