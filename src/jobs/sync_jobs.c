/* The two kinds of job that write to repositories: an export that was asked for, and a binding's run. */
#include <stdio.h>
#include <string.h>

#include "jobs/git.h"
#include "search/search.h"
#include "sync.h"

#define BACK_OFF_MOST INT64_C(86400000)

SQL(q_stamp, "SELECT stamp FROM git_sync WHERE space = :space");
SQL(q_set_stamp,
    "UPDATE git_sync SET stamp = :stamp, provider = COALESCE(:provider, provider), info_url = COALESCE(:info, info_url), "
    "tree_url = COALESCE(:tree, tree_url), commit_url = COALESCE(:commit, commit_url) WHERE space = :space");
SQL(q_head,
    "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch "
    "JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = :space");
SQL(q_binding,
    "SELECT url, ref, project_dir, secret, local, message, every, created_by, failures, checked_at, provider, "
    "info_url, tree_url, commit_url FROM git_binding WHERE space = :space");
SQL(q_space,
    "SELECT s.edit_mode, s.deleted_at, s.merge_rules, o.merge_rules FROM space s JOIN org o ON o.id = s.org "
    "WHERE s.id = :space");
SQL(q_state,
    "UPDATE git_binding SET state = :state, reason = :reason, failures = CASE WHEN CAST(:failed AS INTEGER) = 1 "
    "THEN failures + 1 ELSE 0 END, checked_at = :now WHERE space = :space");

static void
let_go(void *unused)
{
	(void)unused;
	json_arena(NULL);
}

static struct import *
import_new(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = arena_alloc(a, sizeof(*m));

	*m = (struct import){ .db = db, .set = set, .job = job, .arena = arena_within(a, (size_t)8 << 30) };
	arena_on_end(a, let_go, m);
	m->last_warning = &m->warnings;
	m->deadline = time_steady() + set->import_seconds * 1000;
	json_arena(m->arena);
	m->args = cJSON_Parse(job->args);
	return m;
}

/* ---- how it ends ---- */

static char *
result(struct sync *s, const char *skipped)
{
	struct import *m = s->m;
	struct stmt *q = db_use(m->db, &q_head);
	struct json j;
	struct buf b;

	bind_text(q, ":space", m->job->space);
	if (s->revision == NULL && stmt_step(q))
		s->revision = col_dup(q, 0, s->arena);
	buf_init(&b, s->arena, 64 << 10);
	json_init(&j, &b);
	json_obj(&j);
	json_kstr(&j, "space", m->job->space);
	if (s->revision != NULL)
		json_kstr(&j, "revision", s->revision);
	if (s->last[0] != '\0')
		json_kstr(&j, "commit", s->last);
	json_kint(&j, "commits", (int64_t)s->commits);
	if (skipped != NULL)
		json_kstr(&j, "skipped", skipped);
	if (s->row.waiting != NULL)
		json_kstr(&j, "changeRequest", s->row.waiting);
	json_kint(&j, "warnings", (int64_t)m->warned);
	json_end(&j);
	return b.p;
}

/* Retried after a while, or over. */
static void
end_job(struct sync *s, bool ok, const char *skipped)
{
	static const int64_t wait[] = { 10000, 60000, 300000 };
	struct import *m = s->m;
	int64_t k = m->job->attempts - 1;

	if (!ok && strcmp(m->state, "queued") == 0) {
		job_retry(m->db, m->job->id, time_now() + wait[k < 3 ? k : 2], m->error);
		return;
	}
	import_write_warnings(m);
	if (ok)
		job_end(m->db, m->job->id, "done", NULL, result(s, skipped));
	else
		job_end(m->db, m->job->id, m->state, m->error, result(s, NULL));
}

/* ---- export ---- */

/* An event older than the last one changes nothing. */
static bool
outdated(struct import *m, int64_t *stamp)
{
	const char *text = import_text(m, "timestamp");
	struct stmt *q;
	bool old;

	*stamp = 0;
	if (text == NULL || !time_parse(text, stamp))
		return false;
	db_begin(m->db, false);
	q = db_use(m->db, &q_stamp);
	bind_text(q, ":space", m->job->space);
	old = stmt_step(q) && !col_null(q, 0) && *stamp < col_int(q, 0);
	db_rollback(m->db);
	return old && !import_flag(m, "force");
}

static const char *
info_of(struct import *m, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
	    cJSON_GetObjectItemCaseSensitive(m->args, "gitInfo"), name));
}

static void
remember_event(struct import *m, int64_t stamp)
{
	struct stmt *q = db_use(m->db, &q_set_stamp);

	if (stamp != 0)
		bind_int(q, ":stamp", stamp);
	bind_text(q, ":provider", info_of(m, "provider"));
	bind_text(q, ":info", info_of(m, "url"));
	bind_text(q, ":tree", import_text(m, "repoTreeURL"));
	bind_text(q, ":commit", import_text(m, "repoCommitURL"));
	bind_text(q, ":space", m->job->space);
	stmt_run(q);
}

