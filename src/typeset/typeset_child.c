/*
 * The child process that highlights code and sets formulas, and the cache of its answers. Contract:
 * typeset/typeset.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/build.h"
#include "base/child.h"
#include "base/descriptors.h"
#include "base/json.h"
#include "base/kept.h"
#include "base/priority.h"
#include "base/secret.h"
#include "typeset/typeset.h"

enum {
	/* Bytes: 20 times TYPESET_SOURCE_MAX. */
	ANSWER_MAX = 4 << 20,
	START_MS = 5000,       /* for the child to load its libraries */
	BLAME_MS = TYPESET_ONE_MS / 4, /* processor time after which a timeout is the text's fault */
	KEPT_IN_FOLDER = 1000, /* files in one of the 256 folders; when exceeded, the folder is emptied */
	REST_MS = 30000        /* wait before starting the child again after a failure */
};

/* The child of this process, which serves one request at a time. */
static struct {
	pid_t   pid;           /* 0: not running */
	int     to, from;
	int64_t failed;        /* time of the last failed start, ms */
	bool    used;          /* it has set a text before, so that a crash may be due to an earlier text */
} child;

/* How a request to the child ended. */
enum end {
	END_ANSWER,
	END_TEXT,              /* failed because of the text: a retry would fail, too */
	END_CHANCE             /* failed for another reason: a retry may succeed */
};

/* Monotonic, so that setting the clock does not affect time limits. */
static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- the child ---- */

/* Waits until the descriptor is ready; false: the time `until` (now_us()) has passed. */
static bool
wait_until_ready(int fd, short event, int64_t until)
{
	struct pollfd p = { .fd = fd, .events = event };
	int64_t left;

	for (;;) {
		left = (until - now_us()) / 1000;
		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)left) > 0)
			return true;
		if (errno != EINTR)
			return false;
	}
}

/*
 * Ends the child with SIGKILL: it has nothing to save, and another signal may not stop an endless
 * loop. Reaps it, so that no zombie remains. wait_ms: time to let a child exit that has closed its
 * pipe. True: the child ended by itself, by an error of its own or a resource limit, and was not
 * killed from outside.
 */
