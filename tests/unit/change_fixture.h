/*
 * Change requests in unit tests, written as the API writes them: batches of changes in JSON,
 * merges, updates. Each call is a separate transaction.
 */
#ifndef CHANGE_FIXTURE_H
#define CHANGE_FIXTURE_H

#include <cjson/cJSON.h>

#include "db_fixture.h"

#include "edit/edit.h"
#include "base/json.h"
#include "merge/request.h"

static inline struct point
head_of(struct fixture *f, int64_t branch)
{
	struct point p;

	assert_true(point_head(f->db, f->arena, branch, &p));
	return p;
}

/* Begins a revision of a branch, and a transaction for it; returns the point to write its rows at. */
static inline struct point
revision_begin(struct fixture *f, int64_t branch)
{
	struct revision_info info = { .kind = "edits", .author = f->user };
	char *id;

	db_begin(f->db, true);
	info.base_seq = head_of(f, branch).base_seq;
	revision_add(f->db, f->arena, branch, &info, &id);
	return head_of(f, branch);
}

static inline struct node
page_node(const char *id, const char *parent, const char *ord)
{
	return (struct node){ .id = id, .kind = NODE_DOCUMENT, .parent = parent, .ord = ord, .slug = id,
		.title = id, .props = "{}", .origin = -1, .at = 1, .made = 1 };
}

/* Writes a page of main in a revision that has begun. */
static inline void
main_page(struct fixture *f, const struct point *now, const char *id, const char *parent,
    const char *ord)
{
	struct node n = page_node(id, parent, ord);

	n.body = blob_put(f->db, f->arena, str_of(arena_printf(f->arena, "text of %s\n", id)));
	node_put(f->db, now->branch, now->seq, &n);
}

static inline int64_t
request_open(struct fixture *f)
{
	struct point main = head_of(f, f->branch);
	struct revision_info info = { .kind = "edits", .author = f->user, .base_seq = main.seq };
	int64_t branch;
	char *id;

	db_begin(f->db, true);
	branch = branch_create(f->db, f->space, "request", &main);
	revision_add(f->db, f->arena, branch, &info, &id);
	db_commit(f->db);
	return branch;
}

/* Applies a batch of changes, in JSON with "'" in place of '"'. False: it was refused, and nothing changed. */
static inline bool
apply_changes(struct fixture *f, int64_t request, char *json, struct edit *e)
{
	struct point before = head_of(f, request);
	bool ok;
	char *p;

	for (p = json; *p != '\0'; p++)
		if (*p == '\'')
			*p = '"';
	*e = (struct edit){ .db = f->db, .arena = f->arena, .dir = f->dir, .changes = cJSON_Parse(json),
		.request = &before };
	assert_non_null(e->changes);
	e->now = revision_begin(f, request);
	ok = edit_apply(e);
	if (ok)
		db_commit(f->db);
	else
		db_rollback(f->db);
	e->request = NULL;
	return ok;
}

/* Applies changes given as to printf(); returns NULL, or why they were refused. */
static inline const char * __attribute__((format(printf, 3, 4)))
change(struct fixture *f, int64_t request, const char *fmt, ...)
{
	struct edit e;
	va_list ap;
	char *json;

	va_start(ap, fmt);
	json = arena_printf(f->arena, "[%s]", arena_vprintf(f->arena, fmt, ap));
	va_end(ap);
	if (apply_changes(f, request, json, &e))
		return NULL;
	assert_non_null(e.why);
	return e.why;
}

/* The text, with %s replaced by `with`. */
static inline const char *
filled(struct fixture *f, const char *text, const char *with)
{
	const char *at = strstr(text, "%s");

	return arena_printf(f->arena, "%.*s%s%s", (int)(at - text), text, with, at + 2);
}

static inline struct merge_outcome
merge_request(struct fixture *f, int64_t request)
{
	struct point p = head_of(f, request);
	struct merge_outcome out;

	db_begin(f->db, true);
	request_merge(f->db, f->arena, &p, f->user, NULL, &out);
	db_commit(f->db);
	return out;
}

static inline struct merge_outcome
update_request(struct fixture *f, int64_t request)
{
	struct point p = head_of(f, request);
	struct merge_outcome out;

	db_begin(f->db, true);
	request_update(f->db, f->arena, &p, f->user, &out);
	db_commit(f->db);
	return out;
}

/* "page kind" of each conflict, in the order of the pages. */
static inline const char *
clashes_text(struct fixture *f, const struct clash *c)
{
	const char *lines[200], *line;
	size_t n = 0, i, k;
	struct buf b;

	for (; c != NULL && n < 200; c = c->next) {
		line = arena_printf(f->arena, "%s %s", c->page, c->kind);
		for (i = 0; i < n && strcmp(lines[i], line) < 0; i++)
			;
		for (k = n++; k > i; k--)
			lines[k] = lines[k - 1];
		lines[i] = line;
	}
	buf_init(&b, f->arena, 1 << 20);
	buf_str(&b, "");
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i == 0 ? "" : ", ", lines[i]);
	return b.p == NULL ? "" : b.p;
}

/* The ids of the children of a page, in order. */
static inline const char *
children_text(struct fixture *f, int64_t branch, const char *parent)
{
	struct point p = head_of(f, branch);
	size_t n, i;
	struct node *list = node_children(f->db, f->arena, &p, parent, &n);
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	for (i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i == 0 ? "" : " ", list[i].id);
	return b.p == NULL ? "" : b.p;
}

/* Creates a new space for each case. As in a request, cJSON allocates from the fixture's arena. */
static inline void
new_space(struct fixture *f)
{
	json_arena(f->arena);
	db_begin(f->db, true);
	f->space = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "S",
	    .author = f->user }, &f->branch);
	db_commit(f->db);
}

#endif
