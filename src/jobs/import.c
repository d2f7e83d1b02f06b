/*
 * The import job: fetch, read, plan, write.
 *
 *  1 fetch the ref into DIR/cache/git/<hash of the address> (a child process)
 *  2 the same commit as last time, and nothing forced: done, no new revision
 *  3 read the tree (layout), bytes of the files that are kept to DIR/blobs
 *  4 plan ids, order and links against what the space's outside branch holds
 *  5 write: the revision is staged in short transactions, and published in one,
 *    with git_sync and the end of the job (merge/upstream.h). Whoever merges
 *    meanwhile is not kept waiting: what they change is planned again.
 *
 * The space shows the new revision all at once or not at all. A failure that
 * may pass (network) is tried again after 10 s, 1 min, 5 min; all else ends the
 * job with a message for the admin. An import whose `timestamp` is older than
 * that of the last one is stale and changes nothing, unless forced; the result of
 * a job that changed nothing says so ("skipped": unchanged, outdated).
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git/credentials.h"
#include "app/download.h"
#include "git/git.h"
#include "jobs/import.h"
#include "import_plan.h"
#include "search/search.h"
#include "base/secret.h"

enum { MAX_ATTEMPTS = 4, MAX_WARNINGS = 10000, LOOK_MS = 250 };

SQL(q_sync, "SELECT url, ref, project_dir, commit_oid, stamp FROM git_sync WHERE space = :space");
SQL(q_sync_put,
    "INSERT INTO git_sync (space, branch, url, ref, project_dir, provider, info_url, tree_url, "
    "commit_url, commit_oid, root, stamp, updated_at) VALUES (:space, :branch, :url, :ref, "
    ":project_dir, :provider, :info_url, :tree_url, :commit_url, :oid, :root, :stamp, :now) "
    "ON CONFLICT (space) DO UPDATE SET branch = excluded.branch, url = excluded.url, "
    "ref = excluded.ref, project_dir = excluded.project_dir, "
    "provider = COALESCE(excluded.provider, git_sync.provider), "
    "info_url = COALESCE(excluded.info_url, git_sync.info_url), "
    "tree_url = COALESCE(excluded.tree_url, git_sync.tree_url), "
    "commit_url = COALESCE(excluded.commit_url, git_sync.commit_url), "
    "commit_oid = excluded.commit_oid, root = excluded.root, "
    "stamp = COALESCE(excluded.stamp, git_sync.stamp), updated_at = excluded.updated_at");
SQL(q_space_state, "SELECT edit_mode, deleted_at, branch FROM space WHERE id = :space");
SQL(q_main_revision,
    "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch "
    "JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = :space");

struct warning {
	struct warning *next;
	const char     *file;
	size_t          line;
	const char     *message;
};

struct import {
	struct db             *db;
	const struct settings *set;
	const struct job      *job;
	struct arena          *arena;
	const cJSON           *args;
	const char            *url, *ref, *dir;
	struct git_result      got;
	const char            *skipped;      /* why nothing was imported; NULL: it was */
	struct git_tree       *tree;
	struct layout_source   source;   /* the layout reads it as long as it is asked */
	struct layout          layout;
	struct plan            plan;
	struct blob_batch     *blobs;
	struct point           view;
	struct wanted         *list;     /* what is kept */
	size_t                 n;
	struct warning       **planned;  /* behind those of the plan */
	size_t                 planned_count;
	size_t                 warned;   /* warnings that are written, with the notes of the last pass */
	struct warning        *warnings, **last_warning;
	size_t                 warning_count, unresolved;
	int64_t                deadline;       /* ms of time_steady() */
	int64_t                told;           /* the same: when it last said how many files it has */
	int64_t                looked;         /* ms: when it was asked last whether to go on */
	const char            *state;          /* how it ends, where it ends early */
	const char            *error;
};

static const char *
text_arg(const struct import *m, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(m->args, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

static bool
flag_arg(const struct import *m, const char *name)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(m->args, name));
}

