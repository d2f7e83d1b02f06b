/* Connections, transactions and statements over SQLite; columns are in db_row.c. Contract: db/db.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "db_parts.h"
#include "base/panic.h"
#include "base/spare.h"

/* Bounds of the linker section that SQL() puts its pointers into. */
extern const struct sql *const __start_octavo_sql[];
extern const struct sql *const __stop_octavo_sql[];

SQL(q_begin, "BEGIN");
SQL(q_begin_write, "BEGIN IMMEDIATE");
SQL(q_moment, "SELECT n FROM site_change WHERE id = 1");
SQL(q_commit, "COMMIT");
SQL(q_rollback, "ROLLBACK");
SQL(q_mark, "SAVEPOINT mark");
SQL(q_undo, "ROLLBACK TO mark");
SQL(q_release, "RELEASE mark");
SQL(q_version, "PRAGMA user_version");

/* SQLite's own busy handler sleeps up to 100 ms; a write here takes about one. */
static int
on_busy(void *ctx, int tries)
{
	struct db *db = ctx;
	struct timespec t = { 0, 1500000 };
	bool brief = db->patience_ms > 0 && db->patience_ms < db->busy_ms;

	if (tries * 3 / 2 >= (brief ? db->patience_ms : db->busy_ms))
		return 0;
	db_lock_missed(db);
	nanosleep(&t, NULL);
	return 1;
}

static void fail_with(struct db *db, enum db_failure f, const char *message)
	__attribute__((noreturn));

/*
 * A handler leaves by longjmp(). Without one (a command) the process ends, and SQLite rolls back
 * when the file is opened next.
 */
static void
fail_with(struct db *db, enum db_failure f, const char *message)
{
	if (db->fail != NULL)
		db->fail(db->fail_ctx, f, message);
	panic("database: %s", message);
}

void
db_lost(struct db *db, const char *message)
{
	fail_with(db, DB_LOST, message);
}

/*
 * The statement that reads the schema version; NULL: it cannot be prepared. That raises no error, since
 * errors of other statements lead here, and without memory each of them would lead to the next.
 */
static sqlite3_stmt *
version_statement(struct db *db)
{
	struct stmt *q = &db->stmts[*q_version.slot];

	if (q->s == NULL && sqlite3_prepare_v3(db->handle, q_version.text, -1, SQLITE_PREPARE_PERSISTENT, &q->s, NULL) == SQLITE_OK) {
		q->sql = &q_version;
		q->db = db;
	}
	return q->s;
}

/*
 * True, and recorded, if the file has another schema by now. If the version cannot be read, the
 * current statement fails by itself.
 */
static bool
schema_changed(struct db *db)
{
	sqlite3_stmt *s = db->version == 0 || db->other_version != 0 ? NULL : version_statement(db);

	if (s != NULL && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0) != db->version)
		db->other_version = sqlite3_column_int(s, 0);
	sqlite3_reset(s);
	return db->other_version != 0;
}

static void fail_schema(struct db *db) __attribute__((noreturn));

static void
fail_schema(struct db *db)
{
	static char message[160];   /* static: must outlive the arena, which the handler may free */

	if (db->other_version == DB_REPLACED)
		fail_with(db, DB_SCHEMA, "octavo.db was replaced or taken away: this program ends, so that "
		    "another one opens what is there");
	snprintf(message, sizeof(message), "the database has schema version %d by now, this program "
	    "knows %d: it ends, so that a newer one is started", db->other_version, db->version);
	fail_with(db, DB_SCHEMA, message);
}

/* True if another file is at the path: a write into the old one would be lost. */
static bool
file_replaced(struct db *db)
{
	struct db_file now = { 0 };

	if (db->version != 0 && db->other_version == 0 && (!db_file_id(db->handle, &now) ||
	    now.device != db->file.device || now.inode != db->file.inode))
		db->other_version = DB_REPLACED;
	return db->other_version == DB_REPLACED;
}

static unsigned
data_version(struct db *db)
{
	unsigned data = 0;

	/*
	 * This counter changes when another connection commits
	 * (c3ref/c_fcntl_begin_atomic_write.html), so also with each migration; reading it takes no
	 * statement.
	 */
	sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_DATA_VERSION, &data);
	return data;
}

/* Runs once per transaction, as soon as it has its snapshot. */
static void
compare_version(struct db *db)
{
	unsigned data = data_version(db);

	db->compared = true;
	if (data == db->data && db->other_version == 0)
		return;
	if (schema_changed(db))
		fail_schema(db);
	db->data = data;
}

