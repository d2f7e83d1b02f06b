/* Requests to an object store. Contract: include/objects/objects.h. */
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/log.h"
#include "base/secret.h"
#include "base/watch.h"
#include "objects_curl.h"
#include "objects_parts.h"

/*
 * CONNECT_SECONDS: for a connection. QUIET_SECONDS: a transfer without a byte for so long has failed.
 * QUICK_MS: after that time there is no further try, since a caller may hold the write lock. WAIT_MS:
 * before the second try; four times as much before the third. PUT_MS: for all of a request that may be made
 * under the write lock (PUT, HEAD), and SLOWEST: bytes of a PUT that have one more millisecond.
 */
enum { CONNECT_SECONDS = 5, QUIET_SECONDS = 10, QUICK_MS = 2000, WAIT_MS = 100, PUT_MS = 3000, SLOWEST = 128 };

struct objects {
	struct arena                  *arena;
	const struct objects_settings *set;
	const struct libcurl          *lib;   /* NULL: not loaded yet */
	CURL                          *curl;  /* keeps its connection from one request to the next */
	struct arena                  *scratch;   /* of one request */
	char                           error[600];
	int64_t                        paused;    /* time_steady() until which requests fail at once; 0: none failed */
};

/* The SHA-256 of no bytes, in hex: the body of a GET. */
static const char no_bytes[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const char *
objects_error(const struct objects *o)
{
	return o->error;
}

static void
close_store(void *arg)
{
	struct objects *o = arg;

	if (o->curl != NULL)
		o->lib->cleanup(o->curl);
}

struct objects *
objects_open(struct arena *a, const struct objects_settings *s)
{
	struct objects *o = arena_alloc(a, sizeof(*o));

	o->arena = a;
	o->set = s;
	o->scratch = arena_within(a, 4 << 20);
	arena_on_end(a, close_store, o);
	return o;
}

const struct objects_settings *
objects_set(const struct objects *o)
{
	return o->set;
}

struct arena *
objects_scratch(struct objects *o)
{
	arena_reset(o->scratch);
	return o->scratch;
}

/* ---- callbacks of libcurl ---- */

/* Less than the given size ends the transfer. The pieces of a refusal are kept for the log. */
static size_t
on_bytes(char *p, size_t size, size_t n, void *ctx)
{
	struct objects_request *q = ctx;
	long status = 0;

	watch_goes_on();
	q->lib->info(q->curl, CURLINFO_RESPONSE_CODE, &status);
	if (status != 200) {
		size_t room = sizeof(q->said) - 1 - q->said_n;

		q->said_n += (size_t)snprintf(q->said + q->said_n, room + 1, "%.*s", (int)(size * n < room ? size * n : room), p);
		q->said_n = strlen(q->said);
	} else if (q->take != NULL && !q->take(q->ctx, p, size * n)) {
		q->stopped = true;
		return 0;
	}
	return size * n;
}

static size_t
on_wanted(char *p, size_t size, size_t n, void *ctx)
{
	struct objects_request *q = ctx;
	ssize_t got;

	watch_goes_on();
	do
		got = pread(q->fd, p, size * n, q->sent);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return CURL_READFUNC_ABORT;
	q->sent += got;
	return (size_t)got;
}

/* libcurl begins again if a kept connection was closed meanwhile. */
static int
on_seek(void *ctx, curl_off_t offset, int origin)
{
	struct objects_request *q = ctx;

	if (origin != SEEK_SET)
		return CURL_SEEKFUNC_CANTSEEK;
	q->sent = offset;
	return CURL_SEEKFUNC_OK;
}

/* ---- a request ---- */

/* Writes the SHA-256 of the file, in hex. False: it cannot be read, or has another size. */
static bool
hash_body(const struct objects_request *q, char out[2 * crypto_hash_sha256_BYTES + 1])
{
	unsigned char piece[16 << 10], digest[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state st;
	int64_t at = 0;
	ssize_t n;

	crypto_hash_sha256_init(&st);
	while ((n = pread(q->fd, piece, sizeof(piece), at)) > 0) {
		crypto_hash_sha256_update(&st, piece, (unsigned long long)n);
		at += n;
	}
	crypto_hash_sha256_final(&st, digest);
	sodium_bin2hex(out, 2 * sizeof(digest) + 1, digest, sizeof(digest));
	return n == 0 && at == q->size;
}

static void
set_options(struct objects *o, struct objects_request *q, const char *url, struct curl_slist *headers)
{
	const struct libcurl *l = o->lib;
	CURL *c = o->curl;

	/* Connections stay open. */
	l->reset(c);
	l->set(c, CURLOPT_URL, url);
	l->set(c, CURLOPT_PROTOCOLS_STR, "http,https");
	l->set(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	l->set(c, CURLOPT_NOSIGNAL, 1L);
	l->set(c, CURLOPT_USERAGENT, "octavo");
	l->set(c, CURLOPT_PATH_AS_IS, 1L);
	l->set(c, CURLOPT_AWS_SIGV4, arena_printf(o->scratch, "aws:amz:%s:s3", o->set->region));
	l->set(c, CURLOPT_USERNAME, o->set->key);
	l->set(c, CURLOPT_PASSWORD, o->set->secret);
	l->set(c, CURLOPT_HTTPHEADER, headers);
	l->set(c, CURLOPT_WRITEFUNCTION, on_bytes);
	l->set(c, CURLOPT_WRITEDATA, q);
	l->set(c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	l->set(c, CURLOPT_LOW_SPEED_LIMIT, 1L);
	l->set(c, CURLOPT_LOW_SPEED_TIME, (long)QUIET_SECONDS);
	if (q->method == OBJECTS_HEAD || q->method == OBJECTS_PUT)
		l->set(c, CURLOPT_TIMEOUT_MS, (long)(PUT_MS + q->size / SLOWEST));
	if (q->method == OBJECTS_HEAD)
		l->set(c, CURLOPT_NOBODY, 1L);
	if (q->method == OBJECTS_DELETE)
		l->set(c, CURLOPT_CUSTOMREQUEST, "DELETE");
	if (q->method == OBJECTS_PUT) {
		l->set(c, CURLOPT_UPLOAD, 1L);
		l->set(c, CURLOPT_READFUNCTION, on_wanted);
		l->set(c, CURLOPT_READDATA, q);
		l->set(c, CURLOPT_SEEKFUNCTION, on_seek);
		l->set(c, CURLOPT_SEEKDATA, q);
		l->set(c, CURLOPT_INFILESIZE_LARGE, (curl_off_t)q->size);
	}
}

/* Always returns `result`. */
static enum objects_result
note_error(struct objects *o, const struct objects_request *q, enum objects_result result, const char *why)
{
	static const char *const verbs[] = { [OBJECTS_GET] = "GET", [OBJECTS_PUT] = "PUT", [OBJECTS_HEAD] = "HEAD", [OBJECTS_DELETE] = "DELETE" };

	snprintf(o->error, sizeof(o->error), "object store %s, bucket %s, %s %s%s: %s", o->set->endpoint, o->set->bucket, verbs[q->method],
	    q->key == NULL ? "" : o->set->prefix, q->key == NULL ? "" : q->key, why);
	return result;
}

/* 404 may also say that there is no such bucket, which no look at objects must take for an empty one. */
static bool
lacks_bucket(const struct objects_request *q)
{
	return strstr(q->said, "NoSuchBucket") != NULL;
}

static enum objects_result
judge(struct objects *o, const struct objects_request *q, CURLcode rc)
{
	long status = 0;

	o->lib->info(o->curl, CURLINFO_RESPONSE_CODE, &status);
	if (q->stopped)
		return note_error(o, q, OBJECTS_FAILED, "the bytes cannot be stored here");
	if (rc == CURLE_ABORTED_BY_CALLBACK || rc == CURLE_READ_ERROR)
		return note_error(o, q, OBJECTS_FAILED, "the file cannot be read");
	if (rc != CURLE_OK)
		return note_error(o, q, OBJECTS_AWAY, o->lib->error(rc));
	if (status >= 200 && status < 300)
		return OBJECTS_DONE;
	if (status == 404 && !lacks_bucket(q))
		return note_error(o, q, OBJECTS_MISSING, "there is no such object");
	return note_error(o, q, status >= 500 || status == 429 || status == 408 ? OBJECTS_AWAY : OBJECTS_REFUSED,
	    arena_printf(o->scratch, "status %ld %s", status, q->said));
}

static enum objects_result
try_once(struct objects *o, struct objects_request *q)
{
	char hash[2 * crypto_hash_sha256_BYTES + 1];
	struct curl_slist *headers;
	const char *url = objects_plain_address(o->scratch, o->set, q->key);
	enum objects_result result;
	curl_off_t length = -1;

	q->said[0] = '\0';
	q->said_n = 0;
	q->sent = 0;
	snprintf(hash, sizeof(hash), "%s", no_bytes);
	if (q->method == OBJECTS_PUT && !hash_body(q, hash))
		return note_error(o, q, OBJECTS_FAILED, "the file cannot be read");
	headers = o->lib->append(NULL, arena_printf(o->scratch, "x-amz-content-sha256: %s", hash));
	/* Without this, libcurl waits a second for servers that do not know the header Expect. */
	headers = o->lib->append(headers, "Expect:");
	set_options(o, q, q->query == NULL ? url : arena_printf(o->scratch, "%s?%s", url, q->query), headers);
	watch_goes_on();
	result = judge(o, q, o->lib->perform(o->curl));
	if (result == OBJECTS_DONE && q->method == OBJECTS_HEAD)
		o->lib->info(o->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	q->length = length;
	o->lib->free_list(headers);
	return result;
}

/* Loads libcurl. NULL, or why that fails. */
static const char *
make_ready(struct objects *o)
{
	const char *error = NULL;

	if (o->lib == NULL && (o->lib = libcurl_load(o->arena, &error)) == NULL)
		return error;
	if (o->curl == NULL && (o->curl = o->lib->init()) == NULL)
		return "libcurl cannot be set up";
	return NULL;
}

static void
wait_ms(int ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000L }, NULL);
}

enum objects_result
objects_request(struct objects *o, struct objects_request *q)
{
	const char *error = make_ready(o);
	int64_t begun = time_steady();
	enum objects_result result = OBJECTS_AWAY;

	if (error != NULL)
		return note_error(o, q, OBJECTS_FAILED, error);
	/* The message of the last failure stays. */
	if (time_steady() < o->paused)
		return OBJECTS_AWAY;
	q->lib = o->lib;
	q->curl = o->curl;
	for (int i = 0, ms = WAIT_MS; i < OBJECTS_TRIES; i++, ms *= 4) {
		result = try_once(o, q);
		/* Bytes that were handed on cannot be taken back. */
		if (result != OBJECTS_AWAY || q->begun || time_steady() - begun > QUICK_MS)
			break;
		if (i + 1 < OBJECTS_TRIES)
			wait_ms(ms);
	}
	o->paused = result == OBJECTS_AWAY ? time_steady() + OBJECTS_PAUSE_MS : 0;
	if (result != OBJECTS_DONE && result != OBJECTS_MISSING)
		log_line("%s", o->error);
	return result;
}

/* ---- the interface ---- */

enum objects_result
objects_put(struct objects *o, const char *key, int fd, int64_t size)
{
	struct objects_request q = { .method = OBJECTS_PUT, .key = key, .fd = fd, .size = size };

	objects_scratch(o);
	return objects_request(o, &q);
}

/* Passes the pieces on, and notes that a second try would repeat them. */
struct relay {
	struct objects_request *q;
	bool                  (*take)(void *, const char *, size_t);
	void                   *ctx;
};

static bool
relay_bytes(void *ctx, const char *p, size_t n)
{
	struct relay *r = ctx;

	r->q->begun = true;
	return r->take(r->ctx, p, n);
}

enum objects_result
objects_get(struct objects *o, const char *key, bool (*take)(void *, const char *, size_t), void *ctx)
{
	struct objects_request q = { .method = OBJECTS_GET, .key = key, .take = relay_bytes };
	struct relay r = { &q, take, ctx };

	q.ctx = &r;
	objects_scratch(o);
	return objects_request(o, &q);
}

enum objects_result
objects_size(struct objects *o, const char *key, int64_t *size)
{
	struct objects_request q = { .method = OBJECTS_HEAD, .key = key };
	enum objects_result result;

	objects_scratch(o);
	result = objects_request(o, &q);
	*size = q.length;
	return result;
}

enum objects_result
objects_delete(struct objects *o, const char *key)
{
	struct objects_request q = { .method = OBJECTS_DELETE, .key = key };
	enum objects_result result;

	objects_scratch(o);
	result = objects_request(o, &q);
	return result == OBJECTS_MISSING ? OBJECTS_DONE : result;
}
