/* A process as /proc shows it. A number is one only together with the time at which its process started. */
#ifndef OCTAVO_PROCESS_H
#define OCTAVO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_seen {
	pid_t   parent;
	int64_t start;     /* clock ticks since boot */
	char    state;     /* proc(5): 'T' is stopped by a signal */
};

/* False: there is no such process, or it has ended and its parent has not waited for it yet. */
bool process_look(pid_t pid, struct process_seen *out);

#endif
