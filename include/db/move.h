/*
 * Copies all rows from one database to another, of another engine: from octavo.db to a PostgreSQL
 * server, or back. A copied row is read from the new database, and both tables are compared. Terms
 * of search are not copied: a job for each space makes them anew.
 *
 * Files, the key and caches stay where they are.
 */
#ifndef OCTAVO_DB_MOVE_H
#define OCTAVO_DB_MOVE_H

#include "db/db.h"

struct db_move {
	struct db *from;    /* has this program's schema */
	struct db *to;      /* an empty database of a server, or a new file that nothing else opens */
	void     (*tick)(void *ctx, int64_t rows, int64_t all);   /* or NULL */
	void      *ctx;
	int64_t    tables, rows, all;   /* what was copied; all: what `from` has */
};

/*
 * Copies, and commits to m->to. Until db_move_end(), other processes can read m->from and not write to
 * it. False, and *error: nothing is in m->to. m->from is held in both cases.
 */
bool db_move(struct db_move *m, struct arena *a, const char **error);

/*
 * Lets others write to m->from again; or, if the data is now elsewhere, marks a server's database, so
 * that no program opens it any more. A file is renamed by the caller, before this call.
 */
bool db_move_end(struct db_move *m, struct arena *a, bool moved, const char **error);

#endif
