/*
 * The life of a request.
 * 1 Find the route: 400, 404, 405, 414.
 * 2 Send a cached answer if there is one (answers.h). Otherwise look up the caller by the bearer
 * token or session: 401, 403.
 * 3 Check the route's access rule with the ids of the path: 403, 404. A rule that depends on query
 * or body is checked again when these are read. Check the limits on the work of the caller's
 * requests (charge.h): 429.
 * 4 Check query and body with the route's shapes: 400, 413, 415.
 * 5 A write begins its transaction here, after all slow input, and checks access again inside it.
 * 6 Check If-Match (412) and the idempotency key: the stored answer of a repeated request is sent.
 * 7 Call the handler.
 * 8 COMMIT, only if the handler returned 0. If it called go_ahead(), steps 5 to 8 run again.
 * 9 Send status, headers and the complete body; write a log line.
 *
 * Nothing is sent before COMMIT, so each step can still end in a clean error, and an answered write
 * is on disk. A failed statement jumps to the top with longjmp(): the transaction is rolled back,
 * and the answer is 503 if the failure may be temporary, otherwise 500. If the schema has changed,
 * the worker ends after the answer (cgi/serve.c).
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>

#include "base/log.h"
#include "base/scan.h"
#include "base/panic.h"
#include "answers.h"
#include "charge.h"
#include "http/metrics.h"
#include "http/req.h"
#include "base/secret.h"
#include "base/spare.h"
#include "base/url.h"

/*
 * Caps, not sizes: buffers grow as needed. A bug beyond them ends the request instead of exhausting
 * the worker's memory.
 */
enum { MAX_REPLY = 512 << 20, MAX_HEADERS = 64 << 10 };

/*
 * Methods are case-sensitive (RFC 9110 section 9.1). Unknown ones are M_OTHER, which no route has,
 * so the router answers 405 with the allowed ones.
 */
static enum method
method_of(const char *s)
{
	static const struct { const char *name; enum method m; } names[] = {
		{ "GET", M_GET }, { "POST", M_POST }, { "PUT", M_PUT }, { "PATCH", M_PATCH },
		{ "DELETE", M_DELETE }, { "HEAD", M_HEAD }, { "OPTIONS", M_OPTIONS } };
	size_t i;

	for (i = 0; s != NULL && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(s, names[i].name) == 0)
			return names[i].m;
	return M_OTHER;
}

/*
 * Called by the database within a statement. Without longjmp(), handlers that are up to ten calls
 * deep would need a check after each statement, and one would be forgotten.
 */
static void
on_db_failure(void *ctx, enum db_failure f, const char *message)
{
	struct req *r = ctx;

	r->db_failure = f;
	r->db_message = message;
	longjmp(r->escape, 1);
}

/* ---- query ---- */

/*
 * Convert a query value to the JSON type of its field; other text stays text, and is refused by the
 * shape.
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
 * Ignore unknown names: newer clients and caches add parameters. Of a repeated name the last
 * counts, except for lists.
 */
static void
query_add(struct req *r, cJSON *query, const char *name, const char *value)
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

/* Query as an object, unchecked; NULL if it cannot be parsed. */
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
		/* Split before decoding: %26 and %3D belong to a value. */
		eq = memchr(s, '=', (size_t)(end - s));
		name = url_decode(r->arena, (struct str){ s, (size_t)((eq ? eq : end) - s) }, true);
		value = eq == NULL ? arena_strdup(r->arena, "") :
		    url_decode(r->arena, (struct str){ eq + 1, (size_t)(end - eq - 1) }, true);
		if (name == NULL || value == NULL)
			return NULL;
		query_add(r, query, name, value);
	}
	return query;
}

static int
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
 * Count a body without a length (chunked) as it arrives; refuse one that is announced as too long
 * before reading it.
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

/* Body of a route that takes none: {} or nothing. */
static const struct shape no_members = { "NoMembers", (const struct field[]){ { 0 } } };

static int
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
	/* A page of another site cannot send it with a caller's cookie: PUT takes a preflight. */
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

/* ---- the middle ---- */

/* Check the route's access rule. If it has failed, refuse, whatever it returns. */
static int
access_or_fail(struct req *r)
{
	int rc = r->app->access(r);

	if (rc == 0 && r->error != E_NONE)
		panic("%s: the access rule refuses and lets in", r->route->operation);
	return rc;
}

/*
 * True if the GET answers a change request or its content: the id of its revision is then a valid
 * tag as well.
 */
