/*
 * Starts a job runner on demand, for a shared host without cron or systemd. OCTAVO_JOBS names the
 * program. The runner runs the jobs that are due and ends. Its lock on DIR/run/jobs.lock ends a
 * second runner at once, so starting one too many does no harm.
 *
 * A web server waits for a CGI program until all copies of its descriptors are closed, and passes
 * the request in the environment. The runner inherits neither: its messages go to DIR/log/jobs.log,
 * and runner_environment() selects its variables.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/queue.h"
#include "base/child.h"

/*
 * True if a runner is running. This only saves the two forks of child_detach(): another runner may take the lock
 * before ours starts, and ours then ends by itself.
 */
static bool
runner_at_work(struct arena *a, const char *dir)
{
	int fd = open(arena_printf(a, "%s/run/jobs.lock", dir), O_RDWR | O_CLOEXEC);
	bool busy;

	if (fd < 0)
		return false;
	busy = flock(fd, LOCK_EX | LOCK_NB) != 0;
	close(fd);
	return busy;
}

/*
 * The environment of the runner: settings, and variables that system libraries use. The request is
 * left out, with its token (HTTP_AUTHORIZATION) and with HTTP_PROXY, which a client can set by a
 * header "Proxy:".
 */
static char **
runner_environment(struct arena *a, char **env)
{
	static const char *const kept[] = { "OCTAVO_", "PATH=", "HOME=", "TMPDIR=", "TZ=", "LANG=", "LC_",
		"SSL_CERT_", "http_proxy=", "https_proxy=", "all_proxy=", "no_proxy=", "ASAN_", "UBSAN_" };
	size_t n = 0, i, k;
	char **out;

	while (env[n] != NULL)
		n++;
	out = arena_array(a, n + 1, sizeof(*out));
	for (n = 0, i = 0; env[i] != NULL; i++)
		for (k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
			if (strncmp(env[i], kept[k], strlen(kept[k])) == 0)
				out[n++] = env[i];
	return out;
}

/* Runs in the new process. */
static void
become_runner(struct arena *a, const char *program, const char *dir)
{
	struct rlimit data;

	setenv("OCTAVO_DIR", dir, 1);
	/* The memory limit of a worker does not apply to the runner. */
	if (getrlimit(RLIMIT_DATA, &data) == 0) {
		data.rlim_cur = data.rlim_max;
		setrlimit(RLIMIT_DATA, &data);
	}
	execle(program, program, "--once", (char *)NULL, runner_environment(a, environ));
	_exit(127);
}

void
runner_wake(struct arena *a, const struct settings *set)
{
	if (*set->jobs == '\0' || runner_at_work(a, set->dir))
		return;
	mkdir(arena_printf(a, "%s/log", set->dir), 0700);
	if (child_detach(arena_printf(a, "%s/log/jobs.log", set->dir)))
		become_runner(a, set->jobs, set->dir);
}
