/* The stored state of a space and its repository: table git_sync. */
#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "sync.h"

/*
 * Each statement has two versions: over git_sync, for the source that the space follows, and over
 * git_source, for another one.
 */
#define OF_SOURCE " WHERE space = :space AND url = :url AND ref = :ref AND project_dir = :dir"
/*
 * The request counts as waiting only while it can still be merged; after it is merged or archived,
 * the column needs no clean-up.
 */
#define ROW(table) \
	"SELECT g.url, g.ref, g.project_dir, g.commit_oid, g.done_oid, g.done_seq, g.done_outside, g.pending_oid, " \
	"g.pending_seq, g.pending_paths, c.id, c.number FROM " table " g LEFT JOIN change_request c ON c.id = g.waiting " \
	"AND c.status IN ('draft', 'open') WHERE g.space = :space"
SQL(q_row, ROW("git_sync"));
SQL(q_row_beside, ROW("git_source") " AND g.url = :url AND g.ref = :ref AND g.project_dir = :dir");
/*
 * If the row was of another repository (known 0), the same statement clears its state: a commit id
 * of one repository means nothing in another.
 */
SQL(q_pending,
    "INSERT INTO git_sync (space, branch, url, ref, project_dir, pending_oid, pending_seq, pending_paths, updated_at) "
    "VALUES (:space, :branch, :url, :ref, :dir, :oid, :seq, :paths, :now) ON CONFLICT (space) DO UPDATE SET "
    "pending_oid = excluded.pending_oid, pending_seq = excluded.pending_seq, pending_paths = excluded.pending_paths, "
    "url = excluded.url, ref = excluded.ref, project_dir = excluded.project_dir, "
    "commit_oid = CASE WHEN CAST(:known AS INTEGER) = 1 THEN git_sync.commit_oid END, "
    "done_oid = CASE WHEN CAST(:known AS INTEGER) = 1 THEN git_sync.done_oid END");
SQL(q_pending_beside,
    "INSERT INTO git_source (space, branch, url, ref, project_dir, root, pending_oid, pending_seq, pending_paths, beside) "
    "VALUES (:space, :branch, :url, :ref, :dir, '', :oid, :seq, :paths, 1) "
    "ON CONFLICT (space, url, ref, project_dir) DO UPDATE SET "
    "pending_oid = excluded.pending_oid, pending_seq = excluded.pending_seq, pending_paths = excluded.pending_paths");
#define NOT_PENDING " SET pending_oid = NULL, pending_seq = NULL, pending_paths = NULL"
SQL(q_not_pending, "UPDATE git_sync" NOT_PENDING " WHERE space = :space");
SQL(q_not_pending_beside, "UPDATE git_source" NOT_PENDING OF_SOURCE);
/*
 * done_outside is read inside the statement, so that it is the head of the upstream branch in this
 * transaction.
 */
#define DONE(table) \
	"UPDATE " table NOT_PENDING ", done_oid = :oid, done_seq = :seq, " \
	"done_outside = (SELECT b.head FROM branch b WHERE b.id = " table ".branch)"
SQL(q_done, DONE("git_sync") " WHERE space = :space");
SQL(q_done_beside, DONE("git_source") OF_SOURCE);
/*
 * A revision of the upstream branch names the revision of main that it is based on; the newest of
 * those is what upstream held then. max() of no rows is NULL.
 */
SQL(q_outside_at,
    "SELECT max(seq) FROM revision WHERE branch = :b AND base_seq = :seq");
SQL(q_point, "SELECT id, base_seq FROM revision WHERE branch = :b AND seq = :seq");
SQL(q_base, "SELECT base FROM branch WHERE id = :b");
/*
 * Revisions without a commit are main's own. For this repository, so are revisions that imported a
 * commit of another one: no revision of its upstream branch is based on them. One row is enough.
 */
SQL(q_own_work,
    "SELECT 1 FROM revision r WHERE r.branch = :b AND r.seq > :from AND r.seq <= :to AND (r.git IS NULL OR NOT EXISTS "
    "(SELECT 1 FROM revision o WHERE o.branch = :outside AND o.base_seq = r.seq AND o.git IS NOT NULL)) LIMIT 1");

