/* Contract: pool_news.h. inotify(7) tells by a signal, so that one wait is for processes and news alike. */
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
	/* The directory, not the file: SQLite makes the WAL anew. */
	if (inotify_add_watch(fd, dir, IN_MODIFY) >= 0 && fcntl(fd, F_SETOWN, getpid()) == 0 &&
	    fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC) == 0)
		return fd;
	close(fd);
	return -1;
}

void
news_take(int fd)
{
	char told[4096];

	while (read(fd, told, sizeof(told)) > 0)
		;
}
