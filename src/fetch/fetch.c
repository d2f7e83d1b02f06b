/*
 * The one module that names libcurl. Each hop is a transfer of its own, so that its
 * address is judged before anything is sent.
 */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/address.h"
#include "base/buf.h"
#include "base/json.h"
#include "fetch/fetch.h"

/*
 * The deadline of the whole fetch is the caller's; CONNECT_SECONDS ends a hop earlier whose server does
 * not accept, PATIENCE is the default for one that sends too little. HEADER_MAX bounds what is kept of ETag and Last-Modified, because
 * both are stored and sent back. TOLD_MS keeps the caller's progress writes to about one a
 * second.
 */
enum { CONNECT_SECONDS = 15, PATIENCE = 30, HEADER_MAX = 500, TOLD_MS = 700 };

/* The state of one fetch; curl, fd and deadline serve all its hops. */
struct fetching {
	struct arena               *arena;
	const struct fetch_request *q;
	struct fetch_result        *out;
	CURL                       *curl;
	/* Of the target file; written from byte 0 again at each hop. */
	int                         fd;
	int64_t                     deadline;   /* ms of time_steady() */
	/* Of the hop that is made; NULL before the first one, which judge_url() tells a redirect by. */
	const char                 *host, *port;
	bool                        refused;    /* a socket's address was not public */
	bool                        large, cancelled;
	char                        error[CURL_ERROR_SIZE];
	int                         hops;       /* redirects that were followed */
	int64_t                     told_at;    /* when progress() was last called */
};

/*
 * Returns false always, so that a failing step can be written as one return. A constant or an
 * arena text is wanted: the result outlives the call.
 */
static bool
fetch_fail(struct fetching *f, enum fetch_status status, const char *message)
{
	f->out->status = status;
	f->out->message = message;
	return false;
}

/* ---- addresses ---- */

/* A part of an address, in the arena; NULL: it has none. */
static char *
url_part(struct arena *a, CURLU *u, CURLUPart which, unsigned flags)
{
	char *text = NULL, *copy;

	if (curl_url_get(u, which, &text, flags) != CURLUE_OK || text == NULL)
		return NULL;
	copy = arena_strdup(a, text);
	curl_free(text);
	return copy;
}

struct place {
	const char *scheme, *host, *port;   /* host: without brackets */
};

/* Takes a URL apart as libcurl does, which connects by it; NULL, or why that is not possible. */
static const char *
read_url(struct arena *a, const char *url, struct place *p)
{
	CURLU *u = curl_url();
	const char *why = NULL;
	char *host;

	/*
	 * Another parser than libcurl's could see another host than the one that is connected
	 * to: the judged host and the asked host must come from the same parser.
	 */
	if (curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK || (host = url_part(a, u, CURLUPART_HOST, 0)) == NULL ||
	    (p->scheme = url_part(a, u, CURLUPART_SCHEME, 0)) == NULL)
		why = "it is no URL";
	else {
		/* The judges and the resolver want the bare address: no brackets, no zone id. */
		if (host[0] == '[') {
			host++;
			host[strcspn(host, "]%")] = '\0';
		}
		p->host = host;
		p->port = url_part(a, u, CURLUPART_PORT, CURLU_DEFAULT_PORT);
	}
	curl_url_cleanup(u);
	return why;
}

/* May this hop go to this machine or its neighbours? */
static bool
may_be_private(const struct fetching *f)
{
	return f->q->private_hosts || (f->q->private_first && f->hops == 0);
}

/*
 * The resolver of the system, at most FETCH_ADDRESSES results. It is bounded by resolv.conf's
 * timeouts and not by the fetch's deadline, which fetch_hop() therefore checks after it.
 */
