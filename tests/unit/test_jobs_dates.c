/*
 * Dates of pages' last changes: from the commits they were imported with, and later from changes of
 * their content only.
 */
#include <sodium.h>

#include "db_fixture.h"

SQL(q_job_ended, "SELECT state, error, result FROM job WHERE id = :id");
SQL(q_request_branch, "SELECT branch FROM change_request WHERE id = :id");
SQL(q_warnings, "SELECT file, line, message FROM job_warning WHERE job = :id ORDER BY n");
SQL(q_updated, "SELECT updated_at FROM space WHERE id = :space");

#include "sync_fixture.h"

#define CHANGE(f, ...) edit_and_merge(f, "Edit", arena_printf((f)->arena, __VA_ARGS__))

/* Runs a script and commits its changes, dated noon of a day of January 2020. */
static void
commit_on(struct fixture *f, unsigned day, const char *script)
{
	assert_int_equal(run_in(f, "cd work && { %s; } && git add -A && GIT_AUTHOR_DATE='2020-01-%02uT12:00:00Z' "
	    "GIT_COMMITTER_DATE='2020-01-%02uT13:00:00Z' git commit -q --allow-empty -m %u", script, day, day, day), 0);
}

/* Day of January 2020 of the page's last change; 0: another time. */
static int
day_of(struct fixture *f, const char *path)
{
	int64_t at = page_of(f, path).at - INT64_C(1577836800000);   /* ms since 2020-01-01 */

	return at >= 0 && at < 31 * DAY_MS && at % DAY_MS == DAY_MS / 2 ? (int)(at / DAY_MS) + 1 : 0;
}

static void
make_history(struct fixture *f)
{
	assert_int_equal(run_in(f, "rm -rf work repo.git && git init -q -b main work"), 0);
	commit_on(f, 1, "printf '# Table of contents\n\n* [A](a.md)\n* [B](b.md)\n  * [C](b/c.md)\n* [D](d.md)\n' >SUMMARY.md; mkdir b; "
	    "printf '# A\n\nA.\n' >a.md; printf '# B\n\nB.\n' >b.md; printf '# C\n\nC.\n' >b/c.md");
	commit_on(f, 2, "printf 'C again.\n' >>b/c.md; printf '# D\n\nD.\n' >d.md");
	/* Commits on a side branch while main gets others: the merge commit itself does not date a change. */
	assert_int_equal(run_in(f, "cd work && git checkout -q -b side"), 0);
	commit_on(f, 3, "printf 'B on the side.\n' >>b.md");
	assert_int_equal(run_in(f, "cd work && git checkout -q main"), 0);
	commit_on(f, 4, "printf 'D again.\n' >>d.md");
	assert_int_equal(run_in(f, "cd work && git merge -q --no-edit side"), 0);
	/* A change and its reversal: the date is that of the reversal. */
	commit_on(f, 6, "printf 'A, for a while.\n' >>a.md");
	commit_on(f, 7, "printf '# A\n\nA.\n' >a.md");
	commit_on(f, 8, "echo x >other.txt");
	assert_int_equal(run_in(f, "git clone -q --bare work repo.git && git -C work remote add origin ../repo.git"), 0);
}

static void
at_a_first_import_by_the_commits(void **state)
{
	struct fixture *f = *state;

	make_history(f);
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	assert_int_equal(day_of(f, "a"), 7);
	assert_int_equal(day_of(f, "b"), 3);
	assert_int_equal(day_of(f, "b/c"), 2);
	assert_int_equal(day_of(f, "d"), 4);
	assert_true(page_of(f, "b/c").made <= page_of(f, "b/c").at);
}

/* Another order, parent, path, or line of the table of contents is no change of content. */
static void
a_move_changes_no_date(void **state)
{
	struct fixture *f = *state;
	struct node b;

	make_history(f);
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	commit_on(f, 9, "printf '# Table of contents\n\n- [D](d.md)\n- [B](b.md)\n- [C](b/c.md)\n- [A](a.md)\n' >SUMMARY.md");
	assert_int_equal(run_in(f, "cd work && git push -q origin HEAD:main"), 0);
	done(git_job(f, "import", "repo.git", "", ""));
	assert_string_equal(page_of(f, "b/c").parent, "");
	assert_int_equal(day_of(f, "a"), 7);
	assert_int_equal(day_of(f, "b"), 3);
	assert_int_equal(day_of(f, "b/c"), 2);
	assert_int_equal(day_of(f, "d"), 4);
	/* The same for edits in Octavo: order, parent, path. */
	b = page_of(f, "b");
	CHANGE(f, "[{'operation':'update_page','page':'%s','into':'%s'}]", page_of(f, "a").id, b.id);
	assert_int_equal(day_of(f, "b/a"), 7);
	CHANGE(f, "[{'operation':'update_page','page':'%s','slug':'other'}]", b.id);
	assert_int_equal(day_of(f, "other"), 3);
	/* And for an export, which moves their files. */
	done(git_job(f, "export", "repo.git", "", ""));
	assert_int_equal(day_of(f, "other/a"), 7);
	assert_int_equal(day_of(f, "other"), 3);
	/* A change of the text, the title or a property dates that page only. */
	CHANGE(f, "[{'operation':'update_page','page':'%s','description':'Other words'}]", b.id);
	assert_int_equal(day_of(f, "other"), 0);
	assert_int_equal(day_of(f, "d"), 4);
	CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'Other.'}}]", page_of(f, "d").id);
	assert_int_equal(day_of(f, "d"), 0);
	assert_int_equal(day_of(f, "other/a"), 7);
}