static bool
names_revision(const struct req *r, const struct route *get)
{
	static const char *const ends[] = { "/{changeRequestId}", "/{changeRequestId}/content" };
	size_t n = strlen(get->path), i, k;

	for (i = 0; i < 2; i++) {
		k = strlen(ends[i]);
		if (n > k && strcmp(get->path + n - k, ends[i]) == 0)
			return r->method == M_POST && r->request.revision != NULL;
	}
	return false;
}

/*
 * Tag of a GET: run it in this transaction, with its own access check and query, and discard the
 * reply.
 */
static const char *
tag_of_get(struct req *r, const struct route *get)
{
	const struct route *mine = r->route;
	cJSON *query = r->query;
	const char *etag = NULL;

	/* Apply the GET's own rule, so that a tag reveals nothing that reading would not. */
	r->route = get;
	if (read_query(r) == 0 && access_or_fail(r) == 0 && get->handler(r) == 0)
		etag = r->etag != NULL ? r->etag : etag_of_body(r);
	r->route = mine;
	r->query = query;
	buf_cut(&r->out, r->out.n);
	json_init(&r->json, &r->out);
	r->etag = r->cache = NULL;
	r->status = 0;
	r->after = NULL;
	return etag;
}

/*
 * If-Match (RFC 9110 section 13.1.1) works on every write, and is refused where it can name
 * nothing.
 */
static int
if_match(struct req *r)
{
	const char *header = r->io->param(r->io, "HTTP_IF_MATCH"), *etag;
	const struct route *get;

	if (header == NULL)
		return 0;
	if ((get = route_matched(r->app, r->route)) == NULL)
		return fail(r, E_BAD_REQUEST, "If-Match: nothing at this address has an ETag to compare with");
	if (names_revision(r, get) && etag_listed(header, r->request.revision, true))
		return 0;
	if ((etag = tag_of_get(r, get)) == NULL)
		return -1;
	if (names_revision(r, get) && !etag_listed(header, etag, true))
		return fail(r, E_PRECONDITION, "it was changed since: its revision is now \"%s\"",
		    r->request.revision);
	if (!etag_listed(header, etag, true))
		return fail(r, E_PRECONDITION, "it was changed since: its tag is now \"%s\"", etag);
	/* Restore what the access check of its own route has set for the handler. */
	return access_or_fail(r);
}

/*
 * Check idempotency before If-Match: the repeat of a successful request must not fail because it
 * succeeded.
 */
static int
run_handler(struct req *r)
{
	bool replay;

	if (r->route->mode == RW) {
		if (idempotency_begin(r, &replay) != 0 || replay)
			return r->error == E_NONE ? 0 : -1;
		if (if_match(r) != 0)
			return -1;
	}
	if (r->route->handler(r) != 0)
		return -1;
	if (r->status == 0)
		r->status = r->route->ok;
	if (r->route->mode == RW)
		idempotency_end(r);
	return 0;
}

/*
 * Does long work (parsing, merging large trees) before the write lock is taken. The handler is then
 * called again: it finds the work done, or finds that its input has changed since.
 */
int
go_ahead(struct req *r, void (*work)(struct req *, void *), void *arg)
{
	r->ahead = work;
	r->ahead_arg = arg;
	return -1;
}

int
write_needed(struct req *r)
{
	r->must_write = true;
	return -1;
}

static int
write_once(struct req *r)
{
	db_begin(r->db, true);
	/*
	 * Check again: the token may have been revoked, or the role removed, while the body
	 * arrived.
	 */
	if ((takes_caller(r->route) && auth_caller(r) != 0) || access_or_fail(r) != 0 || run_handler(r) != 0)
		return -1;
	db_commit(r->db);
	return 0;
}

/* Discard what the handler has written so far: it is called again. */
static void
start_over(struct req *r)
{
	db_rollback(r->db);
	buf_cut(&r->out, r->out.n);
	json_init(&r->json, &r->out);
	r->status = 0;
	r->etag = r->location = NULL;
}

static int
write_ahead(struct req *r)
{
	start_over(r);
	r->ahead(r, r->ahead_arg);
	r->ahead = NULL;
	r->went_ahead = true;
	return write_once(r);
}

/*
 * Read the body outside of any transaction, since a slow client would hold the snapshot, and with
 * it the WAL. What was checked before is then checked again.
 */
static int
read_body_between(struct req *r)
{
	if (r->route->body != NULL)
		db_rollback(r->db);
	if (read_body(r) != 0)
		return -1;
	if (r->route->body == NULL)
		/* Whom an invite link may be shown to depends on the query. */
		return r->route->access == INVITE_MANAGE ? access_or_fail(r) : 0;
	db_begin(r->db, false);
	if (takes_caller(r->route) && auth_caller(r) != 0)
		return -1;
	return access_or_fail(r);
}