static void db_raise(struct db *db, const char *what) __attribute__((noreturn));

/*
 * Report the failure of SQLite's last call. A statement that does not fit another schema is no bug.
 */
static void
db_raise(struct db *db, const char *what)
{
	static char message[512];
	int code = sqlite3_errcode(db->handle);
	enum db_failure f = DB_ERROR;

	snprintf(message, sizeof(message), "%s: %s (%d)", what, sqlite3_errmsg(db->handle),
	    sqlite3_extended_errcode(db->handle));
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		f = DB_BUSY;
	/* A quota shows as a failed write, not as a full disk. */
	else if (code == SQLITE_FULL || sqlite3_extended_errcode(db->handle) == SQLITE_IOERR_WRITE)
		f = DB_FULL;
	/* Check this before damage: a file replaced under an open WAL looks damaged. */
	else if (file_replaced(db) || schema_changed(db))
		fail_schema(db);
	else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_IOERR ||
	    code == SQLITE_CANTOPEN)
		f = DB_DAMAGED;
	fail_with(db, f, message);
}

void
db_on_fail(struct db *db, void (*fn)(void *, enum db_failure, const char *), void *ctx)
{
	db->fail = fn;
	db->fail_ctx = ctx;
}

void
db_fault(struct db *db, int64_t nth, enum db_failure f)
{
	db->fault = nth;
	db->fault_kind = f;
}

static bool
run_pragmas(struct db *db, const struct db_options *o)
{
	char text[400];

	snprintf(text, sizeof(text),
	    "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY;"
	    "PRAGMA cache_size=-3000; PRAGMA journal_size_limit=%d; PRAGMA synchronous=%s;",
	    DB_WAL_BYTES, o != NULL && o->relaxed ? "NORMAL" : "FULL");
	return sqlite3_exec(db->handle, text, NULL, NULL, NULL) == SQLITE_OK;
}

/*
 * A restored database may have a hostile schema: its triggers and views may call none of our
 * functions nor write SQLite's own tables, and a misspelled name is an error instead of a string
 * (sqlite.org/security.html).
 */
