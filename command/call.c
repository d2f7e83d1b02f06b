/* API requests made in memory. Contract: call.h. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "api/routes.h"
#include "call.h"
#include "http/req.h"

/* Placeholder for the user's token: only call_api() makes requests in this process. */
static const char bearer[] = "octavo-command";

enum { PARAMS_MAX = 14, REQUEST_MAX = 512 << 20 };

struct call_io {
	struct io   io;                   /* must be first: code casts struct io * to struct call_io * */
	const char *user;
	const char *params[PARAMS_MAX];   /* name, value, …, NULL */
	struct str  body;                 /* the part of the body that is not read yet */
	struct buf  out;
};

static const char *
call_param(struct io *io, const char *name)
{
	const char **p = ((struct call_io *)io)->params;

	for (; *p != NULL; p += 2)
		if (strcmp(p[0], name) == 0)
			return p[1];
	return NULL;
}

static long
call_read(struct io *io, void *p, size_t n)
{
	struct str *body = &((struct call_io *)io)->body;

	if (n > body->n)
		n = body->n;
	if (n > 0)
		memcpy(p, body->p, n);
	body->p += n;
	body->n -= n;
	return (long)n;
}

static bool
call_write(struct io *io, const void *p, size_t n)
{
	buf_add(&((struct call_io *)io)->out, p, n);
	return true;
}

/* Authenticates the request as the call's user, with the rights of a token of scope admin. */
static bool
take_caller(struct req *r)
{
	if (!str_eq(r->who.bearer, str_of(bearer)))
		return false;
	r->who.kind = BY_USERS;
	r->who.user = ((struct call_io *)r->io)->user;
	r->who.cap = ROLE_ADMIN;
	return true;
}

static void
fill_params(struct cli *c, struct call_io *io, const struct call *call)
{
	const char *query = strchr(call->path, '?');
	struct str body = call->body != NULL ? str_of(call->body) : call->bytes;
	const char *const params[] = { "REQUEST_METHOD", call->method,
		"REQUEST_URI", arena_printf(c->arena, "/v1%s", call->path),
		"QUERY_STRING", query != NULL ? query + 1 : "",
		"HTTP_AUTHORIZATION", arena_printf(c->arena, "Bearer %s", bearer),
		"CONTENT_LENGTH", arena_printf(c->arena, "%zu", body.n),
		body.n > 0 ? "CONTENT_TYPE" : NULL, call->body != NULL ? "application/json" : "application/octet-stream", NULL };

	memcpy(io->params, params, sizeof(params));
	io->body = body;
}

/* Reads status and body from what dispatch() wrote: "Status: 200 OK\r\n…\r\n\r\n…". */
static void
read_answer(struct call *call, struct buf *out)
{
	const char *end;

	buf_char(out, '\0');
	end = strstr(out->p, "\r\n\r\n");
	call->status = strncmp(out->p, "Status: ", 8) == 0 ? (int)strtol(out->p + 8, NULL, 10) : 0;
	call->text = end != NULL ? end + 4 : "";
	call->answer = cJSON_Parse(call->text);
}

/*
 * Prints the message of the API error, which names the first invalid field, and then the other
 * invalid fields.
 */
static void
print_error(struct cli *c, const struct call *call)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(call->answer, "error"), *fields, *field;
	const char *message = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(error, "message"));

	message = message != NULL ? message : "the request failed";
	fields = cJSON_GetObjectItemCaseSensitive(call->answer, "fields");
	cJSON_ArrayForEach(field, fields)
		if (field != fields->child)
			message = arena_printf(c->arena, "%s; %s %s", message,
			    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(field, "path")),
			    cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(field, "message")));
	cli_fail(c, "%s", message);
}

bool
call_api(struct cli *c, struct db *db, struct call *call)
{
	struct call_io io = { .io = { call_param, call_read, call_write }, .user = call->user };
	struct app app = octavo_app;
	struct req *r = arena_alloc(c->arena, sizeof(*r));
	const char *error, *url = data_url(c);

	app.other_token = take_caller;
	setenv("OCTAVO_DIR", c->dir, 1);
	if (url != NULL)
		setenv("OCTAVO_URL", url, 1);
	if ((r->set = settings_env(c->arena, &error)) == NULL)
		return cli_fail(c, "%s", error) == CLI_OK;
	fill_params(c, &io, call);
	buf_init(&io.out, c->arena, REQUEST_MAX);
	r->io = &io.io;
	r->arena = c->arena;
	r->db = db;
	r->app = &app;
	dispatch(r);
	/* The failure handler belongs to the request, which has ended. */
	db_on_fail(db, NULL, NULL);
	/*
	 * The dispatcher resets cJSON's allocator to malloc() at the end of a request: set the
	 * arena again.
	 */
	json_arena(c->arena);
	read_answer(call, &io.out);
	if (call->status >= 200 && call->status < 300)
		return true;
	if (!call->quiet)
		print_error(c, call);
	return false;
}
