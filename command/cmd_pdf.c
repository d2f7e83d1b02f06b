/*
 * octavo pdf: makes the same file as the API: a PDF or another format (app/pdf_request.h). The job
 * runner makes it, and the command copies it to the given path, whose ending determines the format.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/pdf_request.h"
#include "base/settings.h"
#include "cmd_content.h"
#include "computed/computed.h"
#include "store/content.h"

SQL(q_space, "SELECT org, branch FROM space WHERE id = :id AND deleted_at IS NULL");
SQL(q_request, "SELECT branch FROM change_request WHERE id = :id AND space = :space");

/* Reads which pages to print; false after printing an error. */
static bool
read_wanted(struct cli *c, struct db *db, struct pdf_wanted *w)
{
	const char *page = cli_option(c, "page");
	struct stmt *q = db_use(db, &q_space);
	struct point p;
	struct node n;
	int64_t branch;

	*w = (struct pdf_wanted){ .space = cli_option(c, "space"), .request = cli_option(c, "request"),
		.page = page != NULL ? page : "", .alone = cli_flag(c, "only"), .format = pdf_format_of(c->argv[0]) };
	bind_text(q, ":id", w->space);
	if (!stmt_step(q)) {
		cli_fail(c, "there is no space %s", w->space);
		return false;
	}
	w->org = col_dup(q, 0, c->arena);
	branch = col_int(q, 1);
	if (w->request != NULL) {
		q = db_use(db, &q_request);
		bind_text(q, ":id", w->request);
		bind_text(q, ":space", w->space);
		if ((branch = stmt_int(q, -1)) < 0) {
			cli_fail(c, "there is no change request %s in this space", w->request);
			return false;
		}
	}
	if (!point_head(db, c->arena, branch, &p)) {
		cli_fail(c, "the space has no content");
		return false;
	}
	w->revision = p.revision;
	if (page != NULL && !node_get(db, c->arena, &p, page, &n) && computed_by_id(db, c->arena, &p, page) == NULL) {
		cli_fail(c, "there is no page %s in this space", page);
		return false;
	}
	return true;
}

/* Copies all bytes from one file to another. Returns 0, or errno. */
static int
copy_bytes(int from, int to)
{
	char piece[64 << 10];
	ssize_t n, done, k;

	while ((n = read(from, piece, sizeof(piece))) > 0)
		for (done = 0; done < n; done += k)
			if ((k = write(to, piece + done, (size_t)(n - done))) < 0)
				return errno;
	return n < 0 ? errno : 0;
}

static int
copy_file(struct cli *c, const char *from, int out, const char *path)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), error;

	if (in < 0)
		return cli_fail(c, "%s: %s", from, strerror(errno));
	/* ftruncate() fails with EINVAL for a device such as /dev/stdout; that is no error. */
	error = ftruncate(out, 0) != 0 && errno != EINVAL ? errno : copy_bytes(in, out);
	close(in);
	return error == 0 ? CLI_OK : cli_fail(c, "%s: %s", path, strerror(error));
}

static int
print_report(struct cli *c, struct db *db, const struct settings *set, const struct pdf_wanted *w, int out)
{
	struct pdf_found found;
	struct job_state s;
	char *job;

	if (!pdf_find(db, c->arena, set, w, &found))
		return cli_fail(c, "too many PDFs of this organization wait to be made");
	job = pdf_job(db, c->arena, found.id);
	/* End the read transaction: job_follow() may wait for a long time. */
	db_rollback(db);
	s = job_follow(c, db, job);
	if (strcmp(s.state, "done") != 0 && strcmp(s.state, "gone") != 0)
		return cli_fail(c, "the job ended as \"%s\": %s", s.state, s.error != NULL ? s.error : "no reason was given");
	if (copy_file(c, pdf_path(c->arena, set, found.id), out, c->argv[0]) != CLI_OK)
		return CLI_FAILED;
	if (s.result != NULL)
		job_report(c, db, job, &s, "file", c->argv[0]);
	return CLI_OK;
}

static const char *
from_command(void *ctx, const char *name)
{
	return strcmp(name, "OCTAVO_DIR") == 0 ? ((struct cli *)ctx)->dir : getenv(name);
}

/* Runs as the owner of the data; writes the PDF into a file that is already open. */
static int
print_pdf(struct cli *c, void *ctx)
{
	struct pdf_wanted w;
	struct settings *set;
	const char *error;
	struct db *db;
	int rc = CLI_FAILED;

	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	if ((set = settings_read(c->arena, from_command, c, &error)) == NULL)
		cli_fail(c, "%s", error);
	else if ((error = pdf_format_missing(c->arena, set, pdf_format_of(c->argv[0]))) != NULL)
		cli_fail(c, "%s", error);
	else if (read_wanted(c, db, &w)) {
		db_rollback(db);
		db_begin(db, true);
		pdf_queue(db, c->arena, set, &w);
		db_commit(db);
		rc = print_report(c, db, set, &w, *(int *)ctx);
	}
	db_close(db);
	return rc;
}

/* The calling user opens FILE, since the owner of the data may have no right to write there. */
int
cmd_pdf(struct cli *c)
{
	const char *path = c->argc == 1 ? c->argv[0] : NULL;
	bool was_there;
	int out, rc;

	if (path == NULL)
		return cli_usage(c, "FILE is missing: where the PDF is to be");
	if (cli_flag(c, "only") && cli_option(c, "page") == NULL)
		return cli_usage(c, "--only needs --page");
	was_there = access(path, F_OK) == 0;
	/* Do not truncate yet: if the PDF cannot be made, an older one stays intact. */
	out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (out < 0)
		return cli_fail(c, "%s: %s", path, strerror(errno));
	rc = cli_as_owner(c, print_pdf, &out);
	if (close(out) != 0 && rc == CLI_OK)
		rc = cli_fail(c, "%s: %s", path, strerror(errno));
	/* Delete only a file that this command created. */
	if (rc != CLI_OK && !was_there)
		unlink(path);
	return rc;
}
