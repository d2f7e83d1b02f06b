/* A process as /proc shows it. Contract: base/process.h. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"

/*
 * Parent and start of a process, from the fields after the name in
 * parentheses, which may itself hold spaces and parentheses.
 */
bool
process_look(pid_t pid, struct process_seen *out)
{
	char path[64], text[1024], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n < 0 ? 0 : n] = '\0';
	/* proc(5): the name is the only field in parentheses, so the last one ends it. */
	p = strrchr(text, ')');
	if (p == NULL || sscanf(p + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
	    "%*d %*d %*d %*d %" SCNd64, &out->state, &out->parent, &out->start) != 3)
		return false;
	/* A zombie does nothing any more; it counts as gone. */
	return out->state != 'Z' && out->state != 'X';
}
