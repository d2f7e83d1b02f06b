/* Imports the content of a git repository as a merge of the upstream branch. Contract: merge/upstream.h. */
#include <stdlib.h>

#include "upstream_parts.h"
#include "store/order.h"
#include "store/overlay.h"
#include "store/redirect.h"
#include "store/space.h"
#include "base/mapped.h"
#include "base/secret.h"
#include "base/sort.h"

/*
 * The upstream branch of a space. A space may have several outside branches, for example of
 * repositories that it followed before; these stay, and nothing is merged with them. It is the
 * branch of the repository that the space follows. If the row of that repository names none yet, it
 * is the newest branch that belongs to no repository (git_source). A repository "beside" the space
 * was only exported to. A branch that an import has only staged has no revision, and does not
 * count.
 */
SQL(q_outside,
    "SELECT b.id FROM branch b WHERE b.space = :space AND b.kind = 'outside' AND b.head >= 0 "
    "AND NOT EXISTS (SELECT 1 FROM git_source g WHERE g.branch = b.id AND g.beside > 0) "
    "ORDER BY CASE WHEN b.id = (SELECT y.branch FROM git_sync y WHERE y.space = :space) THEN 0 ELSE 1 END, "
    "EXISTS (SELECT 1 FROM git_source g WHERE g.branch = b.id), b.id DESC LIMIT 1 /*scan*/");
SQL(q_without_revision, "SELECT id FROM branch WHERE space = :space AND kind = 'outside' AND head < 0");
SQL(q_main, "SELECT branch FROM space WHERE id = :space");
/* Ids of versions that began or ended in main after the point that upstream last saw. */
SQL(q_changed_ids,
    "SELECT DISTINCT id FROM (SELECT id FROM node WHERE branch = :b AND since > :seq UNION ALL "
    "SELECT id FROM node WHERE branch = :b AND until > :seq AND until < " SQL_FOREVER ") AS c");

SQL(q_between,
    "SELECT id FROM node WHERE branch = :b AND since > :from AND since <= :to "
    "UNION SELECT id FROM node WHERE branch = :b AND until > :from AND until <= :to");

/* How often another writer may change main between planning and publishing. */
enum { PASSES = 50 };

int64_t
upstream_branch(struct db *db, const char *space)
{
	struct stmt *q = db_use(db, &q_outside);

	bind_text(q, ":space", space);
	return stmt_int(q, 0);
}

bool
sides_main(struct db *db, struct arena *a, const char *space, struct point *out)
{
	struct stmt *q = db_use(db, &q_main);

	bind_text(q, ":space", space);
	return point_head(db, a, stmt_int(q, 0), out);
}

bool
upstream_main(struct db *db, struct arena *a, const char *space, struct point *out)
{
	return sides_main(db, a, space, out);
}

bool
upstream_view(struct db *db, struct arena *a, const char *space, struct point *out)
{
	int64_t branch = upstream_branch(db, space);

	return branch != 0 ? point_head(db, a, branch, out) : sides_main(db, a, space, out);
}

static struct str
hash_or_none(struct arena *a, struct str bytes)
{
	return bytes.n == 0 ? (struct str){ NULL, 0 } : hash_of(a, bytes);
}

/* Where bytes are NULL, they are stored already, and the node contains their hash. */
static void
hash_wanted(struct arena *a, struct wanted *w)
{
	if (w->body.p != NULL)
		w->node.body = hash_of(a, w->body);
	if (w->refs.p != NULL)
		w->node.refs = hash_or_none(a, w->refs);
}

void
put_wanted(struct sides *s, struct wanted *w)
{
	struct node now;

	/* A page that only moved, or is in another file now, keeps its modification time. */
	if (node_get(s->db, s->scratch, &s->main, w->node.id, &now) && node_reads_same(&now, &w->node))
		w->node.at = now.at;
	w->node.origin = -1;
	stage_put(&s->main_stage, &w->node, w->body, w->refs);
	if (strlen(w->node.ord) > ORDER_KEY_LONG)
		map_add(s->crowded, str_of(w->node.parent), s);
}

