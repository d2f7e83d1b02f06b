/*
 * Counters of requests, for GET /v1/metrics.
 *
 * All processes of an installation count in files that they map (DIR/run/metrics-*): a
 * count costs some atomic additions, and what one worker counted outlives it. Each file
 * belongs to one program and one table of operations, by its name: another build has
 * another file, and its counters begin at 0, as OpenMetrics allows. The blocks of a file are
 * taken when it is mapped, so that no count finds the disk full; where there is no room for
 * it, or it cannot be made, what is counted is in no answer.
 *
 * Who may read them has a token of its own, which opens nothing else: `octavo metrics token`
 * makes it, and DIR/metrics.token holds its hash.
 */
#ifndef OCTAVO_METRICS_H
#define OCTAVO_METRICS_H

#include "http/req.h"

enum { METRICS_STATUSES = 32, METRICS_BUCKETS = 8 };

/* What was counted of one operation. */
struct metrics_slot {
	uint64_t status[METRICS_STATUSES];   /* as in metrics_status; the last one: any other */
	uint64_t bucket[METRICS_BUCKETS];    /* as in metrics_bound, not added up; the last one: longer */
	uint64_t micros;                     /* of all of them */
};

extern const int metrics_status[METRICS_STATUSES - 1];      /* 0: not used */
extern const int64_t metrics_bound[METRICS_BUCKETS - 1];    /* microseconds */

/* Counts a request that octavo-api answered, at its end. */
void metrics_count(const struct req *r);

/* The same for octavo-site, which has no operations. */
void metrics_count_site(const struct settings *set, int status, int64_t micros);

/*
 * Calls fn for each operation, "none" (no operation was found) and "site", with the current counts,
 * in this order.
 */
void metrics_each(struct req *r, void (*fn)(void *ctx, const char *operation, const struct metrics_slot *s), void *ctx);

/* Makes a new token, which ends the old one; NULL, and *error. */
char *metrics_token_make(struct arena *a, const char *dir, const char **error);
/* False: there was none. */
bool metrics_token_drop(struct arena *a, const char *dir);
/* Accepts the token for metrics. For struct app's other_token: fills r->who. */
bool metrics_token_take(struct req *r);

#endif
