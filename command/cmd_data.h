/* What the subcommands that open the database share. */
#ifndef OCTAVO_CMD_DATA_H
#define OCTAVO_CMD_DATA_H

#include "command/cli.h"
#include "db/db.h"

/*
 * Opens DIR/octavo.key and DIR/octavo.db. NULL after a complaint that says what
 * to do. A statement that fails from then on ends the program with status 1.
 */
struct db *data_open(struct cli *c, enum db_mode mode);

/* The id of an organization that is named by its id, or by a title that no other has; NULL after a complaint. */
char *data_org(struct cli *c, struct db *db, const char *key);

/* The id of the user that an option names by address or id; NULL after a complaint. */
char *data_user(struct cli *c, struct db *db, const char *option);

/* The file of the units' settings: that of one of several installations where the folder is octavo-NAME. */
const char *data_env_file(struct arena *a, const char *dir);

/* A setting as systemd reads it from the text of that file, the last line of its name; NULL: it is not there. */
const char *data_setting(struct arena *a, const char *env, const char *name);

/*
 * The address at which the data is served: that of a running `octavo up`, else OCTAVO_URL of the environment, else
 * of the text of the units' file of settings (env; NULL: it is read). NULL: it is not known.
 */
const char *data_url(struct cli *c, const char *env);

/* Says that an organization (its id) of the installation in dir has no admin, and the command that makes one. */
void data_say_admin(struct cli *c, const char *dir, const char *org);

/* Prints names with their values; a name without a value says that it is so. CLI_OK. */
int data_print(struct cli *c, const char *const (*pairs)[2], size_t n);

#endif