struct point
sides_after(const struct sides *s)
{
	struct point p = s->main;

	if (s->out->changed)
		p.seq = s->main_stage.seq;
	return p;
}

bool
sides_begin(struct sides *s)
{
	struct point now;

	db_begin(s->db, false);
	if (sides_main(s->db, s->arena, s->main.space, &now) && now.seq == s->main.seq)
		return true;
	db_rollback(s->db);
	return false;
}

void
sides_add_event(struct sides *s, enum upstream_event what, const struct node *page)
{
	struct pending_event *t = arena_alloc(s->arena, sizeof(*t));
	struct node *copy = arena_alloc(s->arena, sizeof(*copy));

	*copy = *page;
	*t = (struct pending_event){ NULL, what, copy };
	*s->last_event = t;
	s->last_event = &t->next;
}

/* Records an id that is compared with main at the end; each id once. */
void
sides_compare_later(struct sides *s, const char *id)
{
	if (!map_add(s->recheck_seen, str_of(id), s))
		return;
	s->recheck = arena_grow(s->arena, s->recheck, s->recheck_n, &s->recheck_cap, sizeof(*s->recheck));
	s->recheck[s->recheck_n++] = id;
}

/* Lets the function of the task decide. False: main keeps its version; otherwise *w is main's new version. */
static bool
decide_both(struct sides *s, const struct node *before, const struct node *now, struct wanted **w)
{
	struct wanted *got = s->task->both(s->task->ctx, before, now, *w);

	sides_compare_later(s, (*w)->node.id);
	if (got == NULL)
		return false;
	if (got != *w) {
		hash_wanted(s->arena, got);
		if (now != NULL && sides_same(now, &got->node) && sides_same_front(s, now, got))
			return false;
	}
	*w = got;
	return true;
}

void
count_put(struct sides *s, const struct node *before)
{
	s->out->changed = true;
	if (before == NULL)
		s->out->added++;
	else
		s->out->edited++;
}

static bool
merge_node(struct sides *s, struct wanted *w, const struct node *before, const struct node *now)
{
	if (!sides_merge(s, w, before, now))
		return false;
	count_put(s, before);
	return true;
}

/* Handles a node that upstream has. before: upstream's last version; NULL: the node is new. */
static void
take_node(struct sides *s, struct wanted *w, const struct node *before)
{
	struct wanted exported;
	struct node now;
	bool is;

	/* Main follows another repository. */
	if (s->task->branch_only) {
		sides_compare_later(s, w->node.id);
		return;
	}
	if (before != NULL && sides_same(before, &w->node) && sides_same_front(s, before, w)) {   /* unchanged upstream */
		if (s->task->returned)
			sides_return(s, w, before);
		return;
	}
	is = node_get(s->db, s->arena, &s->main, w->node.id, &now);
	/* Main has made the same change. */
	if (is && sides_same(&now, &w->node) && sides_same_front(s, &now, w)) {
		sides_compare_later(s, w->node.id);
		return;
	}
	if (s->task->both != NULL && !sides_untouched(s, before, &now, before != NULL, is)) {
		sides_add_event(s, UPSTREAM_BOTH, is ? &now : &w->node);
		if (!decide_both(s, before, is ? &now : NULL, &w))
			return;
		if (s->task->as_request) {
			/* The base of the conflict is main's own version, from which w was made. */
			sides_add_conflict(s, w, is ? &now : NULL, is ? &now : NULL);
			return;
		}
		put_wanted(s, w);
		count_put(s, before);
		return;
	}
	/* The commit contains an export of `before`: only paths and spellings of links are new. */
	if (s->task->exported && before != NULL && (w->node.kind & NODE_SETTING) == 0) {
		exported = *w;
		exported.node = sides_as_exported(s, w, before);
		sides_compare_later(s, w->node.id);
		w = &exported;
		if (!is || (sides_same(&now, &w->node) && sides_same_front(s, &now, w)))
			return;
		if (sides_untouched(s, before, &now, true, true)) {
			put_wanted(s, w);
			count_put(s, before);
		} else {
			merge_node(s, w, before, &now);
		}
		return;
	}
	if (s->task->as_request && !is_place_setting(&w->node)) {
		sides_add_conflict(s, w, before, is ? &now : NULL);
		return;
	}
	/* Only upstream changed the node, or both sides did. */
	if (sides_untouched(s, before, &now, before != NULL, is) || w->node.kind == NODE_SETTING) {
		put_wanted(s, w);
		count_put(s, before);
	} else if (!merge_node(s, w, before, is ? &now : NULL)) {
		sides_add_conflict(s, w, before, is ? &now : NULL);
	}
}

