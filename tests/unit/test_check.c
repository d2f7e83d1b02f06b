/* Findings of `octavo check` in the tree of pages, and no findings in a sound database. */
#include "change_fixture.h"
#include "invariant_fixture.h"

static void
write_main(struct fixture *f, void (*pages)(struct fixture *, const struct point *))
{
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	pages(f, &now);
	propagate_revision(f->db, f->arena, f->space, f->branch, now.seq);
	db_commit(f->db);
}

static void
expect(struct fixture *f, const char *want)
{
	assert_string_equal(invariants_text(f->db, f->arena), want);
}

static void
good(struct fixture *f, const struct point *now)
{
	int i;
	const char *parent = "";

	main_page(f, now, "a", "", "V");
	main_page(f, now, "b", "a", "V");
	for (i = 0; i < 100; i++) {
		main_page(f, now, arena_printf(f->arena, "d%d", i), parent, "W");
		parent = arena_printf(f->arena, "d%d", i);
	}
}

static void
good_data_have_no_findings(void **state)
{
	struct fixture *f = *state;

	write_main(f, good);
	expect(f, "");
}

static void
deep(struct fixture *f, const struct point *now)
{
	good(f, now);
	main_page(f, now, "low", "d99", "V");
	main_page(f, now, "lower", "low", "V");
}

static void
a_tree_that_is_too_deep_is_found(void **state)
{
	struct fixture *f = *state;

	write_main(f, deep);
	expect(f, arena_printf(f->arena, "the tree of pages has at most 100 levels: page low of branch %d",
	    (int)f->branch));
}

/* Two pages with one path: b by its parents and slug, c by its own path. */
static void
two_at_one(struct fixture *f, const struct point *now)
{
	struct node n = page_node("c", "", "k");

	good(f, now);
	n.path = "a/b";
	node_put(f->db, now->branch, now->seq, &n);
}

static void
two_pages_at_one_path_are_found(void **state)
{
	struct fixture *f = *state;

	write_main(f, two_at_one);
	expect(f, arena_printf(f->arena, "paths of pages are unique: path a/b of branch %d", (int)f->branch));
}

static void
circle(struct fixture *f, const struct point *now)
{
	main_page(f, now, "x", "y", "V");
	main_page(f, now, "y", "x", "V");
}

static void
pages_in_a_circle_are_found(void **state)
{
	struct fixture *f = *state;

	write_main(f, circle);
	expect(f, "the tree of pages has no cycle: page x\nthe tree of pages has no cycle: page y");
}

/* Inserts one conversation with one issue, and its cluster with this counter. */
static void
one_issue(struct fixture *f, const char *counted)
{
	const char *error;

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "INSERT INTO conversation_state (org, conversations, issues, clusters) SELECT id, 1, 1, 1 FROM org LIMIT 1;"
	    "INSERT INTO conversation (n, org, id, source, created_at, ingested_at, parts) "
	    "SELECT 1, id, 'c', 'email', 0, 0, '[]' FROM org LIMIT 1;"
	    "INSERT INTO issues_cluster (n, id, org, created_at, updated_at, issues, conversations) "
	    "SELECT 1, 'k', id, 0, 0, %s, 1 FROM org LIMIT 1;"
	    "INSERT INTO conversation_issue (n, id, org, conversation, cluster, title, summary, clear, created_at, "
	    "ingested_at, reviewed, mix, terms) SELECT 1, 'i', id, 1, 1, 't', 's', 0, 0, 0, 0, 0, x'' FROM org LIMIT 1;"
	    "INSERT INTO cluster_week VALUES (1, 0, 1); INSERT INTO cluster_source VALUES (1, 'email', 1)", counted), &error));
}

static void
right_counts_have_no_findings(void **state)
{
	struct fixture *f = *state;

	write_main(f, good);
	one_issue(f, "1");
	expect(f, "");
}

static void
wrong_counts_are_found(void **state)
{
	struct fixture *f = *state;
	const char *name = "conversations, issues and clusters are counted";

	write_main(f, good);
	one_issue(f, "2");
	expect(f, arena_printf(f->arena, "%s: cluster k\n%s: weeks of cluster k\n%s: sources of cluster k", name, name,
	    name));
}

