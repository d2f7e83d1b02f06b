/*
 * A separate database for each unit test: a temporary directory with octavo.db, key and blobs, made
 * from schema/ as `octavo init` makes it, and some people. db_setup and db_teardown are cmocka's;
 * *state is a struct fixture.
 */
#ifndef DB_FIXTURE_H
#define DB_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../temp_dir.h"
#include "app/queue.h"
#include "db/db.h"
#include "app/people.h"
#include "base/secret.h"
#include "base/settings.h"
#include "store/space.h"

struct fixture {
	struct arena *arena;
	struct db    *db;
	char          dir[TEMP_MAX];
	char         *user, *org, *token;   /* an admin */
	char         *space;
	int64_t       branch;               /* the space's main branch */
};

static int
db_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct org_new o = { .title = "Acme" };
	const char *error = NULL;

	f->arena = arena_new(512 << 20);
	temp_dir(f->dir);
	mkdir(arena_printf(f->arena, "%s/blobs", f->dir), 0700);
	assert_null(secret_create(f->arena, f->dir));
	assert_null(secret_open(f->arena, f->dir));
	f->db = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_CREATE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_null(error);
	db_begin(f->db, true);
	f->user = user_make(f->db, f->arena, "ada@example.com", "Ada");
	f->org = org_make(f->db, f->arena, &o);
	member_set(f->db, f->org, f->user, 6);
	f->token = token_make(f->db, f->arena, f->user, "admin", "", 0);
	f->space = space_make(f->db, f->arena, &(struct space_new){ .org = f->org, .title = "Manual",
	    .author = f->user }, &f->branch);
	db_commit(f->db);
	*state = f;
	return 0;
}

/* Settings for requests to this database, with every response checked against its shape. */
static __attribute__((unused)) struct settings
db_settings(struct fixture *f)
{
	const char *error = NULL;
	struct settings set = *settings_env(f->arena, &error);

	assert_null(error);
	set.dir = f->dir;
	set.url = "http://docs.example";
	set.cors = "*";
	set.access_log = "";
	set.self_check = true;
	return set;
}

/* Claims the next job of any lane, as a runner with enough memory does. */
static __attribute__((unused)) bool
claim_job(struct db *db, struct arena *a, struct job *out)
{
	enum { ROOM = 1000 };

	return job_claim(db, a, "runner", JOB_LOCAL, ROOM, out) || job_claim(db, a, "runner", JOB_REMOTE, ROOM, out) ||
	    job_claim(db, a, "runner", JOB_LONG, ROOM, out);
}

static int
db_teardown(void **state)
{
	struct fixture *f = *state;
	char command[100];

	db_close(f->db);
	snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
	if (system(command) != 0)
		print_error("%s was left behind\n", f->dir);
	arena_free(f->arena);
	free(f);
	return 0;
}

#endif
