/*
 * Checks that the file still has the schema and the identity that it had when the connection was
 * opened, and reports failures of SQLite.
 */
#include <stdio.h>

#include "db_sqlite.h"

SQL(q_version, "PRAGMA user_version");

/*
 * The statement that reads the schema version; NULL: it cannot be prepared. A failure raises no
 * error: failures of other statements call this, so it would recurse when memory is exhausted.
 */
static sqlite3_stmt *
version_statement(struct db *db)
{
	struct stmt *q = &db->stmts[*q_version.slot];
	sqlite3_stmt *s = q->own;

	if (s == NULL && sqlite3_prepare_v3(sqlite_of(db)->handle, q_version.text, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) == SQLITE_OK) {
		q->own = s;
		q->sql = &q_version;
	}
	return s;
}

/*
 * True if the file has another schema by now; also records its version. If the version cannot be
 * read, returns false: the current statement fails anyway.
 */
bool
sqlite_schema_changed(struct db *db)
{
	sqlite3_stmt *s = db->version == 0 || db->other_version != 0 ? NULL : version_statement(db);

	if (s != NULL && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) != db->version)
		db->other_version = sqlite3_column_int(s, 0);
	sqlite3_reset(s);
	return db->other_version != 0;
}

/* True if another file is at the path: a write into the old one would be lost. */
bool
sqlite_file_replaced(struct db *db)
{
	struct sqlite_db *s = sqlite_of(db);
	struct db_file now = { 0 };

	/* Only for a connection that has read the version, and for which nothing else is wrong yet. */
	if (db->version != 0 && db->other_version == 0 && (!db_file_id(s->handle, &now) ||
	    now.device != s->file.device || now.inode != s->file.inode))
		db->other_version = DB_REPLACED;
	return db->other_version == DB_REPLACED;
}

unsigned
sqlite_data_version(struct sqlite_db *s)
{
	unsigned data = 0;

	/*
	 * This counter changes when another connection commits
	 * (c3ref/c_fcntl_begin_atomic_write.html), so also with each migration; reading it takes no
	 * statement.
	 */
	sqlite3_file_control(s->handle, NULL, SQLITE_FCNTL_DATA_VERSION, &data);
	return data;
}

/* Runs once per transaction, as soon as it has its snapshot. */
void
sqlite_compare_version(struct sqlite_db *s)
{
	unsigned data = sqlite_data_version(s);

	s->compared = true;
	if (data == s->data && s->db.other_version == 0)
		return;
	if (sqlite_schema_changed(&s->db))
		db_fail_schema(&s->db);
	s->data = data;
}

/*
 * Reports the failure of SQLite's last call. A statement that does not fit a changed schema is no
 * bug.
 */
void
sqlite_raise(struct db *db, const char *what)
{
	static char message[512];   /* static: must outlive the arena, which the handler may free */
	sqlite3 *h = sqlite_of(db)->handle;
	int code = sqlite3_errcode(h);
	enum db_failure f = DB_ERROR;

	snprintf(message, sizeof(message), "%s: %s (%d)", what, sqlite3_errmsg(h), sqlite3_extended_errcode(h));
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		f = DB_BUSY;
	/* An exceeded disk quota appears as a failed write, not as a full disk. */
	else if (code == SQLITE_FULL || sqlite3_extended_errcode(h) == SQLITE_IOERR_WRITE)
		f = DB_FULL;
	/* Check this before damage: a file replaced under an open WAL looks damaged. */
	else if (sqlite_file_replaced(db) || sqlite_schema_changed(db))
		db_fail_schema(db);
	else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR ||
	    code == SQLITE_CANTOPEN)
		f = DB_DAMAGED;
	db_fail(db, f, message);
}
