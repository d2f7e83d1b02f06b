/* Runs octavo-unpack and limits its time. Contract: unpack.h. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "unpack.h"

/* MISSING, NOT_RUN: how the child ends if there is no octavo-unpack, and if the system does not run it. */
enum { UNPACK_SECONDS = 6 * 3600, MISSING = 127, NOT_RUN = 126 };
#define UNPACK_MEMORY ((int64_t)512 << 20)

struct unpacking {
	struct arrival *t;
	const struct archive_path *archives;
	size_t          n;
	const char     *scratch;
	bool          (*alive)(void *ctx, size_t done, size_t total);
	void           *ctx;
};

static int
exec_unpack(void *ctx, int out)
{
	struct unpacking *u = ctx;
	char program[PATH_MAX];
	char **v = arena_alloc(u->t->arena, (2 * u->n + 4) * sizeof(*v));
	size_t i;

	(void)out;
	if (!child_beside("unpack", program))
		return MISSING;
	v[0] = program;
	v[1] = arena_strdup(u->t->arena, u->scratch);
	v[2] = arena_printf(u->t->arena, "%lld", (long long)u->t->set->import_file_bytes);
	for (i = 0; i < u->n; i++) {
		v[3 + 2 * i] = arena_strdup(u->t->arena, u->archives[i].name);
		v[4 + 2 * i] = arena_strdup(u->t->arena, u->archives[i].path);
	}
	v[3 + 2 * u->n] = NULL;
	execv(program, v);
	return NOT_RUN;
}

static bool
report_alive(void *ctx)
{
	struct unpacking *u = ctx;

	return u->alive(u->ctx, 0, 0);
}

/* The message that octavo-unpack wrote before it ended. */
static const char *
unpack_message(struct unpacking *u)
{
	char line[512];
	FILE *f = fopen(arena_printf(u->t->arena, "%s/error", u->scratch), "r");
	const char *why = NULL;

	if (f != NULL && fgets(line, sizeof(line), f) != NULL)
		why = arena_strdup(u->t->arena, line);
	if (f != NULL)
		fclose(f);
	return why;
}

bool
unpack_archives(struct arrival *t, const struct archive_path *archives, size_t n, const char *scratch,
    bool (*alive)(void *ctx, size_t done, size_t total), void *ctx)
{
	struct unpacking u = { t, archives, n, scratch, alive, ctx };
	struct child_job job = { .run = exec_unpack, .tick = report_alive, .ctx = &u, .seconds = UNPACK_SECONDS, .memory = UNPACK_MEMORY };
	struct child_result r = child_run(&job);
	const char *why;

	if (r.end == CHILD_EXITED && r.code == 0)
		return true;
	if (r.end == CHILD_CANCELLED)
		return false;
	why = unpack_message(&u);
	t->error = arena_printf(t->arena, "%s cannot be unpacked: %s", t->name, why != NULL ? why :
	    r.end == CHILD_EXITED && r.code == MISSING ? "the program octavo-unpack is missing beside octavo-jobs" :
	    r.end == CHILD_TIMEOUT ? "it takes too long" : "octavo-unpack ended without a reason (out of memory?)");
	return false;
}
