/*
 * Temporary directories of test programs. temp_dir() makes one; the test removes it when it has
 * passed. Everything left when the program ends, however it ends, is removed by a process that
 * waits for the end: neither a signal handler nor atexit() runs after SIGKILL or a failed
 * assertion.
 *
 * All of them are below one directory, octavo-XXXXXX, in TMPDIR, or in /tmp if TMPDIR is not set or
 * is too long for the paths of sockets below it.
 */
#ifndef OCTAVO_TEMP_DIR_H
#define OCTAVO_TEMP_DIR_H

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEMP_MAX = 64 };   /* size of a path made by temp_dir(), with its NUL */

static char temp_root[TEMP_MAX];

/*
 * Removes the root once the other end of the pipe is closed: by the test program and by all its
 * children that have not called exec.
 */
static inline void
temp_watch(int pipe_end)
{
	int null = open("/dev/null", O_RDWR);
	char c;

	setsid();
	signal(SIGHUP, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	/* So that readers of the test's output do not wait for this process. */
	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
	while (read(pipe_end, &c, 1) > 0)
		;
	execlp("rm", "rm", "-rf", "--", temp_root, (char *)NULL);
	_exit(127);
}

/* A program that ends by itself leaves an empty root, so it need not wait for the other process. */
static inline void
temp_leave(void)
{
	rmdir(temp_root);
}

static inline void
temp_start(void)
{
	const char *tmp = getenv("TMPDIR");
	int ends[2];
	pid_t pid;

	if (tmp == NULL || *tmp != '/' || strlen(tmp) + sizeof("/octavo-XXXXXX/9999999") > TEMP_MAX)
		tmp = "/tmp";
	snprintf(temp_root, sizeof(temp_root), "%.40s/octavo-XXXXXX", tmp);
	if (mkdtemp(temp_root) == NULL || pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		perror(temp_root);
		abort();
	}
	if (pid == 0) {
		/* A child of init, because tests count their children. */
		close(ends[1]);
		if (fork() == 0)
			temp_watch(ends[0]);
		_exit(0);
	}
	close(ends[0]);
	waitpid(pid, NULL, 0);
	atexit(temp_leave);
}

/* Makes an empty directory, mode 0700; its path goes to dir, which has room for TEMP_MAX bytes. */
static inline void
temp_dir(char *dir)
{
	static int count;
	int n;

	if (*temp_root == '\0')
		temp_start();
	/* A forked child has its own count: skip directories that its parent made. */
	do
		n = snprintf(dir, TEMP_MAX, "%s/%d", temp_root, count++);
	while (n < TEMP_MAX && mkdir(dir, 0700) != 0 && count < 10000000);
	if (access(dir, W_OK) != 0) {
		perror(dir);
		abort();
	}
}

#endif
