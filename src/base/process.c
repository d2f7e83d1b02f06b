/* Reads the state of a process from /proc. Contract: base/process.h. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"

/*
 * The fields come after the name of the program, which is in parentheses and may itself contain
 * spaces and parentheses.
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
	/* proc(5): the name is the only field in parentheses, so the last parenthesis ends it. */
	p = strrchr(text, ')');
	if (p == NULL || sscanf(p + 1, " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d "
	    "%*d %*d %*d %*d %" SCNd64, &out->state, &out->parent, &out->group, &out->session, &out->start) != 5)
		return false;
	/* A zombie does nothing any more, so it counts as ended. */
	return out->state != 'Z' && out->state != 'X';
}
