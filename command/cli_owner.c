/*
 * root working on somebody else's data works as that user: files that root left behind
 * would be out of reach for the service. Contract: include/command/cli.h.
 */
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/cli.h"

/* Does root ask for what belongs to somebody else? */
static bool
is_foreign(const struct cli *c, struct stat *st)
{
	return c->command->needs_dir && geteuid() == 0 && stat(c->dir, st) == 0 && st->st_uid != 0;
}

bool
cli_become_owner(struct cli *c)
{
	struct stat st;
	struct passwd *u;

	if (!is_foreign(c, &st))
		return true;
	u = getpwuid(st.st_uid);
	/* Groups before the user: after setuid() there is no right left to change them. */
	if ((u != NULL ? initgroups(u->pw_name, st.st_gid) : setgroups(0, NULL)) == 0 &&
	    setgid(st.st_gid) == 0 && setuid(st.st_uid) == 0)
		return true;
	cli_fail(c, "cannot become the owner of %s (user %d)", c->dir, (int)st.st_uid);
	return false;
}

static pid_t worker;

/* The child ends in order, and then this process. */
static void
pass_on(int sig)
{
	kill(worker, sig);
}

int
cli_as_owner(struct cli *c, int (*work)(struct cli *c, void *ctx), void *ctx)
{
	struct sigaction sa = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct stat st;
	int status;

	if (!is_foreign(c, &st))
		return work(c, ctx);
	/* What is in the buffers would else be written by both processes. */
	fflush(NULL);
	if ((worker = fork()) < 0)
		return cli_fail(c, "there is no room for another process");
	if (worker == 0) {
		status = cli_become_owner(c) ? work(c, ctx) : CLI_FAILED;
		_exit(fflush(NULL) == 0 ? status : CLI_FAILED);
	}
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	return waitpid(worker, &status, 0) == worker && WIFEXITED(status) ? WEXITSTATUS(status) : CLI_FAILED;
}
