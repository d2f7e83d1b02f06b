/* Prepares, binds and steps statements of SQLite. */
#include "base/panic.h"
#include "db_sqlite.h"

static sqlite3_stmt *
compile_statement(struct db *db, const struct sql *sql)
{
	sqlite3 *h = sqlite_of(db)->handle;
	sqlite3_stmt *s;

	if (sqlite3_prepare_v3(h, sql->text, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK) {
		/*
		 * It is no bug if the statement cannot be prepared because another process has
		 * locked or migrated the file.
		 */
		if (sqlite3_errcode(h) == SQLITE_ERROR && !sqlite_schema_changed(db))
			panic("%s: %s: %s", sql->file, sql->name, sqlite3_errmsg(h));
		sqlite_raise(db, sql->name);
	}
	return s;
}

void
sqlite_prepare(struct stmt *q)
{
	q->own = compile_statement(q->db, q->sql);
}

void
sqlite_check(struct db *db, const struct sql *sql)
{
	if (sql->text != NULL)
		sqlite3_finalize(compile_statement(db, sql));
}

void
sqlite_reset(struct stmt *q)
{
	sqlite3_reset(q->own);
	sqlite3_clear_bindings(q->own);
}

void
sqlite_rewind(struct stmt *q)
{
	sqlite3_reset(q->own);
}

static int
find_parameter(struct stmt *q, const char *name)
{
	/* By name, so that a new parameter does not shift the others. */
	int i = sqlite3_bind_parameter_index(q->own, name);

	if (i == 0)
		panic("%s: %s has no parameter %s", q->sql->file, q->sql->name, name);
	return i;
}

void
sqlite_bind_bytes(struct stmt *q, const char *name, struct str s)
{
	/*
	 * SQLITE_STATIC does not copy: the caller's bytes must live until the statement is reset
	 * (db.h).
	 */
	sqlite3_bind_text64(q->own, find_parameter(q, name), s.p == NULL ? "" : s.p, s.n, SQLITE_STATIC,
	    SQLITE_UTF8);
}

void
sqlite_bind_int(struct stmt *q, const char *name, int64_t n)
{
	sqlite3_bind_int64(q->own, find_parameter(q, name), n);
}

void
sqlite_bind_blob(struct stmt *q, const char *name, struct str b)
{
	/* A NULL pointer would bind NULL instead of an empty blob. */
	if (b.p == NULL)
		sqlite3_bind_zeroblob(q->own, find_parameter(q, name), 0);
	else
		sqlite3_bind_blob64(q->own, find_parameter(q, name), b.p, b.n, SQLITE_STATIC);
}

void
sqlite_bind_null(struct stmt *q, const char *name)
{
	sqlite3_bind_null(q->own, find_parameter(q, name));
}

bool
sqlite_step(struct stmt *q)
{
	struct db *db = q->db;
	struct sqlite_db *s = sqlite_of(db);
	int rc;

	if (!db->write && !sqlite3_stmt_readonly(q->own))
		panic("%s: %s writes outside of a write transaction", q->sql->file, q->sql->name);
	rc = sqlite3_step(q->own);
	/*
	 * BEGIN takes no snapshot; the first statement that reads does. Only now is the version
	 * that of the data.
	 */
	if (!s->compared && (rc == SQLITE_ROW || rc == SQLITE_DONE))
		sqlite_compare_version(s);
	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE)
		sqlite_raise(db, q->sql->name);
	sqlite3_reset(q->own);
	return false;
}

int64_t
sqlite_changed(struct stmt *q)
{
	return sqlite3_changes64(sqlite_of(q->db)->handle);
}

int64_t
sqlite_changes(struct db *db)
{
	return sqlite3_total_changes(sqlite_of(db)->handle);
}

int64_t
sqlite_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(sqlite_of(db)->handle);
}

bool
sqlite_script(struct db *db, struct arena *a, const char *text, const char **error)
{
	char *message = NULL;

	if (sqlite3_exec(sqlite_of(db)->handle, text, NULL, NULL, &message) == SQLITE_OK)
		return true;
	*error = arena_strdup(a, message != NULL ? message : "out of memory");
	sqlite3_free(message);
	return false;
}

bool
sqlite_each(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx,
    const char **error)
{
	/* Only for commands and tests: requests never run SQL that is put together at run time. */
	static const struct sql adhoc = { "ad hoc", __FILE__, "", NULL };
	sqlite3 *h = sqlite_of(db)->handle;
	struct stmt q = { .engine = db->engine, .sql = &adhoc, .db = db };
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(h, text, -1, &s, NULL);

	q.own = s;
	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(s)) == SQLITE_ROW)
			row(ctx, &q);
	if (rc != SQLITE_DONE)
		*error = arena_strdup(a, sqlite3_errmsg(h));
	sqlite3_finalize(s);
	return rc == SQLITE_DONE;
}
