/* octavo migrate --to. */
#ifndef OCTAVO_CMD_MOVE_H
#define OCTAVO_CMD_MOVE_H

#include "command/cli.h"

/* to: the address of a server, or the data directory. Returns the exit status. */
int move_data(struct cli *c, const char *to);

#endif
