/*
 * The schema is the same in every engine: columns, keys, references, indexes, triggers and views are
 * listed as lines of text, and compared with those of SQLite in memory. Over SQLite this compares a
 * file with it; over PostgreSQL (tests/postgres/units.sh) it compares the engines, also after each
 * migration that a PostgreSQL database may need.
 */
#include "db_fixture.h"

#include "base/buf.h"

/*
 * PostgreSQL began with schema 89. Earlier migrations are tried too, since they have more forms; but not these,
 * which call functions of SQLite, or make a table again to which others refer.
 */
enum { FIRST = 80 };
static const int foreign[] = { 86, 88 };

/* What a schema consists of: a query that gives one line for each, in each engine. */
static const struct {
	const char *sqlite, *postgres;
} parts[] = {
	/* Columns, in their order. */
	{ "SELECT m.name || '.' || c.name || ' ' || lower(replace(c.type, 'INTEGER', 'bigint')) || CASE WHEN c.\"notnull\" OR c.pk THEN ' not null' "
	  "ELSE '' END || COALESCE(' default ' || trim(replace(c.dflt_value, 'x''', '''\\x'), ''''), '') "
	  "FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' "
	  "AND m.name NOT LIKE 'search_index%' ORDER BY m.name, c.cid",
	  "SELECT c.table_name || '.' || column_name || ' ' || replace(data_type, 'bytea', 'blob') || "
	  "CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END || "
	  "COALESCE(' default ' || trim(regexp_replace(column_default, '\\:\\:[a-z]+$', ''), ''''), '') FROM information_schema.columns c "
	  "JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name "
	  "WHERE c.table_schema = current_schema() AND table_type = 'BASE TABLE' "
	  "AND c.table_name NOT IN ('search_posting', 'search_index_docsize', 'octavo_schema') ORDER BY c.table_name, ordinal_position" },
	/* Primary keys. */
	{ "SELECT m.name || ' key ' || (SELECT group_concat(name, ',') FROM (SELECT name FROM pragma_table_info(m.name) WHERE pk > 0 ORDER BY pk)) "
	  "FROM sqlite_schema m WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'search_index%' "
	  "AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE pk > 0) ORDER BY m.name",
	  "SELECT r.relname || ' key ' || (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM unnest(c.conkey) WITH ORDINALITY k(col, n) "
	  "JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = k.col) FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid "
	  "WHERE c.contype = 'p' AND c.connamespace = current_schema()::regnamespace "
	  "AND r.relname NOT IN ('search_posting', 'search_index_docsize', 'octavo_schema') ORDER BY r.relname" },
	/* References. */
	{ "SELECT m.name || '.' || f.\"from\" || ' -> ' || f.\"table\" || ' ' || lower(f.on_delete) FROM sqlite_schema m, pragma_foreign_key_list(m.name) f "
	  "WHERE m.type = 'table' ORDER BY m.name, f.\"from\"",
	  "SELECT r.relname || '.' || a.attname || ' -> ' || t.relname || ' ' || CASE c.confdeltype WHEN 'a' THEN 'no action' WHEN 'c' THEN 'cascade' "
	  "WHEN 'n' THEN 'set null' ELSE '?' END FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid "
	  "JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = ANY (c.conkey) WHERE c.contype = 'f' "
	  "AND c.connamespace = current_schema()::regnamespace ORDER BY r.relname, a.attname" },
	/* Indexes and other unique keys, which have no name that both engines know: an expression is a question mark. */
	{ "SELECT CASE l.origin WHEN 'u' THEN m.name ELSE l.name END || CASE WHEN l.\"unique\" THEN ' unique' ELSE '' END || "
	  "CASE WHEN l.partial THEN ' partial' ELSE '' END "
	  "|| ' ' || (SELECT group_concat(COALESCE(name, '?') || CASE WHEN \"desc\" THEN ' desc' ELSE '' END, ',') FROM "
	  "(SELECT name, \"desc\" FROM pragma_index_xinfo(l.name) WHERE key ORDER BY seqno)) AS line "
	  "FROM sqlite_schema m, pragma_index_list(m.name) l WHERE m.type = 'table' AND m.name NOT LIKE 'search_index%' AND l.origin <> 'pk' ORDER BY line",
	  "SELECT CASE WHEN u.oid IS NOT NULL THEN t.relname ELSE r.relname END || CASE WHEN i.indisunique THEN ' unique' ELSE '' END || "
	  "CASE WHEN i.indpred IS NOT NULL THEN ' partial' ELSE '' END || ' ' || (SELECT string_agg(COALESCE(a.attname, '?') || "
	  "CASE WHEN i.indoption[k.n - 1] & 1 = 1 THEN ' desc' ELSE '' END, ',' ORDER BY k.n) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k(col, n) "
	  "LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.col AND k.col > 0) AS line "
	  "FROM pg_index i JOIN pg_class r ON r.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid "
	  "LEFT JOIN pg_constraint u ON u.conindid = r.oid AND u.contype = 'u' WHERE t.relnamespace = current_schema()::regnamespace "
	  "AND NOT i.indisprimary ORDER BY line" },
	/* Triggers. */
	{ "SELECT tbl_name || ' ' || name FROM sqlite_schema WHERE type = 'trigger' ORDER BY 1",
	  "SELECT r.relname || ' ' || t.tgname FROM pg_trigger t JOIN pg_class r ON r.oid = t.tgrelid WHERE NOT t.tgisinternal "
	  "AND r.relnamespace = current_schema()::regnamespace AND t.tgname <> 'octavo_site_changed' ORDER BY 1" },
	/* Conditions of columns: how many a table has. */
	{ "SELECT name || ' ' || ((length(sql) - length(replace(lower(sql), 'check (', ''))) / 7) FROM sqlite_schema "
	  "WHERE type = 'table' AND sql LIKE '%CHECK (%' ORDER BY name",
	  "SELECT r.relname || ' ' || count(*) FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid WHERE c.contype = 'c' "
	  "AND c.connamespace = current_schema()::regnamespace GROUP BY r.relname ORDER BY r.relname" },
	/* Views; of full-text search both engines have their own. */
	{ "SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'search_term' ORDER BY name",
	  "SELECT table_name FROM information_schema.views WHERE table_schema = current_schema() AND table_name <> 'search_term' ORDER BY table_name" } };

