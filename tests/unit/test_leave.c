/*
 * Exports and their import (command/leave.h): each table of the schema has its place; of random
 * histories with change requests, the repository has each revision as the space had it, and the import
 * makes the same installation: the same records, repositories and objects come out again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/org_export.h"
#include "app/people.h"
#include "base/secret.h"
#include "base/sealed.h"
#include "check_fixture.h"
#include "command/leave.h"
#include "merge/request_record.h"
#include "seed_fixture.h"
#include "store/overlay.h"
#include "store/space.h"
#include "propagate/propagate.h"
#include "history_fixture.h"

enum { SEEDS = 3, STEPS = 30 };

SQL(q_leave_test_branch, "SELECT branch FROM change_request WHERE id = :id");
SQL(q_leave_test_seqs, "SELECT seq FROM revision WHERE branch = :branch ORDER BY seq");

/* ---- tables ---- */

static void
look_at_table(void *ctx, struct stmt *q)
{
	size_t *n = ctx;

	if (leave_table_find(col_text(q, 0)) == NULL)
		fail_msg("command/leave/leave_tables.c has no row for the table %s", col_text(q, 0));
	++*n;
}

static void
look_at_columns(struct db *db, struct arena *a, const struct leave_table *t)
{
	const char *words[] = { t->by, t->secret };
	struct leave_column *list;
	size_t n, k;

	list = leave_columns(db, a, t, &n);
	for (size_t i = 0; i < 2; i++)
		for (const char *w = words[i]; w != NULL && *w != '\0'; w += k + (w[k] == ' ')) {
			bool found = false;

			k = strcspn(w, " ");
			for (size_t c = 0; c < n; c++)
				found = found || (strlen(list[c].name) == k && strncmp(list[c].name, w, k) == 0);
			if (!found)
				fail_msg("%s has no column %.*s", t->name, (int)k, w);
		}
}

/* The condition must be one that SQLite can run. */
static void
ignore_row(void *ctx, struct stmt *q)
{
	(void)ctx;
	(void)q;
}

static void
each_table_has_its_place(void **state)
{
	struct arena *a = arena_new(1 << 26);
	char dir[TEMP_MAX];
	const char *error = NULL;
	struct db *db;
	size_t n = 0;

	(void)state;
	temp_dir(dir);
	db = db_open(a, arena_printf(a, "%s/octavo.db", dir), DB_CREATE, NULL, &error);
	assert_non_null(db);
	assert_true(db_each(db, a, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
	    "AND name NOT LIKE 'search_index_%'", look_at_table, &n, &error));
	assert_int_equal(n, leave_table_count);
	for (size_t i = 0; i < leave_table_count; i++) {
		const struct leave_table *t = &leave_tables[i];

		look_at_columns(db, a, t);
		if (!db_each(db, a, arena_printf(a, "SELECT 1 FROM \"%s\" WHERE %s", t->name, leave_where(db, a, t, "x")),
		    ignore_row, NULL, &error))
			fail_msg("%s: %s", t->name, error);
	}
	db_close(db);
	arena_free(a);
}

/* ---- sealed lines ---- */

/* less: bytes that are cut off the end; at: the place of a byte that is changed, 0: none. */
static FILE *
sealed_file(struct arena *a, const char *passphrase, long less, long at)
{
	FILE *f = tmpfile();
	int fd;
	struct sealed *s = sealed_write(a, f, str_of(passphrase));

	assert_non_null(s);
	assert_true(sealed_put(s, STR("one")) && sealed_put(s, STR("two")) && sealed_end(s));
	if (at > 0) {
		fseek(f, at, SEEK_SET);
		fputc('#', f);
	}
	assert_int_equal(fflush(f), 0);
	fseek(f, 0, SEEK_END);
	assert_int_equal(ftruncate(fileno(f), ftell(f) - less), 0);
	fd = dup(fileno(f));
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	return fdopen(fd, "r");
}

static int
read_sealed(struct arena *a, FILE *f, const char *passphrase)
{
	struct sealed *s = sealed_read(a, f, str_of(passphrase));
	struct str line;
	int n = 0, rc;

	while (s != NULL && (rc = sealed_next(s, &line)) > 0)
		n++;
	fclose(f);
	return s == NULL || rc < 0 ? -1 : n;
}

static void
sealed_lines_open_with_their_passphrase_only_and_whole(void **state)
{
	static const char right[] = "a long passphrase";
	struct arena *a = arena_new((size_t)8 << 30);

	(void)state;
	assert_int_equal(read_sealed(a, sealed_file(a, right, 0, 0), right), 2);
	assert_int_equal(read_sealed(a, sealed_file(a, right, 0, 0), "another passphrase"), -1);
	/* Without the last line, and with another byte in the salt, in a size, in a line. */
	assert_int_equal(read_sealed(a, sealed_file(a, right, 21, 0), right), -1);
	assert_int_equal(read_sealed(a, sealed_file(a, right, 0, 20), right), -1);
	assert_int_equal(read_sealed(a, sealed_file(a, right, 0, 57), right), -1);
	assert_int_equal(read_sealed(a, sealed_file(a, right, 0, 90), right), -1);
	arena_free(a);
}