static void
harden_connection(sqlite3 *h)
{
	sqlite3_db_config(h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_extended_result_codes(h, 0);
}

/* Give each declared statement its slot, which is the same in all connections. */
static void
list_statements(struct db *db, struct arena *a)
{
	const struct sql *const *s;
	int n = 0;

	for (s = __start_octavo_sql; s < __stop_octavo_sql; s++)
		/*
		 * The linker has collected the pointers of all rooms, so no list is kept by hand.
		 */
		*(*s)->slot = n++;
	db->count = (size_t)n;
	db->stmts = arena_array(a, db->count, sizeof(*db->stmts));
}

static const char *
check_version(struct db *db, struct arena *a, enum db_mode mode)
{
	int have = db_version(db);
	const char *error = NULL;

	/* doctor, migrate and salvage open a database of any version. */
	if (mode == DB_ANY_VERSION)
		return NULL;
	if (have > db_latest())
		return arena_printf(a, "the database has schema version %d, this program knows %d: "
		    "a newer Octavo wrote it. Install the programs of that version, or restore a backup that this "
		    "version made", have, db_latest());
	if (have == db_latest())
		return NULL;
	if (have < 0)
		return "octavo.db is not a database, or it is damaged";
	if (mode == DB_READ_WRITE && have == 0)
		return "octavo.db is empty: restore a backup (octavo doctor says how)";
	if (mode == DB_READ_WRITE)
		return arena_printf(a, "the database has schema version %d, this program knows %d: "
		    "run octavo migrate --stop", have, db_latest());
	return db_migrate(db, a, &error) < 0 ? error : NULL;
}

/*
 * Octavo's processes are single-threaded: SQLite needs no locks and need not count memory. Later
 * calls have no effect.
 */
static void
configure_sqlite(void)
{
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	db_memory();
}

/*
 * SQLite's message for the last call, with the system's reason for an I/O error (a full disk, say).
 */
static char *
error_reason(struct db *db, struct arena *a, const char *path)
{
	int no = sqlite3_system_errno(db->handle);

	if ((sqlite3_errcode(db->handle) & 0xff) == SQLITE_IOERR && no != 0)
		return arena_printf(a, "%s: %s (%s)", path, sqlite3_errmsg(db->handle), strerror(no));
	return arena_printf(a, "%s: %s", path, sqlite3_errmsg(db->handle));
}

/*
 * SQLite opens a file without write permission for reading only, and fails at the first write: the
 * program would read well and answer each write with 500. Returns the message for that; NULL: the
 * file can be written.
 */
static const char *
only_readable(struct db *db, struct arena *a, const char *path)
{
	if (sqlite3_db_readonly(db->handle, "main") != 1)
		return NULL;
	return access(path, W_OK) != 0 && errno == EROFS ?
	    arena_printf(a, "%s is on a file system that this program may only read. Under systemd it becomes so where the "
	        "folder is moved while the program runs: systemctl restart octavo-api octavo-site octavo-jobs", path) :
	    arena_printf(a, "%s may only be read by this user: it has to belong to the user of the programs", path);
}

struct db *
db_open(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o,
    const char **error)
{
	struct db *db = arena_alloc(a, sizeof(*db));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

	configure_sqlite();
	db->arena = a;
	db->busy_ms = o != NULL && o->busy_ms > 0 ? o->busy_ms : 5000;
	db->job = o != NULL && o->job;
	/* Otherwise a mistyped path would create an empty database, which looks like lost data. */
	if (mode == DB_CREATE)
		flags |= SQLITE_OPEN_CREATE;
	if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK) {
		*error = arena_printf(a, "%s: %s", path, db->handle == NULL ? "out of memory" :
		    sqlite3_errmsg(db->handle));
		goto failed;
	}
	if (mode != DB_ANY_VERSION && (*error = only_readable(db, a, path)) != NULL)
		goto failed;
	harden_connection(db->handle);
	sqlite3_busy_handler(db->handle, on_busy, db);
	db_wal_watch(db);
	db_shown_watch(db, path);
	db_long_open(db);
	if (!db_fulltext(db->handle) || !db_fold_register(db->handle) ||
	    !db_pack_register(db->handle) || !db_secret_register(db->handle)) {
		*error = arena_printf(a, "%s: functions of its own: %s", path, sqlite3_errmsg(db->handle));
		goto failed;
	}
	if (!run_pragmas(db, o) || (mode == DB_CREATE &&
	    sqlite3_exec(db->handle, "PRAGMA journal_mode=WAL", NULL, NULL, NULL) != SQLITE_OK)) {
		*error = error_reason(db, a, path);
		goto failed;
	}
	list_statements(db, a);
	if ((*error = check_version(db, a, mode)) != NULL) {
		if (o != NULL && o->older_schema != NULL)
			*o->older_schema = db_version(db) > 0 && db_version(db) < db_latest();
		goto failed;
	}
	db->version = mode == DB_ANY_VERSION ? 0 : db_latest();
	db->compared = true;
	db->data = data_version(db);
	db_unchanged_watch(db);
	if (!db_file_id(db->handle, &db->file))
		db->version = 0;   /* in memory: it cannot be replaced */
	return db;
failed:
	db_close(db);
	return NULL;
}

void
db_close(struct db *db)
{
	size_t i;

	if (db == NULL)
		return;
	db_forget(db);
	db_long_close(db);
	for (i = 0; i < db->count; i++)
		sqlite3_finalize(db->stmts[i].s);
	/*
	 * The last connection to close copies the log into the file. On a full disk that would fail
	 * midway and use up the room that the next start needs: leave the log as it is.
	 */
	if (db->dir != NULL && disk_is_short(db->dir, SPARE_BYTES))
		sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_close(db->handle);
	db->handle = NULL;
}

