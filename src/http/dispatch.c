/*
 * The life of a request.
 * 1 Find the route: 400, 404, 405, 414.
 * 2 Send a cached answer if there is one (answers.h). Otherwise look up the caller by the bearer
 * token or session: 401, 403.
 * 3 Check the route's access rule with the ids of the path: 403, 404. A rule that depends on query
 * or body is checked again when these are read. Check the limits on the work of the caller's
 * requests (charge.h): 429.
 * 4 Check query and body with the route's shapes: 400, 413, 415 (request_read.c).
 * 5 A write begins its transaction here, after all slow input, and checks access again inside it.
 * 6 Check If-Match (412) and the idempotency key: the stored answer of a repeated request is sent.
 * 7 Call the handler.
 * 8 COMMIT, only if the handler returned 0. If it called go_ahead(), steps 5 to 8 run again.
 * 9 Send status, headers and the complete body; write a log line (answer_send.c).
 *
 * Nothing is sent before COMMIT, so each step can still end in a clean error, and an answered write
 * is on disk. A failed statement jumps to the top with longjmp(): the transaction is rolled back,
 * and the answer is 503 if the failure may be temporary, otherwise 500. If the schema has changed,
 * the worker ends after the answer (cgi/serve.c).
 */
#include <cjson/cJSON.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "answers.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "charge.h"
#include "dispatch_parts.h"
#include "http/req.h"

/*
 * Largest size of an answer; the buffer grows as needed. If a bug exceeds it, the request ends with
 * a panic instead of exhausting the worker's memory.
 */
enum { MAX_REPLY = 512 << 20 };

/* How often a write is run again at most because it conflicted with another transaction (DB_AGAIN). */
enum { REPLAYS = 8 };

/*
 * Methods are case-sensitive (RFC 9110 section 9.1). Unknown ones are M_OTHER, which no route has,
 * so the router answers 405 with the allowed ones.
 */
static enum method
read_method(const char *s)
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

/*
 * Checks the route's access rule. A rule that sets an error but returns 0 is a bug, which must not
 * give access.
 */
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
 * The ETag that a GET would have: runs its handler in this transaction, with its own access check
 * and query, and discards the reply.
 */
