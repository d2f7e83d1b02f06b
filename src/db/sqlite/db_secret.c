/*
 * SQL functions: octavo_secret_hash(text) is secret_hash_text() in hexadecimal; octavo_seal(text)
 * encrypts under octavo.key for SECRET_LINK, and is NULL if the program has not opened the key;
 * octavo_shown_url(text) is url_shown(). For migrations.
 */
#include "db_sqlite.h"
#include "base/secret.h"
#include "base/url.h"

static bool
text_of(int n, sqlite3_value **args, struct str *s)
{
	if (n != 1 || sqlite3_value_type(args[0]) == SQLITE_NULL)
		return false;
	s->p = (const char *)sqlite3_value_text(args[0]);
	s->n = s->p == NULL ? 0 : (size_t)sqlite3_value_bytes(args[0]);
	return s->p != NULL;
}

/* The scratch arena is reset after each row, since SQLite copies the result. */
static void
hash_value(sqlite3_context *out, int n, sqlite3_value **args)
{
	struct arena *scratch = sqlite3_user_data(out);
	struct str s;

	if (text_of(n, args, &s))
		sqlite3_result_text(out, secret_hash_text(scratch, s.p), -1, SQLITE_TRANSIENT);
	arena_reset(scratch);
}

static void
seal_value(sqlite3_context *out, int n, sqlite3_value **args)
{
	struct arena *scratch = sqlite3_user_data(out);
	struct str s;

	if (secret_ready() && text_of(n, args, &s)) {
		s = secret_seal(scratch, SECRET_LINK, s);
		sqlite3_result_blob64(out, s.p, s.n, SQLITE_TRANSIENT);
	}
	arena_reset(scratch);
}

static void
shown_value(sqlite3_context *out, int n, sqlite3_value **args)
{
	struct arena *scratch = sqlite3_user_data(out);
	struct str s;

	if (text_of(n, args, &s))
		sqlite3_result_text(out, url_shown(scratch, s.p), -1, SQLITE_TRANSIENT);
	arena_reset(scratch);
}

static void
free_scratch(void *scratch)
{
	arena_free(scratch);
}

bool
db_secret_register(sqlite3 *h)
{
	static const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
	/* No limit of its own: a panic would end the program for a text that SQLite took. */
	static const size_t most = SIZE_MAX / 2;

	return sqlite3_create_function_v2(h, "octavo_secret_hash", 1, flags, arena_new(most), hash_value, NULL, NULL,
	    free_scratch) == SQLITE_OK &&
	    sqlite3_create_function_v2(h, "octavo_seal", 1, flags, arena_new(most), seal_value, NULL, NULL,
	    free_scratch) == SQLITE_OK &&
	    sqlite3_create_function_v2(h, "octavo_shown_url", 1, flags, arena_new(most), shown_value, NULL, NULL,
	    free_scratch) == SQLITE_OK;
}
