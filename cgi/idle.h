/*
 * How a FastCGI worker waits for its next request, and how TERM ends it.
 *
 * The accept() of libfcgi has a window: a TERM that comes after its check and
 * before the system call is forgotten, and the worker sleeps on until somebody
 * calls. So TERM and INT stay blocked, except while idle_wait() sleeps: the
 * kernel unblocks them and begins to sleep in one step (epoll_pwait). A TERM
 * thus never breaks into a read or a write of a request either.
 *
 * All workers of a pool sleep on one socket. EPOLLEXCLUSIVE wakes one of them,
 * and where it wakes two, the socket does not block: the late one's accept()
 * fails with EAGAIN and it goes back to sleep.
 */
#ifndef OCTAVO_IDLE_H
#define OCTAVO_IDLE_H

#include <stdbool.h>

/* Takes over TERM and INT for the listening socket fd. False, errno set: the system refuses. */
bool idle_init(int fd);

/* Sleeps until a request waits (true), or TERM or INT came, however early (false). */
bool idle_wait(void);

/* Sleeps for so long, whatever comes to the socket. False: TERM or INT came, however early. */
bool idle_pause(int ms);

#endif
