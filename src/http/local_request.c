/* Requests of this process to its own dispatcher. Contract: http/local_request.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "http/local_request.h"

/* ANSWER_MOST: as many bytes as the dispatcher may write. */
enum { ANSWER_MOST = 512 << 20 };

static const char *
read_variable(struct io *io, const char *name)
{
	const struct local_request *l = (const struct local_request *)io;

	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->variables[i].name, name) == 0)
			return l->variables[i].value;
	return NULL;
}

static long
read_body(struct io *io, void *p, size_t n)
{
	struct str *body = &((struct local_request *)io)->body;

	if (n > body->n)
		n = body->n;
	if (n > 0)
		memcpy(p, body->p, n);
	body->p += n;
	body->n -= n;
	return (long)n;
}

static bool
write_answer(struct io *io, const void *p, size_t n)
{
	buf_add(&((struct local_request *)io)->out, p, n);
	return true;
}

void
local_request_init(struct local_request *l, struct arena *a, const char *method, const char *path, struct str body,
    const char *type)
{
	const char *query = strchr(path, '?');

	*l = (struct local_request){ .io = { read_variable, read_body, write_answer }, .body = body };
	buf_init(&l->out, a, ANSWER_MOST);
	local_request_set(l, "REQUEST_METHOD", method);
	local_request_set(l, "REQUEST_URI", arena_printf(a, "/v1%s", path));
	local_request_set(l, "QUERY_STRING", query != NULL ? query + 1 : "");
	local_request_set(l, "CONTENT_TYPE", body.n > 0 ? type : NULL);
	local_request_set(l, "CONTENT_LENGTH", arena_printf(a, "%zu", body.n));
}

void
local_request_set(struct local_request *l, const char *name, const char *value)
{
	if (value == NULL)
		return;
	assert(l->count < LOCAL_VARIABLES);
	l->variables[l->count].name = name;
	l->variables[l->count++].value = value;
}

/* Parses "Status: 200 OK\r\n…\r\n\r\n…". */
struct local_answer
local_request_end(struct local_request *l)
{
	static const char status[] = "Status: ", wait[] = "\r\nRetry-After: ";
	struct local_answer answer = { .body = "" };
	const char *end, *retry;

	buf_char(&l->out, '\0');
	if (strncmp(l->out.p, status, sizeof(status) - 1) != 0 || (end = strstr(l->out.p, "\r\n\r\n")) == NULL)
		return answer;
	answer.status = (int)strtol(l->out.p + sizeof(status) - 1, NULL, 10);
	retry = strstr(l->out.p, wait);
	if (retry != NULL && retry < end)
		answer.retry_after = (int)strtol(retry + sizeof(wait) - 1, NULL, 10);
	answer.body = end + 4;
	return answer;
}
