/*
 * Shared by the git tests: a temporary directory with repositories made by the git command, and
 * servers on loopback, which are stopped by pid.
 */
#ifndef OCTAVO_GIT_FIXTURE_H
#define OCTAVO_GIT_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../temp_dir.h"
#include "base/arena.h"
#include "git/git.h"

static char tmp[TEMP_MAX];   /* the test's directory */

#define UNUSED __attribute__((unused))

/* Runs a shell command inside tmp; true if it succeeds. */
static bool UNUSED __attribute__((format(printf, 1, 2)))
sh(const char *fmt, ...)
{
	char command[8192];
	va_list ap;
	int n = snprintf(command, sizeof(command), "cd '%s' && exec 2>>'%s/log' && ", tmp, tmp);

	va_start(ap, fmt);
	vsnprintf(command + n, sizeof(command) - (size_t)n, fmt, ap);
	va_end(ap);
	return system(command) == 0;
}

static bool UNUSED
have(const char *program)
{
	char command[200];

	snprintf(command, sizeof(command), "PATH=$PATH:/usr/sbin:/sbin command -v %s >/dev/null 2>&1", program);
	return system(command) == 0;
}

/* Skips the calling test if a program is missing. */
static void UNUSED
need(const char *program)
{
	if (have(program))
		return;
	print_message("skipped: %s is not installed\n", program);
	skip();
}

static int UNUSED
fixture_start(void)
{
	temp_dir(tmp);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "A. Writer", 1);
	setenv("GIT_AUTHOR_EMAIL", "a@example.org", 1);
	setenv("GIT_AUTHOR_DATE", "1700000000 +0100", 1);
	setenv("GIT_COMMITTER_NAME", "A. Writer", 1);
	setenv("GIT_COMMITTER_EMAIL", "a@example.org", 1);
	setenv("GIT_COMMITTER_DATE", "1700000000 +0100", 1);
	return 0;
}

static int UNUSED
fixture_stop(void)
{
	char command[200];

	snprintf(command, sizeof(command), "rm -rf '%s'", tmp);
	return system(command);
}

/* Makes work/ with three commits, a side branch and tags, and docs.git, a bare clone of it. */
static bool UNUSED
make_repository(void)
{
	return sh("git init -q -b main work && cd work && mkdir -p guide/deep .gitbook/assets && "
	    "printf '# Home\\n' > README.md && printf '* [Home](README.md)\\n' > SUMMARY.md && "
	    "printf 'one\\n' > guide/one.md && printf 'x' > guide/deep/x.md && "
	    "head -c 300000 /dev/urandom > .gitbook/assets/big.bin && : > empty.md && "
	    "printf '#!/bin/sh\\n' > run.sh && chmod +x run.sh && ln -s README.md link.md && "
	    "git add -A && git commit -q -m 'First' && "
	    "git tag light && git tag -a -m 'Release one' v1 && "
	    "printf 'two\\n' >> guide/one.md && git commit -q -am 'Second' && "
	    "git checkout -q -b side && printf 's' > side.md && git add -A && git commit -q -m 'Side' && "
	    "git checkout -q main && cd .. && git clone -q --bare work docs.git && "
	    "cd docs.git && git update-server-info && git config http.receivepack false");
}

/* Makes sha256.git, and partial.git, a partial clone whose missing objects cannot be fetched. */
static bool UNUSED
make_unreadable(void)
{
	return sh("git init -q --object-format=sha256 -b main ids && printf '# H\n' >ids/README.md && git -C ids add -A && "
	    "git -C ids commit -q -m 1 && git clone -q --bare ids sha256.git && git init -q -b main parts && cd parts && "
	    "git config uploadpack.allowfilter true && printf 'a\n' >README.md && git add -A && git commit -q -m 1 && "
	    "printf 'b\n' >README.md && git commit -q -am 2 && cd .. && "
	    "git clone -q --bare --filter=blob:none \"file://$PWD/parts\" partial.git && git -C partial.git config remote.origin.url /nowhere");
}

/* Both must fail permanently, with an error that names the cause. */
static void UNUSED
assert_unreadable(struct git_result sha256, struct git_result partial)
{
	assert_int_equal(sha256.status, GIT_NOT_FOUND);
	assert_string_equal(sha256.message, "that repository cannot be read: its ids are SHA-256");
	assert_int_equal(partial.status, GIT_NOT_FOUND);
	if (strstr(partial.message, "that repository is a partial clone") == NULL)
		fail_msg("%s", partial.message);
}

/* First line of a command's output. */
static UNUSED const char *
output(const char *command)
{
	static char line[256];
	char full[4096];
	FILE *p;

	snprintf(full, sizeof(full), "cd '%s' && %s", tmp, command);
	line[0] = '\0';
	p = popen(full, "r");
	if (p != NULL) {
		if (fgets(line, sizeof(line), p) == NULL)
			line[0] = '\0';
		pclose(p);
	}
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* Clock for waits on other processes; limits leave room for a busy machine. */
static double UNUSED
seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A socket that listens on a free port of 127.0.0.1; *port is set to it. */
static int UNUSED
listen_anywhere(int *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 || listen(fd, 16) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &n) != 0)
		return -1;
	*port = ntohs(a.sin_port);
	return fd;
}

static int UNUSED
free_port(void)
{
	int port = 0, fd = listen_anywhere(&port);

	if (fd >= 0)
		close(fd);
	return port;
}

/* Starts a program that dies with the test. */
static pid_t UNUSED
start(char *const argv[])
{
	pid_t pid = fork();

	if (pid == 0) {
		char log[100];

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		snprintf(log, sizeof(log), "%s/servers", tmp);
		if (freopen(log, "a", stderr) == NULL || freopen("/dev/null", "w", stdout) == NULL)
			_exit(127);
		setenv("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static void UNUSED
stop(pid_t pid)
{
	if (pid <= 0)
		return;
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

/* Waits until the port accepts connections. */
static bool UNUSED
wait_port(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((uint16_t)port) };
	int i, fd, ok = -1;

	for (i = 0; i < 500 && ok != 0; i++) {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		ok = connect(fd, (struct sockaddr *)&a, sizeof(a));
		close(fd);
		if (ok != 0)
			usleep(10000);
	}
	return ok == 0;
}

/* A request with generous limits that fetches into tmp/<cache>; loopback and paths below tmp are allowed. */
static struct git_request UNUSED
request(const char *url, const char *cache)
{
	static char dir[4][200];
	static int turn;
	char *d = dir[turn++ % 4];

	snprintf(d, sizeof(dir[0]), "%s/%s", tmp, cache);
	return (struct git_request){ .url = url, .cache = d, .file_root = tmp, .private_hosts = true,
		.limits = { .seconds = 120, .bytes = 100 << 20, .objects = 100000, .memory = 1 << 30 } };
}

/* No child may be left, running or as a zombie, except the servers that the test started. */
static void UNUSED
assert_no_children(const pid_t *mine, size_t count)
{
	char path[100], *p, *end, line[1024] = "";
	size_t i;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	f = fopen(path, "re");
	if (f == NULL)
		return;
	if (fgets(line, sizeof(line), f) == NULL)
		line[0] = '\0';
	fclose(f);
	for (p = line;; p = end) {
		long pid = strtol(p, &end, 10);
		bool known = false;

		if (end == p)
			return;
		for (i = 0; i < count; i++)
			known |= mine[i] == (pid_t)pid;
		if (!known)
			fail_msg("process %ld is left over", pid);
	}
}

#endif
