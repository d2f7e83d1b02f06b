/*
 * Imports a commit: reads its tree, plans ids, order and links against the space's upstream branch,
 * stores files, writes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/download.h"
#include "base/mapped.h"
#include "import_parts.h"
#include "search/search.h"
#include "store/computed.h"
#include "store/space.h"
#include "base/secret.h"

/*
 * Milliseconds between two checks whether the job may go on. Each is a transaction, and progress is
 * shown a few times a second at most.
 */
enum { LOOK_MS = 250 };

SQL(q_space_state, "SELECT edit_mode, deleted_at, branch FROM space WHERE id = :space");
/* A row means that the space was imported or exported before. */
SQL(q_synced, "SELECT 1 FROM git_sync WHERE space = :space");

/* ---- read ---- */

static void
layout_warnings(struct import *m)
{
	const struct layout_warning *w;

	for (w = m->layout.warnings; w != NULL; w = w->next)
		import_warn(m, w->file, w->line, w->message);
}

/* Readers do not see a computed page that has nothing to show (store/computed.h). */
static void
computed_warnings(struct import *m)
{
	const struct layout_page *page;
	const char *spec;
	struct node n;

	for (page = m->layout.pages; page != NULL; page = page->next, mapped_trim()) {
		if (page->kind != LAYOUT_COMPUTED)
			continue;
		/* The same properties as the plan stores. */
		n = (struct node){ .kind = NODE_COMPUTED, .props = arena_printf(m->arena, "{\"computed\":%s}", page->props) };
		spec = computed_spec(m->arena, &n);
		/* If it names no specification, the layout has warned. */
		if (spec != NULL && !computed_shown(m->db, m->job->space, spec))
			import_warn(m, plan_summary(&m->plan), page->line, arena_printf(m->arena, "the pages of the API description "
			    "\"%s\" are left out, since the organization has no specification of that name that could be read", spec));
	}
}

/* Runs when the arena ends, even if the job ends early: releases the shared lock of the cache. */
static void
close_tree(void *tree)
{
	git_tree_close(tree);
}

/* A page or an image that the upstream branch has. */
struct known_body {
	const char *oid;
	struct str  front, body;   /* the body's hash */
};

static bool
known_page(void *ctx, const struct layout_entry *e, struct str *front, struct str *body)
{
	const struct known_body *k = map_get(ctx, e->path);

	if (k == NULL || strcmp(k->oid, e->oid) != 0)
		return false;
	*front = k->front;
	*body = k->body;
	return true;
}

/*
 * True for files that store_files() found to be images. Any other file may be a git LFS pointer,
 * which each import reports to the admin.
 */
static bool
is_image(const struct node *n)
{
	return n->kind == NODE_FILE && strstr(n->props, "\"width\":") != NULL;
}

static void
note_known(struct import *m, const struct node *n)
{
	struct known_body *k;

	if ((n->kind != NODE_DOCUMENT && !is_image(n)) || n->git_path == NULL || n->git_oid == NULL || n->body.n == 0)
		return;
	k = arena_alloc(m->arena, sizeof(*k));
	*k = (struct known_body){ n->git_oid, STR(""), n->body };
	if (n->kind == NODE_DOCUMENT)
		k->front = node_front(m->db, m->arena, n);
	map_add(m->source.known_ctx, str_of(n->git_path), k);
}

const struct node *
import_nodes(struct import *m, const struct point *at)
{
	if (m->nodes == NULL || !point_same(&m->nodes_at, at)) {
		m->nodes = node_list(m->db, m->arena, at, UPSTREAM_KINDS, &m->node_count);
		m->nodes_at = *at;
	}
	return m->nodes;
}

/*
 * Lists the pages of the commit that was imported last, so that only files that differ are read.
 * The list comes from the upstream branch, even if the commit was an export: main may have changed
 * a page since it imported the file.
 */
static void
list_known_pages(struct import *m)
{
	struct point held;
	const struct node *list;
	size_t i;

	if (m->from == NULL || *m->from == '\0')
		return;
	m->source.known_ctx = map_new(m->arena);
	m->source.known = known_page;
	db_begin(m->db, false);
	if (source_branch(m) != 0 && source_view(m, &held)) {
		list = import_nodes(m, &held);
		for (i = 0; i < m->node_count; i++) {
			note_known(m, &list[i]);
			if (list[i].kind == NODE_SETTING && strcmp(list[i].id, LAYOUT_BOOK) == 0)
				m->source.known_book = list[i].git_oid;
		}
	}
	db_rollback(m->db);
}

