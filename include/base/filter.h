/*
 * Runs a command of the admin as a filter: bytes to its standard input, bytes from its standard
 * output, in a child (base/child.h) that ends with it, with limits of time and of the output. The
 * first 4 KiB of its standard error are copied to ours, with "?" for every byte that is not
 * printable ASCII, because it may repeat its input.
 */
#ifndef OCTAVO_FILTER_H
#define OCTAVO_FILTER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/str.h"

struct filter {
	const char        *command;   /* a program; with `shell`, a line for sh -c */
	bool               shell;
	const char *const *env;       /* NAME=VALUE beside the environment, NULL-terminated; or NULL */
	struct str         in;
	size_t             most;      /* bytes of the answer */
	int                seconds;
	/* As in struct child_job; may be NULL. */
	bool             (*tick)(void *ctx);
	void              *ctx;
	/* Afterwards: */
	struct buf         out;
	bool               over;      /* it answered more than that */
};

/* Runs it and waits; NULL, or why it did not end well: the rest of a sentence that begins with "the command". */
const char *filter_run(struct arena *a, struct filter *f);

#endif
