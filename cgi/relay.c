/*
 * Selects the program for a request, relays the request to its pool, and runs the pool. Contract:
 * cgi/launch.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "launch.h"

/*
 * WORKERS_MAX: shared hosts limit the number of processes. LOOK_S: longest delay until a replaced
 * program or changed settings are noticed, in seconds.
 */
enum { WORKERS_MAX = 16, LOOK_S = 2, LINE_MAX_BYTES = 64 };

/* True if the path begins with prefix and /v1 or /app, which octavo-api serves. */
static bool
is_api(const char *path, const char *prefix, size_t n)
{
	static const char *const firsts[] = { "/v1", "/app" };

	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		size_t k = strlen(firsts[i]);

		if (strncmp(path, prefix, n) == 0 && strncmp(path + n, firsts[i], k) == 0 && strchr("/?", path[n + k]) != NULL)
			return true;
	}
	return false;
}

/*
 * Returns the program for the request. Matches paths as url_below() of the programs does: at the
 * root, below OCTAVO_URL's path, or below the CGI program's own path.
 */
static const char *
program_of(void)
{
	const char *uri = getenv("REQUEST_URI"), *script = getenv("SCRIPT_NAME"), *url = getenv("OCTAVO_URL");
	const char *path = url == NULL ? NULL : strstr(url, "://");

	path = path == NULL ? NULL : strchr(path + 3, '/');
	if (uri == NULL)
		uri = "";
	if (is_api(uri, "", 0) || (path != NULL && is_api(uri, path, strlen(path))) ||
	    (script != NULL && is_api(uri, script, strlen(script))))
		return "octavo-api";
	return "octavo-site";
}

/* Hashes all settings with FNV-1a, independent of their order. */
static uint64_t
settings_hash(void)
{
	uint64_t sum = 0, h;

	for (char **e = environ; *e != NULL; e++) {
		if (strncmp(*e, "OCTAVO_", 7) != 0)
			continue;
		h = UINT64_C(14695981039346656037);
		for (const char *p = *e; *p != '\0'; p++)
			h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
		sum += h;
	}
	return sum;
}

/* Writes DIR/run/pool-NAME<ending>; false if it is too long for a socket address. */
static bool
pool_path(struct sockaddr_un *at, const char *name, const char *ending)
{
	const char *dir = getenv("OCTAVO_DIR");
	size_t n;

	at->sun_family = AF_UNIX;
	n = (size_t)snprintf(at->sun_path, sizeof(at->sun_path), "%s/run/pool-%s%s", dir, name, ending);
	return n < sizeof(at->sun_path);
}

/*
 * The name contains a hash of the settings, so a request never reaches a pool with other settings.
 */
static bool
socket_path(struct sockaddr_un *at, const char *name)
{
	char ending[32];

	snprintf(ending, sizeof(ending), "-%016llx.sock", (unsigned long long)settings_hash());
	return pool_path(at, name, ending);
}

static long
workers_wanted(void)
{
	const char *text = getenv("OCTAVO_POOL");
	long n = text == NULL ? 0 : strtol(text, NULL, 10);

	return n < 0 ? 0 : n > WORKERS_MAX ? WORKERS_MAX : n;
}

/*
 * Removes the request's variables from the environment before the pool starts. Same list as in
 * src/app/start_runner.c, which gives the reason.
 */
static void
clear_request(void)
{
	static const char *const kept[] = { "OCTAVO_", "PATH=", "HOME=", "TMPDIR=", "TZ=", "LANG=", "LC_",
		"SSL_CERT_", "http_proxy=", "https_proxy=", "all_proxy=", "no_proxy=", "ASAN_", "UBSAN_" };
	char **from, **to = environ;

	for (from = environ; *from != NULL; from++)
		for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			if (strncmp(*from, kept[k], strlen(kept[k])) == 0) {
				*to++ = *from;
				break;
			}
	*to = NULL;
}

/*
 * Starts the pool detached and without the web server's descriptors: the server would wait until
 * they are closed.
 */
static void
start_pool(const char *self, const char *name)
{
	pid_t pid = fork();
	int null;

	if (pid != 0) {
		if (pid > 0)
			waitpid(pid, NULL, 0);
		return;
	}
	if (fork() != 0)
		_exit(0);
	setsid();
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	descriptors_close_from(3);
	clear_request();
	execl(self, "octavo.cgi", "--pool", name, (char *)NULL);
	_exit(127);
}

int
relay_request(const char *self, char **argv)
{
	const char *name = program_of();
	struct sockaddr_un at = { 0 };
	int fd;

	if (workers_wanted() > 0 && socket_path(&at, name)) {
		fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
			/*
			 * If the pool breaks off, do not retry with a plain CGI program: the
			 * request may already have been executed.
			 */
			return relay_send(fd) ? 0 : 1;
		/* A plain CGI program answers this request; the pool serves the next ones. */
		start_pool(self, name);
	}
	return launch_program(name, argv);
}

/* ---- the pool ---- */

struct pool {
	const char        *name;
	struct sockaddr_un at, now;     /* the pool's socket; the file that names the newest pool */
	char               program[PATH_MAX * 2];
	struct stat        seen;        /* the program's file at the last check */
	int                fd;
	long               size;
	pid_t              workers[WORKERS_MAX];
	time_t             born[WORKERS_MAX];
};

