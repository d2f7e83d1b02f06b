/* Shared by the files of the database room, of all engines: connections and statements. */
#ifndef OCTAVO_DB_PARTS_H
#define OCTAVO_DB_PARTS_H

#include "db/db.h"

/* Column numbers that were looked up for a set of names (col_map() in db.h). */
struct col_map {
	struct col_map *next;
	const void     *key;
	const char     *prefix;
	int             cols[];
};

struct stmt {
	void             *own;        /* the engine's prepared statement; NULL: not prepared yet */
	const struct db_engine *engine;
	const struct sql *sql;        /* its declaration */
	struct db        *db;
	struct stmt      *next_used;  /* in this transaction */
	bool              used;       /* in this transaction, so it is in the list db->used */
	const char      **names;      /* names of its columns, copied on first use */
	int               count;      /* number of names */
	uint16_t         *hints;      /* where a name was found last, indexed by the name's address */
	struct col_map   *maps;       /* one for each set of names */
};

struct db {
	const struct db_engine *engine;
	struct arena *arena;      /* the caller's, in which this struct lives */
	struct stmt *stmts;       /* one for each declared statement: `count` of them */
	size_t       count;
	struct stmt *used;        /* statements used in this transaction, linked by next_used */
	bool         open;        /* a transaction is open */
	bool         write;       /* the open transaction may write */
	int          busy_ms;     /* how long to wait for the write lock */
	int          patience_ms; /* used instead of busy_ms if it is shorter; 0: not set */
	int          version;     /* schema version for which the database was opened; 0: any */
	int          other_version; /* the different version that a transaction found, or DB_REPLACED; 0: none */
	bool         job;         /* pauses between its transactions */
	int64_t      locked_at;   /* us: time at which the write transaction took the lock */
	int64_t      held_in_row; /* us: total time that the lock was held, in transactions without a pause between them */
	int64_t      released_at; /* us: end of the last write transaction */
	int64_t      unlocked_at; /* us: when the commit released the lock, before its checkpoint; 0: it has not */
	int64_t      longest;     /* us: longest time for which a write transaction held the lock (db_longest()) */
	/* Jobs only: locked_at, unlocked_at and longest in processor time. */
	int64_t      work_began, work_ended, longest_work;
	int64_t      step;        /* us after which long work is divided */
	int64_t     *waiting;     /* shared by all connections: us, when a connection last found the lock taken; 0: none waits */
	bool         waits;       /* this connection waits for the lock, and has set *waiting */
	void       (*after)(void *);  /* tests: called after every write transaction */
	void        *after_ctx;
	int64_t      fault;       /* tests: steps until an injected failure; 0: none */
	enum db_failure fault_kind;  /* its kind */
	const char  *dir;         /* data directory */
	const char  *qualifier;   /* of its tables' names */
	bool         holds;       /* db_hold() has taken a name, which a new session would not have */
	bool         shown;       /* the open transaction changes what sites show */
	void       (*fail)(void *, enum db_failure, const char *);  /* of db_on_fail() */
	void        *fail_ctx;
	struct db_piece *pieces;  /* state of modules; db_remember.c */
};

/* In place of a version: the path has another file, or none. */
enum { DB_REPLACED = -1 };

/* Fails like a statement; see db_on_fail(). */
void db_fail(struct db *db, enum db_failure f, const char *message) __attribute__((noreturn));
/* Fails with DB_SCHEMA: db->other_version is set. */
void db_fail_schema(struct db *db) __attribute__((noreturn));

/* Makes the table of statements; the engine's open() calls it. */
void db_list_statements(struct db *db);

/*
 * Checks the schema version of an open database; migrates it if the mode allows that. NULL: the
 * database can be used; otherwise the error.
 */
const char *db_check_version(struct db *db, struct arena *a, enum db_mode mode);

/* Frees the state of modules (db_remember.c). */
void db_forget(struct db *db);

/*
 * db_long.c measures how long write locks are held, and finds out who waits for them. These
 * functions are called when the connection is opened (db->dir must be set) and closed, when another
 * process has the write lock (missed), when this one gets it (taken), when the commit releases it
 * (let_go), and when the transaction has ended (released).
 */
void db_long_open(struct db *db);
void db_long_close(struct db *db);
void db_lock_missed(struct db *db);
void db_lock_taken(struct db *db);
void db_lock_let_go(struct db *db);
void db_lock_released(struct db *db);

/*
 * db_shown.c: called before a commit. False: the cached pages of sites cannot be deleted, so the
 * transaction must not be committed.
 */
bool db_shown_commit(struct db *db);

#endif
