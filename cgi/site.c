/*
 * octavo-site: serves published sites and files (include/reader/reader.h), and counts each answer
 * (include/http/metrics.h).
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "http/metrics.h"
#include "serve.h"
#include "reader/reader.h"

/*
 * Wrapper of struct io that passes everything on and records the status: an answer begins with its
 * Status line, or its status is 200.
 */
struct status_io {
	struct io  io;       /* must be first: code casts struct io * to struct status_io * */
	struct io *to;
	int        status;   /* HTTP status; 0: nothing was written yet */
};

static const char *
pass_param(struct io *io, const char *name)
{
	struct io *to = ((struct status_io *)io)->to;

	return to->param(to, name);
}

static long
pass_read(struct io *io, void *p, size_t n)
{
	struct io *to = ((struct status_io *)io)->to;

	return to->read(to, p, n);
}

static bool
pass_write(struct io *io, const void *p, size_t n)
{
	static const char line[] = "Status: ";
	struct status_io *note = (struct status_io *)io;

	if (note->status == 0)
		/* A CGI answer without a Status line has status 200 (RFC 3875 section 6.3.3). */
		note->status = n > sizeof(line) + 2 && memcmp(p, line, sizeof(line) - 1) == 0 ?
		    (int)strtol((const char *)p + sizeof(line) - 1, NULL, 10) : 200;
	return note->to->write(note->to, p, n);
}

static int64_t
clock_micros(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void
handle_request(struct worker *w, struct io *io)
{
	struct status_io note = { { pass_param, pass_read, pass_write }, io, 0 };
	int64_t start = clock_micros();

	site_handle(&note.io, w->arena, w->db, w->set);
	metrics_count_site(w->set, note.status, clock_micros() - start);
}

int
main(void)
{
	return serve_main("octavo-site", handle_request);
}
