/*
 * What is true of every database and cannot be said in its schema: for `octavo
 * check`, and for tests that did things to one. Reads all of it, changes nothing.
 */
#ifndef OCTAVO_INVARIANTS_H
#define OCTAVO_INVARIANTS_H

#include "db/db.h"

/* How many invariants there are, and what each says. */
size_t check_count(void);
const char *check_name(size_t i);
/* What is to be done about data that breaks one. The last two are for what is found beside the invariants. */
enum check_remedy {
	CHECK_ROWS,      /* rows contradict each other: octavo salvage makes them agree */
	CHECK_DATABASE,  /* the file is damaged: a backup, else salvage */
	CHECK_INDEX,     /* search, links: a job "index" of each space makes them anew */
	CHECK_COUNT,     /* clusters of issues: conversations_recount() of each organization */
	CHECK_ADMIN,     /* somebody has to say who shall be one (octavo member add) */
	CHECK_TEXT,      /* a page's bytes: it can be written anew */
	CHECK_FILE,      /* below blobs/: a backup has it under the same name */
	CHECK_KEY,
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
