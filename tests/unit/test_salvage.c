/*
 * Salvaging rows from damaged files (db/salvage.h): all rows of an intact file, all except those on
 * damaged pages otherwise, and for any bytes a new file that passes SQLite's integrity check.
 */
#include <fcntl.h>
#include <unistd.h>

#include "db_fixture.h"
#include "db/salvage.h"

enum { PAGE = 4096, ROWS = 600, FLIPS = 16 };

struct salvaging {
	struct fixture *f;
	char           *old, *from, *to;
	int64_t         pages;
};

/* Some hundred rows with long and short values, in a table with rowids and in one without. */
static void
fill(struct fixture *f)
{
	const char *error = NULL;

	assert_true(db_script(f->db, f->arena, arena_printf(f->arena,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO blob_data (no, size, data) SELECT i, 1 + i * 13 %% 3000, randomblob(1 + i * 13 %% 3000) FROM n;"
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO node (branch, id, since, kind, title, props, at, made) SELECT %d, 'id' || i, 1, 'document', "
	    "printf('%%.*c', i %% 700 + 1, 'x'), '{}', i * 1000000, -i FROM n;", ROWS, ROWS, (int)f->branch), &error));
	assert_true(db_truncate_wal(f->db, f->arena, &error));
}

static int
setup(void **state)
{
	struct salvaging *s = calloc(1, sizeof(*s));
	void *f = NULL;

	assert_int_equal(db_setup(&f), 0);
	s->f = f;
	fill(s->f);
	s->old = arena_printf(s->f->arena, "%s/octavo.db", s->f->dir);
	s->from = arena_printf(s->f->arena, "%s/damaged.db", s->f->dir);
	s->to = arena_printf(s->f->arena, "%s/new.db", s->f->dir);
	*state = s;
	return 0;
}

static int
teardown(void **state)
{
	struct salvaging *s = *state;
	void *f = s->f;

	db_teardown(&f);
	free(s);
	return 0;
}

