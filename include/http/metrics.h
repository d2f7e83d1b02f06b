/*
 * Counters of requests, for GET /v1/metrics.
 *
 * All processes of an installation map shared files with the counters (DIR/run/metrics-*). So
 * counting costs a few atomic additions, and the counts of a worker remain after it ends. The name of
 * a file contains the program and a hash of its operations: another build uses another file, and its
 * counters begin at 0, as OpenMetrics allows. The blocks of a file are reserved when it is mapped, so
 * counting never fails on a full disk. If the file cannot be made, counts are lost.
 *
 * Reading them requires a token that allows nothing else: `octavo metrics token` makes it, and
 * DIR/metrics.token contains its hash.
 */
#ifndef OCTAVO_METRICS_H
#define OCTAVO_METRICS_H

#include "http/req.h"

enum { METRICS_STATUSES = 32, METRICS_BUCKETS = 8 };

/* Counters of one operation. */
struct metrics_slot {
	uint64_t status[METRICS_STATUSES];   /* requests by status, as in metrics_status; the last counts all other statuses */
	uint64_t bucket[METRICS_BUCKETS];    /* requests by duration, not cumulative, as in metrics_bound; the last counts longer ones */
	uint64_t micros;                     /* duration of all requests */
};

extern const int metrics_status[METRICS_STATUSES - 1];      /* 0: not used */
extern const int64_t metrics_bound[METRICS_BUCKETS - 1];    /* microseconds */

/* Counts a request that octavo-api answered, at its end. */
void metrics_count(const struct req *r);

/* Counts a request that octavo-site answered. Such requests have no operation. */
void metrics_count_site(const struct settings *set, int status, int64_t micros);

/*
 * Calls fn for each operation, then for "none" (requests for which no operation was found) and for
 * "site", with the current counts.
 */
void metrics_each(struct req *r, void (*fn)(void *ctx, const char *operation, const struct metrics_slot *s), void *ctx);

/* Makes a new token and revokes the old one. NULL on failure, with the reason in *error. */
char *metrics_token_make(struct arena *a, const char *dir, const char **error);
/* Deletes the token. False if there was none. */
bool metrics_token_drop(struct arena *a, const char *dir);
/*
 * Checks whether the request's bearer token is the token for metrics, and fills r->who if it is.
 * Programs set the member other_token of struct app to this function.
 */
bool metrics_token_take(struct req *r);

#endif
