/*
 * Counts of what a caller may read, remembered. To count exactly, the role on
 * each space has to be worked out; between two changes of anybody's access the
 * answer for the same caller is the same. The database tells of such changes by
 * a number (schema, access_version), read in the transaction of the request, so
 * that what is remembered is never older than what the rest of the answer shows.
 *
 * A fixed table a worker; a newcomer takes the place that its hash leads to.
 */
#include <string.h>

#include "api.h"
#include "secret.h"

enum { PLACES = 256 };

SQL(q_access_version, "SELECT n FROM access_version WHERE id = 1");

static struct kept {
	unsigned char key[HASH_BYTES];   /* of the question, the caller and the version */
	int64_t       count;
} table[PLACES];

/* Where the answer to this question is or shall be; the key tells whether it is. */
static struct kept *
place_of(struct req *r, const struct sql *q, unsigned char key[HASH_BYTES])
{
	int64_t version = stmt_int(db_use(r->db, &q_access_version), 0);
	char *text = arena_printf(r->arena, "%s %s\n%s\n%s\n%d\n%lld", q->file, q->name, r->org.id,
	    r->who.user, r->org.full, (long long)version);

	hash_bytes(str_of(text), key);
	return &table[key[0] % PLACES];
}

int64_t
count_seen(struct req *r, const struct sql *q)
{
	unsigned char key[HASH_BYTES];
	struct kept *k = place_of(r, q, key);
	struct stmt *s;

	if (memcmp(k->key, key, HASH_BYTES) == 0)
		return k->count;
	s = db_use(r->db, q);
	bind_caller(s, r);
	/* What a write transaction counts may never become true: only reads are remembered. */
	if (r->route->mode != RO)
		return stmt_int(s, 0);
	k->count = stmt_int(s, 0);
	memcpy(k->key, key, HASH_BYTES);
	return k->count;
}
