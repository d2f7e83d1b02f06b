/* What the database module's own files share; nobody else includes sqlite3.h. */
#ifndef OCTAVO_DB_PARTS_H
#define OCTAVO_DB_PARTS_H

#include <sqlite3.h>

#include "db/db.h"

/* Where a reader of rows found its columns (col_map() in db.h). */
struct col_map {
	struct col_map *next;
	const void     *key;
	const char     *prefix;
	int             cols[];
};

struct stmt {
	sqlite3_stmt     *s;
	const struct sql *sql;
	struct db        *db;
	struct stmt      *next_used;  /* in this transaction */
	bool              used;
	const char      **names;      /* of its columns, copied when one is first asked for by name */
	int               count;      /* of names */
	uint16_t         *hints;      /* where a name was found last, by the name's address */
	struct col_map   *maps;
};

/* Gives a new connection the tokenizer "octavo" and the function octavo_match; false on failure. */
bool db_fulltext(sqlite3 *h);

/* The function alone (db_match.c). */
int db_match_register(fts5_api *api);

/* Gives a new connection the function octavo_fold (db_fold.c); false on failure. */
bool db_fold_register(sqlite3 *h);

/* Gives SQLite its memory (db_memory.c); before its first use, later calls change nothing. */
void db_memory(void);

#endif
