/* Shared by the files of the engine SQLite. Only these include sqlite3.h. */
#ifndef OCTAVO_DB_SQLITE_H
#define OCTAVO_DB_SQLITE_H

#include <sqlite3.h>

#include "../db_engine.h"
#include "../db_parts.h"
#include "db/fulltext.h"

/* Identity of the file at the path; false: there is none. */
struct db_file {
	uint64_t device, inode;
};
bool db_file_id(sqlite3 *h, struct db_file *out);

/* Start of the WAL index (sqlite.org/walformat.html, section 2.1): two equal copies. */
struct db_wal_header {
	unsigned char first[48], second[48];
};

struct sqlite_db {
	struct db    db;
	sqlite3     *handle;
	struct db_file file;      /* identity of the file that was opened */
	unsigned     data;        /* SQLite's count of other connections' commits when the version was last compared */
	bool         compared;    /* the version was compared in this transaction, or none is open */
	bool         wal_mapped;  /* the WAL index is mapped; db_unchanged.c */
	struct db_wal_header header_before; /* before the current read transaction took its snapshot */
	struct db_wal_header header_seen; /* the header that belongs to the snapshot of seen_moment */
	bool         header_known; /* header_seen is valid */
	unsigned     seen_moment; /* db_moment() of the last transaction whose header is known */
};

static inline struct sqlite_db *
sqlite_of(struct db *db)
{
	return (struct sqlite_db *)db;
}

/* Size to which the WAL file is truncated once it is checkpointed. */
enum { DB_WAL_BYTES = 8 << 20 };

/* db_version_check.c: whether the file still has the schema and the identity that it had when it was opened. */
bool     sqlite_schema_changed(struct db *db);
bool     sqlite_file_replaced(struct db *db);
unsigned sqlite_data_version(struct sqlite_db *s);
void     sqlite_compare_version(struct sqlite_db *s);
void     sqlite_raise(struct db *db, const char *what) __attribute__((noreturn));

/* db_transaction.c */
void     sqlite_begin(struct db *db, bool write);
bool     sqlite_try_begin(struct db *db);
void     sqlite_commit(struct db *db);
void     sqlite_rollback(struct db *db);
void     sqlite_mark(struct db *db);
void     sqlite_undo(struct db *db);
void     sqlite_keep(struct db *db);
unsigned sqlite_moment(struct db *db);

/* db_statement.c */
void    sqlite_prepare(struct stmt *q);
void    sqlite_check(struct db *db, const struct sql *sql);
void    sqlite_reset(struct stmt *q);
void    sqlite_rewind(struct stmt *q);
void    sqlite_bind_bytes(struct stmt *q, const char *name, struct str text);
void    sqlite_bind_int(struct stmt *q, const char *name, int64_t n);
void    sqlite_bind_blob(struct stmt *q, const char *name, struct str bytes);
void    sqlite_bind_null(struct stmt *q, const char *name);
bool    sqlite_step(struct stmt *q);
void    sqlite_bind_match(struct stmt *q, const char *name, struct db_match *m);   /* db_match.c */
void    sqlite_write_words(struct db *db, int64_t row, const struct str columns[DB_COLUMNS], bool drop);
struct stmt *sqlite_match(struct db *db, const char *query, struct db_match *m);
int64_t sqlite_changed(struct stmt *q);
int64_t sqlite_last_id(struct db *db);
int64_t sqlite_changes(struct db *db);
bool    sqlite_script(struct db *db, struct arena *a, const char *text, const char **error);
bool    sqlite_each(struct db *db, struct arena *a, const char *text, void (*row)(void *, struct stmt *), void *ctx,
            const char **error);

/* db_column.c */
int         sqlite_col_count(struct stmt *q);
const char *sqlite_col_name(struct stmt *q, int i);
bool        sqlite_col_null(struct stmt *q, int i);
int64_t     sqlite_col_int(struct stmt *q, int i);
double      sqlite_col_double(struct stmt *q, int i);
bool        sqlite_col_is_number(struct stmt *q, int i);
const char *sqlite_col_text(struct stmt *q, int i);
struct str  sqlite_col_bytes(struct stmt *q, int i);

/* db_migrate.c: schema versions of a file. */
int  sqlite_version(struct db *db);
bool sqlite_migrate_one(struct db *db, struct arena *a, int version, const struct migration *m, const char **error);
bool sqlite_receive(struct db *db, struct arena *a, bool again, const char **rest, const char **error);
bool sqlite_migrating(struct db *db, struct arena *a, bool begins, int version, const char **error);

/* db_file.c */
bool sqlite_outdated(struct db *db);
bool sqlite_truncate_log(struct db *db, struct arena *a, const char **error);
bool sqlite_copy(struct db *db, struct arena *a, const char *path, void (*tick)(void *, int64_t, int64_t), void *ctx,
         const char **error);
void sqlite_forget_pages(struct db *db);

/* db_log.c: checkpoints, and the time at which a commit has released the lock. */
void sqlite_log_watch(struct db *db);
void sqlite_checkpoint(struct db *db);

/* db_unchanged.c: the database was opened; a read transaction begins; its snapshot was taken. */
void sqlite_unchanged_watch(struct sqlite_db *s);
void sqlite_unchanged_before(struct sqlite_db *s);
void sqlite_unchanged_at(struct sqlite_db *s, unsigned moment);
bool sqlite_unchanged(struct db *db, unsigned *moment);

/* db_hooks.c: watches for commits that change what sites show. */
void sqlite_shown_watch(struct db *db);

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
