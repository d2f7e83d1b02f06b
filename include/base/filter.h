/*
 * Runs another program as a filter: bytes to its standard input, bytes from its standard output,
 * with limits of time and output. For commands that the admin configures, and for programs whose
 * libraries or rights this process should not have.
 *
 * The program has its own process group, default signals, and no descriptors but its three pipes;
 * it dies with this process. When it has ended, takes too long or prints too much, its whole group
 * is killed. The first 4 KiB of its standard error are copied to this process's, with "?" for every
 * byte that is not printable ASCII, because the program may repeat its input.
 */
#ifndef OCTAVO_FILTER_H
#define OCTAVO_FILTER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

struct filter {
	const char        *command;   /* path of a program; with `shell`, a line for sh -c */
	bool               shell;
	const char *const *args;      /* further arguments of the program, NULL-terminated; or NULL */
	const char *const *env;       /* NAME=VALUE, in addition to the environment, NULL-terminated; or NULL */
	bool               bare;      /* the environment of the program consists of `env` only */
	struct str         in;
	size_t             most;      /* largest output, in bytes */
	int                seconds;
	/* Called about twice a second; false cancels. May be NULL. */
	bool             (*tick)(void *ctx);
	void              *ctx;
	/* Set by filter_run(): */
	struct buf         out;
	bool               over;      /* the output was larger than `most` */
};

/*
 * Runs the program and waits for its end. NULL, or why it failed: the rest of a sentence that
 * begins with the name of the program ("took longer than 5 s").
 */
const char *filter_run(struct arena *a, struct filter *f);

#endif
