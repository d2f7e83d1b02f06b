/*
 * Runs a function in a process of its own: its limits, its process group, and the pipe by which it
 * returns results and errors. Contract: base/child.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptors.h"
#include "base/priority.h"

/* AddressSanitizer reserves terabytes of address space, so RLIMIT_AS would stop it at once. */
#if defined(__SANITIZE_ADDRESS__)
#define SHADOWED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SHADOWED 1
#endif
#endif
#ifndef SHADOWED
#define SHADOWED 0
#endif

/*
 * TICK_MS: how late a cancelled job is noticed. REAP_MS: after the pipe is closed, how often to
 * check for the exit on kernels without pidfd_open() (before Linux 5.3).
 */
enum { TICK_MS = 500, REAP_MS = 5, OUT_FD = 3 };

struct watch {
	const struct child_job *job;
	pid_t   pid;
	int     in;          /* this process's end of the pipe; -1 once it is closed */
	int     exit;        /* pidfd, readable once the child has ended; -1: the kernel has none */
	int64_t deadline;    /* INT64_MAX: none */
	int64_t next_tick;
	bool    reaped;
	int     status;      /* from waitpid(), once the child is reaped */
	size_t  n;           /* bytes in line */
	char    line[CHILD_LINE + 1];
};

/* A monotonic clock: deadlines must not move with the time of day. */
static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void
child_say(int out, const char *fmt, ...)
{
	char line[CHILD_LINE + 2];
	va_list ap;
	size_t n, i;
	ssize_t w;

	va_start(ap, fmt);
	/*
	 * Write a line with one write(): up to PIPE_BUF bytes it does not mix with lines of other
	 * processes (POSIX, write()).
	 */
	vsnprintf(line, CHILD_LINE + 1, fmt, ap);
	va_end(ap);
	n = strlen(line);
	for (i = 0; i < n; i++)
		if (line[i] == '\n')
			line[i] = ' ';
	line[n++] = '\n';
	do
		w = write(out, line, n);
	while (w < 0 && errno == EINTR);
}

/*
 * Bytes that the process has mapped. The memory limit is set relative to this, since the child
 * inherits all of it.
 */
