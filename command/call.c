/* API requests made in memory. Contract: call.h. */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "api/routes.h"
#include "call.h"
#include "http/local_request.h"

/* Placeholder for the user's token: only call_api() makes requests in this process. */
static const char bearer[] = "octavo-command";

struct call_io {
	struct local_request request;   /* must be first: code casts struct io * to struct call_io * */
	const char          *user;
};

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
prepare_request(struct cli *c, struct call_io *io, const struct call *call)
{
	struct str body = call->body != NULL ? str_of(call->body) : call->bytes;
	const char *type = call->body != NULL ? "application/json" : "application/octet-stream";

	io->user = call->user;
	local_request_init(&io->request, c->arena, call->method, call->path, body, type);
	local_request_set(&io->request, "HTTP_AUTHORIZATION", arena_printf(c->arena, "Bearer %s", bearer));
}

static void
read_answer(struct call *call, struct call_io *io)
{
	struct local_answer answer = local_request_end(&io->request);

	call->status = answer.status;
	call->text = answer.body;
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
	struct call_io io;
	struct app app = octavo_app;
	struct req *r = arena_alloc(c->arena, sizeof(*r));
	const char *error, *url = data_url(c);

	app.other_token = take_caller;
	setenv("OCTAVO_DIR", c->dir, 1);
	if (url != NULL)
		setenv("OCTAVO_URL", url, 1);
	if ((r->set = settings_env(c->arena, &error)) == NULL)
		return cli_fail(c, "%s", error) == CLI_OK;
	prepare_request(c, &io, call);
	r->io = &io.request.io;
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
	read_answer(call, &io);
	if (call->status >= 200 && call->status < 300)
		return true;
	if (!call->quiet)
		print_error(c, call);
	return false;
}