/* Binds the row of the job's source, in git_sync or git_source. */
static struct stmt *
row_use(struct sync *s, const struct sql *follows, const struct sql *beside)
{
	struct stmt *q;

	if (s->m->branch_only)
		return source_use(s->m, beside, s->m->ref);
	q = db_use(s->m->db, follows);
	bind_text(q, ":space", s->m->job->space);
	return q;
}

/* Copies the id, since column text lives only until the next step. "" stands for NULL. */
static void
take_id(struct stmt *q, int col, char out[41])
{
	snprintf(out, 41, "%s", col_null(q, col) ? "" : col_text(q, col));
}

/*
 * True if the row is of the job's source. The row stores a full reference, and a job may give a
 * branch's short name: both mean the same branch.
 */
static bool
is_source(struct sync *s, struct stmt *q)
{
	const char *ref = col_text(q, 1);

	return strcmp(col_text(q, 0), s->m->url) == 0 && strcmp(col_text(q, 2), s->m->dir) == 0 &&
	    (strcmp(ref, s->m->ref) == 0 ||
	    (strncmp(ref, "refs/heads/", 11) == 0 && strcmp(ref + 11, s->m->ref) == 0));
}

/* Fills s->row; all zero if there is no row, or one of another address, branch or folder. */
void
sync_read(struct sync *s)
{
	struct stmt *q;

	s->row = (struct synced){ 0 };
	db_begin(s->m->db, false);
	q = row_use(s, &q_row, &q_row_beside);
	if (stmt_step(q) && is_source(s, q)) {
		s->row.known = true;
		take_id(q, 3, s->row.commit);
		take_id(q, 4, s->row.done);
		s->row.done_seq = col_int(q, 5);
		s->row.done_outside = col_int(q, 6);
		take_id(q, 7, s->row.pending);
		s->row.pending_seq = col_int(q, 8);
		s->row.pending_paths = col_null(q, 9) ? NULL : col_dup(q, 9, s->arena);
		s->row.waiting = col_null(q, 10) ? NULL : col_dup(q, 10, s->arena);
		s->row.waiting_no = col_int(q, 11);
	}
	/* Nothing was written, so a rollback is cheaper. */
	db_rollback(s->m->db);
}

/*
 * The paths that the pushed commit gave to pages: record_push() needs them after a crash, and the
 * commit does not contain them.
 */
static char *
paths_json(struct sync *s)
{
	size_t i;
	struct json j;
	struct buf b;

	buf_init(&b, s->arena, 64 << 20);
	json_init(&j, &b);
	json_obj(&j);
	for (i = 0; i < s->paths.n; i++)
		json_kstr(&j, s->paths.ids[i], map_get(s->paths.files, str_of(s->paths.ids[i])));
	json_end(&j);
	return b.p;
}

/*
 * This is the last point at which a cancelled job can stop without an effect: the push that follows
 * is visible to others.
 */
bool
sync_pending(struct sync *s)
{
	struct import *m = s->m;
	int64_t branch = source_branch(m);
	struct stmt *q;

	db_begin(m->db, true);
	if (job_cancelled(m->db, m->job->id)) {
		db_rollback(m->db);
		return import_stop(m, "cancelled", "cancelled");
	}
	/*
	 * The column is a foreign key and must name a branch; before the first import there is no
	 * upstream branch.
	 */
	if (branch == 0)
		branch = s->after.branch;
	q = source_use(m, m->branch_only ? &q_pending_beside : &q_pending, m->ref);
	bind_int(q, ":branch", branch);
	bind_text(q, ":oid", s->last);
	bind_int(q, ":seq", s->after.seq);
	bind_text(q, ":paths", paths_json(s));
	if (!m->branch_only) {
		/* State of another repository says nothing about this one. */
		bind_int(q, ":known", s->row.known);
		bind_int(q, ":now", time_now());
	}
	stmt_run(q);
	db_commit(m->db);
	return true;
}

