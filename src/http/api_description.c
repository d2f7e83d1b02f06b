/* GET /v1/openapi.json: the route table and the shapes, as OpenAPI 3.1. */
#include <stdlib.h>

#include "base/panic.h"
#include "api_description.h"

/*
 * Largest number of shapes of bodies and answers, with the shapes inside them. Searches in the list
 * are linear: the description is built only when it is requested.
 */
enum { MAX_SHAPES = 1000 };

/*
 * Shapes in the order in which they were found, each once. Each shape exists once in the program,
 * so addresses are compared.
 */
struct shape_set {
	const struct shape *s[MAX_SHAPES];
	size_t              n;
};

static void note_shape(struct shape_set *all, const struct shape *s);

/* A list of lists has its item's shape two levels down. */
static void
note_field(struct shape_set *all, const struct field *f)
{
	if (f->of != NULL)
		note_shape(all, f->of);
	if (f->item != NULL)
		note_field(all, f->item);
}

/* Add a shape and all shapes that it refers to, each once. */
static void
note_shape(struct shape_set *all, const struct shape *s)
{
	const struct field *f;
	size_t i;

	for (i = 0; i < all->n; i++)
		if (all->s[i] == s)
			return;
	if (all->n == MAX_SHAPES)
		panic("more than %d shapes: raise MAX_SHAPES", MAX_SHAPES);
	all->s[all->n++] = s;
	for (i = 0; s->one_of != NULL && s->one_of[i] != NULL; i++)
		note_shape(all, s->one_of[i]);
	if (s->one_or_list != NULL)
		note_shape(all, s->one_or_list);
	for (f = s->fields; f != NULL && f->name != NULL; f++)
		note_field(all, f);
}

static void
write_bytes(struct json *j)
{
	json_kobj(j, "content");
	json_kobj(j, "application/octet-stream");
	json_kobj(j, "schema");
	json_kstr(j, "type", "string");
	json_kstr(j, "format", "binary");
	json_end(j);
	json_end(j);
	json_end(j);
}

/* Writes the content of a body or answer: JSON of this shape with its example, or bytes. */
static void
write_content(struct json *j, const struct shape *s)
{
	if (s->flags & SHAPE_BYTES) {
		write_bytes(j);
		return;
	}
	json_kobj(j, "content");
	json_kobj(j, "application/json");
	json_key(j, "schema");
	openapi_reference(j, "schemas", s->name);
	json_kobj(j, "examples");
	json_key(j, "example");
	openapi_reference(j, "examples", s->name);
	json_end(j);
	json_end(j);
	json_end(j);
}

/*
 * True if the route can answer 403. A write can, since it may be sent with a read-only token. A
 * read of data of the caller can, since a session of an organization's provider may not read the
 * account. All rules about places of an organization can, because its `sso` may exclude a member
 * (not_found()).
 */
static bool
may_answer_403(const struct route *row)
{
	switch (row->access) {
	case ANYONE: return false;
	case USER: return row->mode == RW || (row->callers & (BY_USERS | BY_BOUND)) == BY_USERS;
	case INVITE_SECRET:
	case ORG_LINK: return row->mode == RW;
	default: return true;
	}
}

/* also: member of struct route, the statuses that its handler returns itself, separated by blanks. */
static bool
is_listed(const char *also, int status)
{
	for (; also != NULL && *also != '\0'; also += strspn(also, " ")) {
		if (strtol(also, NULL, 10) == status)
			return true;
		also += strcspn(also, " ");
	}
	return false;
}

/* True if for some kinds of callers the operation answers like an unknown address. */
static bool
is_hidden_from_some(const struct route *row)
{
	return takes_caller(row) && (row->callers & (BY_USERS | BY_SITES)) != (BY_USERS | BY_SITES);
}

/* True for POSTs that change something and have a caller: these accept an Idempotency-Key. */
static bool
takes_key(const struct route *row)
{
	return row->mode == RW && row->method == M_POST && takes_caller(row);
}

