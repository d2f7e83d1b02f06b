/*
 * Which repository a space's git_sync row and its upstream branch are of. A space that turns to
 * another one keeps what it knows of the first in git_source, with an upstream branch of its own: bound
 * again, it goes on from its own last synchronised commit, and what it held then is the base
 * of the merge. Contract: import_parts.h.
 */
#include <string.h>

#include "import_parts.h"
#include "store/overlay.h"

#define KEPT "url, ref, project_dir, branch, provider, info_url, tree_url, commit_url, commit_oid, root, done_oid, " \
	"done_seq, done_outside, pending_oid, pending_seq, pending_paths, waiting"

SQL(q_current, "SELECT url, ref, project_dir FROM git_sync WHERE space = :space");
SQL(q_kept_branch,
    "SELECT branch FROM git_source WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir");
SQL(q_keep,
    "INSERT INTO git_source (space, " KEPT ") SELECT space, " KEPT " FROM git_sync WHERE space = :space "
    "ON CONFLICT (space, url, ref, project_dir) DO UPDATE SET branch = excluded.branch, commit_oid = excluded.commit_oid, "
    "root = excluded.root, done_oid = excluded.done_oid, done_seq = excluded.done_seq, done_outside = excluded.done_outside, "
    "pending_oid = excluded.pending_oid, pending_seq = excluded.pending_seq, pending_paths = excluded.pending_paths, "
    "waiting = excluded.waiting");
SQL(q_leave, "DELETE FROM git_sync WHERE space = :space");
/* The stamp is of the space's events, whichever repository they come from. */
SQL(q_stamp, "SELECT stamp FROM git_sync WHERE space = :space");
SQL(q_restore,
    "INSERT INTO git_sync (space, " KEPT ", stamp, updated_at) SELECT space, " KEPT ", :stamp, :now FROM git_source "
    "WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir");
SQL(q_forget, "DELETE FROM git_source WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir");
SQL(q_begin,
    "INSERT INTO git_sync (space, branch, url, ref, project_dir, stamp, updated_at) "
    "VALUES (:space, :branch, :url, :ref, :dir, :stamp, :now)");
SQL(q_is_kept, "SELECT 1 FROM git_source WHERE branch = :b LIMIT 1");

static struct stmt *
of_source(struct import *m, const struct sql *sql, const char *ref)
{
	struct stmt *q = db_use(m->db, sql);

	bind_text(q, ":space", m->job->space);
	bind_text(q, ":url", m->url);
	bind_text(q, ":ref", ref);
	bind_text(q, ":dir", m->dir);
	return q;
}

static struct stmt *
of_space(struct import *m, const struct sql *sql)
{
	struct stmt *q = db_use(m->db, sql);

	bind_text(q, ":space", m->job->space);
	return q;
}

/* 1: the row is of this source; 0: of another; -1: there is none. */
static int
current(struct import *m, const char *ref)
{
	struct stmt *q = of_space(m, &q_current);

	if (!stmt_step(q))
		return -1;
	return strcmp(col_text(q, 0), m->url) == 0 && strcmp(col_text(q, 1), ref) == 0 && strcmp(col_text(q, 2), m->dir) == 0;
}

static void
bind_stamp(struct stmt *q, int64_t stamp)
{
	if (stamp != -1)
		bind_int(q, ":stamp", stamp);
	bind_int(q, ":now", time_now());
}

/* What is known of the present source goes to git_source; the stamp of its row, -1: none. */
static int64_t
keep(struct import *m)
{
	struct stmt *q = of_space(m, &q_stamp);
	int64_t stamp = stmt_step(q) && !col_null(q, 0) ? col_int(q, 0) : -1;

	stmt_run(of_space(m, &q_keep));
	stmt_run(of_space(m, &q_leave));
	return stamp;
}

void
source_return(struct import *m, const char *ref)
{
	struct stmt *q;

	db_begin(m->db, true);
	if (current(m, ref) != 1 && stmt_step(of_source(m, &q_kept_branch, ref))) {
		int64_t stamp = keep(m);

		q = of_source(m, &q_restore, ref);
		bind_stamp(q, stamp);
		stmt_run(q);
		stmt_run(of_source(m, &q_forget, ref));
	}
	db_commit(m->db);
}

/* A branch that holds what the upstream branch holds; the one that was stays as it is. */
static int64_t
branch_copy(struct import *m, int64_t from)
{
	struct revision_info info = { .kind = "edits" };
	struct point head, base;
	struct node *rows;
	int64_t branch, seq;
	size_t n, i;
	char *id;

	point_head(m->db, m->arena, from, &head);
	base = overlay_base(&head);
	rows = overlay_rows(m->db, m->arena, from, &n);
	branch = branch_create(m->db, m->job->space, "outside", &base);
	info.base_seq = head.base_seq;
	seq = revision_add(m->db, m->arena, branch, &info, &id);
	for (i = 0; i < n; i++) {
		rows[i].front = node_front(m->db, m->arena, &rows[i]);
		node_put(m->db, branch, seq, &rows[i]);
	}
	return branch;
}

static bool
is_kept(struct import *m, int64_t branch)
{
	struct stmt *q = db_use(m->db, &q_is_kept);

	bind_int(q, ":b", branch);
	return stmt_step(q);
}

void
source_begin(struct import *m, const char *ref)
{
	struct stmt *q;
	int64_t branch, stamp = -1;
	int now;

	db_begin(m->db, true);
	now = current(m, ref);
	if (now == 0)
		stamp = keep(m);
	/* What was known of this source is not true any more: another state of it is taken in. */
	if (now != 1)
		stmt_run(of_source(m, &q_forget, ref));
	branch = upstream_branch(m->db, m->job->space);
	if (now != 1 && branch != 0 && is_kept(m, branch)) {
		q = of_source(m, &q_begin, ref);
		bind_int(q, ":branch", branch_copy(m, branch));
		bind_stamp(q, stamp);
		stmt_run(q);
	}
	db_commit(m->db);
}
