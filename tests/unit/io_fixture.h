/*
 * A request in memory: io_run() dispatches one against an app and keeps what
 * was answered. Parameters are CGI variables. After req.h and cmocka.h.
 */
#ifndef IO_FIXTURE_H
#define IO_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

struct memory_io {
	struct io    io;           /* first */
	const char  *params[24];   /* name, value, name, value, …, NULL */
	struct str   body;
	size_t       taken;
	size_t       step;         /* at most so many bytes a read; 0: all */
	bool         hang_up;      /* the client goes away in the middle of the body */
	char        *out;          /* the answer */
	size_t       n;
	int          status;
	const char  *text;         /* its body */
};

static const char *
memory_param(struct io *io, const char *name)
{
	const char **p = ((struct memory_io *)io)->params;

	for (; *p != NULL; p += 2)
		if (strcmp(p[0], name) == 0)
			return p[1];
	return NULL;
}

static long
memory_read(struct io *io, void *p, size_t n)
{
	struct memory_io *m = (struct memory_io *)io;
	size_t left = m->body.n - m->taken;

	if (m->step > 0 && n > m->step)
		n = m->step;
	if (n > left)
		n = left;
	if (n == 0)
		return m->hang_up ? -1 : 0;
	memcpy(p, m->body.p + m->taken, n);
	m->taken += n;
	return (long)n;
}

static bool
memory_write(struct io *io, const void *p, size_t n)
{
	struct memory_io *m = (struct memory_io *)io;

	m->out = realloc(m->out, m->n + n + 1);
	memcpy(m->out + m->n, p, n);
	m->n += n;
	m->out[m->n] = '\0';
	return true;
}

/* The value of a header of the answer; NULL if it has none. */
static __attribute__((unused)) const char *
memory_header(struct arena *a, const struct memory_io *m, const char *name)
{
	const char *what = arena_printf(a, "\r\n%s: ", name), *p = strstr(m->out, what);

	return p == NULL || p > m->text ? NULL :
	    arena_strndup(a, p + strlen(what), strcspn(p + strlen(what), "\r"));
}

static void
io_run(struct memory_io *m, struct arena *a, struct db *db, const struct settings *set,
    const struct app *app)
{
	struct req *r = arena_alloc(a, sizeof(*r));

	m->io = (struct io){ memory_param, memory_read, memory_write };
	m->taken = 0;
	free(m->out);
	m->out = NULL;
	m->n = 0;
	r->io = &m->io;
	r->arena = a;
	r->db = db;
	r->set = set;
	r->app = app;
	dispatch(r);
	m->status = m->out != NULL && strncmp(m->out, "Status: ", 8) == 0 ? (int)strtol(m->out + 8, NULL, 10) : 0;
	m->text = strstr(m->out, "\r\n\r\n") + 4;
}

#endif
