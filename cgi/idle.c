/*
 * Waits for the next request without losing a SIGTERM: epoll and a signal mask. Contract: idle.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/epoll.h>

#include "idle.h"

/* epoll descriptor; -1 before idle_init() */
static int watch = -1;
static sigset_t open_mask;             /* signal mask while waiting */
static volatile sig_atomic_t ending;

static const int ends[] = { SIGTERM, SIGINT, SIGQUIT };

static void
on_end(int sig)
{
	(void)sig;
	ending = 1;
}

bool
idle_init(int fd)
{
	/* Without EPOLLEXCLUSIVE each request would wake all workers of the pool (epoll_ctl(2)). */
	struct epoll_event want = { .events = EPOLLIN | EPOLLEXCLUSIVE };
	struct sigaction sa = { .sa_handler = on_end };
	int flags = fcntl(fd, F_GETFL);
	sigset_t held;

	ending = 0;
	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaddset(&held, ends[i]);
	if (sigprocmask(SIG_BLOCK, &held, &open_mask) != 0)
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		sigdelset(&open_mask, ends[i]);
		sigaction(ends[i], &sa, NULL);
	}
	/*
	 * O_NONBLOCK belongs to the socket, which all workers share; every worker sets the same
	 * flag.
	 */
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
		return false;
	watch = epoll_create1(EPOLL_CLOEXEC);
	return watch >= 0 && epoll_ctl(watch, EPOLL_CTL_ADD, fd, &want) == 0;
}

bool
idle_wait(void)
{
	struct epoll_event got;

	for (;;) {
		/* SIGTERM, SIGINT and SIGQUIT can arrive only during this call (idle.h). */
		int n = epoll_pwait(watch, &got, 1, -1, &open_mask);
		if (ending)
			return false;
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR) {
			perror("octavo: epoll_pwait");
			return false;
		}
	}
}

bool
idle_pause(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	ppoll(NULL, 0, &t, &open_mask);
	return !ending;
}
