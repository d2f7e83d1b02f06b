/* Shared by the subcommands that open the database. */
#ifndef OCTAVO_CMD_DATA_H
#define OCTAVO_CMD_DATA_H

#include "command/cli.h"
#include "db/db.h"

/*
 * Opens DIR/octavo.key and DIR/octavo.db. NULL after printing an error with advice. A statement
 * that fails later ends the program with status 1. From then on the settings of the installation
 * (c->env) are in the environment, where the environment had none of the name: the command and the
 * programs that it starts obey the same ones as the units.
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

/* Reads that file into c->env. Only root may: call it before cli_become_owner(). */
void data_read_env(struct cli *c);

/* The setting with this name: of the environment, else of c->env; NULL: not set. */
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
