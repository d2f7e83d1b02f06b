/*
 * Makes the commits that the branch lacks. It walks main's revisions from the last synchronised
 * one. A revision with changes made in Octavo becomes a commit. A revision that imported a commit
 * becomes a merge of both lines, unless main had no changes of its own before it. The same
 * revisions give the same commits, byte for byte, so that a run after a crash makes the same
 * commits as the run before. The exception is a merge of commits that changed nothing here: it has
 * the time at which it is made.
 */
#include <stdio.h>
#include <string.h>

#include "app/git_binding.h"
#include "base/url.h"
#include "sync.h"

/* A revision that several requests name comes more than once; the caller keeps the first row. */
SQL(q_revisions,
    "SELECT r.seq, r.id, r.git, r.kind, r.author, r.created_at, c.number, c.subject, c.created_by, c.merged_by "
    "FROM revision r LEFT JOIN change_request c ON c.space = :space AND c.revision_merged = r.id "
    "WHERE r.branch = :b AND r.seq > :from ORDER BY r.seq, c.number");
SQL(q_person, "SELECT name, commit_email FROM account WHERE id = :id");

struct revision {
	int64_t     seq, at, number;
	const char *oid;         /* the commit that it imported; NULL: main's own change */
	const char *kind, *subject, *author, *merger;
};

/*
 * State of one walk: the next commit is made on c->commit, whose tree holds c->tree_point and shows main
 * as of c->before. make_commit() moves all three on together.
 */
struct chain {
	struct sync  *sync;
	struct arena *arena;
	struct point  tree_point, before;
	char          commit[41];   /* "": none yet */
	char          other[41];    /* for a merge commit: the line of main's own commits */
	bool          fresh, whole;
};

/* ---- people and messages ---- */

/* A no-reply address, unless the person chose an address. */
static struct git_person
commit_person(struct chain *c, const char *id, int64_t at)
{
	struct db *db = c->sync->m->db;
	struct stmt *q = db_use(db, &q_person);
	const char *host = strstr(c->sync->m->set->url, "://");
	struct git_person p = { "Octavo", NULL, at };
	size_t n;

	/*
	 * .invalid can never be registered (RFC 2606), so mail to such an address is never
	 * delivered.
	 */
	host = host == NULL ? "octavo.invalid" : host + 3;
	n = strcspn(host, "/:");
	bind_text(q, ":id", id);
	if (id != NULL && stmt_step(q)) {
		p.name = col_dup(q, 0, c->arena);
		if (!col_null(q, 1))
			p.email = col_dup(q, 1, c->arena);
	}
	if (p.email == NULL)
		p.email = arena_printf(c->arena, "%s@users.noreply.%.*s", id == NULL ? "octavo" : id, (int)n, host);
	return p;
}

static const char *
choose_subject(struct chain *c, const struct revision *r)
{
	if (r->subject != NULL && *r->subject != '\0')
		return r->subject;
	if (r->number > 0)
		return "No subject";
	if (r->oid != NULL)
		return "Take in changes of another repository";
	return strcmp(r->kind, "rollback") == 0 ? "Go back to an earlier revision" :
	    c->whole ? "First export" : "Edit content";
}

static char *
build_message(struct chain *c, const struct revision *r)
{
	return git_message_fill(c->arena, c->sync->message, r->number, choose_subject(c, r));
}

/* ---- one commit ---- */

static void
warn_export(void *ctx, const char *file, const char *message)
{
	import_warn(ctx, file, 0, message);
}

/*
 * Fills e with the edits from the tree of commit tree_of ("": an empty tree) to main at `after`.
 * The tree is closed before the commit is made, because the edits hold copies.
 */
static bool
collect_edits(struct chain *c, const char *tree_of, const struct point *after, struct export_step *e)
{
	struct import *m = c->sync->m;
	char why[512];

	*e = (struct export_step){ .db = m->db, .arena = c->arena, .set = m->set, .dir = m->dir, .in_tree = c->tree_point,
		.origin = c->sync->origin, .before = c->before, .after = *after, .paths = &c->sync->paths,
		.fresh = c->fresh, .whole = c->whole, .warn = warn_export, .ctx = m };
	if (tree_of[0] != '\0') {
		e->tree = git_tree_open(c->arena, import_cache(c->arena, m->set, m->url), tree_of, 500000, why, sizeof(why));
		if (e->tree == NULL)
			return import_fail_unreadable(m, tree_of, arena_strdup(c->arena, why));
		/* Old files are read only to compare them; one over the limit counts as missing. */
		git_tree_limit(e->tree, m->set->import_file_bytes);
	}
	/* One read transaction for the whole step, so that it reads one state. */
	db_begin(m->db, false);
	export_step(e);
	db_rollback(m->db);
	git_tree_close(e->tree);
	return e->error == NULL || import_stop(m, "failed", e->error);
}