/* ---- files that the API made ---- */

static void
make_old(struct arena *a, const char *dir, const char *name, int days)
{
	const char *path = arena_printf(a, "%s/exports/%s", dir, name);
	struct timespec at[2] = { { .tv_sec = time_now() / 1000 - (time_t)days * 86400 }, { 0 } };
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fclose(f);
	at[1] = at[0];
	assert_int_equal(utimensat(AT_FDCWD, path, at, 0), 0);
}

static bool
is_there(struct arena *a, const char *dir, const char *name)
{
	return access(arena_printf(a, "%s/exports/%s", dir, name), F_OK) == 0;
}

static void
files_are_deleted_when_they_are_kept_no_longer(void **state)
{
	struct arena *a = arena_new(1 << 26);
	char dir[TEMP_MAX];
	const char *error = NULL;
	struct settings set = { .dir = dir };
	struct db *db;

	(void)state;
	temp_dir(dir);
	db = db_open(a, arena_printf(a, "%s/octavo.db", dir), DB_CREATE, NULL, &error);
	assert_non_null(db);
	assert_true(db_script(db, a, "INSERT INTO job (id, kind, run_at, created_at, state) VALUES ('runs', 'leave', 0, 0, 'running')", &error));
	mkdir(arena_printf(a, "%s/exports", dir), 0700);
	make_old(a, dir, "new.tar", 1);
	make_old(a, dir, "old.tar", 3);
	make_old(a, dir, "old.tar.new", 0);
	make_old(a, dir, "runs.tar.new", 0);
	mkdir(arena_printf(a, "%s/exports/killed.folder", dir), 0700);
	make_old(a, dir, "killed.folder/x", 0);
	mkdir(arena_printf(a, "%s/exports/runs.folder", dir), 0700);
	org_export_sweep(db, a, &set);
	assert_true(is_there(a, dir, "new.tar") && is_there(a, dir, "runs.tar.new") && is_there(a, dir, "runs.folder"));
	assert_false(is_there(a, dir, "old.tar") || is_there(a, dir, "old.tar.new") || is_there(a, dir, "killed.folder"));
	db_close(db);
	arena_free(a);
}

/* ---- random histories ---- */

static void
open_request(struct world *w, int i)
{
	struct stmt *q = db_use(w->db, &q_leave_test_branch);
	char *id = request_make(w->db, w->arena, w->space, w->main, w->user, "Random");

	q = db_use(w->db, &q_leave_test_branch);
	bind_text(q, ":id", id);
	w->request[i] = stmt_int(q, 0);
	assert_true(w->request[i] > 0);
}

static void
world_open(struct world *w, unsigned seed)
{
	struct space_new s = { .title = "S" };
	struct org_new o = { .title = "Org" };
	const char *error;

	memset(w, 0, sizeof(*w));
	w->rng = seed * 2654435761u + 1;
	w->arena = arena_new((size_t)2 << 30);
	json_arena(w->arena);
	temp_dir(w->dir);
	assert_null(secret_create(w->arena, arena_printf(w->arena, "%s", w->dir)));
	w->db = db_open(w->arena, arena_printf(w->arena, "%s/octavo.db", w->dir), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	w->user = user_make(w->db, w->arena, "a@example.com", "A");
	s.org = org_make(w->db, w->arena, &o);
	member_set(w->db, s.org, w->user, 6);
	w->space = space_make(w->db, w->arena, &s, &w->main);
	for (int i = 0; i < 4; i++)
		edit(w, w->main);
	for (int i = 0; i < REQUESTS; i++)
		open_request(w, i);
}

static void
step(struct world *w)
{
	int i = (int)roll(w, REQUESTS);
	struct point request = head(w, w->request[i]);
	struct merge_outcome out;

	switch (roll(w, 6)) {
	case 0:
	case 1: edit(w, w->main); break;
	case 2: request_update(w->db, w->arena, &request, w->user, &out); break;
	case 3:
		request_merge(w->db, w->arena, &request, w->user, NULL, &out);
		if (out.clashes == NULL)
			open_request(w, i);
		break;
	default: edit(w, w->request[i]);
	}
}

struct file {
	const char *path, *text;
};

static int
by_path(const void *x, const void *y)
{
	return strcmp(((const struct file *)x)->path, ((const struct file *)y)->path);
}

/* The files of a revision as the model has them, in the order of their paths. */
static void
expect_files(struct world *w, struct buf *out, const char *ref, const struct point *p)
{
	size_t n;
	struct node *list = node_list(w->db, w->arena, p, NODE_DOCUMENT, &n);
	struct file *files = arena_array(w->arena, n + 1, sizeof(*files));
	struct str body;

	for (size_t i = 0; i < n; i++) {
		assert_true(blob_get(w->db, w->arena, list[i].body, &body));
		files[i].path = arena_printf(w->arena, "%s.md", page_path(w->db, w->arena, p, &list[i]));
		files[i].text = arena_printf(w->arena, "# %s\n\n%.*s", list[i].title, (int)body.n, body.p);
	}
	qsort(files, n, sizeof(*files), by_path);
	for (size_t i = 0; i < n; i++)
		buf_printf(out, "== %s %s\n%s\n", ref, files[i].path, files[i].text);
}

/* main's revisions, oldest first, then the newest one of each request that is open. */
static char *
expected(struct world *w)
{
	struct stmt *q = db_use(w->db, &q_leave_test_seqs);
	struct buf out;
	int n = 0;

	buf_init(&out, w->arena, 64 << 20);
	bind_int(q, ":branch", w->main);
	while (stmt_step(q)) {
		struct point p = { .space = w->space, .revision = "", .branch = w->main, .seq = col_int(q, 0) };

		expect_files(w, &out, arena_printf(w->arena, "%d", n++), &p);
	}
	return out.p;
}

/* The output of a shell command. */
static char *
shell(struct world *w, const char *command)
{
	FILE *f = popen(command, "r");
	struct buf out;
	char piece[4096];
	size_t n;

	assert_non_null(f);
	buf_init(&out, w->arena, 64 << 20);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&out, piece, n);
	assert_int_equal(pclose(f), 0);
	return out.n == 0 ? "" : out.p;
}

