/*
 * Blobs: bytes stored under their BLAKE2b-256 hash. Bodies of pages and link maps are in the
 * database; files are below DIR/blobs, so that the web server can send them, and no upload gets a
 * name that a web server would execute.
 *
 * `blob` has one row for each hash. `no` is the number of the bytes in `blob_data`; without it they
 * are only in the file DIR/blobs/ab/cdef…. Bytes that are a page's body and also a file are in both
 * places.
 *
 * The row decides. A file gets its name before the transaction with its row commits, and loses it
 * after the transaction that deletes the row has committed: a crash in between leaves a file
 * without a row, never a row without a file. A sweep removes such files, and the temporary files of
 * writers that died.
 *
 * The write lock orders a sweep and a writer whose row is not committed yet. A file is unlinked
 * only under the lock and while no row names it; a writer checks under the lock, in the transaction
 * of its rows, that its files exist.
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
 * The same bytes, hashed and packed already (base/pack.h): what takes long is done before the lock is
 * taken. packed.p NULL: they are not.
 */
struct packed {
	struct str hash, bytes, packed;
};
struct packed blob_pack(struct arena *a, struct str bytes);
void blob_put_packed(struct db *db, struct arena *a, const struct packed *p);

/* Reads the bytes; false: the blob is unknown, or a file only. */
bool blob_get(struct db *db, struct arena *a, struct str hash, struct str *out);

/*
 * The same with a cache of recently read blobs in this process, for pages that readers request. It
 * may return bytes whose row was deleted since, so code that searches for damage must not use it.
 */
bool blob_get_known(struct db *db, struct arena *a, struct str hash, struct str *out);

/* The number of bytes; 0: the blob is unknown. */
size_t blob_size(struct db *db, struct str hash);

/*
 * Deletes bytes that no node names any more, with the documents made from them; inside a write
 * transaction. True: the row was deleted. Its file, if any, is removed by blob_files_drop() after
 * the commit, or by the sweep.
 */
bool blob_release(struct db *db, struct str hash);

/* ---- files ---- */

/*
 * Files of a batch are written beside their place, made durable with one sync
 * for all, and moved to their names. What is not moved by the end of the arena
 * is removed then.
 *
 * Two orders of calls are right, both with _rows inside the write transaction
 * that uses the blobs:
 *   add…, sync, BEGIN, rows, COMMIT     long work before the lock is taken
 *   BEGIN, add…, rows, sync, COMMIT     rows first where nodes refer to them
 *
 * blob_batch_rows gives the files that were added so far their rows, once. It is
 * false where a file is not there any more: the batch must be made again. The
 * others: false, and *error says why.
 */
struct blob_batch;
struct blob_batch *blob_batch_new(struct arena *a, const char *dir);
bool blob_batch_add(struct blob_batch *b, struct str bytes, struct str *hash, const char **error);
bool blob_batch_sync(struct blob_batch *b, const char **error);
bool blob_batch_rows(struct blob_batch *b, struct db *db);
/* The same for one file, by its hash; also true if the hash is not of the batch. */
bool blob_batch_row(struct blob_batch *b, struct db *db, struct str hash);
/*
 * Removes now what would be removed at the end of the arena, and empties the batch: for a batch
 * whose failure is reported before its arena ends.
 */
void blob_batch_drop(struct blob_batch *b);

char *blob_path(struct arena *a, const char *dir, struct str hash);

/* Unlinks the files of these hashes except those that a row names; in a transaction of its own. */
void blob_files_drop(struct db *db, struct arena *a, const char *dir, const struct str *hashes,
    size_t n);

/* ---- what is left over ---- */

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
 * Deletes bytes that no node names; documents and link facts made from bytes that no head shows any
 * more; and, of files last modified before `before` (ms), temporary files and those without a row.
 * Outside any transaction: it runs in short ones of its own.
 */
struct blob_swept {
	size_t rows, files;
};
struct blob_swept blob_sweep(struct db *db, struct arena *a, const char *dir, int64_t before);

#endif