/* Each finding has a repair, which changes derived rows only. */
static void
each_finding_has_its_remedy(void **state)
{
	size_t i, n[CHECK_REMEDIES] = { 0 };

	(void)state;
	for (i = 0; i < check_count(); i++) {
		n[check_remedy(i)]++;
		if (strstr(check_name(i), "counted") != NULL && strstr(check_name(i), "issues") != NULL)
			assert_int_equal(check_remedy(i), CHECK_COUNT);
	}
	assert_int_equal(n[CHECK_COUNT], 3);
	assert_true(n[CHECK_INDEX] >= 5 && n[CHECK_ROWS] > 10 && n[CHECK_ADMIN] == 1 && n[CHECK_DATABASE] == 2 && n[CHECK_TEXT] == 2);
}

static void
a_face_of_another_cluster_is_found(void **state)
{
	struct fixture *f = *state;
	const char *error;

	write_main(f, good);
	one_issue(f, "1");
	assert_true(db_script(f->db, f->arena, "UPDATE issues_cluster SET face = 1, label = 'x';"
	    "INSERT INTO issue_term SELECT id, 5, 1 FROM org LIMIT 1", &error));
	expect(f, arena_printf(f->arena, "terms of issues are counted: organization %s\n"
	    "labels of clusters are titles of their own issues: cluster k", f->org));
}

static void
wrong_counts_of_translations_are_found(void **state)
{
	struct fixture *f = *state;
	const char *error;

	write_main(f, good);
	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "INSERT INTO translation (id, org, source, source_language, language, instructions, result, revision, pages, "
	    "created_at, updated_at) VALUES ('t', '%s', '%s', 'en', 'es', '{}', '%s', 'r', 2, 1, 1);"
	    "INSERT INTO translation_page (translation, page, key, title, props, body) VALUES ('t', 'a', x'01', 'A', '{}', x'02'), "
	    "('t', 'group', x'01', 'G', '{}', x''), ('t', 'link', x'01', 'L', '{}', NULL)",
	    f->org, f->space, f->space), &error));
	expect(f, "translations count their pages, and the texts of translated pages exist: translation t\n"
	    "translations count their pages, and the texts of translated pages exist: page a of translation t\n"
	    "the last revision of a translation is in the space of its result: translation t");
}

SQL(q_shown_now, "SELECT group_concat(id || ' ' || shown || ' ' || COALESCE(CAST(shown_at AS TEXT), '-'), ', ') "
    "FROM (SELECT * FROM site_space ORDER BY id) AS x");

/* Triggers keep the columns shown and shown_at of site spaces up to date: writes to a site do not mention them. */
static void
site_spaces_follow_their_site(void **state)
{
	static const struct { const char *change, *shown; } steps[] = {
		{ "SELECT 1", "x1 0 -, x2 3 7" },
		{ "UPDATE site SET published_at = 5 WHERE id = 's'", "x1 4 5, x2 3 7" },
		{ "UPDATE site SET visibility = 'share-link'", "x1 2 5, x2 2 7" },
		{ "UPDATE site SET visibility = 'visitor-auth', title = 'T' WHERE id = 's'", "x1 1 5, x2 2 7" },
		{ "UPDATE site SET published_at = NULL", "x1 0 -, x2 0 -" },
	};
	struct fixture *f = *state;
	const char *error;
	size_t i;

	write_main(f, good);
	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "INSERT INTO site (id, org, type, title, basename, visibility, published_at, created_at, updated_at) VALUES "
	    "('s', '%s', 'ultimate', 'S', 's', 'public', NULL, 1, 1), ('t', '%s', 'ultimate', 'T', 't', 'unlisted', 7, 1, 1);"
	    "INSERT INTO site_space (id, site, space, path, ord) VALUES ('x1', 's', '%s', 'a', 'a'), ('x2', 't', '%s', 'a', 'a')",
	    f->org, f->org, f->space, f->space), &error));
	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		assert_true(db_script(f->db, f->arena, steps[i].change, &error));
		assert_string_equal(stmt_dup(db_use(f->db, &q_shown_now), f->arena), steps[i].shown);
		expect(f, "");
	}
	assert_true(db_script(f->db, f->arena, "UPDATE site_space SET shown = 4 WHERE id = 'x1'", &error));
	expect(f, "site spaces repeat the visibility of their site: site space x1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(good_data_have_no_findings, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_tree_that_is_too_deep_is_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(two_pages_at_one_path_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(pages_in_a_circle_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(right_counts_have_no_findings, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(wrong_counts_are_found, db_setup, db_teardown),
		cmocka_unit_test(each_finding_has_its_remedy),
		cmocka_unit_test_setup_teardown(a_face_of_another_cluster_is_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(wrong_counts_of_translations_are_found, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(site_spaces_follow_their_site, db_setup, db_teardown) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
