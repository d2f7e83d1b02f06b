/*
 * A space and several repositories: file paths are stored per pair of space and repository. An
 * export to a repository that the space does not follow changes neither the other repository's
 * files nor the space.
 */
#include <sodium.h>

#include "db_fixture.h"

SQL(q_job_ended, "SELECT state, error, result FROM job WHERE id = :id");
SQL(q_request_branch, "SELECT branch FROM change_request WHERE id = :id");
SQL(q_followed, "SELECT url || ' ' || commit_oid FROM git_sync WHERE space = :space");
SQL(q_requests, "SELECT count(*) FROM change_request WHERE space = :space AND merged_at IS NULL");

#include "sync_fixture.h"

#define CHANGE(f, ...) edit_and_merge(f, "Edit", arena_printf((f)->arena, __VA_ARGS__))

/*
 * Makes a repository with includes and nested pages in a folder, an empty one, and a space that
 * imported the first.
 */
static void
start(struct fixture *f)
{
	assert_int_equal(run_in(f, "rm -rf docs docs.git out.git outwork && git init -q -b main docs && cd docs && "
	    "mkdir -p book/.gitbook/includes book/top && cd book && "
	    "printf '# Table of contents\n\n* [Home](README.md)\n* [Top](top.md)\n  * [Below](top/below.md)\n  * [Last](top/last.md)\n' >SUMMARY.md && "
	    "printf '# Home\n\nSee [below](top/below.md) and [top](top.md).\n' >README.md && "
	    "printf '# Top\n\nOne, [last](top/last.md).\n\nTwo.\n\nThree.\n' >top.md && "
	    "printf '# Below\n\n{%%%% include \"../.gitbook/includes/shared.md\" %%%%}\n\nOf below, [top](../top.md).\n' >top/below.md && "
	    "printf '# Last\n\nOf last.\n\n[home](../README.md)\n' >top/last.md && "
	    "printf -- '---\ntitle: Shared\n---\n\nShared by all, [top](../../top.md).\n' >.gitbook/includes/shared.md && "
	    "git add -A && git commit -q -m First && cd ../.. && git clone -q --bare docs docs.git && git -C docs remote add origin ../docs.git && "
	    "git init -q --bare -b main out.git"), 0);
	new_space(f);
	done(git_job(f, "import", "docs.git", "book", ""));
}

static const char *
text_of(struct fixture *f, const struct sql *sql)
{
	struct stmt *q;
	const char *text;

	db_begin(f->db, false);
	q = db_use(f->db, sql);
	bind_text(q, ":space", f->space);
	text = stmt_step(q) ? col_dup(q, 0, f->arena) : "";
	db_rollback(f->db);
	return text;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(((const struct node *)a)->id, ((const struct node *)b)->id);
}

/* Main's revision, and by id each node's path and git object. */
static const char *
identity(struct fixture *f)
{
	struct point p = head_of(f, f->branch);
	size_t n, i;
	struct node *all;
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	buf_printf(&b, "%s\n", p.revision);
	db_begin(f->db, false);
	all = node_list(f->db, f->arena, &p, NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &n);
	db_rollback(f->db);
	qsort(all, n, sizeof(*all), by_id);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s %s %s\n", all[i].id, all[i].git_path == NULL ? "-" : all[i].git_path,
		    all[i].git_oid == NULL ? "-" : all[i].git_oid);
	return b.p;
}

/* A commit by another author: replaces one text by another in a file. */
static void
edit_there(struct fixture *f, const char *repository, const char *file, const char *old, const char *new)
{
	assert_int_equal(run_in(f, "rm -rf other && git clone -q %s other && cd other && sed -i 's/%s/%s/' '%s' && "
	    "git commit -q -am There && git push -q origin HEAD:main", repository, old, new, file), 0);
}

static const char *
main_of(struct fixture *f, const char *repository)
{
	return output_of(f, "git -C %s ls-tree -r --name-only main | tr '\\n' ' '", repository);
}

static const char *
body_at(struct fixture *f, const char *path)
{
	struct node n = page_of(f, path);

	return body_of(f, &n);
}

static bool
page_is_there(struct fixture *f, const char *path)
{
	struct point p = head_of(f, f->branch);
	struct node n;
	bool is;

	db_begin(f->db, false);
	is = page_by_path(f->db, f->arena, &p, path, &n);
	db_rollback(f->db);
	return is;
}

static void
nothing_waits(struct fixture *f)
{
	assert_string_equal(text_of(f, &q_requests), "0");
}

