/*
 * The database. Other rooms use statements, rows and transactions, and do not depend on the engine
 * (src/db/db_engine.h). Where this header speaks of a file, its log and its lock, it describes the
 * engine SQLite.
 *
 * Statements are literals with named parameters, declared beside the function that runs them:
 * SQL(q_space, "SELECT … WHERE id = :id"). The linker collects them in the section octavo_sql. A
 * FastCGI worker compiles all of them at start, so that a mistake in SQL stops the deployment. A
 * statement is prepared when it is first used, and a connection keeps it until it is closed.
 *
 * Failures. A statement that fails does not return. The connection's fail function is called, and
 * must not return either: http/dispatch.c, reader/signed_files.c, the job processes and the octavo
 * command use longjmp() to leave their work, and roll back. So no caller checks a step for errors,
 * and half of a change cannot be committed. DB_BUSY and DB_FULL are temporary. DB_DAMAGED: the file
 * or its disk cannot be read. DB_LOST: see db_lost(). DB_AGAIN: the transaction conflicted with
 * another one, and may succeed if it is run again from its beginning. DB_AWAY: the server cannot be
 * reached, and nothing was changed. DB_UNKNOWN: the connection was lost during a commit, which may
 * have happened. With SQLite these three occur only in tests (db_fault()). DB_ERROR is a bug. A
 * violated constraint, such as UNIQUE, is also DB_ERROR: handlers check before they insert, while
 * they hold the write lock.
 *
 * The schema may change while a program runs, because `octavo migrate` does not stop programs. Each
 * transaction therefore compares the file's schema version with the version that the connection was
 * opened for. A write transaction does so at its beginning; a read transaction does so after its
 * first step, and does not return the row of that step if the versions differ. In that case this
 * transaction and all later ones fail with DB_SCHEMA, and the program must end, so that the newer
 * program can start. The version is read again only if another connection has written since the
 * last comparison, which SQLite can tell without reading the file, so comparing costs a read
 * transaction almost nothing. A file that was replaced while the program ran also counts as another
 * schema, because writes into the old file would be lost.
 *
 * Transactions. db_begin(write) is BEGIN IMMEDIATE. A deferred transaction that first reads and
 * then writes could fail at once with SQLITE_BUSY_SNAPSHOT. A statement that writes outside a write
 * transaction is a panic.
 */
#ifndef OCTAVO_DB_H
#define OCTAVO_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct db;
struct stmt;

/* A declared statement. */
struct sql {
	const char *name;
	const char *file;
	const char *text;      /* NULL: PostgreSQL only */
	int        *slot;  /* its index in a connection's table of prepared statements, assigned at start */
	const char *postgres;   /* the text for PostgreSQL; NULL: the same */
};

