/*
 * Cache of answers in a worker's memory. An entry is valid for one state of the data, which the
 * caller identifies by a number, such as db_moment(), which changes with each commit. Everything
 * else that the answer depends on is in the cache key, `question`, except the time (`until`). Keys
 * are compared completely and contain the user, so no user gets the answer of another.
 *
 * A process has one such cache of some megabytes, for one state. It is emptied when the state
 * changes, and when it is full.
 */
#ifndef OCTAVO_RECALL_H
#define OCTAVO_RECALL_H

#include <stdint.h>

#include "base/str.h"

struct recalled {
	struct str head, body;   /* two texts, which the caller chooses */
	int64_t    until;   /* ms: valid until this time; 0: without a limit of time */
};

/*
 * Looks up an answer, in the transaction that read the state and would make the answer. NULL: not
 * cached. The result is valid until the next call of either function.
 */
const struct recalled *recall_find(uint64_t state, const char *question);

/* Stores an answer, in the transaction that made it; copies question and answer. Too large ones are ignored. */
void recall_put(uint64_t state, const char *question, const struct recalled *answer);

#endif
