/*
 * Fetches over HTTP; the only module that uses libcurl. Each redirect is a transfer of its own, so
 * that its address is checked before anything is sent.
 */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
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
 * The caller sets the deadline of the whole fetch. CONNECT_SECONDS ends a hop earlier if its server
 * does not accept the connection; PATIENCE is the default for servers that send too slowly.
 * HEADER_MAX bounds ETag and Last-Modified, because both are stored and sent back. REPORT_MS limits
 * the caller's progress writes to about one a second. HEADERS_MAX bounds the headers of a verbatim answer.
 */
enum { CONNECT_SECONDS = 15, PATIENCE = 30, HEADER_MAX = 500, HEADERS_MAX = 32 << 10, REPORT_MS = 700 };

/* State of one fetch; all hops share curl, fd and deadline. */
struct fetch_state {
	struct arena               *arena;
	const struct fetch_request *q;
	struct fetch_result        *out;
	CURL                       *curl;
	/* The target file; each hop writes it again from byte 0. */
	int                         fd;
	int64_t                     deadline;   /* ms of time_steady() */
	/*
	 * Host and port of the current hop; NULL before the first hop, so that judge_url() can tell
	 * it from a redirect.
	 */
	const char                 *host, *port;
	bool                        refused;    /* a socket's address was not public */
	bool                        here;       /* the refused address was one of this machine */
	struct buf                  headers;    /* of a verbatim answer */
	bool                        large, cancelled;
	char                        error[CURL_ERROR_SIZE];
	int                         hops;       /* number of redirects followed */
	int64_t                     reported_at;    /* last call of progress() */
};

/*
 * Always false, so that a failing step is one return statement. The message must be a constant or
 * in the arena, because the result outlives the call.
 */
static bool
fetch_fail(struct fetch_state *f, enum fetch_status status, const char *message)
{
	f->out->status = status;
	f->out->message = message;
	return false;
}

/* ---- addresses ---- */

/* A part of an address, in the arena; NULL: the address does not have it. */
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

struct url_parts {
	const char *scheme, *host, *port;   /* host: without brackets */
};

/* Parses a URL with libcurl's parser, because libcurl connects by it. Returns NULL, or why that fails. */
static const char *
read_url(struct arena *a, const char *url, struct url_parts *p)
{
	CURLU *u = curl_url();
	const char *why = NULL;
	char *host;

	/*
	 * The host that is checked and the host that is connected to must come from the same
	 * parser: another one could find another host.
	 */
	if (curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK || (host = url_part(a, u, CURLUPART_HOST, 0)) == NULL ||
	    (p->scheme = url_part(a, u, CURLUPART_SCHEME, 0)) == NULL)
		why = "it is no URL";
	else {
		/* The checks and the resolver need the bare address: no brackets, no zone id. */
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

/* True if this hop may go to a private address. */
static bool
may_be_private(const struct fetch_state *f)
{
	return f->q->private_hosts || (f->q->private_first && f->hops == 0);
}

/*
 * The system's resolver, at most FETCH_ADDRESSES results. resolv.conf's time-outs bound it, not the
 * fetch's deadline, so fetch_hop() checks the deadline afterwards.
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

/* Resolves the hop's host and checks each address; *pin makes libcurl use these addresses. */
static bool
resolve_host(struct fetch_state *f, struct curl_slist **pin)
{
	char addresses[FETCH_ADDRESSES][FETCH_ADDRESS_TEXT];
	const struct fetch_network *net = f->q->network;
	const char *why;
	struct buf b;
	size_t n, i;

	if (!may_be_private(f) && (why = address_refuse_host(f->arena, f->host)) != NULL)
		return fetch_fail(f, FETCH_REFUSED, why);
	/* .invalid never exists (RFC 6761, section 6.4), so no query is needed. */
	n = str_ends(f->host, ".invalid") ? 0 : net != NULL ? net->resolve(net->ctx, f->host, addresses) : system_resolve(f->host, addresses);
	if (n == 0)
		return fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "there is no host named %s", f->host));
	/* Room for a host of 1000 bytes, a port and 16 addresses of 64 bytes. */
	buf_init(&b, f->arena, 4096);
	buf_printf(&b, "%.1000s:%s:", f->host, f->port);
	/*
	 * Check all addresses before one is used: with one private address among public ones, a
	 * name could pass on the first answer and connect on the second (docs/design/security.md,
	 * "S9").
	 */
	for (i = 0; i < n; i++) {
		why = may_be_private(f) ? NULL : address_refuse_literal(addresses[i]);
		if (why != NULL)
			return fetch_fail(f, FETCH_REFUSED, arena_printf(f->arena,
			    "the host %s is %s, not a public one", f->host, why));
		buf_printf(&b, "%s%s", i > 0 ? "," : "", addresses[i]);
	}
	/* A literal IPv6 address needs no resolver, and its colons would break "host:port:address". */
	if (strchr(f->host, ':') != NULL)
		return true;
	/*
	 * "host:port:address,..." for CURLOPT_RESOLVE: libcurl uses these addresses and does not
	 * resolve the name again, so a later answer with other addresses has no effect.
	 */
	*pin = curl_slist_append(NULL, b.p);
	return true;
}

