/* Commands as filters. Contract: base/filter.h. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/filter.h"

/*
 * PIECE: bytes per line of the pipe. Line feeds and NUL are sent as control characters that no text
 * contains.
 */
enum { PIECE = 3000, LINE_FEED = 1, NOTHING = 2 };
/*
 * LOG_BYTES: how much a command may add to the log. LOOK_MS: how often to check for its exit while
 * its pipe is open.
 */
enum { LOG_BYTES = 4096, LOOK_MS = 20 };

/* File in memory with these bytes, positioned at its start. */
static int
memory_file(struct str s)
{
	int fd = memfd_create("filter", MFD_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && s.n > 0) {
		if ((n = write(fd, s.p, s.n)) <= 0)
			return -1;
		s = str_slice(s, (size_t)n, s.n);
	}
	if (fd >= 0)
		lseek(fd, 0, SEEK_SET);
	return fd;
}

/* In the grandchild; does not return. Other descriptors are closed on exec. */
static void
start_command(const struct filter *f, int in, int out, int err)
{
	const char *const *e;

	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	for (e = f->env; e != NULL && *e != NULL; e++)
		/*
		 * putenv() keeps the pointer: the process is replaced or ends before the text is
		 * freed.
		 */
		putenv((char *)(uintptr_t)*e);
	if (f->shell)
		execl("/bin/sh", "sh", "-c", f->command, (char *)NULL);
	else
		execl(f->command, f->command, (char *)NULL);
	/* The status of sh for a missing command; filter_run() explains it to the admin. */
	_exit(127);
}

/* Send the answer only after the command has succeeded: half an answer is never used. */
static void
say_answer(int fd, int out)
{
	char piece[PIECE + 1];
	ssize_t n, i;

	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, piece, PIECE)) > 0) {
		for (i = 0; i < n; i++)
			if (piece[i] == '\n' || piece[i] == '\0')
				piece[i] = piece[i] == '\n' ? LINE_FEED : NOTHING;
		piece[n] = '\0';
		child_say(out, "%s", piece);
	}
}

/* Copy standard error of the command to ours, with harmless characters only; false at its end. */
static bool
pass_log(int err, size_t *left)
{
	char piece[1024];
	ssize_t n = read(err, piece, sizeof(piece)), i;
	size_t size;

	for (i = 0; i < n; i++)
		if (piece[i] != '\n' && ((unsigned char)piece[i] < ' ' || (unsigned char)piece[i] >= 0x7F))
			piece[i] = '?';
	size = n <= 0 ? 0 : (size_t)n < *left ? (size_t)n : *left;
	*left -= size;
	return n > 0 && (size == 0 || write(STDERR_FILENO, piece, size) >= 0);
}

/* Wait for the command only: what it left running may hold the pipe open. */
static int
wait_for(pid_t pid, int err)
{
	struct pollfd p = { .fd = err, .events = POLLIN };
	size_t left = LOG_BYTES;
	int status = 0;
	pid_t ended;

	for (;;) {
		/*
		 * Once the pipe is closed only the exit remains, so this may block; the parent's
		 * time limit applies.
		 */
		ended = waitpid(pid, &status, p.fd < 0 ? 0 : WNOHANG);
		if (ended != 0)
			break;
		if (poll(&p, 1, LOOK_MS) > 0 && !pass_log(err, &left))
			p.fd = -1;
	}
	while (p.fd >= 0 && poll(&p, 1, 0) > 0 && pass_log(err, &left))
		;
	return ended == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

/* Runs in the child: run the command between two files in memory. */
static int
run_filter(void *ctx, int out)
{
	const struct filter *f = ctx;
	int in = memory_file(f->in), answer = memory_file(STR("")), err[2], status;
	pid_t pid;

	if (in < 0 || answer < 0 || pipe2(err, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		return 126;
	if (pid == 0)
		start_command(f, in, answer, err[1]);
	close(err[1]);
	status = wait_for(pid, err[0]);
	if (status == 0)
		say_answer(answer, out);
	return status;
}

/* Leave the sign for NUL: callers expect text and refuse it as a control character. */
static void
take_piece(void *ctx, char *line)
{
	struct filter *f = ctx;
	size_t n = strlen(line), i;

	for (i = 0; i < n; i++)
		if (line[i] == LINE_FEED)
			line[i] = '\n';
	/* filter_tick() sees `over` and cancels; drop what arrives until then. */
	if (f->out.n + n > f->most)
		f->over = true;
	else
		buf_add(&f->out, line, n);
}

/* Also ends a command whose answer never ends. */
static bool
filter_tick(void *ctx)
{
	const struct filter *f = ctx;

	return !f->over && (f->tick == NULL || f->tick(f->ctx));
}

const char *
filter_run(struct arena *a, struct filter *f)
{
	struct child_result r;

	f->over = false;
	buf_init(&f->out, a, f->most + 1);
	r = child_run(&(struct child_job){ .run = run_filter, .line = take_piece, .tick = filter_tick, .ctx = f,
	    /*
	     * The answer is a file in memory, which RLIMIT_FSIZE bounds; 64 times leaves room for
	     * the command's own files.
	     */
	    .seconds = f->seconds, .file_bytes = (int64_t)f->most * 64 });
	if (f->over)
		return arena_printf(a, "answered more than %zu bytes", f->most);
	if (r.end == CHILD_TIMEOUT)
		return arena_printf(a, "took longer than %d s", f->seconds);
	if (r.end == CHILD_CANCELLED)
		return "was cancelled";
	if (r.end == CHILD_EXITED && r.code == 127)
		return "could not be started";
	if (r.end != CHILD_EXITED || r.code != 0)
		return arena_printf(a, "ended with status %d", r.code);
	return NULL;
}