static sqlite3_stmt *
compile(struct db *db, const struct sql *sql)
{
	sqlite3_stmt *s;

	if (sqlite3_prepare_v3(db->handle, sql->text, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK) {
		/* Another process may have locked or migrated the file: that is no bug. */
		if (sqlite3_errcode(db->handle) == SQLITE_ERROR && !schema_changed(db))
			panic("%s: %s: %s", sql->file, sql->name, sqlite3_errmsg(db->handle));
		db_raise(db, sql->name);
	}
	return s;
}

/*
 * Prepares a statement on first use, for the life of the connection: a worker keeps what its
 * requests need, and a plain CGI process does not pay for hundreds that it never runs.
 */
static struct stmt *
prepare_once(struct db *db, const struct sql *sql)
{
	struct stmt *q = &db->stmts[*sql->slot];

	if (q->s != NULL)
		return q;
	q->s = compile(db, sql);
	q->sql = sql;
	q->db = db;
	return q;
}

/* Kept, they would be half of a worker's memory; a worker needs few of them again. */
void
db_compile_all(struct db *db)
{
	const struct sql *const *s;

	for (s = __start_octavo_sql; s < __stop_octavo_sql; s++)
		sqlite3_finalize(compile(db, *s));
}

void
db_statements(void (*fn)(void *, const struct sql *), void *ctx)
{
	const struct sql *const *s;

	for (s = __start_octavo_sql; s < __stop_octavo_sql; s++)
		fn(ctx, *s);
}

struct stmt *
db_use(struct db *db, const struct sql *sql)
{
	struct stmt *q = prepare_once(db, sql);

	/* At the start and end of a transaction all statements used before are reset. */
	if (q->used) {
		sqlite3_reset(q->s);
		sqlite3_clear_bindings(q->s);
	} else {
		q->used = true;
		q->next_used = db->used;
		db->used = q;
	}
	return q;
}

/*
 * Reset all open statements: otherwise one would keep the read snapshot, and borrowed bytes, beyond
 * the transaction. One that was stepped outside of a transaction would make BEGIN IMMEDIATE fail at
 * once if another connection has written since.
 */
static void
reset_used(struct db *db)
{
	struct stmt *q;

	for (q = db->used; q != NULL; q = q->next_used) {
		sqlite3_reset(q->s);
		sqlite3_clear_bindings(q->s);
		q->used = false;
	}
	db->used = NULL;
}

/*
 * Run BEGIN, COMMIT and the like: without the version check, injected failures, or the list of used
 * statements.
 */
static int
run_plain(struct db *db, const struct sql *sql)
{
	sqlite3_stmt *s = prepare_once(db, sql)->s;
	int rc = sqlite3_step(s);

	sqlite3_reset(s);
	return rc;
}

/* For tests: fail at the chosen step. */
static void
maybe_fail(struct db *db)
{
	if (db->fault > 0 && --db->fault == 0)
		fail_with(db, db->fault_kind, "injected failure");
}

/* A transaction was opened. A write transaction already has its snapshot. */
static void
note_begin(struct db *db, bool write)
{
	db->open = true;
	db->write = write;
	db->compared = false;
	if (!write)
		return;
	db_lock_taken(db);
	/* Check only before the first write: one stat() per write transaction, none for reads. */
	if (file_replaced(db))
		fail_schema(db);
	compare_version(db);
}

void
db_begin(struct db *db, bool write)
{
	if (db->open)
		panic("transaction inside a transaction");
	reset_used(db);
	maybe_fail(db);
	if (!write)
		db_unchanged_before(db);
	if (run_plain(db, write ? &q_begin_write : &q_begin) != SQLITE_DONE)
		db_raise(db, "BEGIN");
	note_begin(db, write);
}

unsigned
db_moment(struct db *db)
{
	unsigned moment;

	/*
	 * A read transaction gets its snapshot with its first step: take one, so that changes are
	 * counted from here.
	 */
	if (!db->compared)
		stmt_int(db_use(db, &q_moment), 0);
	moment = data_version(db);
	if (db->open && !db->write)
		db_unchanged_at(db, moment);
	return moment;
}

void
db_patience(struct db *db, int ms)
{
	db->patience_ms = ms;
}

/*
 * For writes that are optional, such as storing an answer that can be made again: gives up if
 * another process is writing.
 */
bool
db_try_begin(struct db *db)
{
	int wait = db->busy_ms;
	bool got;

	reset_used(db);
	db->busy_ms = 0;
	got = run_plain(db, &q_begin_write) == SQLITE_DONE;
	db->busy_ms = wait;
	if (got)
		note_begin(db, true);
	return got;
}

static void
note_end(struct db *db)
{
	bool wrote = db->write;

	db->open = db->write = false;
	db->compared = true;
	if (wrote)
		db_lock_released(db);
}

void
db_commit(struct db *db)
{
	reset_used(db);
	if (!db->open)
		panic("commit without a transaction");
	maybe_fail(db);
	if (run_plain(db, &q_commit) != SQLITE_DONE)
		db_raise(db, "COMMIT");
	note_end(db);
}

void
db_rollback(struct db *db)
{
	reset_used(db);
	/* After some errors SQLite has rolled back already. */
	if (!sqlite3_get_autocommit(db->handle))
		run_plain(db, &q_rollback);
	note_end(db);
}

/* One level of savepoint inside a transaction, for a part of a batch that may be undone. */
void
db_mark(struct db *db)
{
	if (run_plain(db, &q_mark) != SQLITE_DONE)
		db_raise(db, "SAVEPOINT");
}

void
db_keep(struct db *db)
{
	reset_used(db);
	if (run_plain(db, &q_release) != SQLITE_DONE)
		db_raise(db, "RELEASE");
}

void
db_undo(struct db *db)
{
	reset_used(db);
	if (run_plain(db, &q_undo) != SQLITE_DONE)
		db_raise(db, "ROLLBACK TO");
	db_keep(db);
}

bool
db_in_transaction(struct db *db)
{
	return db->open;
}

bool
db_outdated(struct db *db)
{
	return db->other_version != 0 || file_replaced(db);
}

bool
db_writing(struct db *db)
{
	return db->write;
}

static int
find_parameter(struct stmt *q, const char *name)
{
	/* By name, so that a new parameter does not shift the others. */
	int i = sqlite3_bind_parameter_index(q->s, name);

	if (i == 0)
		panic("%s: %s has no parameter %s", q->sql->file, q->sql->name, name);
	return i;
}

void
bind_str(struct stmt *q, const char *name, struct str s)
{
	/*
	 * SQLITE_STATIC does not copy: the caller's bytes must live until the statement is reset
	 * (db.h).
	 */
	sqlite3_bind_text64(q->s, find_parameter(q, name), s.p == NULL ? "" : s.p, s.n, SQLITE_STATIC,
	    SQLITE_UTF8);
}

void
bind_text(struct stmt *q, const char *name, const char *s)
{
	if (s == NULL)
		bind_null(q, name);
	else
		bind_str(q, name, str_of(s));
}

void
bind_int(struct stmt *q, const char *name, int64_t n)
{
	sqlite3_bind_int64(q->s, find_parameter(q, name), n);
}

void
bind_blob(struct stmt *q, const char *name, struct str b)
{
	/* A NULL pointer would bind NULL instead of an empty blob. */
	if (b.p == NULL)
		sqlite3_bind_zeroblob(q->s, find_parameter(q, name), 0);
	else
		sqlite3_bind_blob64(q->s, find_parameter(q, name), b.p, b.n, SQLITE_STATIC);
}

void
bind_null(struct stmt *q, const char *name)
{
	sqlite3_bind_null(q->s, find_parameter(q, name));
}

bool
stmt_step(struct stmt *q)
{
	struct db *db = q->db;
	int rc;

	maybe_fail(db);
	if (!db->write && !sqlite3_stmt_readonly(q->s))
		panic("%s: %s writes outside of a write transaction", q->sql->file, q->sql->name);
	rc = sqlite3_step(q->s);
	/*
	 * BEGIN takes no snapshot; the first statement that reads does. Only now is the version
	 * that of the data.
	 */
	if (!db->compared && (rc == SQLITE_ROW || rc == SQLITE_DONE))
		compare_version(db);
	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE)
		db_raise(db, q->sql->name);
	sqlite3_reset(q->s);
	return false;
}

