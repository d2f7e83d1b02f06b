/*
 * SQL functions: octavo_pack(bytes) compresses bytes if that makes them shorter (base/pack.h), for
 * migrations. octavo_unpack(packed, size) reverses it, and gives NULL if these bytes do not unpack
 * to that size; for tests.
 */
#include "db_sqlite.h"
#include "base/pack.h"

/*
 * Packs the UTF-8 bytes of a text to a blob; NULL stays NULL. The scratch arena is reset after each
 * row, since SQLite copies the result.
 */
static void
pack_value(sqlite3_context *out, int n, sqlite3_value **args)
{
	struct arena *scratch = sqlite3_user_data(out);
	struct str s = { .n = 0 };

	if (n != 1 || sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	s.p = sqlite3_value_blob(args[0]);
	s.n = (size_t)sqlite3_value_bytes(args[0]);
	s = pack(scratch, s);
	/* A NULL pointer would give NULL instead of an empty blob. */
	sqlite3_result_blob64(out, s.n == 0 ? "" : s.p, s.n, SQLITE_TRANSIENT);
	arena_reset(scratch);
}

static void
unpack_value(sqlite3_context *out, int n, sqlite3_value **args)
{
	struct arena *scratch = sqlite3_user_data(out);
	struct str packed, bytes;

	if (n != 2 || sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	packed.p = sqlite3_value_blob(args[0]);
	packed.n = (size_t)sqlite3_value_bytes(args[0]);
	if (unpack(scratch, packed, (size_t)sqlite3_value_int64(args[1]), &bytes))
		sqlite3_result_blob64(out, bytes.p, bytes.n, SQLITE_TRANSIENT);
	arena_reset(scratch);
}

static void
free_scratch(void *scratch)
{
	arena_free(scratch);
}

bool
db_pack_register(sqlite3 *h)
{
	static const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
	static const size_t most = (size_t)2 << 30;

	return sqlite3_create_function_v2(h, "octavo_pack", 1, flags, arena_new(most), pack_value, NULL, NULL,
	    free_scratch) == SQLITE_OK &&
	    sqlite3_create_function_v2(h, "octavo_unpack", 2, flags, arena_new(most), unpack_value, NULL, NULL,
	    free_scratch) == SQLITE_OK;
}
