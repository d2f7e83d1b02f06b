/* Shared by the files of the engine PostgreSQL. */
#ifndef OCTAVO_DB_PG_H
#define OCTAVO_DB_PG_H

#include "base/buf.h"
#include "../db_engine.h"
#include "../db_parts.h"
#include "db_libpq.h"

/* Longest text of a snapshot that is compared; a longer one counts as new. */
enum { PG_SNAPSHOT = 240 };

/* A connection. Functions without a comment here are those of db_engine.h, with the prefix pg_. */
struct pg_db {
	struct db    db;
	const struct libpq *pq;   /* the functions of the library, which is loaded when a server is used */
	PGconn      *c;           /* the connection */
	unsigned     session;     /* counts connections to the server: statements are prepared in one */
	unsigned     prepared;    /* number of statements that were given a name */
	char         state[6];    /* SQLSTATE of the last failure of pg_each(), for pg_raise() */
	bool         live;        /* the server has a transaction open, perhaps a failed one */
	char         xid[24];     /* the server's number of the write transaction, as text */
	char         snapshot[PG_SNAPSHOT];  /* of the last transaction, as text; "": unknown */
	unsigned     moment;      /* number of the snapshot: another one, when another snapshot was seen */
	int64_t      changes;     /* rows that were written so far (db_changes()) */
	unsigned     cursors;     /* number of cursors that were given a name */
	struct arena *kept;       /* for prepared statements: more than the caller's arena may hold */
	struct arena *passing;    /* for the text of a statement, until it is prepared */
	struct arena *words;      /* for the terms of a row that is written */
	struct pg_ahead *ahead;   /* results of statements that were run ahead */
	struct arena *ahead_arena;
};

static inline struct pg_db *
pg_of(struct db *db)
{
	return (struct pg_db *)db;
}

/* A prepared statement. Parameters have the numbers of their arrays, from 0. */
struct pg_stmt {
	struct arena *arena;
	unsigned     session;     /* in which it is prepared */
	char         name[16];
	const char  *text;        /* with $1 in place of :name */
	bool         writes;
	int          count;       /* parameters */
	const char **names;       /* with their colons */
	Oid         *types;
	const char **values;      /* by parameter; NULL: SQL's NULL */
	int         *lengths, *formats; /* bytes of each value; format 1: the bytes as they are, 0: a text to be read */
	char       (*numbers)[24];     /* integers that are bound, as text */
	PGresult    *result;      /* the whole result; NULL: it was not run */
	int          row;         /* that columns are read from */
	struct pg_match *match;   /* of a full-text query, in place of a result (db_pg_match.h); or NULL */
	int64_t      changed;     /* number of rows that the last run has written */
	int          columns;     /* their number; names and types by column */
	const char **column_names;
	Oid         *column_types;
	char       (*texts)[32];       /* of numbers that are read as text, by column */
};

static inline struct pg_stmt *
pg_stmt_of(struct stmt *q)
{
	return q->own;
}

/* Types of PostgreSQL (pg_type.dat) that statements have. */
enum { PG_BOOL = 16, PG_BYTEA = 17, PG_INT8 = 20, PG_INT2 = 21, PG_INT4 = 23, PG_TEXT = 25, PG_FLOAT4 = 700, PG_FLOAT8 = 701,
	PG_BYTEAS = 1001,
	PG_NUMERIC = 1700 };

/*
 * db_pg_rewrite.c: returns a statement as PostgreSQL reads it. names: sets the names of its parameters, with
 * their colons, in the order of their numbers. writes: whether it has a word such as INSERT.
 */
char *pg_rewrite(struct arena *a, const char *text, const char ***names, int *count, bool *writes);

/* db_pg_session.c: runs a text as it is; the caller frees the result, which is never NULL. */
PGresult *pg_exec(struct pg_db *p, const char *text);
/* Connects again if the connection was lost. Fails with DB_AWAY if that is not possible. */
void pg_need_session(struct pg_db *p);
/* True if the statement of this result did not fail. */
bool pg_succeeded(struct pg_db *p, const PGresult *r);
/* Fails (db_fail()) with the error of the result, and frees it. what: the statement, for the message. */
void pg_fail(struct pg_db *p, PGresult *r, const char *what) __attribute__((noreturn));
/* Sets up a new connection. NULL; or why it cannot be used. */
const char *pg_begin_session(struct pg_db *p, struct arena *a);
void pg_raise(struct db *db, const char *what) __attribute__((noreturn));

