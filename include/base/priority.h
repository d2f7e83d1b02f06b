/*
 * The priority of this process (setpriority(2)): heavy work runs at a lower one, so that on a busy
 * machine short requests are served first.
 *
 * A process lowers its priority only if it may raise it again: as root, or within RLIMIT_NICE
 * (LimitNICE= of systemd). While the process holds the database's write lock, it has its usual
 * priority, since others may wait for the lock.
 */
#ifndef OCTAVO_PRIORITY_H
#define OCTAVO_PRIORITY_H

#include <stdbool.h>

/*
 * Call when heavy work begins: raises nice by `by`. False: it could not be undone later, so nothing
 * was changed.
 */
bool priority_lower(int by);

/* Call when the heavy work is over. Does nothing without a priority_lower() before it. */
void priority_restore(void);

/*
 * Call when the write lock was taken, and when it was released: between them, heavy work has the
 * usual priority.
 */
void priority_lock(void);
void priority_unlock(void);

#endif
