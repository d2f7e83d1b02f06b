/* Identity of an installation. The contract is in app/installation.h. */
#include "app/installation.h"
#include "base/secret.h"

/* Reads with SQL that is not declared with SQL(): older schemas do not have the table. */
struct identity_read {
	struct arena        *arena;
	struct installation *out;
};

static void
read_row(void *ctx, struct stmt *q)
{
	struct identity_read *r = ctx;

	*r->out = (struct installation){ col_dup(q, 0, r->arena), col_dup(q, 1, r->arena) };
}

void
installation_read(struct db *db, struct arena *a, struct installation *out)
{
	struct identity_read r = { a, out };
	const char *ignored;

	*out = (struct installation){ 0 };
	db_each(db, a, "SELECT id, key_mark FROM installation", read_row, &r, &ignored);
}

static char *
mark_of_dir(struct arena *a, const char *dir)
{
	return secret_mark(a, arena_printf(a, "%s/octavo.key", dir));
}

bool
installation_key_differs(struct db *db, struct arena *a, const char *dir)
{
	const char *mark = mark_of_dir(a, dir);
	struct installation i;

	installation_read(db, a, &i);
	return mark != NULL && i.key_mark != NULL && !secret_same(mark, i.key_mark);
}

const char *
installation_take_key(struct db *db, struct arena *a, const char *dir, bool missing)
{
	const char *mark = mark_of_dir(a, dir), *error = NULL;
	struct installation i;

	installation_read(db, a, &i);
	if (i.id == NULL || mark == NULL || (missing && i.key_mark != NULL))
		return NULL;
	/* Contains only hexadecimal digits, which cannot end a literal. */
	db_script(db, a, arena_printf(a, "UPDATE installation SET key_mark = '%s'", mark), &error);
	return error;
}