/* Read in the transaction in which the caller was looked up. */
static int
read_once(struct req *r)
{
	int rc;

	if (read_body_between(r) != 0)
		return -1;
	if ((rc = run_handler(r)) != 0 && r->must_write && r->error == E_NONE) {
		start_over(r);
		return write_once(r);
	}
	if (rc == 0)
		answer_cache(r);
	db_rollback(r->db);
	return rc;
}

static int
run_request(struct req *r)
{
	int rc, patience;

	if (r->route->access == OWN_PAGES && own_page_or_fail(r) != 0)
		return -1;
	/* No transaction and no caller: health and the description work without the database. */
	if (r->route->mode == NO_DB)
		return read_query(r) != 0 || read_body(r) != 0 ? -1 : run_handler(r);
	if (r->route->mode == KEPT && answer_from_cache(r))
		return 0;
	db_begin(r->db, false);
	if (takes_caller(r->route) && auth_caller(r) != 0)
		return -1;
	if (access_or_fail(r) != 0 || read_query(r) != 0 || charge_begin(r) != 0)
		return -1;
	if (r->route->mode != RW)
		return read_once(r);
	db_rollback(r->db);
	if (read_body(r) != 0)
		return -1;
	patience = charge_patience();
	r->brief = patience > 0;
	db_patience(r->db, patience);
	for (rc = write_once(r); rc != 0 && r->ahead != NULL && r->error == E_NONE;)
		rc = write_ahead(r);
	if (rc != 0 && r->went_ahead && r->undo != NULL) {
		db_rollback(r->db);
		r->undo(r, r->ahead_arg);
	}
	return rc;
}

/* ---- the answer ---- */

/* True for a DELETE of something that does not exist for the caller: nothing is left to do. */
static bool
nothing_to_delete(struct req *r)
{
	/* absent is set for the thing itself, not for what contains it. */
	return r->error == E_NOT_FOUND && r->absent && r->method == M_DELETE;
}

/*
 * Write the one form of all errors (docs/api/errors.md), and discard what the handler wrote before
 * it failed.
 */
static void
write_error(struct req *r)
{
	const struct fault *f;

	buf_cut(&r->out, r->out.n);
	json_init(&r->json, &r->out);
	json_obj(&r->json);
	json_kobj(&r->json, "error");
	json_kint(&r->json, "code", r->status);
	json_kstr(&r->json, "message", r->message);
	json_end(&r->json);
	if (r->faults.first != NULL && r->status == 400) {
		json_karr(&r->json, "fields");
		for (f = r->faults.first; f != NULL; f = f->next) {
			json_obj(&r->json);
			json_kstr(&r->json, "path", f->path);
			json_kstr(&r->json, "message", f->message);
			json_end(&r->json);
		}
		json_end(&r->json);
	}
	json_end(&r->json);
}

static const char *
reason_phrase(int status)
{
	static const struct { int status; const char *text; } reasons[] = {
		{ 200, "OK" }, { 201, "Created" }, { 202, "Accepted" }, { 204, "No Content" },
		{ 205, "Reset Content" }, { 304, "Not Modified" }, { 400, "Bad Request" }, { 401, "Unauthorized" },
		{ 403, "Forbidden" }, { 404, "Not Found" }, { 405, "Method Not Allowed" },
		{ 409, "Conflict" }, { 412, "Precondition Failed" }, { 413, "Content Too Large" },
		{ 414, "URI Too Long" }, { 415, "Unsupported Media Type" }, { 421, "Misdirected Request" },
		{ 429, "Too Many Requests" }, { 500, "Internal Server Error" },
		{ 503, "Service Unavailable" } };
	size_t i;

	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].status == status)
			return reasons[i].text;
	return "OK";
}

/* Not printf(), which would be a tenth of a short answer's instructions. */
static void
write_header(struct buf *h, const char *name, const char *value)
{
	buf_str(h, name);
	buf_str(h, ": ");
	buf_str(h, value);
	buf_str(h, "\r\n");
}