static int64_t
mapped_bytes(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%ld", &pages) != 1)
		pages = 0;
	fclose(f);
	return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

/* A limit that cannot be set is skipped: the parent's deadline still holds. */
static void
set_limit(int what, int64_t value)
{
	struct rlimit r, old;

	if (getrlimit(what, &old) != 0)
		return;
	r.rlim_cur = r.rlim_max = (rlim_t)value;
	/* Without privilege a hard limit can only be lowered. */
	if (old.rlim_max != RLIM_INFINITY && r.rlim_max > old.rlim_max)
		r.rlim_cur = r.rlim_max = old.rlim_max;
	setrlimit(what, &r);
}

/*
 * Runs in the child. The limit of processor time is per process: programs that the child starts
 * have their own.
 */
static void
apply_limits(const struct child_job *job)
{
	set_limit(RLIMIT_CORE, 0);
	if (job->seconds > 0)
		/* One second more than the parent's deadline: it ends a child whose parent does not run. */
		set_limit(RLIMIT_CPU, (int64_t)job->seconds + 1);
	if (job->file_bytes > 0)
		set_limit(RLIMIT_FSIZE, job->file_bytes);
	if (job->memory > 0 && !SHADOWED)
		set_limit(RLIMIT_AS, mapped_bytes() + job->memory);
}

/* The mask is reset, too: fork_quietly() blocks all signals, and a mask survives exec(). */
static void
reset_signals(void)
{
	sigset_t none;
	int i;

	for (i = 1; i < NSIG; i++)
		/*
		 * exec() keeps ignored signals ignored, but libraries and commands expect the
		 * defaults.
		 */
		signal(i, SIG_DFL);
	/* Let a write to a closed pipe fail instead of killing the process. */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Opens /dev/null as descriptors 0 and 1, keeps 2, makes the pipe descriptor OUT_FD, and closes all others. */
static bool
close_descriptors(int out)
{
	int null;

	if (out != OUT_FD && dup2(out, OUT_FD) < 0)
		return false;
	null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		return false;
	if (fcntl(OUT_FD, F_SETFD, FD_CLOEXEC) < 0)
		return false;
	descriptors_close_from(OUT_FD + 1);
	return true;
}

bool
child_set_up(pid_t parent)
{
	int null;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	set_limit(RLIMIT_CORE, 0);
	null = open("/dev/null", O_RDWR);
	if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		return false;
	return null <= 2 || close(null) == 0;
}

bool
child_detach(const char *log)
{
	pid_t pid = fork();
	sigset_t none;
	int null, fd;

	/*
	 * Forks a second time: the new process belongs to no parent that must wait for it, so it
	 * leaves no zombie.
	 */
	if (pid == 0 && fork() != 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (pid != 0)
		return false;
	priority_restore();
	/* A worker blocks SIGTERM while it serves a request, and blocked signals survive exec(). */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* A session of its own: signals that end a request go to the web server's session and process group. */
	setsid();
	null = open("/dev/null", O_RDWR);
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
	if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
		dup2(null, STDERR_FILENO);
	descriptors_close_from(3);
	return true;
}

void
child_limits(int64_t memory, int64_t seconds)
{
	if (seconds > 0)
		set_limit(RLIMIT_CPU, seconds);
	if (memory > 0 && !SHADOWED)
		set_limit(RLIMIT_AS, mapped_bytes() + memory);
}

bool
child_no_network(void)
{
	/*
	 * The filter protects against mistakes in our own programs, not against malice, so it
	 * checks one calling convention only.
	 */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/*
 * Leaves by _exit() on every path: exit() would run the parent's handlers and flush its stdio
 * buffers.
 */
static void __attribute__((noreturn))
child_main(const struct child_job *job, int out, pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent may have died before prctl() took effect. */
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	reset_signals();
	if (!close_descriptors(out))
		_exit(EXIT_FAILURE);
	/*
	 * Set last: the memory limit counts what is mapped so far, and the limit must not make
	 * opening descriptors fail.
	 */
	apply_limits(job);
	_exit(job->run(job->ctx, OUT_FD) & 0xff);
}

/* Split received bytes into lines; a line that is too long is passed on in pieces. */
static void
pass_lines(struct watch *w, const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i] != '\n' && w->n < CHILD_LINE) {
			w->line[w->n++] = p[i];
			continue;
		}
		w->line[w->n] = '\0';
		w->n = 0;
		if (w->job->line != NULL)
			w->job->line(w->job->ctx, w->line);
		if (p[i] != '\n')
			w->line[w->n++] = p[i];
	}
}

/* Read once, without blocking; at the end of the pipe close it and set w->in to -1. */
static void
pipe_drain(struct watch *w)
{
	char buf[16384];
	ssize_t n = read(w->in, buf, sizeof(buf));

	if (n > 0) {
		pass_lines(w, buf, (size_t)n);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		close(w->in);
		w->in = -1;
	}
}

/* Sets w->reaped and w->status if the child has ended. With flags 0, waits for its end. */
static void
reap_child(struct watch *w, int flags)
{
	pid_t r;

	do
		r = waitpid(w->pid, &w->status, flags);
	while (r < 0 && errno == EINTR);
	/* ECHILD: the caller ignores SIGCHLD, and the status is lost. */
	if (r < 0)
		w->status = W_EXITCODE(EXIT_FAILURE, 0);
	if (r != 0)
		w->reaped = true;
}

/*
 * Reads the rest of the child's output, which is in the pipe already. Must not block: a grandchild
 * may hold the pipe open.
 */
static void
drain_rest(struct watch *w)
{
	struct pollfd p = { .fd = w->in, .events = POLLIN };

	while (w->in >= 0 && poll(&p, 1, 0) > 0)
		pipe_drain(w);
}

/* Kill the whole group, then the child itself in case it had no group yet, and reap it. */
static void
kill_and_reap(struct watch *w)
{
	/* The group is killed even if the child has ended, since programs that it started may still be in it. */
	kill(-w->pid, SIGKILL);
	if (!w->reaped) {
		kill(w->pid, SIGKILL);
		reap_child(w, 0);
	}
	drain_rest(w);
	if (w->in >= 0)
		close(w->in);
	if (w->exit >= 0)
		close(w->exit);
}

/*
 * Wait for output or exit until the next tick or the deadline; true if a signal interrupted poll().
 */
static bool
wait_for_event(struct watch *w)
{
	/* While the pipe is open, wait for output; after that, for the exit. */
	struct pollfd p = { .fd = w->in >= 0 ? w->in : w->exit, .events = POLLIN };
	int64_t now = now_ms(), until = w->next_tick < w->deadline ? w->next_tick : w->deadline;
	int ms = until <= now ? 0 : (int)(until - now);
	int r;

	if (p.fd < 0 && ms > REAP_MS)
		ms = REAP_MS;
	r = poll(&p, 1, ms);
	if (r > 0 && w->in >= 0)
		pipe_drain(w);
	return r < 0 && errno == EINTR;
}

/* True while the child runs; otherwise *end says how it ended. */
static bool
watch_step(struct watch *w, enum child_end *end)
{
	bool signalled = wait_for_event(w), due = now_ms() >= w->next_tick;

	/*
	 * Normally the pipe is closed at the exit. A grandchild may hold it open, so check for the
	 * exit on each tick as well.
	 */
	if (w->in < 0 || due)
		reap_child(w, WNOHANG);
	if (w->reaped) {
		*end = CHILD_EXITED;
		return false;
	}
	if (now_ms() >= w->deadline) {
		*end = CHILD_TIMEOUT;
		return false;
	}
	if (due || signalled) {
		w->next_tick = now_ms() + TICK_MS;
		if (w->job->tick != NULL && !w->job->tick(w->job->ctx)) {
			*end = CHILD_CANCELLED;
			return false;
		}
	}
	return true;
}

/* Watches until the child ends or must be killed. On each path the child is reaped and its group killed. */
static struct child_result
watch_child(struct watch *w)
{
	struct child_result r = { CHILD_EXITED, 0 };

	while (watch_step(w, &r.end))
		;
	kill_and_reap(w);
	if (r.end != CHILD_EXITED)
		return r;
	if (WIFSIGNALED(w->status)) {
		r.code = WTERMSIG(w->status);
		/* SIGXCPU comes from RLIMIT_CPU: callers treat it as a timeout. */
		r.end = r.code == SIGXCPU ? CHILD_TIMEOUT : CHILD_SIGNALLED;
	} else {
		r.code = WEXITSTATUS(w->status);
	}
	return r;
}

/* fork() with all signals blocked, so that no handler of the parent runs in the child. */
static pid_t
fork_quietly(const struct child_job *job, const int fd[2])
{
	sigset_t all, old;
	pid_t parent = getpid(), pid;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	pid = fork();
	if (pid == 0)
		child_main(job, fd[1], parent);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

bool
child_beside(const char *name, char path[PATH_MAX])
{
	const char *launcher = getenv("OCTAVO_LAUNCHER");
	ssize_t n = launcher != NULL ? snprintf(path, PATH_MAX, "%s", launcher) :
	    readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (n <= 0 || n >= PATH_MAX)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	/* Leave room for the name that replaces the program's own. */
	if (slash == NULL || slash - path > PATH_MAX - 40)
		return false;
	snprintf(slash, 40, "/octavo-%s", name);
	if (access(path, X_OK) == 0)
		return true;
	/*
	 * The command octavo is in bin/, and the programs that it starts are in lib/ (make install,
	 * tools/tarball.sh).
	 */
	snprintf(slash, 40, launcher != NULL ? "/../lib/octavo-%s" : "/../lib/octavo/octavo-%s", name);
	return access(path, X_OK) == 0;
}

struct child_result
child_run(const struct child_job *job)
{
	struct watch w = { .job = job, .deadline = INT64_MAX };
	int fd[2];

	/* Close on exec: if another program inherited the writing end, the pipe would never be closed. */
	if (pipe2(fd, O_CLOEXEC) != 0)
		return (struct child_result){ CHILD_NOT_STARTED, errno };
	w.pid = fork_quietly(job, fd);
	if (w.pid < 0) {
		int e = errno;

		close(fd[0]);
		close(fd[1]);
		return (struct child_result){ CHILD_NOT_STARTED, e };
	}
	/*
	 * The child sets the group, too: whichever process runs first, the group exists before
	 * anything is killed.
	 */
	setpgid(w.pid, w.pid);
	/* Close the writing end here: otherwise reading would never reach the end of the pipe. */
	close(fd[1]);
	w.in = fd[0];
	/* The child is not reaped yet, so its pid is still valid. pidfds close on exec. */
	w.exit = (int)syscall(SYS_pidfd_open, w.pid, 0);
	if (job->seconds > 0)
		w.deadline = now_ms() + (int64_t)job->seconds * 1000;
	w.next_tick = now_ms() + TICK_MS;
	return watch_child(&w);
}