static const char *
etag_of_get(struct req *r, const struct route *get)
{
	const struct route *mine = r->route;
	cJSON *query = r->query;
	const char *etag = NULL;

	/*
	 * The access rule of the GET is checked, so that the comparison of tags reveals nothing
	 * that reading would not.
	 */
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
 * Checks If-Match (RFC 9110 section 13.1.1). It works for every write whose address also answers a
 * GET with an ETag; otherwise the header is refused.
 */
static int
check_if_match(struct req *r)
{
	const char *header = r->io->param(r->io, "HTTP_IF_MATCH"), *etag;
	const struct route *get;

	if (header == NULL)
		return 0;
	if ((get = route_matched(r->app, r->route)) == NULL)
		return fail(r, E_BAD_REQUEST, "If-Match: nothing at this address has an ETag to compare with");
	if (names_revision(r, get) && etag_listed(header, r->request.revision, true))
		return 0;
	if ((etag = etag_of_get(r, get)) == NULL)
		return -1;
	if (names_revision(r, get) && !etag_listed(header, etag, true))
		return fail(r, E_PRECONDITION, "it was changed since: its revision is now \"%s\"",
		    r->request.revision);
	if (!etag_listed(header, etag, true))
		return fail(r, E_PRECONDITION, "it was changed since: its tag is now \"%s\"", etag);
	/* The access check of the GET has changed members of r: check that of the write again, to restore them. */
	return access_or_fail(r);
}

/*
 * Checks idempotency before If-Match: if a successful request is repeated, its own change must not
 * make If-Match fail.
 */
static int
run_handler(struct req *r)
{
	bool replay;

	if (r->route->mode == RW) {
		if (idempotency_begin(r, &replay) != 0 || replay)
			return r->error == E_NONE ? 0 : -1;
		if (check_if_match(r) != 0)
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
 * Long work (parsing, merging large trees) is done before the write lock is taken. The handler is
 * then called again, and must check whether its input has changed since.
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
	r->writing = true;
	db_begin(r->db, true);
	/* Checked again, because the token may have been revoked, or the role removed, while the body arrived. */
	if ((takes_caller(r->route) && auth_caller(r) != 0) || access_or_fail(r) != 0 || run_handler(r) != 0)
		return -1;
	db_commit(r->db);
	r->writing = false;
	return 0;
}

/* Discards what the handler has written so far, before it is called again. */
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
write_after_work(struct req *r)
{
	start_over(r);
	r->ahead(r, r->ahead_arg);
	r->ahead = NULL;
	r->went_ahead = true;
	return write_once(r);
}

/*
 * For reads that have a body: reads it outside of any transaction, because a slow client would keep
 * the snapshot open, and so prevent checkpoints of the WAL. Caller and access are checked again
 * afterwards.
 */
static int
read_body_between(struct req *r)
{
	if (r->route->body != NULL)
		db_rollback(r->db);
	if (read_body(r) != 0)
		return -1;
	if (r->route->body == NULL)
		/* The rule INVITE_MANAGE depends on the query, so check it again now. */
		return r->route->access == INVITE_MANAGE ? access_or_fail(r) : 0;
	db_begin(r->db, false);
	if (takes_caller(r->route) && auth_caller(r) != 0)
		return -1;
	return access_or_fail(r);
}

/* Runs a read in the transaction in which the caller was looked up. */
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
run_write(struct req *r)
{
	int rc;

	for (rc = write_once(r); rc != 0 && r->ahead != NULL && r->error == E_NONE;)
		rc = write_after_work(r);
	r->writing = false;
	if (rc != 0 && r->went_ahead && r->undo != NULL) {
		db_rollback(r->db);
		r->undo(r, r->ahead_arg);
	}
	return rc;
}

static int
run_request(struct req *r)
{
	int patience;

	if (r->route->access == OWN_PAGES && own_page_or_fail(r) != 0)
		return -1;
	/* No transaction and no caller: the health check and the description work without the database. */
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
	return run_write(r);
}

/*
 * Runs a write again whose transaction conflicted with another one (DB_AGAIN): it has changed
 * nothing, and no answer was sent. No other write is run again meanwhile. The pause gives the other
 * transaction time to end; it is longer each time, and differs between processes.
 */
static int
replay_write(struct req *r)
{
	struct timespec t = { 0, (long)(r->replays * 2000000L + (long)(getpid() % 1000) * 1000L) };

	start_over(r);
	if (!r->alone)
		db_take_alone(r->db, DB_LOCK_AGAIN);
	r->alone = true;
	nanosleep(&t, NULL);
	r->after = NULL;
	r->ahead = NULL;
	r->error = E_NONE;
	return run_write(r);
}

/* A lock that cannot be released has ended with its connection. */
static void
end_replays(struct req *r)
{
	if (r->alone && setjmp(r->escape) == 0)
		db_release_alone(r->db, DB_LOCK_AGAIN);
	r->alone = false;
}

static bool
may_replay(struct req *r)
{
	return r->db_failure == DB_AGAIN && r->writing && r->replays++ < REPLAYS;
}

static int
after_db_failure(struct req *r)
{
	db_rollback(r->db);
	r->error = E_NONE;
	r->after = NULL;
	if (r->db_failure == DB_BUSY && r->brief)
		return charge_busy(r);
	if (r->db_failure == DB_BUSY || r->db_failure == DB_AGAIN)
		return fail(r, E_BUSY, "the database is busy; try again");
	if (r->db_failure == DB_FULL)
		return fail(r, E_BUSY, "the disk is full or may only be read; nothing was changed");
	if (r->db_failure == DB_SCHEMA)
		return fail(r, E_BUSY, "Octavo was just updated or restored; nothing was changed, try again");
	log_line("%s: %s", r->route ? r->route->operation : "-", r->db_message);
	if (r->db_failure == DB_AWAY)
		return fail(r, E_BUSY, "the database, or the store of files, cannot be reached; nothing was changed, try again");
	if (r->db_failure == DB_UNKNOWN)
		return fail(r, E_BUSY, "the database was lost while it stored the change: it is unknown whether that happened. Look, "
		    "or repeat the request with the same Idempotency-Key");
	if (r->db_failure == DB_LOST)
		return fail(r, E_BUSY, "%s; nothing was changed", r->db_message);
	if (r->db_failure == DB_DAMAGED)
		return fail(r, E_BUSY, "the database cannot be read; its administrator finds what to "
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
	r->method = read_method(r->io->param(r->io, "REQUEST_METHOD"));
}

/*
 * 0, or fail() if the host is that of a site. On 421 (RFC 9110 section 15.5.20) the web server
 * passes the request to octavo-site: nginx because of a header, Apache by ErrorDocument.
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
	 * A failure of the database is ignored here: the program that serves the path will fail in
	 * the same way, and answer with the failure.
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
		rc = may_replay(r) ? replay_write(r) : after_db_failure(r);
	} else if ((rc = own_host_or_fail(r)) == 0 && (rc = route_find(r, uri != NULL ? uri : "")) == 0) {
		if (r->method == M_OPTIONS)
			r->status = 204;
		else
			rc = run_request(r);
	}
	db_rollback(r->db);
	end_replays(r);
	db_patience(r->db, 0);
	finish_answer(r, rc);
	/* r->after is work that may wait until the client has its answer; a failure here does not change the answer. */
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
