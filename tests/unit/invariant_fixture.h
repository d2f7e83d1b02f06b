/* Checks every invariant of a database, in unit tests. Include after db.h and cmocka. */
#ifndef INVARIANT_FIXTURE_H
#define INVARIANT_FIXTURE_H

#include "base/buf.h"
#include "store/invariants.h"

struct invariants_found {
	struct buf  out;
	const char *name;
};

static void
invariant_broken(void *ctx, const char *what)
{
	struct invariants_found *f = ctx;

	buf_printf(&f->out, "%s%s: %s", f->out.n == 0 ? "" : "\n", f->name, what);
}

/* "" if all invariants hold, otherwise one line for each breach. */
static const char *
invariants_text(struct db *db, struct arena *a)
{
	struct invariants_found f = { .name = "" };
	const char *error = NULL;
	size_t i;

	buf_init(&f.out, a, 1 << 20);
	for (i = 0; i < check_count(); i++) {
		f.name = check_name(i);
		if (!check_one(db, a, i, invariant_broken, &f, &error))
			fail_msg("%s: %s", f.name, error);
	}
	return f.out.n == 0 ? "" : f.out.p;
}

#endif
