/*
 * Failures in the middle of an operation: the Nth step of the database or the Nth allocation fails,
 * N = 1, 2, … until the operation succeeds. Each time the response is a clean 5xx (or the right
 * answer, if only a cache was missed), nothing is half-written, and the next request works.
 *
 * After a failed step the loop goes on; a failed allocation ends the process, so it runs in a child
 * and the database is checked afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/routes.h"
#include "../temp_dir.h"
#include "../memory_io.h"
#include "store/blob.h"
#include "base/panic.h"
#include "app/people.h"
#include "http/req.h"
#include "base/secret.h"

/* After our headers: it defines fail() as a macro. */
#include <cmocka.h>

enum { MOST_STEPS = 3000, MOST_ALLOCATIONS = 6000 };
/* Sanitizers make a fork slow. */
#if defined(__SANITIZE_ADDRESS__)
enum { ONE_BY_ONE = 15 };
#else
enum { ONE_BY_ONE = 40 };
#endif

struct call {
	const char *method, *path, *body;   /* %s in the path: the space; %d: one of its pages */
	int         ok;
};

/* One call of each kind: objects, lists, writes, content, trees, search, jobs. */
static const struct call calls[] = {
	{ "GET", "/v1/spaces/%s", NULL, 200 },
	{ "GET", "/v1/orgs", NULL, 200 },
	{ "GET", "/v1/spaces/%s/content", NULL, 200 },
	{ "GET", "/v1/spaces/%s/content/path/page", NULL, 200 },
	{ "GET", "/v1/spaces/%s/content/path/page?format=markdown", NULL, 200 },
	{ "GET", "/v1/spaces/%s/content/files", NULL, 200 },
	{ "GET", "/v1/spaces/%s/search?query=words", NULL, 200 },
	{ "GET", "/v1/spaces/%s/change-requests", NULL, 200 },
	{ "PATCH", "/v1/spaces/%s", "{\"title\":\"Other\"}", 200 },
	{ "POST", "/v1/spaces/%s/duplicate", NULL, 201 },
	{ "POST", "/v1/spaces/%s/change-requests", "{\"subject\":\"More\"}", 201 },
	{ "POST", "/v1/spaces/%s/change-requests/1/content", "{\"changes\":[{\"operation\":\"insert_page\","
	  "\"title\":\"New\",\"document\":{\"markdown\":\"Some [link](page.md) and words\"}}]}", 200 },
	{ "POST", "/v1/spaces/%s/change-requests/1/content", "{\"changes\":[{\"operation\":\"insert_files\","
	  "\"files\":[{\"name\":\"a.txt\",\"contentType\":\"text/plain\",\"base64\":\"YQ==\"}]}]}", 200 },
	{ "GET", "/v1/spaces/%s/change-requests/1/changes?diff=true", NULL, 200 },
	{ "POST", "/v1/spaces/%s/change-requests/1/update", NULL, 200 },
	{ "POST", "/v1/spaces/%s/comments", "{\"body\":{\"markdown\":\"Hm\"}}", 200 },
	{ "POST", "/v1/spaces/%s/git/import",
	  "{\"url\":\"https://u:p@example.com/x.git\",\"ref\":\"refs/heads/main\"}", 204 },
	{ "POST", "/v1/spaces/%s/change-requests/1/merge", NULL, 200 },
};

struct world {
	char             dir[TEMP_MAX];
	struct arena    *life;
	struct settings *set;
	struct db       *db;
	const char      *space, *token;
};

