/*
 * Answers that a worker keeps for as long as the data that they were made of are the same: the
 * caller says by a number of which state they are, db_moment() for "until anybody commits". What
 * else an answer depends on is in the question, and in the time where `until` says so. The
 * question is compared whole and holds who asks, so that nobody gets the answer of another.
 *
 * One memory a process, of some megabytes and of one state. It begins anew with each other state,
 * and when it is full.
 */
#ifndef OCTAVO_RECALL_H
#define OCTAVO_RECALL_H

#include <stdint.h>

#include "base/str.h"

struct recalled {
	struct str head, body;   /* two texts, which are the caller's business */
	int64_t    until;        /* ms; 0: the time does not matter */
};

/*
 * In the transaction in which the answer would be made, which the state is read in. NULL: it has to be. The result is valid
 * until the next call of either function.
 */
const struct recalled *recall_find(uint64_t state, const char *question);

/* In the transaction in which the answer was made; copies both. One that is too large is not kept. */
void recall_put(uint64_t state, const char *question, const struct recalled *answer);

#endif
