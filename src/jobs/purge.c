/*
 * Permanent removal of deleted spaces, old jobs and rows that killed writers left. Contract:
 * jobs/purge.h.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/spare.h"
#include "store/content.h"
#include "links/links.h"
#include "jobs/purge.h"
#include "app/import_file.h"
#include "app/org_export.h"
#include "app/pdf_request.h"
#include "app/queue.h"
#include "app/stored.h"
#include "search/search.h"
#include "store/space.h"
#include "store/variants.h"
#include "translate/memory.h"

/*
 * STEP bounds the memory of a step and is the LIMIT of q_rows and q_left; a transaction handles as
 * many of them as its time allows (db_due()).
 */
enum { STEP = 300, KEEP_JOBS_DAYS = 30, KEEP_EVENTS_DAYS = 2 * 366 };
/* A request that makes a space is over after this time (base/watch.h). */
#define UNFINISHED_MS INT64_C(3600000)

/*
 * A space is due if no job of it runs (q_stop cancels jobs first), and no request may still be
 * making it.
 */
SQL(q_due,
    "SELECT s.id FROM space s WHERE s.deleted_at IS NOT NULL AND s.deleted_at <= :oldest "
    "AND (s.deleted_at <> " SPACE_UNFINISHED " OR s.created_at <= :begun) AND NOT EXISTS "
    "(SELECT 1 FROM job j WHERE j.queue = s.id AND j.state = 'running') AND NOT EXISTS "
    "(SELECT 1 FROM job j WHERE j.space = s.id AND j.state = 'running') LIMIT 1");
SQL(q_stop,
    "UPDATE job SET cancel = 1 WHERE state = 'running' AND cancel = 0 AND space IN "
    "(SELECT id FROM space WHERE deleted_at IS NOT NULL AND deleted_at <= :oldest)");
/*
 * Marks the space so that it cannot be restored, whatever value OCTAVO_PURGE_DAYS gets later. Jobs
 * of the space do not start any more (queue.c).
 */
SQL(q_take, "UPDATE space SET deleted_at = " SPACE_TAKEN " WHERE id = :space");
/*
 * The reference is deferred, but the deletions that follow commit in between: clear space.branch
 * before main's branch is deleted.
 */
SQL(q_unhook, "UPDATE space SET branch = NULL WHERE id = :space");
/* Takes any rows, without an order: after a killed run, the next one continues with the rest. */
SQL(q_rows,
    "SELECT n.branch, n.id, n.since, n.body, n.refs FROM node n JOIN branch b ON b.id = n.branch "
    "WHERE b.space = :space LIMIT 300");
SQL(q_row_delete, "DELETE FROM node WHERE branch = :b AND id = :id AND since = :since");

/* Rows that refer to the space directly: a hundred at a time. */
SQL(q_sync_delete, "DELETE FROM git_sync WHERE space = :id");
SQL(q_source_delete, "DELETE FROM git_source WHERE space = :id");
SQL(q_delivery_delete,
    "DELETE FROM git_delivery WHERE binding IN (SELECT id FROM git_binding WHERE space = :id)");
SQL(q_binding_delete, "DELETE FROM git_binding WHERE space = :id");
SQL(q_grant_delete,
    "DELETE FROM access_grant WHERE id IN (SELECT id FROM access_grant WHERE space = :id LIMIT 100)");
SQL(q_invite_delete,
    "DELETE FROM link_invite WHERE id IN (SELECT id FROM link_invite WHERE space = :id LIMIT 100)");
SQL(q_named_delete,
    "DELETE FROM named WHERE space = :id AND account IN "
    "(SELECT account FROM named WHERE space = :id LIMIT 100)");
SQL(q_schedules_delete,
    "DELETE FROM schedule WHERE id IN (SELECT id FROM schedule WHERE space = :id LIMIT 100)");
/* The sweep removes their files. */
SQL(q_pdfs_delete, "DELETE FROM pdf WHERE id IN (SELECT id FROM pdf WHERE space = :id LIMIT 100)");

/*
 * Objects with rows of their own: a list statement, then statements for the rows and for the
 * object.
 */
SQL(q_jobs, "SELECT id FROM job WHERE space = :of LIMIT :limit");
SQL(q_old_jobs,
    "SELECT id FROM job WHERE state IN ('done', 'failed', 'timeout', 'cancelled') "
    "AND run_at <= :of LIMIT :limit");
SQL(q_warnings_delete,
    "DELETE FROM job_warning WHERE job = :id AND n IN "
    "(SELECT n FROM job_warning WHERE job = :id LIMIT 100)");
SQL(q_job_delete, "DELETE FROM job WHERE id = :id");
SQL(q_comments, "SELECT id FROM comment WHERE space = :of LIMIT :limit");
/*
 * Addresses of files stay valid for two days longer than the token with which they were given out
 * (audience/site_token.h).
 */
