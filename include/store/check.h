/*
 * What is true of every database and cannot be said in its schema: for `octavo
 * check`, and for tests that did things to one. Reads all of it, changes nothing.
 */
#ifndef OCTAVO_CHECK_H
#define OCTAVO_CHECK_H

#include "db/db.h"

/* How many invariants there are, and what each says. */
size_t check_count(void);
const char *check_name(size_t i);
/* What makes data that breaks one anew, where it is made from other rows. */
enum check_remedy {
	CHECK_RESTORE,   /* nothing: a backup has it */
	CHECK_INDEX,     /* search, links: a job "index" of each space */
	CHECK_COUNT,     /* clusters of issues: conversations_recount() of each organization */
	CHECK_REMEDIES
};
enum check_remedy check_remedy(size_t i);

/* Looks at one; breach is called for each thing that breaks it. False: *error says why it cannot be read. */
bool check_one(struct db *db, struct arena *a, size_t i,
    void (*breach)(void *ctx, const char *what), void *ctx, const char **error);

/*
 * Bytes in the database that are not what their hash says, with the pages that have them, as
 * `page "Title" (ID) of space "Title" (ID)`. Unpacks and hashes everything: a database of this
 * program's schema alone. False: *error says why it cannot be read.
 */
bool check_bytes(struct db *db, struct arena *a, void (*breach)(void *ctx, const char *what), void *ctx,
    const char **error);

#endif
