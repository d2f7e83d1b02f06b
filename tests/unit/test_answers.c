/*
 * Cached answers of a worker (src/http/answers.h): for which callers they are used, for how long,
 * and which answers are not cached.
 */
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "api/routes.h"
#include "../memory_io.h"
#include "base/file.h"

#include "db_fixture.h"

SQL(q_revoke, "UPDATE token SET revoked_at = 1");
SQL(q_expire, "UPDATE token SET expires_at = :at");
SQL(q_trash, "UPDATE space SET deleted_at = :at");

static struct settings set;
/* Number of runs of the route below, and how it answers. */
static int calls;
static const char *tag, *cache;
static int64_t deleted_at;
static bool counts, goes_on, lacks;
/* Seconds by which this program's clock is ahead of the system's. */
static long ahead;

/* Replaces the C library's. */
int
clock_gettime(clockid_t clock, struct timespec *t)
{
	int rc = (int)syscall(SYS_clock_gettime, clock, t);

	if (clock == CLOCK_REALTIME)
		t->tv_sec += ahead;
	return rc;
}

static void
go_on(struct req *r, void *arg)
{
	(void)r;
	(void)arg;
}

/* A route whose answer holds the number of its runs. */
static int
count(struct req *r)
{
	calls++;
	r->space.deleted_at = deleted_at;
	r->cache = cache;
	if (goes_on)
		r->after = go_on;
	r->unfinished = lacks;
	if (tag != NULL && not_modified(r, "%s", tag))
		return 0;
	json_obj(&r->json);
	json_kint(&r->json, "calls", counts ? calls : 0);
	json_end(&r->json);
	return 0;
}

static int
anybody(struct req *r)
{
	(void)r;
	return 0;
}

/* Tokens that begin with "site" are those of a site. */
static bool
site_token(struct req *r)
{
	r->who.kind = BY_SITES;
	r->who.user = "a site";
	return strncmp(r->who.bearer.p, "site", 4) == 0;
}

static const struct field limit_fields[] = { { .name = "limit", .type = T_INT }, { 0 } };
static const struct shape limit_query = { "LimitQuery", limit_fields };

static const struct route routes[] = {
	{ M_GET, "/count", "count", count, USER, BY_USERS | BY_SITES, KEPT, &limit_query, NULL, NULL, 200, "", "", "USER", "", "" },
	{ M_GET, "/read", "read", count, USER, BY_USERS, RO, NULL, NULL, NULL, 200, "", "", "USER", "", "" } };
static const struct app app = { .routes = routes, .count = 2, .access = anybody, .other_token = site_token };

static int
setup(void **state)
{
	db_setup(state);
	set = db_settings(*state);
	set.self_check = false;
	calls = 0;
	tag = cache = NULL;
	deleted_at = 0;
	counts = true;
	goes_on = lacks = false;
	ahead = 0;
	return 0;
}

/* Returns the body of the answer. condition: If-None-Match, or NULL. */
static const char *
ask_of(struct fixture *f, const struct app *of, const char *token, const char *uri, const char *condition, struct memory_io *m)
{
	struct arena *a = arena_new(64 << 20);

	memory_request(m, f->arena, "GET", uri, token, (struct str){ NULL, 0 });
	memory_set(m, "HTTP_IF_NONE_MATCH", condition);
	memory_serve(m, a, f->db, &set, of);
	arena_free(a);
	return arena_strdup(f->arena, m->text);
}

static const char *
ask_as(struct fixture *f, const char *token, const char *uri, const char *condition, struct memory_io *m)
{
	return ask_of(f, &app, token, uri, condition, m);
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

/* The cache key holds the parameters that the operation knows; others are ignored. */
static void
unknown_parameters_share_one_answer(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count?x=1"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count?x=2&y&limits=3&=&&"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count?limit=5"), "{\"calls\":2}");
	assert_string_equal(ask(f, "/v1/count?x=1&limit=5&y=2"), "{\"calls\":2}");
	assert_string_equal(ask(f, "/v1/count?%6cimit=6"), "{\"calls\":3}");
	assert_string_equal(ask(f, "/v1/count?limit=6"), "{\"calls\":4}");
}

static void
an_answer_is_kept_until_a_commit(void **state)
{
	struct fixture *f = *state;

	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count?limit=1"), "{\"calls\":2}");
	commit(f);
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":3}");
}

