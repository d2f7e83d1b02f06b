/*
 * Cached roles: any change of who may do what applies to the next request of every connection,
 * whatever they cached before, and roles computed by a failed write are not cached.
 */
#include "api/routes.h"
#include "../memory_io.h"

#include "db_fixture.h"

static struct settings set;
static struct db *other;          /* another worker's connection */
static char *guest, *token;

static void
run(struct fixture *f, struct db *db, const char *sql)
{
	const char *error = NULL;

	if (!db_script(db, f->arena, sql, &error))
		fail_msg("%s: %s", sql, error);
}

static int
setup(void **state)
{
	struct fixture *f;
	const char *error = NULL;

	db_setup(state);
	f = *state;
	set = db_settings(f);
	db_begin(f->db, true);
	guest = user_make(f->db, f->arena, "bob@example.com", "Bob");
	member_set(f->db, f->org, guest, 0);
	token = token_make(f->db, f->arena, guest, "admin", "", 0);
	db_commit(f->db);
	run(f, f->db, arena_printf(f->arena,
	    "INSERT INTO team (id, org, title, created_at) VALUES ('team', '%s', 'Team', 0);"
	    "INSERT INTO collection (id, org, parent, title, ord, created_at, updated_at) VALUES "
	    "('outer', '%s', NULL, 'Outer', 'D', 0, 0), ('inner', '%s', 'outer', 'Inner', 'D', 0, 0);"
	    "UPDATE space SET parent = 'inner' WHERE id = '%s'", f->org, f->org, f->org, f->space));
	other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
	assert_null(error);
	return 0;
}

static int
teardown(void **state)
{
	db_close(other);
	return db_teardown(state);
}

static struct memory_io
ask(struct fixture *f, struct db *db, const char *bearer, const char *method, const char *path,
    const char *body)
{
	struct arena *a = arena_new(64 << 20);
	struct memory_io m = { 0 };

	memory_request(&m, f->arena, method, path, bearer, str_of(body));
	memory_serve(&m, a, db, &set, &octavo_app);
	arena_free(a);
	return m;
}

/* The guest's role on this space or collection, from the flags of the answer; 0: not found. */
static int
role_at(struct fixture *f, struct db *db, const char *path)
{
	static const char *const flags[] = { "\"view\":true", "\"comment\":true", "\"edit\":true",
		"\"review\":true", "\"admin\":true" };
	struct memory_io m = ask(f, db, token, "GET", path, "");
	int role = 0, i;

	for (i = 0; m.status == 200 && i < 5; i++)
		if (strstr(m.text, flags[i]) != NULL)
			role = i + 1;
	memory_free(&m);
	return role;
}

