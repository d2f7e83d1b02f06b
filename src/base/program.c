/* Runs another program on a text. Contract: base/program.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/descriptors.h"
#include "base/json.h"
#include "base/program.h"

/* The child while it runs. A descriptor is -1 once it is closed. */
struct run {
	pid_t      pid;
	int        to, from;
	struct str left;     /* input that was not written yet */
	struct buf out;
	bool       large;    /* it printed more than is wanted */
};

/* Runs in the child; never returns. */
static void
become_program(const struct program *p, int in, int out, pid_t parent)
{
	if (!child_set_up(parent) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	descriptors_close_from(3);
	execve(p->argv[0], (char *const *)p->argv, (char *const *)p->env);
	_exit(127);
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool
start_program(struct run *r, const struct program *p)
{
	pid_t parent = getpid();
	int to[2] = { -1, -1 }, from[2] = { -1, -1 };

	r->to = r->from = -1;
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0 || (r->pid = fork()) < 0) {
		close_end(&to[0]);
		close_end(&to[1]);
		close_end(&from[0]);
		close_end(&from[1]);
		return false;
	}
	if (r->pid == 0)
		become_program(p, to[0], from[1], parent);
	close(to[0]);
	close(from[1]);
	r->to = to[1];
	r->from = from[0];
	/* On this end only: a program that does not read must not block us. */
	fcntl(r->to, F_SETFL, O_NONBLOCK);
	return true;
}

static void
write_some(struct run *r)
{
	ssize_t n = write(r->to, r->left.p, r->left.n);

	if (n > 0)
		r->left = str_slice(r->left, (size_t)n, r->left.n);
	/* EPIPE: it does not want the rest, and its status tells what that means. */
	if (r->left.n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&r->to);
}

static void
read_some(struct run *r, size_t most)
{
	char piece[16 << 10];
	ssize_t n = read(r->from, piece, sizeof(piece));

	if (n > 0 && r->out.n + (size_t)n <= most)
		buf_add(&r->out, piece, (size_t)n);
	else if (n > 0)
		r->large = true;
	if (n == 0 || (n < 0 && errno != EINTR) || r->large)
		close_end(&r->from);
}

/* Writes and reads until the program has closed its output or the time is over. */
static void
exchange_bytes(struct run *r, const struct program *p, int64_t until)
{
	if (r->left.n == 0)
		close_end(&r->to);
	while (r->from >= 0) {
		/* poll() ignores a negative descriptor. */
		struct pollfd fds[2] = { { .fd = r->to, .events = POLLOUT }, { .fd = r->from, .events = POLLIN } };
		int64_t left = until - time_steady();

		if (left <= 0 || (poll(fds, 2, (int)left) < 0 && errno != EINTR))
			break;
		if (fds[0].revents != 0)
			write_some(r);
		if (fds[1].revents != 0)
			read_some(r, p->most);
	}
	close_end(&r->to);
	close_end(&r->from);
}

/* Waits for the end, kills the whole group after `until`. Returns the status of waitpid(). */
static int
reap_program(pid_t pid, int64_t until)
{
	int status = 0;
	pid_t ended;

	while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && time_steady() < until)
		poll(NULL, 0, 5);
	kill(-pid, SIGKILL);
	while (ended == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

bool
program_run(struct arena *a, const struct program *p, struct str *output, const char **why)
{
	struct run r = { .left = p->input };
	int64_t until = time_steady() + p->seconds * 1000LL;
	/* A program that ends before it has read everything must not end us. */
	struct sigaction ignored = { .sa_handler = SIG_IGN }, before;
	int status;

	buf_init(&r.out, a, p->most + 1);
	if (!start_program(&r, p)) {
		*why = strerror(errno);
		return false;
	}
	sigaction(SIGPIPE, &ignored, &before);
	exchange_bytes(&r, p, until);
	sigaction(SIGPIPE, &before, NULL);
	status = reap_program(r.pid, r.large ? 0 : until);
	*output = buf_view(&r.out);
	if (r.large)
		*why = "it printed too much";
	else if (WIFSIGNALED(status))
		*why = time_steady() >= until ? "it took too long" : "a signal ended it";
	else if (WEXITSTATUS(status) == 127)
		*why = "it cannot be started";
	else
		*why = arena_printf(a, "it ended with status %d", WEXITSTATUS(status));
	return !r.large && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