int64_t
stmt_run(struct stmt *q)
{
	while (stmt_step(q))
		;
	return sqlite3_changes64(q->db->handle);
}

int64_t
stmt_int(struct stmt *q, int64_t fallback)
{
	int64_t n = fallback;

	if (stmt_step(q)) {
		if (!col_null(q, 0))
			n = col_int(q, 0);
		sqlite3_reset(q->s);
	}
	return n;
}

char *
stmt_dup(struct stmt *q, struct arena *a)
{
	char *s = NULL;

	if (stmt_step(q)) {
		s = col_dup(q, 0, a);
		sqlite3_reset(q->s);
	}
	return s;
}

int64_t
db_changes(struct db *db)
{
	return sqlite3_total_changes(db->handle);
}

int64_t
db_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

bool
db_script(struct db *db, struct arena *a, const char *text, const char **error)
{
	char *message = NULL;

	if (sqlite3_exec(db->handle, text, NULL, NULL, &message) == SQLITE_OK)
		return true;
	*error = arena_strdup(a, message != NULL ? message : "out of memory");
	sqlite3_free(message);
	return false;
}

bool
db_each(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *),
    void *ctx, const char **error)
{
	/* Only for commands and tests: requests never run SQL that is put together at run time. */
	static const struct sql adhoc = { "ad hoc", __FILE__, "", NULL };
	struct stmt q = { .sql = &adhoc, .db = db };
	int rc = sqlite3_prepare_v2(db->handle, text, -1, &q.s, NULL);

	if (rc == SQLITE_OK)
		while ((rc = sqlite3_step(q.s)) == SQLITE_ROW)
			row(ctx, &q);
	if (rc != SQLITE_DONE)
		*error = arena_strdup(a, sqlite3_errmsg(db->handle));
	sqlite3_finalize(q.s);
	return rc == SQLITE_DONE;
}

void
db_each_or_fail(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx)
{
	const char *error;

	if (!db_each(db, a, text, row, ctx, &error))
		db_raise(db, "ad hoc");
}
