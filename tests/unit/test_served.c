/*
 * Pages that the web server sends from files: which files may exist, and that none remains after a
 * visible change, even if a worker was about to add one.
 */
#include "db_fixture.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "again.h"
#include "base/file.h"
#include "base/served.h"

#define STAMP "0123456789abcdef"

static void
only_plain_paths_are_served(void **state)
{
	static const char *const good[] = { "/", "/a", "/a/", "/sites/Ab_c/x-1.2/~y/%E4%BD%A0", "/a..b" };
	static const char *const bad[] = { "", "a", "//", "/a//b", "/.", "/..", "/a/..", "/a/../b", "/.x", "/a?b", "/a=", "/a b",
		"/a\xc3\xa4", "/a\\b" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!served_name("docs.example.com", good[i]))
			fail_msg("%s", good[i]);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (served_name("docs.example.com", bad[i]))
			fail_msg("%s", bad[i]);
	assert_false(served_name("", "/a"));
	assert_false(served_name("..", "/a"));
	assert_false(served_name("a..b", "/a"));
	assert_false(served_name("a/b", "/a"));
	assert_false(served_name("Docs", "/a"));
	assert_true(served_name("127.0.0.1", "/a"));
}

/* Adds a file as a worker does: under the write lock. */
static int
made(struct fixture *f)
{
	int now;

	db_begin(f->db, true);
	assert_true(served_make(f->arena, f->dir, STAMP));
	db_rollback(f->db);
	now = served_open(f->arena, f->dir, STAMP);
	assert_true(now >= 0);
	return now;
}

static bool
there(struct fixture *f, const char *name)
{
	return access(arena_printf(f->arena, "%s/cache/served/now/%s", f->dir, name), F_OK) == 0;
}

static void
a_page_is_served_from_its_file(void **state)
{
	struct fixture *f = *state;
	char bytes[16] = "";
	struct stat st;
	gzFile z;
	int now;

	assert_int_equal(served_open(f->arena, f->dir, STAMP), -1);
	now = made(f);
	assert_int_equal(served_open(f->arena, f->dir, "ffff"), -1);
	served_put(f->arena, f->dir, now, "site", "h/a/b", "=n", STR("<p>Text"), 0x68b40351);
	served_put(f->arena, f->dir, now, "site", "h/a", "=", STR("<p>Text"), 1);
	assert_true(there(f, "h/a="));
	assert_int_equal(stat(arena_printf(f->arena, "%s/cache/served/now/h/a/b=n", f->dir), &st), 0);
	assert_int_equal(st.st_mtime, 0x68b40351);
	assert_int_equal(st.st_size, 7);
	z = gzopen(arena_printf(f->arena, "%s/cache/served/now/h/a/b=n.gz", f->dir), "r");
	assert_int_equal(gzread(z, bytes, sizeof(bytes)), 7);
	gzclose(z);
	assert_string_equal(bytes, "<p>Text");
	/* A new stamp replaces the old one, whose files are deleted by the next sweep. */
	db_begin(f->db, true);
	assert_true(served_make(f->arena, f->dir, "ffff"));
	db_rollback(f->db);
	close(now);
	now = served_open(f->arena, f->dir, "ffff");
	assert_false(there(f, "h/a="));
	served_put(f->arena, f->dir, now, "site", "h/c", "=", STR("C"), 1);
	assert_int_equal(system(arena_printf(f->arena, "test \"$(ls %s/cache/served)\" = now", f->dir)), 0);
	close(now);
}

/* In the open write transaction. */
static void
run_within(struct fixture *f, const char *text)
{
	const char *error = NULL;

	if (!db_script(f->db, f->arena, text, &error))
		fail_msg("%s: %s", text, error);
}

static void
run_sql(struct fixture *f, const char *text)
{
	db_begin(f->db, true);
	run_within(f, text);
	db_commit(f->db);
}