static const char *
info_arg(const struct import *m, const char *name)
{
	const cJSON *info = cJSON_GetObjectItemCaseSensitive(m->args, "gitInfo");
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(info, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

static bool
stop(struct import *m, const char *state, const char *error)
{
	m->state = state;
	m->error = error;
	return false;
}

/* Shows where it is; false when it shall end. */
static bool
step(struct import *m, const char *stage, int64_t done, int64_t total)
{
	if (!job_progress(m->db, m->job->id, stage, done, total))
		return stop(m, "cancelled", "cancelled");
	if (time_steady() > m->deadline)
		return stop(m, "timeout", arena_printf(m->arena,
		    "not done after %lld seconds (OCTAVO_IMPORT_SECONDS)",
		    (long long)m->set->import_seconds));
	return true;
}

static void
warn(struct import *m, const char *file, size_t line, const char *message)
{
	struct warning *w;

	if (m->warning_count++ >= MAX_WARNINGS)
		return;
	w = arena_alloc(m->arena, sizeof(*w));
	*w = (struct warning){ NULL, file != NULL ? file : "", line, message };
	*m->last_warning = w;
	m->last_warning = &w->next;
}

/* ---- fetch ---- */

static bool
fetch_progress(void *ctx, int64_t received, int64_t total, int64_t bytes)
{
	struct import *m = ctx;

	(void)bytes;
	return step(m, "fetching", received, total);
}

static char *
cache_dir(struct import *m)
{
	struct str h = hash_of(m->arena, str_of(m->url));

	return arena_printf(m->arena, "%s/cache/git/%.32s", m->set->dir, hex(m->arena, h));
}

static const char *
end_state(enum git_status s)
{
	return s == GIT_TIMEOUT ? "timeout" : s == GIT_CANCELLED ? "cancelled" : "failed";
}

static bool
fetch(struct import *m, char *cache)
{
	struct git_request q = { .url = m->url, .ref = m->ref, .cache = cache,
		.file_root = flag_arg(m, "local") ? "" : m->set->git_root[0] ? m->set->git_root : NULL,
		.private_hosts = flag_arg(m, "local") || m->set->git_private,
		.limits = { m->set->git_seconds, m->set->git_bytes, m->set->git_objects,
		    m->set->git_memory },
		.progress = fetch_progress, .ctx = m };

	if (!credentials_unseal(m->arena, m->job->secret, &q.username, &q.password))
		return stop(m, "failed", "the stored credentials cannot be read: was octavo.key replaced?");
	if (!step(m, "fetching", 0, 0))
		return false;
	m->got = git_fetch(&q);
	if (m->got.status == GIT_DONE)
		return true;
	if (m->state != NULL)
		return false;
	if (m->got.status == GIT_FAILED && m->job->attempts < MAX_ATTEMPTS)
		return stop(m, "queued", arena_strdup(m->arena, m->got.message));
	return stop(m, end_state(m->got.status), arena_strdup(m->arena, m->got.message));
}

static bool
same_or_none(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/* Why there is nothing to do: the commit is shown already, or the event is older than the last one. NULL: there is. */
static const char *
stale(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_sync);
	const char *stamp = text_arg(m, "timestamp");
	bool same, old;
	int64_t at;

	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q))
		return NULL;
	same = same_or_none(col_text(q, 0), m->url) && same_or_none(col_text(q, 2), m->dir) &&
	    same_or_none(col_text(q, 3), m->got.commit);
	old = stamp != NULL && time_parse(stamp, &at) && at < col_int(q, 4);
	db_rollback(m->db);
	if (flag_arg(m, "force") || flag_arg(m, "standalone"))
		return NULL;
	return same ? "unchanged" : old ? "outdated" : NULL;
}

/* ---- read ---- */

static void
layout_warnings(struct import *m)
{
	const struct layout_warning *w;

	for (w = m->layout.warnings; w != NULL; w = w->next)
		warn(m, w->file, w->line, w->message);
}

static bool
read_tree(struct import *m, const char *cache)
{
	const struct settings *s = m->set;
	int64_t depth = s->import_depth < PAGE_DEPTH ? s->import_depth : PAGE_DEPTH;
	struct layout_limits limits = { (size_t)s->import_pages, (size_t)depth,
		s->import_page_bytes, s->import_file_bytes, 1024 };
	char why[512];

	if (!step(m, "reading", 0, 0))
		return false;
	m->tree = git_tree_open(m->arena, cache, m->got.commit, 500000, why, sizeof(why));
	if (m->tree == NULL)
		return stop(m, "failed", arena_strdup(m->arena, why));
	git_tree_limit(m->tree, s->import_file_bytes);
	m->source = git_tree_source(m->tree);
	if (!layout_read(m->arena, &m->source, m->dir, &limits, &m->layout))
		return stop(m, "failed", m->layout.error_file == NULL ? m->layout.error :
		    arena_printf(m->arena, "%s: %s", m->layout.error_file, m->layout.error));
	return true;
}

/* ---- plan ---- */

static void
unresolved(void *ctx, const char *file, size_t line, struct str spelling,
    const struct layout_entry *left_out)
{
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
	warn(m, file, line, message);
}

