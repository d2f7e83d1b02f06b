/*
 * Ends processes that hang. The supervisor of `octavo up`, the job runner, and each worker that
 * gets a request check for them, so no external supervisor (systemd, Apache's pool) is needed, and
 * the check works as long as one of these processes runs.
 *
 * Each worker, the job runner and the processes of its jobs have a slot in DIR/run/watch, which
 * all of them map: the process, and since when it has had a request without reading or writing any
 * of it. A process is ended (with KILL, which a stopped process obeys too) if
 *
 *   - it has had a request for longer than the limit, after which the web server no longer waits
 *     for the answer;
 *   - it has been stopped (SIGSTOP) for WATCH_STOPPED_MS, with or without a request: it may
 *     hold the write lock, or be the process that the system wakes for the next request.
 *
 * A stop by a debugger ('t' in proc(5)) counts only for the first rule. If the file cannot be
 * made, no process is watched.
 */
#ifndef OCTAVO_WATCH_H
#define OCTAVO_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum { WATCH_SLOTS = 512, WATCH_STOPPED_MS = 5000, WATCH_EVERY_MS = 1000 };

/* Opens the watch file of this data directory; a second call does nothing. */
void watch_open(const char *dir);

/* Gives this process a slot until it ends. Call watch_open() before. */
void watch_join(void);

/* In a child of fork() that needs a slot of its own: forgets the slot, which is the parent's. */
void watch_forked(void);

/* The number of this process's slot, below WATCH_SLOTS; -1: it has none. */
int watch_slot(void);

/* The process id of the slot's owner; 0: the slot is free, or its process has ended. */
int64_t watch_pid(int slot);

/* Records that this process has a request, or has just read or written a part of it. */
void watch_busy(void);
/* The same for a part that other code reads or writes; nothing, if this process has no request. */
void watch_goes_on(void);
/* Records that this process has no request. */
void watch_idle(void);

/* The socket on which the requests of this process arrive. */
void watch_listen(int fd);

/* True if a request waits there that no worker has taken. Without watch_listen(), as in plain CGI: false. */
bool watch_wanted(void);

/*
 * Checks all processes, unless another process did so within the last second. now: check in any
 * case, as if it were this time (time_steady()). Returns how many were killed; the log names them.
 */
int watch_look(int64_t limit_ms, const int64_t *now);

#endif
