/*
 * Files of a backup that is being made, which are of no use to anybody else: TERM, INT and HUP take them away with
 * the process, and what KILL or a lost machine leaves is found by its name by the next one. Beside a
 * backup in one file they are in a folder of their own, .octavo-backup.NAME, which is locked while somebody
 * works in it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backup_parts.h"

#define FOLDER ".octavo-backup."
enum { MOST = 16 };

/* What is in such a folder: the copy of the database with what SQLite puts beside it, and the file that is written. */
static const char *const inside[] = { BACKUP_WORK_DATABASE, BACKUP_WORK_DATABASE "-journal", BACKUP_WORK_DATABASE "-wal",
	BACKUP_WORK_DATABASE "-shm", BACKUP_WORK_FILE };
enum { INSIDE = sizeof(inside) / sizeof(inside[0]) };

/* In the order in which they go, folders last. The handler reads them: an entry is whole before it is counted. */
static const char *noted[MOST];
static volatile sig_atomic_t count;

/* Nothing but calls that signal-safety(7) names. */
static void
end(int signal)
{
	for (int i = 0; i < count; i++)
		if (unlink(noted[i]) != 0)
			rmdir(noted[i]);
	/* SA_RESETHAND: this time it ends the process, as whoever waits for it expects. */
	raise(signal);
}

void
backup_temp_note(struct backup *b, const char *path)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction act = { .sa_handler = end, .sa_flags = SA_RESETHAND | SA_NODEFER }, now;

	for (size_t i = 0; count == 0 && i < sizeof(signals) / sizeof(signals[0]); i++)
		/* What the caller had ignored (nohup) stays so. */
		if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
	if (count < MOST) {
		noted[count] = arena_strdup(b->arena, path);
		count++;
	}
}

void
backup_temp_forget(void)
{
	count = 0;
}

void
backup_temp_database(struct backup *b, const char *path)
{
	static const char *const beside[] = { "", "-journal", "-wal", "-shm" };

	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		char *name = arena_printf(b->arena, "%s%s", path, beside[i]);

		/* What an earlier one left: its journal would be taken for one of the new copy. */
		unlink(name);
		backup_temp_note(b, name);
	}
}

/* ---- folders ---- */

/* Takes away what is known in the folder, and itself. */
static void
drop_inside(int fd, const char *path)
{
	for (size_t i = 0; i < INSIDE; i++)
		unlinkat(fd, inside[i], 0);
	rmdir(path);
}

/*
 * The folder, open and locked; -1. Another one that ended between open and lock has taken it away: then it is
 * not the one of this name any more.
 */
static int
open_locked(const char *path)
{
	struct stat own, named;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &own) != 0 || stat(path, &named) != 0 ||
	    own.st_dev != named.st_dev || own.st_ino != named.st_ino)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Those of processes that are gone, whatever their backup was called. */
static void
sweep(struct backup *b, const char *where)
{
	DIR *d = opendir(where);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		const char *path = backup_in(b, where, e->d_name);
		int fd = strncmp(e->d_name, FOLDER, sizeof(FOLDER) - 1) == 0 ? open_locked(path) : -1;

		if (fd < 0)
			continue;
		drop_inside(fd, path);
		close(fd);
	}
	if (d != NULL)
		closedir(d);
}

const char *
backup_work_begin(struct backup *b, struct backup_work *w)
{
	const char *slash = strrchr(b->to, '/');
	const char *where = arena_strndup(b->arena, b->to, slash == b->to ? 1 : (size_t)(slash - b->to));

	sweep(b, where);
	w->path = arena_printf(b->arena, "%s/" FOLDER "%s", where, slash + 1);
	if (mkdir(w->path, 0700) != 0 && errno != EEXIST)
		return backup_failed(b, w->path);
	if ((w->fd = open_locked(w->path)) < 0)
		return arena_printf(b->arena, "another backup into %s is under way", b->to);
	for (size_t i = 0; i < INSIDE; i++)
		backup_temp_note(b, backup_in(b, w->path, inside[i]));
	backup_temp_note(b, w->path);
	return NULL;
}

const char *
backup_work_room(struct backup *b, struct backup_work *w)
{
	const char *temp = getenv("TMPDIR"), *slash = strrchr(b->to, '/');
	char *path = arena_printf(b->arena, "%.*s" FOLDER "XXXXXX", (int)(slash + 1 - b->to), b->to);

	sweep(b, arena_strndup(b->arena, b->to, slash == b->to ? 1 : (size_t)(slash - b->to)));
	if (mkdtemp(path) == NULL) {
		path = arena_printf(b->arena, "%s/" FOLDER "XXXXXX", temp != NULL ? temp : "/tmp");
		if (mkdtemp(path) == NULL)
			return "there is no room for the database beside the backup, nor in TMPDIR";
	}
	w->path = path;
	if ((w->fd = open_locked(path)) < 0)
		return backup_failed(b, path);
	for (size_t i = 0; i < INSIDE; i++)
		backup_temp_note(b, backup_in(b, path, inside[i]));
	backup_temp_note(b, path);
	return NULL;
}

void
backup_work_end(struct backup_work *w)
{
	drop_inside(w->fd, w->path);
	backup_temp_forget();
	close(w->fd);
}
