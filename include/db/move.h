/*
 * Copies all rows from one database to another, of another engine: from octavo.db to a PostgreSQL
 * server, or back. A copied row is read from the new database, and both tables are compared. Terms
 * of search are not copied: a job for each space makes them anew.
 *
 * Files, the key and caches stay where they are.
 *
 * At no moment two databases are in use, and an interrupted move is ended, or begins again, when it is
 * repeated. To a server:
 *
 *   db_move()        the server has all rows, and no program opens it
 *   rename           octavo.db is out of use
 *   db_move_end()    the file is closed
 *   db_move_open()   programs open the server's database
 *
 * From a server:
 *
 *   db_move()        a file that is not named octavo.db yet has all rows
 *   db_move_end()    no program opens the server's database any more
 *   rename           the file is octavo.db
 *
 * Between two steps the server knows the mark of the file (db_move_mark()).
 */
#ifndef OCTAVO_DB_MOVE_H
#define OCTAVO_DB_MOVE_H

#include "db/db.h"

struct db_move {
	struct db *from;    /* has this program's schema */
	bool       in_use;  /* from is a server's: others write to it meanwhile, and one snapshot of it is copied */
	struct db *to;      /* an empty database of a server, or a new file that nothing else opens */
	const char *mark;   /* identifies the file; stored on the server: by db_move() to it, by db_move_end() from it */
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
 * that no program opens it any more.
 */
bool db_move_end(struct db_move *m, struct arena *a, bool moved, const char **error);

/* The move to the server is complete. */
bool db_move_open(struct db *server, struct arena *a, const char **error);

/*
 * The mark of the file whose move to this server, or from it, was interrupted, or has just ended; NULL:
 * there was none.
 */
enum db_direction { DB_MOVE_TO, DB_MOVE_FROM };
const char *db_move_mark(struct db *server, struct arena *a, enum db_direction direction);

#endif
