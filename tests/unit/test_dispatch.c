/*
 * A request from its input to its response, in memory: input in pieces or truncated, failures of
 * the database at every step, CORS, limits, and the self check.
 */
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "api/routes.h"
#include "../memory_io.h"

#include "db_fixture.h"
#include "app/queue.h"

static struct settings set;

static struct memory_io
request(struct fixture *f, const char *method, const char *uri, const char *body)
{
	struct memory_io m = { 0 };

	memory_request(&m, f->arena, method, uri, f->token, body == NULL ? (struct str){ NULL, 0 } :
	    str_of(body));
	return m;
}

static void
serve(struct fixture *f, struct memory_io *m)
{
	struct arena *a = arena_new(64 << 20);

	memory_serve(m, a, f->db, &set, &octavo_app);
	arena_free(a);
}

static int
serve_once(struct fixture *f, const char *method, const char *uri, const char *body)
{
	struct memory_io m = request(f, method, uri, body);

	serve(f, &m);
	memory_free(&m);
	return m.status;
}

static void
take_number(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx += col_int(q, 0);
}

/* Number of rows, which a refused or failed request must not change. */
static int64_t
rows(struct fixture *f)
{
	static const char *const tables[] = { "space", "branch", "revision", "node", "job", "org", "member",
		"access_grant", "idempotency", "audit_event" };
	const char *error;
	int64_t n = 0;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		db_each(f->db, f->arena, arena_printf(f->arena, "SELECT count(*) FROM %s", tables[i]),
		    take_number, &n, &error);
	db_each(f->db, f->arena, "SELECT sum(updated_at + length(title)) FROM space", take_number, &n, &error);
	return n;
}

static int
setup(void **state)
{
	db_setup(state);
	set = db_settings(*state);
	return 0;
}

/* ---- the body ---- */

static void
a_body_may_come_by_the_byte(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "POST", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org),
	    "{\"title\":\"By the byte\"}");

	m.step = 1;
	serve(f, &m);
	assert_int_equal(m.status, 201);
	assert_non_null(strstr(m.text, "By the byte"));
	memory_free(&m);
}

static void
a_body_that_is_cut_off_is_refused(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "POST", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org),
	    "{\"title\":\"x\"}");
	int64_t before = rows(f);

	/* Complete JSON arrived, but Content-Length announced more bytes: it may be the beginning of another text. */
	memory_set(&m, "CONTENT_LENGTH", "50");
	serve(f, &m);
	assert_int_equal(m.status, 400);
	m.hang_up = true;
	m.body.n = 5;
	serve(f, &m);
	assert_int_equal(m.status, 400);
	assert_int_equal(rows(f), before);
	memory_free(&m);
}

static void
a_body_over_the_limit_answers_413(void **state)
{
	struct fixture *f = *state;
	char *body = arena_alloc(f->arena, 3000);
	struct memory_io m;

	set.max_body = 2000;
	memset(body, ' ', 2999);
	memcpy(body, "{}", 2);
	m = request(f, "PATCH", arena_printf(f->arena, "/v1/spaces/%s", f->space), body);
	serve(f, &m);
	assert_int_equal(m.status, 413);
	/* Chunked: the length is unknown. */
	memory_set(&m, "CONTENT_LENGTH", NULL);
	serve(f, &m);
	assert_int_equal(m.status, 413);
	m.body.n = 2000;
	serve(f, &m);
	assert_int_equal(m.status, 200);
	memory_set(&m, "CONTENT_LENGTH", "99999999999999999999999");
	serve(f, &m);
	assert_int_equal(m.status, 413);
	set.max_body = 10 << 20;
	memory_free(&m);
}

/* ---- failures of the database ---- */

struct write {
	const char *method, *path, *body;
	int         ok;
};

/*
 * Fails the first database step, then the second, and so on until the request succeeds: each time
 * the response is a clean error with the right status, and nothing is written.
 */
