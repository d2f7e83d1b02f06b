/*
 * Where the data of an installation is: in DIR/octavo.db, or on the PostgreSQL server that OCTAVO_DB
 * of the environment names. The latter is an experiment, and refused unless
 * OCTAVO_EXPERIMENTAL_POSTGRES=1 is set beside it.
 */
#ifndef OCTAVO_DATABASE_H
#define OCTAVO_DATABASE_H

#include "db/db.h"

/* True if it is the file. */
bool database_is_file(void);

/* True if programs on other machines may use the database: it is a server's, and OCTAVO_MACHINES is not 1. */
bool database_is_shared(void);

/* As db_open(); NULL, and *error, also if OCTAVO_DB is refused. options may be NULL. */
struct db *database_open(struct arena *a, const char *dir, enum db_mode mode, const struct db_options *options, const char **error);

/* Opens the database at an address, which may be refused like OCTAVO_DB, for a move to it. It may be empty. */
struct db *database_open_server(struct arena *a, const char *dir, const char *server, const char **error);

#endif
