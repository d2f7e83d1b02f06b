/* Stores what an import reports: its warnings, its result, and the record of the imported commit. */
#include <stdio.h>
#include <string.h>

#include "import_parts.h"

/*
 * Bounds memory and the number of rows of one job; warning_count goes on, so the result gives the
 * true number.
 */
enum { MAX_WARNINGS = 10000 };

/*
 * COALESCE keeps what an earlier event set and this one does not. done_oid stays only for the same
 * address, branch and folder: an export to another place says nothing about this repository.
 */
SQL(q_sync_put,
    "INSERT INTO git_sync (space, branch, url, ref, project_dir, provider, info_url, tree_url, "
    "commit_url, commit_oid, root, stamp, updated_at, waiting) VALUES (:space, :branch, :url, :ref, "
    ":project_dir, :provider, :info_url, :tree_url, :commit_url, :oid, :root, :stamp, :now, :waiting) "
    "ON CONFLICT (space) DO UPDATE SET branch = excluded.branch, url = excluded.url, "
    "ref = excluded.ref, project_dir = excluded.project_dir, "
    "provider = COALESCE(excluded.provider, git_sync.provider), "
    "info_url = COALESCE(excluded.info_url, git_sync.info_url), "
    "tree_url = COALESCE(excluded.tree_url, git_sync.tree_url), "
    "commit_url = COALESCE(excluded.commit_url, git_sync.commit_url), "
    "commit_oid = excluded.commit_oid, root = excluded.root, "
    "stamp = COALESCE(excluded.stamp, git_sync.stamp), updated_at = excluded.updated_at, "
    "done_oid = CASE WHEN git_sync.url = excluded.url AND git_sync.ref = excluded.ref "
    "AND git_sync.project_dir = excluded.project_dir THEN git_sync.done_oid END, "
    "waiting = COALESCE(:waiting, git_sync.waiting)");
/* For a repository beside the one that the space follows: the space shows nothing of it. */
SQL(q_source_put,
    "INSERT INTO git_source (space, url, ref, project_dir, branch, commit_oid, root, beside) VALUES (:space, :url, :ref, "
    ":project_dir, :branch, :oid, :root, 1) ON CONFLICT (space, url, ref, project_dir) DO UPDATE SET "
    "branch = excluded.branch, commit_oid = excluded.commit_oid, root = excluded.root, beside = excluded.beside");
/*
 * Provider and addresses that the event does not set stay as they were. The latest time is kept: an
 * event that changed nothing may be an earlier one.
 */
SQL(q_event,
    "UPDATE git_sync SET stamp = CASE WHEN CAST(:stamp AS INTEGER) IS NULL OR stamp > :stamp THEN stamp ELSE :stamp END, "
    "updated_at = CASE WHEN COALESCE(:provider, :info, :tree, :commit) IS NULL THEN updated_at ELSE :now END, "
    "provider = COALESCE(:provider, provider), info_url = COALESCE(:info, info_url), "
    "tree_url = COALESCE(:tree, tree_url), commit_url = COALESCE(:commit, commit_url) WHERE space = :space");
/*
 * A member of gitInfo in the API; NULL if the member or gitInfo is missing: cJSON returns NULL for
 * a NULL object.
 */
static const char *
info_arg(const struct import *m, const char *name)
{
	const cJSON *info = cJSON_GetObjectItemCaseSensitive(m->args, "gitInfo");
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(info, name);

	return cJSON_IsString(v) ? v->valuestring : NULL;
}

/*
 * Adds a warning. file NULL: it concerns no file; line 0: the file as a whole. Both texts are
 * copied, because those of a page live only as long as its batch.
 */
void
import_warn(struct import *m, const char *file, size_t line, const char *message)
{
	struct warning *w;

	if (m->exported != NULL || m->warning_count++ >= MAX_WARNINGS)
		return;
	if (m->origin != NULL && file != NULL)
		file = m->origin->locate(m->origin->ctx, file, &line);
	w = arena_alloc(m->arena, sizeof(*w));
	*w = (struct warning){ NULL, arena_strdup(m->arena, file != NULL ? file : ""), line, arena_strdup(m->arena, message) };
	*m->last_warning = w;
	m->last_warning = &w->next;
}

/* O(1): the list only grows at its end, so a pointer to its last link marks a position. */
struct warning_mark
import_mark(const struct import *m)
{
	return (struct warning_mark){ m->last_warning, m->warning_count };
}