/* Every change of what sites show ends served pages; other changes do not. */
static void
each_visible_change_ends_served_pages(void **state)
{
	struct fixture *f = *state;
	const char *const shown[] = {
		"INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
		    "SELECT 's', id, 'basic', 'Book', 'book', 'public', 1, 1 FROM org",
		"INSERT INTO site_section_group (id, site, title, ord) VALUES ('g', 's', 'G', 'a')",
		"INSERT INTO site_section (id, site, title, path, ord) VALUES ('c', 's', 'C', 'c', 'a')",
		"INSERT INTO site_space (id, site, space, path, ord) SELECT 'x', 's', id, 'one', 'a' FROM space",
		"INSERT INTO site_redirect (id, site, source, destination, created_at) VALUES ('r', 's', '/a', '{}', 1)",
		"INSERT INTO openapi_spec (id, org, slug, created_at, updated_at) SELECT 'o', id, 'pets', 1, 1 FROM org",
		"INSERT INTO openapi_version (id, spec, no, created_at) VALUES ('v', 'o', 1, 1)",
		"UPDATE site SET published_at = 5", "UPDATE site SET visibility = 'unlisted'",
		"UPDATE site_section_group SET title = 'H'", "UPDATE site_section SET title = 'D'", "UPDATE site_space SET path = 'two'",
		"UPDATE site_redirect SET source = '/b'", "UPDATE org SET title = 'Other'", "UPDATE org SET hostname = 'other'",
		"UPDATE space SET title = 'Other'", "UPDATE space SET emoji = '1f600'", "UPDATE space SET icon = 'x'",
		"UPDATE space SET language = 'fr'", "UPDATE space SET deleted_at = 1", "UPDATE space SET deleted_at = NULL",
		"UPDATE branch SET head = head", "UPDATE openapi_spec SET latest = 'v'", "UPDATE openapi_spec SET deleted_at = 1",
		"DELETE FROM openapi_version", "DELETE FROM openapi_spec", "DELETE FROM site_redirect", "DELETE FROM site_space",
		"DELETE FROM site_section", "DELETE FROM site_section_group", "DELETE FROM site",
	};
	const char *const other[] = { "UPDATE space SET updated_at = 7", "UPDATE token SET id = id", "UPDATE space SET title = 'Hidden'",
		"UPDATE branch SET head = head", "UPDATE account SET id = id" };
	size_t i;

	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		close(made(f));
		run_sql(f, shown[i]);
		if (there(f, ""))
			fail_msg("not seen: %s", shown[i]);
	}
	/* The space is no longer in any site. */
	close(made(f));
	for (i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		run_sql(f, other[i]);
		if (!there(f, ""))
			fail_msg("changes nothing: %s", other[i]);
	}
}

/* From before the commit on, no outdated file can be added; if the drop fails, nothing is committed. */
static void
pages_are_dropped_before_the_commit(void **state)
{
	struct fixture *f = *state;
	struct db *other;
	const char *error = NULL;
	int now;

	run_sql(f, "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at) "
	    "SELECT 's', id, 'basic', 'Book', 'book', 'public', 1, 1 FROM org");
	now = made(f);
	other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error);
	assert_non_null(other);
	/* A file made by a reader that began before the change is not served. */
	db_begin(other, false);
	db_begin(f->db, true);
	run_within(f, "UPDATE site SET visibility = 'unlisted'");
	assert_true(there(f, ""));
	db_commit(f->db);
	assert_false(there(f, ""));
	served_put(f->arena, f->dir, now, "site", "h/late", "=", STR("old"), 1);
	close(now);
	assert_false(there(f, "h/late="));
	now = made(f);
	assert_false(there(f, "h/late="));
	close(now);
	/* A transaction that is rolled back changes nothing. */
	db_begin(f->db, true);
	run_within(f, "UPDATE site SET visibility = 'public'");
	db_rollback(f->db);
	assert_true(there(f, ""));
	run_sql(f, "UPDATE token SET id = id");
	assert_true(there(f, ""));
	/* If the files cannot be moved away, the write fails. Only testable as another user than root. */
	if (geteuid() != 0) {
		assert_int_equal(chmod(arena_printf(f->arena, "%s/cache/served", f->dir), 0500), 0);
		assert_false(db_script(f->db, f->arena, "UPDATE site SET visibility = 'public'", &error));
		assert_int_equal(chmod(arena_printf(f->arena, "%s/cache/served", f->dir), 0700), 0);
	}
	db_rollback(other);
	db_close(other);
}

enum { CHANGES = 150 };
SQL(q_set_shown, "UPDATE site SET published_at = :n");
SQL(q_shown, "SELECT published_at FROM site");

struct change {
	struct db *db;
	int        n;
};

static void
change_site(void *ctx)
{
	struct change *c = ctx;
	struct stmt *q;

	db_begin(c->db, true);
	q = db_use(c->db, &q_set_shown);
	bind_int(q, ":n", c->n);
	stmt_run(q);
	db_commit(c->db);
}

static void
change_often(struct fixture *f)
{
	const char *error = NULL;
	struct change c = { db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE, NULL, &error), 0 };

	for (c.n = 1; c.db != NULL && c.n <= CHANGES; c.n++)
		run_again(c.db, change_site, &c);
	_exit(c.db != NULL ? 0 : 1);
}

