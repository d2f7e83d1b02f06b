/*
 * A space and a bare repository on this machine, in unit tests: imports, exports and
 * synchronizations of a binding as the job runner does them, edits by change requests, and the git
 * command for the remote side.
 */
#ifndef SYNC_FIXTURE_H
#define SYNC_FIXTURE_H

#include "change_fixture.h"

#include <stdarg.h>
#include <unistd.h>

#include "app/queue.h"
#include "sync/git_jobs.h"
#include "sync/import.h"
#include "merge/request_record.h"

/* Runs a shell command in the fixture's directory. */
static inline int __attribute__((format(printf, 2, 3)))
run_in(struct fixture *f, const char *fmt, ...)
{
	char *command;
	va_list ap;
	struct buf b;

	buf_init(&b, f->arena, 64 << 10);
	buf_printf(&b, "cd '%s' && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=W GIT_AUTHOR_EMAIL=w@example.org "
	    "GIT_COMMITTER_NAME=W GIT_COMMITTER_EMAIL=w@example.org; ", f->dir);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	command = b.p;
	return system(command);
}

/* Everything that a command prints. */
static inline char * __attribute__((format(printf, 2, 3)))
output_of(struct fixture *f, const char *fmt, ...)
{
	struct buf b, out;
	char part[4096];
	va_list ap;
	size_t n;
	FILE *p;

	buf_init(&b, f->arena, 64 << 10);
	buf_printf(&b, "cd '%s' && ", f->dir);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	buf_init(&out, f->arena, 64 << 20);
	buf_str(&out, "");
	p = popen(b.p, "r");
	while ((n = fread(part, 1, sizeof(part), p)) > 0)
		buf_add(&out, part, n);
	pclose(p);
	return out.p;
}

static inline struct settings *
sync_settings(struct fixture *f)
{
	const char *error = NULL;
	struct settings *set;

	setenv("OCTAVO_DIR", f->dir, 1);
	setenv("OCTAVO_URL", "http://docs.example", 1);
	set = settings_env(f->arena, &error);
	assert_non_null(set);
	return set;
}

struct ended {
	char *id, *state, *error, *result;
};

/* Queues a job and runs it in this process until it succeeds or fails. */
static inline struct ended
run_job(struct fixture *f, const char *kind, const char *args)
{
	struct job job = { .kind = kind, .space = f->space, .queue = f->space, .user = f->user, .args = args }, claimed;
	struct arena *a = arena_new((size_t)4 << 30);
	struct ended e = { 0 };
	const char *error = NULL;
	struct stmt *q;
	char *id;

	(void)error;
	db_begin(f->db, true);
	e.id = id = job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	while (claim_job(f->db, a, &claimed) && strcmp(claimed.id, id) != 0) {
		db_begin(f->db, true);
		job_end(f->db, claimed.id, "done", NULL, "{}");
		db_commit(f->db);
	}
	(strcmp(kind, "import") == 0 ? import_run : strcmp(kind, "export") == 0 ? export_run : git_run)(f->db, a,
	    sync_settings(f), &claimed);
	arena_free(a);
	json_arena(f->arena);
	db_begin(f->db, false);
	q = db_use(f->db, &q_job_ended);
	bind_text(q, ":id", id);
	if (stmt_step(q)) {
		e.state = col_dup(q, 0, f->arena);
		e.error = col_null(q, 1) ? NULL : col_dup(q, 1, f->arena);
		e.result = col_null(q, 2) ? NULL : col_dup(q, 2, f->arena);
	}
	db_rollback(f->db);
	return e;
}

static inline struct ended
git_job(struct fixture *f, const char *kind, const char *repository, const char *dir, const char *more)
{
	return run_job(f, kind, arena_printf(f->arena, "{\"url\":\"%s/%s\",\"ref\":\"refs/heads/main\",\"local\":true,"
	    "\"repoProjectDirectory\":\"%s\",\"commitMessage\":\"Export\"%s}", f->dir, repository, dir, more));
}

static inline void
done(struct ended e)
{
	if (e.state == NULL || strcmp(e.state, "done") != 0)
		fail_msg("job: %s, %s", e.state == NULL ? "?" : e.state, e.error == NULL ? "-" : e.error);
}

/* Makes a change request with these changes and merges it. */
static inline void
edit_and_merge(struct fixture *f, const char *subject, char *json)
{
	struct edit e = { 0 };
	struct merge_outcome out;
	struct point p;
	struct stmt *q;
	int64_t branch;
	char *id;

	db_begin(f->db, true);
	id = request_make(f->db, f->arena, f->space, f->branch, f->user, subject);
	q = db_use(f->db, &q_request_branch);
	bind_text(q, ":id", id);
	branch = stmt_int(q, 0);
	db_commit(f->db);
	if (!apply_changes(f, branch, json, &e))
		fail_msg("%s: %s %s", json, e.where == NULL ? "" : e.where, e.why == NULL ? "" : e.why);
	db_begin(f->db, true);
	assert_true(point_head(f->db, f->arena, branch, &p));
	request_merge(f->db, f->arena, &p, f->user, NULL, &out);
	if (out.clashes != NULL)
		fail_msg("%s: clash of %s", subject, out.clashes->kind);
	request_merged(f->db, id, out.revision, f->user);
	db_commit(f->db);
}

/* The page of main with this path. */
static inline struct node
page_of(struct fixture *f, const char *path)
{
	struct point p = head_of(f, f->branch);
	struct node n;

	db_begin(f->db, false);
	if (!page_at(f->db, f->arena, &p, path, &n))
		fail_msg("no page at %s", path);
	db_rollback(f->db);
	return n;
}

static inline char *
body_of(struct fixture *f, const struct node *n)
{
	struct str s;

	db_begin(f->db, false);
	assert_true(blob_get(f->db, f->arena, n->body, &s));
	db_rollback(f->db);
	return arena_strndup(f->arena, s.p, s.n);
}

#endif
