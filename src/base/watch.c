/* Ends processes that hang. Contract: base/watch.h. */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"
#include "base/process.h"
#include "base/spare.h"
#include "base/watch.h"

struct watch_slot {
	int64_t pid;       /* 0: free */
	int64_t start;     /* when the process started; if another process has this pid by now, the slot is free */
	int64_t since;     /* time_steady() when its request last made progress; 0: it has none */
	int64_t stopped;   /* when it was first found stopped; 0: it is not */
};

struct watch_file {
	int64_t looked;    /* time of the last check */
	struct watch_slot slots[WATCH_SLOTS];
};

static struct watch_file *file;
static struct watch_slot *mine;
static int file_fd = -1, listener = -1;

static int64_t
load_shared(const int64_t *n)
{
	return __atomic_load_n(n, __ATOMIC_ACQUIRE);
}

static void
store_shared(int64_t *n, int64_t value)
{
	__atomic_store_n(n, value, __ATOMIC_RELEASE);
}

void
watch_open(const char *dir)
{
	char path[PATH_MAX];

	if (file == NULL && snprintf(path, sizeof(path), "%s/run/watch", dir) < (int)sizeof(path))
		file = disk_map(path, sizeof(*file), &file_fd);
}

/* Reads the state of a slot's process. False if it has ended, even if another process has its pid. */
static bool
read_process(const struct watch_slot *s, struct process_seen *seen)
{
	int64_t pid = load_shared(&s->pid);

	return pid > 0 && process_look((pid_t)pid, seen) && seen->start == load_shared(&s->start);
}

/* Takes the lock, but does not wait for it: a process may have been stopped while it held the lock. */
static bool
lock_file(void)
{
	enum { TRIES = 100 };

	for (int i = 0; i < TRIES; i++) {
		if (flock(file_fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		usleep(1000);
	}
	return false;
}

void
watch_join(void)
{
	struct process_seen me, other;

	if (file == NULL || mine != NULL || !process_look(getpid(), &me) || !lock_file())
		return;
	for (size_t i = 0; i < WATCH_SLOTS && mine == NULL; i++)
		if (!read_process(&file->slots[i], &other))
			mine = &file->slots[i];
	if (mine != NULL) {
		/* The pid is cleared first, so that a process that checks at this moment sees a free slot. */
		store_shared(&mine->pid, 0);
		store_shared(&mine->since, 0);
		store_shared(&mine->stopped, 0);
		store_shared(&mine->start, me.start);
		store_shared(&mine->pid, getpid());
	}
	flock(file_fd, LOCK_UN);
}

void
watch_forked(void)
{
	mine = NULL;
}

int
watch_slot(void)
{
	return mine == NULL ? -1 : (int)(mine - file->slots);
}

int64_t
watch_pid(int slot)
{
	struct process_seen seen;

	return file != NULL && read_process(&file->slots[slot], &seen) ? load_shared(&file->slots[slot].pid) : 0;
}

void
watch_busy(void)
{
	if (mine != NULL)
		store_shared(&mine->since, time_steady());
}

void
watch_goes_on(void)
{
	if (mine != NULL && load_shared(&mine->since) != 0)
		watch_busy();
}

void
watch_idle(void)
{
	if (mine != NULL)
		store_shared(&mine->since, 0);
}

void
watch_listen(int fd)
{
	listener = fd;
}

bool
watch_wanted(void)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };

	return listener >= 0 && poll(&p, 1, 0) == 1 && (p.revents & POLLIN) != 0;
}

/* Returns why the process must be killed; NULL if it need not be. */
static const char *
find_fault(struct watch_slot *s, char state, int64_t now, int64_t limit_ms)
{
	int64_t since = load_shared(&s->since), stopped = load_shared(&s->stopped);

	if (since != 0 && now - since > limit_ms)
		return "holds a request beyond the limit";
	if (state != 'T') {
		store_shared(&s->stopped, 0);
		return NULL;
	}
	/* The file may be from before a reboot: then its times are later than now. */
	if (stopped == 0 || stopped > now)
		store_shared(&s->stopped, now);
	else if (now - stopped >= WATCH_STOPPED_MS)
		return "was stopped";
	return NULL;
}

int
watch_look(int64_t limit_ms, const int64_t *when)
{
	int64_t now = when != NULL ? *when : time_steady(), looked;
	struct process_seen seen;
	const char *why;
	int n = 0;

	if (file == NULL)
		return 0;
	looked = load_shared(&file->looked);
	/*
	 * If several processes come at the same time, only one checks. looked > now: the file is
	 * from before a reboot.
	 */
	if (when == NULL && ((looked <= now && now - looked < WATCH_EVERY_MS) ||
	    !__atomic_compare_exchange_n(&file->looked, &looked, now, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)))
		return 0;
	for (struct watch_slot *s = file->slots; s < file->slots + WATCH_SLOTS; s++)
		if (s != mine && read_process(s, &seen) && (why = find_fault(s, seen.state, now, limit_ms)) != NULL &&
		    kill((pid_t)load_shared(&s->pid), SIGKILL) == 0) {
			log_line("process %d %s: it is killed", (int)load_shared(&s->pid), why);
			n++;
		}
	return n;
}
