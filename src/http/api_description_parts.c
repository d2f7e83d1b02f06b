/* Parts of the API's description that all operations share: headers, conditional requests, errors. */
#include "api_description.h"

static const struct shape error_detail = { "ErrorDetail", (const struct field[]){
	{ "code", T_INT, F_REQ, .doc = "The HTTP status", .example = "404" },
	{ "message", T_TEXT, F_REQ, .doc = "What is wrong, as a sentence for people", .example = "not found" },
	{ 0 } }, NULL, 0 };
static const struct shape error_fault = { "ErrorField", (const struct field[]){
	{ "path", T_TEXT, F_REQ, .doc = "Place of the fault in the body or query, as a JSON pointer", .example = "/position/before" },
	{ "message", T_TEXT, F_REQ, .doc = "What is wrong there", .example = "must be an object" },
	{ 0 } }, NULL, 0 };
const struct shape openapi_error = { "Error", (const struct field[]){
	{ "error", T_OBJECT, F_REQ, .of = &error_detail, .doc = "The failure" },
	{ "fields", T_LIST, .of = &error_fault, .doc = "What is wrong with the input, member by member" },
	{ 0 } }, NULL, 0 };

struct header {
	const char *id;        /* in components */
	const char *name;      /* in HTTP */
	const char *doc, *example;
	bool        number;
};

/* Headers of answers; the order is that of the description. */
static const struct header response_headers[] = {
	{ "ETag", "ETag", "Tag of this answer, for If-None-Match and If-Match", "\"9c0d1fb6a2e84c57\"", false },
	{ "Location", "Location", "Address of the created object", "https://docs.example.com/v1/spaces/s2GhN6wPxYt8QfKc4LrV", false },
	{ "Retry-After", "Retry-After", "Seconds to wait before trying again", "1", true },
	{ "X-Request-Id", "X-Request-Id", "Id of this request in the log; include it when you report an error",
	  "5f0c2b7e9a1d4836", false },
	{ "Allow", "Allow", "The methods that this address has", "GET, PATCH, OPTIONS", false },
	{ "WWW-Authenticate", "WWW-Authenticate", "Scheme of authentication", "Bearer", false },
};
/* Headers that clients may send: conditions (RFC 9110 section 13) and the key of a repeated request. */
static const struct header request_headers[] = {
	{ "IfNoneMatch", "If-None-Match", "Tag of an answer that you have; the answer is 304 if it is unchanged",
	  "\"9c0d1fb6a2e84c57\"", false },
	{ "IfMatch", "If-Match", "Tag of the version that you read; if the object was changed since, the answer is 412 and nothing is changed",
	  "\"9c0d1fb6a2e84c57\"", false },
	{ "IdempotencyKey", "Idempotency-Key", "A text that you choose: a repetition of the request with the same "
	  "key within 24 hours gets the first answer again, and is not carried out again", "import-2026-01-31", false },
};

struct failure {
	int         status;
	const char *name;      /* in components */
	const char *doc;
	const char *message;   /* of the example */
	const char *header;    /* besides X-Request-Id; NULL: none */
};

/* A status without a row is not described: openapi_failure() returns false. */
static const struct failure failures[] = {
	{ 400, "BadRequest", "The input is invalid; `fields` says where", "invalid body", NULL },
	{ 401, "Unauthorized", "There is no valid token", "a valid token is needed", "WWW-Authenticate" },
	{ 403, "Forbidden", "You see the object, and your role does not suffice", "your role does not suffice", NULL },
	{ 404, "NotFound", "There is no such object, or you may not know of it", "not found", NULL },
	{ 405, "MethodNotAllowed", "The address has no such method", "the address has no such method", "Allow" },
	{ 409, "Conflict", "The request contradicts what is stored", "nothing would change", NULL },
	{ 412, "PreconditionFailed", "A condition is not met", "it was changed since", NULL },
	{ 413, "ContentTooLarge", "The body is too large or too deep", "the body is too large", NULL },
	{ 415, "UnsupportedMediaType", "The body is not JSON",
	  "the body must be JSON: send the header Content-Type: application/json", NULL },
	{ 429, "TooManyRequests", "Too many requests at once", "too many requests", "Retry-After" },
	{ 503, "ServiceUnavailable", "The service is busy or cannot store anything; nothing was changed",
	  "the database is busy; try again", "Retry-After" },
};

