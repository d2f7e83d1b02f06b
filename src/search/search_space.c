/*
 * A space as search sees it: its place, its number in rows, and its job. Contract: search/search.h.
 */
#include <stdlib.h>

#include "search_parts.h"
#include "base/sort.h"

SQL(q_place,
    "SELECT x.no, x.pages, b.head, s.language FROM search_space x JOIN space s ON s.id = x.space "
    "JOIN branch b ON b.id = s.branch WHERE x.space = :space");

bool
search_find(struct db *db, struct arena *a, const char *space, struct search_in *out)
{
	struct stmt *q = db_use(db, &q_place);

	bind_text(q, ":space", space);
	if (!stmt_step(q))
		return false;
	*out = (struct search_in){ arena_strdup(a, space), col_int(q, 0), col_int(q, 1), col_int(q, 2),
		col_null(q, 3) ? NULL : col_dup(q, 3, a) };
	return true;
}

SQL(q_waiting,
    "SELECT EXISTS (SELECT 1 FROM job WHERE queue = :space AND state = 'queued' AND kind = 'index')");

SQL(q_space_no, "SELECT no FROM search_space WHERE space = :space");

SQL(q_space_add, "INSERT INTO search_space (space, org) SELECT id, org FROM space WHERE id = :space");

int64_t
search_space_no(struct db *db, const char *space, bool add)
{
	struct stmt *q = db_use(db, &q_space_no);
	int64_t no;

	bind_text(q, ":space", space);
	no = stmt_int(q, 0);
	if (no != 0 || !add)
		return no;
	q = db_use(db, &q_space_add);
	bind_text(q, ":space", space);
	return stmt_run(q) == 0 ? 0 : db_last_id(db);
}

/*
 * Use the space's queue: jobs of one space never run side by side (docs/design/sync.md, "One queue
 * per space").
 */
void
search_queue(struct db *db, struct arena *a, const char *space)
{
	struct job job = { .kind = "index", .space = space, .queue = space, .args = "{}" };
	struct stmt *q = db_use(db, &q_waiting);

	/* A queued job already covers this change. */
	bind_text(q, ":space", space);
	if (stmt_int(q, 0) == 0)
		job_add(db, a, &job, 0);
}