/* ---- callbacks of libcurl ---- */

/* True if a network interface of this machine has the address. */
static bool
system_is_here(const struct sockaddr *address)
{
	size_t n = address->sa_family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
	const void *wanted = address->sa_family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr :
	    (const void *)&((const struct sockaddr_in *)address)->sin_addr;
	struct ifaddrs *all, *one;
	bool found = false;

	/*
	 * If the interfaces cannot be read, the address counts as local, which is the safe answer.
	 */
	if (getifaddrs(&all) != 0)
		return true;
	for (one = all; one != NULL && !found; one = one->ifa_next)
		if (one->ifa_addr != NULL && one->ifa_addr->sa_family == address->sa_family)
			found = memcmp(address->sa_family == AF_INET6 ? (const void *)&((struct sockaddr_in6 *)one->ifa_addr)->sin6_addr :
			    (const void *)&((struct sockaddr_in *)one->ifa_addr)->sin_addr, wanted, n) == 0;
	freeifaddrs(all);
	return found;
}

static bool
is_here(const struct fetch_state *f, const struct sockaddr *address)
{
	const struct fetch_network *net = f->q->network;

	return net != NULL && net->is_here != NULL ? net->is_here(net->ctx, address) : system_is_here(address);
}

/* Checks the address of a connection just before libcurl opens it, in case libcurl has resolved the host again. */
static curl_socket_t
open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct fetch_state *f = ctx;
	const struct fetch_network *net = f->q->network;

	(void)purpose;
	if (!may_be_private(f) && address_refuse(&address->addr) != NULL) {
		f->refused = true;
		return CURL_SOCKET_BAD;
	}
	if (f->q->elsewhere && !may_be_private(f) && is_here(f, &address->addr)) {
		f->here = true;
		return CURL_SOCKET_BAD;
	}
	if (net != NULL && net->reroute != NULL)
		net->reroute(net->ctx, &address->addr, &address->addrlen);
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* The trimmed value if the header has this name; NULL: another header. */
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
 * A header line from libcurl, without a NUL. The last header of a name counts. Returning less than
 * the given size would end the transfer.
 */
static size_t
on_header(char *p, size_t size, size_t n, void *ctx)
{
	struct fetch_state *f = ctx;
	struct str line = { p, size * n };
	char *value;

	/*
	 * Informational answers (100, 103) come before the final one: start again at each status
	 * line.
	 */
	if (f->q->verbatim && str_starts(line, "HTTP/"))
		f->headers.n = 0;
	if (f->q->verbatim && f->headers.n + line.n <= HEADERS_MAX)
		buf_add(&f->headers, line.p, line.n);
	if ((value = header_value(f->arena, line, "etag:")) != NULL)
		f->out->etag = value;
	else if ((value = header_value(f->arena, line, "last-modified:")) != NULL)
		f->out->modified = value;
	return size * n;
}

/*
 * Counts bytes after decompression (CURLOPT_ACCEPT_ENCODING), so that a small compressed answer
 * cannot fill the disk. Returning 0 ends the transfer with CURLE_WRITE_ERROR, and fail_transfer()
 * finds the reason in the flags.
 */