static void
fail_each_step(struct fixture *f, const struct write *w, enum db_failure kind, int want)
{
	struct memory_io m = request(f, w->method, w->path, w->body);
	int64_t nth, before;

	/* A cached answer takes no database step, so write something that invalidates it. */
	db_begin(f->db, true);
	token_make(f->db, f->arena, f->user, "read", "", 0);
	db_commit(f->db);
	/* Some steps run after the response (caches): their failure does not show in it. */
	for (nth = 1; nth < 500; nth++) {
		before = rows(f);
		db_fault(f->db, nth, kind);
		serve(f, &m);
		db_fault(f->db, 0, kind);
		assert_false(db_in_transaction(f->db));
		if (m.status == w->ok)
			break;
		if (m.status != want)
			fail_msg("%s %s, step %d: %d instead of %d: %s", w->method, w->path, (int)nth, m.status,
			    want, m.text);
		assert_non_null(strstr(m.text, "{\"error\":{\"code\":"));
		assert_true((strstr(m.out, "Retry-After: ") != NULL) == (want == 503));
		assert_int_equal(rows(f), before);
	}
	assert_true(nth > 2);
	assert_int_equal(m.status, w->ok);
	memory_free(&m);
}

static void
a_failing_database_answers_clean_errors(void **state)
{
	struct fixture *f = *state;
	const char *space = arena_printf(f->arena, "/v1/spaces/%s", f->space);
	const struct write writes[] = {
		{ "GET", space, NULL, 200 },
		{ "GET", arena_printf(f->arena, "%s/content", space), NULL, 200 },
		{ "GET", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org), NULL, 200 },
		{ "POST", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org), "{\"title\":\"Made\"}", 201 },
		{ "PATCH", space, "{\"title\":\"Other title\"}", 200 },
		{ "PATCH", space, "{\"title\":\"Manual\"}", 200 },
		{ "POST", arena_printf(f->arena, "%s/duplicate", space), NULL, 201 },
		{ "POST", arena_printf(f->arena, "%s/git/import", space),
		  "{\"url\":\"https://example.com/x.git\",\"ref\":\"refs/heads/main\"}", 204 },
		{ "POST", "/v1/orgs", "{\"title\":\"Mine\"}", 201 },
	};
	size_t i;

	for (i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		fail_each_step(f, &writes[i], DB_BUSY, 503);
		fail_each_step(f, &writes[i], DB_FULL, 503);
		fail_each_step(f, &writes[i], DB_AWAY, 503);
		fail_each_step(f, &writes[i], DB_UNKNOWN, 503);
		fail_each_step(f, &writes[i], DB_ERROR, 500);
	}
}

/*
 * A write that met another transaction is run again from its beginning: wherever that happens, the
 * client gets the answer, and one row is written.
 */
static void
a_write_that_met_another_is_run_again(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "POST", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org), "{\"title\":\"Again\"}");
	int64_t nth, before, again = 0;

	for (nth = 1; nth < 80; nth++) {
		before = rows(f);
		db_fault(f->db, nth, DB_AGAIN);
		serve(f, &m);
		db_fault(f->db, 0, DB_AGAIN);
		again += m.status == 201;
		assert_false(db_in_transaction(f->db));
		/* Before the write transaction, while the caller is looked up, nothing is run again. */
		assert_true(m.status == 201 || (m.status == 503 && again == 0));
		assert_int_equal(rows(f) > before, m.status == 201);
	}
	assert_in_range(again, 40, 79);
	memory_free(&m);
}

/* The response kept for an idempotency key is written in the transaction of the work: both or neither. */
static void
a_failing_write_keeps_no_answer_of_a_key(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "POST", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org),
	    "{\"title\":\"Once\"}");
	int64_t nth, before = rows(f);
	char *first;

	memory_set(&m, "HTTP_IDEMPOTENCY_KEY", "k");
	for (nth = 1; nth < 500; nth++) {
		db_fault(f->db, nth, DB_FULL);
		serve(f, &m);
		db_fault(f->db, 0, DB_FULL);
		if (m.status == 201)
			break;
		assert_int_equal(m.status, 503);
		assert_int_equal(rows(f), before);
	}
	assert_int_equal(m.status, 201);
	first = arena_strdup(f->arena, m.text);
	before = rows(f);
	serve(f, &m);
	assert_int_equal(m.status, 201);
	assert_string_equal(m.text, first);
	assert_int_equal(rows(f), before);
	memory_free(&m);
}

