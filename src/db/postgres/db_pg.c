/* The engine PostgreSQL: opening and closing a connection, and the table of what the engine does. */
#include "db_pg.h"

static void
pg_close(struct db *db)
{
	struct pg_db *p = pg_of(db);
	size_t i;

	for (i = 0; i < db->count; i++)
		if (db->stmts[i].own != NULL)
			pg_rewind(&db->stmts[i]);
	if (p->c != NULL)
		pg_ahead_drop(p);
	if (p->c != NULL)
		p->pq->finish(p->c);
	p->c = NULL;
}

/*
 * Texts are compared by their bytes, as SQLite does. COLLATE "C" of the columns would not suffice: the
 * parts of a recursive query must agree, and literals have the collation of the database.
 */
static const char *
check_order(struct pg_db *p, struct arena *a)
{
	PGresult *r = pg_exec(p, "SELECT datcollate FROM pg_database WHERE datname = current_database() "
	    "AND datcollate NOT IN ('C', 'POSIX', 'C.UTF-8') OR datname = current_database() AND pg_encoding_to_char(encoding) <> 'UTF8'");
	const char *error = NULL;

	if (!pg_succeeded(p, r))
		error = arena_strdup(a, p->pq->error(p->c));
	else if (p->pq->rows(r) > 0)
		error = "the database must be made with: CREATE DATABASE name TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'";
	p->pq->clear(r);
	return error;
}

/* The schema that tables are made in: the first of search_path that exists. */
static const char *
find_schema(struct pg_db *p, struct arena *a)
{
	PGresult *r = pg_exec(p, "SELECT quote_ident(current_schema())");
	const char *error = NULL;

	if (!pg_succeeded(p, r))
		error = arena_strdup(a, p->pq->error(p->c));
	else if (p->pq->is_null(r, 0, 0))
		error = "no schema of the search_path exists in the database";
	else
		p->db.qualifier = arena_strdup(a, p->pq->value(r, 0, 0));
	p->pq->clear(r);
	return error;
}

static struct db *
pg_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error)
{
	struct pg_db *p = arena_alloc(a, sizeof(*p));
	struct db *db = &p->db;

	db->engine = &db_postgres;
	db->arena = a;
	db->job = o != NULL && o->job;
	db->dir = o != NULL && o->dir != NULL ? o->dir : ".";
	p->kept = arena_within(a, (size_t)256 << 20);
	p->passing = arena_within(a, (size_t)64 << 20);
	p->words = arena_within(a, (size_t)4 << 30);
	p->ahead_arena = arena_within(a, (size_t)64 << 20);
	if ((p->pq = libpq_load(a, error)) == NULL)
		return NULL;
	p->c = p->pq->connect(path);
	if ((*error = pg_begin_session(p, a)) != NULL || (*error = check_order(p, a)) != NULL || (*error = find_schema(p, a)) != NULL)
		goto failed;
	db_long_open(db);
	db_list_statements(db);
	if ((*error = db_check_version(db, a, mode)) != NULL) {
		if (o != NULL && o->older_schema != NULL)
			*o->older_schema = db_version(db) > 0 && db_version(db) < db_latest();
		goto failed;
	}
	db->version = mode == DB_ANY_VERSION ? 0 : db_latest();
	return db;
failed:
	db_close(db);
	return NULL;
}

/* ---- upkeep that only files need ---- */

static bool
pg_truncate_log(struct db *db, struct arena *a, const char **error)
{
	(void)db;
	(void)a;
	(void)error;
	return true;
}

static void
pg_do_nothing(struct db *db)
{
	(void)db;
}

const struct db_engine db_postgres = {
	.name = "PostgreSQL", .open = pg_open, .close = pg_close,
	.begin = pg_begin, .try_begin = pg_try_begin, .commit = pg_commit, .rollback = pg_rollback,
	.mark = pg_mark, .undo = pg_undo, .keep = pg_keep,
	.moment = pg_moment, .unchanged = pg_unchanged, .outdated = pg_outdated,
	.prepare = pg_prepare, .check = pg_check, .reset = pg_reset, .rewind = pg_rewind,
	.bind_bytes = pg_bind_bytes, .bind_int = pg_bind_int, .bind_blob = pg_bind_blob,
	.bind_null = pg_bind_null, .write_words = pg_write_words, .match = pg_match, .step = pg_step, .changed = pg_changed, .last_id = pg_last_id,
	.changes = pg_changes, .col_count = pg_col_count, .col_name = pg_col_name,
	.col_null = pg_col_null, .col_int = pg_col_int, .col_double = pg_col_double,
	.col_is_number = pg_col_is_number, .col_text = pg_col_text, .col_bytes = pg_col_bytes,
	.ahead = pg_ahead, .script = pg_script, .each = pg_each, .raise = pg_raise,
	.version = pg_version, .migrate_one = pg_migrate_one, .migrating = pg_migrating, .receive = pg_receive,
	.truncate_log = pg_truncate_log, .forget_pages = pg_do_nothing,
	.checkpoint = pg_do_nothing,
};
