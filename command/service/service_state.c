/*
 * Running processes: the lock, the state file, and /proc. Contract: include/command/service.h.
 *
 * run/state has lines of "key value": boot, port, workers, rate, max_body, url, started, supervisor
 * PID START, one "part NAME PID START" per child, and the paths of the programs that the supervisor
 * restarts: api, site, jobs.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/process.h"
#include "command/service.h"

/* Far larger than the state: paths have at most PATH_MAX bytes each. */
#define STATE_MAX 32768

const char *const service_names[PARTS] = { "api", "site", "jobs", "nginx" };

const char *
service_path(const struct service *s, const char *folder, const char *name)
{
	return arena_printf(s->arena, "%s/%s/%s", s->dir, folder, name);
}

/*
 * Returns the descriptor, which holds the lock until it is closed or the process ends. -1 with
 * errno EWOULDBLOCK: another process holds the lock.
 */
int
service_lock(const struct service *s)
{
	const char *path = service_path(s, "run", "lock");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	/* `octavo down` must work on a file system that became read-only. */
	if (fd < 0 && errno == EROFS)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		int why = errno;

		close(fd);
		errno = why;
		return -1;
	}
	return fd;
}

/* Reads a small file completely; NULL if it cannot be read. */
static char *
read_small_file(struct arena *a, const char *path)
{
	char *text = NULL;
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	text = arena_alloc(a, STATE_MAX + 1);
	n = read(fd, text, STATE_MAX);
	close(fd);
	return n < 0 ? NULL : text;
}

/* Process ids and start times are only comparable within one boot. */
static const char *
boot_id(struct arena *a)
{
	char *id = read_small_file(a, "/proc/sys/kernel/random/boot_id");

	if (id == NULL)
		return "unknown";
	id[strcspn(id, "\n")] = '\0';
	return id;
}

/* Skips parts that this program does not know. */
static void
read_part(struct service *s, const char *value)
{
	char name[16];
	struct process p;

	if (sscanf(value, "%15s %d %" SCNd64, name, &p.pid, &p.start) != 3)
		return;
	for (int i = 0; i < PARTS; i++)
		if (strcmp(name, service_names[i]) == 0)
			s->parts[i] = p;
}

/* Skips unknown keys: another release may have written them. */
static void
read_state_line(struct service *s, const char *key, const char *value)
{
	int64_t n = strtoll(value, NULL, 10);

	if (strcmp(key, "port") == 0)
		s->port = (int)n;
	else if (strcmp(key, "workers") == 0)
		s->workers = (int)n;
	else if (strcmp(key, "rate") == 0)
		s->rate = (int)n;
	else if (strcmp(key, "max_body") == 0)
		s->max_body = n;
	else if (strcmp(key, "started") == 0)
		s->started = n;
	else if (strcmp(key, "url") == 0)
		s->url = value;
	else if (strcmp(key, "api") == 0)
		s->api = value;
	else if (strcmp(key, "site") == 0)
		s->site = value;
	else if (strcmp(key, "jobs") == 0)
		s->jobs = value;
	else if (strcmp(key, "supervisor") == 0)
		sscanf(value, "%d %" SCNd64, &s->supervisor.pid, &s->supervisor.start);
	else if (strcmp(key, "part") == 0)
		read_part(s, value);
}

bool
service_read_state(struct service *s)
{
	char *text = read_small_file(s->arena, service_path(s, "run", "state"));
	const char *boot = boot_id(s->arena);
	bool same_boot = false;

	while (text != NULL && *text != '\0') {
		char *line = text, *space;

		text += strcspn(text, "\n");
		if (*text != '\0')
			*text++ = '\0';
		space = strchr(line, ' ');
		if (space == NULL)
			continue;
		*space = '\0';
		if (strcmp(line, "boot") == 0)
			same_boot = strcmp(space + 1, boot) == 0;
		/*
		 * Ignore the state of an earlier boot: its process ids belong to other processes
		 * now. The line "boot" comes first.
		 */
		if (same_boot)
			read_state_line(s, line, space + 1);
	}
	return same_boot;
}

