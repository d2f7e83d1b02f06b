/*
 * A space bound to a bare repository beside the database, in unit tests: repo.git, and work, a
 * clone in which the remote side commits.
 */
#ifndef BOUND_FIXTURE_H
#define BOUND_FIXTURE_H

#include "db_fixture.h"

#include "app/git_binding.h"

SQL(q_job_ended, "SELECT state, error, result FROM job WHERE id = :id");
SQL(q_request_branch, "SELECT branch FROM change_request WHERE id = :id");
SQL(q_state, "SELECT state, reason FROM git_binding WHERE space = :space");
SQL(q_waiting, "SELECT waiting FROM git_sync WHERE space = :space");

#include "sync_fixture.h"

static inline void
script(struct fixture *f, const char *sql)
{
	const char *error = NULL;

	if (!db_script(f->db, f->arena, sql, &error))
		fail_msg("%s: %s", sql, error);
}

/* Binds a space to repo.git, which has four pages of some lines each, and synchronizes both. */
static inline void
start_bound(struct fixture *f)
{
	assert_int_equal(run_in(f, "rm -rf work repo.git && git init -q -b main work && cd work && "
	    "for p in a b c d; do { printf '# %%s\\n' $p; for n in 1 2 3 4 5 6 7 8; do printf '\\n%%s line %%s\\n' $p $n; done; } >$p.md; done && "
	    "printf '# Table of contents\\n\\n* [a](a.md)\\n* [b](b.md)\\n* [c](c.md)\\n* [d](d.md)\\n' >SUMMARY.md && printf 'keep\\r\\n' >other.txt && "
	    "git add -A && git commit -q -m First && cd .. && git clone -q --bare work repo.git && cd work && git remote add origin ../repo.git"), 0);
	new_space(f);
	script(f, arena_printf(f->arena, "INSERT INTO git_binding (space, id, url, ref, local, message, every, hook, created_by, created_at) "
	    "VALUES ('%s', '%s', '%s/repo.git', 'refs/heads/main', 1, '" GIT_MESSAGE "', 60000, x'00', '%s', 1)",
	    f->space, f->space, f->dir, f->user));
	done(run_job(f, "git", "{}"));
}

static inline struct ended
sync_now(struct fixture *f)
{
	return run_job(f, "git", "{}");
}

static inline const char *
state_of(struct fixture *f, struct sql const *sql, int col)
{
	struct stmt *q;
	const char *text;

	db_begin(f->db, false);
	q = db_use(f->db, sql);
	bind_text(q, ":space", f->space);
	text = stmt_step(q) && !col_null(q, col) ? col_dup(q, col, f->arena) : NULL;
	db_rollback(f->db);
	return text;
}

/* The git log in an order that does not depend on the clock. */
static inline const char *
log_of(struct fixture *f)
{
	return output_of(f, "git -C repo.git log --topo-order --format='%%s|%%an' main | tr '\\n' ';'");
}

static inline const char *
there(struct fixture *f, const char *path)
{
	return output_of(f, "git -C repo.git show main:%s", path);
}

/* Replaces a text in the page's Markdown on Octavo's side: by a change request that is merged. */
static inline void
write_here(struct fixture *f, const char *subject, const char *path, const char *old, const char *new)
{
	struct node n = page_of(f, path);
	char *body = body_of(f, &n), *at = strstr(body, old);
	cJSON *list = cJSON_CreateArray(), *c = cJSON_CreateObject(), *d = cJSON_CreateObject();

	assert_non_null(at);
	cJSON_AddStringToObject(d, "markdown", arena_printf(f->arena, "%.*s%s%s", (int)(at - body), body, new, at + strlen(old)));
	cJSON_AddStringToObject(c, "operation", "update_page");
	cJSON_AddStringToObject(c, "page", n.id);
	cJSON_AddItemToObject(c, "document", d);
	cJSON_AddItemToArray(list, c);
	edit_and_merge(f, subject, cJSON_PrintUnformatted(list));
}

/* Replaces a text on the remote side: by a commit that is pushed. */
static inline void
write_there(struct fixture *f, const char *path, const char *old, const char *new)
{
	assert_int_equal(run_in(f, "cd work && git fetch -q && git reset -q --hard origin/main && sed -i 's/%s/%s/' %s && "
	    "git commit -q -am There && git push -q origin HEAD:main", old, new, path), 0);
}

#endif
