/* octavo migrate --to, and restoring a backup to a server. */
#ifndef OCTAVO_CMD_MOVE_H
#define OCTAVO_CMD_MOVE_H

#include "command/cli.h"

/* to: the address of a server, or the data directory. Returns the exit status. */
int move_data(struct cli *c, const char *to);

/* NULL, or why OCTAVO_DB cannot take a backup. */
const char *move_check_empty(struct cli *c);

/* Moves the octavo.db that was restored to OCTAVO_DB, and deletes it. NULL, or why that failed. */
const char *move_restored(struct cli *c);

#endif
