/*
 * A purge that is killed at its Nth step, N = 1, 2, …: before it has claimed the space, the space
 * is complete; after that it cannot be restored, and the next run completes the purge. The file of
 * a row is never missing. A restore that commits while the purge waits for the lock wins. No
 * transaction writes more than a hundred rows and the rows that depend on them, and a space with a
 * running job is purged later.
 */
#include "page_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include "app/queue.h"
#include "check_fixture.h"
#include "jobs/purge.h"
#include "merge/request_record.h"
#include "base/settings.h"
#include "translate/memory.h"

static struct settings *
settings_for(struct arena *a, const char *dir)
{
	const char *error = NULL;
	struct settings *set;

	setenv("OCTAVO_DIR", dir, 1);
	set = settings_env(a, &error);
	assert_non_null(set);
	return set;
}

static void
take_int(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

static int64_t
ask(struct db *db, struct arena *a, const char *sql)
{
	const char *error = NULL;
	int64_t n = -1;

	assert_true(db_each(db, a, sql, take_int, &n, &error));
	return n;
}

static struct str
add_file(struct writing *w, const char *id, const char *bytes)
{
	struct blob_batch *b = blob_batch_new(w->f->arena, w->f->dir);
	struct node n = { .id = id, .kind = NODE_FILE, .parent = "", .ord = "", .slug = "", .title = id,
		.props = "{\"size\":1}", .origin = -1, .at = 1, .made = 1 };
	const char *error;

	assert_true(blob_batch_add(b, str_of(bytes), &n.body, &error));
	assert_true(blob_batch_rows(b, w->f->db));
	node_put(w->f->db, w->branch, w->seq, &n);
	assert_true(blob_batch_sync(b, &error));
	return n.body;
}

/* Inserts rows of every kind that a space can have besides its content. */
static void
surround(struct fixture *f, const char *space, const char *request)
{
	struct arena *a = f->arena;
	const char *error = NULL, *u = f->user;

	assert_true(db_script(f->db, a, arena_printf(a,
	    "INSERT INTO comment (id, space, scope, author, created_at, body, page, revision) VALUES "
	    "('c1', '%s', '%s', '%s', 1, 'x', 'one', 'r'), ('c2', '%s', '%s', '%s', 1, 'x', NULL, 'r');"
	    "INSERT INTO comment_reply (id, comment, author, created_at, body) VALUES ('y1', 'c1', '%s', 1, 'x');"
	    "INSERT INTO reaction (comment, target, emoji, account, created_at) VALUES ('c1', 'y1', 'e', '%s', 1);"
	    "UPDATE comment SET replies = 1 WHERE id = 'c1'; UPDATE space SET comments = 1 WHERE id = '%s';"
	    "UPDATE change_request SET comments = 1 WHERE id = '%s';"
	    "INSERT INTO review (id, request, reviewer, status, revision, created_at, updated_at) VALUES "
	    "('v1', '%s', '%s', 'approved', 'r', 1, 1);"
	    "INSERT INTO requested_reviewer (request, account, requested_by, revision, created_at) VALUES "
	    "('%s', '%s', '%s', 'r', 1); INSERT INTO last_look (request, account, at) VALUES ('%s', '%s', 1);"
	    "INSERT INTO request_undo (request, revision) VALUES ('%s', 'r');", space, space,
	    u, space, request, u, u, u, space, request, request, u, request, u, u, request, u, request), &error));
	assert_true(db_script(f->db, a, arena_printf(a,
	    "INSERT INTO access_grant (id, space, account, role, created_at) VALUES ('g1', '%s', '%s', 6, 1);"
	    "INSERT INTO link_invite (id, org, space, role, created_at) VALUES ('l1', '%s', '%s', NULL, 1);"
	    "INSERT INTO job (id, kind, space, state, run_at, created_at) VALUES ('j1', 'import', '%s', 'done', 1, 1);"
	    "INSERT INTO job_warning (job, n, file, line, message) VALUES ('j1', 0, 'f', 1, 'm')",
	    space, u, f->org, space, space), &error));
}

struct doomed {
	struct fixture *f;
	const char     *space;
	struct str      own, shared;    /* hashes of files */
};

static void
some_pages(struct writing *w)
{
	write_page(w, "one", "One", "{}", "See [two](two.md), [none](none.md). Shared words.\n");
	write_page(w, "two", "Two", "{}", "# Part\n\nWords.\n");
}

/* Makes a space with rows of every kind, deleted long ago, and another one that shares some of its blobs. */
static void
doomed_make(struct doomed *d, struct fixture *f)
{
	struct writing w = write_begin(f, f->space, f->branch);
	const char *error = NULL, *request;
	int64_t branch;

	*d = (struct doomed){ .f = f };
	some_pages(&w);
	add_file(&w, "shared", "shared bytes");
	write_end(&w);
	db_begin(f->db, true);
	d->space = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "Doomed",
	    .author = f->user }, &branch);
	db_commit(f->db);
	w = write_begin(f, d->space, branch);
	some_pages(&w);
	write_page(&w, "three", "Three", "{}", "Bytes of its own.\n");
	d->own = add_file(&w, "own", "own bytes");
	d->shared = add_file(&w, "too", "shared bytes");
	write_end(&w);
	db_begin(f->db, true);
	request = request_make(f->db, f->arena, d->space, branch, f->user, "Request");
	surround(f, d->space, request);
	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "UPDATE space SET deleted_at = 1000, deleted_by = '%s' WHERE id = '%s'", f->user, d->space), &error));
	db_commit(f->db);
}