static size_t
system_resolve(const char *host, char out[][FETCH_ADDRESS_TEXT])
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG }, *list, *i;
	size_t n = 0;

	if (getaddrinfo(host, NULL, &hints, &list) != 0)
		return 0;
	for (i = list; i != NULL && n < FETCH_ADDRESSES; i = i->ai_next)
		n += getnameinfo(i->ai_addr, i->ai_addrlen, out[n], FETCH_ADDRESS_TEXT, NULL, 0,
		    NI_NUMERICHOST) == 0;
	freeaddrinfo(list);
	return n;
}

static bool
str_ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcasecmp(s + n - m, end) == 0;
}

/* Resolves the hop's host and judges each of its addresses; *pin is what libcurl shall take for it. */
static bool
resolve_host(struct fetching *f, struct curl_slist **pin)
{
	char addresses[FETCH_ADDRESSES][FETCH_ADDRESS_TEXT];
	const struct fetch_network *net = f->q->network;
	const char *why;
	struct buf b;
	size_t n, i;

	if (!may_be_private(f) && (why = address_refuse_host(f->arena, f->host)) != NULL)
		return fetch_fail(f, FETCH_REFUSED, why);
	/* Names that nobody has (RFC 6761, 6.4): no server need be asked. */
	n = str_ends(f->host, ".invalid") ? 0 : net != NULL ? net->resolve(net->ctx, f->host, addresses) : system_resolve(f->host, addresses);
	if (n == 0)
		return fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "there is no host named %s", f->host));
	/* Room for a host of 1000 bytes, a port and 16 addresses of 64 bytes. */
	buf_init(&b, f->arena, 4096);
	buf_printf(&b, "%.1000s:%s:", f->host, f->port);
	/*
	 * All addresses are judged before any is used: one private address among public ones is how a name is
	 * made to pass on the first answer and connect on the second (docs/design/security.md, "S9").
	 */
	for (i = 0; i < n; i++) {
		why = may_be_private(f) ? NULL : address_refuse_literal(addresses[i]);
		if (why != NULL)
			return fetch_fail(f, FETCH_REFUSED, arena_printf(f->arena,
			    "the host %s is %s, not a public one", f->host, why));
		buf_printf(&b, "%s%s", i > 0 ? "," : "", addresses[i]);
	}
	/* An address needs no resolver, and its colons would part "host:port:address" elsewhere. */
	if (strchr(f->host, ':') != NULL)
		return true;
	/*
	 * "host:port:address,..." for CURLOPT_RESOLVE: libcurl takes these and asks no resolver
	 * itself, so that a name that resolves to something else a moment later changes nothing.
	 */
	*pin = curl_slist_append(NULL, b.p);
	return true;
}

/* ---- what libcurl calls ---- */