static void
no_place(void *ctx, const char *file, size_t line, struct str spelling)
{
	struct import *m = ctx;

	warn(m, file, line, arena_printf(m->arena, "no heading or other place of the page is named by \"%.*s\"",
	    (int)(spelling.n < 200 ? spelling.n : 200), spelling.p));
}

static void
beyond(void *ctx, const char *file, size_t line, const char *message)
{
	struct import *m = ctx;

	warn(m, file, line, arena_printf(m->arena, "the document %s; the page is kept, and what is beyond "
	    "the limit is shown as its source", message));
}

static bool
plan(struct import *m)
{
	struct node *old = NULL;
	size_t old_n = 0;

	m->plan = (struct plan){ .arena = m->arena, .layout = &m->layout, .now = time_now(),
		.unresolved = unresolved, .no_place = no_place, .beyond = beyond, .ctx = m };
	/* A second try tells everything again. */
	m->warnings = NULL;
	m->last_warning = &m->warnings;
	m->warning_count = m->unresolved = 0;
	layout_warnings(m);
	db_begin(m->db, false);
	if (!upstream_view(m->db, m->arena, m->job->space, &m->view)) {
		db_rollback(m->db);
		return stop(m, "failed", "the space does not exist any more");
	}
	old = node_list(m->db, m->arena, &m->view,
	    NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &old_n);
	db_rollback(m->db);
	plan_items(&m->plan);
	plan_ids(&m->plan, old, old_n);
	plan_fill(&m->plan);
	return true;
}

/* ---- files ---- */

