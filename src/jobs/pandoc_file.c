/* Converts HTML to EPUB and DOCX by pandoc. Contract: pandoc_file.h. */
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "pandoc_file.h"
#include "pdf/pdf.h"

/* MEMORY: address space, of which the run-time system of Haskell takes a multiple of its heap ("-M"). */
enum { SECONDS = 900 };
#define MEMORY ((int64_t)4 << 30)
#define FILE_BYTES ((int64_t)1 << 30)

/* In the child. */
static int
exec_pandoc(void *ctx, int out)
{
	const struct pandoc_run *r = ctx;
	/* HOME must not be a user's folder, since pandoc would read filters and templates in it. */
	char *const env[] = { "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", "XDG_DATA_HOME=/nonexistent", NULL };
	const char *argv[] = { r->program, "+RTS", "-M1500M", "-RTS", "--quiet", "-f", "html", "-t", r->format, "-o", r->to, r->from, NULL };

	(void)out;
	if (!child_no_network() || chdir("/") != 0)
		return 126;
	execve(r->program, (char *const *)argv, env);
	return 127;
}

static bool
report_alive(void *ctx)
{
	const struct pandoc_run *r = ctx;

	return r->alive(r->ctx);
}

const char *
pandoc_convert(const struct pandoc_run *r)
{
	struct child_job job = { .run = exec_pandoc, .tick = report_alive, .ctx = (void *)r, .seconds = SECONDS, .memory = MEMORY,
		.file_bytes = FILE_BYTES };
	struct child_result end = child_run(&job);

	if (end.end == CHILD_CANCELLED)
		return PDF_STOPPED;
	if (end.end == CHILD_TIMEOUT)
		return "pandoc takes longer than 15 minutes: take a page in place of the space";
	if (end.end != CHILD_EXITED)
		return arena_printf(r->arena, "pandoc was ended by signal %d", end.code);
	if (end.code == 127)
		return arena_printf(r->arena, "%s cannot be started", r->program);
	/* 251 is the exit status of Haskell's run-time system when the heap is full. */
	if (end.code != 0)
		return arena_printf(r->arena, "pandoc ended with status %d%s", end.code,
		    end.code == 251 ? ", since the content needs more memory than it may have: take a page in place of the space" : "");
	return NULL;
}
