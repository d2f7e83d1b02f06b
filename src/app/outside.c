/* Runs programs that need the network. Contract: app/outside.h. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptors.h"
#include "base/filter.h"
#include "base/log.h"
#include "app/outside.h"

/*
 * AT_ONCE: maximum number of programs of a kind that run at a time; further connections wait.
 * SLOW_SECONDS: time limit for a client that sends nothing.
 */
enum { AT_ONCE = 8, SLOW_SECONDS = 5, RUN_ARENA = 16 << 20 };

/*
 * socket: name of the socket, also used in the log; program: octavo-PROGRAM; NULL: the admin's
 * sendmail.
 */
struct kind {
	const char *socket, *program, *const *args, *const *env;
	size_t      most;
	int         seconds;
};
static const char *const no_args[] = { NULL }, *const mail_args[] = { "-t", "-i", NULL }, *const relay_args[] = { "--relay", NULL },
	*const mail_env[] = { "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL };
static const struct kind kinds[OUTSIDE_KINDS] = {
	[OUTSIDE_OIDC] = { "oidc", "oidc", no_args, no_args, OUTSIDE_MOST, OUTSIDE_OIDC_SECONDS },
	[OUTSIDE_MAIL] = { "mail", NULL, mail_args, mail_env, OUTSIDE_MOST, OUTSIDE_MAIL_SECONDS },
	[OUTSIDE_RELAY] = { "relay", "fetch", relay_args, no_args, OUTSIDE_RELAY_MOST, OUTSIDE_RELAY_SECONDS },
};

/* ---- the programs ---- */

/* program: path of the program; NULL: the one in the folder of this program. */
static const char *
run_here(struct arena *a, const struct settings *set, enum outside what, const char *program, struct str input,
    struct str *output)
{
	const struct kind *k = &kinds[what];
	struct filter f = { .bare = true, .in = input, .most = k->most, .args = k->args, .env = k->env, .seconds = k->seconds };
	char beside[PATH_MAX];
	const char *why;

	if (program == NULL && k->program != NULL && !child_beside(k->program, beside))
		return "is missing beside this program";
	f.command = program != NULL ? program : k->program != NULL ? beside : set->sendmail;
	why = filter_run(a, &f);
	*output = buf_view(&f.out);
	return why;
}

/* ---- the client ---- */

/* Makes the address of the socket. False, with errno, if its path is too long. */
static bool
make_address(const struct settings *set, enum outside what, struct sockaddr_un *out)
{
	*out = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if ((size_t)snprintf(out->sun_path, sizeof(out->sun_path), "%s/run/%s.sock", set->dir, kinds[what].socket) < sizeof(out->sun_path))
		return true;
	errno = ENAMETOOLONG;
	return false;
}

/* Connects to the socket, with a time limit for reads and writes. -1: no process listens. */
static int
connect_outside(const struct settings *set, enum outside what)
{
	/* This exceeds the time limit of the program, because the program may start only after others have ended. */
	struct timeval limit = { .tv_sec = 2 * kinds[what].seconds };
	struct sockaddr_un at;
	int fd = make_address(set, what, &at) ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool
send_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = send(fd, p, n, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* Reads up to the end. False if it takes too long, or there are too many bytes. */
static bool
receive_all(int fd, struct buf *b, size_t most)
{
	char piece[4096];
	ssize_t n;

	while ((n = recv(fd, piece, sizeof(piece), 0)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || b->n + (size_t)n > most)
			return false;
		buf_add(b, piece, (size_t)n);
	}
	return true;
}

const char *
outside_run(struct arena *a, const struct settings *set, enum outside what, const char *program, struct str input,
    struct str *output)
{
	int fd = program != NULL ? -1 : connect_outside(set, what);
	struct buf b;
	bool good;

	if (fd < 0)
		return run_here(a, set, what, program, input, output);
	buf_init(&b, a, kinds[what].most + 2);
	good = send_all(fd, input.p, input.n) && shutdown(fd, SHUT_WR) == 0 && receive_all(fd, &b, kinds[what].most + 1);
	close(fd);
	if (!good || b.n == 0)
		return "gave no answer through octavo-jobs";
	*output = str_slice(buf_view(&b), 1, b.n);
	return b.p[0] == '+' ? NULL : arena_strndup(a, output->p, output->n);
}

/* ---- the processes that listen ---- */

static void
answer_client(const struct settings *set, enum outside what, int fd)
{
	struct arena *a = arena_new(RUN_ARENA);
	struct timeval limit = { .tv_sec = SLOW_SECONDS };
	struct str output = { "", 0 };
	const char *why;
	struct buf b;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	buf_init(&b, a, kinds[what].most + 1);
	if (!receive_all(fd, &b, kinds[what].most) || b.n == 0)
		return;
	why = run_here(a, set, what, NULL, buf_view(&b), &output);
	if (why != NULL)
		output = str_of(why);
	if (send_all(fd, why == NULL ? "+" : "-", 1))
		send_all(fd, output.p, output.n);
}

/*
 * Reaps processes that have ended. If AT_ONCE processes run, waits until one ends. Returns how many
 * still run.
 */
static int
reap_runs(int running)
{
	while (running > 0 && waitpid(-1, NULL, running < AT_ONCE ? WNOHANG : 0) > 0)
		running--;
	return running;
}

/* Does not return. */
static void
serve_runs(const struct settings *set, enum outside what, int listener)
{
	int running = 0, fd;
	pid_t pid;

	for (;;) {
		running = reap_runs(running);
		if ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) < 0) {
			/* Out of descriptors or memory: this may be temporary. */
			poll(NULL, 0, 100);
			continue;
		}
		if ((pid = fork()) == 0) {
			close(listener);
			answer_client(set, what, fd);
			_exit(0);
		}
		running += pid > 0;
		close(fd);
	}
}

/* Runs in the new process. */
static void
begin_serving(const struct settings *set, enum outside what, pid_t parent)
{
	struct sockaddr_un at;
	int fd;

	if (!child_set_up(parent))
		_exit(1);
	/* Close everything that belongs to the runner, such as its database and its lock. */
	descriptors_close_from(STDERR_FILENO + 1);
	/* Remove the socket of an earlier runner, which has ended, because this runner has its lock. */
	if (!make_address(set, what, &at) || (fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0 ||
	    (unlink(at.sun_path) != 0 && errno != ENOENT) || bind(fd, (struct sockaddr *)&at, sizeof(at)) != 0 || listen(fd, 64) != 0) {
		log_line("run/%s.sock: %s; the programs that need it start %s%s themselves. Where their units give them no network, "
		    "choose a shorter OCTAVO_DIR, or free that path, and restart octavo-jobs", kinds[what].socket, strerror(errno),
		    kinds[what].program != NULL ? "octavo-" : "sendmail", kinds[what].program != NULL ? kinds[what].program : "");
		/* Do not try again, because the runner would log this failure each time. */
		for (;;)
			pause();
	}
	serve_runs(set, what, fd);
}

void
outside_keep(const struct settings *set, pid_t pids[OUTSIDE_KINDS])
{
	pid_t parent = getpid();

	for (int i = 0; i < OUTSIDE_KINDS; i++) {
		if (i == OUTSIDE_MAIL && *set->sendmail == '\0')
			continue;
		/* The process has ended: reap it, unless the pool has done so. */
		if (pids[i] > 0 && waitpid(pids[i], NULL, WNOHANG) == 0)
			continue;
		pids[i] = fork();
		if (pids[i] == 0)
			begin_serving(set, (enum outside)i, parent);
	}
}