/* Other changes of a file, which do not change the page's content. */
static void
what_a_page_does_not_say_changes_no_date(void **state)
{
	static const char *const scripts[] = {
		"printf '# Table of contents\n\n## Group\n\n* [A](a.md)\n* [B](b.md)\n* [C](b/c.md)\n\n***\n\n* [D](d.md)\n' >SUMMARY.md",
		"git mv a.md z.md && sed -i s/a.md/z.md/ SUMMARY.md",
		"chmod +x b.md d.md",
		"mkdir deep && git mv d.md deep/d.md && sed -i s,d.md,deep/d.md, SUMMARY.md",
		"printf '# E\n' >e.md && sed -i '5i* [E](e.md)' SUMMARY.md",
		"mkdir docs && git mv SUMMARY.md z.md b.md b deep e.md docs/ && echo 'root: ./docs/' >.gitbook.yaml",
		"sed -i 's/^\\*/-/' docs/SUMMARY.md",
		"git rm -q docs/e.md && sed -i /e.md/d docs/SUMMARY.md",
	};
	static const struct {
		const char *title;
		int         day;
	} rows[] = { { "A", 7 }, { "B", 3 }, { "C", 2 }, { "D", 4 } };
	struct fixture *f = *state;
	size_t i, k, n, r;
	struct node *all;
	struct point p;

	make_history(f);
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	for (i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		commit_on(f, (unsigned)(10 + i), scripts[i]);
		assert_int_equal(run_in(f, "cd work && git push -q origin HEAD:main"), 0);
		done(git_job(f, "import", "repo.git", "", ""));
		p = head_of(f, f->branch);
		db_begin(f->db, false);
		all = node_list(f->db, f->arena, &p, NODE_DOCUMENT, &n);
		db_rollback(f->db);
		for (k = 0; k < n; k++)
			for (r = 0; r < 4; r++)
				if (strcmp(all[k].title, rows[r].title) == 0 &&
				    all[k].at != INT64_C(1577836800000) + (rows[r].day - 1) * DAY_MS + DAY_MS / 2)
					fail_msg("%s: %s", scripts[i], all[k].title);
	}
	/* A forced import, which is a revision of the same content. */
	done(git_job(f, "import", "repo.git", "", ",\"force\":true"));
	assert_int_equal(day_of(f, "b"), 3);
}

/* A space is dated by the merges into it. */
static void
a_merge_changes_the_date_of_the_space(void **state)
{
	struct fixture *f = *state;
	const char *error;
	int64_t at;
	struct stmt *q;

	new_space(f);
	assert_true(db_script(f->db, f->arena, "UPDATE space SET updated_at = 1", &error));
	CHANGE(f, "[{'operation':'insert_page','title':'A','document':{'markdown':'A.'}}]");
	db_begin(f->db, false);
	q = db_use(f->db, &q_updated);
	bind_text(q, ":space", f->space);
	at = stmt_int(q, 0);
	db_rollback(f->db);
	assert_true(at > 1);
}

/* Invalid dates of updates give a warning with their line. */
static void
faulty_dates_of_updates_are_warned_about(void **state)
{
	struct fixture *f = *state;
	struct ended e;
	struct stmt *q;
	struct buf b;

	assert_int_equal(run_in(f, "rm -rf work repo.git && git init -q -b main work && cd work && printf '# News\n\n{%%%% updates %%%%}\n"
	    "{%%%% update date=\"2026-01-31\" %%%%}\nGood.\n{%%%% endupdate %%%%}\n{%%%% update date=\"yesterday\" %%%%}\nBad.\n{%%%% endupdate %%%%}\n"
	    "{%%%% update date=\"2026-02-30\" %%%%}\nBad.\n{%%%% endupdate %%%%}\n{%%%% update %%%%}\n"
	    "None.\n{%%%% endupdate %%%%}\n{%%%% endupdates %%%%}\n' >README.md && "
	    "git add -A && git commit -q -m 1 && git clone -q --bare . ../repo.git"), 0);
	new_space(f);
	e = git_job(f, "import", "repo.git", "", "");
	done(e);
	buf_init(&b, f->arena, 4096);
	db_begin(f->db, false);
	q = db_use(f->db, &q_warnings);
	bind_text(q, ":id", e.id);
	while (stmt_step(q))
		if (strstr(col_text(q, 2), "update: ") != NULL)
			buf_printf(&b, "%s:%d %s\n", col_text(q, 0), (int)col_int(q, 1), col_text(q, 2));
	db_rollback(f->db);
	assert_string_equal(b.p, "README.md:7 update: \"yesterday\" is no date, as 2026-01-31 is: 1970-01-01 is shown\n"
	    "README.md:10 update: \"2026-02-30\" is no date, as 2026-01-31 is: 1970-01-01 is shown\n"
	    "README.md:13 update: \"\" is no date, as 2026-01-31 is: 1970-01-01 is shown\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(at_a_first_import_by_the_commits, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_move_changes_no_date, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(what_a_page_does_not_say_changes_no_date, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_merge_changes_the_date_of_the_space, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(faulty_dates_of_updates_are_warned_about, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