/* Commits main at `after` on top of c->commit; a merge if c->other is set, too. */
static bool
make_commit(struct chain *c, const struct point *after, const struct revision *r, const char *message)
{
	struct import *m = c->sync->m;
	struct export_step e;
	struct git_edits q = { .cache = import_cache(c->arena, m->set, m->url), .message = message };
	char why[600], made[41];

	if (!import_step(m, "writing commits", (int64_t)c->sync->commits, 0) || !collect_edits(c, c->commit, after, &e))
		return false;
	q.list = e.edits;
	q.count = e.count;
	q.tree_of = c->commit[0] != '\0' ? c->commit : NULL;
	/*
	 * The first parent is main's own line, in the order of `git merge`. The tree is edited from
	 * the other side's, which holds the files of both.
	 */
	q.parents[0] = c->other[0] != '\0' ? c->other : q.tree_of;
	q.parents[1] = c->other[0] != '\0' ? q.tree_of : NULL;
	q.author = commit_person(c, r->author, r->at);
	q.committer = commit_person(c, r->merger != NULL ? r->merger : r->author, r->at);
	/*
	 * A revision that changes no file, such as a setting that is not exported, makes no commit.
	 */
	if (q.count == 0 && (q.parents[1] == NULL))
		snprintf(made, sizeof(made), "%s", c->commit);
	else if (!git_make_commit(&q, made, &m->cache_incomplete, why, sizeof(why)))
		return import_stop(m, "failed", arena_strdup(c->arena, why));
	c->sync->commits += strcmp(made, c->commit) != 0;
	snprintf(c->commit, sizeof(c->commit), "%s", made);
	/* The new commit contains both lines. */
	c->other[0] = '\0';
	c->tree_point = c->before = *after;
	c->fresh = c->whole = false;
	return true;
}

/* ---- the walk ---- */

/*
 * The commit id in revision.git, which import_commit_json() wrote; NULL: the revision is no import.
 */
static const char *
read_oid(struct arena *a, const char *git)
{
	const char *oid = git == NULL ? NULL :
	    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(cJSON_Parse(git), "oid"));

	return oid == NULL ? NULL : arena_strdup(a, oid);
}

static const char *
dup_column(struct chain *c, struct stmt *q, int col)
{
	return col_null(q, col) ? NULL : col_dup(q, col, c->arena);
}

/*
 * In order of seq, up to head: revisions that were added after the run began are left to the next
 * run.
 */
static struct revision *
list_revisions(struct chain *c, const struct point *head, int64_t from, size_t *n)
{
	struct stmt *q = db_use(c->sync->m->db, &q_revisions);
	struct revision *list = NULL;
	size_t cap = 0;

	*n = 0;
	bind_text(q, ":space", head->space);
	bind_int(q, ":b", head->branch);
	bind_int(q, ":from", from);
	while (stmt_step(q)) {
		if (col_int(q, 0) > head->seq || (*n > 0 && list[*n - 1].seq == col_int(q, 0)))
			continue;
		list = arena_grow(c->arena, list, *n, &cap, sizeof(*list));
		list[(*n)++] = (struct revision){ .seq = col_int(q, 0), .at = col_int(q, 5), .number = col_int(q, 6),
			.oid = read_oid(c->arena, dup_column(c, q, 2)), .kind = col_dup(q, 3, c->arena), .subject = dup_column(c, q, 7),
			.author = col_null(q, 8) ? dup_column(c, q, 4) : dup_column(c, q, 8), .merger = dup_column(c, q, 9) };
	}
	return list;
}

static const char *
branch_name(const struct sync *s)
{
	return strncmp(s->m->ref, "refs/heads/", 11) == 0 ? s->m->ref + 11 : s->m->ref;
}

/* Main imported this commit after changes of its own: makes the merge of both. */
static bool
make_merge(struct chain *c, const char *oid, const struct point *outside, const struct point *after,
    const struct revision *r)
{
	snprintf(c->other, sizeof(c->other), "%s", c->commit);
	snprintf(c->commit, sizeof(c->commit), "%s", oid);
	c->tree_point = c->sync->origin = *outside;
	c->fresh = true;
	return make_commit(c, after, r, arena_printf(c->arena, "Merge branch '%s'\n", branch_name(c->sync)));
}

