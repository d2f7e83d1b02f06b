/*
 * A cache of blobs that a worker has unpacked recently. Unpacking a page of 5 kB takes as long as
 * the rest of a request for its Markdown, and readers often request the same few pages. Entries
 * never become stale, because the bytes of a hash never change. The cache grants no access: callers
 * have the hash from a row that the user may read.
 *
 * The table has a fixed size; a new blob replaces the entry at the index that its hash gives. The
 * system allocates memory only for those pages of the table that were written.
 */
#include <string.h>

#include "store/blob.h"
#include "base/secret.h"

/* The table takes at most 1 MB in each worker. */
enum { ROWS = 32, LARGEST = 32 * 1024 };

struct known_blob {
	/* 0: the entry is empty. */
	size_t        n;
	unsigned char hash[HASH_BYTES];
	char          bytes[LARGEST];
};

static const struct db_keeper keeper = { .size = ROWS * sizeof(struct known_blob) };

static struct known_blob *
find_slot(struct db *db, struct str hash)
{
	return (struct known_blob *)db_remember(db, &keeper) + (unsigned char)hash.p[0] % ROWS;
}

/* Bytes that are too large for an entry are not cached. */
static void
remember_blob(struct known_blob *k, struct str hash, struct str bytes)
{
	if (bytes.n > LARGEST)
		return;
	memcpy(k->bytes, bytes.p, bytes.n);
	memcpy(k->hash, hash.p, HASH_BYTES);
	k->n = bytes.n;
}

bool
blob_get_known(struct db *db, struct arena *a, struct str hash, struct str *out)
{
	struct known_blob *k;

	if (hash.n != HASH_BYTES)
		return blob_get(db, a, hash, out);
	k = find_slot(db, hash);
	if (k->n > 0 && memcmp(k->hash, hash.p, HASH_BYTES) == 0) {
		*out = (struct str){ arena_strndup(a, k->bytes, k->n), k->n };
		return true;
	}
	if (!blob_get(db, a, hash, out))
		return false;
	remember_blob(k, hash, *out);
	return true;
}