static void
take_number(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

/* Number of spaces that the guest may read, as shown to the admin. */
static int
spaces_told(struct fixture *f, struct db *db)
{
	struct memory_io m = ask(f, db, f->token, "GET",
	    arena_printf(f->arena, "/v1/orgs/%s/members/%s", f->org, guest), "");
	const char *p = m.status == 200 ? strstr(m.text, "\"spaces\":") : NULL;
	int n = p == NULL ? 0 : (int)strtol(p + 9, NULL, 10);

	memory_free(&m);
	return n;
}

/* Number of spaces in the guest's list. */
static int
spaces_counted(struct fixture *f, struct db *db)
{
	struct memory_io m = ask(f, db, token, "GET", arena_printf(f->arena, "/v1/orgs/%s/spaces", f->org), "");
	const char *p = m.status == 200 ? strstr(m.text, "\"count\":") : NULL;
	int n = p == NULL ? -1 : (int)strtol(p + 8, NULL, 10);

	memory_free(&m);
	return n;
}

#define GRANT "INSERT INTO access_grant (id, created_at, role, "

/* Each kind of change by itself; %1$s is the guest, %2$s the space. space, inner: the guest's roles afterwards. */
static const struct change { const char *sql; int space, inner; } changes[] = {
	{ "SELECT 1", 0, 0 },
	{ GRANT "collection, team) VALUES ('g1', 0, 3, 'outer', 'team')", 0, 0 },
	{ "INSERT INTO team_member (team, account) VALUES ('team', '%1$s')", 3, 1 },
	{ "UPDATE access_grant SET role = 4 WHERE id = 'g1'", 4, 1 },
	{ GRANT "collection, account) VALUES ('g2', 0, 2, 'inner', '%1$s')", 2, 1 },
	{ "UPDATE access_grant SET role = 5 WHERE id = 'g2'", 5, 5 },
	{ "UPDATE collection SET default_level = 1 WHERE id = 'outer'", 5, 5 },
	{ "DELETE FROM access_grant WHERE id = 'g2'", 4, 1 },
	{ "UPDATE collection SET default_level = 0 WHERE id = 'inner'", 0, 0 },
	{ "UPDATE collection SET default_level = -1 WHERE id = 'inner'", 4, 1 },
	{ "UPDATE space SET default_level = 5 WHERE id = '%2$s'", 5, 1 },
	{ "UPDATE space SET default_level = -1 WHERE id = '%2$s'", 4, 1 },
	{ "DELETE FROM team_member WHERE team = 'team'", 1, 1 },
	{ "UPDATE collection SET parent = NULL WHERE id = 'inner'", 0, 0 },
	{ "UPDATE member SET role = 2 WHERE account = '%1$s'", 2, 1 },
	{ "UPDATE collection SET default_level = 0 WHERE id = 'inner'", 0, 0 },
	{ "UPDATE space SET parent = 'outer' WHERE id = '%2$s'", 1, 0 },
	{ "UPDATE space SET parent = NULL WHERE id = '%2$s'", 2, 0 },
	{ "UPDATE member SET role = 6 WHERE account = '%1$s'", 5, 5 },
	{ "UPDATE member SET disabled = 1 WHERE account = '%1$s'", 0, 0 },
	{ "UPDATE member SET disabled = 0, role = NULL WHERE account = '%1$s'", 0, 0 },
	{ GRANT "space, account) VALUES ('g3', 0, 3, '%2$s', '%1$s')", 3, 0 },
	{ "UPDATE space SET default_level = 0 WHERE id = '%2$s'", 3, 0 },
	{ "UPDATE space SET parent = 'inner' WHERE id = '%2$s'", 3, 0 },
	{ GRANT "collection, account) VALUES ('g4', 0, 2, 'inner', '%1$s')", 3, 1 },
	{ "UPDATE space SET default_level = -1 WHERE id = '%2$s'", 3, 1 },
	{ "UPDATE space SET parent = NULL WHERE id = '%2$s'", 3, 1 },
	{ "DELETE FROM access_grant", 0, 0 },
	{ "UPDATE member SET role = 3 WHERE account = '%1$s'", 3, 0 },
	{ "UPDATE space SET deleted_at = 1 WHERE id = '%2$s'", 0, 0 },
	{ "UPDATE space SET deleted_at = NULL WHERE id = '%2$s'", 3, 0 },
	{ "DELETE FROM member WHERE account = '%1$s'", 0, 0 },
};

/* The text with the ids of the guest and the space filled in. */
static char *
filled(struct fixture *f, const char *sql)
{
	struct buf b;

	buf_init(&b, f->arena, 4096);
	for (; *sql != '\0'; sql++) {
		if (*sql != '%') {
			buf_char(&b, *sql);
			continue;
		}
		buf_str(&b, sql[1] == '1' ? guest : f->space);
		sql += 3;
	}
	return b.p;
}

static void
changes_count_at_once(void **state)
{
	struct fixture *f = *state;
	struct db *workers[] = { f->db, other };
	const char *space = arena_printf(f->arena, "/v1/spaces/%s", f->space);
	size_t i, n;

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		run(f, workers[i % 2], filled(f, changes[i].sql));
		/* Twice each: computed, then cached. */
		for (n = 0; n < 4; n++) {
			int role = role_at(f, workers[n % 2], space);
			int inner = role_at(f, workers[n % 2], "/v1/collections/inner");
			int told = spaces_told(f, workers[n % 2]);
			if (role != changes[i].space || inner != changes[i].inner || told != (role > 0))
				fail_msg("%s: %d and %d instead of %d and %d; %d spaces", changes[i].sql, role, inner,
				    changes[i].space, changes[i].inner, told);
		}
	}
}

/*
 * A user with `create` through the collection lowers the level of the space and thereby their own
 * role; the write computes that role and then fails. The next change gets the access version that
 * the failed one had.
 */
