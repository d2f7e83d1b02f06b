/* Importing content of a repository, in unit tests: its pages, and changes made in main. */
#ifndef UPSTREAM_FIXTURE_H
#define UPSTREAM_FIXTURE_H

#include "db_fixture.h"

#include "base/json.h"
#include "merge/upstream.h"
#include "store/content.h"

static inline struct wanted
page(struct arena *a, const char *id, const char *parent, const char *title, const char *body)
{
	return (struct wanted){ .node = { .id = id, .kind = NODE_DOCUMENT, .parent = parent, .ord = "V",
		.slug = id, .title = title, .props = "{}", .git_path = arena_printf(a, "%s.md", id), .origin = -1,
		.at = 1, .made = 1 }, .body = str_of(body) };
}

static inline enum upstream_end
take_task(struct fixture *f, const struct upstream_task *task, struct upstream_result *out)
{
	struct point view;

	db_begin(f->db, false);
	assert_true(upstream_view(f->db, f->arena, f->space, &view));
	db_rollback(f->db);
	return upstream_take(f->db, f->arena, &view, task, out);
}

static inline struct upstream_result
take(struct fixture *f, struct wanted *list, size_t n,
    void (*note)(void *, enum upstream_event, const struct node *), void *ctx)
{
	struct upstream_task task = { .list = list, .n = n, .author = f->user, .note = note, .ctx = ctx };
	struct upstream_result out;
	enum upstream_end end = take_task(f, &task, &out);

	assert_int_equal(end, out.error == NULL ? UPSTREAM_DONE : UPSTREAM_REFUSED);
	return out;
}

/* A change made in main; w NULL: deletes the page. */
static inline void
main_change(struct fixture *f, const char *id, const struct wanted *w)
{
	struct revision_info info = { .kind = "edits", .author = f->user };
	struct node n;
	char *revision;
	int64_t seq;

	db_begin(f->db, true);
	seq = revision_add(f->db, f->arena, f->branch, &info, &revision);
	if (w == NULL) {
		node_end(f->db, f->branch, id, seq);
	} else {
		n = w->node;
		n.body = blob_put(f->db, f->arena, w->body);
		node_put(f->db, f->branch, seq, &n);
	}
	propagate_revision(f->db, f->arena, f->space, f->branch, seq);
	db_commit(f->db);
}

static inline struct point
head(struct fixture *f)
{
	struct point p;

	assert_true(point_head(f->db, f->arena, f->branch, &p));
	return p;
}

/* "-" if the page is not alive. */
static inline const char *
title_at(struct fixture *f, const struct point *p, const char *id)
{
	struct node n;

	return node_get(f->db, f->arena, p, id, &n) ? n.title : "-";
}

static inline void
forget(struct fixture *f)
{
	const char *error = NULL;

	/* A new space for each case. */
	db_begin(f->db, true);
	f->space = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S",
	    .author = f->user }, &f->branch);
	db_commit(f->db);
	assert_null(error);
}

#endif
