/*
 * The database: the only room that names sqlite3_*. The rest of Octavo knows statements, rows and transactions.
 *
 * Statements are literals with named parameters, declared beside the function
 * that runs them: SQL(q_space, "SELECT … WHERE id = :id"). All of them are
 * found through the linker section octavo_sql, so that a FastCGI worker
 * prepares them at start and a typo stops the deploy; a plain CGI prepares on
 * use. A connection keeps each statement prepared for its whole life.
 *
 * Failure. A statement that fails does not return: the connection's fail
 * function is called and must not return either (http/dispatch.c, reader/signed_files.c, the
 * job processes and the octavo command longjmp out of their work and roll back). So no caller checks a
 * step for errors, and no half-done work can be committed. DB_BUSY and DB_FULL
 * are passing; DB_DAMAGED: the file, or the disk that it is on, cannot be read; DB_LOST: db_lost(); DB_ERROR
 * is a bug. A failed UNIQUE or other
 * constraint is DB_ERROR too: handlers look before they insert, under the
 * write lock.
 *
 * The schema may change under a program that runs: `octavo migrate` asks nobody
 * to stop. Each transaction therefore compares the file's schema version with
 * the one that the connection was opened for: a write before anything else, a
 * read after its first step, whose row is not handed out if they differ. Then
 * this transaction and all later ones fail with DB_SCHEMA: the program has to
 * end, so that a newer one takes its place. The version is only read where
 * another connection has written since it was compared last, which SQLite counts
 * anyway, so the comparison costs readers nothing. A file that was replaced under the
 * program counts as another schema: what is written into the old one would be lost.
 *
 * Transactions. db_begin(write) is BEGIN IMMEDIATE, for a deferred transaction
 * that reads and then writes fails at once with BUSY_SNAPSHOT. A statement that
 * writes anywhere but in a transaction that may write is a panic.
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
	const char *text;
	int        *slot;  /* its place in a connection's table, given at start */
};