/* True if main keeps a node that upstream deleted, and the deletion becomes a conflict. */
static bool
keeps_deleted(struct sides *s, const struct node *before, const struct node *now)
{
	/* Every difference becomes a conflict, except places in the repository, which readers do not see. */
	if (s->task->as_request)
		return before->kind != NODE_SETTING || !is_place_setting(before);
	/* A node that main changed. Not if the task decides itself (both); settings are always deleted. */
	return s->task->both == NULL && before->kind != NODE_SETTING && !sides_untouched(s, before, now, true, true);
}

/* Handles a node that upstream had and no longer has. */
static void
drop_node(struct sides *s, const struct node *before)
{
	struct node now;

	/* A commit that an export made lacks the nodes that a repository cannot express. */
	if (s->task->branch_only || (s->task->exported && before->kind != NODE_SETTING)) {
		sides_compare_later(s, before->id);
		return;
	}
	if (!node_get(s->db, s->arena, &s->main, before->id, &now)) {
		sides_compare_later(s, before->id);
		return;
	}
	if (keeps_deleted(s, before, &now)) {
		sides_add_conflict(s, NULL, before, &now);
		return;
	}
	stage_end(&s->main_stage, before->id);
	s->out->changed = true;
	s->out->removed++;
}

static int
by_id(const void *x, const void *y)
{
	return strcmp(((const struct node *)x)->id, ((const struct node *)y)->id);
}

/* True for marks and redirects: main writes them, and no repository contains them. */
static bool
is_written_by_main(const char *id)
{
	return order_is_mark(id) || redirect_is(id);
}

/*
 * True if the node is stored in the repository: only such nodes are added and deleted by an import. A
 * file or reusable content without a path was made in main and never exported; it counts only if the
 * task replaces the whole content.
 */
static bool
in_repository(const struct sides *s, const struct node *n)
{
	return n->git_path != NULL || (s->task->whole && !is_written_by_main(n->id)) ||
	    !((n->kind & (NODE_FILE | NODE_REUSABLE)) || is_written_by_main(n->id));
}

static void
sides_init(struct sides *s, struct wanted *list, size_t n)
{
	size_t i;

	s->n = n;
	s->sorted = arena_array(s->arena, n, sizeof(*s->sorted));
	for (i = 0; i < n; i++, mapped_trim()) {
		hash_wanted(s->arena, &list[i]);
		s->sorted[i] = (struct wanted_key){ .wanted = &list[i], .ord = list[i].node.ord };
	}
	wanted_sort(s->sorted, n);
}

/* Forgets everything that an earlier pass planned. */
static void
pass_begin(struct sides *s)
{
	size_t i;

	for (i = 0; s->carried && i < s->n; i++)
		s->sorted[i].wanted->node.ord = s->sorted[i].ord;
	s->carried = false;
	/* A forced import makes a revision even without rows. */
	*s->out = (struct upstream_result){ .changed = s->task->forced && !s->task->as_request && !s->task->branch_only };
	s->events = NULL;
	s->last_event = &s->events;
	s->last_conflict = &s->out->conflicts;
	s->crowded = map_new(s->arena);
	s->recheck_seen = map_new(s->arena);
	s->recheck_n = s->recheck_cap = 0;
	stage_pass(&s->main_stage);
	stage_pass(&s->upstream_stage);
}

