/*
 * Roles that are known already. Climbing from a place to the organization, with
 * the grants of each step, is most of the work of a permission check where
 * places are nested deeply; between two changes of anybody's access it gives
 * the same. Each worker remembers what it found, and under which version of
 * access (schema, access_version: triggers count every change, whoever makes
 * it) and with which role in the organization. Whether that still holds is
 * decided by the access statement itself (KNOWN_ROLE), which compares both
 * inside the transaction of the request and climbs where they differ: what is
 * remembered is never older than the rest of the answer, in any worker.
 *
 * A version that a write transaction has made and not committed may come again
 * for another change, so only what transactions that read have found is kept.
 * Ids are random and never reused; longer ones than ours are not remembered.
 */
#include <string.h>

#include "api.h"

enum { PLACES = 1024, ID_BYTES = 32 };

static struct known {
	char    place[ID_BYTES], user[ID_BYTES];
	int64_t version, member, role;
} table[PLACES];

/* FNV-1a. */
static uint32_t
mix(uint32_t h, const char *s)
{
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

static void
keep(struct known *k, const char *place, const char *user, struct stmt *q)
{
	size_t n = strlen(place) + 1, m = strlen(user) + 1;

	if (n > ID_BYTES || m > ID_BYTES)
		return;
	memcpy(k->place, place, n);
	memcpy(k->user, user, m);
	k->version = col_int(q, col(q, "access_version"));
	k->member = col_int(q, col(q, "member_role"));
	k->role = col_int(q, col(q, "role"));
}

struct stmt *
role_row(struct req *r, const struct sql *sql, const char *place)
{
	const char *user = r->who.user;
	struct known *k = &table[mix(mix(2166136261u, place), user) % PLACES];
	bool same = strcmp(k->place, place) == 0 && strcmp(k->user, user) == 0;
	struct stmt *q = db_use(r->db, sql);

	bind_text(q, ":place", place);
	bind_text(q, ":user", user);
	bind_int(q, ":known_at", same ? k->version : -1);
	bind_int(q, ":known_as", k->member);
	bind_int(q, ":known", k->role);
	if (!stmt_step(q))
		return NULL;
	if (!db_writing(r->db))
		keep(k, place, user, q);
	return q;
}
