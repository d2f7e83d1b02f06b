/*
 * Reads the query and the body of a request, and checks them against the shapes of the route.
 * Invalid input is answered with 400, 413 or 415 and a message that names the field; handlers never
 * see it.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <strings.h>

#include "base/scan.h"
#include "base/url.h"
#include "dispatch_parts.h"
#include "http/req.h"

/* ---- query ---- */

/*
 * Converts a query value to the JSON type of its field. A value that cannot be converted stays
 * text, which the shape then refuses.
 */
static cJSON *
query_value(const struct field *f, const char *s)
{
	char *end;
	double n;

	if (f->type == T_INT || f->type == T_NUMBER) {
		n = strtod(s, &end);
		if (*s != '\0' && *end == '\0' && strpbrk(s, "xXnNpP") == NULL)
			return cJSON_CreateNumber(n);
	} else if (f->type == T_BOOL) {
		if (strcmp(s, "true") == 0 || strcmp(s, "1") == 0)
			return cJSON_CreateTrue();
		if (strcmp(s, "false") == 0 || strcmp(s, "0") == 0)
			return cJSON_CreateFalse();
	}
	return cJSON_CreateString(s);
}

/*
 * Adds a parameter. Unknown names are ignored, because newer clients and caches add parameters. If
 * a name is repeated, the last value counts, except for lists.
 */
static void
add_parameter(struct req *r, cJSON *query, const char *name, const char *value)
{
	const struct field *f;
	cJSON *list;

	for (f = r->route->query->fields; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			break;
	if (f->name == NULL)
		return;
	if (f->type != T_LIST) {
		cJSON_DeleteItemFromObjectCaseSensitive(query, name);
		cJSON_AddItemToObject(query, name, query_value(f, value));
		return;
	}
	list = cJSON_GetObjectItemCaseSensitive(query, name);
	if (list == NULL)
		list = cJSON_AddArrayToObject(query, name);
	cJSON_AddItemToArray(list, query_value(f->item, value));
}

/*
 * The message names the first fault, for clients that print nothing else; "fields" has all of them.
 */
static int
fail_invalid(struct req *r, const char *what)
{
	const struct fault *f = r->faults.first;

	return fail(r, E_BAD_REQUEST, "%s: %s %s", what, f->path[0] ? f->path + 1 : "it",
	    f->message);
}

/* The query as an object that is not checked against the shape yet; NULL if it cannot be decoded. */
static cJSON *
parse_query(struct req *r)
{
	const char *s = r->io->param(r->io, "QUERY_STRING"), *end, *eq;
	cJSON *query = cJSON_CreateObject();
	char *name, *value;

	if (r->route->query == NULL)
		return query;
	for (; s != NULL && *s != '\0'; s = *end == '&' ? end + 1 : end) {
		end = s + strcspn(s, "&");
		/* Split before decoding: an encoded "&" or "=" (%26, %3D) is part of a value. */
		eq = memchr(s, '=', (size_t)(end - s));
		name = url_decode(r->arena, (struct str){ s, (size_t)((eq ? eq : end) - s) }, true);
		value = eq == NULL ? arena_strdup(r->arena, "") :
		    url_decode(r->arena, (struct str){ eq + 1, (size_t)(end - eq - 1) }, true);
		if (name == NULL || value == NULL)
			return NULL;
		add_parameter(r, query, name, value);
	}
	return query;
}

int
read_query(struct req *r)
{
	r->query = parse_query(r);
	if (r->query == NULL)
		return fail(r, E_BAD_REQUEST, "the query holds a broken percent-encoding or no UTF-8");
	if (r->route->query != NULL && !shape_check(&r->faults, r->route->query, r->query, ""))
		return fail_invalid(r, "invalid query");
	return 0;
}

const char *
query_early(struct req *r, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(r->query != NULL ? r->query : parse_query(r), name));
}

/* ---- body ---- */

static bool
is_json(const char *type)
{
	size_t n = type == NULL ? 0 : strcspn(type, "; \t");

	return n == 16 && strncasecmp(type, "application/json", 16) == 0;
}

/*
 * Reads the body. One that is announced as too long is refused before it is read; one without a
 * length (chunked) is counted as it arrives.
 */
static int
read_bytes(struct req *r)
{
	const char *length = r->io->param(r->io, "CONTENT_LENGTH");
	long long announced = length == NULL ? -1 : strtoll(length, NULL, 10);
	struct buf b;
	char chunk[16 << 10];
	long n;

	if (announced > r->set->max_body)
		return fail(r, E_TOO_LARGE, "the body is larger than %lld bytes",
		    (long long)r->set->max_body);
	buf_init(&b, r->arena, (size_t)r->set->max_body + sizeof(chunk));
	while ((n = r->io->read(r->io, chunk, sizeof(chunk))) > 0) {
		buf_add(&b, chunk, (size_t)n);
		if (b.n > (size_t)r->set->max_body)
			return fail(r, E_TOO_LARGE, "the body is larger than %lld bytes",
			    (long long)r->set->max_body);
	}
	if (n < 0 || (announced >= 0 && b.n < (size_t)announced))
		return fail(r, E_BAD_REQUEST, "the body ended before its announced length");
	r->raw_body = buf_view(&b);
	return 0;
}

/* Shape for routes that take no body: clients may send {} or nothing. */
static const struct shape no_members = { "NoMembers", (const struct field[]){ { 0 } } };

int
read_body(struct req *r)
{
	const struct shape *shape = r->route->body != NULL ? r->route->body : &no_members;
	const char *wrong;
	bool large;

	r->body = cJSON_CreateObject();
	/* Ignore the content of a GET, which has no meaning (RFC 9110 section 9.3.1). */
	if (r->method == M_GET || r->method == M_HEAD)
		return 0;
	if (read_bytes(r) != 0)
		return -1;
	if (r->route->body == NULL && r->raw_body.n == 0)
		return 0;
	/*
	 * Any Content-Type is accepted: these routes use PUT, which a page of another site cannot
	 * send without a preflight.
	 */
	if (shape->flags & SHAPE_BYTES)
		return r->raw_body.n > 0 ? 0 : fail(r, E_BAD_REQUEST, "the body must be the bytes of the file");
	if (r->raw_body.n > 0) {
		/*
		 * A form on another site can send text/plain without a preflight, but not
		 * application/json: this check also stops cross-site requests.
		 */
		if (!is_json(r->io->param(r->io, "CONTENT_TYPE")))
			return fail(r, E_MEDIA_TYPE,
			    "the body must be JSON: send the header Content-Type: application/json");
		/* Scan before cJSON, which accepts invalid JSON and recurses with the nesting. */
		if ((wrong = json_scan(r->arena, r->raw_body, &json_limits_body, &large)) != NULL)
			return fail(r, large ? E_TOO_LARGE : E_BAD_REQUEST, "invalid JSON: %s", wrong);
		r->body = cJSON_ParseWithLength(r->raw_body.p, r->raw_body.n);
		if (r->body == NULL)
			return fail(r, E_BAD_REQUEST, "invalid JSON");
	}
	if (!shape_check(&r->faults, shape, r->body, ""))
		return fail_invalid(r, "invalid body");
	return 0;
}