/* Cuts the list; the dropped warnings stay in the arena. */
void
import_drop_warnings(struct import *m, struct warning_mark since)
{
	m->last_warning = since.last;
	*since.last = NULL;
	m->warning_count = since.count;
}

/*
 * The git member of a revision. createdByGitBook is the published client's name for a commit
 * that an export made.
 */
char *
import_commit_json(struct import *m)
{
	const char *commit_url = import_text(m, "repoCommitURL");
	struct json j;
	struct buf b;

	buf_init(&b, m->arena, 4 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "oid", m->got.commit);
	/* m->tree must be open. */
	json_kstr(&j, "message", m->origin != NULL ? m->origin->message : git_tree_message(m->tree));
	json_kbool(&j, "createdByGitBook", m->exported != NULL);
	if (commit_url != NULL)
		json_kstr(&j, "url", arena_printf(m->arena, "%s/%s", commit_url, m->got.commit));
	json_kstr(&j, "ref", m->got.ref);
	json_end(&j);
	return b.p;
}

/* Like import_remember(), for a repository that the space does not follow. */
static void
remember_beside(struct import *m, int64_t branch)
{
	struct stmt *q = db_use(m->db, &q_source_put);

	bind_text(q, ":space", m->job->space);
	bind_int(q, ":branch", branch);
	bind_text(q, ":url", m->url);
	bind_text(q, ":ref", m->got.ref);
	bind_text(q, ":project_dir", m->dir);
	bind_text(q, ":oid", m->got.commit);
	bind_text(q, ":root", m->layout.root);
	stmt_run(q);
}

/* In the publishing transaction, after the upstream branch exists: the row refers to it. */
void
import_remember(struct import *m, int64_t branch)
{
	struct stmt *q = db_use(m->db, &q_sync_put);
	const char *stamp = import_text(m, "timestamp");
	int64_t at;

	if (m->branch_only) {
		remember_beside(m, branch);
		return;
	}
	bind_text(q, ":space", m->job->space);
	bind_int(q, ":branch", branch);
	bind_text(q, ":url", m->url);
	/* Store the full name that was found, not the argument: "main" may be a branch or a tag. */
	bind_text(q, ":ref", m->got.ref);
	bind_text(q, ":project_dir", m->dir);
	bind_text(q, ":provider", info_arg(m, "provider"));
	bind_text(q, ":info_url", info_arg(m, "url"));
	bind_text(q, ":tree_url", import_text(m, "repoTreeURL"));
	bind_text(q, ":commit_url", import_text(m, "repoCommitURL"));
	bind_text(q, ":oid", m->got.commit);
	bind_text(q, ":root", m->layout.root);
	bind_text(q, ":waiting", m->request);
	if (stamp != NULL && time_parse(stamp, &at))
		bind_int(q, ":stamp", at);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

void
import_remember_event(struct import *m)
{
	struct stmt *q = db_use(m->db, &q_event);
	const char *stamp = import_text(m, "timestamp");
	int64_t at;

	if (stamp != NULL && time_parse(stamp, &at))
		bind_int(q, ":stamp", at);
	bind_text(q, ":provider", info_arg(m, "provider"));
	bind_text(q, ":info", info_arg(m, "url"));
	bind_text(q, ":tree", import_text(m, "repoTreeURL"));
	bind_text(q, ":commit", import_text(m, "repoCommitURL"));
	bind_text(q, ":space", m->job->space);
	bind_int(q, ":now", time_now());
	stmt_run(q);
}

/* One pass for each kind, once a job: simpler than counters wherever the list changes. */
static size_t
count_kind(const struct wanted *list, size_t n, enum node_kind kind)
{
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		count += list[i].node.kind == kind;
	return count;
}

/* Counts what was planned, so a run that skipped everything has no counts (list NULL). */
char *
import_result(struct import *m, const char *revision, bool changed)
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
	if (m->request != NULL)
		json_kstr(&j, "changeRequest", m->request);
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
	if (m->origin != NULL)
		buf_str(&b, m->origin->counts);
	json_end(&j);
	return b.p;
}

/*
 * In the open transaction, or split over several: no one reads the warnings before the job has
 * ended.
 */
void
import_write_warnings(struct import *m)
{
	const struct warning *w;
	int64_t n = 0;

	/* Delete the warnings of an earlier attempt or an earlier pass. */
	job_unwarn(m->db, m->job->id);
	for (w = m->warnings; w != NULL; w = w->next, db_breathe(m->db))
		job_warn(m->db, m->job->id, n++, w->file, w->line, w->message);
	m->warned = m->warning_count;
}
