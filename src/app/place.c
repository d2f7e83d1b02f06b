/* Limits slow work by locks on files. Contract: app/place.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/log.h"
#include "base/watch.h"
#include "app/place.h"

/* TRIES: a process that only tests a lock holds it for a moment (lock_any()), so a failed try is repeated. */
enum { LOOK_MS = 1, PATIENCE_MS = 2000, TRIES = 3 };

/*
 * Locks the file run/KIND.NAME and returns its descriptor; -1: another process has the lock, or the
 * file cannot be opened, which is logged. operation: LOCK_EX, or LOCK_SH to test whether a process
 * has it.
 */
static int
lock_file(struct arena *a, const struct settings *set, const char *kind, const char *name, int operation)
{
	int fd = open(arena_printf(a, "%s/run/%s.%s", set->dir, kind, name), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		log_line("run/%s.%s: %s; nobody can sign in until it can be opened", kind, name, strerror(errno));
	if (fd < 0 || flock(fd, operation | LOCK_NB) == 0)
		return fd;
	close(fd);
	return -1;
}

/* Takes any free place. -1: none is free, or a process for a known browser is waiting for the next one. */
static int
lock_any(struct arena *a, const struct settings *set, const char *kind, int count, bool known)
{
	int fd = -1;

	if (!known) {
		if ((fd = lock_file(a, set, kind, "known", LOCK_SH)) < 0)
			return -1;
		close(fd);
		fd = -1;
	}
	for (int n = 0; n < count && fd < 0; n++)
		fd = lock_file(a, set, kind, arena_printf(a, "%d", n), LOCK_EX);
	return fd;
}

/*
 * Takes the right to wait. One process may wait for a known browser, and one for all others. -1:
 * another process waits already.
 */
static int
lock_turn(struct arena *a, const struct settings *set, const char *kind, bool known)
{
	int fd = -1;

	for (int i = 0; i < TRIES && fd < 0; i++) {
		if (i > 0)
			poll(NULL, 0, 1);
		fd = lock_file(a, set, kind, known ? "known" : "wait", LOCK_EX);
	}
	return fd;
}

int
place_share(const struct settings *set)
{
	return set->workers < 4 ? 1 : set->workers / 2;
}

int
place_take(struct arena *a, const struct settings *set, const char *kind, int count, bool known)
{
	int fd = lock_any(a, set, kind, count, known), turn;
	bool wanted = false;

	if (fd >= 0 || (turn = lock_turn(a, set, kind, known)) < 0)
		return fd;
	for (int waited = 0; fd < 0 && waited <= PATIENCE_MS; waited += LOOK_MS) {
		poll(NULL, 0, LOOK_MS);
		if ((fd = lock_any(a, set, kind, count, known)) >= 0)
			break;
		/*
		 * Stop waiting only if this is true twice in a row: meanwhile a free worker may
		 * take the request.
		 */
		if (!known && watch_wanted() && wanted)
			break;
		wanted = watch_wanted();
	}
	close(turn);
	return fd;
}