static struct db *
open_in(struct arena *a, const char *dir)
{
	/* Only processes die in this test, so there is no need to sync. */
	const struct db_options options = { .relaxed = true };
	const char *error = NULL;
	struct db *db = db_open(a, arena_printf(a, "%s/octavo.db", dir), DB_READ_WRITE, &options, &error);

	assert_non_null(db);
	return db;
}

static void
die(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	(void)f;
	(void)message;
	_exit(7);
}

/*
 * Purges in a process that commits as often as it may, and dies at its nth step. True: the purge was
 * complete before that.
 */
static bool
purge_until(const char *dir, int64_t n)
{
	struct arena *a = arena_new(64 << 20);
	struct settings *set = settings_for(a, dir);
	int status;
	struct db *db;
	pid_t pid;

	if ((pid = fork()) == 0) {
		db = open_in(a, dir);
		db_on_fail(db, die, NULL);
		db_watch(db, 0, NULL, NULL);
		db_fault(db, n, DB_ERROR);
		purge_run(db, a, set);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 7));
	arena_free(a);
	return WEXITSTATUS(status) == 0;
}

static bool
file_there(struct arena *a, const char *dir, struct str hash)
{
	return access(blob_path(a, dir, hash), F_OK) == 0;
}

/* Number of rows of the space, in every table that can refer to it. */
static int64_t
rows_of(struct db *db, struct arena *a, const char *space)
{
	return ask(db, a, arena_printf(a, "SELECT (SELECT count(*) FROM space WHERE id = '%s') "
	    "+ (SELECT count(*) FROM branch b JOIN node n ON n.branch = b.id WHERE b.space = '%s') "
	    "+ (SELECT count(*) FROM comment) + (SELECT count(*) FROM comment_reply) "
	    "+ (SELECT count(*) FROM reaction) + (SELECT count(*) FROM review) "
	    "+ (SELECT count(*) FROM requested_reviewer) + (SELECT count(*) FROM last_look) + (SELECT count(*) FROM request_undo) "
	    "+ (SELECT count(*) FROM change_request) "
	    "+ (SELECT count(*) FROM access_grant WHERE space = '%s') + (SELECT count(*) FROM link_invite) "
	    "+ (SELECT count(*) FROM job WHERE space = '%s') + (SELECT count(*) FROM job_warning) "
	    "+ (SELECT count(*) FROM search_space WHERE space = '%s')", space, space, space, space, space));
}

static void
after_the_kill(const struct doomed *d, const char *dir, int64_t before)
{
	struct arena *a = arena_new(64 << 20);
	struct db *db = open_in(a, dir);
	int64_t deleted = ask(db, a, arena_printf(a, "SELECT deleted_at FROM space WHERE id = '%s'", d->space));

	if (deleted == 1000) {
		assert_int_equal(rows_of(db, a, d->space), before);
		assert_true(file_there(a, dir, d->own));
	} else {
		/* Claimed by the purge, or deleted. */
		assert_true(deleted == 1 || deleted == -1);
	}
	if (ask(db, a, arena_printf(a, "SELECT count(*) FROM node WHERE id = 'own'")) > 0)
		assert_true(file_there(a, dir, d->own));
	db_close(db);
	arena_free(a);
}

