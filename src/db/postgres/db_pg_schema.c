/*
 * The latest schema for PostgreSQL, made from the same migrations: they run on an empty SQLite
 * database in memory, whose tables, indexes, views, triggers and rows are then written for
 * PostgreSQL. So both engines have the same schema, and a migration of the past has one text.
 *
 *   tables       db_pg_table.c
 *   triggers     db_pg_trigger.c
 *   search_index tables of posting lists (db_pg_match.h)
 *
 * Rows that are moved here (db/move.h) come after the tables, and before what checks them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "db_pg.h"

enum { SCHEMA_MOST = 4 << 20 };

struct making {
	struct arena *arena;
	struct buf    rows;       /* INSERT statements for the rows that migrations add */
	struct db    *from;       /* the SQLite database */
	struct pg_definitions to;
	struct buf    drop;       /* statements that drop tables and functions */
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
	struct buf *b = &r->making->rows;
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
		buf_printf(&m->drop, "DROP FUNCTION IF EXISTS \"%s\"() CASCADE;\n", name);
	} else if (strcmp(type, "table") == 0) {
		pg_put_table(&m->to, name, text);
		buf_printf(&m->drop, "DROP TABLE IF EXISTS \"%s\" CASCADE;\n", name);
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

/* Statements for what SQLite's schema does not have. */
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

static const char drop_own[] =
    "DROP VIEW IF EXISTS search_term; DROP TABLE IF EXISTS search_posting, search_index_docsize, octavo_schema, octavo_moving_to; "
    "DROP FUNCTION IF EXISTS hex(bytea); DROP FUNCTION IF EXISTS octavo_site_changed() CASCADE;\n";

static bool
make_schema(struct making *m, int version, const char **error)
{
	if ((m->from = db_open(m->arena, ":memory:", DB_ANY_VERSION, NULL, error)) == NULL)
		return false;
	buf_init(&m->to.out, m->arena, SCHEMA_MOST);
	buf_init(&m->to.late, m->arena, SCHEMA_MOST);
	buf_init(&m->rows, m->arena, SCHEMA_MOST);
	buf_init(&m->drop, m->arena, SCHEMA_MOST);
	if (db_migrate_to(m->from, m->arena, version, error) < 0 || !db_each(m->from, m->arena, objects, take_object, m, error))
		m->error = *error;
	db_close(m->from);
	*error = m->error;
	buf_printf(&m->to.late, "%sINSERT INTO octavo_schema VALUES (%d);\n", own, version);
	return m->error == NULL;
}

char *
pg_schema(struct arena *a, int version, const char **error)
{
	struct making m = { .arena = a };

	if (!make_schema(&m, version, error))
		return NULL;
	buf_put(&m.to.out, buf_view(&m.rows));
	buf_put(&m.to.out, buf_view(&m.to.late));
	return m.to.out.p;
}

/* New rows of a table with an identity get numbers after those that were copied. */
static const char identities[] =
    "DO $octavo$ DECLARE r record; BEGIN FOR r IN SELECT table_name AS t, column_name AS c FROM information_schema.columns "
    "WHERE table_schema = current_schema() AND is_identity = 'YES' LOOP EXECUTE format("
    "'SELECT setval(pg_get_serial_sequence(%L, %L), (SELECT COALESCE(max(%I), 0) + 1 FROM %I), false)', "
    "quote_ident(r.t), r.c, r.c, r.t); END LOOP; END $octavo$;\n";

bool
pg_receive(struct db *db, struct arena *a, bool again, const char **rest, const char **error)
{
	struct making m = { .arena = a };

	if (pg_version(db) != 0 && !again) {
		*error = "the database on the server is not empty";
		return false;
	}
	if (!make_schema(&m, db_latest(), error))
		return false;
	*rest = arena_printf(a, "%s%s", m.to.late.p, identities);
	/*
	 * An interrupted move has left everything, and no program has opened it. A program of another version may have made
	 * it, whose schema had not all of these tables.
	 */
	return db_script(db, a, "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN", error) &&
	    (!again || db_script(db, a, arena_printf(a, "%s%s", drop_own, m.drop.p), error)) && db_script(db, a, m.to.out.p, error);
}
