/*
 * The functions of a database engine: src/db/sqlite, or src/db/postgres. The files of src/db itself
 * serve any engine: they manage the declared statements, the state of the transaction, failures,
 * long work and the state of modules, and call the engine of the connection for the rest.
 *
 * An engine embeds struct db as the first member of a struct of its own, which its open() allocates.
 * A statement has one pointer for the engine. Functions that fail call db_fail() or db_fail_schema()
 * and do not return, except where a result says so. db.h has the contracts of functions that have a
 * name of db.h without its prefix.
 */
#ifndef OCTAVO_DB_ENGINE_H
#define OCTAVO_DB_ENGINE_H

#include "db/db.h"
#include "db/fulltext.h"

/* One step of the schema: schema/NNNN_name.sql. */
struct migration {
	const char *name;
	const char *text;
};

struct db_engine {
	const char *name;         /* for messages: "SQLite" */
	bool        has_file;     /* db_has_file() */

	/* Allocates and opens a connection; NULL on failure, with the reason in *error. */
	struct db *(*open)(struct arena *a, const char *path, enum db_mode mode, const struct db_options *o, const char **error);
	void (*close)(struct db *db);   /* also closes a connection that did not open completely */

	/* ---- transactions; db.c has reset the statements and records whether a transaction is open ---- */
	void (*begin)(struct db *db, bool write);
	bool (*try_begin)(struct db *db);
	void (*commit)(struct db *db);
	void (*rollback)(struct db *db);
	void (*mark)(struct db *db);
	void (*undo)(struct db *db);    /* back to the mark, which stays */
	void (*keep)(struct db *db);
	unsigned (*moment)(struct db *db);
	bool (*unchanged)(struct db *db, unsigned *moment);
	bool (*outdated)(struct db *db);

	/* ---- statements ---- */
	void (*prepare)(struct stmt *q);    /* q->db and q->sql are set; sets q->own */
	/* Prepares a statement and forgets it. Panics if its text is wrong. */
	void (*check)(struct db *db, const struct sql *sql);
	void (*reset)(struct stmt *q);      /* also removes the bindings */
	void (*rewind)(struct stmt *q);     /* keeps the bindings */
	void (*bind_bytes)(struct stmt *q, const char *name, struct str text);
	void (*bind_int)(struct stmt *q, const char *name, int64_t n);
	void (*bind_blob)(struct stmt *q, const char *name, struct str bytes);
	void (*bind_null)(struct stmt *q, const char *name);
	bool (*step)(struct stmt *q);
	/* db_ahead() in a read transaction; NULL: it saves nothing. */
	void (*ahead)(struct db *db, const struct sql *sql, size_t n, void (*bind)(struct stmt *, size_t, void *), void *ctx);
	int64_t (*changed)(struct stmt *q); /* rows that its last run changed */
	int64_t (*last_id)(struct db *db);
	int64_t (*changes)(struct db *db);

	/* ---- db/fulltext.h ---- */
	void (*write_words)(struct db *db, int64_t row, const struct str columns[DB_COLUMNS], bool drop);
	struct stmt *(*match)(struct db *db, const char *query, struct db_match *m);

	/* ---- columns of the row ---- */
	int         (*col_count)(struct stmt *q);
	const char *(*col_name)(struct stmt *q, int i);
	bool        (*col_null)(struct stmt *q, int i);
	int64_t     (*col_int)(struct stmt *q, int i);
	double      (*col_double)(struct stmt *q, int i);
	bool        (*col_is_number)(struct stmt *q, int i);
	const char *(*col_text)(struct stmt *q, int i);
	struct str  (*col_bytes)(struct stmt *q, int i);

	/* ---- texts that are no declared statements ---- */
	bool (*script)(struct db *db, struct arena *a, const char *text, const char **error);
	bool (*each)(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx, const char **error);
	void (*raise)(struct db *db, const char *what) __attribute__((noreturn)); /* fails with the engine's last error */

	/* ---- the schema ---- */
	int  (*version)(struct db *db);
	/* Runs one migration, from version to version + 1, in one transaction. */
	bool (*migrate_one)(struct db *db, struct arena *a, int version, const struct migration *m, const char **error);
	/*
	 * For a move (db/move.h) to a new database: begins a transaction in which the tables of the latest schema
	 * exist and are empty, for the caller to write their rows. again: an interrupted move has left tables on the
	 * server, which are dropped first. *rest: a script that the caller runs after the rows, before COMMIT.
	 */
	bool (*receive)(struct db *db, struct arena *a, bool again, const char **rest, const char **error);
	/* Called before the first migration to a version (begins true), and after the last one (false). */
	bool (*migrating)(struct db *db, struct arena *a, bool begins, int version, const char **error);

	/* ---- upkeep ---- */
	bool (*truncate_log)(struct db *db, struct arena *a, const char **error);
	/* NULL if there is no file: rows are copied. */
	bool (*copy)(struct db *db, struct arena *a, const char *path, void (*tick)(void *, int64_t, int64_t), void *ctx, const char **error);
	void (*forget_pages)(struct db *db);
	void (*checkpoint)(struct db *db);
};

extern const struct db_engine db_sqlite, db_postgres;

#endif
