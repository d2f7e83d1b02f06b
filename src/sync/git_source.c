/*
 * Which repository the git_sync row and the upstream branch of a space belong to. When a space is
 * paired with another repository, the state of the first one moves to git_source and keeps an
 * upstream branch of its own. If the space is paired with the first one again, it continues from
 * the last commit synchronised there, and what that branch holds is the base of the merge. A
 * repository that the space was only exported to, beside the one that it follows, is kept in
 * git_source from the start. Contract: import_parts.h.
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
    "waiting = excluded.waiting, beside = 0");
SQL(q_leave, "DELETE FROM git_sync WHERE space = :space");
/* The stamp is the time of the space's last event, from whichever repository. */
SQL(q_stamp, "SELECT stamp FROM git_sync WHERE space = :space");
SQL(q_restore,
    "INSERT INTO git_sync (space, " KEPT ", stamp, updated_at) SELECT space, " KEPT ", :stamp, :now FROM git_source "
    "WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir");
SQL(q_forget, "DELETE FROM git_source WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir");
SQL(q_begin,
    "INSERT INTO git_sync (space, branch, url, ref, project_dir, stamp, updated_at) "
    "VALUES (:space, :branch, :url, :ref, :dir, :stamp, :now)");
SQL(q_is_kept, "SELECT 1 FROM git_source WHERE branch = :b LIMIT 1");
/* A row without a synchronised commit does not count, because that repository may never have been reachable. */
SQL(q_follows, "SELECT commit_oid IS NOT NULL FROM git_sync WHERE space = :space");
SQL(q_is_beside,
    "SELECT 1 FROM git_source WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir AND beside = 1");
SQL(q_set_beside,
    "UPDATE git_source SET beside = 1 WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir");
/*
 * Repositories to which the space was exported besides the followed one: the space no longer
 * contains the content that was written there.
 */
SQL(q_left_beside, "UPDATE git_source SET beside = 2 WHERE space = :space AND beside = 1");
SQL(q_source_branch,
    "SELECT b.id FROM git_source g JOIN branch b ON b.id = g.branch AND b.kind = 'outside' AND b.head >= 0 "
    "WHERE g.space = :space AND g.url = :url AND g.ref = :ref AND g.project_dir = :dir");

struct stmt *
source_use(struct import *m, const struct sql *sql, const char *ref)
{
	struct stmt *q = db_use(m->db, sql);

	bind_text(q, ":space", m->job->space);
	bind_text(q, ":url", m->url);
	bind_text(q, ":ref", ref);
	bind_text(q, ":dir", m->dir);
	return q;
}

static struct stmt *
use_for_space(struct import *m, const struct sql *sql)
{
	struct stmt *q = db_use(m->db, sql);

	bind_text(q, ":space", m->job->space);
	return q;
}

/* Whose state the row of the space in git_sync is. */
enum current_source { NO_SOURCE, THIS_SOURCE, OTHER_SOURCE };

static enum current_source
current_source(struct import *m, const char *ref)
{
	struct stmt *q = use_for_space(m, &q_current);

	if (!stmt_step(q))
		return NO_SOURCE;
	return strcmp(col_text(q, 0), m->url) == 0 && strcmp(col_text(q, 1), ref) == 0 && strcmp(col_text(q, 2), m->dir) == 0 ?
	    THIS_SOURCE : OTHER_SOURCE;
}

static void
bind_stamp(struct stmt *q, int64_t stamp)
{
	if (stamp != -1)
		bind_int(q, ":stamp", stamp);
	bind_int(q, ":now", time_now());
}

/* Moves the state of the present source to git_source. Returns its stamp; -1: there was no state. */
static int64_t
keep_source(struct import *m)
{
	struct stmt *q = use_for_space(m, &q_stamp);
	int64_t stamp = stmt_step(q) && !col_null(q, 0) ? col_int(q, 0) : -1;

	stmt_run(use_for_space(m, &q_keep));
	stmt_run(use_for_space(m, &q_leave));
	return stamp;
}

bool
source_is_beside(struct import *m, const char *ref)
{
	bool is;

	db_begin(m->db, false);
	is = current_source(m, ref) != THIS_SOURCE && stmt_step(source_use(m, &q_is_beside, ref));
	db_rollback(m->db);
	return is;
}