/* The cached answer has the same Cache-Control as the first one. */
static void
a_kept_answer_keeps_its_headers(void **state)
{
	struct fixture *f = *state;
	struct memory_io one = { 0 }, two = { 0 };

	cache = "private, max-age=7";
	ask_as(f, f->token, "/v1/count", NULL, &one);
	ask_as(f, f->token, "/v1/count", NULL, &two);
	assert_int_equal(calls, 1);
	assert_string_equal(memory_header(f->arena, &two, "Cache-Control"), "private, max-age=7");
	assert_string_equal(memory_header(f->arena, &two, "ETag"), memory_header(f->arena, &one, "ETag"));
	assert_int_equal(two.status, 200);
	ask_as(f, f->token, "/v1/count", memory_header(f->arena, &one, "ETag"), &two);
	assert_int_equal(two.status, 304);
	assert_int_equal(calls, 1);
	/* Also if the first answer had none. */
	cache = NULL;
	for (int i = 0; i < 2; i++) {
		ask_as(f, f->token, "/v1/count?limit=2", NULL, &two);
		assert_string_equal(memory_header(f->arena, &two, "Cache-Control"), "private, no-cache");
	}
	assert_int_equal(calls, 2);
	memory_free(&one);
	memory_free(&two);
}

/* A cached 304 is only sent to clients with its tag; others get the whole answer. */
static void
a_kept_304_is_for_its_tag_alone(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	const char *etag;

	tag = "a";
	ask_as(f, f->token, "/v1/count", NULL, &m);
	etag = memory_header(f->arena, &m, "ETag");
	commit(f);
	for (int i = 0; i < 4; i++) {
		/* A server in front may have made the tag weak. */
		assert_string_equal(ask_as(f, f->token, "/v1/count", i < 2 ? etag : arena_printf(f->arena, "W/%s", etag), &m), "");
		assert_int_equal(m.status, 304);
		assert_string_equal(memory_header(f->arena, &m, "ETag"), etag);
	}
	assert_int_equal(calls, 2);
	assert_string_equal(ask_as(f, f->token, "/v1/count", "\"other\"", &m), "{\"calls\":3}");
	assert_int_equal(m.status, 200);
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":3}");
	memory_free(&m);
}

/* A cached answer is not used for another user, another token of the same user, or an expired token. */
static void
a_kept_answer_is_for_its_token_alone(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	const char *other, *reading, *same;

	db_begin(f->db, true);
	other = token_make(f->db, f->arena, user_make(f->db, f->arena, "b@example.com", "B"), "admin", "", 0);
	reading = token_make(f->db, f->arena, f->user, "read", "", 0);
	same = token_make(f->db, f->arena, f->user, "admin", "", time_now() + 60000);
	db_commit(f->db);
	ask(f, "/v1/count");
	assert_string_equal(ask_as(f, other, "/v1/count", NULL, &m), "{\"calls\":2}");
	assert_string_equal(ask_as(f, reading, "/v1/count", NULL, &m), "{\"calls\":3}");
	assert_string_equal(ask_as(f, same, "/v1/count", NULL, &m), "{\"calls\":4}");
	ahead = 50;
	assert_string_equal(ask_as(f, same, "/v1/count", NULL, &m), "{\"calls\":4}");
	ahead = 61;
	for (int i = 0; i < 2; i++) {
		ask_as(f, same, "/v1/count", NULL, &m);
		assert_int_equal(m.status, 401);
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

/* A revoked token gets no cached answer. */
static void
a_revoked_token_gets_no_kept_answer(void **state)
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

/* The log names the user even if no look-up was needed. */
static void
kept_answers_are_logged_with_the_user(void **state)
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

/* Visibility of a site may end at a certain time without any write. */
static void
answers_of_sites_are_not_kept(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };

	assert_string_equal(ask_as(f, "site", "/v1/count", NULL, &m), "{\"calls\":1}");
	assert_string_equal(ask_as(f, "site", "/v1/count", NULL, &m), "{\"calls\":2}");
	memory_free(&m);
}

/*
 * A cached answer is used on the day of its making only, even if the clock is set back: signed file
 * URLs expire by the day, and one dated tomorrow is refused today.
 */
static void
an_answer_is_kept_for_its_day(void **state)
{
	static const int moves[] = { 0, 1, 2, 1, 0, -1, 3, 0, 2 };
	struct fixture *f = *state;
	const char *of_day[5] = { NULL }, **here;

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		ahead = moves[i] * 86400L;
		here = &of_day[moves[i] + 1];
		if (*here == NULL)
			*here = arena_printf(f->arena, "{\"calls\":%d}", calls + 1);
		assert_string_equal(ask(f, "/v1/count"), *here);
	}
	assert_int_equal(calls, 5);
}