/* Names of components are literals, so nothing needs an escape. */
void
openapi_reference(struct json *j, const char *kind, const char *name)
{
	json_obj(j);
	json_key(j, "$ref");
	buf_printf(j->out, "\"#/components/%s/%s\"", kind, name);
	j->keyed = false;
	json_end(j);
}

void
openapi_digits(int status, char out[4])
{
	out[0] = (char)('0' + status / 100 % 10);
	out[1] = (char)('0' + status / 10 % 10);
	out[2] = (char)('0' + status % 10);
	out[3] = '\0';
}

/* Writes description, type and example into the open object. */
static void
write_header_members(struct json *j, const struct header *h)
{
	json_kstr(j, "description", h->doc);
	json_kobj(j, "schema");
	json_kstr(j, "type", h->number ? "integer" : "string");
	json_end(j);
	json_key(j, "example");
	if (h->number)
		json_raw(j, str_of(h->example));
	else
		json_str(j, h->example);
}

void
openapi_headers(struct json *j)
{
	size_t i;

	json_kobj(j, "headers");
	for (i = 0; i < sizeof(response_headers) / sizeof(response_headers[0]); i++) {
		json_kobj(j, response_headers[i].id);
		write_header_members(j, &response_headers[i]);
		json_end(j);
	}
	json_end(j);
}

void
openapi_parameters(struct json *j)
{
	size_t i;

	json_kobj(j, "parameters");
	for (i = 0; i < sizeof(request_headers) / sizeof(request_headers[0]); i++) {
		json_kobj(j, request_headers[i].id);
		json_kstr(j, "name", request_headers[i].name);
		json_kstr(j, "in", "header");
		write_header_members(j, &request_headers[i]);
		json_end(j);
	}
	json_end(j);
}

static void
refer_to_header(struct json *j, const char *name)
{
	json_key(j, name);
	openapi_reference(j, "headers", name);
}

void
openapi_answer_headers(struct json *j, enum method method, int status)
{
	json_kobj(j, "headers");
	refer_to_header(j, "X-Request-Id");
	if (method == M_GET)
		refer_to_header(j, "ETag");
	if (status == 201)
		refer_to_header(j, "Location");
	json_end(j);
}

/* A 304 has the headers of the answer that the client has cached, and no body. */
static void
write_not_modified(struct json *j)
{
	json_kobj(j, "NotModified");
	json_kstr(j, "description", "The object is unchanged since the answer with the tag in If-None-Match");
	openapi_answer_headers(j, M_GET, 304);
	json_end(j);
}

/* All failures have one form, error with code and message (docs/design/requests.md, "Errors"). */
static void
write_failure_body(struct json *j, const struct failure *f)
{
	json_kobj(j, "content");
	json_kobj(j, "application/json");
	json_key(j, "schema");
	openapi_reference(j, "schemas", openapi_error.name);
	json_kobj(j, "example");
	json_kobj(j, "error");
	json_kint(j, "code", f->status);
	json_kstr(j, "message", f->message);
	json_end(j);
	json_end(j);
	json_end(j);
	json_end(j);
}

void
openapi_failures(struct json *j)
{
	const struct failure *f;
	size_t i;

	json_kobj(j, "responses");
	write_not_modified(j);
	for (i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		f = &failures[i];
		json_kobj(j, f->name);
		json_kstr(j, "description", f->doc);
		json_kobj(j, "headers");
		refer_to_header(j, "X-Request-Id");
		if (f->header != NULL)
			refer_to_header(j, f->header);
		json_end(j);
		write_failure_body(j, f);
		json_end(j);
	}
	json_end(j);
}

bool
openapi_failure(struct json *j, int status)
{
	char name[4];
	size_t i;

	for (i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		if (failures[i].status == status) {
			openapi_digits(status, name);
			json_key(j, name);
			openapi_reference(j, "responses", failures[i].name);
			return true;
		}
	return false;
}
