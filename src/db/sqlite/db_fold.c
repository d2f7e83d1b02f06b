/*
 * SQL functions: octavo_fold(text) folds text for searching (utf8_fold); octavo_casefold(text)
 * folds it for ordering lists and keeps accents (utf8_casefold). For migrations.
 */
#include "db_sqlite.h"
#include "base/utf8.h"

/*
 * NULL stays NULL. The scratch arena is reset after each row, since SQLite copies the result
 * (SQLITE_TRANSIENT).
 */
static void
fold_by(char *(*how)(struct arena *, struct str), sqlite3_context *out, int n, sqlite3_value **args)
{
	struct arena *scratch = sqlite3_user_data(out);
	struct str s = { .n = 0 };

	if (n != 1 || sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	s.p = (const char *)sqlite3_value_text(args[0]);
	s.n = s.p == NULL ? 0 : (size_t)sqlite3_value_bytes(args[0]);
	sqlite3_result_text(out, how(scratch, s), -1, SQLITE_TRANSIENT);
	arena_reset(scratch);
}

static void
sql_fold(sqlite3_context *out, int n, sqlite3_value **args)
{
	fold_by(utf8_fold, out, n, args);
}

static void
sql_casefold(sqlite3_context *out, int n, sqlite3_value **args)
{
	fold_by(utf8_casefold, out, n, args);
}

static void
free_scratch(void *scratch)
{
	arena_free(scratch);
}

bool
db_fold_register(sqlite3 *h)
{
	/*
	 * Deterministic, so that an index may be made of it; innocuous, so that a schema may
	 * name it while trusted_schema is off (c3ref/c_deterministic.html).
	 */
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

	return sqlite3_create_function_v2(h, "octavo_fold", 1, flags, arena_new((size_t)1 << 30), sql_fold,
	    NULL, NULL, free_scratch) == SQLITE_OK &&
	    sqlite3_create_function_v2(h, "octavo_casefold", 1, flags, arena_new((size_t)1 << 30), sql_casefold,
	    NULL, NULL, free_scratch) == SQLITE_OK;
}
