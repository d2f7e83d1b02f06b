/* Closes descriptors that a child must not inherit. Contract: base/descriptors.h. */
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/descriptors.h"

/* Number of descriptors to close if /proc is missing. Our programs have fewer open. */
enum { MOST = 65536 };

/* Closes the descriptors that /proc lists: the limit of descriptors may be in the millions. */
void
descriptors_close_each(int first)
{
	DIR *d = opendir("/proc/self/fd");
	const struct dirent *e;
	long limit = sysconf(_SC_OPEN_MAX);
	int fd;

	if (d == NULL) {
		for (fd = first; fd < (limit > 0 && limit < MOST ? limit : MOST); fd++)
			close(fd);
		return;
	}
	/*
	 * proc(5) lists by number: closing descriptors that were read already does not move the
	 * position.
	 */
	while ((e = readdir(d)) != NULL) {
		fd = (int)strtol(e->d_name, NULL, 10);
		if (*e->d_name != '.' && fd >= first && fd != dirfd(d))
			close(fd);
	}
	closedir(d);
}

void
descriptors_close_from(int first)
{
	if (close_range((unsigned)first, ~0U, 0) != 0)
		descriptors_close_each(first);
}
