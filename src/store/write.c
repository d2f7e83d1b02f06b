/* Writes revisions. Every function runs inside the write transaction of its caller. */
#include "store/content.h"
#include "base/json.h"
#include "base/panic.h"
#include "base/secret.h"

/* head -1: the branch has no revision yet; its first one has the number 0. */
SQL(q_branch,
    "INSERT INTO branch (space, kind, base, base_seq, head) "
    "VALUES (:space, :kind, :base, :base_seq, -1)");
SQL(q_branch_head, "SELECT head, base, staged FROM branch WHERE id = :branch");
SQL(q_revision_add,
    "INSERT INTO revision (id, branch, seq, base_seq, kind, merged, author, created_at, git) "
    "VALUES (:id, :branch, :seq, :base_seq, :kind, :merged, :author, :now, :git)");
SQL(q_move_head,
    "UPDATE branch SET head = :seq, base_seq = CASE WHEN base IS NULL THEN NULL ELSE CAST(:base_seq AS BIGINT) END, "
    /* Publishing a stage clears its reservation. A revision with a lower number does not. */
    "staged = CASE WHEN staged = :seq THEN NULL ELSE staged END, "
    "staged_until = CASE WHEN staged = :seq THEN NULL ELSE staged_until END WHERE id = :branch");
/*
 * A row that began in this revision is deleted; an older live row ends. A staged revision may have
 * ended it already (stage.h).
 */
SQL(q_row_of_revision, "SELECT body, refs FROM node WHERE branch = :b AND id = :id AND since = :seq");
SQL(q_delete_row, "DELETE FROM node WHERE branch = :b AND id = :id AND since = :seq");
SQL(q_set_refs, "UPDATE node SET refs = :refs WHERE branch = :b AND id = :id AND since = :seq");
SQL(q_end,
    "UPDATE node SET until = :seq WHERE branch = :b AND id = :id AND +until > :seq AND since = "
    "(SELECT max(o.since) FROM node o WHERE o.branch = :b AND o.id = :id AND o.since < :seq)");
SQL(q_put,
    "INSERT INTO node (branch, id, since, origin, kind, parent, ord, slug, path, title, props, "
    "git_path, git_oid, front, body, refs, at, made) VALUES (:b, :id, :seq, :origin, :kind, :parent, "
    ":ord, :slug, :path, :title, :props, :git_path, :git_oid, :front, :body, :refs, :at, :made)");
/* until is FOREVER by default. origin is NULL: the copy was made from no version of a base. */
SQL(q_copy,
    "INSERT INTO node (branch, id, since, origin, kind, parent, ord, slug, path, title, props, "
    "git_path, git_oid, front, body, refs, at, made) "
    "SELECT :to, id, :seq, NULL, kind, parent, ord, slug, path, title, props, git_path, git_oid, "
    "front, body, refs, at, made FROM node n WHERE n.branch = :b AND n.id > :after AND n.id <= :last "
    "AND +n.since <= :q AND +n.until > :q");
/* The id of the last row of the next step; NULL: no rows are left. */
SQL(q_copy_last,
    "SELECT COALESCE((SELECT id FROM node WHERE branch = :b AND id > :after ORDER BY id LIMIT 1 OFFSET :rows), "
    "(SELECT max(id) FROM node WHERE branch = :b AND id > :after))");
SQL(q_alive, "SELECT count(*) FROM (SELECT 1 FROM node WHERE branch = :b AND until > :q LIMIT :most) AS alive");

int64_t
branch_create(struct db *db, const char *space, const char *kind, const struct point *base)
{
	struct stmt *q = db_use(db, &q_branch);

	bind_text(q, ":space", space);
	bind_text(q, ":kind", kind);
	if (base != NULL) {
		bind_int(q, ":base", base->branch);
		bind_int(q, ":base_seq", base->seq);
	}
	stmt_run(q);
	return db_last_id(db);
}

int64_t
revision_add(struct db *db, struct arena *a, int64_t branch, const struct revision_info *info,
    char **id)
{
	struct stmt *q = db_use(db, &q_branch_head);
	int64_t seq, base;

	bind_int(q, ":branch", branch);
	if (!stmt_step(q))
		panic("no branch %lld", (long long)branch);
	seq = info->staged != 0 ? info->staged : col_int(q, 0) + 1;
	base = col_int(q, 1);
	/* The staged number must stay above the head: otherwise readers would see an incomplete revision. */
	if (!col_null(q, 2) && seq > col_int(q, 2))
		panic("branch %lld is staged at %lld", (long long)branch, (long long)col_int(q, 2));
	*id = secret_id(a);
	q = db_use(db, &q_revision_add);
	bind_text(q, ":id", *id);
	bind_int(q, ":branch", branch);
	bind_int(q, ":seq", seq);
	if (base != 0)
		bind_int(q, ":base_seq", info->base_seq);
	bind_text(q, ":kind", info->kind);
	bind_text(q, ":merged", info->merged);
	bind_text(q, ":author", info->author);
	bind_int(q, ":now", time_now());
	bind_text(q, ":git", info->git);
	stmt_run(q);
	q = db_use(db, &q_move_head);
	bind_int(q, ":seq", seq);
	bind_int(q, ":base_seq", info->base_seq);
	bind_int(q, ":branch", branch);
	stmt_run(q);
	return seq;
}