static bool
keep_file(struct import *m, struct item *i, struct arena *scratch)
{
	struct layout_source src = git_tree_source(m->tree);
	int w, h;
	struct str bytes;
	const char *why;

	if (!src.read(src.ctx, scratch, i->file, &bytes)) {
		warn(m, i->wanted->node.git_path, 0, "the file cannot be read; it is left out");
		i->used = false;
		return true;
	}
	if (!blob_batch_add(m->blobs, bytes, &i->wanted->node.body, &why))
		return stop(m, "failed", why);
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
storing(struct import *m, int64_t done)
{
	int64_t now = time_steady();

	if (now - m->told < 100)
		return true;
	m->told = now;
	return step(m, "storing files", done, (int64_t)m->plan.count);
}

static bool
files(struct import *m)
{
	struct arena *scratch = arena_new((size_t)m->set->import_file_bytes * 2 + (1 << 20));
	const char *why;
	bool ok = true;
	size_t k;

	m->blobs = blob_batch_new(m->arena, m->set->dir);
	for (k = 0; k < m->plan.count && ok; k++) {
		struct item *i = &m->plan.items[k];
		if (i->wanted->node.kind != NODE_FILE || !i->used || known_file(i))
			continue;
		ok = storing(m, (int64_t)k) &&
		    keep_file(m, i, scratch);
		arena_reset(scratch);
	}
	arena_free(scratch);
	if (!ok)
		return false;
	if (!blob_batch_sync(m->blobs, &why))
		return stop(m, "failed", why);
	return true;
}

/* ---- write ---- */

static char *
commit_json(struct import *m)
{
	const char *commit_url = text_arg(m, "repoCommitURL");
	struct json j;
	struct buf b;

	buf_init(&b, m->arena, 4 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "oid", m->got.commit);
	json_kstr(&j, "message", git_tree_message(m->tree));
	json_kbool(&j, "createdByGitBook", false);
	if (commit_url != NULL)
		json_kstr(&j, "url", arena_printf(m->arena, "%s/%s", commit_url, m->got.commit));
	json_kstr(&j, "ref", m->got.ref);
	json_end(&j);
	return b.p;
}

static void
remember_sync(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_sync_put);
	const char *stamp = text_arg(m, "timestamp");
	int64_t at;

	bind_text(q, ":space", m->job->space);
	bind_int(q, ":branch", upstream_branch(m->db, m->job->space));
	bind_text(q, ":url", m->url);
	bind_text(q, ":ref", m->got.ref);
	bind_text(q, ":project_dir", m->dir);
	bind_text(q, ":provider", info_arg(m, "provider"));
	bind_text(q, ":info_url", info_arg(m, "url"));
	bind_text(q, ":tree_url", text_arg(m, "repoTreeURL"));
	bind_text(q, ":commit_url", text_arg(m, "repoCommitURL"));
	bind_text(q, ":oid", m->got.commit);
	bind_text(q, ":root", m->layout.root);
	if (stamp != NULL && time_parse(stamp, &at))
		bind_int(q, ":stamp", at);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

static size_t
count_kind(const struct wanted *list, size_t n, enum node_kind kind)
{
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		count += list[i].node.kind == kind;
	return count;
}

static char *
result_json(struct import *m, const char *revision, bool changed)
{
	const struct wanted *list = m->list;
	size_t n = m->n;
	struct json j;
	struct buf b;

	buf_init(&b, m->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "space", m->job->space);
	json_kstr(&j, "revision", revision);
	json_kstr(&j, "commit", m->got.commit);
	json_kbool(&j, "changed", changed);
	if (m->skipped != NULL)
		json_kstr(&j, "skipped", m->skipped);
	if (list != NULL) {
		json_kint(&j, "pages", (int64_t)count_kind(list, n, NODE_DOCUMENT));
		json_kint(&j, "groups", (int64_t)count_kind(list, n, NODE_GROUP));
		json_kint(&j, "links", (int64_t)count_kind(list, n, NODE_LINK));
		json_kint(&j, "computed", (int64_t)count_kind(list, n, NODE_COMPUTED));
		json_kint(&j, "files", (int64_t)count_kind(list, n, NODE_FILE));
		json_kint(&j, "reusableContents", (int64_t)count_kind(list, n, NODE_REUSABLE));
		json_kint(&j, "unresolvedLinks", (int64_t)m->unresolved);
	}
	json_kint(&j, "warnings", (int64_t)m->warned);
	json_end(&j);
	return b.p;
}

static void
note(void *ctx, enum upstream_event what, const struct node *page)
{
	static const char *const texts[] = {
		[UPSTREAM_BOTH] = "was changed here as well; the repository's version is shown, the other "
		    "one is in the revision before",
		[UPSTREAM_MOVED] = "stood below a page that is not there any more, or below itself; it was "
		    "moved to the nearest place that is left",
		[UPSTREAM_ADDRESS] = "had the address of a page of the repository; it has a number behind it "
		    "now" };
	struct import *m = ctx;

	warn(m, page->git_path, 0, arena_printf(m->arena, "\"%s\" %s", page->title, texts[what]));
}

/* The pages' words go into the index before the write lock is taken for the revision. */
static void
index_pages(struct import *m)
{
	struct search_source *list = arena_array(m->arena, m->plan.count, sizeof(*list));
	size_t k, n = 0;

	if (flag_arg(m, "standalone"))
		return;
	for (k = 0; k < m->plan.count; k++) {
		struct wanted *w = m->plan.items[k].wanted;
		if (!m->plan.items[k].used || w->node.kind != NODE_DOCUMENT)
			continue;
		w->node.body = hash_of(m->arena, w->body);
		list[n++] = (struct search_source){ &w->node, w->body, m->plan.items[k].links };
	}
	search_ahead(m->db, m->arena, m->job->space, list, n, NULL, NULL);
}

/* What is kept, without the assets that nothing refers to. */
static struct wanted *
kept(struct import *m, size_t *n)
{
	struct wanted *list = arena_array(m->arena, m->plan.count, sizeof(*list));
	size_t k;

	*n = 0;
	for (k = 0; k < m->plan.count; k++)
		if (m->plan.items[k].used)
			list[(*n)++] = *m->plan.items[k].wanted;
	return list;
}

/* In the open transaction, or as many as it takes: nobody asks for them before the job has ended. */
static void
write_warnings(struct import *m)
{
	const struct warning *w;
	int64_t n = 0;

	job_unwarn(m->db, m->job->id);
	for (w = m->warnings; w != NULL; w = w->next, db_breathe(m->db))
		job_warn(m->db, m->job->id, n++, w->file, w->line, w->message);
	m->warned = m->warning_count;
}

/* Locked or deleted since it was asked for. */
static const char *
refused(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_space_state);

	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q))
		return "the space does not exist any more";
	if (!col_null(q, 1))
		return "the space is deleted";
	if (strcmp(col_text(q, 0), "locked") == 0 && !flag_arg(m, "standalone"))
		return "the space is locked: its content cannot be changed";
	return NULL;
}

/* What this pass noted is written, and forgotten again, for there may be another pass. */
static void
ready(void *ctx)
{
	struct import *m = ctx;

	db_begin(m->db, true);
	write_warnings(m);
	db_commit(m->db);
	m->last_warning = m->planned;
	*m->planned = NULL;
	m->warning_count = m->planned_count;
}