/* ---- headers ---- */

static const char *
allowed_origin(struct fixture *f, const char *cors, const char *origin)
{
	struct memory_io m = request(f, "GET", "/v1/", NULL);
	const char *got;

	set.cors = cors;
	if (origin != NULL)
		memory_set(&m, "HTTP_ORIGIN", origin);
	serve(f, &m);
	got = memory_header(f->arena, &m, "Access-Control-Allow-Origin");
	set.cors = "*";
	memory_free(&m);
	return got;
}

static void
origins_are_allowed_as_set(void **state)
{
	struct fixture *f = *state;
	const char *two = "https://a.example https://b.example:8443";

	assert_string_equal(allowed_origin(f, "*", "https://x.example"), "*");
	assert_string_equal(allowed_origin(f, two, "https://a.example"), "https://a.example");
	assert_string_equal(allowed_origin(f, two, "https://b.example:8443"), "https://b.example:8443");
	assert_string_equal(allowed_origin(f, "https://a.example:1  https://a.example ", "https://a.example"), "https://a.example");
	assert_null(allowed_origin(f, two, "https://a.example.evil"));
	assert_null(allowed_origin(f, two, "https://a.exampl"));
	assert_null(allowed_origin(f, two, "a.example"));
	assert_null(allowed_origin(f, two, "https://b.example"));
	assert_null(allowed_origin(f, two, "null"));
	assert_null(allowed_origin(f, two, ""));
	assert_null(allowed_origin(f, two, NULL));
	assert_null(allowed_origin(f, "", "https://a.example"));
}

static void
if_none_match_has_its_forms(void **state)
{
	static const struct { const char *form; int status; } table[] = {
		{ "\"%s\"", 304 }, { "W/\"%s\"", 304 }, { "\"a\", \"%s\"", 304 }, { "\"a\",W/\"b\",\t\"%s\"", 304 }, { "*%.0s", 304 },
		{ "%s", 200 }, { "\"%s", 200 }, { "\"x%s\"", 200 }, { "'%s'", 200 }, { "%.0s", 200 }, { "\"a\"%.0s", 200 },
		{ "\"a\" \"%s\"", 304 }, { "W/%.0s", 200 }, { "W/\"%.0s", 200 }, { ",,,%.0s", 200 },
	};
	struct fixture *f = *state;
	struct memory_io m = request(f, "GET", "/v1/user", NULL);
	const char *etag;
	char *text;
	size_t i, n;

	serve(f, &m);
	etag = memory_header(f->arena, &m, "ETag");
	etag = arena_strndup(f->arena, etag + 1, strlen(etag) - 2);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		/* Built without printf(), since the compiler wants formats to be literals. */
		n = strcspn(table[i].form, "%");
		text = arena_printf(f->arena, "%.*s%s%s", (int)n, table[i].form,
		    strstr(table[i].form, "%s") != NULL ? etag : "",
		    table[i].form + n + (table[i].form[n + 1] == 's' ? 2 : 4));
		memory_set(&m, "HTTP_IF_NONE_MATCH", text);
		serve(f, &m);
		if (m.status != table[i].status)
			fail_msg("%s: %d instead of %d", text, m.status, table[i].status);
	}
	memory_free(&m);
}

static void
methods_answer_by_the_route(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "HEAD", "/v1/user", NULL);

	serve(f, &m);
	assert_int_equal(m.status, 200);
	assert_string_equal(m.text, "");
	assert_non_null(memory_header(f->arena, &m, "Content-Length"));
	memory_free(&m);
	assert_int_equal(serve_once(f, "OPTIONS", "/v1/user", NULL), 204);
	assert_int_equal(serve_once(f, "OPTIONS", "/v1/x", NULL), 404);
	assert_int_equal(serve_once(f, "TRACE", "/v1/user", NULL), 405);
	assert_int_equal(serve_once(f, "get", "/v1/user", NULL), 405);
	assert_int_equal(serve_once(f, "", "/v1/user", NULL), 405);
	assert_int_equal(serve_once(f, "GET", "", NULL), 404);
}

