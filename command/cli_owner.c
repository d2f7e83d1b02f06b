/*
 * When root runs the command on data of another user, the work is done as that user: files created
 * by root would be inaccessible to the service. Contract: include/command/cli.h.
 */
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/cli.h"

/* True if root runs the command and the data directory belongs to another user. */
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
	/*
	 * Set the groups before the user: after setuid() the process has no right to change them.
	 */
	if ((u != NULL ? initgroups(u->pw_name, st.st_gid) : setgroups(0, NULL)) == 0 &&
	    setgid(st.st_gid) == 0 && setuid(st.st_uid) == 0)
		return true;
	cli_fail(c, "cannot become the owner of %s (user %d)", c->dir, (int)st.st_uid);
	return false;
}

static pid_t worker;

/* Pass the signal on to the child. The child shuts down cleanly, then this process ends. */
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
	/* Flush before fork(), or both processes would write the buffered output. */
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
