/*
 * octavo_match(index, :sink): gives what FTS5 knows of a matching row to a
 * struct db_match, so that ranking is code of our own (src/search/search.c).
 * The counts of rows per phrase are taken once a query, the way bm25() does.
 */
#include "db/fulltext.h"
#include "db_parts.h"

static int
count_row(const Fts5ExtensionApi *api, Fts5Context *fts, void *ctx)
{
	(void)api;
	(void)fts;
	++*(int64_t *)ctx;
	return SQLITE_OK;
}

/*
 * Phrases past DB_PHRASES are not counted and not looked at. `uncounted` has a bit for each
 * phrase whose count the ranking does not want: counting a common word walks all of its rows.
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
		/* A hit of a later phrase leaves its place to the next one. */
		m->count += h->phrase < DB_PHRASES;
	}
	for (i = 0; i < DB_COLUMNS && i < api->xColumnCount(fts) && rc == SQLITE_OK && !m->sizeless; i++)
		rc = api->xColumnSize(fts, i, &m->sizes[i]);
	return rc;
}

/* The sink comes as a typed pointer (sqlite3_bind_pointer), so SQL text cannot forge one. */
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
bind_match(struct stmt *q, const char *name, struct db_match *m)
{
	int i = sqlite3_bind_parameter_index(q->s, name);

	m->counted = false;
	m->count = 0;
	sqlite3_bind_pointer(q->s, i, m, "octavo_match", NULL);
}
