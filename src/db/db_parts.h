/* What the database module's own files share; nobody else includes sqlite3.h. */
#ifndef OCTAVO_DB_PARTS_H
#define OCTAVO_DB_PARTS_H

#include <sqlite3.h>

#include "db/fulltext.h"
#include "db/db.h"

/* Where a reader of rows found its columns (col_map() in db.h). */
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
	const char      **names;      /* of its columns, copied when one is first asked for by name */
	int               count;      /* of names */
	uint16_t         *hints;      /* where a name was found last, by the name's address */
	struct col_map   *maps;
};

/* Which file is at the path; false: none. */
struct db_file {
	uint64_t device, inode;
};
bool db_file_id(sqlite3 *h, struct db_file *out);

/* What the WAL index begins with (sqlite.org/walformat.html, section 2.1): the same bytes twice. */
struct db_wal_header {
	unsigned char first[48], second[48];
};

struct db {
	struct arena *arena;      /* its caller's, where it lives itself */
	sqlite3     *handle;
	struct stmt *stmts;       /* one a declared statement */
	size_t       count;
	struct stmt *used;
	bool         open;        /* a transaction is open */
	bool         write;       /* and it may write */
	int          busy_ms;
	int          version;     /* of the schema that it was opened for; 0: any */
	int          found;       /* the other version that a transaction found, DB_REPLACED; 0: none */
	struct db_file file;      /* that was opened */
	unsigned     data;        /* SQLite's count of others' commits when the version was right */
	bool         compared;    /* in this transaction, or none is open */
	bool         job;         /* gives way between its transactions */
	int64_t      began;       /* us: the write transaction has the lock since then */
	int64_t      kept, left;  /* us: how long others found no gap in which to take it; when it was left last */
	int64_t      ended;       /* us: it has let go of it; 0: it has not */
	int64_t      longest;     /* us, of all write transactions */
	int64_t      work_began, work_ended;  /* the same in processor time; of jobs alone */
	int64_t      longest_work;
	int64_t      step;        /* us after which long work is cut */
	void       (*after)(void *);  /* tests: behind every write transaction */
	void        *after_ctx;
	bool         log;                     /* there is one, and its index; db_still.c */
	struct db_wal_header before;          /* when the read transaction at hand began */
	struct db_wal_header seen;            /* at seen_moment */
	bool         seen_known;
	unsigned     seen_moment;
	int64_t      fault;       /* steps until an injected failure; 0: none */
	enum db_failure fault_kind;
	const char  *dir;         /* folder of the file */
	bool         shown;       /* the open transaction changes what sites show */
	void       (*fail)(void *, enum db_failure, const char *);
	void        *fail_ctx;
};

/* In place of a version: another file, or none, is at the path. */
enum { DB_REPLACED = -1 };

/* What is left of the WAL's file when all of it has been checkpointed. */
enum { DB_WAL_BYTES = 8 << 20 };

/* db_long.c: when the write lock was taken and left, and who checkpoints. */
void db_wal_watch(struct db *db);
void db_lock_taken(struct db *db);
void db_lock_left(struct db *db);

/* db_still.c: the database was opened; a read transaction begins; what it reads is of this moment. */
void db_still_watch(struct db *db);
void db_still_before(struct db *db);
void db_still_at(struct db *db, unsigned moment);

/* db_shown.c: commits that change what sites show. */
void db_shown_watch(struct db *db, const char *path);

/* Gives a new connection the tokenizer "octavo" and the function octavo_match; false on failure. */
bool db_fulltext(sqlite3 *h);

/* The function alone (db_match.c). */
int db_match_register(fts5_api *api);

/* Gives a new connection the functions octavo_fold and octavo_casefold (db_fold.c); false on failure. */
bool db_fold_register(sqlite3 *h);

/* The functions octavo_secret_hash, octavo_seal and octavo_shown_url (db_secret.c), likewise. */
bool db_secret_register(sqlite3 *h);
/* The functions octavo_pack and octavo_unpack (db_pack.c), likewise. */
bool db_pack_register(sqlite3 *h);

/* Gives SQLite its memory (db_memory.c); before its first use, later calls change nothing. */
void db_memory(void);

#endif
