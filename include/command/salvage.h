/*
 * Steps of octavo salvage after the rows were copied (command/cmd_salvage.c,
 * command/salvage_repair.c).
 */
#ifndef OCTAVO_COMMAND_SALVAGE_H
#define OCTAVO_COMMAND_SALVAGE_H

#include "command/cli.h"
#include "db/db.h"

/*
 * Repairs rows of a salvaged database that contradict each other, and prints what it changed. The
 * database must have this program's schema.
 */
void salvage_repair(struct cli *c, struct db *db);

/*
 * Prints the remaining breaches, and for a missing admin the command that fixes it. dir: the
 * new data directory.
 */
void salvage_remains(struct cli *c, struct db *db, const char *dir);

#endif
