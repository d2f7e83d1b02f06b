/*
 * Finds the processes that have a database open: from /proc, and from SQLite's locks, which also
 * reveal processes that this user cannot inspect. Contract: include/command/service.h.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command/service.h"

/*
 * Range of SQLite's lock bytes in the file. A connection in WAL mode holds a shared lock there all
 * the time.
 */
enum { SHARED_FIRST = 0x40000002, SHARED_SIZE = 510, PROC_MAX = 1 << 16 };

/* Also false if this user cannot inspect the process; lock_holder() finds such processes. */
static bool
has_open(struct arena *a, const char *pid, const char *path)
{
	char *folder = arena_printf(a, "/proc/%s/fd", pid), target[PATH_MAX];
	DIR *d = opendir(folder);
	struct dirent *e;
	bool found = false;
	ssize_t n;

	while (d != NULL && !found && (e = readdir(d)) != NULL) {
		n = readlink(arena_printf(a, "%s/%s", folder, e->d_name), target, sizeof(target) - 1);
		target[n < 0 ? 0 : n] = '\0';
		found = strcmp(target, path) == 0;
	}
	if (d != NULL)
		closedir(d);
	return found;
}

const char *
service_proc(struct arena *a, pid_t pid, const char *name)
{
	int fd = open(arena_printf(a, "/proc/%d/%s", pid, name), O_RDONLY | O_CLOEXEC);
	static char text[PROC_MAX];
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n; i++)
		if (text[i] == '\0')
			text[i] = '\n';
	return arena_strndup(a, text, n < 0 ? 0 : (size_t)n);
}

/*
 * Returns the last component of a cgroup path if it is an Octavo unit: octavo-api.service for
 * "0::/system.slice/octavo-api.service".
 */
const char *
service_unit_of(struct arena *a, const char *cgroup)
{
	const char *line, *end, *slash, *dot;

	for (line = cgroup; *line != '\0'; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		for (slash = end; slash > line && *slash != '/'; slash--)
			;
		dot = end - strlen(".service");
		if (*slash == '/' && dot > slash && strncmp(dot, ".service", 8) == 0 &&
		    memmem(slash, (size_t)(dot - slash), "octavo", 6) != NULL)
			return arena_strndup(a, slash + 1, (size_t)(end - slash - 1));
	}
	return NULL;
}

/* Name is "" and unit NULL if this user cannot inspect the process. */
static struct holder
holder_of(struct arena *a, pid_t pid)
{
	const char *name = service_proc(a, pid, "comm");

	return (struct holder){ pid, arena_strndup(a, name, strcspn(name, "\n")),
		service_unit_of(a, service_proc(a, pid, "cgroup")) };
}

/*
 * Returns a process that holds SQLite's lock, or 0. Call it before this process opens the database:
 * closing the file here would drop its own locks.
 */
static pid_t
lock_holder(const char *path)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = SHARED_FIRST, .l_len = SHARED_SIZE };
	int fd = open(path, O_RDWR | O_CLOEXEC);
	bool held = fd >= 0 && fcntl(fd, F_GETLK, &l) == 0 && l.l_type != F_UNLCK;

	if (fd >= 0)
		close(fd);
	return held ? l.l_pid : 0;
}

size_t
service_holders(struct arena *a, const char *dir, struct holder *out, size_t max)
{
	char path[PATH_MAX];
	struct dirent *e;
	pid_t locked;
	size_t n = 0;
	DIR *d;

	if (realpath(arena_printf(a, "%s/octavo.db", dir), path) == NULL || (d = opendir("/proc")) == NULL)
		return 0;
	while (n < max && (e = readdir(d)) != NULL)
		if (isdigit((unsigned char)*e->d_name) && strtol(e->d_name, NULL, 10) != getpid() &&
		    has_open(a, e->d_name, path))
			out[n++] = holder_of(a, (pid_t)strtol(e->d_name, NULL, 10));
	closedir(d);
	/* Processes of other users are visible only through the lock. */
	if (n == 0 && max > 0 && (locked = lock_holder(path)) != 0)
		out[n++] = holder_of(a, locked);
	return n;
}

const char *
service_foreign(struct arena *a, const char *dir, struct holder *out, size_t *count)
{
	const char *units = NULL;
	size_t n = service_holders(a, dir, out, *count), kept = 0;

	for (size_t i = 0; i < n; i++) {
		/* Other holders, such as a sqlite3 shell or a backup, are not a service. */
		if (strncmp(out[i].name, "octavo-", 7) != 0)
			continue;
		if (out[i].unit != NULL && (units == NULL || strstr(units, out[i].unit) == NULL))
			units = units == NULL ? out[i].unit : arena_printf(a, "%s %s", units, out[i].unit);
		out[kept++] = out[i];
	}
	*count = kept;
	return units;
}