/*
 * Not cached: answers about a deleted space, which expires at a certain time, and answers followed
 * by work that may change the next one.
 */
static void
answers_that_end_by_the_clock_are_not_kept(void **state)
{
	struct fixture *f = *state;

	deleted_at = time_now();
	ask(f, "/v1/count");
	ask(f, "/v1/count");
	assert_int_equal(calls, 2);
	deleted_at = 0;
	goes_on = true;
	ask(f, "/v1/count");
	ask(f, "/v1/count");
	assert_int_equal(calls, 4);
	goes_on = false;
	ask(f, "/v1/count");
	ask(f, "/v1/count");
	assert_int_equal(calls, 5);
}

/* Once it is complete, it is cached. */
static void
an_answer_that_lacks_something_is_not_kept(void **state)
{
	struct fixture *f = *state;

	lacks = true;
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":1}");
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":2}");
	lacks = false;
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":3}");
	assert_string_equal(ask(f, "/v1/count"), "{\"calls\":3}");
}

/* ---- writes of other connections ---- */

static void
demote(struct fixture *f, struct db *db, char *user)
{
	member_set(db, f->org, user, 1);
}

static void
make_guest(struct fixture *f, struct db *db, char *user)
{
	member_set(db, f->org, user, 0);
}

static void
disable(struct fixture *f, struct db *db, char *user)
{
	bool last;

	assert_true(member_disable(db, f->org, user, &last));
}

static void
revoke_all(struct fixture *f, struct db *db, char *user)
{
	(void)f;
	(void)user;
	stmt_run(db_use(db, &q_revoke));
}

static void
expire_all(struct fixture *f, struct db *db, char *user)
{
	struct stmt *q = db_use(db, &q_expire);

	(void)f;
	(void)user;
	bind_int(q, ":at", time_now() - 1);
	stmt_run(q);
}

static void
trash(struct fixture *f, struct db *db, char *user)
{
	struct stmt *q = db_use(db, &q_trash);

	(void)f;
	(void)user;
	bind_int(q, ":at", time_now());
	stmt_run(q);
}

/* Raises the schema version as a migration does. */
static void
migrate(struct fixture *f, struct db *db, char *user)
{
	const char *error = NULL;

	(void)user;
	assert_true(db_script(db, f->arena, "PRAGMA user_version = 30000", &error));
}

/* Writes by another connection, and the answer of GET /spaces/{space} that an admin must get directly after. */
static const struct deed {
	void      (*done)(struct fixture *f, struct db *db, char *user);
	int         status;
	const char *says;
} deeds[] = {
	{ demote,     200, "\"admin\":false" }, { make_guest, 404, NULL }, { disable, 404, NULL }, { revoke_all, 401, NULL },
	{ expire_all, 401, NULL },              { trash,      200, "\"deletedAt\":" }, { migrate, 503, NULL } };

static void
deed_by_another(struct fixture *f, const struct deed *d)
{
	const char *uri = arena_printf(f->arena, "/v1/spaces/%s", f->space), *error = NULL, *text;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
	struct memory_io m = { 0 };
	char *user, *token;

	db_begin(other, true);
	user = user_make(other, f->arena, "b@example.com", "B");
	member_set(other, f->org, user, 6);
	token = token_make(other, f->arena, user, "admin", "", 0);
	db_commit(other);
	for (int i = 0; i < 3; i++) {
		assert_non_null(strstr(ask_of(f, &octavo_app, token, uri, NULL, &m), "\"admin\":true"));
		assert_int_equal(m.status, 200);
	}
	db_begin(other, true);
	d->done(f, other, user);
	db_commit(other);
	for (int i = 0; i < 3; i++) {
		text = ask_of(f, &octavo_app, token, uri, NULL, &m);
		assert_int_equal(m.status, d->status);
		assert_true(d->says == NULL || strstr(text, d->says) != NULL);
	}
	memory_free(&m);
	db_close(other);
}

static void
writes_of_others_end_kept_answers(void **state)
{
	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++) {
		deed_by_another(*state, &deeds[i]);
		db_teardown(state);
		setup(state);
	}
}

