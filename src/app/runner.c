/*
 * Starts a job runner where nothing else does (a shared host without cron or
 * systemd): OCTAVO_JOBS names the program. It runs what is due and ends; its
 * lock on DIR/run/jobs.lock keeps a second one away, so starting one too many
 * is harmless.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/queue.h"

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

/* In the grandchild: nothing of the worker's (its sockets, its database) may stay open. */
static void
become_runner(const char *program, const char *dir)
{
	struct rlimit data;
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	/* A worker holds TERM back while it serves; what is held back outlives exec. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	close_range(3, ~0U, 0);
	setenv("OCTAVO_DIR", dir, 1);
	/* A worker's limit of memory is not the runner's. */
	if (getrlimit(RLIMIT_DATA, &data) == 0) {
		data.rlim_cur = data.rlim_max;
		setrlimit(RLIMIT_DATA, &data);
	}
	execl(program, program, "--once", (char *)NULL);
	_exit(127);
}

void
runner_wake(struct arena *a, const struct settings *set)
{
	pid_t pid;

	if (*set->jobs == '\0' || runner_at_work(a, set->dir))
		return;
	/* Two forks: the worker never waits for the runner, and it leaves no zombie. */
	pid = fork();
	if (pid == 0) {
		if (fork() == 0)
			become_runner(set->jobs, set->dir);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}