/* Walks the nodes of upstream now and before in parallel, in the order of their ids. */
static void
take_all(struct sides *s, const struct node *old, size_t old_n)
{
	size_t i = 0, k = 0;
	int c;

	while (i < old_n || k < s->n) {
		c = i == old_n ? 1 : k == s->n ? -1 : strcmp(old[i].id, s->sorted[k].wanted->node.id);
		if (c < 0 && in_repository(s, &old[i]))
			drop_node(s, &old[i]);
		if (c == 0)
			take_node(s, s->sorted[k].wanted, &old[i]);
		if (c > 0)
			take_node(s, s->sorted[k].wanted, NULL);
		i += c <= 0;
		k += c >= 0;
		arena_reset(s->scratch);
	}
}

/* ---- the upstream branch ---- */

/* True if the upstream branch has an own row of the id. */
static bool
has_own(struct sides *s, const char *id)
{
	struct point p = { .branch = s->upstream_stage.branch, .seq = s->upstream_head };
	struct node n;

	return s->upstream_head >= 0 && node_at(s->db, s->scratch, &p, id, &n);
}

/*
 * Keeps the upstream branch equal to upstream after its base has moved to main's new head: if main
 * differs from upstream in this node, the branch needs a row of its own, which is another version,
 * or a tombstone for a node that upstream never had.
 */
static void
keep_difference(struct sides *s, const struct point *after, const char *id)
{
	const struct wanted *w = wanted_of(s, id);
	const struct str none = { NULL, 0 };
	struct node now, row;

	if (is_written_by_main(id))
		return;
	if (!node_get(s->db, s->scratch, after, id, &now))
		now.id = NULL;
	/* Neither side has the node, or both have the same: the branch needs no row. */
	if ((w == NULL) == (now.id == NULL) &&
	    (w == NULL || (sides_same(&now, &w->node) && sides_same_front(s, &now, w)))) {
		if (has_own(s, id))
			stage_end(&s->upstream_stage, id);
		return;
	}
	if (w != NULL)
		row = w->node;
	else
		row = (struct node){ .id = id, .kind = NODE_GONE, .parent = "", .ord = "", .slug = "",
			.title = "", .props = "{}", .at = time_now(), .made = time_now() };
	/*
	 * The base version for the next import's merge, as for the rows of a request (content.h).
	 */
	row.origin = w != NULL && now.id != NULL ? now.since : -1;
	stage_put(&s->upstream_stage, &row, w != NULL ? w->body : none, w != NULL ? w->refs : none);
}

static void
keep_differences(struct sides *s, const struct point *after)
{
	struct stmt *q = db_use(s->db, &q_changed_ids);
	struct node *rows;
	size_t i, n;

	bind_int(q, ":b", s->main.branch);
	bind_int(q, ":seq", s->view->base != 0 ? s->view->base_seq : s->view->seq);
	/* Own rows of the upstream branch that are no longer needed end, too. */
	while (stmt_step(q))
		sides_compare_later(s, col_dup(q, 0, s->arena));
	/* In another repository the branch's own rows may have no file. */
	if (s->task->exported && s->upstream_head >= 0) {
		rows = overlay_rows(s->db, s->arena, s->upstream_stage.branch, &n);
		for (i = 0; i < n; i++)
			sides_compare_later(s, rows[i].id);
	}
	for (i = 0; i < s->recheck_n; i++, arena_reset(s->scratch))
		keep_difference(s, after, s->recheck[i]);
}

