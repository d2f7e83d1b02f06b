/* GET /v1/openapi.json: the route table and the shapes, as OpenAPI 3.1. */
#include <stdlib.h>

#include "http/req.h"

enum { MAX_SHAPES = 400 };

struct seen {
	const struct shape *s[MAX_SHAPES];
	size_t              n;
};

static void note(struct seen *all, const struct shape *s);

static void
note_field(struct seen *all, const struct field *f)
{
	if (f->of != NULL)
		note(all, f->of);
	if (f->item != NULL)
		note_field(all, f->item);
}

/* Adds a shape and all that it refers to, once each. */
static void
note(struct seen *all, const struct shape *s)
{
	const struct field *f;
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->s[i] == s)
			return;
	if (all->n == MAX_SHAPES)
		return;
	all->s[all->n++] = s;
	for (i = 0; s->one_of != NULL && s->one_of[i] != NULL; i++)
		note(all, s->one_of[i]);
	for (f = s->fields; f != NULL && f->name != NULL; f++)
		note_field(all, f);
}

static void
content(struct json *j, const struct shape *s)
{
	json_kobj(j, "content");
	json_kobj(j, "application/json");
	json_kobj(j, "schema");
	json_key(j, "$ref");
	buf_printf(j->out, "\"#/components/schemas/%s\"", s->name);
	j->keyed = false;
	json_end(j);
	json_end(j);
	json_end(j);
}

static void
response(struct json *j, const char *status, const char *text, const struct shape *s)
{
	json_kobj(j, status);
	json_kstr(j, "description", text);
	if (s != NULL)
		content(j, s);
	json_end(j);
}

static const struct shape error_detail = { "ErrorDetail", (const struct field[]){
	{ "code", T_INT, F_REQ, .doc = "The HTTP status" },
	{ "message", T_TEXT, F_REQ },
	{ 0 } }, NULL, 0 };
static const struct shape error_fault = { "ErrorField", (const struct field[]){
	{ "path", T_TEXT, F_REQ, .doc = "Where in the input, as /position/before" },
	{ "message", T_TEXT, F_REQ },
	{ 0 } }, NULL, 0 };
static const struct shape error_shape = { "Error", (const struct field[]){
	{ "error", T_OBJECT, F_REQ, .of = &error_detail },
	{ "fields", T_LIST, .of = &error_fault },
	{ 0 } }, NULL, 0 };

static void
digits3(int status, char out[4])
{
	out[0] = (char)('0' + status / 100 % 10);
	out[1] = (char)('0' + status / 10 % 10);
	out[2] = (char)('0' + status % 10);
	out[3] = '\0';
}

static void
error_response(struct json *j, int status)
{
	char text[4];

	digits3(status, text);
	response(j, text, status == 401 ? "No valid token" : status == 403 ? "Not allowed" :
	    status == 404 ? "Not found" : status == 400 ? "Invalid input" :
	    status == 409 ? "Conflict" : status == 412 ? "A condition is not met" :
	    status == 413 ? "The body is too large" : status == 415 ? "The body is not JSON" : "Error",
	    &error_shape);
}

/* Reading takes no more than being known there, for these; a write may always meet a read-only token. */
static bool
may_forbid(const struct route *row)
{
	switch (row->access) {
	case ANYONE: return false;
	case USER:
	case ORG_VIEW:
	case SPACE_SEE:
	case SPACE_READ:
	case COLLECTION_READ: return row->method != M_GET;
	default: return true;
	}
}

/* If-Match is held against the GET of the same address. */
static bool
has_get(const struct app *app, const struct route *row)
{
	size_t i;

	for (i = 0; i < app->count; i++)
		if (app->routes[i].method == M_GET && strcmp(app->routes[i].path, row->path) == 0)
			return true;
	return false;
}

static bool
listed(const char *also, int status)
{
	for (; also != NULL && *also != '\0'; also += strspn(also, " ")) {
		if (strtol(also, NULL, 10) == status)
			return true;
		also += strcspn(also, " ");
	}
	return false;
}

/* Can the operation answer this failure? What dispatch() answers by itself follows from the row. */
static bool
may_answer(const struct app *app, const struct route *row, int status)
{
	bool write = row->mode == RW;

	if (listed(row->also, status))
		return true;
	switch (status) {
	case 400: return row->query != NULL || write;
	case 401: return row->access != ANYONE;
	case 403: return may_forbid(row);
	case 404: return strchr(row->path, '{') != NULL;
	case 409: return write && row->method == M_POST;   /* an Idempotency-Key used before */
	/* POST makes something new; what it means by If-Match, it lists itself. */
	case 412: return write && row->method != M_POST && has_get(app, row);
	case 413:
	case 415: return write;
	default:  return false;
	}
}

