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
#include "base/descriptors.h"
#include "base/json.h"
#include "base/kept.h"
#include "base/secret.h"
#include "typeset/typeset.h"

enum {
	/* Bytes: twenty times the longest source. */
	ANSWER_MAX = 4 << 20,
	START_MS = 5000,       /* for the child to read what it brings along */
	BLAME_MS = TYPESET_ONE_MS / 4, /* of the processor: several times what any text that ends takes */
	KEPT_IN_FOLDER = 1000, /* files in one of the 256 folders; when there are more, all of it goes */
	REST_MS = 30000        /* a child that failed to start is not started again before */
};

/* One for the process, which serves one request at a time. */
static struct {
	pid_t   pid;           /* 0: there is none */
	int     to, from;
	int64_t failed;        /* when it last could not be started, ms */
	bool    used;          /* it was asked something before: what it does now may be for the sake of that */
} child;

/* How a question ended. */
enum end {
	END_ANSWER,
	END_TEXT,              /* no answer, and the text is the reason: it will have none the next time either */
	END_CHANCE             /* no answer, for a reason that may be gone the next time */
};

/* Steady: limits must not depend on the clock being set. */
static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* ---- the child ---- */

/* Waits until the descriptor is ready; false: not in time. */
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
 * SIGKILL: the child has nothing to save, and one that hangs in a loop would not see another
 * signal. It is reaped here, so that workers leave no zombies. wait_ms: for one that closed its
 * end of the pipe and is about to be gone. True: it had ended by itself, and nobody else had
 * killed it: what it ran out of, or a fault, was its own.
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
	/* A signal may arrive while waiting. */
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

/* In the child; never returns. */
static void
run_typeset(const char *path, int in, int out, pid_t parent)
{
	/* Descriptors of the parent are closed: its database and its listening socket are not for this program. */
	if (!child_settle(parent) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	descriptors_close_from(3);
	execl(path, "octavo-typeset", (char *)NULL);
	_exit(127);
}

static bool
start_child(void)
{
	char path[PATH_MAX];
	int to[2], from[2];
	pid_t parent = getpid();

	if (child.pid != 0)
		return true;
	/* A program that is missing a library would otherwise be started for each text of each page. */
	if (time_now() - child.failed < REST_MS || !child_beside("typeset", path) || pipe2(to, O_CLOEXEC) != 0)
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
		run_typeset(path, to[0], from[1], parent);
	close(to[0]);
	close(from[1]);
	child.to = to[1];
	child.from = from[0];
	child.used = false;
	/*
	 * A pipe that has room for some bytes takes a longer write() only once all of it has room,
	 * and a child that hangs reads nothing: the write would never return. This end alone.
	 */
	if (child.pid > 0 && fcntl(child.to, F_SETFL, O_NONBLOCK) == 0)
		return true;
	if (child.pid > 0) {
		end_child(0);
		return false;
	}
	child.pid = 0;
	close(child.to);
	close(child.from);
	child.failed = time_now();
	return false;
}

/*
 * false also where the child is gone: SIGPIPE is ignored by the programs that set texts, so
 * write() says EPIPE.
 */
static bool
send_all(const char *p, size_t n, int64_t until)
{
	while (n > 0) {
		ssize_t done;
		if (!wait_until_ready(child.to, POLLOUT, until))
			return false;
		done = write(child.to, p, n);
		/* EAGAIN: less than PIPE_BUF was free after all. */
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
		/* Before errno is asked for: wait_until_ready() leaves one of its own. */
		if (!wait_until_ready(child.from, POLLIN, until))
			return false;
		got = read(child.from, p, n);
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

/* Processor time of the child in microseconds; 0: it cannot be told. */
static int64_t
child_cpu_us(void)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(child.pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* What a started child says once it has read what it brings along: from here on time is the text's. */
static bool
receive_greeting(void)
{
	char line[TYPESET_GREETING];

	return receive_bytes(line, sizeof(line), now_us() + START_MS * 1000) &&
	    memcmp(line, TYPESET_READY, sizeof(line)) == 0;
}

/* The answer of the child that runs. END_TEXT: too long a one; END_CHANCE: none. */
static enum end
exchange_text(struct arena *a, const char *head, struct str source, int64_t until, struct str *out)
{
	char size[10] = "";
	char *bytes;
	long n;

	if (!send_all(head, strlen(head), until) || !send_all(source.p, source.n, until) ||
	    !receive_bytes(size, 9, until))
		return END_CHANCE;
	/* The answer's length is believed up to ANSWER_MAX. */
	if ((n = strtol(size, NULL, 10)) < 0 || n > ANSWER_MAX)
		return END_TEXT;
	bytes = arena_alloc(a, (size_t)n + 1);
	if (!receive_bytes(bytes, (size_t)n, until))
		return END_CHANCE;
	*out = (struct str){ bytes, (size_t)n };
	return END_ANSWER;
}

/*
 * One question: a line "KIND LANGUAGE BYTES", then the bytes; the answer is a line of
 * eight digits, its bytes, and these. A child that does not answer is ended.
 *
 * Who is to blame: a text that had the processor for long (BLAME_MS) and did not end, or on
 * which a child died that was asked nothing else. A child that was killed from outside, or one
 * that got no processor on a busy machine, says nothing about the text; nor does one that died
 * after other texts, whose memory it may have been that ran out (*died: try it once more).
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
		child.failed = time_now();
		end_child(0);
		return END_CHANCE;
	}
	child.used = true;
	cpu = child_cpu_us();
	until = now_us() + TYPESET_ONE_MS * 1000;
	if ((end = exchange_text(a, head, source, until, out)) == END_ANSWER)
		return end;
	/*
	 * After any failure question and answer may be out of step: the child is ended rather
	 * than asked again.
	 */
	cpu = child_cpu_us() - cpu;
	/*
	 * A child whose output has ended is about to end itself, and how it did decides: on a busy machine
	 * that takes it a while, for which it has the rest of the text's time.
	 */
	own = end_child(now_us() < until && end != END_TEXT ? (int)((until - now_us()) / 1000) : 0);
	/* wait_until_ready() counts whole milliseconds. A process that is gone has no clock, and was not too slow. */
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
	/* A new child tells whether it was the text. */
	return died ? ask_once(a, head, source, out, &died) : end;
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
	key = key_of(a, kind, language, source);
	if (kept_get(a, t->dir, "typeset", key, &out))
		return out.n > 0 ? out : none;
	/* Kept answers were looked for first: they cost nothing and are always used. */
	if (t->spent_us > (t->limit_ms > 0 ? t->limit_ms : TYPESET_PAGE_MS) * 1000) {
		t->lacks = true;
		return none;
	}
	end = ask_child(a, kind, language, source, &out);
	/* The start of the child is left out of the page's time. */
	if (end == END_ANSWER && fresh)
		from = now_us();
	/* Cleaned before it is kept: what is read from the cache is not looked at again. */
	out = end == END_ANSWER ? clean(a, out) : none;
	/* A text that cannot be set is not tried again, or each view of its page would cost that time. */
	if (end == END_CHANCE)
		t->lacks = true;
	else
		kept_put(a, t->dir, "typeset", key, out.p != NULL ? out : STR(""), KEPT_IN_FOLDER);
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
	return typeset_text(t, a, "code", language, source, typeset_clean_code);
}

struct str
typeset_math(struct typeset *t, struct arena *a, const char *formula, bool display)
{
	return typeset_text(t, a, "math", display ? "display" : "inline", str_of(formula), typeset_clean_math);
}