SQL(q_passes,
    "DELETE FROM site_pass WHERE hash IN (SELECT hash FROM site_pass WHERE expires_at < :before "
    "ORDER BY expires_at LIMIT :limit)");
SQL(q_reactions_delete,
    "DELETE FROM reaction WHERE comment = :id AND (target, emoji, account) IN "
    "(SELECT target, emoji, account FROM reaction WHERE comment = :id LIMIT 100)");
SQL(q_replies_delete,
    "DELETE FROM comment_reply WHERE id IN (SELECT id FROM comment_reply WHERE comment = :id LIMIT 100)");
SQL(q_comment_delete, "DELETE FROM comment WHERE id = :id");
SQL(q_requests, "SELECT id FROM change_request WHERE space = :of LIMIT :limit");
SQL(q_reviews_delete,
    "DELETE FROM review WHERE id IN (SELECT id FROM review WHERE request = :id LIMIT 100)");
SQL(q_reviewers_delete,
    "DELETE FROM requested_reviewer WHERE request = :id AND account IN "
    "(SELECT account FROM requested_reviewer WHERE request = :id LIMIT 100)");
SQL(q_looks_delete,
    "DELETE FROM last_look WHERE request = :id AND account IN "
    "(SELECT account FROM last_look WHERE request = :id LIMIT 100)");
SQL(q_undone_delete,
    "DELETE FROM request_undo WHERE request = :id AND revision IN "
    "(SELECT revision FROM request_undo WHERE request = :id LIMIT 100)");
SQL(q_request_delete, "DELETE FROM change_request WHERE id = :id");
/* Branches based on another one go before it, because they refer to it. */
SQL(q_over, "SELECT id FROM branch WHERE space = :of AND base IS NOT NULL LIMIT :limit");
SQL(q_branches, "SELECT id FROM branch WHERE space = :of LIMIT :limit");
/* The casts: drop_all() binds ids as text, and PostgreSQL does not compare integers with text. */
SQL(q_revisions_delete,
    "DELETE FROM revision WHERE branch = CAST(:id AS INTEGER) AND seq IN "
    "(SELECT seq FROM revision WHERE branch = CAST(:id AS INTEGER) LIMIT 100)");
SQL(q_branch_delete, "DELETE FROM branch WHERE id = CAST(:id AS INTEGER)");
/* Runs last: a killed purge finds the space again by this row. */
SQL(q_space_gone, "DELETE FROM space WHERE id = :id");
/* In one statement, since a day has few rows: one for each page of a site that was viewed. */
SQL(q_old_events, "DELETE FROM site_event WHERE day < :day");

/*
 * Spaces with rows of a killed writer: staged rows, link editions that were never shown, index
 * pages of an interrupted update. Not while a job of the space waits or runs, since it may use
 * them.
 */
SQL(q_left,
    "SELECT s.id FROM (SELECT space FROM branch WHERE staged IS NOT NULL AND COALESCE(staged_until, 0) < :now "
    "UNION SELECT b.space FROM link_edition e JOIN branch b ON b.id = e.branch WHERE e.shown = 0 "
    "UNION SELECT x.space FROM search_place p JOIN search_space x ON x.no = p.space "
    "WHERE p.turn IS NOT NULL) AS l JOIN space s ON s.id = l.space WHERE s.deleted_at IS NULL "
    "AND NOT EXISTS (SELECT 1 FROM job j WHERE j.queue = s.id AND j.state IN ('queued', 'running')) "
    "LIMIT 300 /*scan*/");

/* A version of a node with its blobs, body and refs; n 0: none. */
struct row {
	int64_t     branch, since;
	const char *id;
	struct str  hashes[2];
};

/* Runs a statement with one text parameter in the open transaction. */
static void
run_with_id(struct db *db, const struct sql *sql, const char *name, const char *id)
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

/*
 * Reads all rows before anything is deleted: in SQLite it is undefined whether a query sees rows
 * that are deleted while it runs (sqlite.org/isolation.html).
 */
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

/*
 * Deletes the next rows, as many as time allows, and lists in gone[] the blobs that no other row
 * has; *gone_n counts them. False when no row is left.
 */
static bool
drop_rows(struct db *db, struct arena *a, const char *space, struct str *gone, size_t *gone_n)
{
	struct row *rows = arena_array(a, STEP, sizeof(*rows));
	size_t n = take_rows(db, a, space, rows), i, k;
	struct stmt *q;

	*gone_n = 0;
	/* At least one row is deleted, or a purge on a slow disk would never advance. */
	for (i = 0; i < n && (i == 0 || !db_due(db)); i++) {
		q = db_use(db, &q_row_delete);
		bind_int(q, ":b", rows[i].branch);
		bind_text(q, ":id", rows[i].id);
		bind_int(q, ":since", rows[i].since);
		stmt_run(q);
		for (k = 0; k < 2; k++)
			/* True: no row of any space refers to this blob any more. */
			if (blob_release(db, rows[i].hashes[k]))
				gone[(*gone_n)++] = rows[i].hashes[k];
	}
	return i < n || n == STEP;
}

