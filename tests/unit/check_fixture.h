/*
 * Runs `octavo check` on the directory of a test, so that tests check its invariants too. Link the
 * objects of the command.
 */
#ifndef CHECK_FIXTURE_H
#define CHECK_FIXTURE_H

#include "command/cli.h"

/* Returns the exit status; deep: with --deep. Prints each invariant that is broken. */
static int
check_dir(struct arena *a, const char *dir, bool deep)
{
	struct cli c = { .arena = a, .dir = dir, .command = &commands_check[0] };

	if (deep)
		c.values[c.value_count++] = (struct cli_value){ "deep", "" };
	return c.command->run(&c);
}

#endif
