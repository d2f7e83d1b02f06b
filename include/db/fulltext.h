/*
 * Full-text search of the engine, for the search room alone: SQLite's FTS5 with the
 * tokenizer of src/db/db_tokenizer.c, and the function octavo_match(), which hands
 * out what matched where, so that ranking is code of our own. On another engine this
 * header and the search room's statements get a second implementation, nothing else.
 */
#ifndef OCTAVO_FULLTEXT_H
#define OCTAVO_FULLTEXT_H

#include "db/db.h"

/*
 * Full-text matches, for a statement that selects octavo_match(index, :sink):
 * after each step the sink holds what matched in that row. Words are found as
 * words.h says; how terms carry their scope is in src/db/db_tokenizer.c.
 */
enum { DB_PHRASES = 64, DB_HITS = 1024, DB_COLUMNS = 4 };
struct db_hit {
	int phrase;          /* number in the query */
	int column, position;
};
struct db_match {
	int64_t       row;
	int           sizes[DB_COLUMNS];    /* words in each column of the row */
	struct db_hit hits[DB_HITS];        /* by column and position; more are left out */
	int           count;
	bool          sizeless;             /* sizes are not needed: they stay as the caller set them */
	uint64_t      uncounted;            /* bits of phrases whose rows are not needed; set by the caller */
	int64_t       rows[DB_PHRASES];     /* rows that each phrase is in; set with the first row */
	int           phrases;
	bool          counted;
};
void bind_match(struct stmt *q, const char *name, struct db_match *m);

#endif