/* Opens the commit, or takes the files of the origin. */
static bool
open_source(struct import *m)
{
	char why[512];

	if (m->origin != NULL) {
		m->source = m->origin->source;
		return true;
	}
	/* A tree has at most 500000 entries. At 400 bytes each (git_jobs.h) they take 200 MB of the job's arena. */
	m->tree = git_tree_open(m->arena, import_cache(m->arena, m->set, m->url), m->got.commit, 500000, why, sizeof(why));
	if (m->tree == NULL)
		return import_fail_unreadable(m, m->got.commit, arena_strdup(m->arena, why));
	arena_on_end(m->arena, close_tree, m->tree);
	git_tree_limit(m->tree, m->set->import_file_bytes);
	m->source = git_tree_source(m->tree);
	list_known_pages(m);
	return true;
}

static bool
read_tree(struct import *m)
{
	const struct settings *s = m->set;
	/*
	 * The merge refuses deeper trees (merge/upstream.h); the layout refuses them earlier and
	 * names the file.
	 */
	int64_t depth = s->import_depth < PAGE_DEPTH ? s->import_depth : PAGE_DEPTH;
	struct layout_limits limits = { (size_t)s->import_pages, (size_t)depth,
		s->import_page_bytes, s->import_file_bytes, 1024, m->origin != NULL ? m->origin->table_bytes : 0 };

	if (!import_step(m, "reading", 0, 0) || !open_source(m))
		return false;
	if (!layout_read(m->arena, &m->source, m->dir, &limits, &m->layout))
		/* The layout also fails when a file cannot be read. */
		return import_fail_unreadable(m, m->got.commit, m->layout.error_file == NULL ? m->layout.error :
		    arena_printf(m->arena, "%s: %s", m->layout.error_file, m->layout.error));
	if (m->origin != NULL) {
		m->layout.title = m->origin->title;
		m->layout.language = m->origin->language;
	}
	return true;
}

/* ---- plan ---- */

/*
 * Three messages for three remedies: correct the link, list the page, or move the file to a folder
 * that is imported.
 */
static void
warn_unresolved(void *ctx, const char *file, size_t line, struct str spelling,
    const struct layout_entry *left_out)
{
	/* The spelling is cut, because a data: address may have megabytes, and 200 bytes are enough to find it. */
	int n = (int)(spelling.n < 200 ? spelling.n : 200);
	struct import *m = ctx;
	const char *message;

	m->unresolved++;
	if (left_out == NULL || m->origin != NULL)
		message = arena_printf(m->arena, "nothing is at \"%.*s\"", n, spelling.p);
	else if (left_out->path.n > 3 && memcmp(left_out->path.p + left_out->path.n - 3, ".md", 3) == 0)
		message = arena_printf(m->arena, "\"%.*s\" is a file of the repository, but no page: it is not in "
		    "SUMMARY.md", n, spelling.p);
	else
		message = arena_printf(m->arena, "\"%.*s\" is a file of the repository that is not imported", n,
		    spelling.p);
	import_warn(m, file, line, message);
}

static void
warn_not_included(void *ctx, const char *file, size_t line, struct str spelling, const char *why)
{
	struct import *m = ctx;

	m->unresolved++;
	import_warn(m, file, line, arena_printf(m->arena, "\"%.*s\" is not included: %s",
	    (int)(spelling.n < 200 ? spelling.n : 200), spelling.p, why));
}

static void
warn_no_anchor(void *ctx, const char *file, size_t line, struct str spelling)
{
	struct import *m = ctx;

	import_warn(m, file, line, arena_printf(m->arena, "no heading or other place of the page is named by \"%.*s\"",
	    (int)(spelling.n < 200 ? spelling.n : 200), spelling.p));
}

/*
 * The page is imported in spite of the limit: the repository holds its source, and an export has to
 * write it back.
 */
static void
warn_over_limit(void *ctx, const char *file, size_t line, const char *message)
{
	struct import *m = ctx;

	import_warn(m, file, line, arena_printf(m->arena, "the document %s; the page is kept, and what is beyond "
	    "the limit is shown as its source", message));
}

/*
 * The expression is kept, like a page over a limit. Readers see neither it nor what it is a
 * condition of.
 */