static size_t
on_body(char *p, size_t size, size_t n, void *ctx)
{
	struct fetch_state *f = ctx;
	size_t length = size * n, done = 0;
	ssize_t k;

	if (f->out->bytes + (int64_t)length > f->q->bytes) {
		f->large = true;
		return 0;
	}
	while (done < length) {
		/*
		 * A signal may interrupt the write, and a full disk may shorten it: the next write
		 * then fails with ENOSPC.
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
	struct fetch_state *f = ctx;

	(void)up_total;
	(void)up_now;
	f->large = f->large || total > f->q->bytes;
	/* libcurl calls this for each piece that arrives, and the caller may write to a database. */
	if (f->q->progress != NULL && time_steady() - f->reported_at >= REPORT_MS) {
		f->reported_at = time_steady();
		f->cancelled = !f->q->progress(f->q->ctx, now);
	}
	return f->large || f->cancelled;
}

/* ---- a hop ---- */

/*
 * Makes the list of request headers, which the caller frees. The values contain no line breaks:
 * they are constants, or header_value() took them from single lines, or fetch() requires it of its
 * caller.
 */
static struct curl_slist *
make_headers(const struct fetch_state *f)
{
	struct curl_slist *list = NULL;
	const struct fetch_request *q = f->q;

	/* Without a type of its own, libcurl would send that of a form. */
	if (q->headers != NULL)
		list = curl_slist_append(list, "Content-Type:");
	else if (q->post.p != NULL)
		list = curl_slist_append(list, arena_printf(f->arena, "Content-Type: %s",
		    q->post_type != NULL ? q->post_type : "application/json"));
	for (const char *const *h = q->headers; h != NULL && *h != NULL; h++)
		list = curl_slist_append(list, *h);
	if (q->authorization != NULL && f->hops == 0)
		list = curl_slist_append(list, arena_printf(f->arena, "Authorization: %s", q->authorization));
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

/*
 * The certificates of this system if they are not in the place where Debian's libcurl looks,
 * because the programs of the tarball run on other distributions too. NULL: libcurl's own place.
 */
static const char *
system_certificates(void)
{
	static const char *const files[] = { "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
		"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (access(files[i], R_OK) == 0)
			return i == 0 ? NULL : files[i];
	return NULL;
}

static void
set_body(struct fetch_state *f)
{
	const char *method = f->q->method;

	if (f->q->post.p != NULL) {
		curl_easy_setopt(f->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)f->q->post.n);
		curl_easy_setopt(f->curl, CURLOPT_POSTFIELDS, f->q->post.p);
	} else if (method != NULL && strcmp(method, "HEAD") == 0) {
		curl_easy_setopt(f->curl, CURLOPT_NOBODY, 1L);
	}
	if (method != NULL)
		curl_easy_setopt(f->curl, CURLOPT_CUSTOMREQUEST, method);
}

static void
set_options(struct fetch_state *f, const char *url, struct curl_slist *headers, struct curl_slist *pin)
{
	/*
	 * Each hop gets the rest of the fetch's time; with a limit for each, a chain of redirects
	 * would multiply it.
	 */
	int64_t left = f->deadline - time_steady();
	CURL *c = f->curl;
	const char *bundle = system_certificates();

	/* The handle is reused only for its memory: no option or header of the last hop may reach the next host. */
	curl_easy_reset(c);
	curl_easy_setopt(c, CURLOPT_URL, url);
	if (bundle != NULL)
		curl_easy_setopt(c, CURLOPT_CAINFO, bundle);
	set_body(f);
	/* Without this list, libcurl also supports file:, gopher: and others (docs/design/security.md, "S9"). */
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	/* libcurl would follow redirects without a check of the address; follow_hops() makes each hop itself. */
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	/*
	 * An empty string disables http_proxy and the like of the environment: a proxy would
	 * connect to other addresses than resolve_host() checked.
	 */
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	/*
	 * Without this, libcurl's resolver implements its time-out by SIGALRM and longjmp(), in a
	 * process that has other handlers.
	 */
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	/* A connection that is kept would be reused by host name, without open_socket(). */
	curl_easy_setopt(c, CURLOPT_FORBID_REUSE, 1L);
	curl_easy_setopt(c, CURLOPT_USERAGENT, "octavo");
	/* "" requests every encoding that libcurl can decode. */
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
	/*
	 * This limit is not set for a POST: libcurl includes the time before the first byte, and an
	 * engine needs that time to translate.
	 */
	if (f->q->post.p == NULL) {
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, least_rate(f->q));
		curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, silence_limit(f->q));
	}
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(left > 0 ? left : 1));
}

/* True if the connection was established and the request was sent. */
static bool
was_request_sent(const struct fetch_state *f)
{
	curl_off_t before = 0;

	return curl_easy_getinfo(f->curl, CURLINFO_PRETRANSFER_TIME_T, &before) == CURLE_OK && before > 0;
}

/* Sets the result of a transfer that failed. */
static bool
fail_transfer(struct fetch_state *f, CURLcode code)
{
	/* Check our own reasons first: for all of them, libcurl returns the same code of a failed write or an abort. */
	if (f->large)
		return fetch_fail(f, FETCH_TOO_LARGE, arena_printf(f->arena, "the file has more than %lld bytes",
		    (long long)f->q->bytes));
	if (f->cancelled)
		return fetch_fail(f, FETCH_CANCELLED, "cancelled");
	if (f->refused || f->here)
		return fetch_fail(f, FETCH_REFUSED, arena_printf(f->arena, f->here ? "the host %s is this machine" :
		    "the host %s is not a public one", f->host));
	if (code == CURLE_OPERATION_TIMEDOUT && was_request_sent(f) && time_steady() < f->deadline)
		return fetch_fail(f, FETCH_TIMEOUT, arena_printf(f->arena, "%s sent less than %ld bytes a second for %ld seconds",
		    f->host, least_rate(f->q), silence_limit(f->q)));
	if (code == CURLE_OPERATION_TIMEDOUT)
		return fetch_fail(f, FETCH_TIMEOUT, arena_printf(f->arena, "%s did not answer in time", f->host));
	return fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "%s: %s", f->host,
	    f->error[0] != '\0' ? f->error : curl_easy_strerror(code)));
}

