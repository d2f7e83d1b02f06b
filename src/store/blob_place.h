/* Where the files of blobs are: shared by the files blob*.c of this folder. The contract is store/blob.h. */
#ifndef OCTAVO_BLOB_PLACE_H
#define OCTAVO_BLOB_PLACE_H

#include "objects/objects.h"
#include "store/blob.h"

/* The folder of copies, below DIR/blobs, so that the web server can send them. */
#define BLOB_COPIES "blobs/cached"

/* The store; NULL: files are only in DIR/blobs, or a setting is wrong (blob_store_fault()). */
struct objects *blob_objects(void);

/* The key of a blob in the store: "ab/cdef…", as its path below DIR/blobs. */
char *blob_key(struct arena *a, struct str hash);

/* Call it before objects are put: makes this installation the owner if the prefix has no objects (blob_owner()). */
void blob_owner_claim(struct arena *a, const char *dir);

/* As blob_walk(), for a folder: DIR/blobs, or that of the copies. */
void blob_walk_in(struct arena *a, const char *folder, void (*fn)(void *ctx, const struct blob_file *f), void *ctx);

/* The path of the copy, which need not exist. */
char *blob_copy_path(struct arena *a, const char *dir, struct str hash);
/* True if the copy exists; notes that it was used. */
bool blob_copy_use(const char *path);
/*
 * Call it after a copy of this size was added. Now and then it deletes the copies that were not used
 * for the longest time, so that the folder stays below about OCTAVO_BLOBS_CACHE MiB.
 */
void blob_copies_limit(const char *dir, int64_t added);

/* Deletes the copies that were not used for the longest time, if they take more than the limit. */
void blob_copies_trim(const char *dir, int64_t now);

/* A random number for names of temporary files: processes of two machines that share a folder may have the same id. */
unsigned blob_mark(void);

#endif
