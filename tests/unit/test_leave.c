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
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../command/leave/leave_parts.h"
#include "app/org_export.h"
#include "base/file.h"
#include "base/secret.h"
#include "base/sealed.h"
#include "check_fixture.h"
#include "command/leave.h"
#include "merge/request_record.h"
#include "seed_fixture.h"
#include "store/overlay.h"
#include "store/space.h"
#include "propagate/propagate.h"
#include "leave_fixture.h"

enum { SEEDS = 3, STEPS = 30 };

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

static void
count_row(void *ctx, struct stmt *q)
{
	size_t *n = ctx;

	(void)q;
	++*n;
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

/* Columns whose name sounds like a secret, but that anybody who may read the row may know. */
static const char *const open_columns[] = { "blob.hash", "stored_file.hash", "openapi_spec.hash", "audit_event.token", "audit_event.key_id",
	"translation_page.key", "translation_memory.key", "installation.key_mark", "oidc_provider.secret_at", "org.tokens" };

static bool
sounds_secret(const char *column)
{
	static const char *const words[] = { "secret", "sealed", "password", "hash", "token", "key", "credential", "header", "hook" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(column, words[i]) != NULL)
			return true;
	return false;
}

static void
what_sounds_like_a_secret_is_one_or_is_known_to_be_none(void **state)
{
	struct arena *a = arena_new(1 << 26);
	char dir[TEMP_MAX];
	const char *error = NULL;
	struct db *db;

	(void)state;
	temp_dir(dir);
	db = db_open(a, arena_printf(a, "%s/octavo.db", dir), DB_CREATE, NULL, &error);
	assert_non_null(db);
	for (size_t i = 0; i < leave_table_count; i++) {
		size_t n;
		const struct leave_column *list = leave_columns(db, a, &leave_tables[i], &n);

		for (size_t c = 0; c < n && leave_tables[i].kind == LEAVE_ROWS; c++) {
			const char *name = arena_printf(a, "%s.%s", leave_tables[i].name, list[c].name);
			bool open = !sounds_secret(list[c].name) || list[c].secret;

			for (size_t k = 0; k < sizeof(open_columns) / sizeof(*open_columns); k++)
				open = open || strcmp(open_columns[k], name) == 0;
			if (!open)
				fail_msg("%s is exported in the clear: add it to the secrets of its table, or to open_columns", name);
		}
	}
	db_close(db);
	arena_free(a);
}

/* The key of a reference need not be named id. */
static void
rows_of_an_organization_are_found_by_the_column_that_others_refer_to(void **state)
{
	static const char *const tables[] = { "issues_cluster", "cluster_week", "cluster_source", "cluster_term", "conversation_issue", "blob" };
	struct arena *a = arena_new(1 << 26);
	char dir[TEMP_MAX];
	const char *error = NULL;
	struct db *db;

	(void)state;
	temp_dir(dir);
	db = db_open(a, arena_printf(a, "%s/octavo.db", dir), DB_CREATE, NULL, &error);
	assert_non_null(db);
	if (!db_script(db, a, "PRAGMA foreign_keys=OFF; INSERT INTO blob (hash, size) VALUES (x'aa', 1), (x'bb', 1);"
	    "INSERT INTO stored_file (id, org, kind, name, hash, size, created_by, created_at) VALUES ('f', 'x', 'organization_file', 'f', x'aa', 1, 'u', 0), "
	    "('g', 'y', 'organization_file', 'g', x'bb', 1, 'u', 0);"
	    "INSERT INTO issues_cluster (n, id, org, created_at, updated_at) VALUES (7, 'c', 'x', 0, 0), (8, 'd', 'y', 0, 0);"
	    "INSERT INTO cluster_week (cluster, week, issues) VALUES (7, 1, 1), (8, 1, 1);"
	    "INSERT INTO cluster_source (cluster, source, issues) VALUES (7, 'email', 1), (8, 'email', 1);"
	    "INSERT INTO cluster_term (org, term, rank, cluster) VALUES ('x', 1, 1, 7), ('y', 1, 1, 8);"
	    "INSERT INTO conversation_issue (n, id, org, conversation, title, summary, clear, created_at, ingested_at, reviewed, mix, terms) "
	    "VALUES (1, 'i', 'x', 1, '', '', 0, 0, 0, 0, 0, x''), (2, 'k', 'y', 1, '', '', 0, 0, 0, 0, 0, x'')", &error))
		fail_msg("%s", error);
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		size_t n = 0;

		if (!db_each(db, a, arena_printf(a, "SELECT 1 FROM \"%s\" WHERE %s", tables[i], leave_where(db, a, leave_table_find(tables[i]), "x")),
		    count_row, &n, &error))
			fail_msg("%s: %s", tables[i], error);
		if (n != 1)
			fail_msg("%s: %zu rows instead of 1", tables[i], n);
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
	assert_int_equal(fflush(f), 0);
	if (at > 0) {
		unsigned char byte;

		assert_int_equal(pread(fileno(f), &byte, 1, at), 1);
		byte ^= 1;
		assert_int_equal(pwrite(fileno(f), &byte, 1, at), 1);
	}
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

/* ---- packing, and what is deleted ---- */

static bool
end_it(void *ctx, const char *name)
{
	int *calls = ctx;

	assert_string_equal(name, "packing");
	++*calls;
	return false;
}

static void
an_export_is_cancelled_while_it_is_packed(void **state)
{
	struct arena *a = arena_new(1 << 26);
	int calls = 0;
	char dir[TEMP_MAX];
	struct leave l = { .arena = a, .part = end_it, .ctx = &calls };
	const char *file, *error = NULL;
	FILE *f;

	(void)state;
	temp_dir(dir);
	l.to = arena_printf(a, "%s/export", dir);
	file = arena_printf(a, "%s/export.tar", dir);
	assert_int_equal(mkdir(l.to, 0700), 0);
	assert_non_null(f = leave_open(&l, "octavo-export.json"));
	fputs("{}", f);
	assert_true(leave_close(&l, f, "octavo-export.json"));
	assert_false(leave_pack(&l, file, &error));
	assert_string_equal(error, "cancelled");
	assert_int_equal(calls, 1);
	assert_int_not_equal(access(file, F_OK), 0);
	/* Told of none, it is packed; and never into what somebody put in its place. */
	l.part = NULL;
	l.error = NULL;
	assert_int_equal(symlink("elsewhere", file), 0);
	assert_false(leave_pack(&l, file, &error));
	assert_int_equal(unlink(file), 0);
	assert_true(leave_pack(&l, file, &error));
	assert_int_equal(access(file, F_OK), 0);
	assert_true(folder_remove(dir));
	arena_free(a);
}

static void
shell_in(const char *dir, const char *command)
{
	char line[TEMP_MAX + 200];

	snprintf(line, sizeof(line), "cd %s && %s", dir, command);
	assert_int_equal(system(line), 0);
}

static void
folders_are_deleted_with_all_that_is_in_them_and_nothing_else(void **state)
{
	struct arena *a = arena_new(1 << 26);
	char dir[TEMP_MAX];
	const char *in, *out;

	(void)state;
	temp_dir(dir);
	in = arena_printf(a, "%s/in", dir);
	out = arena_printf(a, "%s/out", dir);
	shell_in(dir, "mkdir -p in/a/b/c out");
	/* More entries than one pass lists. */
	for (int i = 0; i < 1000; i++)
		assert_int_equal(symlink("../../out", arena_printf(a, "%s/a/link-%d-with-a-long-name-so-that-the-list-is-long", in, i)), 0);
	assert_int_equal(symlink(out, arena_printf(a, "%s/a/b/out", in)), 0);
	assert_int_equal(symlink("x", arena_printf(a, "%s/kept", in)), 0);
	assert_int_equal(symlink("x", arena_printf(a, "%s/mine", out)), 0);
	assert_true(folder_empty(in, "kept"));
	assert_int_equal(rmdir(in), -1);
	assert_int_equal(faccessat(AT_FDCWD, arena_printf(a, "%s/kept", in), F_OK, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_not_equal(access(arena_printf(a, "%s/a", in), F_OK), 0);
	assert_true(folder_remove(in));
	assert_int_not_equal(access(in, F_OK), 0);
	assert_int_equal(symlink("out", in), 0);
	assert_true(folder_remove(in));
	assert_int_equal(faccessat(AT_FDCWD, arena_printf(a, "%s/mine", out), F_OK, AT_SYMLINK_NOFOLLOW), 0);
	assert_false(folder_remove(in));
	assert_false(folder_empty(in, NULL));
	assert_true(folder_remove(dir));
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
	make_old(a, dir, "old.tar.gone", 0);
	make_old(a, dir, "runs.tar.new", 0);
	mkdir(arena_printf(a, "%s/exports/killed.folder", dir), 0700);
	make_old(a, dir, "killed.folder/x", 0);
	mkdir(arena_printf(a, "%s/exports/runs.folder", dir), 0700);
	org_export_sweep(db, a, &set);
	assert_true(is_there(a, dir, "new.tar") && is_there(a, dir, "runs.tar.new") && is_there(a, dir, "runs.folder"));
	/* A newer one takes the place of those before. */
	assert_true(db_script(db, a, "PRAGMA foreign_keys=OFF; INSERT INTO job (id, kind, org, run_at, created_at, state) VALUES "
	    "('new', 'leave', 'o', 0, 0, 'done'), ('newer', 'leave', 'o', 0, 0, 'done'), ('other', 'leave', 'p', 0, 0, 'done')", &error));
	make_old(a, dir, "newer.tar", 0);
	make_old(a, dir, "other.tar", 0);
	org_export_drop(db, a, &set, "o", "newer");
	assert_false(is_there(a, dir, "new.tar"));
	assert_true(is_there(a, dir, "newer.tar") && is_there(a, dir, "other.tar"));
	assert_false(is_there(a, dir, "old.tar") || is_there(a, dir, "old.tar.new") || is_there(a, dir, "old.tar.gone") || is_there(a, dir, "killed.folder"));
	db_close(db);
	arena_free(a);
}

/* ---- random histories ---- */

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

static size_t
exported_tables(void)
{
	size_t n = 0;

	for (size_t i = 0; i < leave_table_count; i++)
		n += leave_tables[i].kind == LEAVE_ROWS;
	return n;
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
		assert_string_equal(shell(&w, arena_printf(w.arena, "cd %s && mkdir two && tar -xf two.tar -C two && ls two/records | grep -c jsonl; "
		    "[ $(ls two/objects | grep -c jsonl) -gt 10 ] || ls two/objects; "
		    "for n in org account space branch revision node blob change_request; do [ -s two/records/$n.jsonl ] || echo $n; done; "
		    "git -C two/spaces/*.git fsck --full --strict --no-dangling 2>&1 | grep -v ^notice; "
		    "for x in two three; do diff -r one/spaces $x/spaces; diff -r one/objects $x/objects; diff -r one/README.md $x/README.md; "
		    "diff -rq -x job.jsonl one/records $x/records; diff -r one/files $x/files; done 2>&1; true", w.dir)),
		    arena_printf(w.arena, "%zu\n", exported_tables()));
		db_close(w.db);
		shell(&w, arena_printf(w.arena, "rm -rf %s", w.dir));
		arena_free(w.arena);
	}
}

/* The lines of a stream with this beginning, from the first one of the ref on. */
static int
count_lines(FILE *f, const char *ref, const char *begin)
{
	char line[4096];
	bool there = false;
	int n = 0;

	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		there = there || strstr(line, ref) != NULL;
		n += there && strncmp(line, begin, strlen(begin)) == 0;
	}
	return n;
}

/* Merged requests are many. */
static void
a_request_costs_what_it_changes(void **state)
{
	enum { PAGES_MADE = 60 };
	FILE *f = tmpfile();
	struct world w;
	struct point before, now;
	struct node n;
	char *id;

	(void)state;
	world_open(&w, 1);
	before = head(&w, w.main);
	revision_add(w.db, w.arena, w.main, &(struct revision_info){ .kind = "edits", .author = w.user }, &id);
	now = head(&w, w.main);
	for (int i = 0; i < PAGES_MADE; i++)
		insert(&w, &before, &now, NULL);
	propagate_revision(w.db, w.arena, w.space, w.main, now.seq);
	for (int i = 0; i < REQUESTS; i++) {
		open_request(&w, i);
		before = head(&w, w.request[i]);
		revision_add(w.db, w.arena, w.request[i], &(struct revision_info){ .kind = "edits", .author = w.user, .base_seq = before.base_seq }, &id);
		now = head(&w, w.request[i]);
		assert_true(any_page(&w, &before, &n));
		set_body(&w, &n);
		put(&w, &before, now.seq, &n);
	}
	db_commit(w.db);
	assert_non_null(f);
	assert_true(leave_history(w.db, w.arena, w.dir, w.space, f) > 0);
	assert_true(count_lines(f, "refs/heads/main", "M 100644 inline") > 12);
	/* Each has its page and its table of contents. */
	assert_int_equal(count_lines(f, "refs/heads/change-requests/", "M 100644 inline"), 2 * REQUESTS);
	fclose(f);
	db_close(w.db);
	assert_true(folder_remove(w.dir));
	arena_free(w.arena);
}

static void
an_answer_that_fails_ends_the_export(void **state)
{
	struct world w;
	struct cli c = { 0 };
	struct leave l = { .cli = &c };

	(void)state;
	world_open(&w, 1);
	db_commit(w.db);
	c.arena = l.arena = w.arena;
	c.dir = l.data = l.work = w.dir;
	l.db = w.db;
	l.to = arena_printf(w.arena, "%s/out", w.dir);
	assert_int_equal(mkdir(l.to, 0700), 0);
	db_fault(w.db, 60, DB_DAMAGED);
	assert_false(leave_objects(&l));
	assert_non_null(l.error);
	if (strstr(l.error, "GET /v1/") == NULL || strstr(l.error, "answers with status 503") == NULL)
		fail_msg("%s", l.error);
	assert_true(l.objects > 0);
	db_fault(w.db, 0, DB_ERROR);
	db_close(w.db);
	assert_true(folder_remove(w.dir));
	arena_free(w.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_table_has_its_place),
		cmocka_unit_test(what_sounds_like_a_secret_is_one_or_is_known_to_be_none),
		cmocka_unit_test(rows_of_an_organization_are_found_by_the_column_that_others_refer_to),
		cmocka_unit_test(an_export_is_cancelled_while_it_is_packed),
		cmocka_unit_test(folders_are_deleted_with_all_that_is_in_them_and_nothing_else),
		cmocka_unit_test(sealed_lines_open_with_their_passphrase_only_and_whole),
		cmocka_unit_test(files_are_deleted_when_they_are_kept_no_longer),
		cmocka_unit_test(a_request_costs_what_it_changes),
		cmocka_unit_test(an_answer_that_fails_ends_the_export),
		cmocka_unit_test(random_histories_come_out_and_in_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
