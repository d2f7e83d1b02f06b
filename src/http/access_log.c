/*
 * The access log: one line per request. It holds ids, never names, and the route's template, never
 * the address as typed, since query strings contain secrets (share keys).
 */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "http/req.h"

enum { MAX_LINE = 16 << 10 };

static int
log_fd(const char *path)
{
	/* Opened once per worker, not per line. */
	static int fd = -2;

	if (fd != -2)
		return fd;
	if (*path == '\0')
		fd = -1;
	else if (strcmp(path, "stderr") == 0)
		fd = STDERR_FILENO;
	else
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	return fd;
}

static void
write_word(struct buf *b, const char *s)
{
	buf_str(b, s);
	buf_char(b, ' ');
}

void
access_log(struct req *r)
{
	int fd = log_fd(r->set->access_log);
	struct timespec now;
	char when[25];
	struct buf b;

	if (fd < 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	time_format(time_now(), when);
	buf_init(&b, r->arena, MAX_LINE);
	write_word(&b, when);
	write_word(&b, r->id);
	write_word(&b, r->who.user != NULL ? r->who.user : "-");
	write_word(&b, r->route != NULL ? r->route->operation : "-");
	buf_int(&b, r->status);
	buf_char(&b, ' ');
	buf_int(&b, (int64_t)r->out.n);
	buf_char(&b, ' ');
	buf_int(&b, now.tv_sec * 1000000LL + now.tv_nsec / 1000 - r->start_us);
	if (r->replayed)
		buf_str(&b, " replayed");
	if (r->replays > 0)
		buf_printf(&b, " again=%d", r->replays);
	buf_char(&b, '\n');
	/* One write() with O_APPEND, so that lines of several workers do not mix. */
	if (write(fd, b.p, b.n) < 0)
		return;
}
