/* An installation with a random history, and the commands that export and import it. */
#ifndef OCTAVO_LEAVE_FIXTURE_H
#define OCTAVO_LEAVE_FIXTURE_H

#include <stdio.h>

#include "app/people.h"
#include "base/secret.h"
#include "command/cli.h"
#include "merge/request_record.h"
#include "store/space.h"
#include "history_fixture.h"

SQL(q_leave_test_branch, "SELECT branch FROM change_request WHERE id = :id");

static void
open_request(struct world *w, int i)
{
	struct stmt *q = db_use(w->db, &q_leave_test_branch);
	char *id = request_make(w->db, w->arena, w->space, w->main, w->user, "Random");

	q = db_use(w->db, &q_leave_test_branch);
	bind_text(q, ":id", id);
	w->request[i] = stmt_int(q, 0);
	assert_true(w->request[i] > 0);
}

static void
world_open(struct world *w, unsigned seed)
{
	struct space_new s = { .title = "S" };
	struct org_new o = { .title = "Org" };
	const char *error;

	memset(w, 0, sizeof(*w));
	w->rng = seed * 2654435761u + 1;
	w->arena = arena_new((size_t)2 << 30);
	json_arena(w->arena);
	temp_dir(w->dir);
	assert_null(secret_create(w->arena, arena_printf(w->arena, "%s", w->dir)));
	w->db = db_open(w->arena, arena_printf(w->arena, "%s/octavo.db", w->dir), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_non_null(w->db);
	db_begin(w->db, true);
	w->user = user_make(w->db, w->arena, "a@example.com", "A");
	s.org = org_make(w->db, w->arena, &o);
	member_set(w->db, s.org, w->user, 6);
	w->space = space_make(w->db, w->arena, &s, &w->main);
	for (int i = 0; i < 4; i++)
		edit(w, w->main);
	for (int i = 0; i < REQUESTS; i++)
		open_request(w, i);
}

static void
step(struct world *w)
{
	int i = (int)roll(w, REQUESTS);
	struct point request = head(w, w->request[i]);
	struct merge_outcome out;

	switch (roll(w, 6)) {
	case 0:
	case 1: edit(w, w->main); break;
	case 2: request_update(w->db, w->arena, &request, w->user, &out); break;
	case 3:
		request_merge(w->db, w->arena, &request, w->user, NULL, &out);
		if (out.clashes == NULL)
			open_request(w, i);
		break;
	default: edit(w, w->request[i]);
	}
}

/* The output of a shell command. */
static char *
shell(struct world *w, const char *command)
{
	FILE *f = popen(command, "r");
	struct buf out;
	char piece[4096];
	size_t n;

	assert_non_null(f);
	buf_init(&out, w->arena, 64 << 20);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&out, piece, n);
	assert_int_equal(pclose(f), 0);
	return out.n == 0 ? "" : out.p;
}

static void
run_command(struct world *w, const struct cli_command *command, const char *dir, const char *operand)
{
	char *argv[] = { (char *)operand, NULL };
	struct cli c = { .arena = w->arena, .dir = dir, .command = command, .argc = 1, .argv = argv };

	assert_int_equal(command->run(&c), CLI_OK);
}

#endif
