/*
 * Makes a change request with upstream's side of the conflicts, so that people can merge it. The
 * origin of its rows (store/content.h) is normally the version of main that both sides began with, see
 * origin_of(): a page clashes until a person edits it in the request. Contract: merge/upstream.h.
 */
#include "base/json.h"
#include "merge/request_record.h"
#include "merge/upstream.h"

SQL(q_request_branch, "SELECT branch FROM change_request WHERE id = :id");
/*
 * The author of a request that no user started: the member with the highest role. Guests, who have
 * none, and disabled members come last.
 */
SQL(q_author,
    "SELECT m.account FROM space s JOIN member m ON m.org = s.org WHERE s.id = :space "
    "ORDER BY m.disabled, COALESCE(m.role, 0) DESC, m.account LIMIT 1 /*scan*/");

struct request_writer {
	struct db          *db;
	struct arena       *arena;
	const struct point *view;
	struct blob_batch  *files;
};

/* The version of main that upstream's was made from; -1: main had none. */
static int64_t
origin_of(const struct request_writer *m, const struct upstream_conflict *c)
{
	struct point p = *m->view;
	struct node n;

	/*
	 * Main still has the content that upstream changed, but got it later than the common base,
	 * for example by merging an earlier request.
	 */
	if (c->main_since != -1)
		return c->main_since;
	/*
	 * The view is the upstream branch over main. Its base point is the state of main with which
	 * both sides began.
	 */
	if (p.base != 0)
		p = (struct point){ .space = p.space, .branch = p.base, .seq = p.base_seq };
	return c->before != NULL && node_get(m->db, m->arena, &p, c->id, &n) ? n.since : -1;
}

/* Writes upstream's version into the request's branch, or a tombstone. */
static void
put_row(const struct request_writer *m, const struct upstream_conflict *c, int64_t branch, int64_t seq)
{
	struct node n;

	if (c->wanted == NULL) {
		n = (struct node){ .id = c->id, .kind = NODE_GONE, .parent = "", .ord = "", .slug = "", .title = "",
			.props = "{}", .at = time_now(), .made = time_now() };
	} else {
		n = c->wanted->node;
		if (c->wanted->body.p != NULL)
			n.body = blob_put(m->db, m->arena, c->wanted->body);
		if (c->wanted->refs.n > 0)
			n.refs = blob_put(m->db, m->arena, c->wanted->refs);
		/*
		 * The bytes are on disk, but the import made no row for them, because main keeps
		 * its own version of the file.
		 */
		if (n.kind == NODE_FILE && m->files != NULL)
			blob_batch_row(m->files, m->db, n.body);
	}
	n.origin = origin_of(m, c);
	node_put(m->db, branch, seq, &n);
}

static const char *
find_author(struct db *db, struct arena *a, const char *space)
{
	struct stmt *q = db_use(db, &q_author);

	bind_text(q, ":space", space);
	return stmt_dup(q, a);
}

char *
upstream_request(struct db *db, struct arena *a, const struct point *view, struct blob_batch *files,
    const struct upstream_result *out, const char *author, const char *subject)
{
	struct request_writer m = { db, a, view, files };
	struct revision_info info = { .kind = "edits" };
	const struct upstream_conflict *c;
	struct point main, head;
	struct stmt *q;
	char *id, *revision;
	int64_t branch, seq;

	if (out->conflicts == NULL)
		return NULL;
	info.author = author != NULL ? author : find_author(db, a, view->space);
	/* Without a member there is nobody who could see the request. */
	if (info.author == NULL)
		return NULL;
	upstream_main(db, a, view->space, &main);
	id = request_make(db, a, view->space, main.branch, info.author, subject);
	q = db_use(db, &q_request_branch);
	bind_text(q, ":id", id);
	branch = stmt_int(q, 0);
	point_head(db, a, branch, &head);
	info.base_seq = head.base_seq;
	seq = revision_add(db, a, branch, &info, &revision);
	for (c = out->conflicts; c != NULL; c = c->next)
		put_row(&m, c, branch, seq);
	/* Open instead of a draft: it waits for people. */
	request_set_status(db, id, "open");
	return id;
}
