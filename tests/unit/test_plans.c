/*
 * Query plans: no statement reads a whole table, or a whole branch or space to find few rows that have
 * an index, or sorts without an index, unless its text permits that with a scan comment; a scan comment
 * that is not needed is an error. Links every library whole, so that no statement is missed. The
 * database is empty: SQLite plans without statistics, as in service.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "db/db.h"

#define PERMISSION "/*scan*/"

struct look {
	struct arena *arena;
	struct db    *db;
	const char   *text;     /* of the current statement */
	const char   *found;    /* first step of its plan that needs the permission */
	bool          scans;    /* true if any step scans, even rows made by the statement */
	size_t        count, wrong;
};

/* True if the statement contains these words, not followed by a letter. */
static bool
says(const struct look *l, const char *words)
{
	const char *p = strstr(l->text, words);

	return p != NULL && strchr(" ,)", p[strlen(words)]) != NULL;
}

/*
 * True if the step reads all versions of a branch, or all places of a space, although the statement names a
 * kind of row that has an index. SQLite assumes that a branch has ten rows, so it likes to do that.
 */
static bool
reads_all(const struct look *l, const char *detail)
{
	return (strstr(detail, "PRIMARY KEY (branch=?)") != NULL && strstr(l->text, "kind = 'computed'") != NULL) ||
	    (strstr(detail, "PRIMARY KEY (space=?") != NULL && strstr(detail, "no=?") == NULL &&
	    strstr(l->text, "live = 0 AND turn IS NULL") != NULL);
}

/* True if the statement itself makes the table: a WITH table or a subquery. */
static bool
made_here(struct look *l, const char *name)
{
	const char *p = strstr(l->text, arena_printf(l->arena, " %s (", name));
	bool with = strstr(l->text, "WITH ") != NULL;

	/* "INSERT INTO node (" does not make a table. */
	return (with && p != NULL && (p < l->text + 4 || strncmp(p - 4, "INTO", 4) != 0)) ||
	    strstr(l->text, arena_printf(l->arena, " %s AS (", name)) != NULL ||
	    says(l, arena_printf(l->arena, ") AS %s", name)) ||
	    says(l, arena_printf(l->arena, ") %s", name));
}

/* The same for an alias, as in "FROM changed c": the plan names it c. */
static bool
alias_of_made(struct look *l, const char *name)
{
	const char *what = arena_printf(l->arena, " %s ", name), *p, *from;

	for (p = strstr(l->text, what); p != NULL; p = strstr(p + 1, what)) {
		for (from = p; from > l->text && from[-1] != ' '; from--)
			;
		if (made_here(l, arena_strndup(l->arena, from, (size_t)(p - from))))
			return true;
	}
	return false;
}

static void
step(void *ctx, struct stmt *q)
{
	struct look *l = ctx;
	const char *detail = col_text(q, 3);
	char name[100] = "";

	if (l->found != NULL)
		return;
	l->scans |= strncmp(detail, "SCAN ", 5) == 0;
	/* DISTINCT holds ids found by other steps, which are checked by themselves. */
	if (strncmp(detail, "USE TEMP B-TREE", 15) == 0 && strstr(detail, "DISTINCT") == NULL) {
		l->found = arena_strdup(l->arena, detail);
		return;
	}
	if (reads_all(l, detail)) {
		l->found = arena_strdup(l->arena, detail);
		return;
	}
	if (sscanf(detail, "SCAN %99s", name) != 1 || strcmp(name, "CONSTANT") == 0 ||
	    strstr(detail, "VIRTUAL TABLE INDEX") != NULL || name[0] == '(' || made_here(l, name) ||
	    alias_of_made(l, name))
		return;
	l->found = arena_strdup(l->arena, detail);
}

static void
statement(void *ctx, const struct sql *sql)
{
	struct look *l = ctx;
	const char *error = NULL;
	bool allowed = strstr(sql->text, PERMISSION) != NULL;

	l->text = sql->text;
	l->found = NULL;
	l->scans = false;
	l->count++;
	if (!db_each(l->db, l->arena, arena_printf(l->arena, "EXPLAIN QUERY PLAN %s", sql->text), step, l,
	    &error) && strncmp(sql->text, "BEGIN", 5) != 0) {
		print_error("%s: %s: %s\n", sql->file, sql->name, error);
		l->wrong++;
	} else if (l->found != NULL && !allowed) {
		print_error("%s: %s: %s\n", sql->file, sql->name, l->found);
		l->wrong++;
	} else if (l->found == NULL && !l->scans && allowed) {
		print_error("%s: %s: it says " PERMISSION " and does without\n", sql->file, sql->name);
		l->wrong++;
	}
}

static void
every_statement_uses_an_index(void **state)
{
	char path[TEMP_MAX], *file;
	struct look l = { .arena = arena_new(64 << 20) };
	const char *error;

	(void)state;
	temp_dir(path);
	file = arena_printf(l.arena, "%s/octavo.db", path);
	l.db = db_open(l.arena, file, DB_CREATE, NULL, &error);
	assert_non_null(l.db);
	db_statements(statement, &l);
	db_close(l.db);
	unlink(file);
	unlink(arena_printf(l.arena, "%s-wal", file));
	unlink(arena_printf(l.arena, "%s-shm", file));
	rmdir(path);
	assert_true(l.count > 100);
	assert_int_equal(l.wrong, 0);
	arena_free(l.arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_statement_uses_an_index) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