/* Rows can be staged on a branch that has no revision: no query finds it (q_outside). */
static void
need_branch(struct sides *s, const char *kind)
{
	struct stmt *q;

	if (s->upstream_stage.branch != 0)
		return;
	db_begin(s->db, true);
	if (strcmp(kind, "outside") == 0) {
		q = db_use(s->db, &q_without_revision);
		bind_text(q, ":space", s->main.space);
		s->upstream_stage.branch = stmt_int(q, 0);
	}
	if (s->upstream_stage.branch == 0)
		s->upstream_stage.branch = branch_create(s->db, s->main.space, kind, &s->main);
	db_commit(s->db);
}

static bool
write_own(struct sides *s, const char *kind)
{
	need_branch(s, kind);
	/* Nobody else writes to this branch, so no numbers must be left free below the reserved one. */
	stage_reserve(&s->upstream_stage, 0);
	if (!stage_flush(&s->upstream_stage))
		return false;
	stage_remove_stale(&s->upstream_stage);
	return true;
}

/*
 * True if the upstream branch gets a new revision: main changed, ids must be compared with main, the
 * branch has no revision yet, or an export has changed the paths.
 */
static bool
must_follow(const struct sides *s)
{
	return s->out->changed || s->recheck_n > 0 || s->upstream_head < 0 || s->task->exported;
}

static bool
follow_main(struct sides *s)
{
	struct point after = sides_after(s);

	if (!must_follow(s))
		return true;
	if (!sides_begin(s))
		return false;
	keep_differences(s, &after);
	db_rollback(s->db);
	return write_own(s, "outside");
}

/* ---- passes ---- */

/* The nodes of upstream's last state (view), sorted by id. */
static struct node *
held_before(struct sides *s, const struct point *view, size_t *n)
{
	struct node *old;

	*n = s->task->held_n;
	if (s->task->held == NULL)
		old = node_list(s->db, s->arena, view, UPSTREAM_KINDS, n);
	else
		old = memcpy(arena_array(s->arena, *n, sizeof(*old)), s->task->held, *n * sizeof(*old));
	sort_list(old, *n, sizeof(*old), by_id);
	return old;
}

static void
plan_pass(struct sides *s)
{
	struct node *old;
	size_t old_n;

	db_begin(s->db, false);
	sides_main(s->db, s->arena, s->view->space, &s->main);
	s->main_stage.branch = s->main.branch;
	old = held_before(s, s->view, &old_n);
	sides_carry(s, s->view, &s->main, old, old_n);
	take_all(s, old, old_n);
	db_rollback(s->db);
}

/* Stages the rows of main. False: main changed, a file is missing, or out->error says what is wrong. */
static bool
write_main(struct sides *s)
{
	if (!s->out->changed)
		return true;
	/* Reserves the number that an earlier pass has reserved. */
	stage_reserve(&s->main_stage, STAGE_GAP);
	if (!stage_flush(&s->main_stage))
		return false;
	stage_remove_stale(&s->main_stage);
	return upstream_mend(s) && sides_make_room(s);
}

/* Prepares search, links and comments for publication. */
static bool
prepare_pass(struct sides *s)
{
	struct arena *a;
	const char **ids;
	size_t n;

	if (!s->out->changed)
		return true;
	if (!sides_begin(s))
		return false;
	a = arena_on_disk(s->arena, (size_t)1 << 31, NULL);
	ids = stage_ids(&s->main_stage, a, &n);
	db_rollback(s->db);
	s->propagation.head = s->main;
	s->propagation.staged = sides_after(s);
	s->propagation.watch = &s->watch;
	if (!propagate_ahead(s->db, s->arena, &s->propagation, ids, n, s->main_stage.written, s->main_stage.written_n)) {
		s->stopped = true;
		return false;
	}
	arena_reset(a);
	/* The prepared links must contain all that is written from here on. */
	s->main_stage.track = s->propagation.edition != 0;
	s->main_stage.written_n = 0;
	return true;
}

static void
report_events(struct sides *s)
{
	const struct pending_event *t;

	for (t = s->events; t != NULL && s->task->note != NULL; t = t->next)
		s->task->note(s->task->ctx, t->what, t->page);
	if (s->task->ready != NULL)
		s->task->ready(s->task->ctx);
}

