/* Lists the pictures of a space that lack variants. Contract: jobs/variants.h. */
#include "jobs/variants.h"
#include "pdf/variants.h"
#include "store/content.h"
#include "store/variants.h"

/* The bytes identify a picture; its type is that of the file name, as when it is served. */
SQL(q_pictures,
    "SELECT DISTINCT n.body FROM space s JOIN node n ON n.branch = s.branch AND n.until = " SQL_FOREVER " AND n.kind = 'file' "
    "JOIN blob b ON b.hash = n.body WHERE s.id = :space AND s.deleted_at IS NULL AND b.size BETWEEN :least AND :most "
    "AND (lower(n.title) LIKE '%.png' OR lower(n.title) LIKE '%.jpg' OR lower(n.title) LIKE '%.jpeg') AND EXISTS (SELECT 1 FROM site_space x "
    "JOIN site t ON t.id = x.site WHERE x.space = s.id AND t.published_at IS NOT NULL)");
SQL(q_queued, "SELECT EXISTS (SELECT 1 FROM job WHERE kind = 'variants' AND space = :space AND state IN ('queued', 'running'))");

struct str *
variants_lacking(struct db *db, struct arena *a, const char *dir, const char *space, size_t *count)
{
	struct arena *scratch = arena_within(a, 1 << 16);
	struct str *list = NULL, s;
	struct variants known;
	size_t room = 0;
	struct stmt *q = db_use(db, &q_pictures);

	*count = 0;
	bind_text(q, ":space", space);
	bind_int(q, ":least", PICTURE_LEAST);
	bind_int(q, ":most", PICTURE_MOST);
	while (stmt_step(q)) {
		s = col_bytes(q, 0);
		if (!variants_look(scratch, dir, s, &known)) {
			list = arena_grow(a, list, *count, &room, sizeof(*list));
			list[(*count)++] = (struct str){ arena_strndup(a, s.p, s.n), s.n };
		}
		arena_reset(scratch);
	}
	return list;
}

void
variants_queue(struct db *db, struct arena *a, const char *dir, const char *space)
{
	struct stmt *q;
	size_t count;

	db_begin(db, false);
	variants_lacking(db, a, dir, space, &count);
	db_rollback(db);
	if (count == 0)
		return;
	db_begin(db, true);
	q = db_use(db, &q_queued);
	bind_text(q, ":space", space);
	if (stmt_int(q, 0) == 0)
		job_add(db, a, &(struct job){ .kind = "variants", .space = space, .args = "{}" }, 0);
	db_commit(db);
}
