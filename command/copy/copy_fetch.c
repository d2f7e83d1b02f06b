/* Requests answers from octavo-site, in memory or as files. Contract: copy.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "copy.h"
#include "reader/reader.h"

enum { BODY_MAX = 512 << 20 };

/* A request, and its answer so far. */
struct request {
	struct io           io;      /* must be first */
	struct copy        *c;
	struct arena       *arena;
	const char         *uri, *file;
	struct copy_answer *out;
	bool                begun;   /* the headers were read */
	struct buf          body;
	FILE               *f;
};

static const char *
param(struct io *io, const char *name)
{
	struct request *r = (struct request *)io;

	if (strcmp(name, "REQUEST_METHOD") == 0)
		return "GET";
	if (strcmp(name, "REQUEST_URI") == 0)
		return r->uri;
	return strcmp(name, "HTTP_HOST") == 0 ? r->c->host : NULL;
}

static long
read_nothing(struct io *io, void *p, size_t n)
{
	(void)io;
	(void)p;
	(void)n;
	return 0;
}

FILE *
copy_open(struct copy *c, const char *file)
{
	char *path = arena_printf(c->arena, "%s/%s", c->to, file), *slash;
	FILE *f;

	for (slash = strchr(path + strlen(c->to) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	if ((f = fopen(path, "wxe")) == NULL)
		copy_fail(c, "%s: %s", file, strerror(errno));
	return f;
}

bool
copy_write(struct copy *c, const char *file, struct str bytes)
{
	FILE *f = copy_open(c, file);
	bool ok;

	if (f == NULL)
		return false;
	ok = fwrite(bytes.p, 1, bytes.n, f) == bytes.n;
	c->file_count++;
	c->bytes += (int64_t)bytes.n;
	return (fclose(f) == 0 && ok) || copy_fail(c, "%s: %s", file, strerror(errno));
}

/* Value of a header in the lines before the body; NULL: it is missing. */
static const char *
header_of(struct arena *a, const char *lines, const char *name)
{
	size_t n = strlen(name);

	for (; *lines != '\0' && *lines != '\r'; lines += strcspn(lines, "\n"), lines += *lines == '\n')
		if (strncasecmp(lines, name, n) == 0 && lines[n] == ':') {
			lines += n + 1 + strspn(lines + n + 1, " ");
			return arena_strndup(a, lines, strcspn(lines, "\r\n"));
		}
	return NULL;
}

/* Reads the headers. octavo-site writes all of them at once, sometimes followed by the body. */
static size_t
read_head(struct request *r, const char *p, size_t n)
{
	const char *end = memmem(p, n, "\r\n\r\n", 4), *lines, *status;

	r->begun = true;
	if (end == NULL)
		return n;
	lines = arena_strndup(r->arena, p, (size_t)(end - p) + 2);
	status = header_of(r->arena, lines, "Status");
	r->out->status = status == NULL ? 200 : (int)strtol(status, NULL, 10);
	r->out->type = header_of(r->arena, lines, "Content-Type");
	r->out->location = header_of(r->arena, lines, "Location");
	r->out->lacks = header_of(r->arena, lines, "X-Octavo-Lacks") != NULL;
	if (r->out->type == NULL)
		r->out->type = "";
	if (r->file != NULL && r->out->status == 200 && strncmp(r->out->type, "text/html", 9) != 0 &&
	    strncmp(r->out->type, "text/css", 8) != 0 && (r->f = copy_open(r->c, r->file)) != NULL)
		r->out->saved = 0;
	return (size_t)(end - p) + 4;
}

static bool
take(struct io *io, const void *p, size_t n)
{
	struct request *r = (struct request *)io;
	const char *at = p;
	size_t skip = r->begun ? 0 : read_head(r, at, n);

	if (r->f == NULL) {
		buf_add(&r->body, at + skip, n - skip);
		return r->c->error == NULL;
	}
	r->out->saved += (int64_t)(n - skip);
	return fwrite(at + skip, 1, n - skip, r->f) == n - skip;
}

bool
copy_get(struct copy *c, struct arena *a, const char *path, const char *file, struct copy_answer *out)
{
	struct request r = { .io = { param, read_nothing, take }, .c = c, .arena = a, .file = file, .out = out,
		.uri = arena_printf(a, "%s%s", c->base, path) };

	*out = (struct copy_answer){ .type = "", .saved = -1 };
	buf_init(&r.body, a, BODY_MAX);
	site_copy(&r.io, a, c->db, c->set);
	out->body = buf_view(&r.body);
	if (r.f != NULL) {
		bool ok = !ferror(r.f);

		if (fclose(r.f) != 0 || !ok)
			return copy_fail(c, "%s: %s", file, strerror(errno));
		c->file_count++;
		c->bytes += out->saved;
	}
	return c->error == NULL;
}