static bool
walk_revisions(struct chain *c, const struct point *head, int64_t outside)
{
	struct import *m = c->sync->m;
	const char *cache = import_cache(c->arena, m->set, m->url);
	struct point at, other;
	struct revision *list;
	size_t n, i;
	bool there, ours;   /* ours: main's own change, or an import from another repository */

	db_begin(m->db, false);
	list = list_revisions(c, head, c->sync->row.done_seq, &n);
	db_rollback(m->db);
	/*
	 * A short read transaction for each revision: making commits takes time, and a long read
	 * transaction prevents checkpoints of the WAL.
	 */
	for (i = 0; i < n; i++) {
		db_begin(m->db, false);
		there = sync_point(c->sync, head->branch, list[i].seq, &at);
		ours = list[i].oid == NULL || !sync_outside_at(c->sync, outside, list[i].seq, &other);
		db_rollback(m->db);
		/* The purge removed this revision meanwhile: the next commit has its changes. */
		if (!there)
			continue;
		if (ours) {
			if (!make_commit(c, &at, &list[i], build_message(c, &list[i])))
				return false;
		/*
		 * Main imported a descendant of the last commit and had no changes of its own in
		 * between: the chain continues from it without a merge.
		 */
		} else if (git_has_ancestor(cache, list[i].oid, c->commit)) {
			snprintf(c->commit, sizeof(c->commit), "%s", list[i].oid);
			c->tree_point = c->sync->origin = other;
			c->before = at;
		/*
		 * Both sides have changes. In the remaining case the chain contains the commit
		 * already.
		 */
		} else if (!git_has_ancestor(cache, c->commit, list[i].oid)) {
			if (!make_merge(c, list[i].oid, &other, &at, &list[i]))
				return false;
		}
	}
	return true;
}

/* Adds commits of the branch that changed nothing here: they belong to its history. */
static bool
join_tip(struct chain *c, const struct point *head, const struct point *outside)
{
	struct revision r = { .seq = head->seq, .at = time_now(), .kind = "merge", .author = c->sync->m->job->user };
	const char *cache = import_cache(c->arena, c->sync->m->set, c->sync->m->url);

	/* The commit must have the tip as an ancestor, or the push would be no fast-forward. */
	if (c->sync->tip == NULL || git_has_ancestor(cache, c->commit, c->sync->tip))
		return true;
	if (git_has_ancestor(cache, c->sync->tip, c->commit)) {
		snprintf(c->commit, sizeof(c->commit), "%s", c->sync->tip);
		c->tree_point = c->sync->origin = *outside;
		c->fresh = true;
		/*
		 * This makes no commit if main equals the branch. It differs if a request with all
		 * imported changes was archived: unless main is committed now, the next author's
		 * commit would revert those changes.
		 */
		return make_commit(c, head, &r, "Keep what is in the space\n");
	}
	return make_merge(c, c->sync->tip, outside, head, &r);
}

/*
 * One commit with all differences: for an export job, a binding's first run, or a rewritten
 * history.
 */
static bool
commit_at_once(struct chain *c, const struct point *head)
{
	struct sync *s = c->sync;
	struct revision r = { .seq = head->seq, .kind = "merge", .author = s->m->job->user, .subject = NULL };
	struct revision *list;
	size_t n;

	db_begin(s->m->db, false);
	/*
	 * Use time and author of the newest revision, so that a second run makes the same commit.
	 */
	list = list_revisions(c, head, -1, &n);
	db_rollback(s->m->db);
	r.at = n > 0 ? list[n - 1].at : time_now();
	if (s->binding && r.author == NULL && n > 0)
		r.author = list[n - 1].author;
	return make_commit(c, head, &r, s->binding ? build_message(c, &r) : arena_printf(c->arena, "%s\n", s->message));
}

bool
sync_commits(struct sync *s)
{
	struct chain c = { .sync = s, .arena = s->arena };
	struct import *m = s->m;
	struct point outside = { 0 };
	bool done = s->row.done[0] != '\0', ok;

	/*
	 * Compares with the commit that was exported last; import_tip() compares with the one that was
	 * imported last.
	 */
	s->rewritten = done && s->tip != NULL &&
	    !git_has_ancestor(import_cache(s->arena, m->set, m->url), s->tip, s->row.done);
	s->paths = (struct export_paths){ .files = map_new(s->arena) };
	s->commits = 0;
	db_begin(m->db, false);
	upstream_main(m->db, s->arena, m->job->space, &s->after);
	c.before = s->after;
	/* A space that was never synchronised with this repository has no known paths, so all of main is written. */
	c.whole = !s->row.known || s->row.commit[0] == '\0';
	if (!c.whole) {
		source_view(m, &outside);
		c.tree_point = outside;
		/* If the space was never exported, the tree shows main as of the last import. */
		sync_point(s, s->after.branch, done ? s->row.done_seq : outside.base_seq, &c.before);
	}
	snprintf(c.commit, sizeof(c.commit), "%s", s->tip != NULL ? s->tip : "");
	/*
	 * A binding continues from the last exported commit, revision by revision. An export job
	 * starts at the tip and makes one commit.
	 */
	if (s->binding && done && !s->rewritten) {
		sync_point(s, source_branch(m), s->row.done_outside, &c.tree_point);
		snprintf(c.commit, sizeof(c.commit), "%s", s->row.done);
	}
	db_rollback(m->db);
	s->origin = c.tree_point;
	ok = s->binding && done && !s->rewritten ?
	    walk_revisions(&c, &s->after, source_branch(m)) && join_tip(&c, &s->after, &outside) :
	    commit_at_once(&c, &s->after);
	if (!ok)
		return false;
	snprintf(s->last, sizeof(s->last), "%s", c.commit);
	return true;
}
