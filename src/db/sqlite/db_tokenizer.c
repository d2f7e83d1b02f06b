/* The FTS5 tokenizer "octavo": the terms of src/db/db_terms.h. */
#include "../db_terms.h"
#include "db_sqlite.h"

_Static_assert(TERM_COLOCATED == FTS5_TOKEN_COLOCATED, "terms_each() calls FTS5's function");

static int
fts_tokenize(Fts5Tokenizer *t, void *ctx, int why, const char *p, int n, int (*fn)(void *, int, const char *, int, int, int))
{
	(void)t;
	(void)why;
	return terms_each((struct str){ p, p == NULL || n < 0 ? 0 : (size_t)n }, fn, ctx);
}

static int
fts_create(void *ctx, const char **argv, int argc, Fts5Tokenizer **out)
{
	static char nothing;

	(void)ctx;
	(void)argv;
	*out = (Fts5Tokenizer *)&nothing;   /* there is no state, but FTS5 requires a pointer */
	return argc == 0 ? SQLITE_OK : SQLITE_ERROR;
}

static void
fts_destroy(Fts5Tokenizer *t)
{
	(void)t;
}

bool
db_fulltext(sqlite3 *h)
{
	fts5_tokenizer octavo = { fts_create, fts_destroy, fts_tokenize };
	fts5_api *api = NULL;
	sqlite3_stmt *s = NULL;
	bool ok;

	if (sqlite3_prepare_v2(h, "SELECT fts5(?1)", -1, &s, NULL) != SQLITE_OK)
		return false;
	sqlite3_bind_pointer(s, 1, (void *)&api, "fts5_api_ptr", NULL);
	sqlite3_step(s);
	ok = sqlite3_finalize(s) == SQLITE_OK && api != NULL;
	return ok && api->xCreateTokenizer(api, "octavo", NULL, &octavo, NULL) == SQLITE_OK &&
	    db_match_register(api) == SQLITE_OK;
}