/* octavo check may run before the next purge does. */
static void
nothing_is_found(const char *dir)
{
	struct arena *a = arena_new(64 << 20);

	assert_int_equal(check_dir(a, dir, true), CLI_OK);
	arena_free(a);
}

static void
all_gone(const struct doomed *d, const char *dir)
{
	struct arena *a = arena_new(64 << 20);
	struct db *db = open_in(a, dir);

	assert_int_equal(rows_of(db, a, d->space), 0);
	assert_int_equal(ask(db, a, "SELECT count(*) FROM space"), 1);
	assert_int_equal(ask(db, a, "SELECT count(*) FROM branch"), 1);
	assert_true(file_there(a, dir, d->shared));
	/* After a kill between the commit and the unlink, the next sweep removes the file. */
	blob_sweep(db, a, dir, INT64_C(1) << 60);
	assert_false(file_there(a, dir, d->own));
	/* Bodies and link maps of two pages, and a file. */
	assert_int_equal(ask(db, a, "SELECT count(*) FROM blob"), 4);
	db_close(db);
	assert_int_equal(check_dir(a, dir, true), CLI_OK);
	arena_free(a);
}

/* The distance of steps that are tried, as a purge has several hundred. OCTAVO_SEEDS: each of them. */
static int64_t
stride(void)
{
#if defined(__SANITIZE_ADDRESS__)
	int64_t usual = 11;
#else
	int64_t usual = 3;
#endif

	return getenv("OCTAVO_SEEDS") != NULL ? 1 : usual;
}

static void
a_purge_may_be_killed_at_each_step(void **state)
{
	struct fixture *f = *state;
	struct arena *a = arena_new(1 << 20);
	char *dir = arena_printf(a, "%s/copy", f->dir);
	char *copy = arena_printf(a, "rm -rf '%s' && mkdir '%s' && cp -r '%s'/octavo.* '%s/blobs' '%s/'", dir, dir,
	    f->dir, f->dir, dir);
	const char *error = NULL;
	struct doomed d;
	int64_t before, n;
	bool done = false;

	doomed_make(&d, f);
	before = rows_of(f->db, f->arena, d.space);
	assert_true(db_script(f->db, f->arena, "PRAGMA wal_checkpoint(TRUNCATE)", &error));
	for (n = 1; !done; n += stride()) {
		assert_int_equal(system(copy), 0);
		done = purge_until(dir, n);
		after_the_kill(&d, dir, before);
		if (n % 5 == 0)
			nothing_is_found(dir);
		assert_true(purge_until(dir, 0));
		if (n % 8 == 0 || done)
			all_gone(&d, dir);
	}
	assert_true(n > 100);
	arena_free(a);
}

/* Holds the write lock until the purge waits for it, then restores the space. */
static void
restore_late(const char *dir, const char *space, int tell)
{
	struct arena *a = arena_new(64 << 20);
	struct db *db = open_in(a, dir);
	const char *error;

	db_begin(db, true);
	if (write(tell, "x", 1) != 1)
		_exit(1);
	usleep(300000);
	if (!db_script(db, a, arena_printf(a, "UPDATE space SET deleted_at = NULL, deleted_by = NULL "
	    "WHERE id = '%s'", space), &error))
		_exit(1);
	db_commit(db);
	_exit(0);
}

