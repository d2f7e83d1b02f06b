/*
 * Approval tests: what a seeded history makes of a database is written as text, row
 * by row, and held against a file of tests/fixtures/approved that a person has read.
 * Whoever changes what merging or storing writes runs the test with OCTAVO_APPROVE=1,
 * which writes the file anew, and reads the difference before committing it.
 *
 * Rows are told once, when they begin and when they end: a line each, with
 * everything that a reader, a merge or an export can see of them.
 */
#ifndef APPROVED_FIXTURE_H
#define APPROVED_FIXTURE_H

#include "db_fixture.h"

#include "base/buf.h"
#include "store/content.h"

enum { BRANCHES_MAX = 64 };

/* Text so far, and up to which revision of each branch its rows were told. */
struct approved {
	struct fixture *f;
	struct arena   *arena;      /* outlives the history's */
	struct buf      out;
	int64_t         told[BRANCHES_MAX];
};

SQL(q_approved_rows,
    "SELECT id, since, until, origin, kind, parent, ord, slug, path, title, props, git_path, git_oid, front, "
    "body, refs, at, made FROM node WHERE branch = :b AND (since > :told OR (until > :told AND until < 9007199254740991)) "
    "ORDER BY id, since /*scan*/");
SQL(q_approved_branches,
    "SELECT id, kind, head, staged, base FROM branch WHERE space = :space ORDER BY id /*scan*/");
SQL(q_approved_revisions,
    "SELECT seq, kind, base_seq, merged IS NOT NULL, author IS NOT NULL, git FROM revision "
    "WHERE branch = :b AND seq > :told ORDER BY seq /*scan*/");

static inline void
approved_begin(struct approved *r, struct arena *a)
{
	*r = (struct approved){ .arena = a };
	buf_init(&r->out, a, 4 << 20);
}

/* Another space: branches are numbered from where it begins. */
static inline void
approved_space(struct approved *r, struct fixture *f)
{
	r->f = f;
	memset(r->told, 0xff, sizeof(r->told));
}

/* A value on one line; NULL and "" are told apart from text. */
static inline void
approved_text(struct approved *r, const char *name, struct str s)
{
	size_t i;

	if (s.n == 0)
		return;
	buf_printf(&r->out, " %s=", name);
	for (i = 0; i < s.n; i++)
		if (s.p[i] == '\n')
			buf_str(&r->out, "|");
		else
			buf_char(&r->out, s.p[i]);
}

static inline void
approved_blob(struct approved *r, const char *name, struct str hash)
{
	struct str bytes;

	if (hash.n == 0)
		return;
	assert_true(blob_get(r->f->db, r->f->arena, hash, &bytes));
	approved_text(r, name, bytes);
}

/* Times of the test are small numbers; all others are the clock's. */
static inline void
approved_time(struct approved *r, const char *name, int64_t ms)
{
	if (ms != 1)
		buf_printf(&r->out, ms < 1000000 ? " %s=%d" : " %s=now", name, (int)ms);
}

static inline void
approved_row(struct approved *r, struct stmt *q, int64_t told)
{
	static const char *const names[] = { "parent", "ord", "slug", "path", "title", "props", "git", "oid", "front" };
	bool begins = col_int(q, 1) > told, ends = col_int(q, 2) < FOREVER;
	size_t i;

	if (!begins) {
		buf_printf(&r->out, "    -%s since %d until %d\n", col_text(q, 0), (int)col_int(q, 1), (int)col_int(q, 2));
		return;
	}
	buf_printf(&r->out, "    +%s since %d", col_text(q, 0), (int)col_int(q, 1));
	if (ends)
		buf_printf(&r->out, " until %d", (int)col_int(q, 2));
	if (!col_null(q, 3))
		buf_printf(&r->out, " from %d", (int)col_int(q, 3));
	buf_printf(&r->out, " %s", col_text(q, 4));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		approved_text(r, names[i], col_bytes(q, 5 + (int)i));
	approved_blob(r, "body", col_bytes(q, 14));
	approved_blob(r, "refs", col_bytes(q, 15));
	approved_time(r, "at", col_int(q, 16));
	approved_time(r, "made", col_int(q, 17));
	buf_str(&r->out, "\n");
}

static inline void
approved_revisions(struct approved *r, int64_t branch, int64_t told)
{
	struct stmt *q = db_use(r->f->db, &q_approved_revisions);

	bind_int(q, ":b", branch);
	bind_int(q, ":told", told);
	while (stmt_step(q)) {
		buf_printf(&r->out, "    %d: %s", (int)col_int(q, 0), col_text(q, 1));
		if (!col_null(q, 2))
			buf_printf(&r->out, " over %d", (int)col_int(q, 2));
		buf_printf(&r->out, "%s%s", col_int(q, 3) ? " merged" : "", col_int(q, 4) ? "" : " by nobody");
		approved_text(r, "git", col_bytes(q, 5));
		buf_str(&r->out, "\n");
	}
}

/* All that the space's branches got since this was called last. */
static inline void
approved_rows(struct approved *r)
{
	struct { int64_t id, head; const char *kind; } list[BRANCHES_MAX];
	struct stmt *q = db_use(r->f->db, &q_approved_branches);
	size_t n = 0, i;

	bind_text(q, ":space", r->f->space);
	for (; stmt_step(q); n++) {
		assert_true(n < BRANCHES_MAX);
		list[n].id = col_int(q, 0);
		list[n].head = col_int(q, 2);
		list[n].kind = col_dup(q, 1, r->f->arena);
	}
	for (i = 0; i < n; i++) {
		if (list[i].head <= r->told[i])
			continue;
		buf_printf(&r->out, "  %s %zu\n", list[i].kind, i);
		approved_revisions(r, list[i].id, r->told[i]);
		q = db_use(r->f->db, &q_approved_rows);
		bind_int(q, ":b", list[i].id);
		bind_int(q, ":told", r->told[i]);
		while (stmt_step(q))
			approved_row(r, q, r->told[i]);
		r->told[i] = list[i].head;
	}
}

static inline char *
approved_file(struct approved *r, const char *path)
{
	FILE *file = fopen(path, "rb");
	char part[4096];
	struct buf b;
	size_t n;

	buf_init(&b, r->arena, 4 << 20);
	while (file != NULL && (n = fread(part, 1, sizeof(part), file)) > 0)
		buf_add(&b, part, n);
	if (file != NULL)
		fclose(file);
	buf_char(&b, '\0');
	return b.p;
}

/* Names the first line that differs; with OCTAVO_APPROVE the file is written instead. */
static inline void
approved_end(struct approved *r, const char *name)
{
	char *path = arena_printf(r->arena, "tests/fixtures/approved/%s", name), *want, *line = r->out.p;
	FILE *file;
	size_t i, number = 1;

	if (getenv("OCTAVO_APPROVE") != NULL) {
		assert_non_null(file = fopen(path, "wb"));
		assert_int_equal(fwrite(r->out.p, 1, r->out.n, file), r->out.n);
		assert_int_equal(fclose(file), 0);
		return;
	}
	want = approved_file(r, path);
	for (i = 0; i < r->out.n && r->out.p[i] == want[i]; i++)
		if (want[i] == '\n') {
			line = r->out.p + i + 1;
			number++;
		}
	if (i < r->out.n || want[i] != '\0')
		fail_msg("%s:%zu: expected \"%.*s\", got \"%.*s\" (OCTAVO_APPROVE=1 writes it anew)", path, number,
		    (int)strcspn(want + (line - r->out.p), "\n"), want + (line - r->out.p), (int)strcspn(line, "\n"), line);
}

#endif
