/* Cached answers: used for the same question only, and only until the next commit. */
#include "db_fixture.h"

#include "base/json.h"
#include "db/recall.h"

SQL(q_rename, "UPDATE org SET title = :title WHERE id = :id");

static void
rename_org(struct fixture *f, struct db *db, const char *title)
{
	struct stmt *q;

	db_begin(db, true);
	q = db_use(db, &q_rename);
	bind_text(q, ":title", title);
	bind_text(q, ":id", f->org);
	stmt_run(q);
	db_commit(db);
}

static void
put(struct fixture *f, const char *question, const char *body, int64_t until)
{
	db_begin(f->db, false);
	recall_put(db_moment(f->db), question, &(struct recalled){ STR("tag"), str_of(body), until });
	db_rollback(f->db);
}

/* The cached answer to the question; NULL: none. */
static const char *
body_of(struct fixture *f, const char *question)
{
	const struct recalled *k;

	db_begin(f->db, false);
	k = recall_find(db_moment(f->db), question);
	db_rollback(f->db);
	if (k != NULL)
		assert_true(str_is(k->head, "tag"));
	return k == NULL ? NULL : k->body.p;
}

static void
an_answer_is_recalled_by_its_question(void **state)
{
	struct fixture *f = *state;

	put(f, "ada /a", "for Ada", 0);
	put(f, "bob /a", "for Bob", 0);
	assert_string_equal(body_of(f, "ada /a"), "for Ada");
	assert_string_equal(body_of(f, "bob /a"), "for Bob");
	assert_null(body_of(f, "eve /a"));
	assert_null(body_of(f, "ada /"));
}

static void
a_commit_ends_what_was_recalled(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct db *other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
	    &(struct db_options){ .relaxed = true }, &error);

	assert_null(error);
	put(f, "own", "before", 0);
	assert_string_equal(body_of(f, "own"), "before");
	rename_org(f, f->db, "By this connection");
	assert_null(body_of(f, "own"));
	put(f, "other", "before", 0);
	assert_string_equal(body_of(f, "other"), "before");
	rename_org(f, other, "By another one");
	assert_null(body_of(f, "other"));
	/* A new entry does not make older entries valid again. */
	put(f, "third", "after", 0);
	assert_null(body_of(f, "own"));
	db_close(other);
}

/* The caller passes a state number: entries of another state are dropped, even if that state comes back. */
static void
another_state_ends_what_was_recalled(void **state)
{
	struct recalled answer = { STR("tag"), STR("body"), 0 };
	const uint64_t one = UINT64_C(1) << 32 | 7, two = UINT64_C(2) << 32 | 7;

	(void)state;
	recall_put(one, "q", &answer);
	assert_non_null(recall_find(one, "q"));
	assert_null(recall_find(two, "q"));
	assert_null(recall_find(one, "q"));
	recall_put(one, "q", &answer);
	recall_put(two, "r", &answer);
	assert_null(recall_find(two, "q"));
	assert_non_null(recall_find(two, "r"));
}

SQL(q_access, "SELECT n FROM access_version WHERE id = 1");

/*
 * Any write to share links raises the access version, which invalidates visitors' cached pages;
 * also when a site is deleted with its links.
 */
static void
changes_of_share_links_are_counted(void **state)
{
	static const char *const changes[] = {
		"INSERT INTO site_share_link (id, site, name, secret, created_at) VALUES ('l', 's', 'L', 'key', 1)",
		"UPDATE site_share_link SET active = 0 WHERE id = 'l'", "UPDATE site_share_link SET secret = 'other' WHERE id = 'l'",
		"DELETE FROM site_share_link WHERE id = 'l'",
		"INSERT INTO site_share_link (id, site, name, secret, created_at) VALUES ('m', 's', 'M', 'key', 1)",
		"DELETE FROM site WHERE id = 's'" };
	struct fixture *f = *state;
	const char *error = NULL;
	int64_t before;

	assert_true(db_script(f->db, f->arena, "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
	    "SELECT 's', id, 'basic', 'Book', 'book', 'share-link', 1, 1 FROM org", &error));
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		db_begin(f->db, false);
		before = stmt_int(db_use(f->db, &q_access), 0);
		db_rollback(f->db);
		assert_true(db_script(f->db, f->arena, changes[i], &error));
		db_begin(f->db, false);
		assert_int_equal(stmt_int(db_use(f->db, &q_access), 0), before + 1);
		db_rollback(f->db);
	}
}

static void
an_answer_is_recalled_until_its_time(void **state)
{
	struct fixture *f = *state;

	put(f, "over", "x", time_now() - 1);
	put(f, "not yet", "x", time_now() + 60000);
	assert_null(body_of(f, "over"));
	assert_non_null(body_of(f, "not yet"));
}

/* More entries than the cache holds: the newest is kept, memory is bounded, and a large entry is not stored. */
static void
the_cache_is_bounded(void **state)
{
	struct fixture *f = *state;
	char *large = arena_alloc(f->arena, (300 << 10) + 1), question[32];
	int i;

	memset(large, 'x', 300 << 10);
	put(f, "large", large, 0);
	assert_null(body_of(f, "large"));
	large[200 << 10] = '\0';
	for (i = 0; i < 200; i++) {
		snprintf(question, sizeof(question), "%d", i);
		put(f, question, large, 0);
		assert_non_null(body_of(f, question));
	}
	assert_null(body_of(f, "0"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_answer_is_recalled_by_its_question, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_commit_ends_what_was_recalled, db_setup, db_teardown),
		cmocka_unit_test(another_state_ends_what_was_recalled),
		cmocka_unit_test_setup_teardown(changes_of_share_links_are_counted, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_answer_is_recalled_until_its_time, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_cache_is_bounded, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