static void
a_restore_in_between_wins(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	int ends[2], status;
	struct doomed d;
	char c;
	pid_t pid;

	doomed_make(&d, f);
	assert_int_equal(pipe(ends), 0);
	if ((pid = fork()) == 0)
		restore_late(f->dir, d.space, ends[1]);
	assert_int_equal(read(ends[0], &c, 1), 1);
	assert_int_equal(purge_run(f->db, f->arena, set), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_true(rows_of(f->db, f->arena, d.space) > 10);
	assert_true(file_there(f->arena, f->dir, d.own));
	assert_int_equal(check_dir(f->arena, f->dir, true), CLI_OK);
}

/* Swept once a day; the time of the last sweep survives a restart of the runner. */
static void
blobs_are_swept_daily(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	char *mark = arena_printf(f->arena, "%s/blobs/.swept", f->dir);

	purge_run(f->db, f->arena, set);
	assert_int_equal(access(mark, F_OK), 0);
	db_begin(f->db, true);
	blob_put(f->db, f->arena, STR("of nobody"));
	db_commit(f->db);
	purge_run(f->db, f->arena, set);
	assert_int_equal(ask(f->db, f->arena, "SELECT count(*) FROM blob"), 1);
	assert_int_equal(system(arena_printf(f->arena, "touch -d '25 hours ago' '%s'", mark)), 0);
	purge_run(f->db, f->arena, set);
	assert_int_equal(ask(f->db, f->arena, "SELECT count(*) FROM blob"), 0);
}

/* ---- short steps ---- */

struct watch {
	struct db *db;
	int64_t    last, most, count;  /* rows before, most rows of one transaction, number of transactions */
};

static void
count_rows(void *ctx)
{
	struct watch *w = ctx;
	int64_t now = db_changes(w->db);

	if (now - w->last > w->most)
		w->most = now - w->last;
	w->last = now;
	w->count++;
}

/* Inserts thousands of rows that refer to the space, or to one of its comments, requests, jobs or branches. */
static void
crowd(struct fixture *f, const char *space)
{
	const char *error = NULL;
	char *sql = arena_printf(f->arena,
	    "CREATE TEMP TABLE n AS WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 3000) "
	    "SELECT n FROM n;"
	    "INSERT INTO account (id, email, name, created_at) SELECT 'a' || n, 'a' || n || '@example.com', 'A', 1 FROM n;"
	    "INSERT INTO comment (id, space, scope, author, created_at, body, revision) "
	    "SELECT 'c-' || n, '%s', '%s', '%s', 1, 'x', 'r' FROM n;"
	    "INSERT INTO comment_reply (id, comment, author, created_at, body) SELECT 'y-' || n, 'c-1', '%s', 1, 'x' FROM n;"
	    "INSERT INTO reaction (comment, target, emoji, account, created_at) SELECT 'c-1', 'c-1', 'e', 'a' || n, 1 FROM n;"
	    "INSERT INTO access_grant (id, space, account, role, created_at) SELECT 'g-' || n, '%s', 'a' || n, 1, 1 FROM n;"
	    "INSERT INTO named (account, space) SELECT 'a' || n, '%s' FROM n WHERE true ON CONFLICT DO NOTHING;"
	    "INSERT INTO link_invite (id, org, space, role, created_at) SELECT 'l-' || n, '%s', '%s', NULL, 1 FROM n;"
	    "INSERT INTO job_warning (job, n, file, line, message) SELECT 'j1', n, 'f', 1, 'm' FROM n;"
	    "INSERT INTO job (id, kind, org, state, run_at, created_at) VALUES ('old', 'x', '%s', 'done', 1, 1);"
	    "INSERT INTO job_warning (job, n, file, line, message) SELECT 'old', n, 'f', 1, 'm' FROM n;"
	    "INSERT INTO requested_reviewer (request, account, requested_by, revision, created_at) "
	    "SELECT r.id, 'a' || n, '%s', 'r', 1 FROM n, change_request r WHERE r.space = '%s'", space, space, f->user,
	    f->user, space, space, f->org, space, f->org, f->user, space);

	assert_true(db_script(f->db, f->arena, sql, &error));
}

static void
transactions_are_short(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	struct watch w = { .db = f->db };
	struct doomed d;

	doomed_make(&d, f);
	crowd(f, d.space);
	w.last = db_changes(f->db);
	db_watch(f->db, 0, count_rows, &w);
	assert_int_equal(purge_run(f->db, f->arena, set), 1);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	assert_int_equal(rows_of(f->db, f->arena, d.space), 0);
	assert_int_equal(ask(f->db, f->arena, "SELECT count(*) FROM job"), 0);
	/*
	 * A hundred rows; deleting a grant also writes a row of the access version, deleting a
	 * request also its own rows.
	 */
	assert_true(w.most <= 250);
	assert_true(w.count > 150);
}

/* ---- running jobs ---- */

static void
state_of_job(struct fixture *f, const char *space, const char *state)
{
	const char *error = NULL;

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "UPDATE job SET state = '%s', queue = '%s', ended_at = NULL WHERE id = 'j1'", state, space), &error));
}

