/*
 * Temporary files of a backup. SIGTERM, SIGINT and SIGHUP delete them before the process ends.
 * Files orphaned by SIGKILL or a power failure are found by name, and deleted by the next backup. A
 * single-file backup keeps them in a folder beside it, .octavo-backup.NAME, which the process
 * locks.
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
#include "base/file.h"
#include "base/panic.h"

#define FOLDER ".octavo-backup."
enum { MOST = 16 };

/*
 * Files in such a folder: the copy of the database with SQLite's extra files, and the archive being
 * written.
 */
static const char *const inside[] = { BACKUP_WORK_DATABASE, BACKUP_WORK_DATABASE "-journal", BACKUP_WORK_DATABASE "-wal",
	BACKUP_WORK_DATABASE "-shm", BACKUP_WORK_FILE };
enum { INSIDE = sizeof(inside) / sizeof(inside[0]) };

/*
 * In the order of deletion, folders last. The signal handler reads the array, so an entry is
 * complete before count is raised.
 */
static const char *registered[MOST];
static bool whole[MOST];   /* a folder with all that is in it */
static volatile sig_atomic_t count;

static void
remove_all(void)
{
	for (int i = 0; i < count; i++) {
		if (whole[i])
			folder_empty(registered[i], NULL);
		else if (unlink(registered[i]) != 0)
			rmdir(registered[i]);
	}
}

/* A failure of the database ends a command as well (base/panic.h). */
static void
on_panic(const char *message)
{
	(void)message;
	remove_all();
}

/* Signal handler: calls only async-signal-safe functions (signal-safety(7)). */
static void
remove_and_end(int signal)
{
	remove_all();
	/* SA_RESETHAND has restored the default action, so that the parent sees which signal ended the process. */
	raise(signal);
}

static void
put_down(struct backup *b, const char *path, bool folder)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction act = { .sa_handler = remove_and_end, .sa_flags = SA_RESETHAND | SA_NODEFER }, now;

	for (size_t i = 0; count == 0 && i < sizeof(signals) / sizeof(signals[0]); i++)
		/* Keep a signal ignored if the caller ignores it (nohup). */
		if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
	panic_hook(on_panic);
	if (count < MOST) {
		registered[count] = arena_strdup(b->arena, path);
		whole[count] = folder;
		count++;
	}
}

void
backup_temp_register(struct backup *b, const char *path)
{
	put_down(b, path, false);
}

void
backup_temp_contents(struct backup *b, const char *path)
{
	put_down(b, path, true);
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

		/* Delete it: SQLite would read the journal of an earlier copy. */
		unlink(name);
		backup_temp_register(b, name);
	}
}

/* ---- folders ---- */

/* Deletes the known files in the folder, and the folder. */
static void
drop_inside(int fd, const char *path)
{
	for (size_t i = 0; i < INSIDE; i++)
		unlinkat(fd, inside[i], 0);
	rmdir(path);
}

/*
 * Opens and locks the folder; returns its descriptor, or -1. Also -1 if another process deleted the
 * folder between open and lock: the descriptor then no longer belongs to this path.
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

/* Deletes the temporary folders of processes that have ended, whatever their backup's name. */
static void
sweep_left(struct backup *b, const char *where)
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

/*
 * Returns the folder that contains the backup's file, after deleting the temporary folders of
 * killed processes there.
 */
static const char *
swept_parent(struct backup *b)
{
	const char *slash = strrchr(b->to, '/');
	const char *where = arena_strndup(b->arena, b->to, slash == b->to ? 1 : (size_t)(slash - b->to));

	sweep_left(b, where);
	return where;
}

/*
 * Locks the folder and registers all files that will be created in it. False: another process holds
 * the lock, or the folder cannot be opened.
 */
static bool
take_folder(struct backup *b, struct backup_work *w)
{
	if ((w->fd = open_locked(w->path)) < 0)
		return false;
	for (size_t i = 0; i < INSIDE; i++)
		backup_temp_register(b, backup_in(b, w->path, inside[i]));
	backup_temp_register(b, w->path);
	return true;
}

const char *
backup_work_begin(struct backup *b, struct backup_work *w)
{
	w->path = arena_printf(b->arena, "%s/" FOLDER "%s", swept_parent(b), strrchr(b->to, '/') + 1);
	if (mkdir(w->path, 0700) != 0 && errno != EEXIST)
		return backup_failed(b, w->path);
	return take_folder(b, w) ? NULL : arena_printf(b->arena, "another backup into %s is under way", b->to);
}

const char *
backup_work_room(struct backup *b, struct backup_work *w)
{
	const char *temp = getenv("TMPDIR");
	char *path = arena_printf(b->arena, "%s/" FOLDER "XXXXXX", swept_parent(b));

	if (mkdtemp(path) == NULL) {
		path = arena_printf(b->arena, "%s/" FOLDER "XXXXXX", temp != NULL ? temp : "/tmp");
		if (mkdtemp(path) == NULL)
			return "there is no room for the database beside the backup, nor in TMPDIR";
	}
	w->path = path;
	return take_folder(b, w) ? NULL : backup_failed(b, w->path);
}

void
backup_work_end(struct backup_work *w)
{
	drop_inside(w->fd, w->path);
	backup_temp_forget();
	close(w->fd);
}
