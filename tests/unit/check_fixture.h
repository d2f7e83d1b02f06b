/* `octavo check` on the directory of a test: its invariants are the tests' too. Link the objects of the command. */
#ifndef CHECK_FIXTURE_H
#define CHECK_FIXTURE_H

#include "command/cli.h"

/* Its exit status; deep: as with --deep. What breaks an invariant is printed. */
static int
check_dir(struct arena *a, const char *dir, bool deep)
{
	struct cli c = { .arena = a, .dir = dir, .command = &commands_check[0] };

	if (deep)
		c.values[c.value_count++] = (struct cli_value){ "deep", "" };
	return c.command->run(&c);
}

#endif