/*
 * One step; false when no row is left. Files are deleted after the commit: a row never lacks its
 * file.
 */
static bool
purge_rows(struct db *db, struct arena *scratch, const struct settings *set, const char *space)
{
	struct str *gone = arena_array(scratch, (size_t)STEP * 2, sizeof(*gone));
	size_t gone_n;
	bool more;

	db_begin(db, true);
	more = drop_rows(db, scratch, space, gone, &gone_n);
	db_commit(db);
	/*
	 * If killed before this, files stay without rows, and the daily sweep removes them. In the
	 * other order, a crash would leave rows without files.
	 */
	blob_files_drop(db, scratch, set->dir, gone, gone_n);
	arena_reset(scratch);
	return more;
}

/* Maximum number of dependent tables of an object. */
enum { OWNED = 4 };

/* A kind of object with rows of its own, which are deleted before it. */
struct owner {
	const struct sql *list;      /* lists ids of the next objects of :of */
	const struct sql *owned[OWNED]; /* delete some rows of :id; NULL: no more kinds of row */
	const struct sql *self;
};

static const struct owner old_jobs = { &q_old_jobs, { &q_warnings_delete, NULL }, &q_job_delete };

/* In the order of their references: an object is deleted before those that it refers to. */
static const struct owner owners[] = {
	{ &q_jobs, { &q_warnings_delete, NULL }, &q_job_delete },
	{ &q_comments, { &q_reactions_delete, &q_replies_delete }, &q_comment_delete },
	{ &q_requests, { &q_reviews_delete, &q_reviewers_delete, &q_looks_delete, &q_undone_delete }, &q_request_delete },
	{ &q_over, { &q_revisions_delete, NULL }, &q_branch_delete },
	{ &q_branches, { &q_revisions_delete, NULL }, &q_branch_delete },
};

/* Repeats a statement that deletes some rows of id until none is left; in short transactions. */
static void
drop_all(struct db *db, const struct sql *some, const char *id)
{
	struct stmt *q;
	int64_t n;

	do {
		q = db_use(db, some);
		bind_text(q, ":id", id);
		n = stmt_run(q);
		/*
		 * Commits between two statements, never inside one: an object with fewer rows is a
		 * valid state.
		 */
		db_breathe(db);
	} while (n > 0);
}

static void
drop_owner(struct db *db, const struct owner *o, const char *id)
{
	size_t i;

	for (i = 0; i < OWNED && o->owned[i] != NULL; i++)
		drop_all(db, o->owned[i], id);
	run_with_id(db, o->self, ":id", id);
	db_breathe(db);
}

/*
 * Drops the next objects of a space; space NULL: the next jobs that ended before `oldest`. False
 * when none is left.
 */
static bool
drop_owners(struct db *db, struct arena *scratch, const struct owner *o, const char *space, int64_t oldest)
{
	struct stmt *q = db_use(db, o->list);
	const char *ids[STEP];
	size_t n = 0, i;

	/* The list statements differ only in this parameter: a space's id, or a time. */
	if (space != NULL)
		bind_text(q, ":of", space);
	else
		bind_int(q, ":of", oldest);
	bind_int(q, ":limit", STEP);
	/* Copy the ids first: drop_owner() commits, which ends the query. */
	while (n < STEP && stmt_step(q))
		ids[n++] = col_dup(q, 0, scratch);
	for (i = 0; i < n; i++)
		drop_owner(db, o, ids[i]);
	arena_reset(scratch);
	return n == STEP;
}

/*
 * Search and links first, then the content, the space's own row last, because a later run finds the
 * space by it. Each part can be repeated.
 */
static void
purge_space(struct db *db, struct arena *scratch, const struct settings *set, const char *space)
{
	static const struct sql *const rest[] = { &q_sync_delete, &q_source_delete, &q_delivery_delete, &q_binding_delete, &q_grant_delete, &q_invite_delete,
		&q_named_delete, &q_schedules_delete, &q_pdfs_delete };
	size_t i;

	search_drop(db, scratch, space);
	links_drop(db, space);
	while (purge_rows(db, scratch, set, space))
		;
	db_begin(db, true);
	/*
	 * From here main has no branch: the space cannot be read, and all its branches can be
	 * deleted alike.
	 */
	run_with_id(db, &q_unhook, ":space", space);
	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		drop_all(db, rest[i], space);
	for (i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
		while (drop_owners(db, scratch, &owners[i], space, 0))
			;
	run_with_id(db, &q_space_gone, ":id", space);
	db_commit(db);
}

/* Deletes jobs that ended 30 days ago, with their warnings. Waiting and running jobs are kept. */
static void
purge_jobs(struct db *db, struct arena *scratch)
{
	int64_t oldest = time_now() - KEEP_JOBS_DAYS * DAY_MS;

	db_begin(db, true);
	while (drop_owners(db, scratch, &old_jobs, NULL, oldest))
		;
	db_commit(db);
}

/*
 * Deletes counts of sites (api/insights) older than the longest report, a year, and the year that
 * it is compared with.
 */
static void
purge_events(struct db *db)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_old_events);
	bind_int(q, ":day", time_now() / DAY_MS - KEEP_EVENTS_DAYS);
	stmt_run(q);
	db_commit(db);
}

