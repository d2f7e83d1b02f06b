/*
 * The access log: one line a request. Ids, never names; the route's template,
 * never the address as typed, for query strings hold secrets (share keys).
 */
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "req.h"

static int
log_fd(const char *path)
{
	static int fd = -2;

	if (fd != -2)
		return fd;
	if (*path == '\0')
		fd = -1;
	else if (strcmp(path, "stderr") == 0)
		fd = STDERR_FILENO;
	else
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
	return fd;
}

void
access_log(struct req *r)
{
	int fd = log_fd(r->set->access_log);
	struct timespec now;
	char when[25], line[512];
	int n;

	if (fd < 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	time_format(time_now(), when);
	n = snprintf(line, sizeof(line), "%s %s %s %s %d %zu %lld%s\n", when, r->id,
	    r->who.user ? r->who.user : "-", r->route ? r->route->operation : "-", r->status,
	    r->out.n, (long long)(now.tv_sec * 1000000LL + now.tv_nsec / 1000 - r->start_us),
	    r->replayed ? " replayed" : "");
	/* One write: lines of several workers do not mix (O_APPEND). */
	if (n > 0 && write(fd, line, (size_t)n) < 0)
		return;
}