/* Serves one call and returns its status. prepare: called directly before dispatch. */
static int
serve(struct world *w, const struct call *c, struct memory_io *m,
    void (*prepare)(struct world *, size_t), size_t n)
{
	struct arena *a = arena_new(256 << 20);
	char uri[300];

	snprintf(uri, sizeof(uri), "%.*s%s%s", (int)strcspn(c->path, "%"), c->path,
	    strchr(c->path, '%') != NULL ? w->space : "",
	    strchr(c->path, '%') != NULL ? strchr(c->path, '%') + 2 : "");
	memory_request(m, a, c->method, uri, w->token,
	    c->body == NULL ? (struct str){ NULL, 0 } : str_of(c->body));
	if (prepare != NULL)
		prepare(w, n);
	memory_serve(m, a, w->db, w->set, &octavo_app);
	db_fault(w->db, 0, DB_ERROR);
	arena_free(a);
	return m->status;
}

static struct memory_io io;

static void
must(struct world *w, const char *method, const char *path, const char *body, int status)
{
	struct call c = { method, path, body, status };

	if (serve(w, &c, &io, NULL, 0) != status)
		fail_msg("%s %s: %s", method, path, io.out);
}

static const char *
get_env(void *ctx, const char *name)
{
	struct world *w = ctx;

	return strcmp(name, "OCTAVO_DIR") == 0 ? w->dir : strcmp(name, "OCTAVO_SELFCHECK") == 0 ? "1" :
	    NULL;
}

static void
open_db(struct world *w, enum db_mode mode)
{
	const char *error;

	w->db = db_open(w->life, settings_db(w->life, w->set), mode,
	    &(struct db_options){ .relaxed = true }, &error);
	if (w->db == NULL)
		fail_msg("%s", error);
}

static int
world_open(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct org_new o = { .title = "Org" };
	const char *error, *org, *user, *p;
	struct call make = { "POST", "", "{\"title\":\"S\"}", 201 };
	char path[100];

	temp_dir(w->dir);
	w->life = arena_new(64 << 20);
	assert_null(secret_create(w->life, w->dir));
	w->set = settings_read(w->life, get_env, w, &error);
	open_db(w, DB_CREATE);
	db_begin(w->db, true);
	user = user_make(w->db, w->life, "a@example.com", "A");
	org = org_make(w->db, w->life, &o);
	member_set(w->db, org, user, 6);
	w->token = token_make(w->db, w->life, user, "admin", "", 0);
	db_commit(w->db);
	snprintf(path, sizeof(path), "/v1/orgs/%s/spaces", org);
	make.path = path;
	w->space = "";
	if (serve(w, &make, &io, NULL, 0) != 201)
		fail_msg("%s", io.out);
	p = strstr(io.out, "\"id\":\"") + 6;
	w->space = arena_strndup(w->life, p, strcspn(p, "\""));
	must(w, "POST", "/v1/spaces/%s/change-requests", "{\"subject\":\"First\"}", 201);
	must(w, "POST", "/v1/spaces/%s/change-requests/1/content", "{\"changes\":[{\"operation\":\"insert_page\","
	    "\"title\":\"Page\",\"document\":{\"markdown\":\"## Part\\n\\nSome words, a [link](nowhere.md)\"}}]}", 200);
	must(w, "POST", "/v1/spaces/%s/change-requests/1/merge", NULL, 200);
	must(w, "POST", "/v1/spaces/%s/change-requests", "{\"subject\":\"Second\"}", 201);
	*state = w;
	return 0;
}

static int
world_close(void **state)
{
	struct world *w = *state;
	char command[128];

	db_close(w->db);
	arena_free(w->life);
	memory_free(&io);
	snprintf(command, sizeof(command), "rm -rf '%s'", w->dir);
	if (system(command) != 0)
		return -1;
	free(w);
	return 0;
}

/* The same call, aimed at the second change request, which is open, instead of the first. */
static struct call
aimed(struct world *w, const struct call *c)
{
	struct call out = *c;
	char *path = arena_strdup(w->life, c->path), *one = strstr(path, "change-requests/1");

	if (one != NULL)
		one[strlen("change-requests/")] = '2';
	out.path = path;
	return out;
}

