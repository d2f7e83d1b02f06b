/*
 * Full-text search of the database engine, for the room search only. The engine returns the
 * positions at which each phrase of a query matched; the ranking is computed from them in
 * src/search/search.c. SQLite has them in FTS5 (src/db/sqlite/db_fulltext.c), PostgreSQL in a table
 * (src/db/postgres/db_pg_match.c). src/db/db_terms.h describes the terms.
 */
#ifndef OCTAVO_FULLTEXT_H
#define OCTAVO_FULLTEXT_H

#include "db/db.h"

/* Matches of a full-text query in a row. */
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

/*
 * Adds the words of a row to the index, or removes them. fulltext_drop() must get the texts with
 * which the words were added: other texts would damage the index. The columns are title, heading,
 * body and trail.
 */
void fulltext_add(struct db *db, int64_t row, const struct str columns[DB_COLUMNS]);
void fulltext_drop(struct db *db, int64_t row, const struct str columns[DB_COLUMNS]);

/*
 * Returns a statement for the rows that a query matches, in the order of their numbers. Each
 * stmt_step() fills m, which may be NULL; the statement has no columns. Calls with and without m
 * use two different statements (see db_use()). The query consists of
 *
 *   "text"         a word, in the form of src/db/db_terms.h; "text" + "text": a phrase; "text" *: a beginning
 *   {title body} : before a word or a phrase, or an expression in parentheses: only these columns
 *   AND, OR, ()    AND binds tighter
 */
struct stmt *fulltext_match(struct db *db, const char *query, struct db_match *m);

#endif