/* The last word on where a connection goes: whatever was resolved, by whom, and how often. */
static curl_socket_t
open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct fetching *f = ctx;
	const struct fetch_network *net = f->q->network;

	(void)purpose;
	if (!may_be_private(f) && address_refuse(&address->addr) != NULL) {
		f->refused = true;
		return CURL_SOCKET_BAD;
	}
	if (net != NULL && net->reroute != NULL)
		net->reroute(net->ctx, &address->addr, &address->addrlen);
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* The value of a header of this name, trimmed; NULL: it is another one. */
static char *
header_value(struct arena *a, struct str line, const char *name)
{
	size_t n = strlen(name);

	if (line.n < n || strncasecmp(line.p, name, n) != 0)
		return NULL;
	line = str_slice(line, n, line.n);
	while (line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t'))
		line = str_slice(line, 1, line.n);
	while (line.n > 0 && (unsigned char)line.p[line.n - 1] <= ' ')
		line.n--;
	return line.n == 0 || line.n > HEADER_MAX ? NULL : arena_strndup(a, line.p, line.n);
}

/*
 * A header line as libcurl found it, not terminated. The last one of a name wins. Returning less
 * than was given would end the transfer.
 */
static size_t
on_header(char *p, size_t size, size_t n, void *ctx)
{
	struct fetching *f = ctx;
	struct str line = { p, size * n };
	char *value;

	if ((value = header_value(f->arena, line, "etag:")) != NULL)
		f->out->etag = value;
	else if ((value = header_value(f->arena, line, "last-modified:")) != NULL)
		f->out->modified = value;
	return size * n;
}

/*
 * Counts bytes after decompression (CURLOPT_ACCEPT_ENCODING): a small compressed answer cannot
 * fill the disk. Returning 0 ends the transfer with CURLE_WRITE_ERROR, and fail_transfer() reads why
 * from the flags.
 */
static size_t
on_body(char *p, size_t size, size_t n, void *ctx)
{
	struct fetching *f = ctx;
	size_t length = size * n, done = 0;
	ssize_t k;

	if (f->out->bytes + (int64_t)length > f->q->bytes) {
		f->large = true;
		return 0;
	}
	while (done < length) {
		/*
		 * A signal may interrupt the write, and a full disk shortens it: the next call
		 * then says ENOSPC.
		 */
		k = write(f->fd, p + done, length - done);
		if (k < 0 && errno != EINTR)
			return 0;
		done += k > 0 ? (size_t)k : 0;
	}
	f->out->bytes += (int64_t)length;
	return length;
}

/* Nonzero ends the transfer. A Content-Length above the limit ends it before the body is received. */
static int
on_progress(void *ctx, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up_now)
{
	struct fetching *f = ctx;

	(void)up_total;
	(void)up_now;
	f->large = f->large || total > f->q->bytes;
	/* libcurl calls this for each piece that arrives; the caller may write to a database. */
	if (f->q->progress != NULL && time_steady() - f->told_at >= TOLD_MS) {
		f->told_at = time_steady();
		f->cancelled = !f->q->progress(f->q->ctx, now);
	}
	return f->large || f->cancelled;
}

/* ---- a hop ---- */

/*
 * The list is the caller's to free. Its values hold no line breaks: they come from code or are
 * values that header_value() took out of single lines.
 */
static struct curl_slist *
headers_of(const struct fetching *f)
{
	struct curl_slist *list = NULL;
	const struct fetch_request *q = f->q;

	if (q->post != NULL)
		list = curl_slist_append(list, "Content-Type: application/json");
	if (q->accept != NULL)
		list = curl_slist_append(list, arena_printf(f->arena, "Accept: %s", q->accept));
	if (q->etag != NULL)
		list = curl_slist_append(list, arena_printf(f->arena, "If-None-Match: %s", q->etag));
	if (q->modified != NULL)
		list = curl_slist_append(list, arena_printf(f->arena, "If-Modified-Since: %s", q->modified));
	return list;
}

static long
silence_limit(const struct fetch_request *q)
{
	int most = q->seconds / 2 > 1 ? q->seconds / 2 : 1, seconds = q->patience > 0 ? q->patience : PATIENCE;

	return seconds < most ? seconds : most;
}

static long
least_rate(const struct fetch_request *q)
{
	return q->rate > 0 ? (long)q->rate : 1;
}

static void
set_options(struct fetching *f, const char *url, struct curl_slist *headers, struct curl_slist *pin)
{
	/*
	 * Each hop gets what is left of the fetch's time and not a new limit, or a chain of
	 * redirects would multiply it.
	 */
	int64_t left = f->deadline - time_steady();
	CURL *c = f->curl;

	/*
	 * The handle is used again for its memory alone: no option and no header of the last hop
	 * may reach the next host.
	 */
	curl_easy_reset(c);
	curl_easy_setopt(c, CURLOPT_URL, url);
	if (f->q->post != NULL)
		curl_easy_setopt(c, CURLOPT_POSTFIELDS, f->q->post);
	/* Without this list libcurl reads file:, gopher: and others (docs/design/security.md, "S9"). */
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	/* libcurl would follow to addresses that nobody judged; follow_hops() makes each hop itself. */
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	/*
	 * An empty string switches off http_proxy and its kin of the environment: behind a proxy
	 * the addresses that resolve_host() judged would not be those that are connected to.
	 */
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	/*
	 * The timeout of libcurl's own resolver works by SIGALRM and longjmp() otherwise, in a
	 * process with other handlers.
	 */
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	/* A kept connection would be used again by host name, past open_socket(). */
	curl_easy_setopt(c, CURLOPT_FORBID_REUSE, 1L);
	curl_easy_setopt(c, CURLOPT_USERAGENT, "octavo");
	/* "" asks for every encoding that libcurl can decode. */
	curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_RESOLVE, pin);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, f);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, f);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, f);
	curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(c, CURLOPT_XFERINFODATA, f);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, f->error);
	curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	/* libcurl counts the time before the first byte as well, which is what an engine needs to translate. */
	if (f->q->post == NULL) {
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, least_rate(f->q));
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, silence_limit(f->q));
	}
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(left > 0 ? left : 1));
}

