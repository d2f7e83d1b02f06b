/* Batches of edits whose documents and links are read before the transaction, as the API does. */
#ifndef AHEAD_FIXTURE_H
#define AHEAD_FIXTURE_H

#include <ctype.h>

#include "change_fixture.h"

#include "markdown/document.h"

static inline cJSON *
parse_json(struct fixture *f, const char *json)
{
	char *copy = arena_strdup(f->arena, json);
	cJSON *v;

	for (char *p = copy; *p != '\0'; p++)
		*p = *p == '\'' ? '"' : *p;
	v = cJSON_Parse(copy);
	assert_non_null(v);
	return v;
}


/* before: the preparation of an earlier attempt; NULL on the first attempt. */
static inline struct edit_ahead *
prepare_again(struct fixture *f, int64_t request, const cJSON *changes, struct edit_ahead *before)
{
	struct point head = head_of(f, request);
	struct edit e = { .db = f->db, .arena = f->arena, .dir = f->dir, .changes = changes, .request = &head,
		.now = head, .ahead = before };
	struct edit_ahead *ahead;

	db_begin(f->db, false);
	ahead = edit_prepare(&e);
	db_rollback(f->db);
	return ahead;
}

static inline struct edit_ahead *
prepare(struct fixture *f, int64_t request, const cJSON *changes)
{
	return prepare_again(f, request, changes, NULL);
}

/*
 * Result of a batch. why: the refusal, NULL if it was applied. waits: the batch needs another
 * preparation. parsed, looked: bytes parsed and links looked up while the write transaction was
 * open.
 */
struct applied {
	const char *why;
	bool        waits;
	size_t      parsed, lookups_inside;
};

static inline struct applied
apply_once(struct fixture *f, int64_t request, const cJSON *changes, struct edit_ahead *ahead, bool can_prepare_again)
{
	struct point before = head_of(f, request);
	struct edit e = { .db = f->db, .arena = f->arena, .dir = f->dir, .changes = changes, .request = &before,
		.ahead = ahead, .can_prepare_again = can_prepare_again };
	struct applied out = { NULL, false, 0, 0 };
	size_t parsed, lookups_inside;

	e.now = revision_begin(f, request);
	parsed = doc_bytes_parsed();
	lookups_inside = resolver_lookups();
	if (edit_apply(&e)) {
		db_commit(f->db);
	} else {
		db_rollback(f->db);
		if (!(out.waits = e.must_prepare))
			out.why = arena_printf(f->arena, "%s %s", e.where, e.why);
	}
	out.parsed = doc_bytes_parsed() - parsed;
	out.lookups_inside = resolver_lookups() - lookups_inside;
	return out;
}

static inline struct applied
try_apply(struct fixture *f, int64_t request, const cJSON *changes, struct edit_ahead *ahead)
{
	return apply_once(f, request, changes, ahead, false);
}

/*
 * Prepares again, as the API does, while the batch itself moves something that its preparation
 * depends on. *times: number of repetitions.
 */
static inline struct applied
apply_waiting(struct fixture *f, int64_t request, const cJSON *changes, struct edit_ahead *ahead, int *times)
{
	struct applied out;

	for (*times = 0; (out = apply_once(f, request, changes, ahead, *times < 3)).waits; ++*times)
		ahead = prepare_again(f, request, changes, ahead);
	return out;
}

/* Applies the batch; returns the bytes parsed while the write transaction was open. */
static inline size_t
apply(struct fixture *f, int64_t request, const cJSON *changes, struct edit_ahead *ahead)
{
	struct applied out = try_apply(f, request, changes, ahead);

	if (out.why != NULL)
		fail_msg("%s", out.why);
	return out.parsed;
}

/* Creates the pages a, b, and d below a; `body` is the body of d. */
static inline void
space_with(struct fixture *f, struct str body)
{
	struct node d = page_node("d", "a", "V");
	struct point now;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	main_page(f, &now, "b", "", "W");
	d.body = blob_put(f->db, f->arena, body);
	node_put(f->db, now.branch, now.seq, &d);
	db_commit(f->db);
}

static inline cJSON *
update_of(const char *page, struct str markdown)
{
	cJSON *list = cJSON_CreateArray(), *c = cJSON_CreateObject();

	cJSON_AddItemToArray(list, c);
	cJSON_AddStringToObject(c, "operation", "update_page");
	cJSON_AddStringToObject(c, "page", page);
	cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "document"), "markdown", markdown.p);
	return list;
}

/* Replaces page ids: the ids of pages that a batch creates differ with each run. */
static inline const char *
without_ids(struct fixture *f, const char *text)
{
	char *copy = arena_strdup(f->arena, text), *p = copy;

	while ((p = strstr(p, "/pages/")) != NULL)
		for (p += strlen("/pages/"); isalnum((unsigned char)*p); p++)
			*p = 'x';
	for (p = copy; (p = strstr(p, "\"page\":\"")) != NULL; )
		for (p += strlen("\"page\":\""); *p != '"' && *p != '\0'; p++)
			*p = 'x';
	return copy;
}

#endif