static void
add_revisions(struct sides *s)
{
	struct revision_info info = { .kind = "merge", .author = s->task->author, .git = s->task->git,
		.staged = s->main_stage.seq };
	struct revision_info after = { .kind = s->upstream_head < 0 ? "edits" : "update",
		.author = s->task->author, .git = s->task->git, .base_seq = sides_after(s).seq };
	char *id;

	s->out->revision = (char *)s->main.revision;
	s->out->branch = s->upstream_stage.branch;
	if (s->out->changed) {
		revision_add(s->db, s->arena, s->main.branch, &info, &s->out->revision);
		s->propagation.staged.revision = s->out->revision;
		propagate_publish(s->db, s->arena, &s->propagation);
		space_touch(s->db, s->main.space);
	}
	if (must_follow(s))
		revision_add(s->db, s->arena, s->upstream_stage.branch, &after, &id);
}

enum attempt { PUBLISHED, MOVED, REFUSED };

static enum attempt
publish_pass(struct sides *s)
{
	struct point now;

	db_begin(s->db, true);
	/* The write lock is held, so a head that is unchanged now stays so until the commit. */
	if (!sides_main(s->db, s->arena, s->main.space, &now) || now.seq != s->main.seq) {
		db_rollback(s->db);
		return MOVED;
	}
	add_revisions(s);
	if (s->task->commit != NULL && !s->task->commit(s->task->ctx, s->out)) {
		db_rollback(s->db);
		return REFUSED;
	}
	db_commit(s->db);
	return PUBLISHED;
}

/* Records what other writers changed, for the prepared links. */
static void
note_other_writers(struct sides *s, int64_t from)
{
	struct stmt *q;

	if (!s->main_stage.track)
		return;
	db_begin(s->db, false);
	sides_main(s->db, s->arena, s->view->space, &s->main);
	q = db_use(s->db, &q_between);
	bind_int(q, ":b", s->main.branch);
	bind_int(q, ":from", from);
	bind_int(q, ":to", s->main.seq);
	while (stmt_step(q))
		stage_note(&s->main_stage, col_text(q, 0));
	db_rollback(s->db);
}

static bool
is_stopped(const struct sides *s)
{
	return s->stopped || s->main_stage.stopped || s->upstream_stage.stopped;
}

static enum attempt
run_pass(struct sides *s)
{
	int64_t from = s->main.seq;

	pass_begin(s);
	plan_pass(s);
	if (from != s->main.seq)
		note_other_writers(s, from);
	if (!write_main(s) || !follow_main(s) || !prepare_pass(s))
		return s->out->error != NULL || s->main_stage.lacks_file || s->upstream_stage.lacks_file || is_stopped(s) ?
		    REFUSED : MOVED;
	report_events(s);
	return publish_pass(s);
}

/* Removes the staged rows on both branches, and what was prepared. */
static void
discard_staged(struct sides *s)
{
	stage_drop(s->db, s->arena, s->main.branch);
	/* Number 0 is no branch, so nothing is staged on it. */
	stage_drop(s->db, s->arena, s->upstream_stage.branch);
}

static enum upstream_end
run_passes(struct sides *s)
{
	enum attempt got = MOVED;
	int tries;

	for (tries = 0; tries < PASSES && got == MOVED; tries++) {
		if (!stage_alive(&s->watch, "writing", 0, 0))
			got = REFUSED;
		else
			got = run_pass(s);
	}
	/* This also removes what an earlier import has staged. */
	discard_staged(s);
	/* Runs in every case: it also removes what an earlier import, killed, had prepared. */
	propagate_clean_up(s->db, s->arena, s->main.space, s->main.branch);
	return got == PUBLISHED ? UPSTREAM_DONE : got == MOVED ? UPSTREAM_BUSY :
	    s->main_stage.lacks_file || s->upstream_stage.lacks_file ? UPSTREAM_FILES : UPSTREAM_REFUSED;
}

