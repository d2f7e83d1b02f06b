/*
 * Bytes by their BLAKE2b-256: bodies of pages and link maps in the database,
 * files below DIR/blobs, so that the web server can send them and no upload
 * gets a name that something would run.
 *
 * `blob` has one row a hash. `no` leads to the bytes in `blob_data`; without it
 * they are the file DIR/blobs/ab/cdef… alone. Bytes that are a page here and a
 * file there are in both places.
 *
 * The row is the truth. A file gets its name before the transaction with its row
 * commits, and loses it after the one that took the row away has: a crash in
 * between leaves a file that no row names, never a row without a file. Such
 * files, and the temporary ones of writers that died, are swept.
 *
 * The race of a sweep with a writer whose row is not committed yet is settled
 * by the write lock. A file is unlinked only under the lock and while no row
 * names it; a writer looks under the lock, in the transaction of its rows,
 * whether its files are there.
 */
#ifndef OCTAVO_BLOB_H
#define OCTAVO_BLOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "db/db.h"
#include "base/str.h"

/* ---- in the database ---- */

/* Stores bytes; their hash (in the arena). In a write transaction. */
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

/* The bytes; false where the blob is unknown or a file only. */
bool blob_get(struct db *db, struct arena *a, struct str hash, struct str *out);

/*
 * The same, of which the process remembers some that it has read lately: for pages that readers ask
 * for. Remembered ones are found where the blob has gone since, so not for what looks after damage.
 */
bool blob_get_known(struct db *db, struct arena *a, struct str hash, struct str *out);

/* How many they are; 0 where the blob is unknown. */
size_t blob_size(struct db *db, struct str hash);

/*
 * Forgets bytes that no node names any more, together with what was made from
 * them; in a write transaction. True: the row went. If it had a file, that is
 * for blob_files_drop() after the commit, else for the sweep.
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
/* The same for one file, by its hash; true as well where the batch does not have it. */
bool blob_batch_row(struct blob_batch *b, struct db *db, struct str hash);
/*
 * Removes now what would be removed at the end of the arena, and empties the batch: for one whose
 * failure is told before its arena ends.
 */
void blob_batch_drop(struct blob_batch *b);

char *blob_path(struct arena *a, const char *dir, struct str hash);

/* Unlinks the files of these hashes, but not of those that a row names; in a transaction of its own. */
void blob_files_drop(struct db *db, struct arena *a, const char *dir, const struct str *hashes,
    size_t n);

/* ---- what is left over ---- */

struct blob_file {
	const char *path;
	struct str  hash;    /* empty: the temporary file of a writer */
	int64_t     at;      /* when it was last written, in milliseconds */
};

/* Calls fn for each file below DIR/blobs that bears a name as Octavo gives; its memory ends with the call. */
void blob_walk(struct arena *a, const char *dir, void (*fn)(void *ctx, const struct blob_file *f),
    void *ctx);

/*
 * Calls row() for each file that the rows need: its hash and its size. False, and *error,
 * where the database cannot be read.
 */
bool blob_files_each(struct db *db, struct arena *a, void (*row)(void *ctx, struct stmt *q), void *ctx,
    const char **error);

/* Does a row name this hash? */
bool blob_known(struct db *db, struct str hash);

/*
 * Takes away bytes that no node names; what was made (documents, facts for the
 * links) from bytes that nothing shows as it is now; and of the files last
 * written before `before` (ms) temporary ones and those that no row names.
 * Outside any transaction, in short ones of its own.
 */
struct blob_swept {
	size_t rows, files;
};
struct blob_swept blob_sweep(struct db *db, struct arena *a, const char *dir, int64_t before);

#endif