/* Its connection stood and the request went out. */
static bool
was_asked(const struct fetching *f)
{
	curl_off_t before = 0;

	return curl_easy_getinfo(f->curl, CURLINFO_PRETRANSFER_TIME_T, &before) == CURLE_OK && before > 0;
}

/* What a transfer that broke means. */
static bool
fail_transfer(struct fetching *f, CURLcode code)
{
	/*
	 * Our own reasons come first: the code of libcurl is the same write or abort error for
	 * all of them.
	 */
	if (f->large)
		return fetch_fail(f, FETCH_TOO_LARGE, arena_printf(f->arena, "the file has more than %lld bytes",
		    (long long)f->q->bytes));
	if (f->cancelled)
		return fetch_fail(f, FETCH_CANCELLED, "cancelled");
	if (f->refused)
		return fetch_fail(f, FETCH_REFUSED, arena_printf(f->arena, "the host %s is not a public one", f->host));
	if (code == CURLE_OPERATION_TIMEDOUT && was_asked(f) && time_steady() < f->deadline)
		return fetch_fail(f, FETCH_TIMEOUT, arena_printf(f->arena, "%s sent less than %ld bytes a second for %ld seconds",
		    f->host, least_rate(f->q), silence_limit(f->q)));
	if (code == CURLE_OPERATION_TIMEDOUT)
		return fetch_fail(f, FETCH_TIMEOUT, arena_printf(f->arena, "%s did not answer in time", f->host));
	return fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "%s: %s", f->host,
	    f->error[0] != '\0' ? f->error : curl_easy_strerror(code)));
}

/* One request; true: *next is where it leads on, NULL where it does not. */
static bool
fetch_hop(struct fetching *f, const char *url, const char **next)
{
	struct curl_slist *pin = NULL, *headers;
	char *location = NULL;
	long http = 0;
	CURLcode code;

	if (!resolve_host(f, &pin))
		return false;
	/* To libcurl no time left would be no limit. */
	if (f->deadline <= time_steady()) {
		curl_slist_free_all(pin);
		return fetch_fail(f, FETCH_TIMEOUT, arena_printf(f->arena, "not done after %d seconds", f->q->seconds));
	}
	/*
	 * The body of a redirect is no part of the result: file, size and validators begin again
	 * with each hop. After a 304 the file is empty.
	 */
	f->out->bytes = 0;
	f->out->etag = f->out->modified = NULL;
	if (lseek(f->fd, 0, SEEK_SET) != 0 || ftruncate(f->fd, 0) != 0)
		return fetch_fail(f, FETCH_FAILED, "the file cannot be written");
	headers = headers_of(f);
	set_options(f, url, headers, pin);
	code = curl_easy_perform(f->curl);
	curl_slist_free_all(headers);
	curl_slist_free_all(pin);
	if (code != CURLE_OK)
		return fail_transfer(f, code);
	curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, &http);
	curl_easy_getinfo(f->curl, CURLINFO_REDIRECT_URL, &location);
	f->out->http = (int)http;
	*next = location != NULL && http >= 300 && http < 400 ? arena_strdup(f->arena, location) : NULL;
	return true;
}