/* A token that is revoked while the body is still arriving must not be accepted. */
static struct fixture *revoker;

static long
revoking_read(struct io *io, void *p, size_t n)
{
	struct memory_io *m = (struct memory_io *)io;
	const char *error;

	if (m->taken == 0 && !db_script(revoker->db, revoker->arena, "UPDATE token SET revoked_at = 1", &error))
		fail_msg("%s", error);
	return memory_read(io, p, n);
}

static void
a_token_revoked_meanwhile_writes_nothing(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "PATCH", arena_printf(f->arena, "/v1/spaces/%s", f->space),
	    "{\"title\":\"too late\"}");
	struct arena *a = arena_new(64 << 20);
	struct req *r = arena_alloc(a, sizeof(*r));
	const char *error;
	int64_t before = rows(f);

	revoker = f;
	m.io = (struct io){ memory_param, revoking_read, memory_write };
	r->io = &m.io;
	r->arena = a;
	r->db = f->db;
	r->set = &set;
	r->app = &octavo_app;
	dispatch(r);
	assert_int_equal(strncmp(m.out, "Status: 401 ", 12), 0);
	assert_int_equal(rows(f), before);
	db_script(f->db, f->arena, "UPDATE token SET revoked_at = NULL", &error);
	memory_free(&m);
	arena_free(a);
}

/* A client that does not read the response does not stop the request. */
static bool
deaf_write(struct io *io, const void *p, size_t n)
{
	(void)io;
	(void)p;
	(void)n;
	return false;
}

static void
work_is_committed_though_nobody_listens(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = request(f, "POST", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org),
	    "{\"title\":\"Unheard\"}");
	struct arena *a = arena_new(64 << 20);
	struct req *r = arena_alloc(a, sizeof(*r));

	m.io = (struct io){ memory_param, memory_read, deaf_write };
	r->io = &m.io;
	r->arena = a;
	r->db = f->db;
	r->set = &set;
	r->app = &octavo_app;
	dispatch(r);
	assert_int_equal(r->status, 201);
	assert_false(db_in_transaction(f->db));
	arena_free(a);
	assert_int_equal(serve_once(f, "GET", "/v1/user", NULL), 200);
}

/* An access function that sets an error and returns success. */
static int
two_tongues(struct req *r)
{
	r->error = E_FORBIDDEN;
	return 0;
}

/* The program ends instead of letting the caller in. */
static void
a_rule_that_contradicts_itself_ends_the_worker(void **state)
{
	struct fixture *f = *state;
	struct app app = octavo_app;
	struct memory_io m = request(f, "GET", "/v1/user", NULL);
	int status;
	pid_t child = fork();

	app.access = two_tongues;
	if (child == 0) {
		close(STDERR_FILENO);
		memory_serve(&m, f->arena, f->db, &set, &app);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EX_SOFTWARE);
	memory_free(&m);
}

/* Requirement of the answer cache (src/http/answers.h): its routes are GET and answer 200 with JSON. */
static void
kept_routes_are_get_with_json(void **state)
{
	const struct route *row = octavo_app.routes, *end = row + octavo_app.count;

	(void)state;
	for (; row < end; row++)
		if (row->mode == KEPT && (row->method != M_GET || row->ok != 200 || row->reply == NULL || row->access == ANYONE))
			fail_msg("%s is no route whose answers can be kept", row->operation);
}

/* Compares two paths as strcmp() does, but with '/' before every other byte. */
static int
path_order(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return (*a == '/' ? 1 : (unsigned char)*a) - (*b == '/' ? 1 : (unsigned char)*b);
}