static void
warn_unread(void *ctx, const char *file, size_t line, const struct expression_fault *f)
{
	struct import *m = ctx;

	import_warn(m, file, line, arena_printf(m->arena, "the text of %s is no expression, which hides it: %s: %s",
	    f->where, f->shown, f->why));
}

static void
warn_undated(void *ctx, const char *file, size_t line, const char *message)
{
	import_warn(ctx, file, line, message);
}

/* In reading order, so that groups with the same title are paired in their order. */
static void
add_pages(const struct page *p, struct node *list, size_t *n)
{
	for (; p != NULL; p = p->next) {
		list[(*n)++] = p->node;
		add_pages(p->first, list, n);
	}
}

/* Copies the nodes of some kinds from a list. */
static size_t
pick_kinds(const struct node *from, size_t n, unsigned kinds, struct node *to)
{
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		if (from[i].kind & kinds)
			to[count++] = from[i];
	return count;
}

/*
 * Replaces paths of another repository by the paths that the pages had in this one. A node without such a
 * path loses its own if that is now the path of another.
 */
static void
use_paired_paths(struct import *m, struct node *all, size_t n)
{
	struct map *taken = map_new(m->arena);
	const char *path;
	size_t i;

	for (i = 0; i < n; i++)
		if (all[i].kind != NODE_SETTING && (path = map_get(m->paired_paths, str_of(all[i].id))) != NULL) {
			all[i].git_path = path;
			map_add(taken, str_of(path), m);
		}
	for (i = 0; i < n; i++)
		if (all[i].kind != NODE_SETTING && all[i].git_path != NULL && !map_has(m->paired_paths, str_of(all[i].id)) &&
		    map_has(taken, str_of(all[i].git_path)))
			all[i].git_path = NULL;
}

/* The nodes of the view; after an export, with the paths that the export gave. */
static struct node *
nodes_before(struct import *m, size_t *n)
{
	const struct node *held = import_nodes(m, &m->view);
	struct node *all = arena_array(m->arena, m->node_count + 1, sizeof(*all));
	struct node *pages = arena_array(m->arena, m->node_count + 1, sizeof(*pages));
	size_t count = pick_kinds(held, m->node_count, NODE_PAGES, pages), i;
	const char *path;

	*n = 0;
	add_pages(page_tree_of(m->arena, pages, count), all, n);
	*n += pick_kinds(held, m->node_count, NODE_FILE | NODE_REUSABLE | NODE_SETTING, all + *n);
	for (i = 0; m->exported != NULL && i < *n; i++) {
		path = all[i].kind == NODE_SETTING ? NULL : map_get(m->paths, str_of(all[i].id));
		/*
		 * The pages have files since the push, but main has not recorded their paths, and
		 * without a path every page would be planned as a new one. Paths of another
		 * repository mean nothing in this one.
		 */
		if (path != NULL || (m->branch_only && all[i].kind != NODE_SETTING))
			all[i].git_path = path;
	}
	if (m->paired_paths != NULL)
		use_paired_paths(m, all, *n);
	return all;
}

static bool
read_stored(void *ctx, struct arena *a, struct str hash, struct str *out)
{
	struct import *m = ctx;

	return blob_get(m->db, a, hash, out);
}

/* Lets unchanged pages keep their link maps, after a commit that changed only pages. They are then not read again. */
static void
reuse_pages(struct import *m)
{
	if (m->from == NULL || *m->from == '\0' ||
	    !git_same_names(import_cache(m->arena, m->set, m->url), m->from, m->got.commit))
		return;
	db_begin(m->db, false);
	plan_reuse(&m->plan);
	db_rollback(m->db);
}

/* New nodes get the commit's time, limited to what the clock can show and to now. */
static void
date_new(struct import *m)
{
	struct git_dated *list = arena_array(m->arena, m->plan.count, sizeof(*list));
	struct item **items = arena_array(m->arena, m->plan.count, sizeof(*items));
	size_t i, n = 0;

	for (i = 0; i < m->plan.count; i++, mapped_trim())
		if (m->plan.items[i].old == NULL && m->plan.items[i].file != NULL &&
		    m->plan.items[i].wanted->node.kind != NODE_SETTING) {
			list[n] = (struct git_dated){ .path = m->plan.items[i].wanted->node.git_path,
				.oid = m->plan.items[i].wanted->node.git_oid };
			items[n++] = &m->plan.items[i];
		}
	for (i = 0; m->origin != NULL && i < n; i++, mapped_trim())
		list[i].at = m->origin->dated(m->origin->ctx, items[i]->file);
	if (n > 0 && m->origin == NULL)
		git_date_files(m->arena, import_cache(m->arena, m->set, m->url), m->got.commit, list, n);
	for (i = 0; i < n; i++, mapped_trim())
		if (list[i].at > 0 && list[i].at < m->plan.now)
			items[i]->wanted->node.at = items[i]->wanted->node.made = list[i].at;
}