/*
 * A running job is cancelled first, and the rows that it still writes are valid; the space is
 * purged after the job has ended.
 */
static void
a_running_job_ends_before_its_space(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	struct doomed d;

	doomed_make(&d, f);
	state_of_job(f, d.space, "running");
	assert_int_equal(purge_run(f->db, f->arena, set), 0);
	assert_int_equal(ask(f->db, f->arena, "SELECT cancel FROM job WHERE id = 'j1'"), 1);
	assert_true(job_cancelled(f->db, "j1"));
	assert_true(rows_of(f->db, f->arena, d.space) > 10);
	state_of_job(f, d.space, "cancelled");
	assert_int_equal(purge_run(f->db, f->arena, set), 1);
	assert_int_equal(rows_of(f->db, f->arena, d.space), 0);
}

/*
 * A job of a space claimed by the purge is not started. A job of a space that is only deleted is
 * started, and fails with a message.
 */
static void
no_job_of_a_purged_space_starts(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct doomed d;
	struct job job;

	doomed_make(&d, f);
	state_of_job(f, d.space, "queued");
	assert_true(db_script(f->db, f->arena, "UPDATE space SET deleted_at = 1 WHERE deleted_at = 1000", &error));
	assert_false(claim_job(f->db, f->arena, &job));
	assert_true(db_script(f->db, f->arena, "UPDATE space SET deleted_at = 2 WHERE deleted_at = 1", &error));
	assert_true(claim_job(f->db, f->arena, &job));
	assert_string_equal(job.id, "j1");
}

/* The newest two of five versions are kept with all their rows; a new version gets an unused number. */
static void
old_versions_are_deleted(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	const char *error = NULL;

	set->openapi_versions = 2;
	assert_true(db_script(f->db, f->arena,
	    "INSERT INTO openapi_spec (id, org, slug, versions, latest, created_at, updated_at) "
	    "SELECT 's', id, 's', 5, 'v5', 0, 0 FROM org LIMIT 1;"
	    "WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 5) "
	    "INSERT INTO openapi_version (id, spec, no, created_at) SELECT 'v' || n, 's', n, n FROM k;"
	    "INSERT INTO openapi_file (version, no, name, media, data) "
	    "SELECT id, 0, 'f', 'application/json', x'7b7d' FROM openapi_version;"
	    "INSERT INTO openapi_page (version, no, kind, name, title, slug, description, markdown) "
	    "SELECT id, 0, 'info', 'i', 't', 's', '', '' FROM openapi_version;"
	    "INSERT INTO openapi_operation SELECT id, 0, 'o', 'operation', 'get', '/', 't', 'w', '[]', '{}' "
	    "FROM openapi_version; INSERT INTO openapi_page_operation SELECT id, 0, 0 FROM openapi_version;"
	    "INSERT INTO openapi_schema SELECT id, 'S', 0, '[]', '{}', '' FROM openapi_version", &error));
	purge_run(f->db, f->arena, set);
	assert_int_equal(ask(f->db, f->arena, "SELECT sum(no) FROM openapi_version"), 9);
	assert_int_equal(ask(f->db, f->arena, "SELECT versions FROM openapi_spec"), 2);
	assert_int_equal(ask(f->db, f->arena, "SELECT (SELECT count(*) FROM openapi_file) + "
	    "(SELECT count(*) FROM openapi_page) + (SELECT count(*) FROM openapi_operation) + "
	    "(SELECT count(*) FROM openapi_page_operation) + (SELECT count(*) FROM openapi_schema)"), 10);
}

/*
 * A version that is still being written is neither kept nor counted as one of the newest. An
 * orphaned one is deleted by the next run for its description, or after a week.
 */