static int64_t
read_shown(struct fixture *f)
{
	int64_t n;

	db_begin(f->db, false);
	n = stmt_int(db_use(f->db, &q_shown), -1);
	db_rollback(f->db);
	return n;
}

/* Serves the page as a worker does, which may make the folder while a commit is under way. */
static void
serve_page(struct fixture *f)
{
	int now = served_open(f->arena, f->dir, STAMP);

	if (now < 0 && db_try_begin(f->db)) {
		if (db_try_alone(f->db, DB_LOCK_SHOWN))
			served_make(f->arena, f->dir, STAMP);
		db_rollback(f->db);
		now = served_open(f->arena, f->dir, STAMP);
	}
	if (now < 0)
		return;
	served_put(f->arena, f->dir, now, "site", "h/a", "=", str_of(arena_printf(f->arena, "%d", (int)read_shown(f))), 1);
	close(now);
}

/* While another process changes the site, no page that the web server would send is older than what is committed. */
static void
no_page_is_older_than_a_commit(void **state)
{
	struct fixture *f = *state;
	const char *path = arena_printf(f->arena, "%s/cache/served/now/h/a=", f->dir);
	struct str text;
	int64_t shown = 0;
	int status = 0;
	pid_t pid;

	run_sql(f, "INSERT INTO site (id, org, type, title, basename, visibility, created_at, updated_at, published_at) "
	    "SELECT 's', id, 'basic', 'Book', 'book', 'public', 1, 1, 0 FROM org");
	if ((pid = fork()) == 0)
		change_often(f);
	while (shown < CHANGES) {
		serve_page(f);
		shown = read_shown(f);
		if (file_read(f->arena, path, &text) && text.n > 0)
			assert_true(strtoll(text.p, NULL, 10) >= shown);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* A page is written once, and again only if its content differs. */
static void
an_unchanged_page_is_written_once(void **state)
{
	struct fixture *f = *state;
	char *page = arena_printf(f->arena, "%s/cache/served/now/h/a=", f->dir);
	struct stat first, again, count;
	int now = made(f);

	served_put(f->arena, f->dir, now, "site", "h/a", "=", STR("A"), 1);
	assert_int_equal(stat(page, &first), 0);
	for (int i = 0; i < 100; i++)
		served_put(f->arena, f->dir, now, "site", "h/a", "=", STR("A"), 1);
	assert_int_equal(stat(page, &again), 0);
	assert_true(first.st_ino == again.st_ino && first.st_ctim.tv_nsec == again.st_ctim.tv_nsec);
	assert_int_equal(stat(arena_printf(f->arena, "%s/cache/served/now/.kib", f->dir), &count), 0);
	assert_true(count.st_size < 16);
	served_put(f->arena, f->dir, now, "site", "h/a", "=", STR("B"), 2);
	assert_int_equal(stat(page, &again), 0);
	assert_int_equal(again.st_mtime, 2);
	close(now);
}

/*
 * The files are bounded, and one site's pages do not displace others': when there are many, a site
 * that has its share gets no more.
 */
static void
served_pages_are_bounded_by_site(void **state)
{
	struct fixture *f = *state;
	char *count = arena_printf(f->arena, "%s/cache/served/now/.kib", f->dir);
	int now = made(f);

	served_put(f->arena, f->dir, now, "large", "h/a", "=", STR("A"), 1);
	assert_true(there(f, "h/a="));
	assert_int_equal(truncate(count, SERVED_KIB + 1), 0);
	assert_int_equal(truncate(arena_printf(f->arena, "%s.large", count), SERVED_SHARE + 1), 0);
	served_put(f->arena, f->dir, now, "large", "h/b", "=", STR("B"), 1);
	assert_false(there(f, "h/b="));
	assert_true(there(f, "h/a="));
	served_put(f->arena, f->dir, now, "small", "h/c", "=", STR("C"), 1);
	assert_true(there(f, "h/c="));
	assert_int_equal(truncate(count, SERVED_MOST), 0);
	served_put(f->arena, f->dir, now, "small", "h/d", "=", STR("D"), 1);
	assert_false(there(f, ""));
	close(now);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_plain_paths_are_served),
		cmocka_unit_test_setup_teardown(a_page_is_served_from_its_file, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(each_visible_change_ends_served_pages, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(pages_are_dropped_before_the_commit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(no_page_is_older_than_a_commit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_unchanged_page_is_written_once, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(served_pages_are_bounded_by_site, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
