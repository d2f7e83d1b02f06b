/*
 * Loads the change request that a path or a body names by its id or by its number in the space: 404
 * if missing, before roles are checked. Contract: api/request_ref.h.
 */
#include <stdlib.h>

#include "api/refusals.h"
#include "api/request_ref.h"
#include "http/req.h"

/*
 * Finds a request by number if :number is above 0, else by id, in either case within the space, so
 * that a request of another space is not found (docs/design/security.md, "S1").
 */
SQL(q_request_access,
    "SELECT cr.id, cr.number, cr.status, cr.created_by, cr.subject, cr.description, cr.branch, "
    "rv.id, " REQUEST_OUTDATED " FROM change_request cr JOIN branch b ON b.id = cr.branch "
    "JOIN branch main ON main.id = b.base "
    "JOIN revision rv ON rv.branch = b.id AND rv.seq = b.head WHERE cr.space = :space AND cr.id = "
    "CASE WHEN :number > 0 THEN (SELECT x.id FROM change_request x WHERE x.space = :space "
    "AND x.number = :number) ELSE :id END");

/* Parses the number of a request without leading zeros. Returns 0 for any other text, which is an id. */
static int64_t
request_number(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n < 16 && s[n] == '\0' && s[0] != '0' ? strtoll(s, NULL, 10) : 0;
}

static void
set_request(struct req *r, struct stmt *q)
{
	r->request = (struct request_ref){ .id = col_dup(q, 0, r->arena), .number = col_int(q, 1),
		.status = col_dup(q, 2, r->arena), .author = col_dup(q, 3, r->arena),
		.subject = col_dup(q, 4, r->arena), .description = col_dup(q, 5, r->arena),
		.branch = col_int(q, 6), .revision = col_dup(q, 7, r->arena), .outdated = col_int(q, 8) != 0 };
}

int
request_load(struct req *r, const char *id)
{
	struct stmt *q = db_use(r->db, &q_request_access);

	bind_text(q, ":space", r->space.id);
	bind_text(q, ":id", id);
	bind_int(q, ":number", request_number(id));
	if (!stmt_step(q)) {
		/* A DELETE inside a request that does not exist answers 204, as DELETE does in general. */
		r->absent = true;
		return not_found(r, "change request", id);
	}
	set_request(r, q);
	return 0;
}
