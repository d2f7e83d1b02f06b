/*
 * Taking in a commit: read its tree, plan ids, order and links against what the space's
 * outside branch holds, store files, write.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/download.h"
#include "import_parts.h"
#include "search/search.h"
#include "store/computed.h"
#include "store/space.h"
#include "base/secret.h"

/* Each look is a transaction; people watch the progress a few times a second at most. */
enum { LOOK_MS = 250 };

SQL(q_space_state, "SELECT edit_mode, deleted_at, branch FROM space WHERE id = :space");
/* A row means that something was imported or exported before. */
SQL(q_synced, "SELECT 1 FROM git_sync WHERE space = :space");

/* ---- read ---- */

static void
layout_warnings(struct import *m)
{
	const struct layout_warning *w;

	for (w = m->layout.warnings; w != NULL; w = w->next)
		import_warn(m, w->file, w->line, w->message);
}

/* A computed page with nothing to show is left out of what readers see (store/computed.h). */
static void
computed_warnings(struct import *m)
{
	const struct layout_page *page;
	const char *spec;
	struct node n;

	for (page = m->layout.pages; page != NULL; page = page->next) {
		if (page->kind != LAYOUT_COMPUTED)
			continue;
		/* As the plan stores it. */
		n = (struct node){ .kind = NODE_COMPUTED, .props = arena_printf(m->arena, "{\"computed\":%s}", page->props) };
		spec = computed_spec(m->arena, &n);
		/* Of what is no specification the layout has warned. */
		if (spec != NULL && !computed_shown(m->db, m->job->space, spec))
			import_warn(m, plan_summary(&m->plan), page->line, arena_printf(m->arena, "the pages of the API description "
			    "\"%s\" are left out, since the organization has no specification of that name that could be read", spec));
	}
}

/* At the arena's end, where the job was left in the middle: gives up the shared lock of the cache. */
static void
close_tree(void *tree)
{
	git_tree_close(tree);
}

/* A page, or an image, as the upstream branch has it. */
struct known {
	const char *oid;
	struct str  front, body;   /* the body's hash */
};

static bool
known_page(void *ctx, const struct layout_entry *e, struct str *front, struct str *body)
{
	const struct known *k = map_get(ctx, e->path);

	if (k == NULL || strcmp(k->oid, e->oid) != 0)
		return false;
	*front = k->front;
	*body = k->body;
	return true;
}

/* Files that store_files() found to be images; others may be pointers of git LFS, of which the admin is told each time. */
static bool
is_image(const struct node *n)
{
	return n->kind == NODE_FILE && strstr(n->props, "\"width\":") != NULL;
}

static void
note_known(struct import *m, const struct node *n)
{
	struct known *k;

	if ((n->kind != NODE_DOCUMENT && !is_image(n)) || n->git_path == NULL || n->git_oid == NULL || n->body.n == 0)
		return;
	k = arena_alloc(m->arena, sizeof(*k));
	*k = (struct known){ n->git_oid, STR(""), n->body };
	if (n->kind == NODE_DOCUMENT)
		k->front = node_front(m->db, m->arena, n);
	map_add(m->source.known_ctx, str_of(n->git_path), k);
}

const struct node *
import_held(struct import *m, const struct point *at)
{
	if (m->held == NULL || !point_same(&m->held_at, at)) {
		m->held = node_list(m->db, m->arena, at, UPSTREAM_KINDS, &m->held_n);
		m->held_at = *at;
	}
	return m->held;
}

/*
 * The pages of the commit that was taken in last are in the database: of this one, only what
 * differs is read. The upstream branch is asked, also where the commit was exported: main may have
 * changed a page since it took the file in whose name it bears.
 */
static void
know_pages(struct import *m)
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
		list = import_held(m, &held);
		for (i = 0; i < m->held_n; i++) {
			note_known(m, &list[i]);
			if (list[i].kind == NODE_SETTING && strcmp(list[i].id, LAYOUT_BOOK) == 0)
				m->source.known_book = list[i].git_oid;
		}
	}
	db_rollback(m->db);
}

