/*
 * Semaphore ("places") for slow work that requests wait for: hashing a password, and requests to
 * the provider. All workers and CGI programs share them, so that people who sign in never occupy
 * all workers while others only read.
 *
 * To take a place, a process locks a file DIR/run/KIND.N (flock), so the place is free again if the
 * process dies. If all places are taken, one process waits, for at most two seconds, and only as
 * long as no other request needs its worker (watch_wanted()). All further processes answer at once
 * that the client should try again. For a browser in which the account has signed in before
 * (`known`), one more process may wait in any case, and gets the next place before all others. So
 * strangers who try passwords do not lock out a known person.
 */
#ifndef OCTAVO_PLACE_H
#define OCTAVO_PLACE_H

#include "base/settings.h"

/* Half of the workers, at least 1: the maximum number that may wait for slow work at a time. */
int place_share(const struct settings *set);

/*
 * Takes one of `count` places; close() the result to release it. -1: none is free, so ask the
 * client to try again.
 */
int place_take(struct arena *a, const struct settings *set, const char *kind, int count, bool known);

#endif