/* What the last answer's status means. */
static void
judge_status(struct fetching *f)
{
	int http = f->out->http;

	if (http == 304)
		f->out->status = FETCH_UNCHANGED;
	else if (http < 200 || http >= 300 || http == 204)
		fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "%s answered with status %d", f->host, http));
}

/* What is told of a refused redirect names the host that sent it: its target may hold secrets. */
static bool
judge_url(struct fetching *f, const char *url, struct place *p)
{
	const char *why = address_refuse_url(f->arena, url, may_be_private(f)), *from = f->host;

	if (why == NULL)
		why = read_url(f->arena, url, p);
	if (why == NULL)
		return true;
	return fetch_fail(f, FETCH_REFUSED, from == NULL ? arena_printf(f->arena, "the URL is refused: %s", why) :
	    arena_printf(f->arena, "%s redirects to a URL that is refused: %s", from, why));
}

/* May a redirect get the same body again? Only on the server that was asked, and where it keeps the method. */
static bool
repeats_post(const struct fetching *f, const struct place *asked, const struct place *to)
{
	return (f->out->http == 307 || f->out->http == 308) && strcmp(to->scheme, asked->scheme) == 0 &&
	    strcasecmp(to->host, asked->host) == 0 && strcmp(to->port, asked->port) == 0;
}

/* Judges where an answer redirects to; the hop that follows is to be made to it. */
static bool
may_follow(struct fetching *f, const struct place *asked, const char *next, struct place *to)
{
	/*
	 * Counted before the target is judged: private_first is for the first hop alone, and the
	 * target is a further one.
	 */
	f->hops++;
	if (!judge_url(f, next, to))
		return false;
	/* What is posted is for this server alone, and may hold a key. */
	if (f->q->post != NULL && !repeats_post(f, asked, to))
		return fetch_fail(f, FETCH_REFUSED, arena_printf(f->arena,
		    "%s redirects to %.200s, and nothing was sent there: if that is right, set that address instead",
		    f->host, next));
	return f->hops <= f->q->redirects ||
	    fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "%s redirects too often", f->host));
}

static void
follow_hops(struct fetching *f)
{
	const char *url = f->q->url, *next;
	struct place at, to;

	if (!judge_url(f, url, &at))
		return;
	/*
	 * Ends: may_follow() refuses once hops exceed the redirects that the caller allows, and
	 * fetch_hop() once the time is over.
	 */
	for (;;) {
		f->out->url = url;
		f->host = at.host;
		f->port = at.port;
		if (!fetch_hop(f, url, &next))
			return;
		if (next == NULL) {
			judge_status(f);
			return;
		}
		if (!may_follow(f, &at, next, &to))
			return;
		url = next;
		at = to;
	}
}

struct fetch_result
fetch(struct arena *a, const struct fetch_request *q)
{
	/*
	 * curl_global_init() is not thread-safe and must precede all else; the job runner has
	 * one thread.
	 */
	static bool ready;
	struct fetch_result out = { .status = FETCH_DONE, .url = q->url };
	struct fetching f = { .arena = a, .q = q, .out = &out, .deadline = time_steady() + (int64_t)q->seconds * 1000 };

	if (!ready)
		ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
	f.fd = open(q->file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	f.curl = ready ? curl_easy_init() : NULL;
	if (f.fd < 0)
		fetch_fail(&f, FETCH_FAILED, arena_printf(a, "%s: %s", q->file, strerror(errno)));
	else if (f.curl == NULL)
		fetch_fail(&f, FETCH_FAILED, "libcurl does not start");
	else
		follow_hops(&f);
	curl_easy_cleanup(f.curl);
	/* Some file systems report a failed write at close() only. */
	if (f.fd >= 0 && close(f.fd) != 0 && out.status == FETCH_DONE)
		fetch_fail(&f, FETCH_FAILED, arena_printf(a, "%s: %s", q->file, strerror(errno)));
	return out;
}