/* Makes a new copy of the intact file to damage; returns its descriptor. */
static int
fresh(struct salvaging *s)
{
	int in = open(s->old, O_RDONLY), out = open(s->from, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char piece[PAGE];
	ssize_t n;

	assert_true(in >= 0 && out >= 0);
	s->pages = 0;
	while ((n = read(in, piece, sizeof(piece))) > 0) {
		assert_int_equal(write(out, piece, (size_t)n), n);
		s->pages++;
	}
	close(in);
	unlink(s->to);
	return out;
}

static void
take_int(void *ctx, struct stmt *q)
{
	*(int64_t *)ctx = col_int(q, 0);
}

static int64_t
ask(struct salvaging *s, struct db *db, const char *text)
{
	const char *error = NULL;
	int64_t n = -1;

	assert_true(db_each(db, s->f->arena, text, take_int, &n, &error));
	return n;
}

/* The new file, which must be intact; NULL: nothing could be read. */
static struct db *
salvage(struct salvaging *s, struct salvage *out)
{
	static const char *const derived[] = { "search_page", NULL };
	struct salvage_options o = { .derived = derived };
	const char *error = NULL;
	struct db *db;

	if (!db_salvage(s->f->arena, s->from, s->to, &o, out, &error)) {
		assert_non_null(error);
		return NULL;
	}
	db = db_open(s->f->arena, s->to, DB_READ_WRITE, NULL, &error);
	assert_non_null(db);
	assert_int_equal(ask(s, db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
	assert_int_equal(ask(s, db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	return db;
}

static struct salvage_table *
table(struct salvage *out, const char *name)
{
	for (size_t i = 0; i < out->count; i++)
		if (strcmp(out->tables[i].name, name) == 0)
			return &out->tables[i];
	fail_msg("no table %s", name);
	return NULL;
}

static void
all_rows_of_a_whole_file(void **state)
{
	struct salvaging *s = *state;
	struct salvage out;
	const char *error = NULL;
	struct db *db;

	close(fresh(s));
	db = salvage(s, &out);
	assert_non_null(db);
	assert_int_equal(out.strays, 0);
	assert_false(out.guessed);
	assert_int_equal(out.version, db_latest());
	assert_int_equal(table(&out, "node")->rows, ROWS);
	assert_true(db_script(db, s->f->arena, arena_printf(s->f->arena, "ATTACH '%s' AS old", s->old), &error));
	for (size_t i = 0; i < out.count; i++) {
		assert_int_equal(out.tables[i].damaged + out.tables[i].refused + out.tables[i].dropped, 0);
		assert_int_equal(ask(s, db, arena_printf(s->f->arena, "SELECT (SELECT count(*) FROM (SELECT * FROM old.\"%s\" EXCEPT "
		    "SELECT * FROM main.\"%s\")) + abs((SELECT count(*) FROM old.\"%s\") - (SELECT count(*) FROM main.\"%s\"))",
		    out.tables[i].name, out.tables[i].name, out.tables[i].name, out.tables[i].name)), 0);
	}
	db_close(db);
}

/* Damages the page with the list of tables, then the roots of two tables: the leaf pages below are still found. */
static void
leaves_are_found_without_the_tree(void **state)
{
	struct salvaging *s = *state;
	static const char *const names[] = { "node", "blob_data" };
	char zeros[PAGE] = "";
	struct salvage out;
	struct db *db;
	int fd = fresh(s);

	assert_int_equal(pwrite(fd, zeros, PAGE, 0), PAGE);
	close(fd);
	db = salvage(s, &out);
	assert_non_null(db);
	assert_true(out.guessed);
	assert_int_equal(table(&out, "node")->rows, ROWS);
	assert_int_equal(table(&out, "blob_data")->rows, ROWS);
	db_close(db);
	for (size_t i = 0; i < 2; i++) {
		int64_t root = ask(s, s->f->db, arena_printf(s->f->arena, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'",
		    names[i]));

		fd = fresh(s);
		assert_int_equal(pwrite(fd, zeros, PAGE, (root - 1) * PAGE), PAGE);
		close(fd);
		db = salvage(s, &out);
		assert_non_null(db);
		assert_true(table(&out, names[i])->damaged > 0);
		/* The root of a table without rowids contains rows. */
		assert_in_range(table(&out, names[i])->rows, ROWS * 9 / 10, ROWS);
		assert_int_equal(table(&out, names[1 - i])->rows, ROWS);
		db_close(db);
	}
}

/* A damaged leaf page costs its rows only. */
static void
a_damaged_leaf_costs_its_rows(void **state)
{
	struct salvaging *s = *state;
	char zeros[PAGE] = "";
	struct salvage out;
	struct db *db;
	int64_t page = ask(s, s->f->db, "SELECT pageno FROM dbstat WHERE name = 'node' AND pagetype = 'leaf' LIMIT 1 OFFSET 5");
	int64_t cells = ask(s, s->f->db, arena_printf(s->f->arena, "SELECT ncell FROM dbstat WHERE pageno = %d", (int)page));
	int fd = fresh(s);

	assert_true(page > 1 && cells > 0);
	assert_int_equal(pwrite(fd, zeros, PAGE, (page - 1) * PAGE), PAGE);
	close(fd);
	db = salvage(s, &out);
	assert_non_null(db);
	assert_int_equal(table(&out, "node")->rows, ROWS - cells);
	assert_int_equal(table(&out, "node")->damaged, 1);
	db_close(db);
}

/* References to lost rows are removed. */
static void
references_to_lost_rows_are_removed(void **state)
{
	struct salvaging *s = *state;
	char zeros[PAGE] = "";
	struct salvage out;
	struct db *db;
	int64_t root = ask(s, s->f->db, "SELECT rootpage FROM sqlite_schema WHERE name = 'account'");
	int fd = fresh(s);

	assert_int_equal(pwrite(fd, zeros, PAGE, (root - 1) * PAGE), PAGE);
	close(fd);
	db = salvage(s, &out);
	assert_non_null(db);
	assert_int_equal(table(&out, "account")->rows, 0);
	assert_true(table(&out, "token")->dropped > 0);
	assert_int_equal(table(&out, "space")->rows, 1);
	db_close(db);
}

static void
any_bytes_are_salvaged(void **state)
{
	struct salvaging *s = *state;
	unsigned seed = 7;
	struct salvage out;

	for (int i = 0; i < FLIPS; i++) {
		int fd = fresh(s);

		for (int n = 0; n <= i; n++) {
			unsigned char byte = (unsigned char)rand_r(&seed);
			/* Some of them in the page header. */
			int64_t page = rand_r(&seed) % s->pages, at = page * PAGE + rand_r(&seed) % (n % 3 == 0 ? 12 : PAGE);

			assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		}
		if (i % 10 == 9)
			assert_int_equal(ftruncate(fd, rand_r(&seed) % (s->pages * PAGE)), 0);
		close(fd);
		db_close(salvage(s, &out));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_rows_of_a_whole_file, setup, teardown),
		cmocka_unit_test_setup_teardown(leaves_are_found_without_the_tree, setup, teardown),
		cmocka_unit_test_setup_teardown(a_damaged_leaf_costs_its_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(references_to_lost_rows_are_removed, setup, teardown),
		cmocka_unit_test_setup_teardown(any_bytes_are_salvaged, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