/* db_pg_transaction.c */
void     pg_begin(struct db *db, bool write);
bool     pg_try_begin(struct db *db);
void     pg_commit(struct db *db);
void     pg_rollback(struct db *db);
void     pg_mark(struct db *db);
void     pg_undo(struct db *db);
void     pg_keep(struct db *db);
unsigned pg_moment(struct db *db);
bool     pg_unchanged(struct db *db, unsigned *moment);
bool     pg_outdated(struct db *db);

/* db_pg_statement.c */
void    pg_prepare(struct stmt *q);
void    pg_check(struct db *db, const struct sql *sql);
void    pg_reset(struct stmt *q);
void    pg_rewind(struct stmt *q);
void    pg_bind_bytes(struct stmt *q, const char *name, struct str text);
void    pg_bind_int(struct stmt *q, const char *name, int64_t n);
void    pg_bind_blob(struct stmt *q, const char *name, struct str bytes);
void    pg_bind_null(struct stmt *q, const char *name);
bool    pg_step(struct stmt *q);
int64_t pg_changed(struct stmt *q);
void    pg_write_words(struct db *db, int64_t row, const struct str columns[DB_COLUMNS], bool drop);   /* db_pg_words.c */
struct stmt *pg_match(struct db *db, const char *query, struct db_match *m);                           /* db_pg_match.c */
int64_t pg_last_id(struct db *db);
int64_t pg_changes(struct db *db);
bool    pg_script(struct db *db, struct arena *a, const char *text, const char **error);
bool    pg_each(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx,
            const char **error);
/* Runs the statement, and returns its whole result, which the caller frees. */
PGresult *pg_run_whole(struct stmt *q);
/* Makes r the result of which pg_col_…() read. */
void    pg_take_result(struct pg_db *p, struct pg_stmt *s, PGresult *r);

/* db_pg_ahead.c */
void      pg_ahead(struct db *db, const struct sql *sql, size_t n, void (*bind)(struct stmt *, size_t, void *), void *ctx);
/* The result of the statement with its present values, which it then owns; NULL: it was not run ahead. */
PGresult *pg_ahead_take(struct pg_db *p, const struct pg_stmt *s);
/* At the end of a transaction. */
void      pg_ahead_drop(struct pg_db *p);

/* db_pg_column.c */
int         pg_col_count(struct stmt *q);
const char *pg_col_name(struct stmt *q, int i);
bool        pg_col_null(struct stmt *q, int i);
int64_t     pg_col_int(struct stmt *q, int i);
double      pg_col_double(struct stmt *q, int i);
bool        pg_col_is_number(struct stmt *q, int i);
const char *pg_col_text(struct stmt *q, int i);
struct str  pg_col_bytes(struct stmt *q, int i);

/*
 * db_pg_schema.c: the statements that make the schema of a version, with the rows that migrations add;
 * NULL: *error says why not. pg_receive() runs those for the latest version, but without the rows: see
 * receive() in db_engine.h.
 */
char *pg_schema(struct arena *a, int version, const char **error);
bool pg_receive(struct db *db, struct arena *a, bool again, const char **rest, const char **error);

/* Definitions of SQLite's schema, written for PostgreSQL: `out`, and `late`: constraints, which follow all tables. */
struct pg_definitions {
	struct buf out, late;
};
/* db_pg_table.c: a table, given its whole text; a column, given the text of ALTER TABLE after ADD COLUMN. */
void pg_put_table(struct pg_definitions *d, const char *name, const char *text);
void pg_put_column(struct pg_definitions *d, const char *name, const char *text);
/* Reads one token: a word, a string, or one other character. Comments and spaces are skipped. "": the end. */
struct str pg_next_token(const char **at);
bool pg_token_is(struct str token, const char *text);
/* db_pg_trigger.c: a trigger of SQLite as a function and a trigger; false: its text has an unknown form. */
bool pg_trigger(struct buf *b, const char *text);
/* db_pg_step.c: the text of a migration for PostgreSQL; NULL: *error says why there is none. */
char *pg_translate_step(struct arena *a, const char *text, const char **error);

/* db_pg_migrate.c */
int  pg_version(struct db *db);
bool pg_migrate_one(struct db *db, struct arena *a, int version, const struct migration *m, const char **error);
bool pg_migrating(struct db *db, struct arena *a, bool begins, int version, const char **error);

#endif