static void
orphaned_versions_are_deleted(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	const char *error = NULL, *writing;

	set->openapi_versions = 2;
	writing = arena_printf(f->arena, "INSERT INTO openapi_spec (id, org, slug, versions, latest, created_at, updated_at) "
	    "SELECT 's', id, 's', 2, 'v2', 0, 0 FROM org LIMIT 1;"
	    "WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 4) "
	    "INSERT INTO openapi_version (id, spec, no, created_at, shown) "
	    "SELECT 'v' || n, 's', n, CASE n WHEN 4 THEN 0 ELSE %lld END, n < 3 FROM k;"
	    "INSERT INTO openapi_operation SELECT id, 0, 'o', 'operation', 'get', '/', 't', 'w', '[]', '{}' "
	    "FROM openapi_version", (long long)time_now());
	assert_true(db_script(f->db, f->arena, writing, &error));
	purge_run(f->db, f->arena, set);
	/* 1 and 2 are complete, 3 is being written, 4 was orphaned long ago. */
	assert_int_equal(ask(f->db, f->arena, "SELECT sum(no) FROM openapi_version"), 6);
	assert_int_equal(ask(f->db, f->arena, "SELECT count(*) FROM openapi_operation"), 3);
	assert_int_equal(ask(f->db, f->arena, "SELECT versions FROM openapi_spec"), 2);
	versions_sweep(f->db, f->arena, "s");
	assert_int_equal(ask(f->db, f->arena, "SELECT sum(no) FROM openapi_version"), 3);
	assert_int_equal(ask(f->db, f->arena, "SELECT count(*) FROM openapi_operation"), 2);
	assert_int_equal(ask(f->db, f->arena, "SELECT versions FROM openapi_spec"), 2);
}

/* Translations that no run has used for a year are deleted; using one again keeps it. */
static void
unused_translations_are_deleted(void **state)
{
	struct fixture *f = *state;
	struct settings *set = settings_for(f->arena, f->dir);
	const char *error = NULL;
	struct str out;
	bool worn;
	char key = 1;

	db_begin(f->db, true);
	for (; key < 4; key++)
		memory_put(f->db, f->org, (struct str){ &key, 1 }, str_of("hola"));
	db_commit(f->db);
	assert_true(memory_get(f->db, f->arena, f->org, STR("\1"), &out, &worn));
	assert_false(worn);
	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "UPDATE translation_memory SET used_at = %lld WHERE key IN (x'01', x'02');"
	    "WITH RECURSIVE k (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM k WHERE n < 350) "
	    "INSERT INTO translation_memory (org, key, text, used_at) SELECT '%s', CAST(n AS BLOB), 'x', 5 FROM k",
	    (long long)(time_now() - (int64_t)366 * 86400000), f->org), &error));
	assert_true(memory_get(f->db, f->arena, f->org, STR("\2"), &out, &worn));
	assert_true(worn);
	db_begin(f->db, true);
	memory_used(f->db, f->org, STR("\2"));
	db_commit(f->db);
	purge_run(f->db, f->arena, set);
	assert_int_equal(ask(f->db, f->arena, "SELECT count(*) FROM translation_memory"), 2);
	assert_false(memory_get(f->db, f->arena, f->org, STR("\1"), &out, &worn));
	assert_true(memory_get(f->db, f->arena, f->org, STR("\2"), &out, &worn));
	assert_false(worn);
}

/* Counts of site events are deleted after two years. */
static void
old_events_are_deleted(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	long long today = (long long)(time_now() / 86400000);

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
	    "VALUES ('s', '%s', 'basic', 'S', 's', 'public', 0, 0);"
	    "INSERT INTO site_event VALUES ('s', %lld, '', '', '', 'page_view', '', 1), "
	    "('s', %lld, '', '', '', 'page_view', '', 2), ('s', %lld, '', '', '', 'page_view', '', 4)",
	    f->org, today - 733, today - 732, today), &error));
	purge_run(f->db, f->arena, settings_for(f->arena, f->dir));
	assert_int_equal(ask(f->db, f->arena, "SELECT sum(n) FROM site_event"), 6);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_restore_in_between_wins), TEST(blobs_are_swept_daily), TEST(transactions_are_short),
		TEST(a_running_job_ends_before_its_space), TEST(no_job_of_a_purged_space_starts),
		TEST(old_versions_are_deleted), TEST(orphaned_versions_are_deleted),
		TEST(unused_translations_are_deleted), TEST(old_events_are_deleted),
		TEST(a_purge_may_be_killed_at_each_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