#define SQL(id, statement) \
	static int id##_slot = -1; \
	static const struct sql id = { #id, __FILE__, statement, &id##_slot }; \
	static const struct sql *const id##_listed \
		__attribute__((used, section("octavo_sql"))) = &id

enum db_failure { DB_BUSY, DB_FULL, DB_ERROR, DB_SCHEMA, DB_DAMAGED, DB_LOST };

enum db_mode {
	DB_READ_WRITE,  /* the file must exist and have this program's schema version */
	DB_CREATE,      /* made and migrated if need be */
	DB_ANY_VERSION  /* opened whatever its version, never compared: for migrate and check */
};

struct db_options {
	bool relaxed;   /* synchronous=NORMAL: an answered write may be lost in a power cut */
	int  busy_ms;   /* how long to wait for the write lock; 0: 5000 */
	bool *older_schema;  /* set to true if opening failed because the file is not migrated yet; or NULL */
	bool job;       /* for long work in many transactions: see "long work" below */
};

/*
 * Opens the database file. NULL on failure, *error then says why. The connection
 * lives in the arena until db_close(); it must not cross a fork.
 */
struct db *db_open(struct arena *a, const char *path, enum db_mode mode,
    const struct db_options *options, const char **error);
void db_close(struct db *db);

/*
 * A module's state for the life of the connection: db_remember() returns a piece of `size` bytes, zeroed at
 * first; the same keeper always gets the same piece. db_close() calls drop (or NULL), which frees what the
 * piece points to.
 */
struct db_keeper {
	size_t size;
	void (*drop)(void *kept);
};
void *db_remember(struct db *db, const struct db_keeper *k);

/* Prepares every declared statement; panics on one that does not compile. */
void db_prepare_all(struct db *db);

/* What to do when a statement fails; fn must not return. Without one: panic. */
void db_on_fail(struct db *db, void (*fn)(void *ctx, enum db_failure f, const char *message),
    void *ctx);

/*
 * Fails with DB_LOST, as a statement would: something that a row names cannot be read, and the rest
 * can. The message is for the client: it names the object and nothing of the machine. Does not
 * return.
 */
void db_lost(struct db *db, const char *message) __attribute__((noreturn));

void db_begin(struct db *db, bool write);
void db_commit(struct db *db);
void db_rollback(struct db *db);        /* also when no transaction is open */
bool db_in_transaction(struct db *db);
bool db_writing(struct db *db);         /* the open transaction is one that may write */

/*
 * Which state of the data the open transaction reads: another number after each commit, of this
 * connection or another, whatever it changed, and sometimes without one.
 */
unsigned db_moment(struct db *db);

/*
 * Outside of transactions: true if there was no commit since *moment was set, so that a new read
 * transaction would read the same data; sets *moment to the current moment. Also false if it cannot
 * be told. Takes no lock and makes no system call.
 */
bool db_still(struct db *db, unsigned *moment);

/*
 * A transaction failed with DB_SCHEMA, or the file is not at its path any more (it was
 * restored, say): the program has to end. Costs a stat(); for between requests.
 */
bool db_outdated(struct db *db);

/*
 * Writes the content of the write-ahead log into the file and empties the log, so that the file
 * alone is complete until the next write. False, and *error, if other connections hold the log.
 */
bool db_truncate_wal(struct db *db, struct arena *a, const char **error);

/*
 * Copies the database as it is now into a new file, made durable, while others read and
 * write; tick (NULL: none) hears of pages. The log grows meanwhile. False, and *error.
 */
bool db_copy(struct db *db, struct arena *a, const char *path,
    void (*tick)(void *ctx, int64_t done, int64_t total), void *ctx, const char **error);

/*
 * Rewrites a copy that nobody has open, so that it contains nothing that was deleted or
 * overwritten. False, and *error.
 */
bool db_rewrite(struct arena *a, const char *path, const char **error);

/* Empties the page cache: the next reads come from the file. */
void db_forget_pages(struct db *db);

/*
 * A savepoint inside a write transaction: db_undo() rolls back to the last db_mark(), db_keep()
 * releases it. They cannot be nested.
 */
void db_mark(struct db *db);
void db_undo(struct db *db);
void db_keep(struct db *db);

/*
 * Long work. SQLite has one writer at a time, so a job writes in transactions of
 * about DB_STEP_MS, cut between any two rows, and whatever it wrote so far must be
 * invisible or right by itself. So does a request that writes thousands of rows.
 * db_breathe() lets others write in between; a connection opened for a job does so
 * between any two of its transactions, and checkpoints its own pages early, so that
 * the WAL stays small and no request pays for it.
 */
/* Of requests, which are in more of a hurry to let others write. */
enum { DB_STEP_MS = 20, DB_STEP_REQUEST_MS = 8 };
bool db_due(struct db *db);             /* the open write transaction has lasted that long */
void db_breathe(struct db *db);         /* if it is due: commits it, and begins another */

/* Microseconds that the longest write transaction since the last call with reset held the lock. */
int64_t db_longest(struct db *db, bool reset);
/*
 * The most processor time that one took, which a busy machine does not change; of a job's
 * connection, or one that is watched (db_watch()).
 */
int64_t db_longest_work(struct db *db, bool reset);

/* Checkpoints the WAL as far as no other connection has to wait, and shortens it. */
void db_checkpoint(struct db *db);

/* True and a write transaction open, or false at once where another has the lock. */
bool db_try_begin(struct db *db);

/*
 * The statement, reset and without bindings. Using it again before its rows
 * are read starts it over: a loop over rows must not call what uses the same
 * statement. Columns stay valid until the next step or use of it, or the next begin or
 * end of a transaction.
 */
struct stmt *db_use(struct db *db, const struct sql *sql);

/* Parameters by name, with the colon. NULL text binds NULL. Copies nothing: the bytes must live
 * until the statement is stepped for the last time. An unknown name is a panic. */
void bind_text(struct stmt *q, const char *name, const char *s);
void bind_str(struct stmt *q, const char *name, struct str s);
void bind_int(struct stmt *q, const char *name, int64_t n);
void bind_blob(struct stmt *q, const char *name, struct str bytes);
void bind_null(struct stmt *q, const char *name);

/* The next row: true, or false after the last one. */
bool stmt_step(struct stmt *q);
/* Runs a statement that gives no rows; the number of rows it changed. */
int64_t stmt_run(struct stmt *q);
/* Runs and resets; the first column of the first row, or fallback when there is none or it is NULL. */
int64_t stmt_int(struct stmt *q, int64_t fallback);
/* Likewise, as a text in the arena; NULL when there is none or it is NULL. */
char   *stmt_dup(struct stmt *q, struct arena *a);

int         col_count(struct stmt *q);
const char *col_name(struct stmt *q, int i);
int         col_find(struct stmt *q, const char *name);   /* -1: no such column */

/*
 * Room for n column numbers that belong to (key, prefix) and stay with the
 * statement as long as the connection lives, so that a reader of many rows finds
 * its columns by name once. *made: they were not there yet and are the caller's
 * to fill. key is compared as a pointer.
 */
int *col_map(struct stmt *q, const void *key, const char *prefix, size_t n, bool *made);

int         col(struct stmt *q, const char *name);        /* a panic where there is none */
bool        col_null(struct stmt *q, int i);
int64_t     col_int(struct stmt *q, int i);
double      col_double(struct stmt *q, int i);
bool        col_is_number(struct stmt *q, int i);
const char *col_text(struct stmt *q, int i);              /* NULL for NULL */
struct str  col_bytes(struct stmt *q, int i);             /* text or blob; {NULL,0} for NULL */
char       *col_dup(struct stmt *q, int i, struct arena *a); /* NULL for NULL */

/* The integer key of the row that the last INSERT of this connection added. */
int64_t db_last_id(struct db *db);

/* Rows that this connection has changed altogether: what a statement that says nothing itself did is the difference. */
int64_t db_changes(struct db *db);

/* Runs SQL text that is no declared statement: migrations, PRAGMAs, the tests. False on error, message in *error. */
bool db_script(struct db *db, struct arena *a, const char *text, const char **error);

/* Calls row() for every row of a query that is no declared statement (integrity checks). */
bool db_each(struct db *db, struct arena *a, const char *text,
    void (*row)(void *ctx, struct stmt *q), void *ctx, const char **error);

/* Schema version of the file, and of this program. */
int db_version(struct db *db);
int db_latest(void);
/* Name of the migration to this version (1 to db_latest()). */
const char *db_step_name(int version);
/* Brings the file to the latest version, one transaction a step; how many steps, or -1 and *error. */
int db_migrate(struct db *db, struct arena *a, const char **error);
/* The same to an older version, as a database has it that was made then. */
int db_migrate_to(struct db *db, struct arena *a, int version, const char **error);

/* Declared statements, for the query plan test: calls fn for each. */
void db_statements(void (*fn)(void *ctx, const struct sql *sql), void *ctx);

/*
 * For tests: long work is split after so many microseconds (0: after each row), and after() is
 * called after every write transaction of this connection.
 */
void db_watch(struct db *db, int64_t step_us, void (*after)(void *ctx), void *ctx);

/* Fault injection for tests: the nth step from now fails with f; 0 turns it off. */
void db_fault(struct db *db, int64_t nth, enum db_failure f);

#endif
