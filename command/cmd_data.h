/* Shared by the subcommands that open the database. */
#ifndef OCTAVO_CMD_DATA_H
#define OCTAVO_CMD_DATA_H

#include "command/cli.h"
#include "db/db.h"

/* Why a command that works on octavo.db does nothing. */
#define NO_FILE "this command works on octavo.db, and the data is on a PostgreSQL server (OCTAVO_DB): use its own tools, such as pg_dump"

/*
 * Opens DIR/octavo.key and DIR/octavo.db. NULL after printing an error with advice. A statement
 * that fails later ends the program with status 1. If the systemd units of c->env serve DIR, their
 * OCTAVO_ settings are then added to the environment, unless it has a variable of that name: so the
 * command and the programs that it starts use the same settings as the units.
 */
struct db *data_open(struct cli *c, enum db_mode mode);

/* Returns the id of the organization with this id or unique title; NULL after printing an error. */
char *data_org(struct cli *c, struct db *db, const char *key);

/* Returns the id of the user whose address or id the option holds; NULL after printing an error. */
char *data_user(struct cli *c, struct db *db, const char *option);

/*
 * Returns the path of the environment file of the systemd units: of the instance NAME if the folder
 * is named octavo-NAME.
 */
const char *data_env_file(struct arena *a, const char *dir);

/*
 * Returns the value of a setting in the text of an environment file, as systemd reads it: the last
 * line with the name counts. NULL: not set.
 */
const char *data_setting(struct arena *a, const char *env, const char *name);

/*
 * Reads the file data_env_file() into c->env; NULL if that fails. Only root may read it, so call this
 * before cli_become_owner().
 */
void data_read_env(struct cli *c);

/*
 * Adds the OCTAVO_ settings of c->env to the environment, if the systemd units that read it serve DIR.
 * data_open() does this too.
 */
void data_use_settings(struct cli *c);

/* Returns a setting from the environment, else from c->env. NULL: not set. */
const char *data_value(struct cli *c, const char *name);

/*
 * Returns the public address of the data: that of a running `octavo up`, else OCTAVO_URL of the
 * environment, else of c->env. Returns NULL if no address is known.
 */
const char *data_url(struct cli *c);

/*
 * Prints that an organization (its id) of the installation in dir has no admin, and the command
 * that creates one.
 */
void data_say_admin(struct cli *c, const char *dir, const char *org);

/*
 * Prints names with their values; a NULL value is printed as "yes" (true under --json). Returns
 * CLI_OK.
 */
int data_print(struct cli *c, const char *const (*pairs)[2], size_t n);

#endif