/* True if the operation can answer this status: its row lists it, or dispatch() can answer it for such a row. */
static bool
may_answer(const struct app *app, const struct route *row, int status)
{
	bool write = row->mode == RW;

	if (is_listed(row->also, status))
		return true;
	switch (status) {
	case 400: return row->query != NULL || row->body != NULL || write;
	case 401: return takes_caller(row);
	case 403: return may_answer_403(row);
	case 404: return strchr(row->path, '{') != NULL || is_hidden_from_some(row);
	case 405:
	case 429: return true;
	case 409: return takes_key(row);                   /* the Idempotency-Key was used with another body */
	case 412: return write && route_matched(app, row) != NULL;
	case 413: return row->body != NULL;
	case 415: return row->body != NULL && !(row->body->flags & SHAPE_BYTES);
	case 503: return row->mode != NO_DB;
	default:  return false;
	}
}

/* Write all failures in order; may_answer() drops those that the route cannot give. */
static void
write_responses(struct json *j, const struct app *app, const struct route *row)
{
	char ok[4];
	int status;

	openapi_digits(row->ok, ok);
	json_kobj(j, "responses");
	json_kobj(j, ok);
	json_kstr(j, "description", row->summary);
	openapi_answer_headers(j, row->method, row->ok);
	if (row->reply != NULL)
		write_content(j, row->reply);
	json_end(j);
	if (row->method == M_GET) {
		json_key(j, "304");
		openapi_reference(j, "responses", "NotModified");
	}
	/* 205 (RFC 9110 section 15.3.6) means that the thing existed and was deleted; 204, that it did not exist. */
	if (is_listed(row->also, 205)) {
		json_kobj(j, "205");
		json_kstr(j, "description", row->summary);
		openapi_answer_headers(j, row->method, 205);
		json_end(j);
	}
	for (status = 400; status < 600; status++)
		if (may_answer(app, row, status))
			openapi_failure(j, status);
	json_end(j);
}

/* NULL: there is no text for this name. The description is then written without it, and stays valid. */
static const struct described *
find_described(const struct described *list, struct str name)
{
	for (; list != NULL && list->name != NULL; list++)
		if (str_eq(str_of(list->name), name))
			return list;
	return NULL;
}

/* Ids are described as text: their form is internal (docs/design/requests.md, "Ids"). */
static void
path_parameters(struct json *j, const struct app *app, const char *path)
{
	const struct described *d;
	const char *p, *end;
	struct str name;

	for (p = strchr(path, '{'); p != NULL; p = strchr(end, '{')) {
		end = strchr(p, '}');
		/*
		 * "{path...}" takes the rest of an address. OpenAPI has no such form, so drop the
		 * dots.
		 */
		name = (struct str){ p + 1, (size_t)(end - p - 1) - (end[-1] == '.' ? 3 : 0) };
		d = find_described(app->parameters, name);
		json_obj(j);
		json_kstrn(j, "name", name);
		json_kstr(j, "in", "path");
		json_kbool(j, "required", true);
		if (d != NULL) {
			json_kstr(j, "description", d->doc);
			json_kstr(j, "example", d->example);
		}
		json_kobj(j, "schema");
		json_kstr(j, "type", "string");
		json_end(j);
		json_end(j);
	}
}

/* Use the shape by which dispatch() reads the query, so that both accept the same. */
static void
query_parameters(struct json *j, const struct route *row)
{
	const struct field *f;

	for (f = row->query == NULL ? NULL : row->query->fields; f != NULL && f->name != NULL; f++) {
		json_obj(j);
		json_kstr(j, "name", f->name);
		json_kstr(j, "in", "query");
		if (f->doc != NULL)
			json_kstr(j, "description", f->doc);
		if (f->flags & F_REQ)
			json_kbool(j, "required", true);
		json_key(j, "schema");
		field_schema(j, f);
		json_end(j);
	}
}

