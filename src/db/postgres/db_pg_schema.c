/*
 * The latest schema for PostgreSQL, made from the same migrations: they run on an empty SQLite
 * database in memory, whose tables, indexes, views, triggers and rows are then written for
 * PostgreSQL. So both engines have the same schema, and a migration of the past has one text.
 *
 *   tables       db_pg_table.c
 *   triggers     db_pg_trigger.c
 *   search_index tables of posting lists (db_pg_match.h)
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "db_pg.h"

enum { SCHEMA_MOST = 4 << 20 };

struct making {
	struct arena *arena;
	struct db    *from;       /* the SQLite database */
	struct pg_definitions to;
	const char   *error;
};

/* ---- rows ---- */

static void
put_value(struct buf *b, struct stmt *q, int i)
{
	struct str s = col_bytes(q, i);
	size_t k;

	if (col_null(q, i)) {
		buf_str(b, "NULL");
		return;
	}
	if (col_is_number(q, i)) {
		buf_printf(b, "%" PRId64, col_int(q, i));
		return;
	}
	buf_char(b, '\'');
	for (k = 0; k < s.n; k++) {
		if (s.p[k] == '\'')
			buf_char(b, '\'');
		buf_char(b, s.p[k]);
	}
	buf_char(b, '\'');
}

struct rows {
	struct making *making;
	const char    *table;
};

static void
put_row(void *ctx, struct stmt *q)
{
	struct rows *r = ctx;
	struct buf *b = &r->making->to.late;
	int i;

	buf_printf(b, "INSERT INTO \"%s\" VALUES (", r->table);
	for (i = 0; i < col_count(q); i++) {
		if (i > 0)
			buf_str(b, ", ");
		put_value(b, q, i);
	}
	buf_str(b, ");\n");
}

/* ---- the list ---- */

static void
take_object(void *ctx, struct stmt *q)
{
	struct making *m = ctx;
	const char *type = arena_strdup(m->arena, col_text(q, 0)), *name = arena_strdup(m->arena, col_text(q, 1));
	const char *text = arena_strdup(m->arena, col_text(q, 2));
	struct rows r = { m, name };

	if (m->error != NULL)
		return;
	if (strcmp(type, "trigger") == 0) {
		if (!pg_trigger(&m->to.late, text))
			m->error = arena_printf(m->arena, "trigger %s: its form is unknown", name);
	} else if (strcmp(type, "table") == 0) {
		pg_put_table(&m->to, name, text);
		db_each(m->from, m->arena, arena_printf(m->arena, "SELECT * FROM \"%s\"", name), put_row, &r, &m->error);
	} else {
		buf_printf(&m->to.out, "%s;\n", text);
	}
}

/*
 * The tables that a full-text table consists of are left out. Tables come first, then views and
 * indexes, triggers last.
 */
static const char objects[] =
    "SELECT type, name, sql FROM sqlite_schema m WHERE sql IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM sqlite_schema v WHERE v.sql LIKE 'CREATE VIRTUAL%' "
    "AND (m.name = v.name OR m.name LIKE v.name || '\\_%' ESCAPE '\\')) "
    "ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'view' THEN 1 WHEN 'index' THEN 2 ELSE 3 END, rowid";

static const char own[] =
    /* Full-text search: db_pg_match.h. The view is of the form of fts5vocab. */
    "CREATE TABLE search_posting (term bytea NOT NULL, no bigint NOT NULL, hits bytea NOT NULL, PRIMARY KEY (term, no));\n"
    "CREATE TABLE search_index_docsize (id bigint PRIMARY KEY);\n"
    "CREATE VIEW search_term AS SELECT convert_from(term, 'UTF8') AS term, count(*) AS doc FROM search_posting GROUP BY 1;\n"
    "CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE RETURN upper(encode($1, 'hex'));\n"
    "CREATE TABLE octavo_schema (version bigint NOT NULL);\n"
    "CREATE FUNCTION octavo_site_changed() RETURNS trigger LANGUAGE plpgsql AS "
    "$octavo$ BEGIN RAISE NOTICE 'octavo: site_change'; RETURN NULL; END $octavo$;\n"
    "CREATE TRIGGER octavo_site_changed AFTER UPDATE ON site_change FOR EACH STATEMENT EXECUTE FUNCTION octavo_site_changed();\n";

char *
pg_schema(struct arena *a, int version, const char **error)
{
	struct making m = { .arena = a };

	if ((m.from = db_open(a, ":memory:", DB_ANY_VERSION, NULL, error)) == NULL)
		return NULL;
	buf_init(&m.to.out, a, SCHEMA_MOST);
	buf_init(&m.to.late, a, SCHEMA_MOST);
	if (db_migrate_to(m.from, a, version, error) < 0 || !db_each(m.from, a, objects, take_object, &m, error))
		m.error = *error;
	db_close(m.from);
	*error = m.error;
	buf_put(&m.to.out, buf_view(&m.to.late));
	buf_printf(&m.to.out, "%sINSERT INTO octavo_schema VALUES (%d);\n", own, version);
	return m.error != NULL ? NULL : m.to.out.p;
}
