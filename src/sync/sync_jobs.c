/* The two kinds of job that write to repositories: a requested export, and a binding's run. */
#include <stdio.h>
#include <string.h>

#include "app/git_binding.h"
#include "app/merge_rules.h"
#include "sync/git_jobs.h"
#include "search/search.h"
#include "sync.h"

/*
 * Longest back-off in ms, one day: a repaired server is noticed within that time without anybody's
 * help.
 */
#define BACK_OFF_MOST DAY_MS

SQL(q_stamp, "SELECT stamp FROM git_sync WHERE space = :space");
SQL(q_head,
    "SELECT r.id FROM space s JOIN branch b ON b.id = s.branch "
    "JOIN revision r ON r.branch = b.id AND r.seq = b.head WHERE s.id = :space");
SQL(q_binding,
    "SELECT url, ref, project_dir, secret, local, message, created_by, provider, tree_url, commit_url "
    "FROM git_binding WHERE space = :space");
SQL(q_space, "SELECT edit_mode, deleted_at FROM space WHERE id = :space");
/* Counts and returns failures in one statement: plan_next_run() needs the number after this run. */
SQL(q_state,
    "UPDATE git_binding SET state = :state, reason = :reason, failures = CASE WHEN CAST(:failed AS INTEGER) = 1 "
    "THEN failures + 1 ELSE 0 END, checked_at = :now WHERE space = :space RETURNING failures, every");

/* ---- the end of a job ---- */

/*
 * JSON of the job's result, in the open transaction. A run that changed nothing gives main's
 * present revision.
 */
static char *
write_result(struct sync *s, const char *skipped)
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

/* Ends the job, or queues it for a retry. */
static void
end_job(struct sync *s, bool ok, const char *skipped)
{
	struct import *m = s->m;

	if (!ok) {
		import_end_early(m, write_result(s, NULL));
		return;
	}
	import_write_warnings(m);
	job_end(m->db, m->job->id, "done", NULL, write_result(s, skipped));
}

/* ---- export ---- */

/* True if the event is older than the last one: then it changes nothing. */
static bool
is_outdated(struct import *m)
{
	const char *text = import_text(m, "timestamp");
	struct stmt *q;
	int64_t stamp;
	bool old;

	/* Only events of the repository that the space follows are ordered. */
	if (m->branch_only || text == NULL || !time_parse(text, &stamp))
		return false;
	db_begin(m->db, false);
	q = db_use(m->db, &q_stamp);
	bind_text(q, ":space", m->job->space);
	old = stmt_step(q) && !col_null(q, 0) && stamp < col_int(q, 0);
	db_rollback(m->db);
	/*
	 * timestamp orders imports and exports in both directions; force overrides it
	 * (docs/design/import.md, "Repeated imports").
	 */
	return old && !import_flag(m, "force");
}

void
export_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct import *m = import_begin(db, a, set, job);
	struct sync s = { .m = m, .arena = m->arena };
	const char *skipped = NULL;
	bool ok = true;

	s.message = import_text(m, "commitMessage");
	source_choose(m, m->ref, import_flag(m, "standalone"));
	/*
	 * Where merge rules apply, imported changes go to a request; for the exported commit only
	 * paths are recorded.
	 */
	s.as_request = import_is_restricted(m, job->user);
	if (is_outdated(m))
		skipped = "outdated";
	else
		ok = sync_run(&s);
	if (ok && skipped == NULL && s.commits == 0)
		skipped = "unchanged";
	db_begin(db, true);
	/* An outdated event must not set the stamp back. */
	if (ok && !m->branch_only && (skipped == NULL || strcmp(skipped, "outdated") != 0))
		import_remember_event(m);
	end_job(&s, ok, skipped);
	db_commit(db);
	search_sweep(db, m->arena, job->space);
}

/* ---- bindings ---- */

/* The web addresses of the repository, in the form of an import's arguments. */
static const cJSON *
binding_args(struct stmt *q)
{
	cJSON *args = cJSON_CreateObject(), *info = cJSON_AddObjectToObject(args, "gitInfo");

	/* The providers that the API has a name for. */
	if (strcmp(col_text(q, 7), "github") == 0 || strcmp(col_text(q, 7), "gitlab") == 0)
		cJSON_AddStringToObject(info, "provider", col_text(q, 7));
	if (!col_null(q, 8))
		cJSON_AddStringToObject(args, "repoTreeURL", col_text(q, 8));
	if (!col_null(q, 9))
		cJSON_AddStringToObject(args, "repoCommitURL", col_text(q, 9));
	return args;
}