static void
the_first_repository_stays_in_step(void **state)
{
	struct fixture *f = *state;
	const char *was, *followed;
	struct ended e;

	start(f);
	was = identity(f);
	followed = text_of(f, &q_followed);
	done(git_job(f, "export", "out.git", "", ""));
	assert_string_equal(main_of(f, "out.git"), ".gitbook/includes/shared.md README.md SUMMARY.md top/README.md top/below.md top/last.md ");
	assert_string_equal(identity(f), was);
	assert_string_equal(text_of(f, &q_followed), followed);
	assert_non_null(strstr(git_job(f, "export", "out.git", "", "").result, "\"skipped\":\"unchanged\""));
	/* Further commits of the followed repository are imported without conflicts. */
	edit_there(f, "docs.git", "book/top.md", "Two", "Twice");
	edit_there(f, "docs.git", "book/.gitbook/includes/shared.md", "by all", "by everybody");
	e = git_job(f, "import", "docs.git", "book", "");
	done(e);
	assert_non_null(strstr(e.result, "\"changed\":true"));
	nothing_waits(f);
	assert_non_null(strstr(body_at(f, "top"), "Twice."));
	assert_string_equal(page_of(f, "top").git_path, "book/top.md");
	/* They are exported to the other repository. */
	done(git_job(f, "export", "out.git", "", ""));
	assert_string_equal(output_of(f, "git -C out.git show --format= --numstat main | tr '\\t\\n' ' ;'"),
	    "1 1 .gitbook/includes/shared.md;1 1 top/README.md;");
	/* Edits made in Octavo are exported to the first repository, into its own files. */
	CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'Of the last, here.\\n\\n[home](../README.md)\\n'}}]", page_of(f, "top/last").id);
	done(git_job(f, "export", "docs.git", "book", ""));
	assert_string_equal(output_of(f, "git -C docs.git show --format= --numstat main | tr '\\t\\n' ' ;'"), "1 1 book/top/last.md;");
	done(git_job(f, "export", "out.git", "", ""));
	assert_string_equal(output_of(f, "git -C out.git show --format= --numstat main | tr '\\t\\n' ' ;'"), "1 1 top/last.md;");
}

/* Two folders of one repository are two pairs, each with its own last export. */
static void
two_folders_have_exports_of_their_own(void **state)
{
	static const char *const folders[] = { "x", "y" };
	struct fixture *f = *state;
	size_t i;

	start(f);
	for (i = 0; i < 2; i++) {
		done(git_job(f, "export", "out.git", folders[i], ""));
		assert_non_null(strstr(git_job(f, "export", "out.git", folders[i], "").result, "\"skipped\":\"unchanged\""));
	}
	assert_string_equal(main_of(f, "out.git"), "x/.gitbook/includes/shared.md x/README.md x/SUMMARY.md x/top/README.md "
	    "x/top/below.md x/top/last.md y/.gitbook/includes/shared.md y/README.md y/SUMMARY.md y/top/README.md y/top/below.md "
	    "y/top/last.md ");
	CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'Of the last, here.\\n\\n[home](../README.md)\\n'}}]", page_of(f, "top/last").id);
	for (i = 0; i < 2; i++) {
		done(git_job(f, "export", "out.git", folders[i], ""));
		assert_string_equal(output_of(f, "git -C out.git show --format= --numstat main | tr '\\t\\n' ' ;'"),
		    arena_printf(f->arena, "1 1 %s/top/last.md;", folders[i]));
	}
}

static void
strangers_commits_are_not_taken_in(void **state)
{
	struct fixture *f = *state;
	const char *was;
	struct ended e;

	start(f);
	done(git_job(f, "export", "out.git", "", ""));
	/* A commit to a file that is no page does not matter. */
	assert_int_equal(run_in(f, "rm -rf other && git clone -q out.git other && cd other && echo x >x.txt && git add -A && git commit -q -m X && git push -q"), 0);
	CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'One, [last](top/last.md).\\n\\nTwo here.\\n\\nThree.\\n'}}]", page_of(f, "top").id);
	done(git_job(f, "export", "out.git", "", ""));
	assert_string_equal(output_of(f, "git -C out.git show --format= --numstat main | tr '\\t\\n' ' ;'"), "1 1 top/README.md;");
	assert_string_equal(output_of(f, "git -C out.git log --format=%%s main | tr '\\n' ';'"), "Export;X;Export;");
	/* With a commit to a page the export is refused, and neither side changes. */
	edit_there(f, "out.git", "top/README.md", "Three", "Thrice");
	was = identity(f);
	e = git_job(f, "export", "out.git", "", "");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "top/README.md was changed in the repository"));
	assert_non_null(strstr(e.error, "import from there first"));
	assert_string_equal(identity(f), was);
	assert_string_equal(output_of(f, "git -C out.git log --format=%%s main | tr '\\n' ';'"), "There;Export;X;Export;");
}

/*
 * The space switches to the repository that it was exported to, and back: pages keep their
 * identity, without conflicts.
 */