static time_t
clock_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static void
start_worker(struct pool *p, long i)
{
	char *none[] = { NULL };
	pid_t master = getpid();

	p->born[i] = clock_seconds();
	p->workers[i] = fork();
	if (p->workers[i] != 0)
		return;
	/*
	 * If the host kills the pool's process, its workers must end too: no process would
	 * supervise them.
	 */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != master || dup2(p->fd, STDIN_FILENO) < 0)
		_exit(127);
	_exit(launch_program(p->name, none));
}

/* If the program was replaced, signals its workers: each ends after its current request. */
static void
look_at_program(struct pool *p)
{
	struct stat st;

	if (stat(p->program, &st) != 0 || (st.st_ino == p->seen.st_ino && st.st_mtime == p->seen.st_mtime &&
	    st.st_size == p->seen.st_size))
		return;
	/* A file that has just changed may still be uploading: wait. */
	if (time(NULL) - st.st_mtime < LOOK_S && st.st_mtime <= time(NULL))
		return;
	p->seen = st;
	for (long i = 0; i < p->size; i++)
		if (p->workers[i] > 0)
			kill(p->workers[i], SIGTERM);
}

/* True if this is still the newest pool of its name, and its data exists. */
static bool
is_wanted(const struct pool *p)
{
	char line[sizeof(p->at.sun_path)] = "", path[PATH_MAX];
	int fd = open(p->now.sun_path, O_RDONLY | O_CLOEXEC);
	bool same = fd >= 0 && read(fd, line, sizeof(line) - 1) >= 0 && strcmp(line, p->at.sun_path) == 0;

	if (fd >= 0)
		close(fd);
	snprintf(path, sizeof(path), "%s/octavo.db", getenv("OCTAVO_DIR"));
	return same && access(path, F_OK) == 0;
}

static bool
announce_socket(const struct pool *p)
{
	int fd = open(p->now.sun_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t n = strlen(p->at.sun_path);
	bool ok = fd >= 0 && write(fd, p->at.sun_path, n) == (ssize_t)n;

	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * Takes the pool's lock and creates its socket. If two requests start a pool at the same time, the
 * second one fails here.
 */
static bool
open_pool(struct pool *p)
{
	char lock[sizeof(p->at.sun_path) + 8];
	/*
	 * Only processes of the owner may connect: a client of the socket can send any request,
	 * with any sender address.
	 */
	mode_t old = umask(077);
	int fd;

	if (!socket_path(&p->at, p->name) || !pool_path(&p->now, p->name, ".now"))
		return false;
	snprintf(lock, sizeof(lock), "%s.lock", p->at.sun_path);
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0)
		return false;
	/*
	 * Remove the socket of a killed pool, since bind() would fail. The lock guarantees that no
	 * other pool uses it.
	 */
	unlink(p->at.sun_path);
	p->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (p->fd < 0 || bind(p->fd, (struct sockaddr *)&p->at, sizeof(p->at)) != 0 || listen(p->fd, 128) != 0)
		return false;
	umask(old);
	return announce_socket(p);
}

/*
 * Sends the workers' messages to a log file of their own: the web server's log is not available to
 * them.
 */
static void
open_log(void)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/log", getenv("OCTAVO_DIR"));
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/log/pool.log", getenv("OCTAVO_DIR"));
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd >= 0)
		dup2(fd, STDERR_FILENO);
}

static void
reap_workers(struct pool *p)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (long i = 0; i < p->size; i++)
			if (p->workers[i] == pid)
				p->workers[i] = 0;
	/* Restart a worker at most once per second, in case it dies at once. */
	for (long i = 0; i < p->size; i++)
		if (p->workers[i] <= 0 && clock_seconds() - p->born[i] >= 1)
			start_worker(p, i);
}

int
relay_pool(const char *name)
{
	struct pool p = { .name = name, .size = workers_wanted() };
	struct timespec look = { .tv_sec = LOOK_S };
	sigset_t chld;

	if (strcmp(name, "octavo-api") != 0 && strcmp(name, "octavo-site") != 0)
		return 2;
	open_log();
	launch_path(p.program, sizeof(p.program), "lib", name);
	if (p.size == 0 || stat(p.program, &p.seen) != 0 || !open_pool(&p))
		return 1;
	sigemptyset(&chld);
	/*
	 * SIGCHLD stays blocked except while workers are reaped and started, so that it cannot be
	 * lost between that and sigtimedwait().
	 */
	sigaddset(&chld, SIGCHLD);
	for (long i = 0; i < p.size; i++)
		start_worker(&p, i);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	while (is_wanted(&p)) {
		sigtimedwait(&chld, NULL, &look);
		sigprocmask(SIG_UNBLOCK, &chld, NULL);
		reap_workers(&p);
		sigprocmask(SIG_BLOCK, &chld, NULL);
		look_at_program(&p);
	}
	/*
	 * Unlink the socket before the workers end: a new request then finds no pool and is
	 * answered by plain CGI.
	 */
	unlink(p.at.sun_path);
	for (long i = 0; i < p.size; i++)
		if (p.workers[i] > 0)
			kill(p.workers[i], SIGTERM);
	while (wait(NULL) > 0)
		;
	return 0;
}
