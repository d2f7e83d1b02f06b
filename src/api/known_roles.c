/*
 * Caches roles on places, and counts of what a caller may read. To compute a role, the code goes up
 * from a place to the organization and reads the grants of each step, which is most of the work of
 * a permission check in deeply nested collections. An exact count needs the role on each space.
 * Neither changes until the access rights of some user change. Each worker has a hash table of
 * fixed size; a new entry overwrites the one in the row that its hash selects.
 *
 * Entries are never stale. Triggers increment a version at each change of access, by any program
 * (schema, access_version). Each entry is stored with that version, which is compared in the
 * transaction of the request. For a role, the access statement itself compares it (KNOWN_ROLE), and
 * computes the role if the versions differ. So a cached value is never older than the rest of the
 * answer, in any worker.
 *
 * If a write is rolled back, its version may be used again for another change. Results of write
 * transactions are therefore not cached. Ids are random and never reused; ids that are longer than
 * Octavo's are not cached.
 */
#include <string.h>

#include "api/access.h"
#include "api/known_roles.h"
#include "http/req.h"

/*
 * About 100 kB per worker in all. Ids that Octavo makes have 20 characters, so 32 bytes are enough.
 */
enum { ROLES = 1024, COUNTS = 256, ID_BYTES = 32 };

SQL(q_access_version, "SELECT n FROM access_version WHERE id = 1");

/* Key: a user, and the space, collection or organization. */
struct key {
	char place[ID_BYTES], user[ID_BYTES];
};

struct known_role {
	struct key key;
	/* Versions start at 1 (schema/0005), so that an empty row with version 0 never matches. */
	int64_t    version, role;
};

struct known_count {
	struct key        key;
	/* the statement that counts; it is part of the key, since an organization has several counts */
	const struct sql *q;
	int64_t           version, count;
};

struct role_cache {
	struct known_role  roles[ROLES];
	struct known_count counts[COUNTS];
};

static const struct db_keeper keeper = { .size = sizeof(struct role_cache) };

static bool
key_equals(const struct key *k, const char *place, const char *user)
{
	return strcmp(k->place, place) == 0 && strcmp(k->user, user) == 0;
}

/* Sets *k. Returns false, and leaves *k unchanged, if an id is too long to be one of Octavo's. */
static bool
set_key(struct key *k, const char *place, const char *user)
{
	size_t n = strlen(place) + 1, m = strlen(user) + 1;

	if (n > ID_BYTES || m > ID_BYTES)
		return false;
	memcpy(k->place, place, n);
	memcpy(k->user, user, m);
	return true;
}

/* Continues the hash h with the bytes of s (FNV-1a). */
static uint32_t
mix_hash(uint32_t h, const char *s)
{
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

/*
 * Callers choose neither their id nor those of places, so a hash without a secret key is safe: at
 * worst two entries overwrite each other.
 */
static uint32_t
hash_key(const char *place, const char *user)
{
	return mix_hash(mix_hash(2166136261u, place), user);
}

/*
 * True if the caller's sign-in gives access to the place's organization. note_shut_org() records the
 * place, so that not_found() can say where to sign in; not for a place that the caller could not
 * read in any case.
 */
static bool
row_is_opened(struct req *r, struct stmt *q, const char *place)
{
	bool opens = col_int(q, col(q, "opens")) != 0;

	return col_int(q, col(q, "role")) < ROLE_READ ? opens : note_shut_org(r, opens, place, col_text(q, col(q, "org")));
}

struct stmt *
role_row(struct req *r, const struct sql *sql, const char *place)
{
	struct role_cache *known = db_remember(r->db, &keeper);
	struct known_role *k = &known->roles[hash_key(place, r->who.user) % ROLES];
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":place", place);
	/*
	 * Which sign-in opens the organization is computed in the row, because sessions and tokens
	 * of one user share the cached roles.
	 */
	bind_sign_in(q, r);
	/* If the role is not cached, the version is -1, which never occurs, so that the statement computes the role. */
	bind_int(q, ":known_at", key_equals(&k->key, place, r->who.user) ? k->version : -1);
	bind_int(q, ":known", k->role);
	if (!stmt_step(q) || !row_is_opened(r, q, place))
		return NULL;
	/*
	 * Call set_key() only after the step: if the statement has no row, the entry keeps its
	 * former key.
	 */
	if (db_writing(r->db) || !set_key(&k->key, place, r->who.user))
		return q;
	k->version = col_int(q, col(q, "access_version"));
	k->role = col_int(q, col(q, "role"));
	return q;
}

int64_t
count_seen(struct req *r, const struct sql *sql, const char *place,
    void (*bind)(struct stmt *q, struct req *r))
{
	struct role_cache *known = db_remember(r->db, &keeper);
	struct known_count *k = &known->counts[mix_hash(hash_key(place, r->who.user), sql->name) % COUNTS];
	/* The version is read in the same snapshot as the count below. */
	int64_t version = stmt_int(db_use(r->db, &q_access_version), 0), count;
	struct stmt *q;

	if (k->q == sql && k->version == version && key_equals(&k->key, place, r->who.user))
		return k->count;
	q = db_use(r->db, sql);
	bind(q, r);
	count = stmt_int(q, 0);
	if (!db_writing(r->db) && set_key(&k->key, place, r->who.user)) {
		k->q = sql;
		k->version = version;
		k->count = count;
	}
	return count;
}

/* Limits a role to the cap of the caller's token (docs/design/permissions.md, "Tokens"). */
enum role
cap_role(const struct req *r, int64_t role)
{
	return role > r->who.cap ? r->who.cap : (enum role)role;
}