static bool
read_tree(struct import *m)
{
	const char *cache = import_cache(m->arena, m->set, m->url);
	const struct settings *s = m->set;
	/*
	 * Deeper trees are refused when they are published (merge/upstream.h); the layout says
	 * so earlier and with the file.
	 */
	int64_t depth = s->import_depth < PAGE_DEPTH ? s->import_depth : PAGE_DEPTH;
	struct layout_limits limits = { (size_t)s->import_pages, (size_t)depth,
		s->import_page_bytes, s->import_file_bytes, 1024 };
	char why[512];

	if (!import_step(m, "reading", 0, 0))
		return false;
	/* 500000 entries at 400 bytes (git_jobs.h) are 200 MB of this job's arena. */
	m->tree = git_tree_open(m->arena, cache, m->got.commit, 500000, why, sizeof(why));
	if (m->tree == NULL)
		return import_unread(m, m->got.commit, arena_strdup(m->arena, why));
	arena_on_end(m->arena, close_tree, m->tree);
	git_tree_limit(m->tree, s->import_file_bytes);
	m->source = git_tree_source(m->tree);
	know_pages(m);
	if (!layout_read(m->arena, &m->source, m->dir, &limits, &m->layout))
		/* Among the reasons is a file that cannot be read. */
		return import_unread(m, m->got.commit, m->layout.error_file == NULL ? m->layout.error :
		    arena_printf(m->arena, "%s: %s", m->layout.error_file, m->layout.error));
	return true;
}

/* ---- plan ---- */

/*
 * Three messages, for three remedies: correct the link, list the page, or bring the file where
 * it is imported.
 */
