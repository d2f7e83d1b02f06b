/*
 * Merge rules apply to imports and exports requested by a user: imported content waits in a change
 * request, and an export changes nothing in the space but the file paths of its pages.
 */
#include <sodium.h>

#include "db_fixture.h"

SQL(q_job_ended, "SELECT state, error, result FROM job WHERE id = :id");
SQL(q_request_branch, "SELECT branch FROM change_request WHERE id = :id");
SQL(q_open, "SELECT count(*) FROM change_request WHERE space = :space AND status = 'open'");
SQL(q_request, "SELECT id FROM change_request WHERE space = :space AND status = 'open'");

#include "sync_fixture.h"

#define RULES "{\"type\":\"rules\",\"rules\":[{\"rule\":\"require_at_least_one_approved_review\"}%s]}"

static void
rules(struct fixture *f, const char *more)
{
	const char *error = NULL;

	if (!db_script(f->db, f->arena, arena_printf(f->arena, "UPDATE space SET merge_rules = '" RULES "' WHERE id = '%s'", more,
	    f->space), &error))
		fail_msg("%s", error);
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

/* Everything that readers of main see: texts, order, files, variables, redirects; without paths in a repository. */
static const char *
content(struct fixture *f)
{
	struct point p = head_of(f, f->branch);
	struct node *all;
	struct str body;
	size_t n, i;
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	db_begin(f->db, false);
	all = node_list(f->db, f->arena, &p, NODE_PAGES | NODE_FILE | NODE_REUSABLE | NODE_SETTING, &n);
	qsort(all, n, sizeof(*all), by_id);
	for (i = 0; i < n; i++) {
		if (strcmp(all[i].id, "SUMMARY.md") == 0 || strcmp(all[i].id, SETTING_LAYOUT) == 0)
			continue;
		if (!blob_get(f->db, f->arena, all[i].body, &body))
			body = STR("");
		buf_printf(&b, "%s %s %s %s %s: %.*s\n", all[i].id, all[i].parent, all[i].ord, all[i].slug, all[i].title, (int)body.n,
		    body.p);
	}
	db_rollback(f->db);
	return b.p;
}

static void
make_repository(struct fixture *f)
{
	assert_int_equal(run_in(f, "rm -rf work repo.git && git init -q -b main work && cd work && mkdir -p .gitbook/assets .gitbook/includes && "
	    "printf '# Table of contents\n\n* [Home](README.md)\n* [Two](two.md)\n' >SUMMARY.md && printf '# Home\n\nHere.\n' >README.md && "
	    "printf '# Two\n\n![dot](.gitbook/assets/dot.png)\n' >two.md && printf dot >.gitbook/assets/dot.png && "
	    "printf 'name: first\n' >.gitbook/vars.yaml && printf 'redirects:\n  old: two.md\n' >.gitbook.yaml && "
	    "git add -A && git commit -q -m First && cd .. && git clone -q --bare work repo.git && git -C work remote add origin ../repo.git"), 0);
}

static void
push(struct fixture *f, const char *script)
{
	assert_int_equal(run_in(f, "rm -rf other && git clone -q repo.git other && cd other && { %s; } && git add -A && git commit -q -m There && "
	    "git push -q origin HEAD:main", script), 0);
}

static void
merge_waiting(struct fixture *f)
{
	const char *id = text_of(f, &q_request);
	struct merge_outcome out;
	struct point p;
	struct stmt *q;

	db_begin(f->db, true);
	q = db_use(f->db, &q_request_branch);
	bind_text(q, ":id", id);
	assert_true(point_head(f->db, f->arena, stmt_int(q, 0), &p));
	request_merge(f->db, f->arena, &p, f->user, NULL, &out);
	if (out.clashes != NULL)
		fail_msg("clash: %s of %s", out.clashes->kind, out.clashes->page);
	request_merged(f->db, id, out.revision, f->user);
	db_commit(f->db);
}

/* The first import of a space, and a later one, with pages, files, variables and redirects. */
static void
merge_rules_hold_an_import(void **state)
{
	struct fixture *f = *state;
	const char *was, *taken;
	struct ended e;

	make_repository(f);
	new_space(f);
	rules(f, "");
	was = content(f);
	e = git_job(f, "import", "repo.git", "", "");
	done(e);
	assert_non_null(strstr(e.result, "\"changeRequest\""));
	assert_string_equal(content(f), was);
	assert_string_equal(text_of(f, &q_open), "1");
	merge_waiting(f);
	taken = content(f);
	assert_non_null(strstr(taken, "Here."));
	assert_non_null(strstr(taken, "name: first"));
	assert_non_null(strstr(taken, "old: two.md"));
	assert_string_equal(page_of(f, "two").git_path, "two.md");
	assert_non_null(strstr(git_job(f, "import", "repo.git", "", "").result, "\"changed\":false"));
	push(f, "sed -i s/Here/There/ README.md; sed -i s/first/second/ .gitbook/vars.yaml; rm .gitbook.yaml; rm two.md; sed -i /two/d SUMMARY.md; "
	    "printf '# New\n\nNew.\n' >new.md; echo '* [New](new.md)' >>SUMMARY.md");
	e = git_job(f, "import", "repo.git", "", "");
	done(e);
	assert_string_equal(content(f), taken);
	assert_string_equal(text_of(f, &q_open), "1");
	/* While a change request waits, a second import is refused, even a forced one. */
	push(f, "sed -i s/There/Then/ README.md");
	e = git_job(f, "import", "repo.git", "", ",\"force\":true");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "merge it, or archive it"));
	assert_string_equal(content(f), taken);
	merge_waiting(f);
	assert_non_null(strstr(content(f), "There."));
	assert_non_null(strstr(content(f), "New."));
	assert_non_null(strstr(content(f), "name: second"));
	assert_null(strstr(content(f), "old: two.md"));
	done(git_job(f, "import", "repo.git", "", ""));
	assert_string_equal(text_of(f, &q_open), "1");
	assert_null(strstr(content(f), "Then."));
	/* A standalone import does not change main. */
	done(git_job(f, "import", "repo.git", "", ",\"standalone\":true"));
}