static struct stmt *
use_row(struct db *db, const struct sql *sql, int64_t branch, const char *id, int64_t seq)
{
	struct stmt *q = db_use(db, sql);

	bind_int(q, ":b", branch);
	bind_text(q, ":id", id);
	bind_int(q, ":seq", seq);
	return q;
}

/* A row that was deleted, and the blobs that it named. found: there was such a row. */
struct deleted_row {
	bool       found;
	struct str hashes[2];
	char       bytes[2][32];
};

/*
 * Deletes the version that this very revision wrote before. Does not release its blobs: the caller
 * may be about to write a row that names them again.
 */
static void
delete_row_of_revision(struct db *db, int64_t branch, const char *id, int64_t seq, struct deleted_row *deleted)
{
	struct stmt *q = use_row(db, &q_row_of_revision, branch, id, seq);
	struct str s;
	int i;

	*deleted = (struct deleted_row){ .found = stmt_step(q) };
	if (!deleted->found)
		return;
	for (i = 0; i < 2; i++) {
		s = col_bytes(q, i);
		if (s.n > sizeof(deleted->bytes[i]))
			panic("a hash of %zu bytes", s.n);
		deleted->hashes[i] = (struct str){ memcpy(deleted->bytes[i], s.n > 0 ? s.p : "", s.n), s.n };
	}
	stmt_run(use_row(db, &q_delete_row, branch, id, seq));
}

bool
node_end_older(struct db *db, int64_t branch, const char *id, int64_t seq)
{
	return stmt_run(use_row(db, &q_end, branch, id, seq)) > 0;
}

bool
node_end(struct db *db, int64_t branch, const char *id, int64_t seq)
{
	struct deleted_row deleted;
	bool ended;

	delete_row_of_revision(db, branch, id, seq, &deleted);
	ended = node_end_older(db, branch, id, seq);
	blob_release(db, deleted.hashes[0]);
	blob_release(db, deleted.hashes[1]);
	return ended || deleted.found;
}

/* Binds NULL, not an empty blob, so that a row without bytes matches no look-up by hash. */
static void
bind_hash(struct stmt *q, const char *name, struct str hash)
{
	if (hash.n == 0)
		bind_null(q, name);
	else
		bind_blob(q, name, hash);
}

/* If a node is written twice in one revision, only the later row remains. */
void
node_put(struct db *db, int64_t branch, int64_t seq, const struct node *n)
{
	struct deleted_row deleted;
	struct stmt *q;

	delete_row_of_revision(db, branch, n->id, seq, &deleted);
	node_end_older(db, branch, n->id, seq);
	q = use_row(db, &q_put, branch, n->id, seq);
	if (n->origin >= 0)
		bind_int(q, ":origin", n->origin);
	bind_text(q, ":kind", node_kind_name(n->kind));
	bind_text(q, ":parent", n->parent);
	bind_text(q, ":ord", n->ord);
	bind_text(q, ":slug", n->slug);
	bind_text(q, ":path", n->path);
	bind_text(q, ":title", n->title);
	bind_text(q, ":props", n->props);
	bind_text(q, ":git_path", n->git_path);
	bind_text(q, ":git_oid", n->git_oid);
	bind_hash(q, ":front", n->front);
	bind_hash(q, ":body", n->body);
	bind_hash(q, ":refs", n->refs);
	bind_int(q, ":at", n->at);
	bind_int(q, ":made", n->made);
	stmt_run(q);
	/* Done after the new row was added, since only then is it known whether the blobs are still in use. */
	blob_release(db, deleted.hashes[0]);
	blob_release(db, deleted.hashes[1]);
}

void
node_set_refs(struct db *db, struct node *n, struct str refs)
{
	struct stmt *q = use_row(db, &q_set_refs, n->branch, n->id, n->since);
	struct str replaced = n->refs;

	n->refs = refs;
	bind_hash(q, ":refs", refs);
	stmt_run(q);
	blob_release(db, replaced);
}

/* Rows in one step of a copy, which take some milliseconds. */
enum { COPY_ROWS = 100 };

/* The last id of the step after `after`; NULL: there is none. */
static const char *
copy_last(struct db *db, struct arena *a, int64_t branch, const char *after)
{
	struct stmt *q = db_use(db, &q_copy_last);

	bind_int(q, ":b", branch);
	bind_text(q, ":after", after);
	bind_int(q, ":rows", COPY_ROWS);
	return stmt_dup(q, a);
}

/* The database copies the rows itself. Rows name bodies by their hash, so no bytes are copied. */
void
node_copy_all(struct db *db, struct arena *a, const struct point *from, int64_t branch, int64_t seq, bool steps)
{
	const char *after = "", *last;
	struct stmt *q;

	if (from->base != 0)
		panic("only main content is copied");
	for (; (last = copy_last(db, a, from->branch, after)) != NULL; after = last) {
		q = db_use(db, &q_copy);
		bind_int(q, ":to", branch);
		bind_int(q, ":seq", seq);
		bind_int(q, ":b", from->branch);
		bind_int(q, ":q", from->seq);
		bind_text(q, ":after", after);
		bind_text(q, ":last", last);
		stmt_run(q);
		if (steps)
			db_breathe(db);
	}
}

bool
node_are_many(struct db *db, const struct point *p, int64_t most)
{
	struct stmt *q = db_use(db, &q_alive);

	bind_int(q, ":b", p->branch);
	bind_int(q, ":q", p->seq);
	bind_int(q, ":most", most + 1);
	return stmt_int(q, 0) > most;
}