static void
put_line(void *ctx, struct stmt *q)
{
	struct buf *b = ctx;

	buf_printf(b, "%s\n", col_text(q, 0));
}

static char *
list_part(struct db *db, struct arena *a, size_t part)
{
	const char *error = "";
	struct buf b;

	buf_init(&b, a, 1 << 20);
	buf_str(&b, "");
	if (!db_each(db, a, db_has_file(db) ? parts[part].sqlite : parts[part].postgres, put_line, &b, &error))
		fail_msg("%s", error);
	return b.n > 0 ? b.p : "";
}

/* Fails with the first line that differs. */
static void
compare(struct arena *a, struct db *db, struct db *memory, const char *when)
{
	const char *want, *got;
	size_t i, n, m;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		want = list_part(memory, a, i);
		got = list_part(db, a, i);
		while (*want != '\0' || *got != '\0') {
			n = strcspn(want, "\n");
			m = strcspn(got, "\n");
			if (n != m || memcmp(want, got, n) != 0)
				fail_msg("%s: \"%.*s\" instead of \"%.*s\"", when, (int)m, got, (int)n, want);
			want += n + (want[n] != '\0');
			got += m + (got[m] != '\0');
		}
	}
}

static struct db *
open_memory(struct arena *a)
{
	const char *error = NULL;
	struct db *db = db_open(a, ":memory:", DB_CREATE, NULL, &error);

	assert_non_null(db);
	return db;
}

static void
a_new_schema_is_the_same(void **state)
{
	struct fixture *f = *state;
	struct db *memory = open_memory(f->arena);

	assert_true(strlen(list_part(memory, f->arena, 0)) > 10000);
	compare(f->arena, f->db, memory, "new");
	db_close(memory);
}

static bool
is_foreign(int version)
{
	size_t i;

	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		if (foreign[i] == version)
			return true;
	return false;
}

/* path: in memory if it is NULL. */
static struct db *
open_at(struct fixture *f, const char *path, int version)
{
	const char *error = NULL;
	struct db *db;

	/* An empty file is a database of version 0. */
	if (path != NULL)
		fclose(fopen(path, "w"));
	db = db_open(f->arena, path != NULL ? path : ":memory:", DB_ANY_VERSION, NULL, &error);
	if (db == NULL || db_migrate_to(db, f->arena, version, &error) < 0)
		fail_msg("version %d: %s", version, error);
	return db;
}

/* Each migration, run on a schema of the version before, gives the schema that SQLite has after it. */
static void
each_migration_gives_the_same_schema(void **state)
{
	struct fixture *f = *state;
	struct db *memory = open_at(f, NULL, FIRST), *db;
	const char *error = NULL;
	int version;

	for (version = FIRST; version < db_latest(); version++) {
		assert_int_equal(db_migrate_to(memory, f->arena, version + 1, &error), 1);
		if (is_foreign(version + 1))
			continue;
		db = open_at(f, arena_printf(f->arena, "%s/from-%d", f->dir, version), version);
		if (db_migrate_to(db, f->arena, version + 1, &error) != 1)
			fail_msg("%s", error);
		assert_int_equal(db_version(db), version + 1);
		compare(f->arena, db, memory, db_step_name(version + 1));
		db_close(db);
	}
	db_close(memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_schema_is_the_same, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(each_migration_gives_the_same_schema, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
