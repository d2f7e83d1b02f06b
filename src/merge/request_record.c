/* The records of change requests, and the counters of a space. Contract: merge/request_record.h. */
#include "store/content.h"
#include "base/json.h"
#include "base/panic.h"
#include "merge/request_record.h"
#include "base/secret.h"

/* Requests are never deleted, so their count is the last number. */
SQL(q_next_number,
    "UPDATE space SET requests = requests + 1, requests_draft = requests_draft + 1 "
    "WHERE id = :space RETURNING requests");
SQL(q_make,
    "INSERT INTO change_request (id, space, number, subject, branch, created_by, created_at, "
    "updated_at, revision_initial, merged_ancestor) VALUES (:id, :space, :number, :subject, "
    ":branch, :user, :now, :now, :revision, :revision)");
SQL(q_status, "SELECT space, status FROM change_request WHERE id = :id");
SQL(q_set_status, "UPDATE change_request SET status = :status, updated_at = :now WHERE id = :id");
/*
 * Adds differences, so that two requests that change at once do not overwrite each other's count.
 */
SQL(q_count,
    "UPDATE space SET requests_open = requests_open + :open, "
    "requests_draft = requests_draft + :draft WHERE id = :space");
SQL(q_merged,
    "UPDATE change_request SET status = 'merged', revision_merged = :revision, merged_by = :user, "
    "merged_at = :now, updated_at = :now WHERE id = :id");
SQL(q_updated,
    "UPDATE change_request SET merged_ancestor = :ancestor, updated_at = :now WHERE id = :id");
SQL(q_touch, "UPDATE change_request SET updated_at = :now WHERE id = :id");

/*
 * The counter is in the row of the space: the UPDATE locks it, so that no number is given twice. A
 * new request is a draft, which the same statement counts.
 */
static int64_t
take_number(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_next_number);

	bind_text(q, ":space", space);
	return stmt_int(q, 0);
}

char *
request_make(struct db *db, struct arena *a, const char *space, int64_t main, const char *user,
    const char *subject)
{
	/*
	 * The first revision has no rows: it makes the branch readable at once, as a view of main.
	 */
	struct revision_info first = { .kind = "edits", .author = user };
	char *id = secret_id(a), *revision;
	struct point base;
	struct stmt *q;
	int64_t branch;

	if (!point_head(db, a, main, &base))
		panic("space %s has no revision", space);
	/* Branch and first revision come before the record, which names both. */
	branch = branch_create(db, space, "request", &base);
	first.base_seq = base.seq;
	revision_add(db, a, branch, &first, &revision);
	q = db_use(db, &q_make);
	bind_text(q, ":id", id);
	bind_text(q, ":space", space);
	bind_int(q, ":number", take_number(db, space));
	bind_text(q, ":subject", subject);
	bind_int(q, ":branch", branch);
	bind_text(q, ":user", user);
	bind_text(q, ":revision", base.revision);
	bind_int(q, ":now", time_now());
	stmt_run(q);
	return id;
}

static int
is_status(const char *status, const char *what)
{
	return strcmp(status, what) == 0;
}

/* Updates the counters of the space for a change of the request's status. */
static void
move_count(struct db *db, const char *request, const char *status)
{
	struct stmt *q = db_use(db, &q_status), *counters;
	const char *old;

	bind_text(q, ":id", request);
	if (!stmt_step(q))
		panic("no change request %s", request);
	/* Valid until q is stepped or reset, which happens after the last use below. */
	old = col_text(q, 1);
	counters = db_use(db, &q_count);
	/* The differences are -1, 0 or 1; an unchanged status changes no counter. */
	bind_int(counters, ":open", is_status(status, "open") - is_status(old, "open"));
	bind_int(counters, ":draft", is_status(status, "draft") - is_status(old, "draft"));
	bind_text(counters, ":space", col_text(q, 0));
	stmt_run(counters);
}

/* The counters are changed first: move_count() reads the status that the update replaces. */
void
request_set_status(struct db *db, const char *request, const char *status)
{
	struct stmt *q;

	move_count(db, request, status);
	q = db_use(db, &q_set_status);
	bind_text(q, ":status", status);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", request);
	stmt_run(q);
}

/* The counters are changed first: move_count() reads the status that the statement below replaces. */
void
request_merged(struct db *db, const char *request, const char *revision, const char *user)
{
	struct stmt *q;

	move_count(db, request, "merged");
	q = db_use(db, &q_merged);
	bind_text(q, ":revision", revision);
	bind_text(q, ":user", user);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", request);
	stmt_run(q);
}

/* ancestor: the last revision of main that the request has taken in. */
void
request_updated(struct db *db, const char *request, const char *ancestor)
{
	struct stmt *q = db_use(db, &q_updated);

	bind_text(q, ":ancestor", ancestor);
	bind_int(q, ":now", time_now());
	bind_text(q, ":id", request);
	stmt_run(q);
}

void
request_touch(struct db *db, const char *request)
{
	struct stmt *q = db_use(db, &q_touch);

	bind_int(q, ":now", time_now());
	bind_text(q, ":id", request);
	stmt_run(q);
}