/* The push did not arrive. Its commit stays in the cache, and the next run makes the same one. */
void
sync_not_pending(struct sync *s)
{
	struct stmt *q;

	db_begin(s->m->db, true);
	q = row_use(s, &q_not_pending, &q_not_pending_beside);
	stmt_run(q);
	db_commit(s->m->db);
	s->row.pending[0] = '\0';
}

void
sync_done(struct sync *s, const char *commit, int64_t seq)
{
	struct stmt *q = row_use(s, &q_done, &q_done_beside);

	bind_text(q, ":oid", commit);
	bind_int(q, ":seq", seq);
	stmt_run(q);
}

/*
 * False: the revision does not exist (any more). base comes from the branch and base_seq from the
 * revision: updating a branch moves its own base_seq.
 */
bool
sync_point(struct sync *s, int64_t branch, int64_t seq, struct point *out)
{
	struct stmt *q = db_use(s->m->db, &q_point);

	bind_int(q, ":b", branch);
	bind_int(q, ":seq", seq);
	if (!stmt_step(q))
		return false;
	*out = (struct point){ .space = s->m->job->space, .revision = col_dup(q, 0, s->arena), .branch = branch,
		.seq = seq, .base_seq = col_int(q, 1) };
	q = db_use(s->m->db, &q_base);
	bind_int(q, ":b", branch);
	out->base = stmt_int(q, 0);
	return true;
}

bool
sync_outside_at(struct sync *s, int64_t branch, int64_t main_seq, struct point *out)
{
	struct stmt *q = db_use(s->m->db, &q_outside_at);
	int64_t seq;

	bind_int(q, ":b", branch);
	bind_int(q, ":seq", main_seq);
	seq = stmt_int(q, -1);
	return seq >= 0 && sync_point(s, branch, seq, out);
}

bool
sync_own_work(struct sync *s, int64_t branch, int64_t from, int64_t to)
{
	int64_t outside = source_branch(s->m);
	struct stmt *q = db_use(s->m->db, &q_own_work);

	bind_int(q, ":b", branch);
	bind_int(q, ":from", from);
	bind_int(q, ":to", to);
	bind_int(q, ":outside", outside);
	return stmt_step(q);
}

static int
entry_by_path(const void *x, const void *y)
{
	const struct str *a = &((const struct layout_entry *)x)->path, *b = &((const struct layout_entry *)y)->path;
	int c = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);

	return c != 0 ? c : (a->n > b->n) - (a->n < b->n);
}

/* The first of the source's files that the tree lacks or has in another version; NULL: none. */
static const char *
changed_file(struct sync *s, struct layout_source tree)
{
	struct point held;
	const struct layout_entry *e;
	const struct node *all;
	size_t i, n;

	if (!source_view(s->m, &held))
		return NULL;
	all = node_list(s->m->db, s->arena, &held, UPSTREAM_KINDS, &n);
	for (i = 0; i < n; i++) {
		struct layout_entry key = { .path = str_of(all[i].git_path == NULL ? "" : all[i].git_path) };

		if (all[i].git_path == NULL || all[i].git_oid == NULL)
			continue;
		e = find_sorted(&key, tree.entries, tree.count, sizeof(key), entry_by_path);
		if (e == NULL || strcmp(e->oid, all[i].git_oid) != 0)
			return all[i].git_path;
	}
	return NULL;
}

bool
sync_untouched(struct sync *s)
{
	struct import *m = s->m;
	const char *file;
	char why[512];
	struct git_tree *tree = git_tree_open(s->arena, import_cache(s->arena, m->set, m->url), s->tip, 500000, why,
	    sizeof(why));

	if (tree == NULL)
		return import_fail_unreadable(m, s->tip, arena_strdup(s->arena, why));
	db_begin(m->db, false);
	file = changed_file(s, git_tree_source(tree));
	db_rollback(m->db);
	git_tree_close(tree);
	return file == NULL || import_stop(m, "failed", arena_printf(s->arena, "%s was changed in the repository since the "
	    "space was exported to it, and the space follows another one: import from there first, or export to another "
	    "branch", file));
}
