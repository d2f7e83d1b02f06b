/*
 * Resolves the conflicts of a request as the manual describes (docs/content/change-requests.md),
 * one after the other, all in favour of one side, with the changes that the API takes. Checks after
 * each step that nothing was lost: for the request's side every line that the request showed is
 * still there, for main's side all lines except those of the page in conflict, which then equals
 * main's page. Runs inside one transaction.
 */
#ifndef RESOLVE_FIXTURE_H
#define RESOLVE_FIXTURE_H

#include <cjson/cJSON.h>

#include "edit/edit.h"
#include "base/json.h"
#include "merge/request.h"

/* A request with conflicts, and the side they are resolved for. */
struct resolver_run {
	struct db    *db;
	struct arena *arena;
	const char   *user, *dir;
	int64_t       request;
	bool          ours;
	int           slugs;      /* unused slugs assigned so far */
	const char   *batch;      /* the step's changes */
};

static inline struct point
run_head(struct resolver_run *r, int64_t branch)
{
	struct point p;

	assert_true(point_head(r->db, r->arena, branch, &p));
	return p;
}

static inline void __attribute__((format(printf, 2, 3)))
also(struct resolver_run *r, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	r->batch = arena_printf(r->arena, "%s%s%s", r->batch, *r->batch == '\0' ? "" : ",",
	    arena_vprintf(r->arena, fmt, ap));
	va_end(ap);
	for (p = strchr(r->batch, '\''); p != NULL; p = strchr(p, '\''))
		*p = '"';
}

/* Moves the page, with all pages below it, to a place without conflicts. */
static inline void
also_move(struct resolver_run *r, const char *id)
{
	also(r, "{'operation':'update_page','page':'%s','into':null,'slug':'fresh%d'}", id, ++r->slugs);
}

static inline const char *
try_batch(struct resolver_run *r)
{
	struct point before = run_head(r, r->request);
	struct revision_info info = { .kind = "edits", .author = r->user, .base_seq = before.base_seq };
	struct edit e = { .db = r->db, .arena = r->arena, .dir = r->dir, .request = &before };
	char *id;

	e.changes = cJSON_Parse(arena_printf(r->arena, "[%s]", r->batch));
	assert_non_null(e.changes);
	db_mark(r->db);
	revision_add(r->db, r->arena, r->request, &info, &id);
	e.now = run_head(r, r->request);
	if (edit_apply(&e)) {
		db_keep(r->db);
		return NULL;
	}
	db_undo(r->db);
	assert_non_null(e.why);
	return e.why;
}

/* The id that a refusal names in brackets, at its end or after a title. */
static inline const char *
id_in(struct resolver_run *r, const char *why)
{
	const char *open = strrchr(why, '('), *close = open == NULL ? NULL : strchr(open, ')');

	assert_non_null(close);
	return arena_strndup(r->arena, open + 1, (size_t)(close - open - 1));
}

/* Applies the batch; after a refusal gives the named page another slug or parent and tries again. */
static inline void
run_batch(struct resolver_run *r, const char *page)
{
	const char *why = try_batch(r);
	int tries;

	for (tries = 0; why != NULL && tries < 40; tries++) {
		if (strstr(why, "a path that another page has") != NULL)
			also(r, "{'operation':'update_page','page':'%s','slug':'fresh%d'}", id_in(r, why), ++r->slugs);
		else if (strstr(why, "without a parent") != NULL)
			also_move(r, id_in(r, why));
		else
			also_move(r, page);
		why = try_batch(r);
	}
	if (why != NULL)
		fail_msg("cannot be resolved: %s\n%s", why, r->batch);
}

static inline bool
shown(struct resolver_run *r, const char *id, struct node *n)
{
	struct point p = run_head(r, r->request);

	return node_get(r->db, r->arena, &p, id, n);
}