/* Name the headers that dispatch() reads: conditions and the Idempotency-Key. */
static void
write_parameters(struct json *j, const struct app *app, const struct route *row)
{
	json_karr(j, "parameters");
	path_parameters(j, app, row->path);
	query_parameters(j, row);
	if (row->method == M_GET)
		openapi_reference(j, "parameters", "IfNoneMatch");
	if (row->mode == RW && route_matched(app, row) != NULL)
		openapi_reference(j, "parameters", "IfMatch");
	if (takes_key(row))
		openapi_reference(j, "parameters", "IdempotencyKey");
	json_end(j);
}

/* An absent body counts as {}, which only some shapes accept. */
static bool
must_have_body(const struct shape *s)
{
	const struct field *f;

	if (s->one_of != NULL || s->one_or_list != NULL || (s->flags & (SHAPE_SOME | SHAPE_BYTES)) != 0)
		return true;
	for (f = s->fields; f->name != NULL; f++)
		if (f->flags & F_REQ)
			return true;
	return false;
}

/* Write the access rule in words for people, and in x-octavo-access for programs. */
static void
write_explanation(struct json *j, const struct app *app, const struct route *row)
{
	const struct described *rule = row->rule == NULL ? NULL : find_described(app->rules, str_of(row->rule));

	json_kstr(j, "operationId", row->operation);
	json_kstr(j, "summary", row->summary);
	if (row->about != NULL) {
		json_kstr(j, "description", rule == NULL ? row->about :
		    arena_printf(j->out->arena, "%s\n\nTakes %s.", row->about, rule->doc));
	}
	if (strstr(row->also, "deprecated") != NULL)
		json_kbool(j, "deprecated", true);
	if (row->tag != NULL) {
		json_karr(j, "tags");
		json_str(j, row->tag);
		json_end(j);
	}
}

/* Writes the kinds of callers that may use the route. */
static void
write_callers(struct json *j, const struct route *row)
{
	static const struct { enum caller who; const char *name; } kinds[] = {
		{ BY_USERS, "user" }, { BY_SITES, "site" }, { BY_VISITORS, "visitor" }, { BY_SHARES, "share" },
		{ BY_METRICS, "metrics" }, { BY_BOUND, "bound" } };
	size_t i;

	json_karr(j, "x-octavo-callers");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (row->callers & kinds[i].who)
			json_str(j, kinds[i].name);
	json_end(j);
}

static void
write_operation(struct json *j, const struct app *app, const struct route *row)
{
	static const char *const methods[] = { [M_GET] = "get", [M_POST] = "post", [M_PUT] = "put",
		[M_PATCH] = "patch", [M_DELETE] = "delete" };

	json_kobj(j, methods[row->method]);
	write_explanation(j, app, row);
	write_parameters(j, app, row);
	if (row->body != NULL) {
		json_kobj(j, "requestBody");
		json_kbool(j, "required", must_have_body(row->body));
		write_content(j, row->body);
		json_end(j);
	}
	write_responses(j, app, row);
	/* Extensions (OpenAPI 3.1 section 4.9), which tests/http/operations.jq reads. */
	json_kstr(j, "x-octavo-access", row->rule);
	json_kbool(j, "x-octavo-writes", row->mode == RW);
	write_callers(j, row);
	/* An empty list cancels the requirement of the whole description. */
	if (!takes_caller(row)) {
		json_karr(j, "security");
		json_end(j);
	}
	json_end(j);
}

static void
write_paths(struct json *j, const struct app *app)
{
	const char *path = NULL;
	size_t i;

	json_kobj(j, "paths");
	for (i = 0; i < app->count; i++) {
		const struct route *row = &app->routes[i];
		/* The table is sorted by path, so all methods of a path are adjacent. */
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
		write_operation(j, app, row);
	}
	if (path != NULL)
		json_end(j);
	json_end(j);
}

/*
 * Adds the shapes of all bodies and answers. Of queries only the shapes that fields refer to are
 * added: a query becomes parameters, not a component.
 */
