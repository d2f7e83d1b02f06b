/* Joins consecutive saves into one revision. Contract: merge/request_amend.h. */
#include "base/json.h"
#include "merge/request_amend.h"
#include "propagate/comments.h"

/*
 * Finds the number of a revision that may be replaced: comments, reviews, PDFs and translations
 * that were made of it would lose it. A comment older than the revision is no obstacle: it was made
 * on an earlier one, moved along with its block, and can be moved again.
 */
SQL(q_amendable,
    "SELECT r.seq FROM revision r JOIN branch b ON b.id = r.branch WHERE r.id = :revision AND r.branch = :branch "
    "AND r.seq = b.head AND r.seq > 0 AND b.kind = 'request' AND b.staged IS NULL AND r.kind = 'edits' AND r.git IS NULL "
    "AND r.author = :author AND r.created_at > :after "
    "AND NOT EXISTS (SELECT 1 FROM comment c WHERE c.scope = :request AND c.created_at >= r.created_at AND c.revision = r.id) "
    "AND NOT EXISTS (SELECT 1 FROM review v WHERE v.request = :request AND v.revision = r.id) "
    "AND NOT EXISTS (SELECT 1 FROM requested_reviewer w WHERE w.request = :request AND w.revision = r.id) "
    "AND NOT EXISTS (SELECT 1 FROM pdf p WHERE p.space = b.space AND p.revision = r.id) "
    "AND NOT EXISTS (SELECT 1 FROM translation t WHERE t.result = b.space AND t.revision = r.id)");

int64_t
request_amendable(struct db *db, const char *request, const struct point *head, const char *revision, const char *author)
{
	struct stmt *q = db_use(db, &q_amendable);

	bind_text(q, ":revision", revision);
	bind_int(q, ":branch", head->branch);
	bind_text(q, ":author", author);
	bind_int(q, ":after", time_now() - AMEND_MS);
	bind_text(q, ":request", request);
	return stmt_step(q) ? col_int(q, 0) : 0;
}

void
request_amend(struct db *db, struct arena *a, const char *request, const struct point *now, const char *revision, int64_t seq)
{
	revision_fold(db, a, now, seq);
	comments_readdress(db, request, revision, now->revision);
}