/* Makes one request. True: *next is the address of the redirect, NULL if there is none. */
static bool
fetch_hop(struct fetch_state *f, const char *url, const char **next)
{
	struct curl_slist *pin = NULL, *headers;
	char *location = NULL;
	long http = 0;
	CURLcode code;

	if (!resolve_host(f, &pin))
		return false;
	/* libcurl takes 0 as no limit. */
	if (f->deadline <= time_steady()) {
		curl_slist_free_all(pin);
		return fetch_fail(f, FETCH_TIMEOUT, arena_printf(f->arena, "not done after %d seconds", f->q->seconds));
	}
	/*
	 * The body of a redirect is no part of the result: each hop resets file, size and
	 * validators. After a 304 the file is empty.
	 */
	f->out->bytes = 0;
	f->out->etag = f->out->modified = NULL;
	if (lseek(f->fd, 0, SEEK_SET) != 0 || ftruncate(f->fd, 0) != 0)
		return fetch_fail(f, FETCH_FAILED, "the file cannot be written");
	headers = make_headers(f);
	set_options(f, url, headers, pin);
	code = curl_easy_perform(f->curl);
	curl_slist_free_all(headers);
	curl_slist_free_all(pin);
	if (code != CURLE_OK)
		return fail_transfer(f, code);
	curl_easy_getinfo(f->curl, CURLINFO_RESPONSE_CODE, &http);
	curl_easy_getinfo(f->curl, CURLINFO_REDIRECT_URL, &location);
	f->out->http = (int)http;
	*next = location != NULL && http >= 300 && http < 400 && !f->q->verbatim ? arena_strdup(f->arena, location) : NULL;
	return true;
}

/* Sets the result from the status of the last answer. */
static void
judge_status(struct fetch_state *f)
{
	int http = f->out->http;

	f->out->headers = buf_view(&f->headers);
	if (f->q->verbatim)
		return;
	if (http == 304)
		f->out->status = FETCH_UNCHANGED;
	else if (http < 200 || http >= 300 || http == 204)
		fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "%s answered with status %d", f->host, http));
}

/* The message about a refused redirect names the host that sent it, not the target, which may contain secrets. */
static bool
judge_url(struct fetch_state *f, const char *url, struct url_parts *p)
{
	const char *why = address_refuse_url(f->arena, url, may_be_private(f)), *from = f->host;

	if (why == NULL)
		why = read_url(f->arena, url, p);
	if (why == NULL)
		return true;
	return fetch_fail(f, FETCH_REFUSED, from == NULL ? arena_printf(f->arena, "the URL is refused: %s", why) :
	    arena_printf(f->arena, "%s redirects to a URL that is refused: %s", from, why));
}

/* True if a redirect may get the same body again: only on the same server, and only if it keeps the method. */
static bool
repeats_post(const struct fetch_state *f, const struct url_parts *asked, const struct url_parts *to)
{
	return (f->out->http == 307 || f->out->http == 308) && strcmp(to->scheme, asked->scheme) == 0 &&
	    strcasecmp(to->host, asked->host) == 0 && strcmp(to->port, asked->port) == 0;
}

/* Checks the target of a redirect; true if the next hop may go there. */
static bool
may_follow(struct fetch_state *f, const struct url_parts *asked, const char *next, struct url_parts *to)
{
	/* Count before the target is checked: private_first holds only for the first hop. */
	f->hops++;
	if (!judge_url(f, next, to))
		return false;
	/* The body of a POST is for this server only, and may contain a key. */
	if (f->q->post.p != NULL && !repeats_post(f, asked, to))
		return fetch_fail(f, FETCH_REFUSED, arena_printf(f->arena,
		    "%s redirects to %.200s, and nothing was sent there: if that is right, set that address instead",
		    f->host, next));
	return f->hops <= f->q->redirects ||
	    fetch_fail(f, FETCH_FAILED, arena_printf(f->arena, "%s redirects too often", f->host));
}

static void
follow_hops(struct fetch_state *f)
{
	const char *url = f->q->url, *next;
	struct url_parts at, to;

	if (!judge_url(f, url, &at))
		return;
	/* This loop ends: may_follow() refuses after `redirects` hops, and fetch_hop() after the deadline. */
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
	/* curl_global_init() is not thread-safe and must come first; the job runner has one thread. */
	static bool ready;
	struct fetch_result out = { .status = FETCH_DONE, .url = q->url };
	struct fetch_state f = { .arena = a, .q = q, .out = &out, .deadline = time_steady() + (int64_t)q->seconds * 1000 };

	buf_init(&f.headers, a, HEADERS_MAX + 1);
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
