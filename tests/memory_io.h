/*
 * A request in memory, for tests and fuzzers: replaces the web server for input and output.
 * memory_request() makes one, memory_set() adds CGI parameters, memory_serve() dispatches it; after
 * that status, out and text hold the response. One memory_io can serve many requests; memory_free()
 * frees the response.
 */
#ifndef OCTAVO_MEMORY_IO_H
#define OCTAVO_MEMORY_IO_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/req.h"

struct memory_io {
	struct io   io;           /* first, so that a struct io * can be cast to a struct memory_io * */
	const char *params[32];   /* name, value, name, value, …, NULL */
	struct str  body;
	size_t      taken;
	size_t      step;         /* maximum bytes per read; 0: no limit */
	bool        hang_up;      /* the client disconnects in the middle of the body */
	char       *out;          /* the response, with its head */
	size_t      n, room;
	int         status;       /* 0: no response */
	const char *text;         /* the body of the response */
};

static inline const char *
memory_param(struct io *io, const char *name)
{
	const char **p = ((struct memory_io *)io)->params;

	for (; *p != NULL; p += 2)
		if (strcmp(p[0], name) == 0)
			return p[1];
	return NULL;
}

static inline long
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

static inline bool
memory_write(struct io *io, const void *p, size_t n)
{
	struct memory_io *m = (struct memory_io *)io;

	if (m->n + n >= m->room) {
		m->room = (m->n + n) * 2 + 4096;
		m->out = realloc(m->out, m->room);
		if (m->out == NULL)
			abort();
	}
	memcpy(m->out + m->n, p, n);
	m->n += n;
	m->out[m->n] = '\0';
	return true;
}

/* Sets a parameter, or removes it (NULL). */
static inline void
memory_set(struct memory_io *m, const char *name, const char *value)
{
	const char **p = m->params;

	while (*p != NULL && strcmp(*p, name) != 0)
		p += 2;
	if (value == NULL) {
		for (; *p != NULL; p += 2) {
			p[0] = p[2];
			p[1] = p[3];
		}
		return;
	}
	p[0] = name;
	p[1] = value;
}

/* A new request; token NULL: without one; body.p NULL: without a body. The arguments must stay valid. */
static inline void
memory_request(struct memory_io *m, struct arena *a, const char *method, const char *uri,
    const char *token, struct str body)
{
	const char *query = strchr(uri, '?');

	*m = (struct memory_io){ .io = { memory_param, memory_read, memory_write }, .body = body,
		.out = m->out, .room = m->room };
	memory_set(m, "REQUEST_METHOD", method);
	memory_set(m, "REQUEST_URI", uri);
	memory_set(m, "QUERY_STRING", query == NULL ? "" : query + 1);
	if (token != NULL)
		memory_set(m, "HTTP_AUTHORIZATION", arena_printf(a, "Bearer %s", token));
	if (body.p == NULL)
		return;
	memory_set(m, "CONTENT_TYPE", "application/json");
	memory_set(m, "CONTENT_LENGTH", arena_printf(a, "%zu", body.n));
}

/* Dispatches it, with the arena for the request's allocations; returns the status. */
static inline int
memory_serve(struct memory_io *m, struct arena *a, struct db *db, const struct settings *set,
    const struct app *app)
{
	struct req *r = arena_alloc(a, sizeof(*r));
	const char *end;

	m->taken = 0;
	m->n = 0;
	memory_write(&m->io, "", 0);
	r->io = &m->io;
	r->arena = a;
	r->db = db;
	r->set = set;
	r->app = app;
	dispatch(r);
	m->status = strncmp(m->out, "Status: ", 8) == 0 ? (int)strtol(m->out + 8, NULL, 10) : 0;
	end = strstr(m->out, "\r\n\r\n");
	m->text = end == NULL ? "" : end + 4;
	return m->status;
}

/* The value of a header of the response; NULL if it is missing. */
static inline const char *
memory_header(struct arena *a, const struct memory_io *m, const char *name)
{
	const char *what = arena_printf(a, "\r\n%s: ", name), *p = strstr(m->out, what);

	return p == NULL || p > m->text ? NULL :
	    arena_strndup(a, p + strlen(what), strcspn(p + strlen(what), "\r"));
}

static inline void
memory_free(struct memory_io *m)
{
	free(m->out);
	m->out = NULL;
	m->room = 0;
	m->text = "";
}

#endif