static void
a_space_may_turn_to_its_export_and_back(void **state)
{
	struct fixture *f = *state;
	const char *top;
	struct ended e;

	start(f);
	top = page_of(f, "top").id;
	done(git_job(f, "export", "out.git", "", ""));
	CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'One here, [last](top/last.md).\\n\\nTwo.\\n\\nThree.\\n'}}]", top);
	edit_there(f, "out.git", "top/README.md", "Three", "Thrice");
	edit_there(f, "out.git", ".gitbook/includes/shared.md", "by all", "by some");
	e = git_job(f, "import", "out.git", "", "");
	done(e);
	assert_non_null(strstr(e.result, "\"changed\":true"));
	nothing_waits(f);
	assert_string_equal(page_of(f, "top").id, top);
	assert_non_null(strstr(body_at(f, "top"), "One here"));
	assert_non_null(strstr(body_at(f, "top"), "Thrice"));
	/* Paths of the repository that the space follows now. */
	assert_string_equal(page_of(f, "top/last").git_path, "top/last.md");
	assert_string_equal(page_of(f, "readme").git_path, "README.md");
	assert_non_null(strstr(body_at(f, "readme"), "[top](top/README.md)"));
	/* Back to the first one, whose paths were never changed. */
	edit_there(f, "docs.git", "book/top/last.md", "Of last", "At last");
	e = git_job(f, "import", "docs.git", "book", "");
	done(e);
	nothing_waits(f);
	assert_string_equal(page_of(f, "top").id, top);
	assert_non_null(strstr(body_at(f, "top/last"), "At last"));
	assert_non_null(strstr(body_at(f, "top"), "Thrice"));
	assert_string_equal(page_of(f, "top/last").git_path, "book/top/last.md");
	assert_string_equal(page_of(f, "readme").git_path, "book/README.md");
	assert_non_null(strstr(body_at(f, "readme"), "[top](top.md)"));
}

/* The space does not follow a repository of a standalone export, even if it follows no other. */
static void
a_standalone_export_is_not_followed(void **state)
{
	struct fixture *f = *state;
	const char *was;
	unsigned k;

	start(f);
	was = identity(f);
	done(git_job(f, "export", "out.git", "copy", ",\"standalone\":true"));
	assert_string_equal(identity(f), was);
	assert_string_equal(main_of(f, "out.git"), "copy/.gitbook/includes/shared.md copy/README.md "
	    "copy/SUMMARY.md copy/top/README.md copy/top/below.md copy/top/last.md ");
	for (k = 0; k < 2; k++) {
		assert_int_equal(run_in(f, "rm -rf out.git && git init -q --bare -b main out.git"), 0);
		new_space(f);
		CHANGE(f, "[{'operation':'insert_page','title':'Home','document':{'markdown':'Home.'}},"
		    "{'operation':'insert_page','title':'Other','document':{'markdown':'Other.'}}]");
		was = identity(f);
		done(git_job(f, "export", "out.git", "", ",\"standalone\":true"));
		assert_string_equal(main_of(f, "out.git"), "README.md SUMMARY.md other.md ");
		assert_string_equal(text_of(f, &q_followed), "");
		assert_string_equal(identity(f), was);
		CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'Other words.'}}]", page_of(f, "other").id);
		done(git_job(f, "export", "out.git", "", ",\"standalone\":true"));
		assert_string_equal(output_of(f, "git -C out.git show --format= --numstat main | tr '\\t\\n' ' ;'"), "1 1 other.md;");
		assert_string_equal(text_of(f, &q_followed), "");
		/* From then on the space follows another repository, or this one. */
		done(k == 0 ? git_job(f, "import", "docs.git", "book", "") : git_job(f, "export", "out.git", "", ""));
	}
	assert_string_equal(body_at(f, "other"), "Other words.");
	assert_non_null(strstr(text_of(f, &q_followed), "out.git"));
}

/*
 * The space switches to a third repository. Its content no longer descends from the exports to the
 * others, so an import from one of them replaces the content instead of merging.
 */
static void
left_for_a_third(void **state)
{
	struct fixture *f = *state;

	start(f);
	done(git_job(f, "export", "out.git", "", ""));
	assert_int_equal(run_in(f, "rm -rf third third.git && git init -q -b main third && cd third && printf '# Third\n\nOf the third.\n' >README.md && "
	    "printf '# Only here\n\nNowhere else.\n' >only.md && git add -A && git commit -q -m Third && cd .. && git clone -q --bare third third.git"), 0);
	done(git_job(f, "import", "third.git", "", ""));
	assert_false(page_is_there(f, "top"));
	assert_true(page_is_there(f, "only"));
	done(git_job(f, "import", "out.git", "", ""));
	nothing_waits(f);
	assert_false(page_is_there(f, "only"));
	assert_non_null(strstr(body_at(f, "top"), "One, [last]"));
	/* Switching to the third again, and to the first, even if nothing changed there. */
	done(git_job(f, "import", "third.git", "", ""));
	assert_true(page_is_there(f, "only"));
	assert_false(page_is_there(f, "top"));
	done(git_job(f, "import", "docs.git", "book", ""));
	nothing_waits(f);
	assert_false(page_is_there(f, "only"));
	assert_string_equal(page_of(f, "top").git_path, "book/top.md");
	edit_there(f, "docs.git", "book/top.md", "Two", "Twice");
	done(git_job(f, "import", "docs.git", "book", ""));
	nothing_waits(f);
	assert_non_null(strstr(body_at(f, "top"), "Twice"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_first_repository_stays_in_step, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(two_folders_have_exports_of_their_own, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(strangers_commits_are_not_taken_in, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_space_may_turn_to_its_export_and_back, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(left_for_a_third, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_standalone_export_is_not_followed, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
