/*
 * How a FastCGI worker waits for its next request, and how SIGTERM ends it.
 *
 * accept() of libfcgi has a race: a SIGTERM between its check and the system call is lost, and the
 * worker sleeps until the next request. Therefore SIGTERM, SIGINT and SIGQUIT stay blocked except
 * while idle_wait() sleeps: epoll_pwait() unblocks them and starts to wait in one step. As a
 * result, a signal never interrupts the reading or writing of a request either.
 *
 * SIGQUIT is handled because `multiwatch -s TERM` of the Debian release sends it: it sends the
 * index of the name in its list (3) instead of the signal number. A worker killed by it would leave
 * its request without an answer (502).
 *
 * All workers of a pool wait on one socket. EPOLLEXCLUSIVE wakes one of them. If it wakes two, the
 * socket is non-blocking: accept() of the second fails with EAGAIN, and that worker waits again.
 */
#ifndef OCTAVO_IDLE_H
#define OCTAVO_IDLE_H

#include <stdbool.h>

/*
 * Takes over SIGTERM, SIGINT and SIGQUIT, and watches the listening socket fd. False: failed, see
 * errno.
 */
bool idle_init(int fd);

/*
 * Waits until a request is pending (true), or until one of the three signals has arrived, even
 * before the call (false).
 */
bool idle_wait(void);

/*
 * Sleeps for ms milliseconds and ignores the socket. False: one of the three signals has arrived,
 * even before the call.
 */
bool idle_pause(int ms);

#endif
