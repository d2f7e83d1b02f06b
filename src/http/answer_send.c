/*
 * The end of a request: its answer or error becomes status, headers and body, which are sent whole.
 * In tests each answer is checked against the shape of its route first.
 */
#include <cjson/cJSON.h>

#include "base/log.h"
#include "base/panic.h"
#include "base/scan.h"
#include "base/spare.h"
#include "charge.h"
#include "dispatch_parts.h"
#include "http/metrics.h"
#include "http/req.h"

/* Largest size of the headers; the buffer grows as needed. */
enum { MAX_HEADERS = 64 << 10 };

/* True for a DELETE of something that does not exist for the caller: it is answered like a successful one. */
static bool
nothing_to_delete(struct req *r)
{
	/* absent is set only if the thing itself is missing, not if the object that contains it is. */
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

/* Not buf_printf(): formatting would be a tenth of the instructions of a short answer. */
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
	/* A cache must not send an answer for one origin to another, whether the origin is allowed or not. */
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
	/* 600 bytes are enough for most answers, so the buffer does not grow. */
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
	 * An answer with an ETag may be cached by the client only, which must revalidate it; one
	 * without is not cached.
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

	/* route is NULL for OPTIONS. */
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

void
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
		/* Most handlers answer 304 early (not_modified()); this check does it for the others. */
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