static void
cors_headers(struct req *r, struct buf *h)
{
	const char *allowed = settings_cors(r->set, r->io->param(r->io, "HTTP_ORIGIN"));

	/* Pages of other sites can read neither a session's answers nor whether an account exists (docs/design/security.md, "S15"). */
	if (r->closed || auth_by_cookie(r))
		return;
	/* Caches must keep answers for different origins apart, also the one without permission. */
	if (strcmp(r->set->cors, "*") != 0)
		write_header(h, "Vary", "Origin");
	if (allowed == NULL)
		return;
	write_header(h, "Access-Control-Allow-Origin", allowed);
	buf_str(h, "Access-Control-Expose-Headers: ETag, Location, Retry-After, Warning, X-Request-Id\r\n");
	if (r->method == M_OPTIONS)
		buf_printf(h, "Access-Control-Allow-Methods: %s\r\n"
		    "Access-Control-Allow-Headers: Authorization, Content-Type, If-Match, "
		    "If-None-Match, Idempotency-Key\r\nAccess-Control-Max-Age: 86400\r\n",
		    r->allow != NULL ? r->allow : "GET");
}

static void
send_answer(struct req *r)
{
	bool body = r->out.n > 0 && r->status != 204 && r->status != 205 && r->status != 304;
	struct buf h;

	buf_init(&h, r->arena, MAX_HEADERS);
	/* Enough for most answers, so that the buffer does not grow. */
	buf_reserve(&h, 600);
	buf_str(&h, "Status: ");
	buf_int(&h, r->status);
	buf_char(&h, ' ');
	buf_str(&h, reason_phrase(r->status));
	buf_str(&h, "\r\nX-Content-Type-Options: nosniff\r\n");
	write_header(&h, "X-Request-Id", r->id);
	if (body) {
		write_header(&h, "Content-Type", r->content_type != NULL ? r->content_type : "application/json");
		buf_str(&h, "Content-Length: ");
		buf_int(&h, (int64_t)r->out.n);
		buf_str(&h, "\r\n");
		buf_str(&h, spool_header(r->set->dir, r->out.n));
	}
	if (r->etag != NULL) {
		buf_str(&h, "ETag: \"");
		buf_str(&h, r->etag);
		buf_str(&h, "\"\r\n");
	}
	/*
	 * With a tag, the client alone may cache the answer and must revalidate it; without one it
	 * is not cached.
	 */
	write_header(&h, "Cache-Control", r->cache != NULL ? r->cache :
	    r->etag != NULL ? "private, no-cache" : "no-store");
	if (r->location != NULL)
		write_header(&h, "Location", r->location);
	/* 299: persistent warning; "-": an unnamed agent (RFC 7234 section 5.5). */
	if (r->warning != NULL)
		buf_printf(&h, "Warning: 299 - \"%s\"\r\n", r->warning);
	if (r->hand_over)
		buf_str(&h, "X-Accel-Redirect: @octavo_host\r\n");
	if (r->status == 401)
		buf_str(&h, "WWW-Authenticate: Bearer\r\n");
	if (r->status == 503 || r->status == 429)
		buf_printf(&h, "Retry-After: %d\r\n", r->retry_after > 0 ? r->retry_after : 1);
	if (r->allow != NULL && (r->status == 405 || r->method == M_OPTIONS))
		write_header(&h, "Allow", r->allow);
	cors_headers(r, &h);
	buf_str(&h, "\r\n");
	/* Ignore a failure: the client has hung up. */
	if (r->io->write(r->io, h.p, h.n) && body && r->method != M_HEAD)
		r->io->write(r->io, r->out.p, r->out.n);
}

/* In tests, parse every reply and check it against its shape. */
static void
self_check(struct req *r)
{
	struct faults fs;
	const char *wrong;
	bool large;
	cJSON *v;

	/* OPTIONS has no route. */
	if (!r->set->self_check || r->route == NULL || r->route->reply == NULL || r->out.n == 0 ||
	    r->status >= 300)
		return;
	faults_init(&fs, r->arena);
	wrong = json_scan(r->arena, buf_view(&r->out), &json_limits_body, &large);
	if (wrong != NULL && !large)
		panic("%s: the reply is no JSON: %s", r->route->operation, wrong);
	v = cJSON_ParseWithLength(r->out.p, r->out.n);
	if (!large && !shape_check(&fs, r->route->reply, v, ""))
		panic("%s: the reply does not fit its shape: %s %s", r->route->operation,
		    fs.first->path, fs.first->message);
}

