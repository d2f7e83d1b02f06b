/* Compares stored bytes with their hashes; the contract is in store/invariants.h. */
#include <stdio.h>

#include "store/content.h"
#include "base/pack.h"
#include "base/secret.h"
#include "store/invariants.h"

/* Maximum number of pages that are named for one damaged text: a thousand pages may have the same bytes. */
enum { NAMED = 5 };

struct byte_check {
	struct db    *db;
	struct arena *arena;
	void        (*breach)(void *, const char *);
	void         *ctx;
	const char   *names;
	int           named;
	const char   *error;
};

static void
take_name(void *ctx, struct stmt *q)
{
	struct byte_check *r = ctx;

	r->names = arena_printf(r->arena, "%s%s%s", r->names, r->named++ > 0 ? ", " : "", col_text(q, 0));
}

/*
 * Names the pages with this text, newest version first, and says of a page whether only an older
 * revision has it.
 */
static void
name_pages(struct byte_check *r, const char *hash)
{
	r->names = "";
	r->named = 0;
	db_each(r->db, r->arena, arena_printf(r->arena, "SELECT CASE n.kind WHEN 'document' THEN 'page' ELSE n.kind END || "
	    "' \"' || COALESCE(n.title, '') || '\" (' || n.id || ') of space \"' || s.title || '\" (' || s.id || ')' || "
	    "CASE WHEN max(n.until) = " SQL_FOREVER " THEN '' ELSE ', in older revisions' END "
	    "FROM node n JOIN branch b ON b.id = n.branch JOIN space s ON s.id = b.space "
	    "WHERE n.body = x'%s' OR n.refs = x'%s' GROUP BY n.id, s.id ORDER BY max(n.until) DESC LIMIT %d", hash, hash, NAMED),
	    take_name, r, &r->error);
}

static void
take_bytes(void *ctx, struct stmt *q)
{
	struct byte_check *r = ctx;
	struct arena *a = arena_new((size_t)2 << 30);
	struct str bytes;
	const char *hash;

	if (!unpack(a, col_bytes(q, 1), (size_t)col_int(q, 2), &bytes) || !str_eq(hash_of(a, bytes), col_bytes(q, 0))) {
		hash = hex(r->arena, col_bytes(q, 0));
		name_pages(r, hash);
		r->breach(r->ctx, r->named > 0 ? arena_printf(r->arena, "%s (blob %s)", r->names, hash) :
		    arena_printf(r->arena, "blob %s", hash));
	}
	arena_free(a);
}

bool
check_bytes(struct db *db, struct arena *a, void (*breach)(void *, const char *), void *ctx, const char **error)
{
	struct byte_check r = { .db = db, .arena = a, .breach = breach, .ctx = ctx };

	return db_each(db, a, "SELECT b.hash, d.data, d.size FROM blob b JOIN blob_data d ON d.no = b.no", take_bytes, &r, error);
}
