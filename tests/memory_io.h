/* A request in memory: struct io for tests and fuzzers. */
#ifndef OCTAVO_MEMORY_IO_H
#define OCTAVO_MEMORY_IO_H

#include <stdio.h>
#include <string.h>

#include "req.h"

enum { MEMORY_HEADERS = 8 };

struct memory_io {
	struct io   io;                     /* first: a struct io * is a struct memory_io * */
	const char *method, *uri, *body;    /* body NULL: none */
	size_t      body_size;
	struct { const char *name, *value; } headers[MEMORY_HEADERS];   /* CGI names: HTTP_IF_MATCH */
	size_t      read;
	char        length[24];
	char        answer[4 << 20];
	size_t      n;
};

static const char *
memory_param(struct io *io, const char *name)
{
	struct memory_io *m = (struct memory_io *)io;
	const char *q;
	int i;

	if (strcmp(name, "REQUEST_METHOD") == 0)
		return m->method;
	if (strcmp(name, "REQUEST_URI") == 0)
		return m->uri;
	if (strcmp(name, "QUERY_STRING") == 0)
		return (q = strchr(m->uri, '?')) == NULL ? "" : q + 1;
	for (i = 0; i < MEMORY_HEADERS && m->headers[i].name != NULL; i++)
		if (strcmp(name, m->headers[i].name) == 0)
			return m->headers[i].value;
	if (strcmp(name, "CONTENT_TYPE") == 0)
		return "application/json";
	if (strcmp(name, "CONTENT_LENGTH") != 0)
		return NULL;
	snprintf(m->length, sizeof(m->length), "%zu", m->body == NULL ? 0 : m->body_size);
	return m->length;
}

static long
memory_read(struct io *io, void *p, size_t n)
{
	struct memory_io *m = (struct memory_io *)io;
	size_t left = m->body == NULL ? 0 : m->body_size - m->read;

	n = n < left ? n : left;
	if (n > 0)
		memcpy(p, m->body + m->read, n);
	m->read += n;
	return (long)n;
}

static bool
memory_write(struct io *io, const void *p, size_t n)
{
	struct memory_io *m = (struct memory_io *)io;

	if (m->n + n >= sizeof(m->answer))
		return false;
	memcpy(m->answer + m->n, p, n);
	m->n += n;
	m->answer[m->n] = '\0';
	return true;
}

/* The status of the answer; 0 if there is none. */
static inline int
memory_status(const struct memory_io *m)
{
	return m->n > 8 ? (int)strtol(m->answer + 8, NULL, 10) : 0;
}

static inline void
memory_reset(struct memory_io *m)
{
	memset(m, 0, offsetof(struct memory_io, answer));
	m->answer[0] = '\0';
	m->n = 0;
	m->io = (struct io){ memory_param, memory_read, memory_write };
}

#endif