/*
 * Fills the import's address, reference and folder from the binding's row. False: there is no
 * binding.
 */
static bool
binding_read(struct sync *s, const char **maker, struct job *job)
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
		*maker = col_dup(q, 6, s->arena);
		if (job->user == NULL)
			job->user = *maker;
		m->args = binding_args(q);
	}
	db_rollback(m->db);
	return there;
}

/* Why the binding cannot work, whatever the repository holds. NULL: no reason. */
static const char *
blocking_reason(struct sync *s, const char *maker)
{
	struct import *m = s->m;
	const char *why = NULL;
	struct stmt *q;

	db_begin(m->db, false);
	q = db_use(m->db, &q_space);
	bind_text(q, ":space", m->job->space);
	if (!stmt_step(q) || !col_null(q, 1))
		why = "the space is deleted";
	/*
	 * An administrator's lock stops the binding, too; it waits and does not count as failing.
	 */
	else if (strcmp(col_text(q, 0), "locked") == 0)
		why = "the space is locked: unlock it to go on";
	else
		s->as_request = !primary_is_open(m->db, m->job->space, maker);
	db_rollback(m->db);
	return why;
}

/* True if main changed since, other than by this run's own revisions. */
static bool
has_main_changed(struct sync *s)
{
	struct point head;

	return upstream_main(s->m->db, s->arena, s->m->job->space, &head) &&
	    sync_own_work(s, head.branch, s->after.seq, head.seq);
}

/*
 * Schedules the next run. A published revision makes the schedule due (propagate.c). Revisions of
 * this run need no further run; others that were published while it ran do, because their turn
 * passed: this job had not ended (take_turn() of src/app/schedule.c). After
 * failures the schedule backs off, so that a server that is down is not contacted every minute.
 */
static void
plan_next_run(struct sync *s, bool ok, int64_t failures, int64_t every)
{
	struct import *m = s->m;
	int64_t most = every > BACK_OFF_MOST ? every : BACK_OFF_MOST, period = every, k;

	if (!ok && failures <= 1)
		return;
	/*
	 * Doubles for each failure after the first. The bound is inside the loop, so that many
	 * failures cannot overflow it.
	 */
	for (k = 1; k < failures && period < most; k++)
		period *= 2;
	period = period < most ? period : most;
	schedule_put(m->db, &(struct schedule){ .id = git_schedule(m->arena, m->job->space),
	    .job = { .kind = "git", .space = m->job->space, .queue = m->job->space }, .every = period,
	    .next_at = ok && has_main_changed(s) ? 0 : time_now() + period });
}

/* Updates no row if the binding was removed while this ran. */
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
	if (stmt_step(q))
		plan_next_run(s, ok, col_int(q, 0), col_int(q, 1));
}

void
git_run(struct db *db, struct arena *a, const struct settings *set, const struct job *given)
{
	struct job *job = arena_alloc(a, sizeof(*job));
	struct import *m;
	struct sync s;
	const char *maker = NULL;
	bool ok = false;

	/*
	 * A copy, because the credentials are the binding's: jobs in the queue hold none, which
	 * could be outdated.
	 */
	*job = *given;
	m = import_begin(db, a, set, job);
	s = (struct sync){ .m = m, .arena = m->arena, .binding = true };
	if (!binding_read(&s, &maker, job)) {
		import_stop(m, "failed", "the space has no binding any more");
	/* This is tested before the fetch, because a space that cannot be written to needs none. */
	} else if ((s.wait = blocking_reason(&s, maker)) != NULL) {
		s.wait_state = "waiting";
		import_stop(m, "failed", s.wait);
	} else {
		ok = sync_run(&s);
	}
	db_begin(db, true);
	set_state(&s, ok);
	end_job(&s, ok, ok && s.commits == 0 && !s.taken ? "unchanged" : NULL);
	db_commit(db);
	search_sweep(db, m->arena, job->space);
}
