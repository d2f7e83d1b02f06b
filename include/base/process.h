/*
 * The state of a process in /proc. Process ids are reused, so a process is identified by its id
 * together with its start time.
 */
#ifndef OCTAVO_PROCESS_H
#define OCTAVO_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_seen {
	pid_t   parent, group, session;
	int64_t start;     /* start time in clock ticks since boot */
	char    state;     /* proc(5): 'T' is stopped by a signal */
};

/* False: there is no such process, or it has ended and its parent has not waited for it yet. */
bool process_look(pid_t pid, struct process_seen *out);

#endif
