/*
 * The priority of this process (setpriority(2)): heavy work runs at a lower one, so that on a busy
 * machine others' requests, whose work is short, go first.
 *
 * Only processes that may raise their priority again lower it: those of root, and those whose limit
 * RLIMIT_NICE allows it (LimitNICE= of systemd). While the process holds the database's write lock it
 * has its usual priority, since others may wait for the lock.
 */
#ifndef OCTAVO_PRIORITY_H
#define OCTAVO_PRIORITY_H

#include <stdbool.h>

/* Heavy work begins: from now on nice is larger by `by`. False: it could not be undone, and nothing changes. */
bool priority_lower(int by);

/* The heavy work is over. Without priority_lower(): does nothing. */
void priority_restore(void);

/* The write lock was taken, was released. Between priority_lower() and priority_restore() the usual priority counts. */
void priority_lock(void);
void priority_unlock(void);

#endif
