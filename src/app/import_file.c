/* Archives for imports. Contract: app/import_file.h. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/import_file.h"
#include "base/file.h"
#include "base/json.h"

#define IS_OPEN(job) "EXISTS (SELECT 1 FROM job j WHERE j.id = " job " AND j.state IN ('queued', 'running'))"

/* After the run has ended in this way, its file is not needed any more, and the next sweep deletes it. */
#define HAS_ENDED(job) "EXISTS (SELECT 1 FROM job j WHERE j.id = " job " AND j.state IN ('done', 'cancelled'))"

SQL(q_import_file,
    "SELECT f.id, f.org, f.name, f.created_by, CASE WHEN " IS_OPEN("f.run") " THEN f.run END, f.size, f.received "
    "FROM import_file f WHERE f.id = :id AND NOT " HAS_ENDED("f.run"));
SQL(q_import_known, "SELECT 1 FROM import_file WHERE id = :id");
SQL(q_import_runs, "SELECT 1 WHERE " IS_OPEN(":id"));
SQL(q_import_take, "UPDATE import_file SET run = :run WHERE id = :id");
SQL(q_import_room, "DELETE FROM import_file WHERE org = :org AND run IS NOT NULL AND NOT " IS_OPEN("import_file.run"));
/* This scans the table, which is small: IMPORT_ORG_FILES limits the files of an organization. */
SQL(q_import_over,
    "DELETE FROM import_file WHERE (created_at < :before AND NOT (run IS NOT NULL AND " IS_OPEN("import_file.run") ")) "
    "OR " HAS_ENDED("import_file.run") " /*scan*/");
SQL(q_import_any, "SELECT 1 FROM import_file LIMIT 1 /*scan*/");

bool
import_file_find(struct db *db, struct arena *a, const char *id, struct import_file *out)
{
	struct stmt *q = db_use(db, &q_import_file);

	bind_text(q, ":id", id);
	if (!stmt_step(q))
		return false;
	*out = (struct import_file){ .id = col_dup(q, 0, a), .org = col_dup(q, 1, a), .name = col_dup(q, 2, a),
		.user = col_dup(q, 3, a), .run = col_null(q, 4) ? NULL : col_dup(q, 4, a), .size = col_int(q, 5), .received = col_int(q, 6) };
	return true;
}

char *
import_file_folder(struct arena *a, const struct settings *set, const char *id)
{
	return arena_printf(a, "%s/uploads/%s", set->dir, id);
}

char *
import_file_part(struct arena *a, const struct settings *set, const char *id, int64_t offset)
{
	return arena_printf(a, "%s/uploads/%s/%015lld", set->dir, id, (long long)offset);
}

bool
import_file_is_whole(struct arena *a, const struct settings *set, const struct import_file *f)
{
	int64_t at = 0;
	struct stat st;

	while (at < f->size && lstat(import_file_part(a, set, f->id, at), &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		at += st.st_size;
	return at == f->size;
}

void
import_file_make_room(struct db *db, const char *org)
{
	struct stmt *q = db_use(db, &q_import_room);

	bind_text(q, ":org", org);
	stmt_run(q);
}

void
import_file_take(struct db *db, const char *id, const char *run)
{
	struct stmt *q = db_use(db, &q_import_take);

	bind_text(q, ":id", id);
	bind_text(q, ":run", run);
	stmt_run(q);
}

/* ---- the sweep ---- */

static bool
is_needed(struct db *db, const struct sql *needed, const char *id)
{
	struct stmt *q = db_use(db, needed);

	bind_text(q, ":id", id);
	return stmt_int(q, 0) != 0;
}

/* Removes the folders whose name `needed` does not find as an id: the row is added before the folder. */
static void
sweep_folders(struct db *db, struct arena *a, const char *path, const struct sql *needed)
{
	DIR *d = opendir(path);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (*e->d_name != '.' && !is_needed(db, needed, e->d_name))
			folder_remove(arena_printf(a, "%s/%s", path, e->d_name));
	if (d != NULL)
		closedir(d);
}

void
import_file_sweep(struct db *db, struct arena *a, const struct settings *set)
{
	bool any;

	db_begin(db, false);
	any = stmt_int(db_use(db, &q_import_any), 0) != 0;
	db_rollback(db);
	if (any) {
		struct stmt *q;

		db_begin(db, true);
		q = db_use(db, &q_import_over);
		bind_int(q, ":before", time_now() - IMPORT_KEPT);
		stmt_run(q);
		db_commit(db);
	}
	sweep_folders(db, a, arena_printf(a, "%s/uploads", set->dir), &q_import_known);
	/* What a run unpacked, and did not remove because its process was killed. */
	sweep_folders(db, a, arena_printf(a, "%s/cache/arrive", set->dir), &q_import_runs);
}
