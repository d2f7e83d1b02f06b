/*
 * An admin's command that finds the issues of conversations instead of the built-in rules:
 * run in a child, its answer held against a shape. Contract: outside.h.
 */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/scan.h"
#include "http/shape.h"
#include "outside.h"

enum { PIECE = 3000 };

static const struct shape OutsideIssue = { "OutsideIssue", (const struct field[]){
	{ "title", T_TEXT, F_REQ, .min = 1, .max = 300 },
	{ "summary", T_TEXT, .max = 2000 },
	{ 0 } } };
static const struct shape OutsideAnalysis = { "OutsideAnalysis", (const struct field[]){
	{ "issues", T_LIST, F_REQ, .of = &OutsideIssue, .max = ISSUES_MAX },
	{ 0 } } };

struct call {
	const char *command;
	struct str  in;
	struct buf  out;
	bool        over;     /* it answered too much */
};

/* A file in memory that holds the bytes, from its beginning. */
static int
memory_file(struct str s)
{
	int fd = memfd_create("analysis", MFD_CLOEXEC);
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

/* In the child: runs the command between two files in memory. */
static int
run(void *ctx, int out)
{
	struct call *c = ctx;
	int in = memory_file(c->in), answer = memory_file(STR("")), status;
	char piece[PIECE + 1];
	ssize_t n;
	pid_t pid;

	if (in < 0 || answer < 0 || (pid = fork()) < 0)
		return 126;
	if (pid == 0) {
		dup2(in, STDIN_FILENO);
		dup2(answer, STDOUT_FILENO);
		execl(c->command, c->command, (char *)NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
	lseek(answer, 0, SEEK_SET);
	while ((n = read(answer, piece, PIECE)) > 0) {
		piece[n] = '\0';
		child_say(out, "%s", piece);
	}
	return 0;
}

static void
take_piece(void *ctx, char *line)
{
	struct call *c = ctx;
	size_t n = strlen(line);

	if (c->out.n + n > OUTSIDE_BYTES)
		c->over = true;
	else
		buf_add(&c->out, line, n);
}

static const char *
why(struct arena *a, struct child_result r)
{
	if (r.end == CHILD_TIMEOUT)
		return arena_printf(a, "the command took longer than %d s", OUTSIDE_SECONDS);
	if (r.end == CHILD_EXITED && r.code == 127)
		return "the command could not be started";
	return arena_printf(a, "the command ended with status %d", r.code);
}

/* For the log: names of members are the command's, and maybe those of a conversation. */
static const char *
printable(char *s)
{
	char *p;

	for (p = s; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7F)
			*p = '?';
	return s;
}

/* The first thing that is wrong with an answer; NULL: nothing. */
static const char *
check(struct arena *a, struct call *c, cJSON **answer)
{
	struct faults f;
	const char *wrong;
	bool large;

	if (c->over)
		return "the answer is too long";
	if ((wrong = json_scan(a, buf_view(&c->out), &json_limits_body, &large)) != NULL)
		return arena_printf(a, "the answer is not JSON: %s", wrong);
	*answer = cJSON_ParseWithLength(c->out.p, c->out.n);
	faults_init(&f, a);
	if (*answer == NULL)
		return "the answer is not JSON";
	if (!shape_check(&f, &OutsideAnalysis, *answer, ""))
		return printable(arena_printf(a, "the answer: %.100s %.200s", f.first->path, f.first->message));
	return NULL;
}

int
outside_read(struct arena *a, struct analyst *w, const char *command, struct str conversation,
    struct issue *out, const char **error)
{
	struct call c = { .command = command, .in = conversation };
	const cJSON *v, *summary;
	struct child_result r;
	cJSON *answer = NULL;
	int n = 0;

	buf_init(&c.out, a, OUTSIDE_BYTES + 1);
	r = child_run(&(struct child_job){ .run = run, .line = take_piece, .ctx = &c, .seconds = OUTSIDE_SECONDS,
	    .file_bytes = OUTSIDE_BYTES * 64 });
	*error = r.end == CHILD_EXITED && r.code == 0 ? check(a, &c, &answer) : why(a, r);
	if (*error != NULL)
		return -1;
	cJSON_ArrayForEach(v, cJSON_GetObjectItemCaseSensitive(answer, "issues")) {
		summary = cJSON_GetObjectItemCaseSensitive(v, "summary");
		n += analyst_take(w, a, str_of(cJSON_GetObjectItemCaseSensitive(v, "title")->valuestring),
		    str_of(cJSON_IsString(summary) ? summary->valuestring :
		    cJSON_GetObjectItemCaseSensitive(v, "title")->valuestring), &out[n]);
	}
	return n;
}
