/* The job of an import (arrive/arrive.h): how it ends, and the title of its space. */
#include "db_fixture.h"

#include "../../src/arrive/readers.h"
#include "app/import_file.h"
#include "arrive/arrive.h"
#include "base/json.h"

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

/* A line of /proc/self/status, in kB. */
static long
memory(const char *name)
{
	FILE *in = fopen("/proc/self/status", "r");
	char line[200];
	long kb = 0;

	assert_non_null(in);
	while (fgets(line, sizeof(line), in) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			kb = strtol(line + strlen(name), NULL, 10);
	fclose(in);
	return kb;
}

/* 60 pages of half a megabyte of words each. */
static void
memory_does_not_grow_with_texts(void **state)
{
	struct fixture *f = *state;
	char *text = arena_bytes(f->arena, 512 << 10);
	long before;
	size_t i, k;
	FILE *out;

	for (k = 0; k < 60; k++) {
		for (i = 0; i + 16 < (512 << 10); i += 16)
			memcpy(text + i, i % 512 == 0 ? "\n\nA paragraph is" : " words and words", 16);
		text[i] = '\0';
		put(f, arena_printf(f->arena, "page%zu.md", k), arena_printf(f->arena, "# Page %zu\n\n%s", k, text));
	}
#ifdef __SANITIZE_ADDRESS__
	/* Freed memory stays in a quarantine. */
	skip();
#endif
	/* Resets the mark (proc_pid_clear_refs(5)). */
	out = fopen("/proc/self/clear_refs", "w");
	if (out == NULL || fputs("5", out) < 0 || fclose(out) != 0)
		skip();
	before = memory("VmRSS:");
	assert_string_equal(text_of(f, &q_ended, import(f, false)), "done");
	/* 30 MB of texts: what is parsed of them takes several times as much. */
	assert_true(memory("VmHWM:") - before < 60 << 10);
}

SQL(q_why, "SELECT error FROM job WHERE id = :id");

/* Runs a job of the API with these arguments. Returns its id. */
static const char *
import_of_api(struct fixture *f, const char *args)
{
	struct job job = { .kind = "arrive", .space = f->space, .queue = f->space, .org = f->org, .user = f->user, .args = args }, claimed;
	struct settings set = db_settings(f);

	db_begin(f->db, true);
	job_add(f->db, f->arena, &job, 0);
	db_commit(f->db);
	assert_true(claim_job(f->db, f->arena, &claimed));
	arrive_run(f->db, f->arena, &set, &claimed);
	return claimed.id;
}

/* An uploaded archive whose row says that it is whole, taken by the job `run`. */
static void
upload(struct fixture *f, const char *id, const char *run)
{
	const char *error = NULL;

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena, "INSERT INTO import_file (id, org, name, size, received, run, created_by, "
	    "created_at) VALUES ('%s', '%s', 'a.zip', 4, 4, %s, '%s', %lld)", id, f->org, run, f->user, (long long)time_now()), &error));
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

static void
a_job_of_the_api_reads_no_path(void **state)
{
	struct fixture *f = *state;
	const char *id;

	put(f, "a.md", "# A\n");
	id = import_of_api(f, arena_printf(f->arena, "{\"path\":\"%s/from\",\"name\":\"the-source\"}", f->dir));
	assert_string_equal(text_of(f, &q_ended, id), "failed");
	assert_non_null(strstr(text_of(f, &q_why, id), "does not say what to import"));
	/* A path in place of a key is none, either. */
	id = import_of_api(f, "{\"type\":\"file\",\"files\":[\"../from\"],\"name\":\"a\"}");
	assert_non_null(strstr(text_of(f, &q_why, id), "upload it again"));
}

static void
a_job_reads_only_files_that_it_has_taken(void **state)
{
	struct fixture *f = *state;
	const char *id;

	upload(f, "freeFile", "NULL");
	upload(f, "takenFile", "'another'");
	id = import_of_api(f, "{\"type\":\"file\",\"files\":[\"freeFile\"],\"name\":\"a\"}");
	assert_non_null(strstr(text_of(f, &q_why, id), "not there any more"));
	id = import_of_api(f, "{\"type\":\"file\",\"files\":[\"takenFile\"],\"name\":\"a\"}");
	assert_non_null(strstr(text_of(f, &q_why, id), "not there any more"));
}

/* The API names them in its description. */
static void
every_reader_is_a_source_of_the_api(void **state)
{
	struct fixture *f = *state;
	const char *s = "," IMPORT_READERS ",", *p;
	size_t n = 0;

	for (; arrive_readers[n] != NULL; n++)
		assert_non_null(strstr(s, arena_printf(f->arena, ",%s,", arrive_readers[n]->name)));
	for (p = s + 1; (p = strchr(p, ',')) != NULL; p++)
		n--;
	assert_int_equal(n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_cancelled_import_ends_as_cancelled, setup, db_teardown),
		cmocka_unit_test_setup_teardown(memory_does_not_grow_with_texts, setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_empty_title_is_none, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_long_title_is_cut, setup, db_teardown),
		cmocka_unit_test_setup_teardown(every_reader_is_a_source_of_the_api, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_job_of_the_api_reads_no_path, setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_job_reads_only_files_that_it_has_taken, setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