#define SQL(id, statement) SQL_TWO(id, statement, NULL)
/* With a text for each engine, where none serves both. Both have the same parameters. */
#define SQL_TWO(id, sqlite, postgres_) \
	static int id##_slot = -1; \
	static const struct sql id = { #id, __FILE__, sqlite, &id##_slot, postgres_ }; \
	static const struct sql *const id##_listed \
		__attribute__((used, section("octavo_sql"))) = &id

enum db_failure { DB_BUSY, DB_FULL, DB_ERROR, DB_SCHEMA, DB_DAMAGED, DB_LOST, DB_AGAIN, DB_AWAY, DB_UNKNOWN };

enum db_mode {
	DB_READ_WRITE,  /* the file must exist and have this program's schema version */
	DB_CREATE,      /* the file is created, or migrated, if necessary */
	DB_ANY_VERSION  /* the file may have any version, which is never compared: for migrate and check */
};

struct db_options {
	bool relaxed;   /* synchronous=NORMAL: a power cut may lose commits that were already answered */
	int  busy_ms;   /* how long to wait for the write lock; 0: 5000 */
	bool *older_schema;  /* set to true if opening failed because the file is not migrated yet; or NULL */
	bool job;       /* for long work in many transactions: see "long work" below */
	const char *dir;     /* data directory, where the path is an address of a server; or NULL */
};

/*
 * Opens the database file. NULL on failure, with the reason in *error. The connection is allocated
 * from the arena, and must be closed with db_close(). It must not be used after a fork.
 */
struct db *db_open(struct arena *a, const char *path, enum db_mode mode,
    const struct db_options *options, const char **error);
void db_close(struct db *db);

/* True if the database is a file; false if it is a server's. */
bool db_has_file(const struct db *db);
/* What qualifies the name of a table, where a query of the same name hides it: "main". */
const char *db_qualifier(const struct db *db);

/*
 * State of a module that lives as long as the connection. db_remember() returns memory of `size`
 * bytes, zeroed at first; each call with the same keeper returns the same memory. db_close() calls
 * drop (may be NULL), which frees what this memory points to.
 */
struct db_keeper {
	size_t size;
	void (*drop)(void *kept);
};
void *db_remember(struct db *db, const struct db_keeper *k);

/* Compiles all declared statements and keeps none of them. Panics if one does not compile. */
void db_compile_all(struct db *db);

/*
 * Sets the function that is called if a statement fails. It must not return. Without it, a failure
 * is a panic.
 */
void db_on_fail(struct db *db, void (*fn)(void *ctx, enum db_failure f, const char *message),
    void *ctx);

/*
 * Fails like a statement, with DB_LOST: a row refers to data (such as a file) that cannot be read,
 * while the rest of the database can. The message is shown to the client, so it names the object,
 * and no paths or other details of the machine. Does not return.
 */
void db_lost(struct db *db, const char *message) __attribute__((noreturn));
/* The same with DB_AWAY: such data cannot be reached now. A job is tried again later. */
void db_away(struct db *db, const char *message) __attribute__((noreturn));

void db_begin(struct db *db, bool write);
void db_commit(struct db *db);
void db_rollback(struct db *db);        /* also when no transaction is open */
bool db_in_transaction(struct db *db);
bool db_writing(struct db *db);         /* true in a write transaction */

/*
 * A number for the state of the data that the open transaction reads. It changes with each commit
 * of any connection, whatever the commit changed, and sometimes without a commit.
 */
unsigned db_moment(struct db *db);

/*
 * Outside of transactions: true if there was no commit since *moment was set, so that a new read
 * transaction would read the same data; sets *moment to the current moment. Also false if this is
 * not known. Takes no lock and makes no system call.
 */
bool db_unchanged(struct db *db, unsigned *moment);

/*
 * True if the program must end: a transaction failed with DB_SCHEMA, or another file is now at the
 * path (after a restore, for example). Needs one stat(), so call it between requests.
 */
bool db_outdated(struct db *db);

/*
 * Writes the content of the write-ahead log into the file and empties the log, so that the file
 * alone is complete until the next write. False if other connections use the log, with the reason
 * in *error.
 */
bool db_truncate_wal(struct db *db, struct arena *a, const char **error);

/*
 * Copies the present state of the database into a new file and syncs it to the disk. Others may
 * read and write meanwhile; the log grows until the end. tick (may be NULL) is called with the
 * number of copied pages. False on failure, with the reason in *error.
 *
 * The copy of a server's database is a file of SQLite, too: the rows of one snapshot, which must have
 * this program's schema, without terms of search (db/move.h). tick is then called with rows.
 */
bool db_copy(struct db *db, struct arena *a, const char *path,
    void (*tick)(void *ctx, int64_t done, int64_t total), void *ctx, const char **error);

/*
 * Rewrites a copy that no program has open, so that the file contains no deleted or overwritten
 * data. False on failure, with the reason in *error.
 */
bool db_rewrite(struct arena *a, const char *path, const char **error);

/* Empties the page cache, so that the next reads come from the file. */
void db_forget_pages(struct db *db);

/*
 * A savepoint inside a write transaction: db_undo() rolls back to the last db_mark(), db_keep()
 * releases it. They cannot be nested.
 */
void db_mark(struct db *db);
void db_undo(struct db *db);
void db_keep(struct db *db);

/*
 * Long work. SQLite allows one writer at a time. A job therefore writes in transactions of about
 * DB_STEP_MS. It may be interrupted between any two rows, so whatever it has written so far must be
 * either invisible or correct. A request that writes thousands of rows does the same. db_breathe()
 * lets others write between two transactions. A connection that finds the lock taken writes the
 * time into the file DIR/run/writers. While that file shows that others wait, db_due() is true
 * after two milliseconds, and db_breathe() returns after they have had the lock. A connection that
 * was opened for a job does this before each transaction, and checkpoints its own pages early, so
 * that the WAL stays small and no request has to do it.
 */
/* DB_STEP_REQUEST_MS is for requests. It is shorter, because other requests may wait for the lock. */
enum { DB_STEP_MS = 20, DB_STEP_REQUEST_MS = 8 };
bool db_due(struct db *db);             /* true if the open write transaction has lasted that long */
void db_breathe(struct db *db);         /* if db_due(): commits the transaction and begins another one */

/*
 * The longest time that a write transaction of this connection held the lock, in microseconds,
 * since the last call with reset.
 */
int64_t db_longest(struct db *db, bool reset);
/*
 * As db_longest(), but in processor time, which does not depend on the load of the machine. Only
 * for connections of jobs, and those with db_watch().
 */
int64_t db_longest_work(struct db *db, bool reset);

/* Checkpoints as much of the WAL as is possible without making another connection wait, and shortens it. */
void db_checkpoint(struct db *db);

/* Begins a write transaction, or returns false at once if another connection has the lock. */
bool db_try_begin(struct db *db);

/*
 * Locks beside rows. Writers of PostgreSQL do not exclude each other, so work on files that relies on
 * that takes one of these locks. On SQLite the write lock does, and these functions do nothing.
 *
 * db_share() waits for a holder that is alone, and holds until the end of the write transaction, as
 * others may. db_try_alone() does not wait, and excludes them until the end of the write transaction.
 * db_take_alone() waits; call it outside of transactions, so that the next one sees what those did
 * that shared the lock, and db_release_alone() after it.
 */
enum db_lock {
	DB_LOCK_FILES,   /* files of blobs that no row names (store/blob.h): shared by writers, alone by a sweep */
	DB_LOCK_SHOWN,   /* the folder of ready-made pages (base/served.h): shared by commits, alone by those who make it */
	DB_LOCK_AGAIN    /* alone by a write that is run again, so that these do not meet one another */
};
void db_share(struct db *db, enum db_lock lock);
bool db_try_alone(struct db *db, enum db_lock lock);
void db_take_alone(struct db *db, enum db_lock lock);
void db_release_alone(struct db *db, enum db_lock lock);

/*
 * Takes a name for this connection until it is closed: false if another connection has it. The connection
 * is not renewed if it is lost: so once others see the name free, it commits nothing any more. On
 * SQLite always true, without effect. DB_IS_HELD() is a condition in a statement for PostgreSQL.
 */
bool db_hold(struct db *db, const char *name);
#define DB_HOLD_CLASS "6715260"
#define DB_IS_HELD(column) "EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = " DB_HOLD_CLASS \
	" AND objid = CAST(CAST(hashtext(" column ") AS bigint) & 4294967295 AS oid) " \
	"AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))"

/* From now on waits for the write lock for at most `ms` milliseconds; 0: for the usual time. */
void db_patience(struct db *db, int ms);

/*
 * Returns the statement, reset and without bindings. Calling it again for the same statement
 * restarts that statement, so a loop over its rows must not call a function that uses it. Columns
 * are valid until the statement's next step or use, or the next begin or end of a transaction.
 */
struct stmt *db_use(struct db *db, const struct sql *sql);

/*
 * Runs a statement n times in one round trip to a server, bind() having set the parameters of the i-th run. When the
 * statement is then used with one of these sets in the same transaction, its rows are there. It is for reads of
 * few rows: all are kept until the transaction ends. Does nothing on SQLite, and in a transaction that writes.
 */
void db_ahead(struct db *db, const struct sql *sql, size_t n, void (*bind)(struct stmt *q, size_t i, void *ctx), void *ctx);

/*
 * Binds parameters by name, with the colon. A NULL text binds NULL. Nothing is copied: the bytes
 * must stay valid until the last step of the statement. An unknown name is a panic.
 */
void bind_text(struct stmt *q, const char *name, const char *s);
void bind_str(struct stmt *q, const char *name, struct str s);
void bind_int(struct stmt *q, const char *name, int64_t n);
void bind_blob(struct stmt *q, const char *name, struct str bytes);
void bind_null(struct stmt *q, const char *name);

/* Steps to the next row. False after the last one. */
bool stmt_step(struct stmt *q);
/* Runs a statement that returns no rows, and returns the number of changed rows. */
int64_t stmt_run(struct stmt *q);
/*
 * Runs and resets the statement. Returns the first column of the first row, or the fallback if
 * there is no row or the column is NULL.
 */
int64_t stmt_int(struct stmt *q, int64_t fallback);
/* The same for a text, copied into the arena. NULL if there is no row or the column is NULL. */
char   *stmt_dup(struct stmt *q, struct arena *a);

int         col_count(struct stmt *q);
const char *col_name(struct stmt *q, int i);
int         col_find(struct stmt *q, const char *name);   /* number of the column with this name; -1: none */

/*
 * Memory for n column numbers, which stays with the statement until the connection is closed. A
 * caller that reads many rows stores the numbers there, and looks up the names once. key (compared
 * as a pointer) and prefix identify the memory. *made: the memory is new, and the caller must fill
 * it.
 */
int *col_map(struct stmt *q, const void *key, const char *prefix, size_t n, bool *made);

int         col(struct stmt *q, const char *name);        /* the same, but panics if there is no such column */
bool        col_null(struct stmt *q, int i);
int64_t     col_int(struct stmt *q, int i);
double      col_double(struct stmt *q, int i);
bool        col_is_number(struct stmt *q, int i);
const char *col_text(struct stmt *q, int i);              /* NULL if the column is NULL */
struct str  col_bytes(struct stmt *q, int i);             /* text or blob; {NULL,0} if the column is NULL */
char       *col_dup(struct stmt *q, int i, struct arena *a); /* NULL if the column is NULL */

/* The integer key of the row that the last INSERT of this connection added. */
int64_t db_last_id(struct db *db);

/*
 * Number of rows that this connection has changed since it was opened. The difference of two calls
 * is the number of rows that the statements between them changed.
 */
int64_t db_changes(struct db *db);

/*
 * Runs SQL text that is not a declared statement, for migrations, PRAGMAs and tests. False on
 * failure, with the message in *error.
 */
bool db_script(struct db *db, struct arena *a, const char *text, const char **error);

/* Calls row() for each row of a query that is not a declared statement, for integrity checks. */
bool db_each(struct db *db, struct arena *a, const char *text,
    void (*row)(void *ctx, struct stmt *q), void *ctx, const char **error);
/* As db_each(), but a failure is treated as that of a declared statement (db_on_fail()). */
void db_each_or_fail(struct db *db, struct arena *a, const char *text,
    void (*row)(void *ctx, struct stmt *q), void *ctx);

/* db_version(): schema version of the file; db_latest(): schema version of this program. */
int db_version(struct db *db);
int db_latest(void);
/* Name of the migration that leads to this version (1 to db_latest()). */
const char *db_step_name(int version);
/*
 * Migrates the file to the latest version, in one transaction for each migration. Returns the
 * number of migrations, or -1 and *error.
 */
int db_migrate(struct db *db, struct arena *a, const char **error);
/*
 * Migrates the file only up to `version`, so that it is like a database of an older program. For
 * salvaging and tests.
 */
int db_migrate_to(struct db *db, struct arena *a, int version, const char **error);

/* Calls fn for each declared statement that SQLite runs, for the test of query plans. */
void db_statements(void (*fn)(void *ctx, const struct sql *sql), void *ctx);

/*
 * For tests: long work is split after step_us microseconds (0: after each row), and after() is
 * called after each write transaction of this connection.
 */
void db_watch(struct db *db, int64_t step_us, void (*after)(void *ctx), void *ctx);

/* For tests: makes the nth step from now fail with f. 0 turns it off. */
void db_fault(struct db *db, int64_t nth, enum db_failure f);

#endif
