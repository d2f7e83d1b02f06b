/*
 * Conditions that hold in every database and that its schema cannot express. For `octavo check` and
 * for tests. Reads everything and changes nothing.
 */
#ifndef OCTAVO_INVARIANTS_H
#define OCTAVO_INVARIANTS_H

#include "db/db.h"

/* The number of invariants, and the sentence that describes each one. */
size_t check_count(void);
const char *check_name(size_t i);
/*
 * What an admin can do about a breach. CHECK_TEXT, CHECK_FILE and CHECK_KEY are for faults that
 * octavo check finds outside of the invariants.
 */
enum check_remedy {
	CHECK_ROWS,      /* rows contradict each other: octavo salvage corrects them */
	CHECK_DATABASE,  /* the file is damaged: restore a backup, or use octavo salvage */
	CHECK_INDEX,     /* search, links: a job "index" of each space builds them again */
	CHECK_COUNT,     /* clusters of issues: conversations_recount() of each organization */
	CHECK_ADMIN,     /* a person must name an admin (octavo member add) */
	CHECK_TEXT,      /* the text of a page is damaged: it must be written again */
	CHECK_FILE,      /* a file below blobs/ is missing: copy it from a backup */
	CHECK_KEY,       /* octavo.key is that of another installation: restore it, or octavo check --accept-key */
	CHECK_REMEDIES
};
enum check_remedy check_remedy(size_t i);

/*
 * Checks one invariant; breach is called with each breach. False: the database cannot be read, and
 * *error says why.
 */
bool check_one(struct db *db, struct arena *a, size_t i,
    void (*breach)(void *ctx, const char *what), void *ctx, const char **error);

/*
 * Finds bytes in the database that do not match their hash, with the pages that use them, as `page
 * "Title" (ID) of space "Title" (ID)`. Unpacks and hashes everything; needs a database with this
 * program's schema. False: it cannot be read, and *error says why.
 */
bool check_bytes(struct db *db, struct arena *a, void (*breach)(void *ctx, const char *what), void *ctx,
    const char **error);

#endif
