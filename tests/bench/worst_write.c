/*
 * The worst construct per byte for writes: the processor time of everything that the server does
 * for a page of 32 KiB made of it, from the change request to the first reading of the document,
 * compared with a page of plain text. Prints lines "CONSTRUCT MS PLAIN-MS", the worst ratio first.
 *
 *   bench_worst_write [BYTES [CONSTRUCT]]
 */
#include <sodium.h>
#include <sys/stat.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "../temp_dir.h"
#include "constructs.h"
#include "app/people.h"
#include "base/json.h"
#include "base/secret.h"
#include "db/db.h"
#include "edit/edit.h"
#include "merge/request.h"
#include "propagate/propagate.h"
#include "store/space.h"

struct bench {
	struct arena *keeps;      /* lives as long as the process */
	struct arena *arena;      /* of one write, like a request's */
	struct db    *db;
	char          dir[TEMP_MAX];
	char         *user, *space;
	int64_t       branch;     /* main branch */
	unsigned      writes;     /* writes so far: each body is unique */
};

static struct point
head_of(struct bench *b, int64_t branch)
{
	struct point p;

	if (!point_head(b->db, b->arena, branch, &p))
		exit(1);
	return p;
}

static int64_t
request_open(struct bench *b)
{
	struct point main_head = head_of(b, b->branch);
	struct revision_info info = { .kind = "edits", .author = b->user, .base_seq = main_head.seq };
	int64_t branch;
	char *id;

	db_begin(b->db, true);
	branch = branch_create(b->db, b->space, "request", &main_head);
	revision_add(b->db, b->arena, branch, &info, &id);
	db_commit(b->db);
	return branch;
}

/* Does the work of POST CR/content, which parses documents first; returns the inserted page. */
static const char *
write_page(struct bench *b, int64_t request, const cJSON *changes)
{
	struct point before = head_of(b, request);
	struct edit e = { .db = b->db, .arena = b->arena, .dir = b->dir, .changes = changes, .request = &before,
		.now = before };
	struct revision_info info = { .kind = "edits", .author = b->user, .base_seq = before.base_seq };
	struct edit_ahead *ahead = NULL;
	char *id;

	db_begin(b->db, false);
	if (edit_is_large(&e))
		ahead = edit_prepare(&e);
	db_rollback(b->db);
	e = (struct edit){ .db = b->db, .arena = b->arena, .dir = b->dir, .changes = changes, .request = &before,
		.ahead = ahead };
	db_begin(b->db, true);
	revision_add(b->db, b->arena, request, &info, &id);
	e.now = head_of(b, request);
	if (!edit_apply(&e)) {
		fprintf(stderr, "worst_write: %s %s\n", e.where, e.why);
		exit(1);
	}
	comments_follow(b->db, b->arena, &e.now, "", NULL);
	db_commit(b->db);
	return e.pages->id;
}

/* Does the work of POST CR/merge: large bodies are parsed for the index between two runs of the transaction. */
static void
merge(struct bench *b, int64_t request)
{
	struct point p = head_of(b, request);
	struct large *large = large_new(b->arena, b->space);
	struct merge_outcome out;

	for (;;) {
		db_begin(b->db, true);
		request_merge(b->db, b->arena, &p, b->user, large, &out);
		if (!out.waits)
			break;
		db_rollback(b->db);
		large_read(b->db, large);
	}
	db_commit(b->db);
}

/* Makes the document, as for the first reader of the page. */
static void
render(struct bench *b, const char *page)
{
	struct point p;
	struct rendered d;
	struct node n;

	db_begin(b->db, false);
	p = head_of(b, b->branch);
	if (!node_get(b->db, b->arena, &p, page, &n))
		exit(1);
	d = document_of(b->db, b->arena, &p, &n);
	db_rollback(b->db);
	db_begin(b->db, true);
	document_keep(b->db, &d);
	db_commit(b->db);
}

/*
 * One page, whose body ends with a unique line, since results for known bodies are cached; returns
 * ms of processor time.
 */
static double
once(void *ctx, const char *piece, size_t bytes)
{
	struct bench *b = ctx;
	struct str body = body_of(b->arena, piece, bytes);
	cJSON *changes, *c;
	clock_t start;
	double took;

	json_arena(b->arena);
	b->writes++;
	changes = cJSON_CreateArray();
	cJSON_AddItemToArray(changes, c = cJSON_CreateObject());
	cJSON_AddStringToObject(c, "operation", "insert_page");
	cJSON_AddStringToObject(c, "title", arena_printf(b->arena, "Page %zu", (size_t)b->writes));
	cJSON_AddStringToObject(cJSON_AddObjectToObject(c, "document"), "markdown",
	    arena_printf(b->arena, "%s\n\nLine %zu\n", body.p, (size_t)b->writes));
	start = clock();
	int64_t request = request_open(b);
	const char *page = write_page(b, request, changes);
	merge(b, request);
	render(b, page);
	took = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
	json_arena(NULL);
	arena_reset(b->arena);
	return took;
}

static void
open_bench(struct bench *b)
{
	const char *error = NULL;
	struct org_new o = { .title = "Bench" };
	char *org;

	temp_dir(b->dir);
	b->keeps = arena_new((size_t)1 << 30);
	b->arena = arena_new((size_t)4 << 30);
	mkdir(arena_printf(b->keeps, "%s/blobs", b->dir), 0700);
	if ((error = secret_create(b->keeps, b->dir)) == NULL)
		error = secret_open(b->keeps, b->dir);
	if (error == NULL)
		b->db = db_open(b->keeps, arena_printf(b->keeps, "%s/octavo.db", b->dir), DB_CREATE,
		    &(struct db_options){ .relaxed = true }, &error);
	if (error != NULL) {
		fprintf(stderr, "worst_write: %s\n", error);
		exit(1);
	}
	db_begin(b->db, true);
	b->user = user_make(b->db, b->keeps, "ada@example.com", "Ada");
	org = org_make(b->db, b->keeps, &o);
	member_set(b->db, org, b->user, 6);
	b->space = space_make(b->db, b->keeps, &(struct space_new){ .org = org, .title = "Manual", .author = b->user },
	    &b->branch);
	db_commit(b->db);
}

int
main(int argc, char **argv)
{
	size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 32 << 10, i;
	struct cost all[CONSTRUCTS] = { { 0, 1 } };
	struct bench b = { .writes = 0 };

	/* Otherwise libsodium would hash with its slowest code, unlike Octavo's programs. */
	if (sodium_init() < 0)
		return 1;
	open_bench(&b);
	for (i = 0; i < CONSTRUCTS; i++)
		if (argc <= 2 || strcmp(argv[2], constructs[i].name) == 0)
			all[i] = cost(once, &b, 5, constructs[i].piece, bytes);
	costs_print(all);
	db_close(b.db);
	arena_free(b.arena);
	arena_free(b.keeps);
	return 0;
}
