/*
 * What a person's requests cost, so that nobody's keep those of others waiting.
 *
 * A worker serves one request at a time, so that two long ones of one person would hold both
 * workers of a small installation. All workers share a file that they map, DIR/run/charges: what
 * each of them is at, what such a request cost the same person the last time, and what each
 * person has used altogether. Refused with 429 and Retry-After is
 *
 *   - a heavy request while the person has others under way on half of the workers or of the
 *     processors (one, at least). Heavy is what has a large body, and what took CHARGE_HEAVY_US
 *     of processor time the last time at this path, or, where it writes, in this operation;
 *   - a write beside another one to the same path that turns out to be heavy: where it is not
 *     known yet, it is waited for that long. (Writes wait for each other anyway.)
 *   - any request of a person who has used more than OCTAVO_WORK allows in the long run.
 *
 * Cost is processor time, and what bytes and rows take besides it. A person is a user: tokens
 * of sites act for all who read. Who sends one request after the other, whatever it costs, is
 * refused nothing, since that takes one worker and at most one processor. Answers that are kept
 * cost next to nothing and are neither counted nor refused. Plain CGI programs, which the web
 * server limits, have no slot (base/watch.h) and charge nobody.
 */
#ifndef OCTAVO_HTTP_CHARGE_H
#define OCTAVO_HTTP_CHARGE_H

#include "http/req.h"

enum {
	CHARGE_HEAVY_US = 15000,
	CHARGE_BURST_US = 30000000,    /* what a person may use at once before OCTAVO_WORK counts */
	CHARGE_LARGE = 1 << 20         /* bytes of a body that make a request heavy */
};

/* Call once the caller is known, before the body is read. 0, or what fail() returned. */
int charge_begin(struct req *r);

/*
 * Call right before the answer is sent: the client may then send its next request, which is not refused while
 * this worker finishes what comes after the answer.
 */
void charge_answered(void);

/* Call at the very end, after the answer was sent and everything after it was done: notes the cost of all of it. */
void charge_end(struct req *r);

#endif
