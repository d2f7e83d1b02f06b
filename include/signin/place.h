/*
 * Places for slow work that requests wait for: hashing a password, asking the provider. All workers and
 * CGI programs share them, so that people who sign in never hold all workers while others only read.
 *
 * A place is a file DIR/run/KIND.N that a process locks (flock): it is free again when the process dies.
 * Where all are taken, one process waits, for two seconds at most, and only as long as each request finds
 * a worker (watch_wanted()); the others are told at once. One more waits, whatever others want, for
 * somebody who has signed in with this browser before (`known`) and comes before all strangers: a flood
 * of tries shuts nobody out.
 */
#ifndef OCTAVO_PLACE_H
#define OCTAVO_PLACE_H

#include "base/settings.h"

/* Half of the workers: as many as may wait for something slow at a time. At least 1. */
int place_share(const struct settings *set);

/* Takes one of `count` places; leave it by close(). -1: there is none, tell the client to try again. */
int place_take(struct arena *a, const struct settings *set, const char *kind, int count, bool known);

#endif
