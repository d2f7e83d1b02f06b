/* Shared by the subcommands that open the database. */
#ifndef OCTAVO_CMD_DATA_H
#define OCTAVO_CMD_DATA_H

#include "command/cli.h"
#include "db/db.h"

/*
 * Opens DIR/octavo.key and DIR/octavo.db. NULL after printing an error with advice. A statement
 * that fails later ends the program with status 1.
 */
struct db *data_open(struct cli *c, enum db_mode mode);

/* Returns the id of the organization with this id or unique title; NULL after printing an error. */
char *data_org(struct cli *c, struct db *db, const char *key);

/* Returns the id of the user whose address or id the option holds; NULL after printing an error. */
char *data_user(struct cli *c, struct db *db, const char *option);

/*
 * Path of the environment file of the systemd units. If the folder is named octavo-NAME, that is
 * the file of the instance NAME.
 */
const char *data_env_file(struct arena *a, const char *dir);

/*
 * Returns the value that systemd would read from this text of the file (the last line of the name
 * wins); NULL: not set.
 */
const char *data_setting(struct arena *a, const char *env, const char *name);

/* The setting with this name: of the environment, else of the units' environment file; NULL: not set. */
const char *data_value(struct cli *c, const char *name);

/*
 * Returns the public address of the data: that of a running `octavo up`, else OCTAVO_URL of the
 * environment, else of the units' environment file. env is the text of that file; NULL: it is read
 * here. Returns NULL if no address is known.
 */
const char *data_url(struct cli *c, const char *env);

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