static bool
plan_import(struct import *m)
{
	struct node *old = NULL;
	size_t old_n = 0;

	m->plan = (struct plan){ .arena = m->arena, .layout = &m->layout, .now = time_now(),
		.unresolved = warn_unresolved, .not_included = warn_not_included, .stored = read_stored, .keep = import_keep,
		.flush = import_flush, .ctx = m };
	/* Our own export gives no warnings, so its pages need not be read. */
	if (m->exported == NULL) {
		/*
		 * These warnings need the anchors, limits and expressions of every page, which are
		 * costly to read.
		 */
		m->plan.anchor_missing = warn_no_anchor;
		m->plan.over_limit = warn_over_limit;
		m->plan.bad_expression = warn_unread;
		m->plan.bad_date = warn_undated;
	}
	/* Drop the warnings of an earlier try: this one reports them again. */
	import_drop_warnings(m, m->begun);
	m->unresolved = 0;
	m->texts_done = 0;
	/* This follows import_drop_warnings(), which would drop these warnings in the second try. */
	layout_warnings(m);
	db_begin(m->db, false);
	if (m->exported != NULL)
		/*
		 * The state that the commit was made from, so that the plan finds each of its
		 * pages; main may have changed since.
		 */
		m->view = *m->exported;
	else if (!source_view(m, &m->view)) {
		db_rollback(m->db);
		return import_stop(m, "failed", "the space does not exist any more");
	}
	m->branch = source_branch(m);
	old = nodes_before(m, &old_n);
	if (m->exported == NULL)
		computed_warnings(m);
	db_rollback(m->db);
	plan_items(&m->plan);
	plan_ids(&m->plan, old, old_n);
	reuse_pages(m);
	plan_fill(&m->plan);
	if (m->plan.stopped)
		return false;
	if (m->exported == NULL)
		date_new(m);
	if (!m->plan.unreadable)
		return true;
	/* Release the lock: reading and emptying the cache need it. */
	git_tree_close(m->tree);
	return import_fail_unreadable(m, m->got.commit, "a file of the commit cannot be read from the cache");
}

/* ---- files ---- */

/*
 * Stores a file. A file that cannot be read is reported and left out, because one large video must
 * not stop the import. False: storing failed, m->state is set.
 */
static bool
keep_file(struct import *m, struct item *i, struct arena *scratch)
{
	const struct layout_source src = m->source;
	int w, h;
	struct str bytes;
	const char *why;

	if (!src.read(src.ctx, scratch, i->file, &bytes)) {
		import_warn(m, i->wanted->node.git_path, 0, "the file cannot be read; it is left out");
		i->used = false;
		return true;
	}
	if (i->outside && layout_is_lfs_pointer(bytes))
		import_warn(m, i->wanted->node.git_path, 0, "a pointer of git LFS; the file itself is not in the repository");
	if (!blob_batch_add(m->blobs, bytes, &i->wanted->node.body, &why))
		return import_stop(m, "failed", why);
	i->wanted->node.props = image_size(bytes, &w, &h) ?
	    arena_printf(m->arena, "{\"size\":%zu,\"width\":%d,\"height\":%d}", bytes.n, w, h) :
	    arena_printf(m->arena, "{\"size\":%zu}", bytes.n);
	return true;
}

/* True if the blob id did not change, so that the bytes are stored already. */
static bool
known_file(struct item *i)
{
	const struct node *old = i->old;

	if (old == NULL || old->git_oid == NULL || strcmp(old->git_oid, i->wanted->node.git_oid) != 0)
		return false;
	i->wanted->node.body = old->body;
	i->wanted->node.props = old->props;
	return true;
}

