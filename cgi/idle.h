/*
 * How a FastCGI worker waits for its next request, and how TERM ends it.
 *
 * The accept() of libfcgi has a window: a TERM that comes after its check and
 * before the system call is forgotten, and the worker sleeps on until somebody
 * calls. So TERM, INT and QUIT stay blocked, except while idle_wait() sleeps:
 * the kernel unblocks them and begins to sleep in one step (epoll_pwait). A TERM
 * thus never breaks into a read or a write of a request either.
 *
 * QUIT is what `multiwatch -s TERM` sends, of the release that Debian has: the
 * place of the name in its list (3) instead of the signal's number. A worker that
 * died of it would leave its request without an answer (502).
 *
 * All workers of a pool sleep on one socket. EPOLLEXCLUSIVE wakes one of them,
 * and where it wakes two, the socket does not block: the late one's accept()
 * fails with EAGAIN and it goes back to sleep.
 */
#ifndef OCTAVO_IDLE_H
#define OCTAVO_IDLE_H

#include <stdbool.h>

/* Takes over TERM, INT and QUIT for the listening socket fd. False, errno set: the system refuses. */
bool idle_init(int fd);

/* Sleeps until a request waits (true), or one of the three came, however early (false). */
bool idle_wait(void);

/* Sleeps for so long, whatever comes to the socket. False: one of the three came, however early. */
bool idle_pause(int ms);

#endif
