/* The job of an import (arrive/arrive.h): how it ends, and the title of its space. */
#include "db_fixture.h"

#include "arrive/arrive.h"

#include <sys/stat.h>

SQL(q_cancel, "UPDATE job SET cancel = 1 WHERE id = :id");
SQL(q_ended, "SELECT state FROM job WHERE id = :id");
SQL(q_untitled, "UPDATE space SET title = '' WHERE id = :id");
SQL(q_title, "SELECT title FROM space WHERE id = :id");
SQL(q_cut, "SELECT count(*) FROM job_warning WHERE job = :id AND message LIKE '%longer than a space may have%'");

static void
put(struct fixture *f, const char *path, const char *text)
{
	FILE *out = fopen(arena_printf(f->arena, "%s/from/%s", f->dir, path), "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static const char *
text_of(struct fixture *f, const struct sql *sql, const char *id)
{
	struct stmt *q;
	char *text;

	db_begin(f->db, false);
	q = db_use(f->db, sql);
	bind_text(q, ":id", id);
	assert_true(stmt_step(q));
	text = col_dup(q, 0, f->arena);
	db_rollback(f->db);
	return text;
}

static void
change(struct fixture *f, const struct sql *sql, const char *id)
{
	struct stmt *q;

	db_begin(f->db, true);
	q = db_use(f->db, sql);
	bind_text(q, ":id", id);
	stmt_run(q);
	db_commit(f->db);
}

/* Imports the folder "from"; with `cancelled`, a user cancels the job before it begins. Returns its id. */
static const char *
import(struct fixture *f, bool cancelled)
{
	struct job job = { .kind = "arrive", .space = f->space, .queue = f->space, .user = f->user,
		.args = arena_printf(f->arena, "{\"path\":\"%s/from\",\"local\":true,\"name\":\"the-source\"}", f->dir) }, claimed;
	struct settings set = db_settings(f);

	db_begin(f->db, true);
	job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	assert_true(claim_job(f->db, f->arena, &claimed));
	if (cancelled)
		change(f, &q_cancel, claimed.id);
	arrive_run(f->db, f->arena, &set, &claimed);
	return claimed.id;
}

static int
setup(void **state)
{
	struct fixture *f;

	if (db_setup(state) != 0)
		return 1;
	f = *state;
	change(f, &q_untitled, f->space);
	return mkdir(arena_printf(f->arena, "%s/from", f->dir), 0700);
}

static void
a_cancelled_import_ends_as_cancelled(void **state)
{
	struct fixture *f = *state;

	put(f, "a.md", "# A\n");
	assert_string_equal(text_of(f, &q_ended, import(f, true)), "cancelled");
	put(f, "mkdocs.yml", "docs_dir: ../..\n");
	assert_string_equal(text_of(f, &q_ended, import(f, false)), "failed");
}

static void
an_empty_title_is_none(void **state)
{
	struct fixture *f = *state;

	put(f, "a.md", "# A\n");
	put(f, "mkdocs.yml", "site_name: ' '\ndocs_dir: .\n");
	assert_string_equal(text_of(f, &q_ended, import(f, false)), "done");
	assert_string_equal(text_of(f, &q_title, f->space), "The source");
}

static void
a_long_title_is_cut(void **state)
{
	struct fixture *f = *state;
	const char *id;

	put(f, "a.md", "# A\n");
	put(f, "mkdocs.yml", "site_name: ééééééééééééééééééééééééééééééééééééééééééééééééé or\ndocs_dir: .\n");
	id = import(f, false);
	assert_string_equal(text_of(f, &q_title, f->space), "ééééééééééééééééééééééééééééééééééééééééééééééééé");
	assert_string_equal(text_of(f, &q_cut, id), "1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_cancelled_import_ends_as_cancelled, setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_empty_title_is_none, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_long_title_is_cut, setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
