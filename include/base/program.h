/*
 * Runs another program on a text: the text goes to its standard input, what it prints comes back. For
 * programs that answer in seconds and whose libraries or rights this process should not have.
 *
 * The program starts in its own process group with default signals and no descriptor but the two pipes
 * and standard error, and only the variables of the environment that are named. It is killed with all
 * that it started when the time is over, or when it prints more than is wanted.
 */
#ifndef OCTAVO_PROGRAM_H
#define OCTAVO_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct program {
	const char *const *argv;   /* argv[0] is the path; ends with NULL */
	const char *const *env;    /* "NAME=value"; ends with NULL */
	struct str         input;
	size_t             most;   /* bytes that it may print */
	int                seconds;
};

/*
 * Runs it and waits for its end. True: it ended with status 0, and *output (in the arena) is what it
 * printed. False: *why says what went wrong, in a few words.
 */
bool program_run(struct arena *a, const struct program *p, struct str *output, const char **why);

#endif