static void
note_all(struct shape_set *all, const struct app *app)
{
	const struct field *f;
	size_t i;

	note_shape(all, &openapi_error);
	for (i = 0; i < app->count; i++) {
		if (app->routes[i].body != NULL && !(app->routes[i].body->flags & SHAPE_BYTES))
			note_shape(all, app->routes[i].body);
		if (app->routes[i].reply != NULL)
			note_shape(all, app->routes[i].reply);
		for (f = app->routes[i].query == NULL ? NULL : app->routes[i].query->fields;
		    f != NULL && f->name != NULL; f++)
			note_field(all, f);
	}
}

/* Writes one example for each shape that is a whole body or answer. */
static void
write_examples(struct json *j, const struct app *app)
{
	struct shape_set *all = arena_alloc(j->out->arena, sizeof(*all));
	const struct shape *s;
	size_t i, k;

	json_kobj(j, "examples");
	for (i = 0; i < 2 * app->count; i++) {
		s = i % 2 == 0 ? app->routes[i / 2].body : app->routes[i / 2].reply;
		for (k = 0; k < all->n && all->s[k] != s; k++)
			;
		if (s == NULL || k < all->n || (s->flags & SHAPE_BYTES))
			continue;
		if (all->n == MAX_SHAPES)
			panic("more than %d shapes: raise MAX_SHAPES", MAX_SHAPES);
		all->s[all->n++] = s;
		json_kobj(j, s->name);
		json_key(j, "value");
		shape_example(j, s);
		json_end(j);
	}
	json_end(j);
}

/* Writes the components: the targets of all references in the description. */
static void
write_components(struct json *j, const struct app *app)
{
	struct shape_set *all = arena_alloc(j->out->arena, sizeof(*all));
	size_t i;

	note_all(all, app);
	json_kobj(j, "components");
	json_kobj(j, "schemas");
	for (i = 0; i < all->n; i++) {
		json_key(j, all->s[i]->name);
		shape_schema(j, all->s[i]);
	}
	json_end(j);
	write_examples(j, app);
	openapi_headers(j);
	openapi_parameters(j);
	openapi_failures(j);
	json_kobj(j, "securitySchemes");
	json_kobj(j, "bearer");
	json_kstr(j, "type", "http");
	json_kstr(j, "scheme", "bearer");
	json_kstr(j, "description", "A token of this service.");
	json_end(j);
	json_end(j);
	json_end(j);
}

static void
write_tags(struct json *j, const struct app *app)
{
	const struct described *d;

	json_karr(j, "tags");
	for (d = app->tags; d != NULL && d->name != NULL; d++) {
		json_obj(j);
		json_kstr(j, "name", d->name);
		json_kstr(j, "description", d->doc);
		json_end(j);
	}
	json_end(j);
}

static void
write_info(struct json *j, const struct app *app)
{
	json_kobj(j, "info");
	json_kstr(j, "title", "Octavo");
	json_kstr(j, "version", "1");
	if (app->about != NULL)
		json_kstr(j, "description", app->about);
	json_kobj(j, "license");
	json_kstr(j, "name", "MIT");
	json_kstr(j, "identifier", "MIT");
	json_end(j);
	json_end(j);
}

void
openapi_write(struct json *j, const struct app *app, const char *base_url)
{
	json_obj(j);
	json_kstr(j, "openapi", "3.1.0");
	write_info(j, app);
	json_karr(j, "servers");
	json_obj(j);
	json_key(j, "url");
	/*
	 * Writes to the buffer directly, which saves a copy of the text, and so must reset `keyed`.
	 * The URL needs no escape: it was checked when the settings were read.
	 */
	buf_printf(j->out, "\"%s/v1\"", base_url);
	j->keyed = false;
	json_kstr(j, "description", "This service");
	json_end(j);
	json_end(j);
	json_karr(j, "security");
	json_obj(j);
	json_karr(j, "bearer");
	json_end(j);
	json_end(j);
	json_end(j);
	write_tags(j, app);
	write_paths(j, app);
	write_components(j, app);
	json_end(j);
}