static bool
store_files(struct import *m)
{
	/*
	 * The scratch arena is reset after each file, so memory does not grow with the number of
	 * files.
	 */
	struct arena *scratch = arena_new((size_t)m->set->import_file_bytes * 2 + (1 << 20));
	const char *why;
	bool ok = true;
	size_t k;

	m->blobs = blob_batch_new(m->arena, m->set->dir);
	for (k = 0; k < m->plan.count && ok; k++, mapped_trim()) {
		struct item *i = &m->plan.items[k];
		if (i->wanted->node.kind != NODE_FILE || !i->used || known_file(i))
			continue;
		ok = import_report(m, "storing files", (int64_t)k) &&
		    keep_file(m, i, scratch);
		arena_reset(scratch);
	}
	arena_free(scratch);
	if (!ok) {
		/* Drop the stored files before the end of the job becomes visible. */
		blob_batch_drop(m->blobs);
		return false;
	}
	/*
	 * One sync for all files, before any row names one: a row without its file would be worse
	 * than a file without a row, which the sweep removes.
	 */
	if (!blob_batch_sync(m->blobs, &why))
		return import_stop(m, "failed", why);
	return true;
}

/* ---- write ---- */

/*
 * The merge calls this in each pass; set_notes_aside() removes the notes of a pass that has to be
 * repeated.
 */
static void
note_event(void *ctx, enum upstream_event what, const struct node *page)
{
	static const char *const texts[] = {
		[UPSTREAM_BOTH] = "was changed here, too, and the changes conflict; the space keeps its version, "
		    "and a change request has the repository's",
		[UPSTREAM_MOVED] = "was below a page that was deleted, or that moved below it; it was moved up to the "
		    "nearest page that exists",
		[UPSTREAM_ADDRESS] = "had the address of a page of the repository; its address now ends in a number" };
	struct import *m = ctx;

	import_warn(m, page->git_path, 0, arena_printf(m->arena, "\"%s\" %s", page->title, texts[what]));
}

/* The nodes to import, all but assets without references: moves them to the beginning of the plan's list. */
static struct wanted *
keep_wanted(struct import *m, size_t *n)
{
	struct wanted *list = m->plan.wanted;
	size_t k;

	*n = 0;
	for (k = 0; k < m->plan.count; k++, mapped_trim()) {
		struct item *i = &m->plan.items[k];
		if (!i->used)
			continue;
		list[*n] = *i->wanted;
		i->wanted = &list[(*n)++];
	}
	return list;
}

/* False if the space was locked or deleted, or the job cancelled; m->state is set. */
static bool
is_still_wanted(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_space_state);

	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q))
		return import_stop(m, "failed", "the space does not exist any more");
	if (!col_null(q, 1))
		return import_stop(m, "failed", "the space is deleted");
	if (job_cancelled(m->db, m->job->id))
		return import_stop(m, "cancelled", "cancelled");
	/*
	 * A locked space still records our own export: the commit brings no new content, and
	 * without a record the next run would export it again.
	 */
	if (strcmp(col_text(q, 0), "locked") == 0 && !m->standalone && m->exported == NULL)
		return import_stop(m, "failed", "the space is locked: its content cannot be changed");
	return true;
}

/* Writes the notes of this pass and takes them off the list, for there may be another pass. */
static void
set_notes_aside(void *ctx)
{
	struct import *m = ctx;

	/*
	 * In transactions of its own, since there may be thousands of warnings; the one that
	 * publishes stays short.
	 */
	db_begin(m->db, true);
	import_write_warnings(m);
	db_commit(m->db);
	/*
	 * Take the notes off the list: another pass adds its own; after the last pass
	 * restore_notes() puts them back.
	 */
	m->notes = *m->planned.last;
	m->noted = import_mark(m);
	import_drop_warnings(m, m->planned);
}

/* Puts the notes of the last pass back on the list. */
static void
restore_notes(struct import *m)
{
	if (m->notes == NULL)
		return;
	*m->planned.last = m->notes;
	m->last_warning = m->noted.last;
	m->warning_count = m->noted.count;
}

/*
 * The first import gives the space a title and language, if it has none. Later imports do not, so
 * that a title that people removed stays removed.
 */
static void
name_space(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_synced);

	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q))
		/* Call it before import_remember(), which makes the row that q_synced looks for. */
		space_set_declared(m->db, m->job->space, m->layout.title, m->layout.language);
}

/* A standalone import always makes a revision. */
static bool
has_imported(const struct import *m, const struct upstream_result *out)
{
	return m->standalone || out->added + out->edited + out->removed > 0;
}

