/* Notes of programs that wait for their schema. The contract is in app/ready.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/ready.h"
#include "base/file.h"
#include "db/db.h"

/* Programs that keep the database open. */
static const char *const programs[] = { "octavo-api", "octavo-site", "octavo-jobs" };

static char *
note_path(struct arena *a, const char *dir, const char *program)
{
	return arena_printf(a, "%s/run/schema-%s", dir, program);
}

void
ready_note(struct arena *a, const char *dir, const char *program, bool waits)
{
	char *path = note_path(a, dir, program), *text = arena_printf(a, "%d\n", db_latest());
	int fd;

	if (!waits) {
		unlink(path);
		return;
	}
	folder_make(AT_FDCWD, arena_printf(a, "%s/run", dir), DATA_FOLDER);
	if ((fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
		return;
	/* A note that a full disk cuts short has no number, and is valid too. */
	if (write(fd, text, strlen(text)) < 0)
		unlink(path);
	close(fd);
}

const char *
ready_problem(struct arena *a, const char *dir)
{
	struct str text;
	long needs;

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		if (!file_read(a, note_path(a, dir, programs[i]), &text))
			continue;
		if ((needs = strtol(text.p, NULL, 10)) != db_latest())
			return arena_printf(a, "%s waits for schema version %ld, the database has %d: run octavo migrate",
			    programs[i], needs, db_latest());
	}
	return NULL;
}