/* Users exempted by the rules import directly. */
static void
a_bypass_lets_an_import_pass(void **state)
{
	struct fixture *f = *state;

	make_repository(f);
	new_space(f);
	rules(f, arena_printf(f->arena, ",{\"rule\":\"allow_bypass\",\"users\":[\"%s\"]}", f->user));
	done(git_job(f, "import", "repo.git", "", ""));
	assert_string_equal(text_of(f, &q_open), "0");
	assert_non_null(strstr(content(f), "Here."));
	/* A disabled member is no longer exempt. */
	assert_true(db_script(f->db, f->arena, "UPDATE member SET disabled = 1", &(const char *){ NULL }));
	push(f, "printf '# Home\n\nThere.\n' >README.md");
	git_job(f, "import", "repo.git", "", "");
	assert_string_equal(text_of(f, &q_open), "1");
	assert_null(strstr(content(f), "There."));
}

static void
an_export_writes_paths_alone(void **state)
{
	struct fixture *f = *state;
	const char *was;
	struct ended e;

	make_repository(f);
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	edit_and_merge(f, "New", arena_strdup(f->arena, "[{'operation':'insert_page','title':'Mine','document':{'markdown':'Mine.\\n'}}]"));
	rules(f, "");
	was = content(f);
	done(git_job(f, "export", "repo.git", "", ""));
	assert_string_equal(content(f), was);
	assert_string_equal(page_of(f, "mine").git_path, "mine.md");
	/* Content that others pushed is not merged into the space by an export. */
	push(f, "sed -i s/Here/Smuggled/ README.md; sed -i s/first/smuggled/ .gitbook/vars.yaml");
	e = git_job(f, "export", "repo.git", "", "");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "merge it, or archive it"));
	assert_string_equal(content(f), was);
	assert_string_equal(text_of(f, &q_open), "1");
	/* Nor in two steps, through a repository of the exporting user. */
	assert_int_equal(run_in(f, "rm -rf own.git && git init -q --bare -b main own.git"), 0);
	done(git_job(f, "export", "own.git", "", ""));
	assert_string_equal(content(f), was);
	assert_int_equal(run_in(f, "rm -rf other && git clone -q own.git other && cd other && sed -i s/Here/Smuggled/ README.md && "
	    "git commit -q -am There && git push -q origin HEAD:main"), 0);
	assert_string_equal(git_job(f, "export", "own.git", "", "").state, "failed");
	assert_string_equal(content(f), was);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(merge_rules_hold_an_import, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_bypass_lets_an_import_pass, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_export_writes_paths_alone, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
