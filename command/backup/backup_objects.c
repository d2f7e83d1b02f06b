/* Files of an object store in backups. Contract: backup_parts.h. */
#include <unistd.h>

#include "base/secret.h"
#include "backup_parts.h"

/* Rows whose file is not in DIR/blobs. */
struct object_visit {
	struct backup *b;
	struct arena  *step;
	void         (*fn)(void *, const struct blob_file *);   /* NULL: the rows are only counted */
	void          *ctx;
	const char    *have;      /* a folder like DIR with files that need not be fetched; NULL: none */
	int64_t        count;
	const char    *error;
};

/* Fetches the file, unless the folder `have` has one of its size, and calls fn with its copy. */
static void
visit_file(struct object_visit *v, struct blob_file *f)
{
	enum blob_found found;

	f->path = v->have != NULL ? blob_path(v->step, v->have, f->hash) : "";
	if (backup_size_of(f->path) == f->size) {
		v->fn(v->ctx, f);
		return;
	}
	f->path = blob_local(v->step, v->b->data, f->hash, &found);
	if (found == BLOB_FOUND)
		v->fn(v->ctx, f);
	else if (found == BLOB_AWAY)
		v->error = "the object store of the files cannot be reached (its words are above): the backup that was there was not replaced";
	else
		backup_found(v->b, arena_printf(v->b->arena, "%s: missing in the object store, or of other bytes", hex(v->step, f->hash)));
}

static void
visit_row(void *ctx, struct stmt *q)
{
	struct object_visit *v = ctx;
	struct blob_file f = { .hash = col_bytes(q, 0), .size = col_int(q, 1) };

	if (v->error == NULL && access(blob_path(v->step, v->b->data, f.hash), F_OK) != 0) {
		v->count++;
		if (v->fn != NULL)
			visit_file(v, &f);
	}
	arena_reset(v->step);
}

/* Returns NULL, or an error. */
static const char *
visit_rows(struct backup *b, const char *database, struct object_visit *v)
{
	const char *error = NULL;
	struct db *db;

	if (blob_store() == NULL)
		return NULL;
	if ((db = db_open(b->arena, database, DB_ANY_VERSION, NULL, &error)) == NULL)
		return error;
	v->step = arena_within(b->arena, 64 << 20);
	if (db_version(db) != db_latest())
		error = "the database has another schema than this program: octavo migrate first";
	else
		blob_files_each(db, b->arena, visit_row, v, &error);
	db_close(db);
	return error != NULL ? error : v->error;
}

const char *
backup_each_object(struct backup *b, const char *database, const char *have, void (*fn)(void *, const struct blob_file *), void *ctx)
{
	struct object_visit v = { .b = b, .fn = fn, .ctx = ctx, .have = have };

	return visit_rows(b, database, &v);
}

const char *
backup_count_objects(struct backup *b, const char *database, int64_t *n)
{
	struct object_visit v = { .b = b };
	const char *error = visit_rows(b, database, &v);

	*n += v.count;
	return error;
}

static void
drop_if_unknown(void *ctx, const struct blob_file *f)
{
	if (f->hash.n == 0 || !blob_known(ctx, f->hash))
		unlink(f->path);
}

void
backup_drop_unknown(struct backup *b)
{
	const char *ignored;
	struct db *db = db_open(b->arena, backup_in(b, b->to, "octavo.db"), DB_ANY_VERSION, NULL, &ignored);

	if (db == NULL)
		return;
	blob_walk(b->arena, b->to, drop_if_unknown, db);
	db_close(db);
}
