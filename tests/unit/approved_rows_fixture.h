/*
 * Approval tests of a database (approved_fixture.h): each row is written on one line when it begins
 * and when it ends, with every field that a reader, a merge or an export can see.
 */
#ifndef APPROVED_ROWS_FIXTURE_H
#define APPROVED_ROWS_FIXTURE_H

#include "db_fixture.h"

#include "approved_fixture.h"
#include "store/content.h"

enum { BRANCHES_MAX = 64 };

/* Position in a space: the last revision of each branch whose rows were written. */
struct approved_space {
	struct approved *to;
	struct fixture  *f;
	int64_t          told[BRANCHES_MAX];
};

SQL(q_approved_rows,
    "SELECT id, since, until, origin, kind, parent, ord, slug, path, title, props, git_path, git_oid, front, "
    "body, refs, at, made FROM node WHERE branch = :b AND (since > :told OR (until > :told AND until < 9007199254740991)) "
    "ORDER BY id, since /*scan*/");
SQL(q_approved_branches,
    "SELECT id, kind, head FROM branch WHERE space = :space ORDER BY id /*scan*/");
SQL(q_approved_touched, "UPDATE space SET updated_at = 1 WHERE id = :space AND updated_at <> 1");
SQL(q_approved_revisions,
    "SELECT seq, kind, base_seq, merged IS NOT NULL, author IS NOT NULL, git FROM revision "
    "WHERE branch = :b AND seq > :told ORDER BY seq /*scan*/");

/* Starts with a new space, whose branches are numbered from its first one. */
static inline void
approved_space(struct approved_space *r, struct approved *to, struct fixture *f)
{
	r->to = to;
	r->f = f;
	memset(r->told, 0xff, sizeof(r->told));
}

static inline void
approved_blob(struct approved_space *r, const char *name, struct str hash)
{
	struct str bytes;

	if (hash.n == 0)
		return;
	assert_true(blob_get(r->f->db, r->f->arena, hash, &bytes));
	approved_text(r->to, name, bytes);
}

/* Writes a time as a number if the test set it (these are small), otherwise as "now". */
static inline void
approved_time(struct approved_space *r, const char *name, int64_t ms)
{
	if (ms != 1)
		buf_printf(&r->to->out, ms < 1000000 ? " %s=%d" : " %s=now", name, (int)ms);
}

static inline void
approved_row(struct approved_space *r, struct stmt *q, int64_t told)
{
	static const char *const names[] = { "parent", "ord", "slug", "path", "title", "props", "git", "oid", "front" };
	bool begins = col_int(q, 1) > told, ends = col_int(q, 2) < FOREVER;
	size_t i;

	if (!begins) {
		buf_printf(&r->to->out, "    -%s since %d until %d\n", col_text(q, 0), (int)col_int(q, 1), (int)col_int(q, 2));
		return;
	}
	buf_printf(&r->to->out, "    +%s since %d", col_text(q, 0), (int)col_int(q, 1));
	if (ends)
		buf_printf(&r->to->out, " until %d", (int)col_int(q, 2));
	if (!col_null(q, 3))
		buf_printf(&r->to->out, " from %d", (int)col_int(q, 3));
	buf_printf(&r->to->out, " %s", col_text(q, 4));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		approved_text(r->to, names[i], col_bytes(q, 5 + (int)i));
	approved_blob(r, "body", col_bytes(q, 14));
	approved_blob(r, "refs", col_bytes(q, 15));
	approved_time(r, "at", col_int(q, 16));
	approved_time(r, "made", col_int(q, 17));
	buf_str(&r->to->out, "\n");
}

static inline void
approved_revisions(struct approved_space *r, int64_t branch, int64_t told)
{
	struct stmt *q = db_use(r->f->db, &q_approved_revisions);

	bind_int(q, ":b", branch);
	bind_int(q, ":told", told);
	while (stmt_step(q)) {
		buf_printf(&r->to->out, "    %d: %s", (int)col_int(q, 0), col_text(q, 1));
		if (!col_null(q, 2))
			buf_printf(&r->to->out, " over %d", (int)col_int(q, 2));
		buf_printf(&r->to->out, "%s%s", col_int(q, 3) ? " merged" : "", col_int(q, 4) ? "" : " by nobody");
		approved_text(r->to, "git", col_bytes(q, 5));
		buf_str(&r->to->out, "\n");
	}
}

/* True if the space was marked as changed since the last call. */
static inline void
approved_touched(struct approved_space *r)
{
	struct stmt *q = db_use(r->f->db, &q_approved_touched);

	db_begin(r->f->db, true);
	bind_text(q, ":space", r->f->space);
	if (stmt_run(q) > 0)
		buf_str(&r->to->out, "  touched\n");
	db_commit(r->f->db);
}

/* Writes all rows that the space's branches gained since the last call. */
static inline void
approved_rows(struct approved_space *r)
{
	struct { int64_t id, head; const char *kind; } list[BRANCHES_MAX];
	struct stmt *q;
	size_t n = 0, i;

	approved_touched(r);
	q = db_use(r->f->db, &q_approved_branches);
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
		buf_printf(&r->to->out, "  %s %zu\n", list[i].kind, i);
		approved_revisions(r, list[i].id, r->told[i]);
		q = db_use(r->f->db, &q_approved_rows);
		bind_int(q, ":b", list[i].id);
		bind_int(q, ":told", r->told[i]);
		while (stmt_step(q))
			approved_row(r, q, r->told[i]);
		r->told[i] = list[i].head;
	}
}

#endif
