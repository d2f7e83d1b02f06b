/* The child that sets texts, and the files that keep what it made. Contract: typeset/typeset.h. */
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
#include "base/json.h"
#include "base/kept.h"
#include "base/secret.h"
#include "typeset/typeset.h"

enum {
	/* Bytes: twenty times the longest source. */
	ANSWER_MAX = 4 << 20,
	START_MS = 5000,       /* for the child to read what it brings along */
	KEPT_IN_FOLDER = 1000, /* files in one of the 256 folders; when there are more, all of it goes */
	REST_MS = 30000        /* a child that failed to start is not started again before */
};

/* One for the process, which serves one request at a time. */
static struct {
	pid_t   pid;           /* 0: there is none */
	int     to, from;
	int64_t failed;        /* when it last could not be started, ms */
} child;

/* Steady: limits must not depend on the clock being set. */
static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- the child ---- */

/*
 * SIGKILL: the child has nothing to save, and one that hangs in a loop would not see another
 * signal. It is reaped here, so that workers leave no zombies.
 */
void
typeset_end(void)
{
	if (child.pid == 0)
		return;
	kill(child.pid, SIGKILL);
	/* A signal may arrive while waiting. */
	while (waitpid(child.pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(child.to);
	close(child.from);
	child.pid = 0;
}

/* octavo-typeset in the folder of this program; where a loader of its own started that, of its launcher (cgi/launch.c). */
static bool
program(char path[PATH_MAX])
{
	const char *launcher = getenv("OCTAVO_LAUNCHER");
	ssize_t n = launcher != NULL ? snprintf(path, PATH_MAX, "%s", launcher) :
	    readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (n <= 0 || n >= PATH_MAX)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL || slash - path > PATH_MAX - 32)
		return false;
	snprintf(slash, 32, "/octavo-typeset");
	return access(path, X_OK) == 0;
}

/* In the child; never returns. */
static void
become(const char *path, int in, int out, pid_t parent)
{
	/* Descriptors of the parent are closed: its database and its listening socket are not for this program. */
	if (!child_settle(parent) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	close_range(3, ~0U, 0);
	execl(path, "octavo-typeset", (char *)NULL);
	_exit(127);
}

static bool
start(void)
{
	char path[PATH_MAX];
	int to[2], from[2];
	pid_t parent = getpid();

	if (child.pid != 0)
		return true;
	/* A program that is missing a library would otherwise be started for each text of each page. */
	if (time_now() - child.failed < REST_MS || !program(path) || pipe2(to, O_CLOEXEC) != 0)
		return false;
	/*
	 * O_CLOEXEC: another child of this process must not inherit the ends, or end of file
	 * would never come.
	 */
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return false;
	}
	child.pid = fork();
	if (child.pid == 0)
		become(path, to[0], from[1], parent);
	close(to[0]);
	close(from[1]);
	child.to = to[1];
	child.from = from[0];
	if (child.pid > 0)
		return true;
	child.pid = 0;
	close(child.to);
	close(child.from);
	child.failed = time_now();
	return false;
}

/* Waits until the descriptor is ready; false: not in time. */
static bool
ready(int fd, short event, int64_t until)
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
 * false also where the child is gone: SIGPIPE is ignored by the programs that set texts, so
 * write() says EPIPE.
 */
static bool
send_all(const char *p, size_t n, int64_t until)
{
	while (n > 0) {
		ssize_t done = ready(child.to, POLLOUT, until) ? write(child.to, p, n) : -1;
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

static bool
receive(char *p, size_t n, int64_t until)
{
	while (n > 0) {
		ssize_t got = ready(child.from, POLLIN, until) ? read(child.from, p, n) : -1;
		if (got < 0 && errno == EINTR)
			continue;
		/* 0: the child ended in the middle of an answer. */
		if (got <= 0)
			return false;
		p += got;
		n -= (size_t)got;
	}
	return true;
}

/*
 * One question: a line "KIND LANGUAGE BYTES", then the bytes; the answer is a line of
 * eight digits, its bytes, and these. False: the child did not answer and was ended.
 */
static bool
ask(struct arena *a, const char *kind, const char *language, struct str source, struct str *out)
{
	/* A new child is given more time: it reads Prism and KaTeX first. */
	bool fresh = child.pid == 0;
	int64_t until;
	char size[10] = "";
	char *head, *bytes;
	long n;

	if (!start())
		return false;
	until = now_us() + (TYPESET_ONE_MS + (fresh ? START_MS : 0)) * 1000;
	head = arena_printf(a, "%s %s %zu\n", kind, language, source.n);
	/*
	 * After any failure question and answer may be out of step: the child is ended rather
	 * than asked again.
	 */
	if (!send_all(head, strlen(head), until) || !send_all(source.p, source.n, until) ||
	    !receive(size, 9, until) || (n = strtol(size, NULL, 10)) < 0 || n > ANSWER_MAX) {
		if (fresh)
			child.failed = time_now();
		typeset_end();
		return false;
	}
	/* The answer's length is believed up to ANSWER_MAX. */
	bytes = arena_alloc(a, (size_t)n + 1);
	if (!receive(bytes, (size_t)n, until)) {
		typeset_end();
		return false;
	}
	*out = (struct str){ bytes, (size_t)n };
	return true;
}

/* ---- what is kept ---- */

/*
 * The build is part of the key: another version of Prism or KaTeX gives other answers. Line
 * feeds keep the parts apart: kind and language have none.
 */
static char *
key_of(struct arena *a, const char *kind, const char *language, struct str source)
{
	struct buf b;

	buf_init(&b, a, TYPESET_SOURCE_MAX + 4096);
	buf_printf(&b, "%s\n%s\n%s\n", octavo_build, kind, language);
	buf_put(&b, source);
	return hex(a, hash_of(a, buf_view(&b)));
}

/*
 * An empty answer is kept as well: what cannot be set is not tried again. The start of a child
 * that answers is not the page's time.
 */
static struct str
set(struct typeset *t, struct arena *a, const char *kind, const char *language, struct str source,
    struct str (*clean)(struct arena *a, struct str html))
{
	static const struct str none = { NULL, 0 };
	int64_t from = now_us();
	struct str out = none;
	bool fresh = child.pid == 0;
	char *key;

	if (source.n == 0 || source.n > TYPESET_SOURCE_MAX)
		return none;
	key = key_of(a, kind, language, source);
	if (kept_get(a, t->dir, "typeset", key, &out))
		return out.n > 0 ? out : none;
	/* Kept answers were looked for first: they cost nothing and are always used. */
	if (t->spent_us > TYPESET_PAGE_MS * 1000) {
		t->lacks = true;
		return none;
	}
	if (ask(a, kind, language, source, &out)) {
		/* The start of the child is left out of the page's time. */
		if (fresh)
			from = now_us();
		/* Cleaned before it is kept: what is read from the cache is not looked at again. */
		out = clean(a, out);
		kept_put(a, t->dir, "typeset", key, out.p != NULL ? out : STR(""), KEPT_IN_FOLDER);
	} else if (now_us() - from > TYPESET_ONE_MS * 1000) {
		/* A text that takes too long is not tried again, or each view of its page would cost that time. */
		kept_put(a, t->dir, "typeset", key, STR(""), KEPT_IN_FOLDER);
	} else {
		t->lacks = true;
	}
	t->spent_us += now_us() - from;
	return out.n > 0 ? out : none;
}

/* The language goes into the line of the question: blanks and line feeds in it would forge another one. */
struct str
typeset_code(struct typeset *t, struct arena *a, const char *language, struct str source)
{
	if (strlen(language) > 40 || *language == '\0' ||
	    language[strspn(language, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+#-_.")] != '\0')
		return (struct str){ NULL, 0 };
	return set(t, a, "code", language, source, typeset_clean_code);
}

struct str
typeset_math(struct typeset *t, struct arena *a, const char *formula, bool display)
{
	return set(t, a, "math", display ? "display" : "inline", str_of(formula), typeset_clean_math);
}