/* With the revision, in its transaction. */
static bool
finish(void *ctx, const struct upstream_result *out)
{
	struct import *m = ctx;
	const char *why = refused(m);

	if (why != NULL)
		return stop(m, "failed", why);
	if (!flag_arg(m, "standalone"))
		remember_sync(m);
	job_end(m->db, m->job->id, "done", NULL, result_json(m, out->revision, out->changed));
	return true;
}

/* Between two batches: is it still wanted, and may it still be written? */
static bool
alive(void *ctx, const char *stage, size_t done, size_t total)
{
	struct import *m = ctx;
	int64_t now = time_now();
	const char *why;

	/* Told a few times a second, also where the clock was set back. */
	if (done > 0 && now >= m->looked && now - m->looked < LOOK_MS)
		return true;
	m->looked = now;
	db_begin(m->db, false);
	why = refused(m);
	db_rollback(m->db);
	if (why != NULL)
		return stop(m, "failed", why);
	return step(m, stage, (int64_t)done, (int64_t)total);
}

/* 1: done; 0: again; -1: stop. */
static int
write(struct import *m)
{
	struct upstream_task task = { .author = m->job->user, .git = commit_json(m), .files = m->blobs,
		.note = note, .ready = ready, .commit = finish, .alive = alive, .ctx = m };
	struct upstream_result out;
	enum upstream_end end;

	m->list = kept(m, &m->n);
	task.list = m->list;
	task.n = m->n;
	m->planned = m->last_warning;
	m->planned_count = m->warning_count;
	end = flag_arg(m, "standalone") ?
	    upstream_standalone(m->db, m->arena, m->job->space, &task, &out) :
	    upstream_take(m->db, m->arena, &m->view, &task, &out);
	if (end == UPSTREAM_DONE || end == UPSTREAM_BUSY || end == UPSTREAM_FILES)
		return end == UPSTREAM_DONE;
	if (out.error != NULL)
		stop(m, "failed", out.error);
	return -1;
}

static void
end_unchanged(struct import *m)
{
	struct stmt *q;

	db_begin(m->db, true);
	q = db_use(m->db, &q_main_revision);
	bind_text(q, ":space", m->job->space);
	if (stmt_step(q))
		job_end(m->db, m->job->id, "done", NULL,
		    result_json(m, arena_strdup(m->arena, col_text(q, 0)), false));
	else
		job_end(m->db, m->job->id, "failed", "the space does not exist any more", NULL);
	db_commit(m->db);
}

static void
end_early(struct import *m)
{
	static const int64_t wait[] = { 10000, 60000, 300000 };
	int64_t k = m->job->attempts - 1;

	db_begin(m->db, true);
	if (strcmp(m->state, "queued") == 0) {
		job_retry(m->db, m->job->id, time_now() + wait[k < 3 ? k : 2], m->error);
	} else {
		write_warnings(m);
		job_end(m->db, m->job->id, m->state, m->error, NULL);
	}
	db_commit(m->db);
}

static bool
work(struct import *m)
{
	char *cache = cache_dir(m);
	int tries, rc = 0;

	if (!fetch(m, cache))
		return false;
	if ((m->skipped = stale(m)) != NULL) {
		end_unchanged(m);
		return true;
	}
	if (!read_tree(m, cache))
		return false;
	for (tries = 0; tries < 5 && rc == 0; tries++) {
		if (!plan(m) || !step(m, "storing files", 0, 0) || !files(m) ||
		    !step(m, "indexing", 0, 0))
			return false;
		index_pages(m);
		if (!step(m, "writing", 0, 0))
			return false;
		rc = write(m);
	}
	if (rc == 0)
		return stop(m, "queued", "the space kept changing; trying again");
	return rc > 0;
}

static void
let_go(void *import)
{
	struct import *m = import;

	git_tree_close(m->tree);
	m->tree = NULL;
	json_arena(NULL);
}

void
import_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = arena_alloc(a, sizeof(*m));

	*m = (struct import){ .db = db, .set = set, .job = job, .arena = arena_within(a, (size_t)8 << 30) };
	arena_on_end(a, let_go, m);
	m->last_warning = &m->warnings;
	m->deadline = time_steady() + set->import_seconds * 1000;
	json_arena(m->arena);
	m->args = cJSON_Parse(job->args);
	m->url = text_arg(m, "url");
	m->ref = text_arg(m, "ref");
	m->dir = text_arg(m, "repoProjectDirectory");
	if (m->dir == NULL)
		m->dir = "";
	if (!work(m))
		end_early(m);
	search_sweep(db, m->arena, job->space);
}
