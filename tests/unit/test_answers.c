/* Answers that a worker gives again (src/http/answers.h): to whom, for how long, and which are not kept. */
#include <unistd.h>

#include "../memory_io.h"
#include "base/file.h"

#include "db_fixture.h"

SQL(q_revoke, "UPDATE token SET revoked_at = 1");

static struct settings set;
/* What the route below did. */
static int calls;
static const char *tag, *type;
static bool restored;

/* Its answer says how often it was made. */
static int
count(struct req *r)
{
	calls++;
	r->content_type = type;
	if (restored)
		r->space.deleted_at = 1;
	if (tag != NULL && not_modified(r, "%s", tag))
		return 0;
	json_obj(&r->json);
	json_kint(&r->json, "calls", r->set->self_check ? 0 : calls);
	json_end(&r->json);
	r->cache = "private, max-age=7";
	return 0;
}

static int
anybody(struct req *r)
{
	(void)r;
	return 0;
}

/* Any other token is a site's. */
static bool
site_token(struct req *r)
{
	r->who.kind = BY_SITES;
	r->who.user = "a site";
	return strncmp(r->who.bearer.p, "site", 4) == 0;
}

static const struct route routes[] = {
	{ M_GET, "/count", "count", count, USER, BY_USERS | BY_SITES, KEPT, NULL, NULL, NULL, 200, "", "", "USER", "", "" } };
static const struct app app = { .routes = routes, .count = 1, .access = anybody, .other_token = site_token };

static int
setup(void **state)
{
	db_setup(state);
	set = db_settings(*state);
	set.self_check = false;
	calls = 0;
	tag = type = NULL;
	restored = false;
	return 0;
}

/* The answer's body; condition: If-None-Match, or NULL. */
static const char *
ask_as(struct fixture *f, const char *token, const char *uri, const char *condition, struct memory_io *m)
{
	struct arena *a = arena_new(64 << 20);

	memory_request(m, f->arena, "GET", uri, token, (struct str){ NULL, 0 });
	memory_set(m, "HTTP_IF_NONE_MATCH", condition);
	memory_serve(m, a, f->db, &set, &app);
	arena_free(a);
	return arena_strdup(f->arena, m->text);
}

static const char *
ask(struct fixture *f, const char *uri)
{
	struct memory_io m = { 0 };
	const char *text = ask_as(f, f->token, uri, NULL, &m);

	memory_free(&m);
	return text;
}

static void
commit(struct fixture *f)
{
	db_begin(f->db, true);
	token_make(f->db, f->arena, f->user, "read", "", 0);
	db_commit(f->db);
}

static void
again(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count?a=1"), "{\"calls\":2}");
	commit(f);
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":3}");
}

/* Caching is told as it was told first. */
static void
headers(void **state)
{
	struct fixture *f = *state;
	struct memory_io one = { 0 }, two = { 0 };

	ask_as(f, f->token, "/v1/count", NULL, &one);
	ask_as(f, f->token, "/v1/count", NULL, &two);
	assert_int_equal(calls, 1);
	assert_string_equal(memory_header(f->arena, &two, "Cache-Control"), "private, max-age=7");
	assert_string_equal(memory_header(f->arena, &two, "ETag"), memory_header(f->arena, &one, "ETag"));
	assert_int_equal(two.status, 200);
	ask_as(f, f->token, "/v1/count", memory_header(f->arena, &one, "ETag"), &two);
	assert_int_equal(two.status, 304);
	assert_int_equal(calls, 1);
	memory_free(&one);
	memory_free(&two);
}

/* A 304 is given again to who holds the tag; everybody else gets the answer. */
static void
conditional(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	const char *etag;

	tag = "a";
	ask_as(f, f->token, "/v1/count", NULL, &m);
	etag = memory_header(f->arena, &m, "ETag");
	commit(f);
	for (int i = 0; i < 3; i++) {
		assert_string_equal(ask_as(f, f->token, "/v1/count", etag, &m), "");
		assert_int_equal(m.status, 304);
	}
	assert_int_equal(calls, 2);
	assert_string_equal(ask_as(f, f->token, "/v1/count", "\"other\"", &m), "{\"calls\":3}");
	assert_int_equal(m.status, 200);
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":3}");
	memory_free(&m);
}

