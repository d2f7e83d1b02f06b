/*
 * octavo_match(index, :sink) passes FTS5's data about a matching row to a struct db_match, so that
 * our own code ranks it (src/search/search.c). Row counts per phrase are read once per query, as
 * bm25() does.
 */
#include "db/fulltext.h"
#include "db_sqlite.h"

static int
count_row(const Fts5ExtensionApi *api, Fts5Context *fts, void *ctx)
{
	(void)api;
	(void)fts;
	++*(int64_t *)ctx;
	return SQLITE_OK;
}

/*
 * Count the rows of each phrase, up to DB_PHRASES. A bit in `uncounted` skips a phrase whose count
 * the ranking does not need: counting a common word walks all of its rows.
 */
static int
count_phrases(const Fts5ExtensionApi *api, Fts5Context *fts, struct db_match *m)
{
	int i, rc = SQLITE_OK;

	m->phrases = api->xPhraseCount(fts);
	if (m->phrases > DB_PHRASES)
		m->phrases = DB_PHRASES;
	for (i = 0; i < m->phrases && rc == SQLITE_OK; i++) {
		m->rows[i] = 0;
		if (m->uncounted >> i & 1)
			continue;
		rc = api->xQueryPhrase(fts, i, &m->rows[i], count_row);
	}
	m->counted = rc == SQLITE_OK;
	return rc;
}

static int
take_hits(const Fts5ExtensionApi *api, Fts5Context *fts, struct db_match *m)
{
	int i, n, rc = api->xInstCount(fts, &n);

	m->count = 0;
	for (i = 0; i < n && rc == SQLITE_OK && m->count < DB_HITS; i++) {
		struct db_hit *h = &m->hits[m->count];
		rc = api->xInst(fts, i, &h->phrase, &h->column, &h->position);
		/* Overwrite a hit of a phrase beyond the limit. */
		m->count += h->phrase < DB_PHRASES;
	}
	for (i = 0; i < DB_COLUMNS && i < api->xColumnCount(fts) && rc == SQLITE_OK && !m->sizeless; i++)
		rc = api->xColumnSize(fts, i, &m->sizes[i]);
	return rc;
}

/* The sink is a typed pointer (sqlite3_bind_pointer), which SQL text cannot forge. */
static void
sql_match(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *out, int n,
    sqlite3_value **args)
{
	struct db_match *m = n == 1 ? sqlite3_value_pointer(args[0], "octavo_match") : NULL;
	int rc = SQLITE_OK;

	if (m == NULL) {
		sqlite3_result_error(out, "octavo_match() takes a sink", -1);
		return;
	}
	if (!m->counted)
		rc = count_phrases(api, fts, m);
	if (rc == SQLITE_OK)
		rc = take_hits(api, fts, m);
	m->row = api->xRowid(fts);
	if (rc != SQLITE_OK)
		sqlite3_result_error_code(out, rc);
}

int
db_match_register(fts5_api *api)
{
	return api->xCreateFunction(api, "octavo_match", NULL, sql_match, NULL);
}

void
sqlite_bind_match(struct stmt *q, const char *name, struct db_match *m)
{
	int i = sqlite3_bind_parameter_index(q->own, name);

	m->counted = false;
	m->count = 0;
	sqlite3_bind_pointer(q->own, i, m, "octavo_match", NULL);
}
