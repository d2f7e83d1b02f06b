/* Shared by the files of the database room, which alone include sqlite3.h. */
#ifndef OCTAVO_DB_PARTS_H
#define OCTAVO_DB_PARTS_H

#include <sqlite3.h>

#include "db/fulltext.h"
#include "db/db.h"

/* Column numbers that were looked up for a set of names (col_map() in db.h). */
struct col_map {
	struct col_map *next;
	const void     *key;
	const char     *prefix;
	int             cols[];
};

struct stmt {
	sqlite3_stmt     *s;
	const struct sql *sql;
	struct db        *db;
	struct stmt      *next_used;  /* in this transaction */
	bool              used;
	const char      **names;      /* names of its columns, copied on first use */
	int               count;      /* of names */
	uint16_t         *hints;      /* where a name was found last, indexed by the name's address */
	struct col_map   *maps;
};

/* Identity of the file at the path; false: there is none. */
struct db_file {
	uint64_t device, inode;
};
bool db_file_id(sqlite3 *h, struct db_file *out);

/* Start of the WAL index (sqlite.org/walformat.html, section 2.1): two equal copies. */
struct db_wal_header {
	unsigned char first[48], second[48];
};

struct db {
	struct arena *arena;      /* the caller's, in which this struct lives */
	sqlite3     *handle;
	struct stmt *stmts;       /* one for each declared statement */
	size_t       count;
	struct stmt *used;
	bool         open;        /* a transaction is open */
	bool         write;       /* the open transaction may write */
	int          busy_ms;     /* how long to wait for the write lock */
	int          patience_ms; /* in place of a longer busy_ms; 0: none */
	int          version;     /* schema version for which the file was opened; 0: any */
	int          other_version; /* the different version that a transaction found, or DB_REPLACED; 0: none */
	struct db_file file;      /* identity of the file that was opened */
	unsigned     data;        /* SQLite's count of other connections' commits when the version was last compared */
	bool         compared;    /* the version was compared in this transaction, or none is open */
	bool         job;         /* pauses between its transactions */
	int64_t      locked_at;   /* us: when the write transaction took the lock */
	int64_t      held_in_row; /* us: held without a pause in which others could take the lock */
	int64_t      released_at; /* us: end of the last write transaction */
	int64_t      unlocked_at; /* us: when the commit released the lock, before its checkpoint; 0: it has not */
	int64_t      longest;     /* us: longest write transaction */
	int64_t      work_began, work_ended;  /* the same in processor time; jobs only */
	int64_t      longest_work;
	int64_t      step;        /* us after which long work is divided */
	int64_t     *waiting;     /* of all connections to the file: us, when one last found the lock taken; 0: none waits */
	bool         waits;       /* this connection has set *waiting, and does not have the lock yet */
	void       (*after)(void *);  /* tests: called after every write transaction */
	void        *after_ctx;
	bool         wal_mapped;  /* the WAL index is mapped; db_unchanged.c */
	struct db_wal_header header_before; /* before the current read transaction took its snapshot */
	struct db_wal_header header_seen; /* that of the snapshot of seen_moment */
	bool         header_known; /* header_seen is valid */
	unsigned     seen_moment; /* db_moment() of the last transaction whose header is known */
	int64_t      fault;       /* steps until an injected failure; 0: none */
	enum db_failure fault_kind;
	const char  *dir;         /* folder of the file */
	bool         shown;       /* the open transaction changes what sites show */
	void       (*fail)(void *, enum db_failure, const char *);
	void        *fail_ctx;
	struct db_piece *pieces;  /* state of modules; db_remember.c */
};

/* Frees the state of modules (db_remember.c). */
void db_forget(struct db *db);

/* In place of a version: the path has another file, or none. */
enum { DB_REPLACED = -1 };

/* Size to which the WAL file is truncated once it is checkpointed. */
enum { DB_WAL_BYTES = 8 << 20 };

/*
 * db_long.c: the write lock was found taken, was taken, or was released; checkpoints. db_long_open() needs
 * the folder of the file.
 */
void db_wal_watch(struct db *db);
void db_long_open(struct db *db);
void db_long_close(struct db *db);
void db_lock_missed(struct db *db);
void db_lock_taken(struct db *db);
void db_lock_released(struct db *db);

/* db_unchanged.c: the database was opened; a read transaction begins; its snapshot was taken. */
void db_unchanged_watch(struct db *db);
void db_unchanged_before(struct db *db);
void db_unchanged_at(struct db *db, unsigned moment);

/* db_shown.c: watches for commits that change what sites show. */
void db_shown_watch(struct db *db, const char *path);

/* Registers the tokenizer "octavo" and octavo_match() on a new connection; false on failure. */
bool db_fulltext(sqlite3 *h);

/* Registers octavo_match() alone (db_match.c). */
int db_match_register(fts5_api *api);

/* Registers octavo_fold() and octavo_casefold() (db_fold.c); false on failure. */
bool db_fold_register(sqlite3 *h);

/*
 * Registers octavo_secret_hash(), octavo_seal() and octavo_shown_url() (db_secret.c); false on
 * failure.
 */
bool db_secret_register(sqlite3 *h);
/* Registers octavo_pack() and octavo_unpack() (db_pack.c); false on failure. */
bool db_pack_register(sqlite3 *h);

/* Sets SQLite's allocator (db_memory.c). Call before its first use; later calls have no effect. */
void db_memory(void);

#endif