/* The router relies on it: it uses binary search. */
static void
the_route_table_is_sorted(void **state)
{
	const struct route *row = octavo_app.routes, *end = row + octavo_app.count;

	(void)state;
	for (; row + 1 < end; row++) {
		const char *a = row[0].path, *b = row[1].path;
		if (path_order(a, b) > 0)
			fail_msg("%s stands before %s", a, b);
		for (; *a == *b && *a != '\0'; a++, b++)
			;
		if ((*a == '\0' || *a == '/') && (*b == '\0' || *b == '/'))
			continue;
		/* If the first difference is inside of two variables, one variable has two names. */
		while (*a != '/' && *a != '{')
			a--;
		if (*a == '{')
			fail_msg("%s and %s name one variable differently", row[0].path, row[1].path);
	}
}

/* ---- a merge that is prepared, and refused when it is to be shown ---- */

static bool archived;

/* As soon as a branch is reserved, somebody archives all requests. */
static void
archive_meanwhile(void *ctx)
{
	struct fixture *f = ctx;
	const char *error;
	int64_t staged = 0;

	if (archived)
		return;
	assert_true(db_each(f->db, f->arena, "SELECT count(*) FROM branch WHERE staged IS NOT NULL", take_number, &staged, &error));
	archived = staged > 0;
	if (archived)
		assert_true(db_script(f->db, f->arena, "UPDATE change_request SET status = 'archived'", &error));
}

static void
a_refused_merge_leaves_no_reservation(void **state)
{
	struct fixture *f = *state;
	const char *base = arena_printf(f->arena, "/v1/spaces/%s/change-requests", f->space), *error;
	int64_t staged = 0;
	struct buf b;

	assert_int_equal(serve_once(f, "POST", base, "{\"subject\":\"Long\"}"), 201);
	base = arena_printf(f->arena, "%s/1", base);
	for (int i = 0; i < 5; i++) {
		buf_init(&b, f->arena, 1 << 20);
		buf_str(&b, "{\"changes\":[");
		for (int k = 0; k < 50; k++)
			buf_printf(&b, "%s{\"operation\":\"insert_page\",\"title\":\"P%d-%d\",\"document\":{\"markdown\":\"x\"}}",
			    k > 0 ? "," : "", i, k);
		buf_str(&b, "]}");
		assert_int_equal(serve_once(f, "POST", arena_printf(f->arena, "%s/content", base), b.p), 200);
	}
	archived = false;
	db_watch(f->db, DB_STEP_MS * 1000, archive_meanwhile, f);
	assert_int_equal(serve_once(f, "POST", arena_printf(f->arena, "%s/merge", base), "{}"), 409);
	db_watch(f->db, DB_STEP_MS * 1000, NULL, NULL);
	assert_true(archived);
	assert_true(db_each(f->db, f->arena, "SELECT count(*) FROM branch WHERE staged IS NOT NULL", take_number, &staged, &error));
	assert_int_equal(staged, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_refused_merge_leaves_no_reservation, db_setup, db_teardown),
		cmocka_unit_test(a_body_may_come_by_the_byte), cmocka_unit_test(a_body_that_is_cut_off_is_refused),
		cmocka_unit_test(a_body_over_the_limit_answers_413),
		cmocka_unit_test(a_failing_database_answers_clean_errors),
		cmocka_unit_test(a_write_that_met_another_is_run_again),
		cmocka_unit_test(a_failing_write_keeps_no_answer_of_a_key), cmocka_unit_test(origins_are_allowed_as_set),
		cmocka_unit_test(if_none_match_has_its_forms), cmocka_unit_test(methods_answer_by_the_route),
		cmocka_unit_test(a_token_revoked_meanwhile_writes_nothing),
		cmocka_unit_test(work_is_committed_though_nobody_listens),
		cmocka_unit_test(a_rule_that_contradicts_itself_ends_the_worker),
		cmocka_unit_test(kept_routes_are_get_with_json),
		cmocka_unit_test(the_route_table_is_sorted) };

	return cmocka_run_group_tests(tests, setup, db_teardown);
}
