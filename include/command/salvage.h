/* What octavo salvage does behind the rows (command/cmd_salvage.c, command/salvage_settle.c). */
#ifndef OCTAVO_COMMAND_SALVAGE_H
#define OCTAVO_COMMAND_SALVAGE_H

#include "command/cli.h"
#include "db/db.h"

/* Makes the rows of a salvaged database, which has this program's schema, agree with each other; says what it did. */
void salvage_settle(struct cli *c, struct db *db);

/* Says what is left of breaches, and the command that mends it; how many. dir: the new data directory. */
size_t salvage_remains(struct cli *c, struct db *db, const char *dir);

#endif