static void
warn_unresolved(void *ctx, const char *file, size_t line, struct str spelling,
    const struct layout_entry *left_out)
{
	/* A data: address may be megabytes long; 200 bytes are enough to find it. */
	int n = (int)(spelling.n < 200 ? spelling.n : 200);
	struct import *m = ctx;
	const char *message;

	m->unresolved++;
	if (left_out == NULL)
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
not_included(void *ctx, const char *file, size_t line, struct str spelling, const char *why)
{
	struct import *m = ctx;

	m->unresolved++;
	import_warn(m, file, line, arena_printf(m->arena, "\"%.*s\" is not included: %s",
	    (int)(spelling.n < 200 ? spelling.n : 200), spelling.p, why));
}

static void
no_place(void *ctx, const char *file, size_t line, struct str spelling)
{
	struct import *m = ctx;

	import_warn(m, file, line, arena_printf(m->arena, "no heading or other place of the page is named by \"%.*s\"",
	    (int)(spelling.n < 200 ? spelling.n : 200), spelling.p));
}

/*
 * The page is imported all the same: its source is what the repository holds, and an export has
 * to give it back.
 */
static void
warn_over_limit(void *ctx, const char *file, size_t line, const char *message)
{
	struct import *m = ctx;

	import_warn(m, file, line, arena_printf(m->arena, "the document %s; the page is kept, and what is beyond "
	    "the limit is shown as its source", message));
}

/* Kept for the same reason. Readers do not see it, nor what it is a condition of. */
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

/* In reading order, so that of two groups of one title each stays itself. */
static void
add_pages(const struct page *p, struct node *list, size_t *n)
{
	for (; p != NULL; p = p->next) {
		list[(*n)++] = p->node;
		add_pages(p->first, list, n);
	}
}

/* Those of some kinds out of a list. */
static size_t
pick_kinds(const struct node *from, size_t n, unsigned kinds, struct node *to)
{
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		if (from[i].kind & kinds)
			to[count++] = from[i];
	return count;
}

/* The paths that they had in this repository, in place of those that they have in another one. */
static void
use_pair(struct import *m, struct node *all, size_t n)
{
	struct map *taken = map_new(m->arena);
	const char *path;
	size_t i;

	for (i = 0; i < n; i++)
		if (all[i].kind != NODE_SETTING && (path = map_get(m->pair, str_of(all[i].id))) != NULL) {
			all[i].git_path = path;
			map_add(taken, str_of(path), m);
		}
	for (i = 0; i < n; i++)
		if (all[i].kind != NODE_SETTING && all[i].git_path != NULL && !map_has(m->pair, str_of(all[i].id)) &&
		    map_has(taken, str_of(all[i].git_path)))
			all[i].git_path = NULL;
}

/* What the view holds; after an export, with the files that it gave. */
static struct node *
held_before(struct import *m, size_t *n)
{
	const struct node *held = import_held(m, &m->view);
	struct node *all = arena_array(m->arena, m->held_n + 1, sizeof(*all));
	struct node *pages = arena_array(m->arena, m->held_n + 1, sizeof(*pages));
	size_t count = pick_kinds(held, m->held_n, NODE_PAGES, pages), i;
	const char *path;

	*n = 0;
	add_pages(page_tree_of(m->arena, pages, count), all, n);
	*n += pick_kinds(held, m->held_n, NODE_FILE | NODE_REUSABLE | NODE_SETTING, all + *n);
	for (i = 0; m->exported != NULL && i < *n; i++) {
		path = all[i].kind == NODE_SETTING ? NULL : map_get(m->paths, str_of(all[i].id));
		/*
		 * The pages have files since the push; main is not told yet, and without their
		 * paths every page would be planned as a new one. Paths of another repository
		 * mean nothing in this one.
		 */
		if (path != NULL || (m->beside && all[i].kind != NODE_SETTING))
			all[i].git_path = path;
	}
	if (m->pair != NULL)
		use_pair(m, all, *n);
	return all;
}

static bool
refs_before(void *ctx, const struct node *old, struct str *out)
{
	struct import *m = ctx;

	return blob_get(m->db, m->arena, old->refs, out);
}

/* A commit that changed pages alone: the others are not read again. */
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

/* What is new here is as old as the commit that it came with; no older than what the clock can show, and no younger than now. */
static void
date_new(struct import *m)
{
	struct git_dated *list = arena_array(m->arena, m->plan.count, sizeof(*list));
	struct item **items = arena_array(m->arena, m->plan.count, sizeof(*items));
	size_t i, n = 0;

	for (i = 0; i < m->plan.count; i++)
		if (m->plan.items[i].old == NULL && m->plan.items[i].file != NULL &&
		    m->plan.items[i].wanted->node.kind != NODE_SETTING) {
			list[n] = (struct git_dated){ .path = m->plan.items[i].wanted->node.git_path,
				.oid = m->plan.items[i].wanted->node.git_oid };
			items[n++] = &m->plan.items[i];
		}
	if (n == 0)
		return;
	git_date_files(m->arena, import_cache(m->arena, m->set, m->url), m->got.commit, list, n);
	for (i = 0; i < n; i++)
		if (list[i].at > 0 && list[i].at < m->plan.now)
			items[i]->wanted->node.at = items[i]->wanted->node.made = list[i].at;
}

static bool
plan_import(struct import *m)
{
	struct node *old = NULL;
	size_t old_n = 0;

	m->plan = (struct plan){ .arena = m->arena, .layout = &m->layout, .now = time_now(),
		.unresolved = warn_unresolved, .not_included = not_included, .refs_before = refs_before, .ctx = m };
	/* Of what was written from here nobody is told; then the pages need not be read for it. */
	if (m->exported == NULL) {
		/* They need the places, limits and expressions of every page, which are costly to read. */
		m->plan.no_place = no_place;
		m->plan.beyond = warn_over_limit;
		m->plan.unread = warn_unread;
		m->plan.undated = warn_undated;
	}
	/* A second try tells everything again. */
	import_unwarn(m, m->begun);
	m->unresolved = 0;
	/* After the mark was restored, or the second pass would drop them. */
	layout_warnings(m);
	db_begin(m->db, false);
	if (m->exported != NULL)
		/*
		 * The state that the commit was made of, so that the plan finds each of its
		 * pages; main may have gone on.
		 */
		m->view = *m->exported;
	else if (!source_view(m, &m->view)) {
		db_rollback(m->db);
		return import_stop(m, "failed", "the space does not exist any more");
	}
	m->branch = source_branch(m);
	old = held_before(m, &old_n);
	if (m->exported == NULL)
		computed_warnings(m);
	db_rollback(m->db);
	plan_items(&m->plan);
	plan_ids(&m->plan, old, old_n);
	reuse_pages(m);
	plan_fill(&m->plan);
	if (m->exported == NULL)
		date_new(m);
	if (!m->plan.unreadable)
		return true;
	/* Its lock is in the way of whoever looks at the cache, and of emptying it. */
	git_tree_close(m->tree);
	return import_unread(m, m->got.commit, "a file of the commit cannot be read from the cache");
}

/* ---- files ---- */

/*
 * True where the import goes on: a file that cannot be read is told and left out, for one large
 * video must not stop all else. False: storing failed, m->state.
 */
static bool
keep_file(struct import *m, struct item *i, struct arena *scratch)
{
	struct layout_source src = git_tree_source(m->tree);
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

/* The bytes of a file whose blob id did not change are here already. */
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

/* Ten times a second, as often as anybody looks; false when it shall end. */
static bool
report_storing(struct import *m, int64_t done)
{
	int64_t now = time_steady();

	/* ms of time_steady(); each report is a write transaction. */
	if (now - m->told < 100)
		return true;
	m->told = now;
	return import_step(m, "storing files", done, (int64_t)m->plan.count);
}

static bool
store_files(struct import *m)
{
	/* One file at a time: the memory of an import does not grow with the bytes of its files. */
	struct arena *scratch = arena_new((size_t)m->set->import_file_bytes * 2 + (1 << 20));
	const char *why;
	bool ok = true;
	size_t k;

	m->blobs = blob_batch_new(m->arena, m->set->dir);
	for (k = 0; k < m->plan.count && ok; k++) {
		struct item *i = &m->plan.items[k];
		if (i->wanted->node.kind != NODE_FILE || !i->used || known_file(i))
			continue;
		ok = report_storing(m, (int64_t)k) &&
		    keep_file(m, i, scratch);
		arena_reset(scratch);
	}
	arena_free(scratch);
	if (!ok) {
		/* Whoever reads that the import ended finds nothing of it. */
		blob_batch_drop(m->blobs);
		return false;
	}
	/*
	 * One sync for all of them, before any row names one: a row whose file a crash took away
	 * would be worse than a file without a row, which the sweep removes.
	 */
	if (!blob_batch_sync(m->blobs, &why))
		return import_stop(m, "failed", why);
	return true;
}

/* ---- write ---- */

/* Called by the merge, once a pass; set_notes_aside() puts the notes of a pass that was not the last aside. */
static void
note_event(void *ctx, enum upstream_event what, const struct node *page)
{
	static const char *const texts[] = {
		[UPSTREAM_BOTH] = "was changed here as well, and the two clash; the version that was here is "
		    "shown, the repository's is in a change request",
		[UPSTREAM_MOVED] = "stood below a page that is not there any more, or below itself; it was "
		    "moved to the nearest place that is left",
		[UPSTREAM_ADDRESS] = "had the address of a page of the repository; it has a number behind it "
		    "now" };
	struct import *m = ctx;

	import_warn(m, page->git_path, 0, arena_printf(m->arena, "\"%s\" %s", page->title, texts[what]));
}

/* The pages' words go into the index before the write lock is taken for the revision. */
static void
index_pages(struct import *m)
{
	struct search_source *list = arena_array(m->arena, m->plan.count, sizeof(*list));
	size_t k, n = 0;

	/* It does not change what the space shows, so nothing of it is to be found by search. */
	if (m->alone)
		return;
	for (k = 0; k < m->plan.count; k++) {
		struct wanted *w = m->plan.items[k].wanted;
		if (!m->plan.items[k].used || m->plan.items[k].kept || w->node.kind != NODE_DOCUMENT)
			continue;
		/*
		 * The key under which search keeps the words of a body; the merge computes the
		 * same one later.
		 */
		w->node.body = hash_of(m->arena, w->body);
		list[n] = (struct search_source){ .node = &w->node, .body = w->body };
		/* What was read was the body alone. */
		if (!includes_put_in(&m->plan, &m->plan.items[k], &list[n]) && m->plan.items[k].looked)
			list[n].read = &m->plan.items[k].read;
		n++;
	}
	search_ahead(m->db, m->arena, m->job->space, list, n, NULL, NULL);
}

/* What is kept, without the assets that nothing refers to. */
static struct wanted *
keep_wanted(struct import *m, size_t *n)
{
	struct wanted *list = arena_array(m->arena, m->plan.count, sizeof(*list));
	size_t k;

	*n = 0;
	for (k = 0; k < m->plan.count; k++)
		if (m->plan.items[k].used)
			list[(*n)++] = *m->plan.items[k].wanted;
	return list;
}

/* May it go on? Locked, deleted or cancelled since it was asked for: false, m->state. */
static bool
wanted_still(struct import *m)
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
	 * An export's own commit brings no new content, and its record has to be written or the
	 * next run would export it again.
	 */
	if (strcmp(col_text(q, 0), "locked") == 0 && !m->alone && m->exported == NULL)
		return import_stop(m, "failed", "the space is locked: its content cannot be changed");
	return true;
}

/* What this pass noted is written, and set aside, for there may be another pass. */
static void
set_notes_aside(void *ctx)
{
	struct import *m = ctx;

	/*
	 * In transactions of its own, as the warnings may be thousands, and only then the short
	 * one that publishes.
	 */
	db_begin(m->db, true);
	import_write_warnings(m);
	db_commit(m->db);
	/*
	 * Taken off the list: another pass notes again, and the caller of the last one gets them
	 * back (keep_notes()).
	 */
	m->notes = *m->planned.last;
	m->noted = import_mark(m);
	import_unwarn(m, m->planned);
}

/* The pass was the last one: its notes stay. */
static void
keep_notes(struct import *m)
{
	if (m->notes == NULL)
		return;
	*m->planned.last = m->notes;
	m->last_warning = m->noted.last;
	m->warning_count = m->noted.count;
}

/* The first import names a space that nobody named; what people took away later stays away. */
static void
name_space(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_synced);

	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q))
		/* Before import_remember(), which makes the row that this looks for. */
		space_told(m->db, m->job->space, m->layout.title, m->layout.language);
}