/* The table of the manual: adds the change that resolves a conflict of this kind. */
static inline void
choose(struct resolver_run *r, const struct clash *c)
{
	struct node n;
	bool here = shown(r, c->page, &n);

	r->batch = "";
	if (strcmp(c->kind, "parent") == 0 && !r->ours)
		here ? also_move(r, c->page) :
		    also(r, "{'operation':'revert_page','page':'%s'}", c->other);
	else if (strcmp(c->kind, "cycle") == 0 || strcmp(c->kind, "depth") == 0)
		also_move(r, c->page);
	else if (strcmp(c->kind, "path") == 0 && (c->other != NULL || r->ours))
		also(r, "{'operation':'update_page','page':'%s','slug':'fresh%d'}", c->page, ++r->slugs);
	else if (!r->ours)
		also(r, "{'operation':'revert_page','page':'%s'}", c->page);
	else if (here)
		also(r, "{'operation':'update_page','page':'%s'}", c->page);
	else
		also(r, "{'operation':'delete_page','page':'%s'}", c->page);
}

/* True if the page may be lost: main deleted it, and the request shows it only because it has children. */
static inline bool
put_back(struct resolver_run *r, const struct point *before, const struct node *n)
{
	struct point main = run_head(r, before->base);
	struct node origin, now;

	return n->branch == before->branch && !node_get(r->db, r->arena, &main, n->id, &now) &&
	    overlay_origin(r->db, r->arena, before, n, &origin) && str_eq(origin.body, n->body);
}

/* The text of all pages of a point, except page `but` and those that may be lost. */
static inline struct str
lines_of(struct resolver_run *r, const struct point *p, const char *but)
{
	size_t count, i;
	struct node *list = node_list(r->db, r->arena, p, NODE_PAGES, &count);
	struct str s;
	struct buf b;

	buf_init(&b, r->arena, 1 << 22);
	buf_str(&b, "");
	for (i = 0; i < count; i++) {
		if ((but != NULL && strcmp(list[i].id, but) == 0) || put_back(r, p, &list[i]))
			continue;
		assert_true(blob_get(r->db, r->arena, list[i].body, &s));
		buf_add(&b, s.p, s.n);
	}
	return buf_view(&b);
}

static inline void
kept(struct resolver_run *r, const struct clash *c, struct str before)
{
	struct point now = run_head(r, r->request);
	struct str after = lines_of(r, &now, NULL);
	const char *p = before.p, *end = before.p + before.n, *next;

	for (; p < end; p = next) {
		next = (char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		if (after.n == 0 || memmem(after.p, after.n, p, (size_t)(next - p)) == NULL)
			fail_msg("resolving %s (%s) for %s lost: %.*s\n%s", c->page, c->kind,
			    r->ours ? "the request" : "main", (int)(next - p - 1), p, r->batch);
	}
}

/* Resolved for main: the page equals main's, or is deleted as in main. */
static inline void
is_as_in_main(struct resolver_run *r, const struct clash *c)
{
	struct point main = run_head(r, run_head(r, r->request).base);
	struct node theirs, n;

	if (strcmp(c->kind, "path") == 0 || strcmp(c->kind, "cycle") == 0 || strcmp(c->kind, "depth") == 0)
		return;
	if (!node_get(r->db, r->arena, &main, c->page, &theirs)) {
		assert_true(strcmp(c->kind, "parent") == 0 || !shown(r, c->page, &n));
		return;
	}
	assert_true(shown(r, c->page, &n));
	if (strcmp(c->kind, "parent") != 0)
		assert_true(str_eq(n.body, theirs.body));
}

static inline void
resolve_one(struct resolver_run *r, const struct clash *c)
{
	struct point before = run_head(r, r->request);
	struct str lines = lines_of(r, &before, r->ours ? NULL : c->page);

	choose(r, c);
	run_batch(r, c->page);
	kept(r, c, lines);
	if (!r->ours)
		is_as_in_main(r, c);
}

/* Resolves all conflicts of an updated request in favour of r->ours or main; returns their number. */
static inline int
resolve_conflicts(struct resolver_run *r)
{
	struct point p = run_head(r, r->request);
	struct clash *c = request_clashes(r->db, r->arena, &p);
	int steps;

	for (steps = 0; c != NULL; steps++) {
		if (steps == 100)
			fail_msg("still in conflict: %s (%s)", c->page, c->kind);
		resolve_one(r, c);
		p = run_head(r, r->request);
		c = request_clashes(r->db, r->arena, &p);
	}
	return steps;
}

#endif
