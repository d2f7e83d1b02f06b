/* Bearer tokens: whom they authenticate, their exact expiry, and the limits of their scope. */
#include "api/routes.h"
#include "../memory_io.h"

#include "db_fixture.h"

static struct settings set;

static int
setup(void **state)
{
	db_setup(state);
	set = db_settings(*state);
	return 0;
}

/* The status of a request with this Authorization header; NULL: without one. */
static int
ask_of(struct fixture *f, const struct app *app, const char *header, const char *method, const char *path,
    const char *body)
{
	struct arena *a = arena_new(64 << 20);
	struct memory_io m = { 0 };

	memory_request(&m, f->arena, method, path, NULL, body == NULL ? (struct str){ NULL, 0 } : str_of(body));
	memory_set(&m, "HTTP_AUTHORIZATION", header);
	memory_serve(&m, a, f->db, &set, app);
	arena_free(a);
	memory_free(&m);
	return m.status;
}

static int
ask(struct fixture *f, const char *header, const char *method, const char *path, const char *body)
{
	return ask_of(f, &octavo_app, header, method, path, body);
}

static const char *
bearer(struct fixture *f, const char *scope, int64_t expires_at)
{
	char *text;

	db_begin(f->db, true);
	text = token_make(f->db, f->arena, f->user, scope, "", expires_at);
	db_commit(f->db);
	return arena_printf(f->arena, "Bearer %s", text);
}

static int
user_status(struct fixture *f, const char *header)
{
	return ask(f, header, "GET", "/v1/user", NULL);
}

static void
ends_at_its_time(void **state)
{
	struct fixture *f = *state;
	int64_t now = time_now();

	/* Tokens that must work expire late, since the machine may be busy. */
	assert_int_equal(user_status(f, bearer(f, "admin", now + 600000)), 200);
	assert_int_equal(user_status(f, bearer(f, "admin", 0)), 200);
	assert_int_equal(user_status(f, bearer(f, "admin", now)), 401);
	assert_int_equal(user_status(f, bearer(f, "admin", now - 1)), 401);
	assert_int_equal(user_status(f, bearer(f, "admin", now - 1800000)), 401);
	assert_int_equal(user_status(f, bearer(f, "admin", now - 86400000)), 401);
	assert_int_equal(user_status(f, bearer(f, "admin", 1)), 401);
}

static void
a_token_has_one_form_of_header(void **state)
{
	struct fixture *f = *state;
	const char *good = bearer(f, "admin", 0);

	assert_int_equal(user_status(f, NULL), 401);
	assert_int_equal(user_status(f, ""), 401);
	assert_int_equal(user_status(f, "Bearer"), 401);
	assert_int_equal(user_status(f, "Bearer nobody"), 401);
	assert_int_equal(user_status(f, arena_printf(f->arena, "Basic %s", good + 7)), 401);
	assert_int_equal(user_status(f, good + 7), 401);
	/* The scheme is case-insensitive (RFC 9110 section 11.1). */
	assert_int_equal(user_status(f, arena_printf(f->arena, "bearer   %s", good + 7)), 200);
}

static void
a_scope_bounds_what_a_token_does(void **state)
{
	struct fixture *f = *state;
	const char *space = arena_printf(f->arena, "/v1/spaces/%s", f->space);
	const char *read = bearer(f, "read", 0), *write = bearer(f, "write", 0), *admin = bearer(f, "admin", 0);
	const char *org = arena_printf(f->arena, "/v1/orgs/%s", f->org);

	assert_int_equal(ask(f, read, "GET", space, NULL), 200);
	assert_int_equal(ask(f, read, "PATCH", space, "{\"title\":\"T\"}"), 403);
	assert_int_equal(ask(f, write, "PATCH", space, "{\"title\":\"T\"}"), 200);
	/* The scope "write" allows the role "create" and nothing above it. */
	assert_int_equal(ask(f, write, "PATCH", org, "{\"hostname\":\"docs\"}"), 403);
	assert_int_equal(ask(f, admin, "PATCH", org, "{\"hostname\":\"docs\"}"), 200);
}

/* Statuses of GET /user and GET / when both routes accept these kinds of callers only. */
static void
ask_both(struct fixture *f, const char *header, unsigned callers, int *user, int *root)
{
	struct route *rows = arena_alloc(f->arena, octavo_app.count * sizeof(*rows));
	struct app app = octavo_app;
	size_t i;

	memcpy(rows, octavo_app.routes, octavo_app.count * sizeof(*rows));
	for (i = 0; i < app.count; i++)
		rows[i].callers = callers;
	app.routes = rows;
	*user = ask_of(f, &app, header, "GET", "/v1/user", NULL);
	*root = ask_of(f, &app, header, "GET", "/v1/", NULL);
}

/* A route answers 404 to each kind of caller that its column leaves out, but first 401 to callers without a token. */
static void
a_route_hides_from_other_callers(void **state)
{
	struct fixture *f = *state;
	const char *good = bearer(f, "admin", 0);
	int user, root;

	ask_both(f, good, BY_SITES | BY_VISITORS | BY_SHARES, &user, &root);
	assert_int_equal(user, 404);
	assert_int_equal(root, 200);
	ask_both(f, good, BY_USERS | BY_SITES, &user, &root);
	assert_int_equal(user, 200);
	ask_both(f, NULL, BY_SITES, &user, &root);
	assert_int_equal(user, 401);
	assert_int_equal(root, 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ends_at_its_time, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_token_has_one_form_of_header, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_scope_bounds_what_a_token_does, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_route_hides_from_other_callers, setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
