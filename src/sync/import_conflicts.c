/*
 * The change request with the conflicts, or with all changes where merge rules ask for one
 * (merge/upstream.h).
 */
#include "import_parts.h"

SQL(q_owner, "SELECT created_by FROM git_binding WHERE space = :space");

/* The user who requested the job; for a scheduled job, the user who made the binding. NULL: neither exists. */
static const char *
request_author(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_owner);

	if (m->job->user != NULL)
		return m->job->user;
	bind_text(q, ":space", m->job->space);
	return stmt_step(q) ? col_dup(q, 0, m->arena) : NULL;
}

char *
import_conflict_request(struct import *m, const struct upstream_result *out)
{
	if (out->conflicts == NULL)
		return NULL;
	/*
	 * In the publishing transaction: what main did not take is in the request at the same
	 * moment, so no line of either side is lost.
	 */
	return upstream_request(m->db, m->arena, &m->view, m->blobs, out, request_author(m),
	    arena_printf(m->arena, m->as_request ? "Changes of the repository, commit %.10s" :
	    "Conflicts with the repository, commit %.10s", m->got.commit));
}