/* Another user, another token of the same one and a token that has ended get nothing of it. */
static void
callers(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	const char *other, *reading, *same;

	db_begin(f->db, true);
	other = token_make(f->db, f->arena, user_make(f->db, f->arena, "b@example.com", "B"), "admin", "", 0);
	reading = token_make(f->db, f->arena, f->user, "read", "", 0);
	same = token_make(f->db, f->arena, f->user, "admin", "", time_now() + 4000);
	db_commit(f->db);
	ask(f, "/v1/count");
	assert_string_equal(ask_as(f, other, "/v1/count", NULL, &m), "{\"calls\":2}");
	assert_string_equal(ask_as(f, reading, "/v1/count", NULL, &m), "{\"calls\":3}");
	assert_string_equal(ask_as(f, same, "/v1/count", NULL, &m), "{\"calls\":4}");
	while (m.status != 401) {
		usleep(20000);
		ask_as(f, same, "/v1/count", NULL, &m);
	}
	assert_int_equal(calls, 4);
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	ask_as(f, "octo_nobody", "/v1/count", NULL, &m);
	assert_int_equal(m.status, 401);
	ask_as(f, "octo_nobody", "/v1/count", NULL, &m);
	assert_int_equal(m.status, 401);
	ask_as(f, NULL, "/v1/count", NULL, &m);
	assert_int_equal(m.status, 401);
	memory_free(&m);
}

/* A token that is revoked gets nothing more of what was kept for it. */
static void
revoked(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	ask(f, "/v1/count");
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	db_begin(f->db, true);
	stmt_run(db_use(f->db, &q_revoke));
	db_commit(f->db);
	for (int i = 0; i < 2; i++) {
		ask_as(f, f->token, "/v1/count", NULL, &m);
		assert_int_equal(m.status, 401);
	}
	assert_int_equal(calls, 1);
	memory_free(&m);
}

/* The log names who asked, also where nobody looked them up. */
static void
logged(void **state)
{
	struct fixture *f = *state;
	char *line = arena_printf(f->arena, "%s count 200 ", f->user);
	struct str log;
	int named = 0;

	set.access_log = arena_printf(f->arena, "%s/access.log", f->dir);
	ask(f, "/v1/count");
	ask(f, "/v1/count");
	assert_int_equal(calls, 1);
	assert_true(file_read(f->arena, set.access_log, &log));
	for (const char *at = log.p; (at = strstr(at, line)) != NULL; at++)
		named++;
	assert_int_equal(named, 2);
}

/* What sites show may end by the clock alone. */
static void
sites(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	assert_string_equal(ask_as(f, "site", "/v1/count", NULL, &m), "{\"calls\":1}");
	assert_string_equal(ask_as(f, "site", "/v1/count", NULL, &m), "{\"calls\":2}");
	memory_free(&m);
}

static void
not_kept(void **state)
{
	struct fixture *f = *state;

	type = "text/plain";
	ask(f, "/v1/count");
	ask(f, "/v1/count");
	assert_int_equal(calls, 2);
	type = NULL;
	restored = true;
	ask(f, "/v1/count");
	ask(f, "/v1/count");
	assert_int_equal(calls, 4);
}

/* Tests hold every second answer against what was kept: the route is run for it. */
static void
compared(void **state)
{
	struct fixture *f = *state;

	set.self_check = true;
	for (int i = 0; i < 8; i++)
		ask(f, "/v1/count");
	assert_in_range(calls, 4, 5);
}

int
main(void)
{
	/* The log first: a worker opens it once. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(logged, setup, db_teardown),
		cmocka_unit_test_setup_teardown(again, setup, db_teardown),
		cmocka_unit_test_setup_teardown(headers, setup, db_teardown),
		cmocka_unit_test_setup_teardown(conditional, setup, db_teardown),
		cmocka_unit_test_setup_teardown(callers, setup, db_teardown),
		cmocka_unit_test_setup_teardown(revoked, setup, db_teardown),
		cmocka_unit_test_setup_teardown(sites, setup, db_teardown),
		cmocka_unit_test_setup_teardown(not_kept, setup, db_teardown),
		cmocka_unit_test_setup_teardown(compared, setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
