/*
 * Answers that a worker keeps for as long as nobody commits anything (db_moment): what they depend
 * on is in the question, in the database, and in the time where `until` says so. The question is
 * compared whole and holds who asks, so that nobody gets the answer of another.
 *
 * One memory a process, of some megabytes. It begins anew with each commit, and when it is full.
 */
#ifndef OCTAVO_RECALL_H
#define OCTAVO_RECALL_H

#include "db/db.h"

struct recalled {
	struct str head, body;   /* two texts, which are the caller's business */
	int64_t    until;        /* ms; 0: the time does not matter */
};

/*
 * In the transaction in which the answer would be made. NULL: it has to be. The result is valid
 * until the next call of either function.
 */
const struct recalled *recall_find(struct db *db, const char *question);

/* In the transaction in which the answer was made; copies both. One that is too large is not kept. */
void recall_put(struct db *db, const char *question, const struct recalled *answer);

#endif