static void
finish_answer(struct req *r, int rc)
{
	const char *header;

	if (rc != 0 && nothing_to_delete(r)) {
		r->error = E_NONE;
		r->status = 204;
		buf_cut(&r->out, r->out.n);
	} else if (rc != 0) {
		r->status = error_status(r->error);
		r->etag = NULL;
		r->cache = NULL;
		r->location = NULL;
		write_error(r);
	} else {
		self_check(r);
		if (r->route != NULL && r->route->method == M_GET && r->status == 200 && r->etag == NULL)
			r->etag = etag_of_body(r);
		/* Most handlers answer 304 early (not_modified()); this does it for the others. */
		header = r->io->param(r->io, "HTTP_IF_NONE_MATCH");
		if (header != NULL && r->etag != NULL && r->status == 200 &&
		    etag_listed(header, r->etag, true))
			r->status = 304;
	}
	charge_answered(r);
	send_answer(r);
	access_log(r);
	metrics_count(r);
}

static int
after_db_failure(struct req *r)
{
	db_rollback(r->db);
	r->error = E_NONE;
	r->after = NULL;
	if (r->db_failure == DB_BUSY && r->brief)
		return charge_busy(r);
	if (r->db_failure == DB_BUSY)
		return fail(r, E_BUSY, "the database is busy; try again");
	if (r->db_failure == DB_FULL)
		return fail(r, E_BUSY, "the disk is full; nothing was changed");
	if (r->db_failure == DB_SCHEMA)
		return fail(r, E_BUSY, "Octavo was just updated or restored; nothing was changed, try again");
	log_line("%s: %s", r->route ? r->route->operation : "-", r->db_message);
	if (r->db_failure == DB_LOST)
		return fail(r, E_BUSY, "%s; nothing was changed", r->db_message);
	if (r->db_failure == DB_DAMAGED)
		return fail(r, E_BUSY, "the database cannot be read; whoever runs this Octavo finds what to "
		    "do in the log under %s, and with octavo check", r->id);
	return fail(r, E_INTERNAL, "internal error; the log has it under %s", r->id);
}

static void
start_request(struct req *r)
{
	struct timespec now;
	/* nginx passes its request id, so that both logs agree. */
	const char *id = r->io->param(r->io, "REQUEST_ID");

	clock_gettime(CLOCK_MONOTONIC, &now);
	r->start_us = now.tv_sec * 1000000LL + now.tv_nsec / 1000;
	r->id = id != NULL && *id != '\0' ? id : secret_id(r->arena);
	log_id(r->id);
	json_arena(r->arena);
	faults_init(&r->faults, r->arena);
	buf_init(&r->out, r->arena, MAX_REPLY);
	json_init(&r->json, &r->out);
	db_on_fail(r->db, on_db_failure, r);
	r->method = method_of(r->io->param(r->io, "REQUEST_METHOD"));
}

/*
 * 0, or fail() if the host is that of a site. On 421 (RFC 9110 section 15.5.20) the web server asks
 * octavo-site instead: nginx by a header, Apache by ErrorDocument.
 */
static int
own_host_or_fail(struct req *r)
{
	const char *accel = r->io->param(r->io, "OCTAVO_ACCEL");

	if (r->app->other_host == NULL || !r->app->other_host(r))
		return 0;
	r->hand_over = accel != NULL && *accel != '\0';
	return fail(r, E_MISDIRECTED, "this host shows a site; the API is below %s/v1/", r->set->url);
}

bool
is_other_host(struct req *r)
{
	volatile bool other = false;

	start_request(r);
	/*
	 * If this check fails, the program that serves the path answers with the failure, because
	 * its own statements fail as well.
	 */
	if (setjmp(r->escape) == 0)
		other = r->app->other_host != NULL && r->app->other_host(r);
	db_rollback(r->db);
	json_arena(NULL);
	log_id(NULL);
	return other;
}

void
dispatch(struct req *r)
{
	const char *uri = r->io->param(r->io, "REQUEST_URI");
	/* volatile: read after longjmp() (C11 7.13.2.1). */
	volatile int rc = -1;

	start_request(r);
	if (setjmp(r->escape) != 0) {
		rc = after_db_failure(r);
	} else if ((rc = own_host_or_fail(r)) == 0 && (rc = route_find(r, uri != NULL ? uri : "")) == 0) {
		if (r->method == M_OPTIONS)
			r->status = 204;
		else
			rc = run_request(r);
	}
	db_rollback(r->db);
	db_patience(r->db, 0);
	finish_answer(r, rc);
	/*
	 * Work that may wait until the client has its answer; a failure here does not change the
	 * answer.
	 */
	if (r->after != NULL && rc == 0 && setjmp(r->escape) == 0)
		r->after(r, r->after_arg);
	db_rollback(r->db);
	if (rc == 0 && setjmp(r->escape) == 0)
		auth_touch(r);
	db_rollback(r->db);
	charge_end(r);
	/* cJSON must not keep an arena that ends with the request. */
	json_arena(NULL);
	log_id(NULL);
}
