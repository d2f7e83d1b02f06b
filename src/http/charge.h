/*
 * Limits the requests of each person, so that they do not delay those of others.
 *
 * A worker serves one request at a time, so two long requests of one person would occupy both
 * workers of a small installation. All workers map a shared file, DIR/run/charges. It contains the
 * current request of each worker, the cost of earlier requests by person and path, and what each
 * person has used in total. The answer is 429 with Retry-After for
 *
 *   1 a heavy request while other heavy requests of the person are running on half of the workers
 *     or of the processors (at least one). A running request of which it is not known yet whether
 *     it is heavy may turn out to be: a heavy request waits briefly until this is known.
 *   2 a write to a path at which a heavy write of the same person is running. If it is not known yet
 *     whether that one is heavy, the new write waits until it is. (Writes wait for each other
 *     anyway.)
 *   3 any request of a person who has used more than OCTAVO_WORK allows in the long run.
 *   4 any other write of a person who has a heavy request running, if the write does not get the
 *     database's write lock within CHARGE_PATIENCE_MS. Most likely the heavy request holds the
 *     lock, and workers that wait for it would serve no other person.
 *
 * A request is heavy if it has a large body, or if it took CHARGE_HEAVY_US of processor time the last
 * time at this path or, for a write, in this operation. A write is also heavy if an earlier request
 * wrote a large body to the same object: the merge of a change request that got a large body.
 * A heavy request that is served has a lower priority (base/priority.h).
 *
 * Cost is processor time, plus a charge for bytes and rows. A person is a user: site tokens act for
 * all readers. Rules 1 and 2 never refuse requests that a client sends one after another:
 * once charge_answered() was called, a request no longer counts as running, although its worker may
 * still be busy with what follows the answer (r->after: it wakes the job runner, fills a cache, or
 * cleans up after a long merge). The cost of that work is added to what the person has used, so it
 * counts for rule 3. Cached answers cost almost nothing and are neither counted nor
 * refused. Plain CGI programs, which the web server limits, have no slot (base/watch.h) and are not
 * counted for a caller.
 */
#ifndef OCTAVO_HTTP_CHARGE_H
#define OCTAVO_HTTP_CHARGE_H

#include "http/req.h"

enum {
	CHARGE_HEAVY_US = 15000,
	CHARGE_PATIENCE_MS = 5,
	CHARGE_BURST_US = 30000000,    /* what a person may use at once before OCTAVO_WORK counts */
	CHARGE_LARGE = 1 << 20         /* bytes of a body that make a request heavy */
};

/* Call once the caller is known, before the body is read. 0, or what fail() returned. */
int charge_begin(struct req *r);

/*
 * Milliseconds for which a write may wait for the write lock; 0: as long as usual. Call it after
 * charge_begin(). If the lock was not free in time, call charge_busy(), which returns what fail() returned.
 */
int charge_patience(void);
int charge_busy(struct req *r);

/*
 * Call right before the answer is sent: the request no longer counts as running, so that the
 * client's next request is not refused while this worker runs r->after. Its cost so far predicts that
 * next request.
 */
void charge_answered(struct req *r);

/* Call after r->after has run: adds the cost of the request, r->after included, to what the person has used. */
void charge_end(struct req *r);

#endif
