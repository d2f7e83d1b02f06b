/*
 * Full-text search of the database engine, for the search room only. It consists of SQLite's FTS5
 * with the tokenizer of src/db/sqlite/db_tokenizer.c, and of the function octavo_match(), which returns
 * where each phrase matched, so that our own code can compute the ranking. To use another engine,
 * only this header and the statements of the search room must be implemented again.
 */
#ifndef OCTAVO_FULLTEXT_H
#define OCTAVO_FULLTEXT_H

#include "db/db.h"

/*
 * Matches of a full-text query. A statement that selects octavo_match(index, :sink) fills the sink
 * at each step with the matches in that row. text/words.h defines the words; src/db/sqlite/db_tokenizer.c
 * describes how terms contain their scope.
 */
enum { DB_PHRASES = 64, DB_HITS = 1024, DB_COLUMNS = 4 };
struct db_hit {
	int phrase;          /* number in the query */
	int column, position;
};
struct db_match {
	int64_t       row;
	int           sizes[DB_COLUMNS];    /* words in each column of the row */
	struct db_hit hits[DB_HITS];        /* ordered by column and position; matches beyond DB_HITS are left out */
	int           count;
	bool          sizeless;             /* set by the caller: do not compute sizes */
	uint64_t      uncounted;            /* set by the caller: bits of phrases whose number of rows is not needed */
	int64_t       rows[DB_PHRASES];     /* number of rows that contain each phrase; computed with the first row */
	int           phrases;
	bool          counted;
};
void bind_match(struct stmt *q, const char *name, struct db_match *m);

#endif