/* A forced import makes a revision of what is as it was. */
static bool
took_something(const struct import *m, const struct upstream_result *out)
{
	return m->alone || out->added + out->edited + out->removed > 0;
}

/* With the revision, in its transaction. */
static bool
finish_import(void *ctx, const struct upstream_result *out)
{
	struct import *m = ctx;

	if (!wanted_still(m))
		return false;
	m->request = import_aside(m, out);
	if (!m->alone) {
		if (!m->beside)
			name_space(m);
		import_remember(m, out->branch);
	}
	/* A job that does more than taking in ends later, by itself. */
	if (m->taken != NULL) {
		m->taken(m, out);
		return true;
	}
	job_end(m->db, m->job->id, "done", NULL, import_result(m, out->revision, took_something(m, out)));
	return true;
}

/* Between two batches: is it still wanted, and may it still be written? */
static bool
is_alive(void *ctx, const char *stage, size_t done, size_t total)
{
	struct import *m = ctx;
	int64_t now = time_now();
	bool go_on;

	/* Told a few times a second, also where the clock was set back. */
	if (done > 0 && now >= m->looked && now - m->looked < LOOK_MS)
		return true;
	/* The first call always looks: done is 0. */
	m->looked = now;
	db_begin(m->db, false);
	go_on = wanted_still(m);
	db_rollback(m->db);
	return go_on && import_step(m, stage, (int64_t)done, (int64_t)total);
}

