/*
 * Blobs: bytes stored under their BLAKE2b-256 hash. Bodies of pages and link maps are in the
 * database; files are below DIR/blobs, so that the web server can send them, and no upload gets a
 * name that a web server would execute, or in an object store: see there.
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
 * exists, and the batch must be made again; an object store that cannot be reached is db_away(). The
 * other functions return false with a message in
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

/* The path of a file below DIR/blobs, for code that writes files there. To read a file: blob_local(). */
char *blob_path(struct arena *a, const char *dir, struct str hash);

/*
 * Deletes the files of these hashes, except those that a row names. Runs in a transaction of its own. Objects of
 * an object store are left to the next sweep.
 */
void blob_files_drop(struct db *db, struct arena *a, const char *dir, const struct str *hashes,
    size_t n);

/* ---- an object store ----
 *
 * If OCTAVO_BLOBS of the environment is s3://BUCKET/PREFIX, batches put their files into that object
 * store (objects/objects.h), under PREFIX/ab/cdef…, instead of DIR/blobs. What is said above of files
 * holds for objects: one is put before the transaction that adds its row commits, and deleted by a
 * sweep while it holds the lock. Programs that read a file copy it to DIR/blobs/cached/ab/cdef… and
 * check its hash; the copies that were not used for the longest time are deleted when all take more
 * than OCTAVO_BLOBS_CACHE MiB. A file in DIR/blobs itself, from before the setting or from a restore,
 * is read from there until `octavo blobs push` has moved it to the store.
 */

/* The value of OCTAVO_BLOBS; NULL: files are in DIR/blobs only. */
const char *blob_store(void);
/* Why the store cannot be used: which setting is wrong; NULL: none is. */
const char *blob_store_fault(void);

enum blob_found {
	BLOB_FOUND,
	BLOB_MISSING,    /* in an object store: there is no such object */
	BLOB_AWAY,       /* the store cannot be reached, or there is no room for a copy; the log says more */
	BLOB_DAMAGED     /* the bytes do not have the hash */
};

/*
 * The path of a file of this machine, for reading it at once: the file itself, or the copy of an object,
 * which is made if need be. Without an object store this is blob_path(), *found is BLOB_FOUND, and the
 * file may be missing. The path is never NULL; what is not found cannot be opened at it.
 */
const char *blob_local(struct arena *a, const char *dir, struct str hash, enum blob_found *found);
/* The same for jobs: BLOB_AWAY is treated as a failure of the database (db_away()), so that the job is tried again. */
const char *blob_local_or_fail(struct db *db, struct arena *a, const char *dir, struct str hash);

/* True if readers get files from the store itself (OCTAVO_BLOBS_SEND=store). */
bool blob_store_sends(void);
/* An address for that, valid for OBJECTS_ADDRESS_SECONDS. NULL: the file is sent from here. */
char *blob_send_address(struct arena *a, const char *dir, struct str hash, const char *type, const char *disposition, int64_t now);

/* Reads all bytes where they are kept, without a copy, and compares their hash. */
enum blob_found blob_verify(struct arena *a, const char *dir, struct str hash);

/*
 * Calls fn for each object of the store, with its key as the path. False: the list could not be read, and
 * the log says why. Without a store: true, and no call.
 */
struct blob_file;
bool blob_walk_store(struct arena *a, void (*fn)(void *ctx, const struct blob_file *f), void *ctx);

/* The hashes and sizes of all objects, for comparing many rows with them. NULL: the list could not be read. */
struct blob_list;
struct blob_list *blob_list_read(struct arena *a);
int64_t blob_list_count(const struct blob_list *l);
/* True if a file of this size is in DIR/blobs or in the store. */
bool blob_list_has(const struct blob_list *l, struct arena *a, const char *dir, struct str hash, int64_t size);

/*
 * Moves a file from DIR/blobs to the store, after its hash was checked; and copies one from the store to
 * DIR/blobs, if it is not there. BLOB_FOUND: it is there now.
 */
enum blob_found blob_push(struct arena *a, const char *dir, struct str hash);
enum blob_found blob_pull(struct arena *a, const char *dir, struct str hash);

/*
 * Which installation sweeps the objects: the first that puts one below an empty prefix, or the one that
 * has adopted them. A restored copy of its data is another one, since no backup has the id.
 */
enum blob_owner { BLOB_OWNER_THIS, BLOB_OWNER_OTHER, BLOB_OWNER_UNKNOWN /* the store cannot be reached */ };
enum blob_owner blob_owner(struct arena *a, const char *dir);
/* Makes this the installation that sweeps. False: the log says why. */
bool blob_owner_adopt(struct arena *a, const char *dir);

/* ---- unused files ---- */

struct blob_file {
	const char *path;
	struct str  hash;    /* empty: a temporary file */
	int64_t     at;      /* last modification, in milliseconds */
	int64_t     size;
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
