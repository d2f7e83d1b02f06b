/* Exports of an organization. Contract: app/org_export.h. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/org_export.h"
#include "base/file.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/str.h"
#include "base/url.h"

SQL(q_export_others, "SELECT id FROM job WHERE org = :org AND kind = '" EXPORT_KIND "' AND id <> :but");
SQL(q_export_runs, "SELECT 1 FROM job WHERE id = :id AND state IN ('queued', 'running')");

enum { HOUR = 3600 };

char *
org_export_path(struct arena *a, const struct settings *set, const char *id)
{
	return arena_printf(a, "%s/exports/%s.tar", set->dir, id);
}

/* ---- addresses ---- */

static struct str
signed_text(struct arena *a, const char *id, const char *token, long long end, const char *name)
{
	return str_of(arena_printf(a, "export/%s/%s/%lld/%s", id, token, end, name));
}

char *
org_export_url(struct arena *a, const struct settings *set, const char *id, const char *token, int64_t now)
{
	long long end = now / 1000 + HOUR;
	static const char name[] = "octavo-export.tar";

	return url_make(a, set, "/~exports/%s/%s/%lld/%s/%s", id, token, end,
	    secret_sign(a, SECRET_DOWNLOAD, signed_text(a, id, token, end, name)), name);
}

bool
org_export_url_read(struct arena *a, const char *const segment[5], int64_t now, struct org_export_address *out)
{
	char *rest;
	long long end = strtoll(segment[2], &rest, 10);

	if (*rest != '\0' || end <= now / 1000)
		return false;
	*out = (struct org_export_address){ segment[0], segment[1], segment[4] };
	return secret_verify(a, SECRET_DOWNLOAD, signed_text(a, segment[0], segment[1], end, segment[4]), str_of(segment[3]));
}

/* ---- what is kept ---- */

void
org_export_drop(struct db *db, struct arena *a, const struct settings *set, const char *org, const char *kept)
{
	const char **paths = NULL;
	size_t n = 0, room = 0;
	struct stmt *q;

	db_begin(db, false);
	q = db_use(db, &q_export_others);
	bind_text(q, ":org", org);
	bind_text(q, ":but", kept);
	while (stmt_step(q)) {
		paths = arena_grow(a, paths, n, &room, sizeof(*paths));
		paths[n++] = org_export_path(a, set, col_text(q, 0));
	}
	db_rollback(db);
	for (size_t i = 0; i < n; i++)
		unlink(paths[i]);
}

/* True if the job with the id in this name of a file or folder is queued or running. */
static bool
is_in_use(struct db *db, struct arena *a, const char *name)
{
	struct stmt *q = db_use(db, &q_export_runs);

	bind_text(q, ":id", arena_strndup(a, name, strcspn(name, ".")));
	return stmt_int(q, 0) != 0;
}

void
org_export_sweep(struct db *db, struct arena *a, const struct settings *set)
{
	const char *folder = arena_printf(a, "%s/exports", set->dir);
	int64_t now = time_now();
	struct dirent *e;
	struct stat st;
	DIR *d = opendir(folder);

	while (d != NULL && (e = readdir(d)) != NULL) {
		const char *path = arena_printf(a, "%s/%s", folder, e->d_name);
		size_t n = strlen(e->d_name);
		bool whole = n > 4 && strcmp(e->d_name + n - 4, ".tar") == 0;

		if (*e->d_name == '.' || lstat(path, &st) != 0 || is_in_use(db, a, e->d_name))
			continue;
		/* A name without ".tar" is left from an export that was killed. */
		if (!whole || now - (int64_t)st.st_mtim.tv_sec * 1000 > EXPORT_KEPT)
			folder_remove(path);
	}
	if (d != NULL)
		closedir(d);
}