/* 1: done; 0: again; -1: stop. */
static int
write_import(struct import *m)
{
	struct upstream_task task = { .author = m->job->user, .git = import_commit_json(m), .files = m->blobs,
		.exported = m->exported != NULL, .beside = m->beside, .branch = m->branch, .returned = m->returned,
		.forced = m->forced, .aside = m->aside, .note = note_event, .ready = set_notes_aside, .commit = finish_import, .alive = is_alive, .ctx = m };
	struct upstream_result out;
	enum upstream_end end;

	m->list = keep_wanted(m, &m->n);
	task.list = m->list;
	task.n = m->n;
	if (!m->alone) {
		/* Of the view, by the plan. */
		task.held = m->held;
		task.held_n = m->held_n;
	}
	/* Behind the warnings of the plan; notes of the merge are appended from here. */
	m->planned = import_mark(m);
	m->notes = NULL;
	end = m->alone ?
	    upstream_standalone(m->db, m->arena, m->job->space, &task, &out) :
	    upstream_take(m->db, m->arena, &m->view, &task, &out);
	if (end == UPSTREAM_DONE)
		keep_notes(m);
	/*
	 * BUSY and FILES: the merge tried several passes already, or the daily sweep took a
	 * stored file; a new plan may succeed.
	 */
	if (end == UPSTREAM_DONE || end == UPSTREAM_BUSY || end == UPSTREAM_FILES)
		return end == UPSTREAM_DONE;
	/* Otherwise finish_import() or is_alive() noted the reason itself. */
	if (out.error != NULL)
		import_stop(m, "failed", out.error);
	return -1;
}

bool
import_take(struct import *m)
{
	int tries, rc = 0;

	m->begun = import_mark(m);
	if (!read_tree(m))
		return false;
	/*
	 * Five plans of many passes each (merge/upstream.h); a space that is written faster than
	 * that is left for later.
	 */
	for (tries = 0; tries < 5 && rc == 0; tries++) {
		if (!plan_import(m) || !import_step(m, "storing files", 0, 0) || !store_files(m) ||
		    !import_step(m, "indexing", 0, 0))
			return false;
		/*
		 * Words of bodies that are published already are found under their hash, so a
		 * second pass costs little.
		 */
		index_pages(m);
		if (!import_step(m, "writing", 0, 0))
			return false;
		rc = write_import(m);
	}
	/*
	 * Early, since a job that also pushes needs the cache: its next fetch waits for this
	 * lock, in the same process.
	 */
	git_tree_close(m->tree);
	m->tree = NULL;
	if (rc == 0)
		return import_again(m, "the space was changed again and again while the commit was written: "
		    "do it again when fewer people write");
	return rc > 0;
}
