#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/content.h"
#include "links/links.h"
#include "jobs/purge.h"
#include "app/queue.h"
#include "search/search.h"

enum { STEP = 300, KEEP_JOBS_DAYS = 30, DAY_MS = 86400000 };

SQL(q_due, "SELECT id FROM space WHERE deleted_at IS NOT NULL AND deleted_at <= :oldest LIMIT 1");
/* Too long ago for a restore, whatever OCTAVO_PURGE_DAYS will say. */
SQL(q_take, "UPDATE space SET deleted_at = 1 WHERE id = :space");
SQL(q_unhook, "UPDATE space SET branch = NULL WHERE id = :space");
SQL(q_rows,
    "SELECT n.branch, n.id, n.since, n.body, n.refs FROM node n JOIN branch b ON b.id = n.branch "
    "WHERE b.space = :space LIMIT 300");
SQL(q_row_delete, "DELETE FROM node WHERE branch = :b AND id = :id AND since = :since");
SQL(q_sync_delete, "DELETE FROM git_sync WHERE space = :space");
SQL(q_grant_delete, "DELETE FROM access_grant WHERE space = :space");
SQL(q_warnings_delete, "DELETE FROM job_warning WHERE job IN (SELECT id FROM job WHERE space = :space)");
SQL(q_schedules_delete, "DELETE FROM schedule WHERE space = :space");
SQL(q_jobs_delete, "DELETE FROM job WHERE space = :space");
#define COMMENTS_OF "(SELECT id FROM comment WHERE space = :space)"
#define REQUESTS_OF "(SELECT id FROM change_request WHERE space = :space)"
SQL(q_reactions_delete, "DELETE FROM reaction WHERE comment IN " COMMENTS_OF);
SQL(q_replies_delete, "DELETE FROM comment_reply WHERE comment IN " COMMENTS_OF);
SQL(q_comments_delete, "DELETE FROM comment WHERE space = :space");
SQL(q_reviews_delete, "DELETE FROM review WHERE request IN " REQUESTS_OF);
SQL(q_reviewers_delete, "DELETE FROM requested_reviewer WHERE request IN " REQUESTS_OF);
SQL(q_requests_delete, "DELETE FROM change_request WHERE space = :space");
SQL(q_revisions_delete, "DELETE FROM revision WHERE branch IN (SELECT id FROM branch WHERE space = :space)");
SQL(q_over_delete, "DELETE FROM branch WHERE space = :space AND base IS NOT NULL");
SQL(q_main_delete, "DELETE FROM branch WHERE space = :space");
SQL(q_space_gone, "DELETE FROM space WHERE id = :space");
SQL(q_old_jobs,
    "SELECT id FROM job WHERE state IN ('done', 'failed', 'timeout', 'cancelled') "
    "AND run_at <= :oldest LIMIT 300");
SQL(q_old_warnings, "DELETE FROM job_warning WHERE job = :id");
SQL(q_old_job, "DELETE FROM job WHERE id = :id");

SQL(q_left,
    "SELECT s.id FROM (SELECT space FROM branch WHERE staged IS NOT NULL "
    "UNION SELECT b.space FROM link_edition e JOIN branch b ON b.id = e.branch WHERE e.shown = 0 "
    "UNION SELECT x.space FROM search_page p JOIN search_space x ON x.no = p.space "
    "WHERE p.turn IS NOT NULL) AS l JOIN space s ON s.id = l.space WHERE s.deleted_at IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM job j WHERE j.queue = s.id AND j.state IN ('queued', 'running')) "
    "LIMIT 300 /*scan*/");

struct row {
	int64_t     branch, since;
	const char *id;
	struct str  hashes[2];
};

static void
run_for(struct db *db, const struct sql *sql, const char *name, const char *id)
{
	struct stmt *q = db_use(db, sql);

	bind_text(q, name, id);
	stmt_run(q);
}

static struct str
dup_hash(struct arena *a, struct str s)
{
	return (struct str){ arena_strndup(a, s.p, s.n), s.n };
}

static size_t
take_rows(struct db *db, struct arena *a, const char *space, struct row *rows)
{
	struct stmt *q = db_use(db, &q_rows);
	size_t n = 0;

	bind_text(q, ":space", space);
	while (n < STEP && stmt_step(q)) {
		rows[n] = (struct row){ .branch = col_int(q, 0), .id = col_dup(q, 1, a),
			.since = col_int(q, 2) };
		rows[n].hashes[0] = dup_hash(a, col_bytes(q, 3));
		rows[n++].hashes[1] = dup_hash(a, col_bytes(q, 4));
	}
	return n;
}

