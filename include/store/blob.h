/*
 * Blobs: bytes stored under their BLAKE2b-256 hash. Bodies of pages and link maps are in the
 * database; files are below DIR/blobs, so that the web server can send them, and no upload gets a
 * name that a web server would execute.
 *
 * `blob` has one row for each hash. `no` is the number of the bytes in `blob_data`; without it they
 * are only in the file DIR/blobs/ab/cdef…. Bytes that are a page's body and also a file are in both
 * places.
 *
 * A blob exists if it has a row. A file gets its name before the transaction that adds its row
 * commits, and is deleted after the transaction that deletes the row has committed. So a crash may
 * leave a file without a row, but never a row without its file. A sweep removes such files, and the
 * temporary files of writers that were killed.
 *
 * The database's write lock prevents a sweep from deleting a file whose row is about to be added:
 * the sweep deletes a file only while it holds the lock and no row names the file, and a writer
 * checks that its files exist while it holds the lock, in the transaction that adds the rows. On
 * PostgreSQL, DB_LOCK_FILES of db/db.h is this lock.
 */
#ifndef OCTAVO_BLOB_H
#define OCTAVO_BLOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "base/str.h"

/* ---- in the database ---- */

/* Stores bytes and returns their hash, allocated from a. Inside a write transaction. */
struct str blob_put(struct db *db, struct arena *a, struct str bytes);
/*
 * As blob_put(), for bytes that were hashed and compressed before (base/pack.h), so that the slow
 * work is done before the write lock is taken. packed.p NULL: this was not done.
 */
struct packed {
	struct str hash, bytes, packed;
};
struct packed blob_pack(struct arena *a, struct str bytes);
void blob_put_packed(struct db *db, struct arena *a, const struct packed *p);

/* Reads the bytes; false: the blob is unknown, or a file only. */
bool blob_get(struct db *db, struct arena *a, struct str hash, struct str *out);

/*
 * As blob_get(), with a cache of recently read blobs in this process, for pages that readers
 * request. It may return bytes whose row was deleted since, so code that searches for damage must
 * not use it.
 */
bool blob_get_known(struct db *db, struct arena *a, struct str hash, struct str *out);

/* The number of bytes; 0: the blob is unknown. */
size_t blob_size(struct db *db, struct str hash);

/*
 * Deletes bytes to which no node and no file of sites (app/stored.h) refers, and the documents made
 * from them. Inside a write transaction. True: the row was deleted. If there is a file,
 * blob_files_drop() removes it after the commit, or the sweep does.
 */
bool blob_release(struct db *db, struct str hash);

/* ---- files ---- */

/*
 * Files of a batch are written under temporary names, synced to disk once for all, and renamed.
 * What has not been renamed is deleted at the end of the arena.
 *
 * There are two correct orders of calls; in both, blob_batch_rows() is called in the write
 * transaction that uses the blobs:
 *   add…, sync, BEGIN, rows, COMMIT     if the work is long, before the lock is taken
 *   BEGIN, add…, rows, sync, COMMIT     if nodes refer to the rows
 *
 * blob_batch_rows() adds rows for the files that were added so far, once. False: a file no longer
 * exists, and the batch must be made again. The other functions return false with a message in
 * *error.
 */
struct blob_batch;
struct blob_batch *blob_batch_new(struct arena *a, const char *dir);
bool blob_batch_add(struct blob_batch *b, struct str bytes, struct str *hash, const char **error);
bool blob_batch_sync(struct blob_batch *b, const char **error);
bool blob_batch_rows(struct blob_batch *b, struct db *db);
/* From now to the end of the write transaction no sweep unlinks a file. blob_batch_rows() does this too. */
void blob_hold(struct db *db);
/* Adds the row of one file, by its hash. Also true if the hash does not belong to the batch. */
bool blob_batch_row(struct blob_batch *b, struct db *db, struct str hash);
/*
 * Deletes at once what would be deleted at the end of the arena, and empties the batch. For a batch
 * whose failure is reported before its arena ends.
 */
void blob_batch_drop(struct blob_batch *b);

char *blob_path(struct arena *a, const char *dir, struct str hash);

/* Deletes the files of these hashes, except those that a row names. Runs in a transaction of its own. */
void blob_files_drop(struct db *db, struct arena *a, const char *dir, const struct str *hashes,
    size_t n);

/* ---- unused files ---- */

struct blob_file {
	const char *path;
	struct str  hash;    /* empty: a temporary file */
	int64_t     at;      /* last modification, in milliseconds */
};

/*
 * Calls fn for each file below DIR/blobs with a name of the form that Octavo uses; memory allocated
 * for it is freed after the call.
 */
void blob_walk(struct arena *a, const char *dir, void (*fn)(void *ctx, const struct blob_file *f),
    void *ctx);

/*
 * Calls row() with the hash and size of each file that rows need. False: the database cannot be
 * read, and *error says why.
 */
bool blob_files_each(struct db *db, struct arena *a, void (*row)(void *ctx, struct stmt *q), void *ctx,
    const char **error);

/* True if a row names this hash. */
bool blob_known(struct db *db, struct str hash);

/*
 * Deletes bytes to which nothing refers, unless a job of a space is running; documents and link
 * facts of bytes that no head shows any more; and temporary files and files without a row, if they
 * were last modified before `before` (ms). Call it outside of any transaction: it uses short ones
 * of its own.
 */
struct blob_swept {
	size_t rows, files;
};
struct blob_swept blob_sweep(struct db *db, struct arena *a, const char *dir, int64_t before);

#endif