static void
clean_error(const struct call *c, int status, size_t n)
{
	if (status != 500 && status != 503)
		fail_msg("%s %s, fault %zu: status %d", c->method, c->path, n, status);
	if (strncmp(io.text, "{\"error\":{\"code\":", 17) != 0)
		fail_msg("%s %s, fault %zu: %s", c->method, c->path, n, io.out);
}

static void
breach(void *ctx, struct stmt *q)
{
	(void)ctx;
	fail_msg("a reference leads nowhere: %s", col_text(q, 0));
}

static void
file_is_whole(struct world *w)
{
	const char *error = NULL;

	db_each(w->db, w->life, "PRAGMA foreign_key_check", breach, NULL, &error);
	assert_null(error);
}

static void
temporary(void *ctx, const struct blob_file *f)
{
	(void)ctx;
	if (f->hash.n == 0)
		fail_msg("%s was left behind", f->path);
}

static void
nothing_half_written(struct world *w, const struct call *c)
{
	if (c->body != NULL && strstr(c->body, "insert_files") != NULL)
		blob_walk(w->life, w->dir, temporary, NULL);
}

/* ---- steps ---- */

static void
fail_step(struct world *w, size_t n)
{
	db_fault(w->db, (int64_t)n, n % 3 == 0 ? DB_BUSY : n % 3 == 1 ? DB_ERROR : DB_FULL);
}

static void
every_failing_step_is_a_clean_error(void **state)
{
	struct world *w = *state;
	size_t i, n;
	int status;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct call c = aimed(w, &calls[i]);
		for (n = 1; n < MOST_STEPS; n++) {
			status = serve(w, &c, &io, fail_step, n);
			assert_false(db_in_transaction(w->db));
			nothing_half_written(w, &c);
			if (status == c.ok)
				break;
			clean_error(&c, status, n);
		}
		if (n == MOST_STEPS)
			fail_msg("%s %s never got through", c.method, c.path);
		file_is_whole(w);
	}
}

/* ---- allocations ---- */

static void
fail_allocation(struct world *w, size_t n)
{
	(void)w;
	arena_fault(n);
}

static int answer_fd;

static void
answer_panic(const char *message)
{
	static const char text[] = "Status: 500\r\n\r\n{\"error\":{\"code\":500,\"message\":\"internal error\"}}";

	arena_fault(0);
	if (strstr(message, "injected") == NULL || write(answer_fd, text, sizeof(text)) < 0)
		_exit(99);
	_exit(70);
}

/* Runs the call in a child with a separate connection; returns its exit status, 0 if no allocation failed. */
static int
in_child(struct world *w, const struct call *c, size_t n)
{
	int fds[2], status;
	char text[200] = "";
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		answer_fd = fds[1];
		panic_hook(answer_panic);
		open_db(w, DB_READ_WRITE);
		_exit(serve(w, c, &io, fail_allocation, n) == c->ok ? 0 : 98);
	}
	close(fds[1]);
	if (read(fds[0], text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 70)
		assert_non_null(strstr(text, "\"code\":500"));
	return WEXITSTATUS(status);
}

static void
every_failing_allocation_is_a_clean_error(void **state)
{
	struct world *w = *state;
	size_t i, n, step;
	int status;

	/* SQLite connections must not be used after a fork. */
	db_close(w->db);
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		struct call c = aimed(w, &calls[i]);
		/* The first ones one by one, then in growing steps: one child each. */
		for (n = 1, step = 1; n < MOST_ALLOCATIONS; n += step) {
			status = in_child(w, &c, n);
			if (status == 0)
				break;
			if (status != 70)
				fail_msg("%s %s, allocation %zu: exit status %d", c.method, c.path, n, status);
			step = n < ONE_BY_ONE ? 1 : n / 10;
		}
	}
	open_db(w, DB_READ_WRITE);
	file_is_whole(w);
	must(w, "GET", "/v1/spaces/%s/content", NULL, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_failing_step_is_a_clean_error, world_open, world_close),
		cmocka_unit_test_setup_teardown(every_failing_allocation_is_a_clean_error, world_open, world_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
