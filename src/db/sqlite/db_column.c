/* Reads columns of the row to which SQLite has stepped. */
#include "db_sqlite.h"

int
sqlite_col_count(struct stmt *q)
{
	return sqlite3_column_count(q->own);
}

const char *
sqlite_col_name(struct stmt *q, int i)
{
	return sqlite3_column_name(q->own, i);
}

bool
sqlite_col_null(struct stmt *q, int i)
{
	return sqlite3_column_type(q->own, i) == SQLITE_NULL;
}

int64_t
sqlite_col_int(struct stmt *q, int i)
{
	return sqlite3_column_int64(q->own, i);
}

double
sqlite_col_double(struct stmt *q, int i)
{
	return sqlite3_column_double(q->own, i);
}

bool
sqlite_col_is_number(struct stmt *q, int i)
{
	int t = sqlite3_column_type(q->own, i);

	return t == SQLITE_INTEGER || t == SQLITE_FLOAT;
}

const char *
sqlite_col_text(struct stmt *q, int i)
{
	return (const char *)sqlite3_column_text(q->own, i);
}

struct str
sqlite_col_bytes(struct stmt *q, int i)
{
	struct str s;

	s.p = sqlite3_column_blob(q->own, i);
	/*
	 * Only after sqlite3_column_blob(): asking for the length first may convert the value
	 * (c3ref/column_blob.html).
	 */
	s.n = (size_t)sqlite3_column_bytes(q->own, i);
	return s;
}