/* The number of the branch's newest revision; -1: there is no such branch. */
static int64_t
read_head(struct sides *s, int64_t branch)
{
	struct point p;
	int64_t head;

	db_begin(s->db, false);
	head = point_head(s->db, s->arena, branch, &p) ? p.seq : -1;
	db_rollback(s->db);
	return head;
}

static void
sides_new(struct sides *s, struct db *db, struct arena *a, const struct upstream_task *task,
    struct upstream_result *out)
{
	*s = (struct sides){ .db = db, .arena = a, .scratch = arena_within(a, (size_t)1 << 30), .task = task, .out = out,
		.upstream_head = -1 };
	stage_init(&s->main_stage, db, a, 0);
	stage_init(&s->upstream_stage, db, a, 0);
	s->main_stage.files = s->upstream_stage.files = task->files;
	s->watch = (struct stage_watch){ task->alive, task->ctx };
	s->main_stage.watch = s->upstream_stage.watch = &s->watch;
	sides_init(s, task->list, task->n);
	pass_begin(s);
}

enum upstream_end
upstream_take(struct db *db, struct arena *a, const struct point *view,
    const struct upstream_task *task, struct upstream_result *out)
{
	struct sides s;

	sides_new(&s, db, a, task, out);
	s.view = view;
	db_begin(db, false);
	s.upstream_stage.branch = task->branch_only ? task->branch : upstream_branch(db, view->space);
	sides_main(db, a, view->space, &s.main);
	db_rollback(db);
	s.upstream_head = read_head(&s, s.upstream_stage.branch);
	return run_passes(&s);
}

/* ---- an import as a branch of its own ---- */

static void
plan_alone(struct sides *s)
{
	struct node *old;
	size_t old_n, i;

	for (i = 0; i < s->n; i++, arena_reset(s->scratch))
		keep_difference(s, &s->main, s->sorted[i].wanted->node.id);
	old = held_before(s, &s->main, &old_n);
	for (i = 0; i < old_n; i++)
		if (in_repository(s, &old[i]) && wanted_of(s, old[i].id) == NULL)
			keep_difference(s, &s->main, old[i].id);
}

enum upstream_end
upstream_standalone(struct db *db, struct arena *a, const char *space,
    const struct upstream_task *task, struct upstream_result *out)
{
	struct revision_info info = { .kind = "edits", .author = task->author, .git = task->git };
	struct point view;
	struct sides s;
	struct node *old;
	size_t old_n;
	bool done;

	sides_new(&s, db, a, task, out);
	db_begin(db, false);
	sides_main(db, a, space, &s.main);
	upstream_view(db, a, space, &view);
	old = held_before(&s, &view, &old_n);
	sides_carry(&s, &view, &s.main, old, old_n);
	plan_alone(&s);
	db_rollback(db);
	out->changed = true;
	if ((done = write_own(&s, "alone"))) {
		report_events(&s);
		info.base_seq = s.main.seq;
		db_begin(db, true);
		revision_add(db, a, s.upstream_stage.branch, &info, &out->revision);
		done = task->commit == NULL || task->commit(task->ctx, out);
		if (done)
			db_commit(db);
		db_rollback(db);
	}
	/* After publishing nothing is staged any more. */
	stage_drop(db, a, s.upstream_stage.branch);
	return done ? UPSTREAM_DONE : s.upstream_stage.lacks_file ? UPSTREAM_FILES : UPSTREAM_REFUSED;
}

void
upstream_sweep(struct db *db, struct arena *a, const char *space)
{
	struct point main = { .branch = 0 };
	int64_t branch;

	while ((branch = stage_left(db, space)) != 0)
		stage_drop(db, a, branch);
	db_begin(db, false);
	/* For a deleted space the branch is 0, for which nothing was prepared. */
	sides_main(db, a, space, &main);
	db_rollback(db);
	propagate_clean_up(db, a, space, main.branch);
}