/* Cancels the jobs of spaces that are due; the next purge takes these spaces. */
static void
stop_jobs(struct db *db, int64_t oldest)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_stop);
	bind_int(q, ":oldest", oldest);
	stmt_run(q);
	db_commit(db);
}

/* Takes the next space that is due, so that it cannot be restored any more; NULL: there is none. */
static const char *
take_space(struct db *db, struct arena *a, int64_t oldest)
{
	struct stmt *q;
	const char *space = NULL;

	db_begin(db, true);
	q = db_use(db, &q_due);
	bind_int(q, ":oldest", oldest);
	bind_int(q, ":begun", time_now() - UNFINISHED_MS);
	if (stmt_step(q)) {
		/*
		 * One write transaction finds and takes the space: a restore comes before it or
		 * finds the space gone.
		 */
		space = col_dup(q, 0, a);
		run_with_id(db, &q_take, ":space", space);
	}
	db_commit(db);
	return space;
}

/*
 * Deletes expired tokens of sites. Making a token also deletes some; this is for sites without new
 * ones.
 */
static void
purge_passes(struct db *db)
{
	struct stmt *q;
	int64_t n;

	do {
		db_begin(db, true);
		q = db_use(db, &q_passes);
		bind_int(q, ":before", time_now() - 2 * DAY_MS);
		bind_int(q, ":limit", STEP);
		n = stmt_run(q);
		db_commit(db);
	} while (n == STEP);
}

/*
 * The time of the last sweep is the time of a file, so that it also holds for runners that cron
 * starts each minute.
 */
static void
sweep_daily(struct db *db, struct arena *a, const struct settings *set)
{
	char *folder = arena_printf(a, "%s/blobs", set->dir);
	char *mark = arena_printf(a, "%s/.swept", folder);
	int64_t now = time_now();
	struct stat st;
	int fd;

	/* The sweep lists every file of the store, which is too much for each minute. */
	if (stat(mark, &st) == 0 && now - (int64_t)st.st_mtim.tv_sec * 1000 < DAY_MS)
		return;
	stored_sweep(db, a, now, now - set->purge_days * DAY_MS);
	/* A file younger than a day may belong to a writer that has not committed its rows yet. */
	blob_sweep(db, a, set->dir, now - DAY_MS);
	/* This follows the sweep of blobs, so that variants of removed pictures go, too. */
	variants_sweep(db, a, set->dir);
	folder_make(AT_FDCWD, folder, SHARED_FOLDER);
	if ((fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) < 0)
		return;
	/* The time is set after the sweep, so that a sweep that was killed is repeated. */
	futimens(fd, NULL);
	close(fd);
}

/*
 * Queues the removal of rows that killed imports left and no retry takes over; in the queue of
 * their space.
 */
static void
queue_sweeps(struct db *db, struct arena *a)
{
	struct job jobs[STEP];
	struct stmt *q;
	size_t n = 0, i;

	/* No lock is needed: an import that is queued in between runs before or after this job. */
	db_begin(db, false);
	q = db_use(db, &q_left);
	bind_int(q, ":now", time_now());
	for (; n < STEP && stmt_step(q); n++)
		jobs[n] = (struct job){ .kind = "unstage", .space = col_dup(q, 0, a), .args = "{}" };
	db_rollback(db);
	if (n == 0)
		return;
	db_begin(db, true);
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
	int64_t oldest = time_now() - set->purge_days * DAY_MS;
	const char *space;
	int count = 0;

	/* Jobs are stopped first, so that they have time to end until the next run. */
	stop_jobs(db, oldest);
	while ((space = take_space(db, a, oldest)) != NULL) {
		purge_space(db, scratch, set, space);
		count++;
	}
	purge_jobs(db, scratch);
	purge_versions(db, scratch, set);
	purge_events(db);
	purge_passes(db);
	memory_forget(db);
	queue_sweeps(db, a);
	sweep_daily(db, a, set);
	pdf_sweep(db, a, set);
	org_export_sweep(db, a, set);
	import_file_sweep(db, a, set);
	spare_keep(set->dir);
	return count;
}