static void
responses(struct json *j, const struct app *app, const struct route *row)
{
	char ok[4];
	int status;

	digits3(row->ok, ok);
	json_kobj(j, "responses");
	response(j, ok, row->summary, row->reply);
	for (status = 400; status < 600; status++)
		if (may_answer(app, row, status))
			error_response(j, status);
	json_end(j);
}

static void
path_parameters(struct json *j, const char *path)
{
	const char *p, *end;

	for (p = strchr(path, '{'); p != NULL; p = strchr(end, '{')) {
		end = strchr(p, '}');
		json_obj(j);
		json_kstrn(j, "name", (struct str){ p + 1,
		    (size_t)(end - p - 1) - (end[-1] == '.' ? 3 : 0) });
		json_kstr(j, "in", "path");
		json_kbool(j, "required", true);
		json_kobj(j, "schema");
		json_kstr(j, "type", "string");
		json_end(j);
		json_end(j);
	}
}

static void
parameters(struct json *j, const struct route *row)
{
	const struct field *f;

	json_karr(j, "parameters");
	path_parameters(j, row->path);
	for (f = row->query == NULL ? NULL : row->query->fields; f != NULL && f->name != NULL; f++) {
		json_obj(j);
		json_kstr(j, "name", f->name);
		json_kstr(j, "in", "query");
		if (f->flags & F_REQ)
			json_kbool(j, "required", true);
		json_key(j, "schema");
		field_schema(j, f);
		json_end(j);
	}
	json_end(j);
}

static void
operation(struct json *j, const struct app *app, const struct route *row)
{
	static const char *const methods[] = { "get", "post", "put", "patch", "delete" };

	json_kobj(j, methods[row->method]);
	json_kstr(j, "operationId", row->operation);
	json_kstr(j, "summary", row->summary);
	parameters(j, row);
	if (row->body != NULL) {
		json_kobj(j, "requestBody");
		content(j, row->body);
		json_end(j);
	}
	responses(j, app, row);
	json_kstr(j, "x-octavo-access", row->rule);
	if (row->access == ANYONE) {
		json_karr(j, "security");
		json_end(j);
	}
	json_end(j);
}

static void
paths(struct json *j, const struct app *app)
{
	const char *path = NULL;
	size_t i;

	json_kobj(j, "paths");
	for (i = 0; i < app->count; i++) {
		const struct route *row = &app->routes[i];
		if (path == NULL || strcmp(path, row->path) != 0) {
			struct buf name;
			const char *dots = strstr(row->path, "...");
			if (path != NULL)
				json_end(j);
			buf_init(&name, j->out->arena, 1024);
			buf_add(&name, row->path, dots ? (size_t)(dots - row->path) : strlen(row->path));
			if (dots != NULL)
				buf_str(&name, "}");
			json_kobj(j, name.p);
			path = row->path;
		}
		operation(j, app, row);
	}
	if (path != NULL)
		json_end(j);
	json_end(j);
}

static void
components(struct json *j, const struct app *app)
{
	struct seen *all = arena_alloc(j->out->arena, sizeof(*all));
	size_t i;

	note(all, &error_shape);
	for (i = 0; i < app->count; i++) {
		if (app->routes[i].body != NULL)
			note(all, app->routes[i].body);
		if (app->routes[i].reply != NULL)
			note(all, app->routes[i].reply);
		if (app->routes[i].query != NULL) {
			const struct field *f;
			for (f = app->routes[i].query->fields; f->name != NULL; f++)
				note_field(all, f);
		}
	}
	json_kobj(j, "components");
	json_kobj(j, "schemas");
	for (i = 0; i < all->n; i++) {
		json_key(j, all->s[i]->name);
		shape_schema(j, all->s[i]);
	}
	json_end(j);
	json_kobj(j, "securitySchemes");
	json_kobj(j, "bearer");
	json_kstr(j, "type", "http");
	json_kstr(j, "scheme", "bearer");
	json_end(j);
	json_end(j);
	json_end(j);
}

void
openapi_write(struct json *j, const struct app *app, const char *base_url)
{
	json_obj(j);
	json_kstr(j, "openapi", "3.1.0");
	json_kobj(j, "info");
	json_kstr(j, "title", "Octavo");
	json_kstr(j, "version", "1");
	json_end(j);
	json_karr(j, "servers");
	json_obj(j);
	json_key(j, "url");
	buf_printf(j->out, "\"%s/v1\"", base_url);
	j->keyed = false;
	json_end(j);
	json_end(j);
	json_karr(j, "security");
	json_obj(j);
	json_karr(j, "bearer");
	json_end(j);
	json_end(j);
	json_end(j);
	paths(j, app);
	components(j, app);
	json_end(j);
}