/* In tests every second answer is compared with the cached one, so the route runs for it. */
static void
tests_compare_kept_answers(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	const char *etag;

	set.self_check = true;
	counts = false;
	for (int i = 0; i < 8; i++)
		ask(f, "/v1/count");
	assert_in_range(calls, 4, 5);
	/* A 304 has no body to compare with a 200. */
	tag = "a";
	ask_as(f, f->token, "/v1/count?limit=3", NULL, &m);
	etag = memory_header(f->arena, &m, "ETag");
	for (int i = 0; i < 8; i++)
		ask_as(f, f->token, "/v1/count?limit=3", i % 3 == 0 ? NULL : etag, &m);
	/* Answers of other routes may differ each time. */
	tag = NULL;
	counts = true;
	for (int i = 0; i < 4; i++)
		ask(f, "/v1/read");
	memory_free(&m);
}

/* Ways in which a route's answer may change without a write: another body, another header, another tag. */
static void
other_body(struct fixture *f)
{
	(void)f;
	tag = "a";
	counts = true;
}

static void
other_header(struct fixture *f)
{
	(void)f;
	counts = false;
	cache = cache == NULL ? "no-store" : NULL;
}

static void
other_tag(struct fixture *f)
{
	counts = false;
	tag = arena_printf(f->arena, "%d", calls);
}

/* Requests the route several times in a child; returns the child's exit status. */
static int
asked_often(struct fixture *f, void (*lie)(struct fixture *), bool check)
{
	struct memory_io m = { 0 };
	int status;
	pid_t child = fork();

	if (child == 0) {
		close(STDERR_FILENO);
		set.self_check = check;
		for (int i = 0; i < 5; i++) {
			lie(f);
			ask_as(f, f->token, "/v1/count", NULL, &m);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The ETag of the answer to a request without a condition. */
static const char *
tag_told(struct fixture *f, const char *name)
{
	struct memory_io m = { 0 };
	const char *etag;

	tag = name;
	commit(f);
	ask_as(f, f->token, "/v1/count", NULL, &m);
	etag = memory_header(f->arena, &m, "ETag");
	memory_free(&m);
	return etag;
}

/* Outside of tests cached answers are not compared: a 304 cached for another tag is not used. */
static void
services_compare_no_kept_answers(void **state)
{
	struct fixture *f = *state;
	struct memory_io m = { 0 };
	const char *one = tag_told(f, "1"), *two = tag_told(f, "2");

	commit(f);
	tag = "1";
	ask_as(f, f->token, "/v1/count", one, &m);
	assert_int_equal(m.status, 304);
	tag = "2";
	ask_as(f, f->token, "/v1/count", two, &m);
	assert_int_equal(m.status, 304);
	assert_int_equal(calls, 4);
	memory_free(&m);
}

/* In tests a route whose answer changes without a write ends the worker; in services it does not. */
static void
an_answer_that_changes_alone_is_found(void **state)
{
	static void (*const all[])(struct fixture *) = { other_body, other_header, other_tag };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_int_equal(asked_often(*state, all[i], true), EX_SOFTWARE);
		assert_int_equal(asked_often(*state, all[i], false), 0);
	}
}

int
main(void)
{
	/* First, because a worker opens its log once. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(kept_answers_are_logged_with_the_user, setup, db_teardown),
		cmocka_unit_test_setup_teardown(unknown_parameters_share_one_answer, setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_answer_is_kept_until_a_commit, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_kept_answer_keeps_its_headers, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_kept_304_is_for_its_tag_alone, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_kept_answer_is_for_its_token_alone, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_revoked_token_gets_no_kept_answer, setup, db_teardown),
		cmocka_unit_test_setup_teardown(answers_of_sites_are_not_kept, setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_answer_is_kept_for_its_day, setup, db_teardown),
		cmocka_unit_test_setup_teardown(answers_that_end_by_the_clock_are_not_kept, setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_answer_that_lacks_something_is_not_kept, setup, db_teardown),
		cmocka_unit_test_setup_teardown(writes_of_others_end_kept_answers, setup, db_teardown),
		cmocka_unit_test_setup_teardown(tests_compare_kept_answers, setup, db_teardown),
		cmocka_unit_test_setup_teardown(services_compare_no_kept_answers, setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_answer_that_changes_alone_is_found, setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