static void
failed_writes_leave_nothing(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(f->arena, "/v1/spaces/%s", f->space);
	struct memory_io m = { .status = 0 };
	int64_t nth;

	run(f, other, filled(f, GRANT "collection, account) VALUES ('g1', 0, 5, 'inner', '%1$s')"));
	for (nth = 1; nth < 500 && m.status != 200; nth++) {
		assert_int_equal(role_at(f, f->db, path), 5);
		db_fault(f->db, nth, DB_FULL);
		m = ask(f, f->db, token, "PATCH", path, "{\"defaultLevel\":\"read\"}");
		db_fault(f->db, 0, DB_FULL);
		memory_free(&m);
		if (m.status != 200)
			run(f, other, "UPDATE collection SET default_level = 1 WHERE id = 'outer'");
	}
	assert_true(nth > 5);
	assert_int_equal(m.status, 200);
	assert_int_equal(role_at(f, f->db, path), 1);
	assert_int_equal(role_at(f, other, path), 1);
}

static int64_t
access_version(struct fixture *f)
{
	int64_t n = 0;
	const char *error = NULL;

	assert_true(db_each(f->db, f->arena, "SELECT n FROM access_version", take_number, &n, &error));
	return n;
}

/*
 * Cached roles are not computed again until the access version changes: a change that does not
 * raise it is not seen. (No such change exists; the test resets the version.)
 */
static void
known_until_the_number_changes(void **state)
{
	struct fixture *f = *state;
	const char *space = arena_printf(f->arena, "/v1/spaces/%s", f->space);
	int64_t n;

	run(f, f->db, filled(f, GRANT "space, account) VALUES ('g1', 0, 2, '%2$s', '%1$s')"));
	run(f, f->db, filled(f, GRANT "collection, account) VALUES ('g2', 0, 3, 'outer', '%1$s')"));
	n = access_version(f);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(role_at(f, f->db, space), 2);
		assert_int_equal(role_at(f, f->db, "/v1/collections/outer"), 1);
		assert_int_equal(spaces_counted(f, f->db), 1);
		run(f, f->db, "DELETE FROM access_grant");
		run(f, f->db, arena_printf(f->arena, "UPDATE access_version SET n = %lld", (long long)n));
		assert_true(access_version(f) == n);
	}
	run(f, f->db, arena_printf(f->arena, "UPDATE access_version SET n = %lld", (long long)n + 1));
	assert_int_equal(role_at(f, f->db, space), 0);
	assert_int_equal(role_at(f, f->db, "/v1/collections/outer"), 0);
	assert_int_equal(spaces_counted(f, f->db), 0);
}

/* More places than cache entries, with different roles: each has its own role, also for another user. */
static void
each_of_many_places_has_its_role(void **state)
{
	enum { PLACES = 1500 };
	struct fixture *f = *state;
	struct memory_io m;

	run(f, f->db, arena_printf(f->arena,
	    "WITH RECURSIVE t(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM t WHERE i < %d) "
	    "INSERT INTO collection (id, org, title, ord, default_level, created_at, updated_at) "
	    "SELECT 'place' || i, '%s', 'Place', 'D', CASE i %% 3 WHEN 0 THEN 0 WHEN 1 THEN 1 ELSE 5 END, 0, 0 FROM t",
	    PLACES, f->org));
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < PLACES; i++) {
			char *path = arena_printf(f->arena, "/v1/collections/place%d", i);
			assert_int_equal(role_at(f, f->db, path), i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 5);
			if (i % 10 != 0)
				continue;
			m = ask(f, f->db, f->token, "GET", path, "");
			assert_non_null(strstr(m.text, "\"admin\":true"));
			memory_free(&m);
		}
}

/* Ids longer than Octavo's, from other sources, are not cached. */
static void
long_ids_are_asked_each_time(void **state)
{
	struct fixture *f = *state;
	char id[201], *path;

	for (size_t n = 20; n < sizeof(id); n += n < 40 ? 1 : 40) {
		memset(id, 'a', n);
		id[n] = '\0';
		path = arena_printf(f->arena, "/v1/collections/%s", id);
		run(f, f->db, arena_printf(f->arena, "INSERT INTO collection (id, org, title, ord, default_level, created_at, "
		    "updated_at) VALUES ('%s', '%s', 'Place', 'D', 1, 0, 0)", id, f->org));
		assert_int_equal(role_at(f, f->db, path), 1);
		assert_int_equal(role_at(f, f->db, path), 1);
		run(f, f->db, arena_printf(f->arena, "UPDATE collection SET default_level = 5 WHERE id = '%s'", id));
		assert_int_equal(role_at(f, f->db, path), 5);
		assert_int_equal(role_at(f, f->db, path), 5);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(changes_count_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(failed_writes_leave_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(known_until_the_number_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(each_of_many_places_has_its_role, setup, teardown),
		cmocka_unit_test_setup_teardown(long_ids_are_asked_each_time, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