/* Not synced, since the state is valid only until the next boot. */
static bool
write_state(const struct service *s)
{
	const char *path = service_path(s, "run", "state"), *new = service_path(s, "run", "state.new");
	struct buf b;
	bool ok;
	int fd;

	buf_init(&b, s->arena, STATE_MAX);
	buf_printf(&b, "boot %s\nport %d\nworkers %d\nrate %d\nmax_body %" PRId64 "\nurl %s\n",
	    boot_id(s->arena), s->port, s->workers, s->rate, s->max_body, s->url);
	buf_printf(&b, "started %" PRId64 "\nsupervisor %d %" PRId64 "\n", s->started,
	    s->supervisor.pid, s->supervisor.start);
	buf_printf(&b, "api %s\n", s->api);
	if (s->site != NULL)
		buf_printf(&b, "site %s\n", s->site);
	if (s->jobs != NULL)
		buf_printf(&b, "jobs %s\n", s->jobs);
	for (int i = 0; i < PARTS; i++)
		if (s->parts[i].pid != 0)
			buf_printf(&b, "part %s %d %" PRId64 "\n", service_names[i], s->parts[i].pid,
			    s->parts[i].start);
	/* Rename the complete file, so that readers never see a partial state. */
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	ok = write(fd, b.p, b.n) == (ssize_t)b.n;
	close(fd);
	return ok && rename(new, path) == 0;
}

/* Uses an arena of its own: a supervisor runs for years, and its children may die often. */
bool
service_write_state(const struct service *s)
{
	struct service copy = *s;
	bool ok;

	copy.arena = arena_new(1 << 20);
	ok = write_state(&copy);
	arena_free(copy.arena);
	return ok;
}

void
service_drop_state(const struct service *s)
{
	unlink(service_path(s, "run", "state"));
}

bool
service_find_running(struct service *s)
{
	int lock = service_lock(s);

	if (lock >= 0) {
		/* The lock is free, so nothing runs. Release it at once. */
		close(lock);
		return false;
	}
	return service_read_state(s) && process_alive(s->supervisor);
}

void
service_set_environment(const struct service *s)
{
	setenv("OCTAVO_DIR", s->dir, 1);
	setenv("OCTAVO_URL", s->url, 1);
	setenv("OCTAVO_WORKERS", arena_printf(s->arena, "%d", s->workers), 1);
	/* 0: keep the admin's value. */
	setenv("OCTAVO_ACCESS_LOG", service_path(s, "log", "requests.log"), 0);
	setenv("OCTAVO_MAX_BODY", arena_printf(s->arena, "%" PRId64, s->max_body), 1);
}

int64_t
process_start(pid_t pid)
{
	struct process_seen seen;

	return process_look(pid, &seen) ? seen.start : -1;
}

struct process
process_of(pid_t pid)
{
	return (struct process){ pid, process_start(pid) };
}

bool
process_alive(struct process p)
{
	return p.pid > 0 && p.start >= 0 && process_start(p.pid) == p.start;
}

/* Reads the next process of /proc that can be read; false: there is none. */
static bool
next_process(DIR *d, struct process *p, struct process_seen *seen)
{
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]) && process_look(p->pid = (pid_t)strtol(e->d_name, NULL, 10), seen)) {
			p->start = seen->start;
			return true;
		}
	return false;
}

size_t
process_children(pid_t parent, struct process *out, size_t max)
{
	DIR *d = opendir("/proc");
	struct process_seen seen;
	struct process p;
	size_t count = 0;

	while (count < max && next_process(d, &p, &seen))
		if (seen.parent == parent)
			out[count++] = p;
	if (d != NULL)
		closedir(d);
	return count;
}

/*
 * The number of a group can be reused once its last process has ended, hence the look at the session,
 * which is the supervisor's.
 */
bool
service_part_left(const struct service *s, int part)
{
	const struct process *leader = &s->parts[part];
	DIR *d = leader->pid > 0 ? opendir("/proc") : NULL;
	struct process_seen seen;
	struct process p;
	bool found = false;

	while (!found && next_process(d, &p, &seen))
		found = seen.group == leader->pid && seen.session == s->supervisor.pid && seen.start >= leader->start;
	if (d != NULL)
		closedir(d);
	return found;
}
