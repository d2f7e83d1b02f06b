/* Runs other programs as filters. Contract: base/filter.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptors.h"
#include "base/filter.h"
#include "base/json.h"

/*
 * LOG_BYTES: how much of a program's standard error is copied to the log. LOOK_MS: how often to
 * check for its exit while it is silent; END_MS: the same once it has closed its output. TICK_MS:
 * time between two calls of tick().
 */
enum { LOG_BYTES = 4096, LOOK_MS = 20, END_MS = 2, TICK_MS = 500, ARGS_MOST = 8 };

extern char **environ;

/* The program while it runs. A descriptor is -1 once it is closed. */
struct running {
	struct filter *f;
	pid_t          pid;
	int            in, out, err;    /* this process's ends of the program's standard input, output and error */
	struct str     left;            /* input that was not written yet */
	size_t         log_left;        /* bytes that may still be copied from its standard error */
	int64_t        until, tick_at;
	bool           cancelled;
};

/* ---- start ---- */

/* True if the list sets this variable. */
static bool
is_replaced(const char *const *list, const char *variable)
{
	size_t n = strcspn(variable, "="), i;

	for (i = 0; list != NULL && list[i] != NULL; i++)
		if (strncmp(list[i], variable, n) == 0 && list[i][n] == '=')
			return true;
	return false;
}

/* Does not return. */
static void
exec_program(const struct filter *f)
{
	const char *argv[ARGS_MOST + 4] = { f->shell ? "/bin/sh" : f->command, f->shell ? "-c" : NULL, f->shell ? f->command : NULL };
	size_t n = f->shell ? 3 : 1, k = 0, i, room = 1;
	const char **env;

	for (i = 0; f->env != NULL && f->env[i] != NULL; i++)
		room++;
	for (i = 0; environ[i] != NULL; i++)
		room++;
	env = arena_array(arena_new(room * sizeof(*env) + (64 << 10)), room, sizeof(*env));

	for (i = 0; f->args != NULL && f->args[i] != NULL && i < ARGS_MOST; i++)
		argv[n++] = f->args[i];
	argv[n] = NULL;
	for (i = 0; f->env != NULL && f->env[i] != NULL; i++)
		env[k++] = f->env[i];
	for (i = 0; !f->bare && environ[i] != NULL; i++)
		if (!is_replaced(f->env, environ[i]))
			env[k++] = environ[i];
	execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	/* sh ends with this status if there is no such command; failure_text() explains it. */
	_exit(127);
}