/* The import calls it in the transaction that publishes the revision. */
static bool
finish_import(void *ctx, const struct upstream_result *out)
{
	struct import *m = ctx;

	if (!is_still_wanted(m))
		return false;
	m->request = import_conflict_request(m, out);
	if (!m->standalone) {
		if (!m->branch_only)
			name_space(m);
		import_remember(m, out->branch);
	}
	/* Sync and export jobs end later, by themselves. */
	if (m->on_publish != NULL) {
		m->on_publish(m, out);
		return true;
	}
	job_end(m->db, m->job->id, "done", NULL, import_result(m, out->revision, has_imported(m, out)));
	return true;
}

/* The callback upstream_task.alive, called between two batches: reports progress. False: the job has to end. */
static bool
report_alive(void *ctx, const char *stage, size_t done, size_t total)
{
	struct import *m = ctx;
	int64_t now = time_now();
	bool go_on;

	/* A few times a second, also if the clock was set back. */
	if (done > 0 && now >= m->checked_at && now - m->checked_at < LOOK_MS)
		return true;
	/* The first call always checks, since done is 0. */
	m->checked_at = now;
	db_begin(m->db, false);
	go_on = is_still_wanted(m);
	db_rollback(m->db);
	return go_on && import_step(m, stage, (int64_t)done, (int64_t)total);
}

enum write_result {
	WRITE_DONE,
	WRITE_PLAN_AGAIN,   /* main changed, or a stored file is gone: a new plan may succeed */
	WRITE_STOPPED       /* m->state is set */
};

/* Runs the merge. */
static enum write_result
write_import(struct import *m)
{
	struct upstream_task task = { .author = m->job->user, .git = import_commit_json(m), .files = m->blobs,
		.exported = m->exported != NULL, .branch_only = m->branch_only, .branch = m->branch, .returned = m->returned,
		.forced = m->forced, .as_request = m->as_request, .note = note_event, .ready = set_notes_aside, .commit = finish_import, .alive = report_alive, .ctx = m };
	struct upstream_result out;
	enum upstream_end end;

	m->list = keep_wanted(m, &m->n);
	task.list = m->list;
	task.n = m->n;
	if (!m->standalone) {
		/* The plan listed the nodes of the view. */
		task.held = m->nodes;
		task.held_n = m->node_count;
	}
	/* The merge appends its notes after the plan's warnings. */
	m->planned = import_mark(m);
	m->notes = NULL;
	end = m->standalone ?
	    upstream_standalone(m->db, m->arena, m->job->space, &task, &out) :
	    upstream_take(m->db, m->arena, &m->view, &task, &out);
	if (end == UPSTREAM_DONE)
		restore_notes(m);
	if (end == UPSTREAM_DONE)
		return WRITE_DONE;
	/* The merge gave up after several passes, or the daily sweep removed a stored file. */
	if (end == UPSTREAM_BUSY || end == UPSTREAM_FILES)
		return WRITE_PLAN_AGAIN;
	/* If out.error is NULL, finish_import() or report_alive() has recorded the reason itself. */
	if (out.error != NULL)
		import_stop(m, "failed", out.error);
	return WRITE_STOPPED;
}

bool
import_take(struct import *m)
{
	/* Each plan makes many passes (merge/upstream.h). If others write the space faster than that, the job is tried again later. */
	enum { PLANS = 5 };
	enum write_result result = WRITE_PLAN_AGAIN;
	int plans;

	m->begun = import_mark(m);
	if (!read_tree(m))
		return false;
	for (plans = 0; plans < PLANS && result == WRITE_PLAN_AGAIN; plans++) {
		if (!plan_import(m) || !import_step(m, "storing files", 0, 0) || !store_files(m) ||
		    !import_step(m, "indexing", 0, 0))
			return false;
		/*
		 * A second pass costs little: words that are indexed already are found by the hash
		 * of their body.
		 */
		import_index_includes(m);
		if (!import_step(m, "writing", 0, 0))
			return false;
		result = write_import(m);
	}
	/*
	 * Release the cache early: a job that also pushes fetches again in the same process, and
	 * that fetch waits for this lock.
	 */
	git_tree_close(m->tree);
	m->tree = NULL;
	if (result == WRITE_PLAN_AGAIN)
		return import_retry(m, "the space was changed again and again while the commit was written: "
		    "do it again when fewer people write");
	return result == WRITE_DONE;
}
