/*
 * Notices that a process has written to the database, by inotify(7). Contract: pool_news.h. inotify
 * notifies by a signal, so a single wait covers both the end of child processes and writes.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "pool_news.h"

int
news_open(const char *dir)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	if (fd < 0)
		return -1;
	/* Watch the directory, not the file: SQLite creates a new WAL file. */
	if (inotify_add_watch(fd, dir, IN_MODIFY) >= 0 && fcntl(fd, F_SETOWN, getpid()) == 0 &&
	    fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC) == 0)
		return fd;
	close(fd);
	return -1;
}

void
news_take(int fd)
{
	char bytes[4096];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
}