/* Every commit of main as the repository has it. */
static char *
found(struct world *w, const char *export)
{
	return shell(w, arena_printf(w->arena, "cd %s/spaces/*.git && n=0 && for h in $(git rev-list --reverse --first-parent main); do "
	    "git ls-tree -r --format=\"%%(objectname) $n %%(path)\" $h; n=$((n + 1)); done | grep -v ' SUMMARY.md$' | "
	    "git cat-file --batch='== %%(rest)'", export));
}

/* The files of each request's newest revision. */
static void
requests_have_their_files(struct world *w, const char *export)
{
	for (int i = 0; i < REQUESTS; i++) {
		struct point p = head(w, w->request[i]);
		struct buf out;
		const char *number = shell(w, arena_printf(w->arena, "cd %s/records && gojq -r 'select(.branch == %d).number' change_request.jsonl",
		    export, (int)w->request[i]));

		buf_init(&out, w->arena, 16 << 20);
		expect_files(w, &out, "x", &p);
		assert_string_equal(shell(w, arena_printf(w->arena, "cd %s/spaces/*.git && git ls-tree -r --format='%%(objectname) x %%(path)' "
		    "change-requests/%d | grep -v ' SUMMARY.md$' | git cat-file --batch='== %%(rest)'", export, (int)strtol(number, NULL, 10))), out.n == 0 ? "" : out.p);
	}
}

static void
run_command(struct world *w, const struct cli_command *command, const char *dir, const char *operand)
{
	char *argv[] = { (char *)operand, NULL };
	struct cli c = { .arena = w->arena, .dir = dir, .command = command, .argc = 1, .argv = argv };

	assert_int_equal(command->run(&c), CLI_OK);
}

static void
random_histories_come_out_and_in_again(void **state)
{
	uint64_t seed, first, end = seeds(SEEDS, &first);
	struct world w;

	(void)state;
	for (seed = first; seed < end; seed++) {
		const char *one, *two, *copy;

		world_open(&w, (unsigned)seed);
		for (int k = 0; k < STEPS; k++)
			step(&w);
		db_commit(w.db);
		one = arena_printf(w.arena, "%s/one", w.dir);
		two = arena_printf(w.arena, "%s/two.tar", w.dir);
		copy = arena_printf(w.arena, "%s/copy", w.dir);
		run_command(&w, &commands_leave[0], w.dir, one);
		db_begin(w.db, false);
		assert_true(strlen(expected(&w)) > 1000);
		assert_string_equal(found(&w, one), expected(&w));
		requests_have_their_files(&w, one);
		db_rollback(w.db);
		run_command(&w, &commands_leave[0], w.dir, two);
		run_command(&w, &commands_content[0], copy, two);
		assert_int_equal(check_dir(w.arena, copy, true), CLI_OK);
		run_command(&w, &commands_leave[0], copy, arena_printf(w.arena, "%s/three", w.dir));
		assert_string_equal(shell(&w, arena_printf(w.arena, "cd %s && diff -r one/spaces three/spaces; diff -r one/objects three/objects; "
		    "diff -rq -x job.jsonl one/records three/records; true", w.dir)), "");
		db_close(w.db);
		shell(&w, arena_printf(w.arena, "rm -rf %s", w.dir));
		arena_free(w.arena);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_table_has_its_place),
		cmocka_unit_test(sealed_lines_open_with_their_passphrase_only_and_whole),
		cmocka_unit_test(files_are_deleted_when_they_are_kept_no_longer),
		cmocka_unit_test(random_histories_come_out_and_in_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