void
source_choose(struct import *m, const char *ref, bool alone)
{
	enum current_source now;

	db_begin(m->db, false);
	now = current_source(m, ref);
	m->branch_only = now != THIS_SOURCE && (alone || (now == OTHER_SOURCE && stmt_int(use_for_space(m, &q_follows), 0) != 0));
	db_rollback(m->db);
}

int64_t
source_branch(struct import *m)
{
	return m->branch_only ? stmt_int(source_use(m, &q_source_branch, m->ref), 0) : upstream_branch(m->db, m->job->space);
}

bool
source_view(struct import *m, struct point *out)
{
	int64_t branch = source_branch(m);

	return branch != 0 ? point_head(m->db, m->arena, branch, out) :
	    upstream_main(m->db, m->arena, m->job->space, out);
}

/* The source that the space's row of git_sync names. */
struct source {
	const char *url, *ref, *dir;
};

static void
take_current(struct import *m, struct source *s)
{
	struct stmt *q = use_for_space(m, &q_current);

	*s = (struct source){ NULL, NULL, NULL };
	if (stmt_step(q))
		*s = (struct source){ col_dup(q, 0, m->arena), col_dup(q, 1, m->arena), col_dup(q, 2, m->arena) };
}

/* Marks a source as a repository to which the space is exported in addition to the one that it follows. */
static void
set_beside(struct import *m, const struct source *s)
{
	struct stmt *q = db_use(m->db, &q_set_beside);

	if (s->url == NULL)
		return;
	bind_text(q, ":space", m->job->space);
	bind_text(q, ":url", s->url);
	bind_text(q, ":ref", s->ref);
	bind_text(q, ":dir", s->dir);
	stmt_run(q);
}

void
source_return(struct import *m, const char *ref)
{
	bool beside = source_is_beside(m, ref);
	struct source was;
	struct stmt *q;

	db_begin(m->db, true);
	if (current_source(m, ref) != THIS_SOURCE && stmt_step(source_use(m, &q_kept_branch, ref))) {
		int64_t stamp;

		take_current(m, &was);
		stamp = keep_source(m);
		q = source_use(m, &q_restore, ref);
		bind_stamp(q, stamp);
		stmt_run(q);
		stmt_run(source_use(m, &q_forget, ref));
		m->returned = true;
		if (beside)
			set_beside(m, &was);
	}
	db_commit(m->db);
}

/* A new branch with the content of the upstream branch, which stays as it is. */
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

/*
 * Sets m->paired_paths: id -> path that the page's file had in this repository, so that the import
 * recognises the pages.
 */
static void
read_paired_paths(struct import *m, const char *ref)
{
	int64_t branch = stmt_int(source_use(m, &q_source_branch, ref), 0);
	struct map *paths;
	struct point held;
	struct node *all;
	size_t i, n;

	if (branch == 0 || !point_head(m->db, m->arena, branch, &held))
		return;
	paths = map_new(m->arena);
	all = node_list(m->db, m->arena, &held, UPSTREAM_KINDS & ~NODE_SETTING, &n);
	for (i = 0; i < n; i++)
		if (all[i].git_path != NULL)
			map_add(paths, str_of(all[i].id), (void *)all[i].git_path);
	m->paired_paths = paths;
}

void
source_begin(struct import *m, const char *ref)
{
	struct stmt *q;
	enum current_source now;
	int64_t branch, stamp = -1;

	db_begin(m->db, true);
	now = current_source(m, ref);
	/* The branch is read first, because keep_source() removes the row that names the space's upstream branch. */
	branch = upstream_branch(m->db, m->job->space);
	if (now == OTHER_SOURCE) {
		read_paired_paths(m, ref);
		stamp = keep_source(m);
		stmt_run(use_for_space(m, &q_left_beside));
	}
	/* If another state of this source is imported now, its older state is outdated. */
	if (now != THIS_SOURCE)
		stmt_run(source_use(m, &q_forget, ref));
	if (now != THIS_SOURCE && branch != 0 && is_kept(m, branch)) {
		q = source_use(m, &q_begin, ref);
		bind_int(q, ":branch", branch_copy(m, branch));
		bind_stamp(q, stamp);
		stmt_run(q);
	}
	db_commit(m->db);
}