/* Runs in the child; never returns. */
static void
become_program(const struct filter *f, int in, int out, int err, pid_t parent)
{
	if (!child_set_up(parent) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
		_exit(126);
	/* Programs expect the default: a write to a pipe that nobody reads ends them. */
	signal(SIGPIPE, SIG_DFL);
	descriptors_close_from(STDERR_FILENO + 1);
	child_limits(0, f->seconds + 1);
	exec_program(f);
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool
start_program(struct running *r)
{
	int pipes[3][2] = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	pid_t parent = getpid();
	bool made = pipe2(pipes[0], O_CLOEXEC) == 0 && pipe2(pipes[1], O_CLOEXEC) == 0 && pipe2(pipes[2], O_CLOEXEC) == 0;

	r->pid = made ? fork() : -1;
	if (r->pid == 0)
		become_program(r->f, pipes[0][0], pipes[1][1], pipes[2][1], parent);
	/*
	 * The child sets the group, too: whichever process runs first, the group exists before
	 * anything is killed.
	 */
	if (r->pid > 0)
		setpgid(r->pid, r->pid);
	close_end(&pipes[0][0]);
	close_end(&pipes[1][1]);
	close_end(&pipes[2][1]);
	r->in = pipes[0][1];
	r->out = pipes[1][0];
	r->err = pipes[2][0];
	/*
	 * Only this process's ends are non-blocking: a program that does not read its input, or
	 * leaves something running, must not block this process.
	 */
	for (int i = 0; r->pid > 0 && i < 3; i++)
		fcntl(i == 0 ? r->in : i == 1 ? r->out : r->err, F_SETFL, O_NONBLOCK);
	return r->pid > 0;
}

/* ---- bytes ---- */

static bool
would_block(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void
write_some(struct running *r)
{
	ssize_t n = write(r->in, r->left.p, r->left.n);

	if (n > 0)
		r->left = str_slice(r->left, (size_t)n, r->left.n);
	/* EPIPE: the program does not want the rest of its input. Its status says whether that is an error. */
	if (r->left.n == 0 || (n < 0 && !would_block(n)))
		close_end(&r->in);
}

/* Reads once. False if there is nothing to read now. */
static bool
read_some(struct running *r)
{
	char piece[16 << 10];
	ssize_t n = read(r->out, piece, sizeof(piece));

	if (n > 0 && r->f->out.n + (size_t)n > r->f->most)
		r->f->over = true;
	else if (n > 0)
		buf_add(&r->f->out, piece, (size_t)n);
	if (n == 0 || (n < 0 && !would_block(n)))
		close_end(&r->out);
	return n > 0 && !r->f->over;
}

/* Copies the program's standard error to this process's, replacing all but printable ASCII. */
static bool
pass_log(struct running *r)
{
	char piece[1024];
	ssize_t n = read(r->err, piece, sizeof(piece)), i;
	size_t size = n <= 0 ? 0 : (size_t)n < r->log_left ? (size_t)n : r->log_left;

	for (i = 0; i < n; i++)
		if (piece[i] != '\n' && ((unsigned char)piece[i] < ' ' || (unsigned char)piece[i] >= 0x7F))
			piece[i] = '?';
	r->log_left -= size;
	if (n == 0 || (n < 0 && !would_block(n)) || (size > 0 && write(STDERR_FILENO, piece, size) < 0))
		close_end(&r->err);
	return n > 0 && r->err >= 0;
}

/* Waits for input or output, at most for a moment, and moves the bytes. */
static void
move_bytes(struct running *r)
{
	/* poll() ignores a negative descriptor. */
	struct pollfd fds[3] = { { .fd = r->in, .events = POLLOUT }, { .fd = r->out, .events = POLLIN }, { .fd = r->err, .events = POLLIN } };

	if (poll(fds, 3, r->out >= 0 ? LOOK_MS : END_MS) <= 0)
		return;
	if (fds[0].revents != 0)
		write_some(r);
	if (fds[1].revents != 0)
		read_some(r);
	if (fds[2].revents != 0)
		pass_log(r);
}

/* ---- end ---- */

/* False if the program must be killed: too much output, too late, or cancelled. */
static bool
may_go_on(struct running *r)
{
	int64_t now = time_steady();

	if (r->f->tick != NULL && now >= r->tick_at) {
		r->tick_at = now + TICK_MS;
		r->cancelled = !r->f->tick(r->f->ctx);
	}
	return !r->f->over && !r->cancelled && now < r->until;
}

/*
 * Waits for the end of the program itself, not of the processes that it started: these may hold its
 * pipes open, and are killed. Returns the status of waitpid().
 */
static int
wait_for_end(struct running *r)
{
	int status = 0;
	pid_t ended = 0;

	if (r->left.n == 0)
		close_end(&r->in);
	while ((ended = waitpid(r->pid, &status, WNOHANG)) == 0 && may_go_on(r))
		move_bytes(r);
	while (ended > 0 && r->out >= 0 && read_some(r))
		;
	while (ended > 0 && r->err >= 0 && pass_log(r))
		;
	kill(-r->pid, SIGKILL);
	while (ended == 0 && waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	close_end(&r->in);
	close_end(&r->out);
	close_end(&r->err);
	/*
	 * If the process ignores SIGCHLD, the status is lost. Report a failure, because the output
	 * may be truncated.
	 */
	return ended < 0 ? W_EXITCODE(EXIT_FAILURE, 0) : status;
}

static const char *
failure_text(struct arena *a, const struct running *r, int status)
{
	if (r->f->over)
		return arena_printf(a, "answered more than %zu bytes", r->f->most);
	if (r->cancelled)
		return "was cancelled";
	if (WIFSIGNALED(status) && time_steady() >= r->until)
		return arena_printf(a, "took longer than %d s", r->f->seconds);
	if (WIFSIGNALED(status))
		return arena_printf(a, "was ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) == 127)
		return "could not be started";
	return WEXITSTATUS(status) == 0 ? NULL : arena_printf(a, "ended with status %d", WEXITSTATUS(status));
}

const char *
filter_run(struct arena *a, struct filter *f)
{
	struct running r = { .f = f, .left = f->in, .log_left = LOG_BYTES, .until = time_steady() + f->seconds * 1000LL };
	/* If the program ends before it has read its input, the write fails instead of killing this process. */
	struct sigaction ignored = { .sa_handler = SIG_IGN }, before;
	const char *why;

	f->over = false;
	buf_init(&f->out, a, f->most + 1);
	if (!start_program(&r)) {
		why = strerror(errno);
		close_end(&r.in);
		close_end(&r.out);
		close_end(&r.err);
		return arena_printf(a, "could not be started: %s", why);
	}
	sigaction(SIGPIPE, &ignored, &before);
	why = failure_text(a, &r, wait_for_end(&r));
	sigaction(SIGPIPE, &before, NULL);
	return why;
}