/* The next rows go, and the bytes that were theirs alone; how many of either. */
static size_t
drop_rows(struct db *db, struct arena *a, const char *space, struct str *gone, size_t *gone_n)
{
	struct row *rows = arena_array(a, STEP, sizeof(*rows));
	size_t n = take_rows(db, a, space, rows), i, k;
	struct stmt *q;

	for (i = 0; i < n; i++) {
		q = db_use(db, &q_row_delete);
		bind_int(q, ":b", rows[i].branch);
		bind_text(q, ":id", rows[i].id);
		bind_int(q, ":since", rows[i].since);
		stmt_run(q);
	}
	for (i = *gone_n = 0; i < n; i++)
		for (k = 0; k < 2; k++)
			if (blob_release(db, rows[i].hashes[k]))
				gone[(*gone_n)++] = rows[i].hashes[k];
	return n;
}

/* One step; false when no row is left. Files after the commit: a row never lacks its file. */
static bool
purge_rows(struct db *db, struct arena *scratch, const struct settings *set, const char *space)
{
	struct str *gone = arena_array(scratch, (size_t)STEP * 2, sizeof(*gone));
	size_t n, gone_n;

	db_begin(db, true);
	n = drop_rows(db, scratch, space, gone, &gone_n);
	db_commit(db);
	blob_files_drop(db, scratch, set->dir, gone, gone_n);
	arena_reset(scratch);
	return n == STEP;
}

static void
purge_space(struct db *db, struct arena *scratch, const struct settings *set, const char *space)
{
	static const struct sql *const rest[] = { &q_sync_delete, &q_grant_delete,
		&q_schedules_delete, &q_warnings_delete, &q_jobs_delete, &q_reactions_delete, &q_replies_delete,
		&q_comments_delete, &q_reviews_delete, &q_reviewers_delete, &q_requests_delete,
		&q_revisions_delete, &q_unhook, &q_over_delete,
		&q_main_delete, &q_space_gone };
	size_t i;

	search_drop(db, scratch, space);
	links_drop(db, space);
	while (purge_rows(db, scratch, set, space))
		;
	db_begin(db, true);
	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		run_for(db, rest[i], ":space", space);
	db_commit(db);
}

static void
purge_jobs(struct db *db, struct arena *a)
{
	const char *ids[STEP];
	struct stmt *q;
	size_t n = 0;

	db_begin(db, true);
	q = db_use(db, &q_old_jobs);
	bind_int(q, ":oldest", time_now() - (int64_t)KEEP_JOBS_DAYS * DAY_MS);
	while (n < STEP && stmt_step(q))
		ids[n++] = col_dup(q, 0, a);
	while (n-- > 0) {
		run_for(db, &q_old_warnings, ":id", ids[n]);
		run_for(db, &q_old_job, ":id", ids[n]);
	}
	db_commit(db);
}

/* The next space that is due, taken so that nobody can restore it; NULL: there is none. */
static const char *
take_space(struct db *db, struct arena *a, int64_t oldest)
{
	struct stmt *q;
	const char *space = NULL;

	db_begin(db, true);
	q = db_use(db, &q_due);
	bind_int(q, ":oldest", oldest);
	if (stmt_step(q)) {
		space = col_dup(q, 0, a);
		run_for(db, &q_take, ":space", space);
	}
	db_commit(db);
	return space;
}

/* When it was swept last is the time of a file, so that a runner that cron starts each minute knows. */
static void
sweep_daily(struct db *db, struct arena *a, const struct settings *set)
{
	char *folder = arena_printf(a, "%s/blobs", set->dir);
	char *mark = arena_printf(a, "%s/.swept", folder);
	int64_t now = time_now();
	struct stat st;
	int fd;

	if (stat(mark, &st) == 0 && now - (int64_t)st.st_mtim.tv_sec * 1000 < DAY_MS)
		return;
	blob_sweep(db, a, set->dir, now - DAY_MS);
	mkdir(folder, 0750);
	if ((fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0640)) < 0)
		return;
	futimens(fd, NULL);
	close(fd);
}

/* What imports left that were killed, and that none is to take over: in the queue of their space. */
static void
queue_sweeps(struct db *db, struct arena *a)
{
	struct job jobs[STEP];
	struct stmt *q;
	size_t n = 0, i;

	db_begin(db, true);
	q = db_use(db, &q_left);
	for (; n < STEP && stmt_step(q); n++)
		jobs[n] = (struct job){ .kind = "unstage", .space = col_dup(q, 0, a), .args = "{}" };
	for (i = 0; i < n; i++) {
		jobs[i].queue = jobs[i].space;
		job_add(db, a, &jobs[i], 0);
	}
	db_commit(db);
}

int
purge_run(struct db *db, struct arena *a, const struct settings *set)
{
	struct arena *scratch = arena_within(a, 64 << 20);
	const char *space;
	int count = 0;

	while ((space = take_space(db, a, time_now() - (int64_t)set->purge_days * DAY_MS)) != NULL) {
		purge_space(db, scratch, set, space);
		count++;
	}
	purge_jobs(db, a);
	queue_sweeps(db, a);
	sweep_daily(db, a, set);
	return count;
}