void
export_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = import_new(db, a, set, job);
	struct sync s = { .m = m, .arena = m->arena };
	const char *skipped = NULL;
	int64_t stamp;
	bool ok = true;

	m->url = import_text(m, "url");
	m->ref = import_text(m, "ref");
	m->dir = import_text(m, "repoProjectDirectory");
	m->dir = m->dir == NULL ? "" : m->dir;
	s.message = import_text(m, "commitMessage");
	if (outdated(m, &stamp))
		skipped = "outdated";
	else
		ok = sync_run(&s);
	if (ok && skipped == NULL && s.commits == 0)
		skipped = "unchanged";
	db_begin(db, true);
	if (ok && (skipped == NULL || strcmp(skipped, "outdated") != 0))
		remember_event(m, stamp);
	end_job(&s, ok, skipped);
	db_commit(db);
	search_sweep(db, m->arena, job->space);
}

/* ---- bindings ---- */

/* Do rules for merges stand between this user and the space's content? */
static bool
rules_bind(const char *space, const char *org, const char *user)
{
	const cJSON *own = cJSON_Parse(space), *rules = own, *rule, *v;
	const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(own, "type")), *name;

	if (type != NULL && strcmp(type, "inherit") == 0)
		rules = cJSON_Parse(org);
	type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(rules, "type"));
	if (type == NULL || strcmp(type, "rules") != 0)
		return false;
	cJSON_ArrayForEach(rule, cJSON_GetObjectItemCaseSensitive(rules, "rules")) {
		name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(rule, "rule"));
		if (name == NULL || strcmp(name, "allow_bypass") != 0)
			continue;
		cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(rule, "users"))
			if (cJSON_IsString(v) && strcmp(v->valuestring, user) == 0)
				return false;
	}
	return true;
}

struct binding {
	int64_t every, failures, checked_at;
	const char *maker;
};

static bool
binding_read(struct sync *s, struct binding *b, struct job *job)
{
	struct import *m = s->m;
	struct stmt *q;
	bool there;

	db_begin(m->db, false);
	q = db_use(m->db, &q_binding);
	bind_text(q, ":space", m->job->space);
	if ((there = stmt_step(q))) {
		m->url = col_dup(q, 0, s->arena);
		m->ref = col_dup(q, 1, s->arena);
		m->dir = col_dup(q, 2, s->arena);
		if (!col_null(q, 3))
			job->secret = (struct str){ arena_strndup(s->arena, col_bytes(q, 3).p, col_bytes(q, 3).n),
			    col_bytes(q, 3).n };
		m->local = col_int(q, 4) != 0;
		s->message = col_dup(q, 5, s->arena);
		*b = (struct binding){ col_int(q, 6), col_int(q, 8), col_int(q, 9), col_dup(q, 7, s->arena) };
		if (job->user == NULL)
			job->user = b->maker;
	}
	db_rollback(m->db);
	return there;
}

/* What keeps the binding from working, whatever the repository says. NULL: nothing. */
static const char *
in_the_way(struct sync *s, const struct binding *b)
{
	struct import *m = s->m;
	const char *why = NULL;
	struct stmt *q;

	db_begin(m->db, false);
	q = db_use(m->db, &q_space);
	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q) || !col_null(q, 1))
		why = "the space is deleted";
	else if (strcmp(col_text(q, 0), "locked") == 0)
		why = "the space is locked: unlock it to go on";
	else
		s->aside = rules_bind(col_text(q, 2), col_text(q, 3), b->maker);
	db_rollback(m->db);
	return why;
}

static void
set_state(struct sync *s, bool ok)
{
	struct import *m = s->m;
	struct stmt *q = db_use(m->db, &q_state);

	bind_text(q, ":state", ok ? "synchronized" : s->wait != NULL ? s->wait_state : "failing");
	bind_text(q, ":reason", ok ? NULL : m->error);
	bind_int(q, ":failed", !ok && s->wait == NULL);
	bind_int(q, ":now", time_now());
	bind_text(q, ":space", m->job->space);
	stmt_run(q);
}

/* After failures the schedule is thinned out: a server that is down is not asked every minute. */
static bool
too_early(struct sync *s, const struct binding *b)
{
	int64_t wait = b->every;
	int64_t k;

	for (k = 1; k < b->failures && wait < BACK_OFF_MOST; k++)
		wait *= 2;
	return b->failures > 1 && s->m->job->attempts <= 1 && !import_flag(s->m, "asked") &&
	    time_now() < b->checked_at + (wait < BACK_OFF_MOST ? wait : BACK_OFF_MOST);
}

void
git_run(struct db *db, struct arena *a, const struct settings *set, const struct job *given)
{
	struct job *job = arena_alloc(a, sizeof(*job));
	struct import *m;
	struct sync s;
	struct binding b;
	bool ok = false, rest = false;

	*job = *given;
	m = import_new(db, a, set, job);
	s = (struct sync){ .m = m, .arena = m->arena, .binding = true };
	if (!binding_read(&s, &b, job)) {
		import_stop(m, "failed", "the space has no binding any more");
	} else if (too_early(&s, &b)) {
		ok = rest = true;
	} else if ((s.wait = in_the_way(&s, &b)) != NULL) {
		s.wait_state = "waiting";
		import_stop(m, "failed", s.wait);
	} else {
		ok = sync_run(&s);
	}
	db_begin(db, true);
	if (!rest)
		set_state(&s, ok);
	end_job(&s, ok, ok && s.commits == 0 && !s.taken ? "unchanged" : NULL);
	db_commit(db);
	search_sweep(db, m->arena, job->space);
}
