/* Full-text search of SQLite: FTS5, with the tokenizer of db_tokenizer.c and octavo_match() of db_match.c. */
#include "db/fulltext.h"
#include "db_sqlite.h"

/*
 * FTS5 returns rows in rowid order, and octavo_match() fills :sink at each step. No ORDER BY:
 * ranking happens in src/search, since bm25() knows neither word groups nor distances of words.
 */
SQL(q_match, "SELECT octavo_match(search_index, :sink) FROM search_index WHERE search_index MATCH :query");
/* Only the numbers of the rows. FTS5 finds them one at a time: a caller that needs few stops stepping. */
SQL(q_rowids, "SELECT rowid FROM search_index WHERE search_index MATCH :query");
SQL(q_add,
    "INSERT INTO search_index (rowid, title, heading, body, trail) "
    "VALUES (:no, :title, :heading, :body, :trail)");
/*
 * FTS5, "The 'delete' Command": a contentless table removes a row given the inserted values. Other
 * values would corrupt the index silently.
 */
SQL(q_drop,
    "INSERT INTO search_index (search_index, rowid, title, heading, body, trail) "
    "VALUES ('delete', :no, :title, :heading, :body, :trail)");

void
sqlite_write_words(struct db *db, int64_t row, const struct str columns[DB_COLUMNS], bool drop)
{
	static const char *const names[DB_COLUMNS] = { ":title", ":heading", ":body", ":trail" };
	struct stmt *q = db_use(db, drop ? &q_drop : &q_add);
	int i;

	bind_int(q, ":no", row);
	for (i = 0; i < DB_COLUMNS; i++)
		bind_str(q, names[i], columns[i]);
	stmt_run(q);
}

struct stmt *
sqlite_match(struct db *db, const char *query, struct db_match *m)
{
	struct stmt *q = db_use(db, m == NULL ? &q_rowids : &q_match);

	if (m != NULL)
		sqlite_bind_match(q, ":sink", m);
	bind_text(q, ":query", query);
	return q;
}