static bool
end_child(int wait_ms)
{
	int status = 0;
	pid_t ended;

	if (child.pid == 0)
		return false;
	while ((ended = waitpid(child.pid, &status, WNOHANG)) == 0 && wait_ms-- > 0)
		usleep(1000);
	if (ended == 0)
		kill(child.pid, SIGKILL);
	/* A signal may interrupt waitpid(). */
	while (ended == 0 && waitpid(child.pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(child.to);
	close(child.from);
	child.pid = 0;
	return ended > 0 && !(WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM));
}

void
typeset_end(void)
{
	end_child(0);
}

/* Runs in the child; never returns. */
static void
run_typeset(const char *path, int in, int out, pid_t parent)
{
	/*
	 * Close the parent's descriptors: the program must have no access to its database and
	 * listening socket.
	 */
	if (!child_set_up(parent) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	descriptors_close_from(3);
	execl(path, "octavo-typeset", (char *)NULL);
	_exit(127);
}

/*
 * Records the time of the failed start, for the pause before the next one (REST_MS). Returns false,
 * so that a failing step is one return statement.
 */
static bool
note_failed_start(void)
{
	child.failed = now_us();
	return false;
}

/*
 * Opens both pipes to the child, or none. O_CLOEXEC: as long as another child has inherited an end,
 * the reader at the other end does not see the end of file.
 */
static bool
open_pipes(int to[2], int from[2])
{
	if (pipe2(to, O_CLOEXEC) != 0)
		return false;
	if (pipe2(from, O_CLOEXEC) == 0)
		return true;
	close(to[0]);
	close(to[1]);
	return false;
}

static bool
start_child(void)
{
	char path[PATH_MAX];
	int to[2], from[2];
	pid_t parent = getpid();

	if (child.pid != 0)
		return true;
	/*
	 * Without this pause, a program that cannot start (a missing library, no free descriptor)
	 * would be started again for each text of each page.
	 */
	if ((child.failed != 0 && now_us() - child.failed < (int64_t)REST_MS * 1000) || !child_beside("typeset", path))
		return false;
	if (!open_pipes(to, from))
		return note_failed_start();
	child.pid = fork();
	if (child.pid == 0) {
		/* The child also serves later requests, so it must not keep the low priority of this one. */
		priority_restore();
		run_typeset(path, to[0], from[1], parent);
	}
	close(to[0]);
	close(from[1]);
	child.to = to[1];
	child.from = from[0];
	child.used = false;
	/*
	 * Non-blocking, on this end only: if the text is longer than the free space of the pipe, a
	 * blocking write() waits for the child to read, and a hanging child never does.
	 */
	if (child.pid > 0 && fcntl(child.to, F_SETFL, O_NONBLOCK) == 0)
		return true;
	if (child.pid > 0) {
		end_child(0);
		return note_failed_start();
	}
	child.pid = 0;
	close(child.to);
	close(child.from);
	return note_failed_start();
}

/*
 * Writes all bytes before `until`. Also false if the child has ended: the programs ignore SIGPIPE,
 * so write() fails with EPIPE.
 */
static bool
send_all(const char *p, size_t n, int64_t until)
{
	while (n > 0) {
		ssize_t done;
		if (!wait_until_ready(child.to, POLLOUT, until))
			return false;
		done = write(child.to, p, n);
		/* EAGAIN: the pipe had less than PIPE_BUF free although it was ready. */
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

static bool
receive_bytes(char *p, size_t n, int64_t until)
{
	while (n > 0) {
		ssize_t got;
		/*
		 * Wait before read(), whose errno is checked below: wait_until_ready() sets errno,
		 * too.
		 */
		if (!wait_until_ready(child.from, POLLIN, until))
			return false;
		got = read(child.from, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		/* 0: the child ended within an answer. */
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

/* Processor time of the child in microseconds; 0: unknown. */
static int64_t
child_cpu_us(void)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(child.pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/*
 * Waits for the greeting that a new child writes when it has loaded its libraries. Time limits of
 * texts begin after it.
 */
static bool
receive_greeting(void)
{
	char line[TYPESET_GREETING];

	return receive_bytes(line, sizeof(line), now_us() + START_MS * 1000) &&
	    memcmp(line, TYPESET_READY, sizeof(line)) == 0;
}

/*
 * Sends a text to the running child and receives its answer. END_TEXT: the answer is too long;
 * END_CHANCE: there was none.
 */
static enum end
exchange_text(struct arena *a, const char *head, struct str source, int64_t until, struct str *out)
{
	char size[10] = "";
	char *bytes;
	long n;

	if (!send_all(head, strlen(head), until) || !send_all(source.p, source.n, until) ||
	    !receive_bytes(size, 9, until))
		return END_CHANCE;
	/* The child is not trusted: bound the length that it announces. */
	if ((n = strtol(size, NULL, 10)) < 0 || n > ANSWER_MAX)
		return END_TEXT;
	bytes = arena_alloc(a, (size_t)n + 1);
	if (!receive_bytes(bytes, (size_t)n, until))
		return END_CHANCE;
	*out = (struct str){ bytes, (size_t)n };
	return END_ANSWER;
}

/*
 * Sends one request: a line "KIND LANGUAGE BYTES", then the bytes. The answer is a line of eight
 * digits, then that many bytes. A child that fails to answer is ended.
 *
 * END_TEXT blames the text: it used the processor for BLAME_MS without an answer, or the child died
 * on it as its first text. END_CHANCE does not: the child was killed from outside, or got no
 * processor time on a busy machine. If the child died after other texts, which may have used up its
 * memory, *died is set: try again with a new child.
 */
static enum end
ask_once(struct arena *a, const char *head, struct str source, struct str *out, bool *died)
{
	int64_t until, cpu;
	bool used, own;
	enum end end;

	*died = false;
	if (!start_child())
		return END_CHANCE;
	used = child.used;
	if (!used && !receive_greeting()) {
		child.failed = now_us();
		end_child(0);
		return END_CHANCE;
	}
	child.used = true;
	cpu = child_cpu_us();
	until = now_us() + TYPESET_ONE_MS * 1000;
	if ((end = exchange_text(a, head, source, until, out)) == END_ANSWER)
		return end;
	/* After a failure the pipes may be out of step, so the child is ended, not used again. */
	cpu = child_cpu_us() - cpu;
	/*
	 * A child that has closed its output is about to exit, and its exit status decides. On a
	 * busy machine that takes time: wait for the rest of the text's time limit.
	 */
	own = end_child(now_us() < until && end != END_TEXT ? (int)((until - now_us()) / 1000) : 0);
	/*
	 * The wait is in whole milliseconds, hence + 1000. The processor time of a child that has
	 * ended is unknown (0), so it is not blamed for a timeout.
	 */
	if (end == END_TEXT || now_us() + 1000 >= until)
		return end == END_TEXT || cpu > BLAME_MS * 1000 ? END_TEXT : END_CHANCE;
	*died = own && used;
	return own && !used ? END_TEXT : END_CHANCE;
}

static enum end
ask_child(struct arena *a, const char *kind, const char *language, struct str source, struct str *out)
{
	const char *head = arena_printf(a, "%s %s %zu\n", kind, language, source.n);
	enum end end;
	bool died;

	end = ask_once(a, head, source, out, &died);
	/* Try a new child, to find out whether the text is the cause. */
	return died ? ask_once(a, head, source, out, &died) : end;
}

/* ---- the cache ---- */

/*
 * Cache key. It contains the build, since another version of Prism or KaTeX gives other answers.
 * Line feeds separate the parts: kind and language contain none.
 */
static char *
cache_key(struct arena *a, const char *kind, const char *language, struct str source)
{
	struct buf b;

	buf_init(&b, a, TYPESET_SOURCE_MAX + 4096);
	buf_printf(&b, "%s\n%s\n%s\n", octavo_build, kind, language);
	buf_put(&b, source);
	return hex(a, hash_of(a, buf_view(&b)));
}

/*
 * Returns the cached or new answer; p NULL: none. Empty answers are cached, too, so that a text
 * that cannot be set is not tried again. The time to start the child does not count towards the
 * page's limit.
 */
static struct str
typeset_text(struct typeset *t, struct arena *a, const char *kind, const char *language, struct str source,
    struct str (*clean)(struct arena *a, struct str html))
{
	static const struct str none = { NULL, 0 };
	int64_t from = now_us();
	struct str out = none;
	bool fresh = child.pid == 0;
	enum end end;
	char *key;

	if (source.n == 0 || source.n > TYPESET_SOURCE_MAX)
		return none;
	key = cache_key(a, kind, language, source);
	if (t->dir != NULL && kept_get(a, t->dir, "typeset", key, &out))
		return out.n > 0 ? out : none;
	/* Check the limit after the cache: cached answers take no time and are always used. */
	if (t->spent_us > (t->limit_ms > 0 ? t->limit_ms : TYPESET_PAGE_MS) * 1000) {
		t->lacks = true;
		return none;
	}
	end = ask_child(a, kind, language, source, &out);
	/* Do not count the time to start the child. */
	if (end == END_ANSWER && fresh)
		from = now_us();
	/* Sanitize before caching: cached answers are returned without a check. */
	out = end == END_ANSWER ? clean(a, out) : none;
	/* It is also cached that a text cannot be set, or each view of its page would spend the time again. */
	if (end == END_CHANCE)
		t->lacks = true;
	else if (t->dir != NULL)
		kept_put(a, t->dir, "typeset", key, out.p != NULL ? out : STR(""), KEPT_IN_FOLDER);
	t->spent_us += now_us() - from;
	return out.n > 0 ? out : none;
}

/*
 * The language becomes part of the request line: refuse blanks and line feeds, which would forge
 * another request.
 */
struct str
typeset_code(struct typeset *t, struct arena *a, const char *language, struct str source)
{
	if (strlen(language) > 40 || *language == '\0' ||
	    language[strspn(language, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#-_.")] != '\0')
		return (struct str){ NULL, 0 };
	return typeset_text(t, a, "code", language, source, typeset_clean_code);
}

struct str
typeset_math(struct typeset *t, struct arena *a, const char *formula, bool display)
{
	return typeset_text(t, a, "math", display ? "display" : "inline", str_of(formula), typeset_clean_math);
}
