/* Runs the job of an export that a request to the API has queued. Contract: command/leave.h, app/org_export.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../backup/backup_parts.h"
#include "app/org_export.h"
#include "app/queue.h"
#include "base/file.h"
#include "base/json.h"
#include "base/settings.h"
#include "leave_parts.h"

/* Limit of the arena's address space. Memory is used only for one part of the export, such as a table, at a time. */
#define LEAVE_ARENA ((size_t)2 << 30)

struct leave_job {
	struct db        *db;
	const struct job *job;
	bool              cancelled;
};

/* The callback leave.part: stores the name of the part as the progress of the job. Returns false if the job was cancelled. */
static bool
report(void *ctx, const char *part)
{
	struct leave_job *j = ctx;

	j->cancelled = j->cancelled || !job_progress(j->db, j->job->id, part, 0, 0);
	return !j->cancelled;
}

/* Ends the job in one transaction. Files of older exports are deleted after it: that may take long. */
static void
end_job(struct leave_job *j, const struct settings *set, struct leave *l, bool ok)
{
	db_begin(j->db, true);
	if (ok)
		job_end(j->db, j->job->id, "done", NULL, "{}");
	else
		job_end(j->db, j->job->id, j->cancelled ? "cancelled" : "failed", j->cancelled ? NULL : l->error, NULL);
	db_commit(j->db);
	if (ok)
		org_export_drop(j->db, l->arena, set, j->job->org, j->job->id);
}

/* Writes the folder DIR/exports/ID.folder and packs it. */
static bool
make_archive(struct leave *l, const struct settings *set, const char *id)
{
	const char *file = org_export_path(l->arena, set, id), *temp = arena_printf(l->arena, "%s.new", file), *error;
	bool ok;

	l->to = arena_printf(l->arena, "%s/exports/%s.folder", set->dir, id);
	l->work = arena_printf(l->arena, "%s/" LEAVE_WORK, l->to);
	l->packed = true;
	/* Remove files of a killed attempt. */
	folder_remove(l->to);
	unlink(temp);
	if (!folder_make(AT_FDCWD, arena_printf(l->arena, "%s/exports", set->dir), 0700) || mkdir(l->to, 0700) != 0 ||
	    mkdir(l->work, 0700) != 0)
		return leave_fail(l, "%s: %s", l->to, strerror(errno));
	ok = leave_write(l, NULL);
	folder_remove(l->work);
	if (ok && !leave_pack(l, temp, &error))
		ok = leave_fail(l, "%s", error);
	if (ok && (!leave_goes_on(l, "packing", true) || rename(temp, file) != 0))
		ok = leave_fail(l, "%s: %s", file, strerror(errno));
	folder_remove(l->to);
	unlink(temp);
	return ok;
}

void
leave_job(struct db *db, const struct settings *set, const struct job *job)
{
	struct arena *a = arena_new(LEAVE_ARENA);
	struct cli c = { .arena = a, .dir = set->dir };
	struct leave_job j = { .db = db, .job = job };
	struct leave l = { .cli = &c, .arena = a, .data = set->dir, .org = job->org, .part = report, .ctx = &j };
	bool ok;

	setenv("OCTAVO_URL", set->url, 1);
	umask(OWN_UMASK);
	ok = make_archive(&l, set, job->id);
	backup_temp_forget();
	end_job(&j, set, &l, ok);
	json_arena(NULL);
	arena_free(a);
}
