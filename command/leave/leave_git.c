/*
 * Writes spaces/: a bare repository for each space. A child process reads the history from the copy
 * of the database and writes it to git-fast-import(1), which is another process of the child's
 * group. Contract: command/leave.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "command/leave.h"
#include "leave_parts.h"

/* Unfinished spaces (store/space.h) have no content yet. */
#define SPACES "SELECT id, title FROM space WHERE (deleted_at IS NULL OR deleted_at > 2) AND %s ORDER BY id"

enum { SECONDS = 24 * 3600, NO_GIT = 3, GIT_FAILED = 4, NO_DATABASE = 5 };

struct space_out {
	struct leave *l;
	const char   *id, *repository;
	int64_t       revisions;
};

/*
 * Runs in a new process: executes git, with this standard input. Git's settings of the machine and
 * the user are ignored.
 */
static void
become_git(const char *const *argv, int in)
{
	int out = open("/dev/null", O_WRONLY);

	clearenv();
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("HOME", "/nonexistent", 1);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execvp("git", (char *const *)argv);
	_exit(errno == ENOENT ? NO_GIT : GIT_FAILED);
}

/* Starts git and returns its process; -1: errno. in: receives the descriptor of git's standard input. */
static pid_t
start_git(const char *const *argv, int in, int close_too)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (close_too >= 0)
			close(close_too);
		become_git(argv, in);
	}
	return pid;
}

/* Waits until git ends. Returns its exit status. */
static int
end_git(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return GIT_FAILED;
	return WEXITSTATUS(status) > GIT_FAILED ? GIT_FAILED : WEXITSTATUS(status);
}

static int
make_repository(const char *path)
{
	const char *const argv[] = { "git", "init", "--quiet", "--bare", "--template=", "--initial-branch=main", path, NULL };
	int in = open("/dev/null", O_RDONLY);

	return end_git(start_git(argv, in, -1));
}

/* Writes the space's history to a stream. */
static int
write_history(struct space_out *s, int out, FILE *f)
{
	struct arena *a = arena_new((size_t)8 << 30);
	const char *error;
	struct db *db = db_open(a, arena_printf(a, "%s/octavo.db", s->l->work), DB_ANY_VERSION, NULL, &error);

	if (db == NULL || f == NULL)
		return NO_DATABASE;
	db_begin(db, false);
	/* The export's files are below s->l->to/files; blob_path() appends "/blobs". */
	s->revisions = leave_history(db, a, s->l->work, s->id, f);
	child_say(out, "%lld", (long long)s->revisions);
	db_rollback(db);
	db_close(db);
	return 0;
}

/* Runs in the child. */
static int
run_space(void *ctx, int out)
{
	struct space_out *s = ctx;
	const char *const argv[] = { "git", "-C", s->repository, "fast-import", "--quiet", "--done", NULL };
	int ends[2], rc, status;
	FILE *f;
	pid_t pid;

	if ((rc = make_repository(s->repository)) != 0)
		return rc;
	if (pipe(ends) != 0)
		return GIT_FAILED;
	pid = start_git(argv, ends[0], ends[1]);
	close(ends[0]);
	f = fdopen(ends[1], "w");
	rc = write_history(s, out, f);
	if (f == NULL || fclose(f) != 0)
		rc = GIT_FAILED;
	status = end_git(pid);
	return rc != 0 ? rc : status;
}

/* If git is not installed, the stream itself is written to a file, which any git can read later. */
static int
run_stream(void *ctx, int out)
{
	struct space_out *s = ctx;
	FILE *f = fopen(s->repository, "we");
	int rc = write_history(s, out, f);

	return f == NULL || fclose(f) != 0 ? GIT_FAILED : rc;
}

static void
take_line(void *ctx, char *line)
{
	((struct space_out *)ctx)->revisions = strtoll(line, NULL, 10);
}

static bool
tick(void *ctx)
{
	struct space_out *s = ctx;

	cli_progress("repositories", s->l->spaces, 0);
	return leave_goes_on(s->l, "repositories", false);
}

static struct child_result
run_child(struct space_out *s)
{
	struct child_job job = { .run = s->l->streams ? run_stream : run_space, .line = take_line, .tick = tick, .ctx = s,
		.seconds = SECONDS };

	s->repository = arena_printf(s->l->arena, "%s/spaces/%s.%s", s->l->to, s->id, s->l->streams ? "fast-import" : "git");
	return child_run(&job);
}

/* Writes the title to the file in which tools of git look for a description. */
static bool
describe(struct space_out *s, const char *title)
{
	const char *name = arena_printf(s->l->arena, "spaces/%s.git/description", s->id);
	FILE *f;

	if (s->l->streams)
		return true;
	if ((f = leave_open(s->l, name)) == NULL)
		return false;
	fprintf(f, "%s\n", title);
	return leave_close(s->l, f, name);
}

/* Why the child failed, and what the admin can do. */
static const char *
why_not(struct leave *l, const struct child_result *r)
{
	if (r->end == CHILD_NOT_STARTED)
		return arena_printf(l->arena, "no process can be started (%s)", strerror(r->code));
	if (r->end == CHILD_SIGNALLED)
		return arena_printf(l->arena, "signal %d ended the process; is there enough memory? Then export again", r->code);
	if (r->end == CHILD_TIMEOUT)
		return arena_printf(l->arena, "it took longer than %d hours; export it when the machine has less to do", SECONDS / 3600);
	if (r->end == CHILD_EXITED && r->code == NO_DATABASE)
		return arena_printf(l->arena, "%s cannot be read; is there enough memory? Then export again", l->work);
	return arena_printf(l->arena, "git failed, and has said above why; is there room on the disk of %s? Then export again", l->to);
}

static void
take_space(void *ctx, struct stmt *q)
{
	struct leave *l = ctx;
	struct space_out s = { .l = l, .id = col_dup(q, 0, l->arena) };
	const char *title = col_dup(q, 1, l->arena);
	struct child_result r;

	if (!leave_goes_on(l, "repositories", false))
		return;
	r = run_child(&s);
	if (r.end == CHILD_EXITED && r.code == NO_GIT) {
		l->streams = true;
		rmdir(s.repository);
		r = run_child(&s);
	}
	if (r.end != CHILD_EXITED || r.code != 0)
		leave_fail(l, "the repository of space %s cannot be written: %s", s.id, why_not(l, &r));
	else if (describe(&s, title)) {
		l->spaces++;
		l->revisions += s.revisions;
	}
}

bool
leave_histories(struct leave *l)
{
	const struct leave_table *t = leave_table_find("space");
	const char *error;

	if (!folder_make(AT_FDCWD, arena_printf(l->arena, "%s/spaces", l->to), 0700))
		return leave_fail(l, "%s/spaces: %s", l->to, strerror(errno));
	if (!db_each(l->db, l->arena, arena_printf(l->arena, SPACES, leave_where(l->db, l->arena, t, l->org)), take_space, l, &error))
		return leave_fail(l, "spaces: %s", error);
	return l->error == NULL;
}
