/*
 * The sockets of fetches over http, https and git://.
 *
 * libgit2 would resolve a name, connect to the first address that answers, and wait for ever. These
 * sockets resolve once, refuse the host if any of its addresses is not public, and connect to an
 * address that was checked, so that a second DNS answer ("rebinding") has no effect. They time out
 * if the peer is silent, and count the received bytes; the parent ends a fetch that is too slow
 * (git_fetch.c). TLS runs on top of them, with the name in the URL.
 *
 * ssh cannot use them: libgit2 needs the file descriptor of its own kind of stream. For ssh only
 * the addresses are checked, before libgit2 connects.
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/address.h"
#include "git_parts.h"

/*
 * CONNECT_SECONDS: for each address of the host. SILENCE_SECONDS: a server that counts the objects
 * of a large repository sends progress meanwhile. WIRE_SLACK: a list of some hundred thousand refs
 * is tens of megabytes.
 */
enum { CONNECT_SECONDS = 15, SILENCE_SECONDS = 60, WIRE_SLACK = 32 << 20 };

struct guarded_stream {
	git_stream  base;  /* first, as libgit2 requires */
	const char *host;
	const char *port;
	int         fd;
};

/* libgit2 passes no context to a stream; a child has only one fetch. */
static struct git_fetching *fetching;

/*
 * The caller frees *list after success. AI_NUMERICSERV: the port has digits only (git_url.c), so no
 * service table is read.
 */
static int
resolve_host(const char *host, const char *port, struct addrinfo **list)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	int e = getaddrinfo(host, port, &hints, list);

	/*
	 * A name that does not exist, or has no address, is permanent; other failures of the
	 * resolver are transient: GIT_FAILED is tried again.
	 */
	if (e == EAI_NONAME || e == EAI_NODATA || e == EAI_ADDRFAMILY)
		return git_fault(fetching, GIT_NOT_FOUND, "there is no host named %s", host);
	if (e != 0)
		return git_fault(fetching, GIT_FAILED, "the address of %s cannot be found: %s", host, gai_strerror(e));
	return 0;
}

/* Checks all addresses: a name with one public and one private address is refused. */
static int
addresses_check(const char *host, const struct addrinfo *list)
{
	const struct addrinfo *i;
	const char *kind;

	/*
	 * Check the resolved addresses, not the spelling: this catches 0x7f.1, ::ffff:127.0.0.1 and
	 * names that resolve to them (docs/design/security.md, "S9").
	 */
	for (i = list; i != NULL && !fetching->q->private_hosts; i = i->ai_next) {
		kind = address_refuse(i->ai_addr);
		if (kind != NULL)
			return git_fault(fetching, GIT_BAD_URL, "the host %s is %s, not a public one", host, kind);
	}
	return 0;
}

/* Socket time-outs instead of poll(): libgit2 calls read and write as if they blocked. */
static void
socket_patience(int fd, int seconds)
{
	struct timeval t = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

/* Returns the descriptor, or -1 with errno of the failing call (close() could change it). */
static int
connect_one(const struct addrinfo *i)
{
	int fd = socket(i->ai_family, i->ai_socktype | SOCK_CLOEXEC, i->ai_protocol), one = 1, e;

	if (fd < 0)
		return -1;
	/* On Linux the send timeout also bounds connect(). */
	socket_patience(fd, CONNECT_SECONDS);
	if (connect(fd, i->ai_addr, i->ai_addrlen) != 0) {
		e = errno;
		close(fd);
		errno = e;
		return -1;
	}
	socket_patience(fd, SILENCE_SECONDS);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static int
stream_connect(git_stream *base)
{
	struct guarded_stream *s = (struct guarded_stream *)base;
	struct addrinfo *list, *i;
	int e = 0;

	/*
	 * libgit2 opens a stream for each host to which it is redirected. Other hosts are refused
	 * here as well, because the host would get the credentials.
	 */
	if (strcasecmp(s->host, fetching->url.host) != 0)
		return git_fault(fetching, GIT_BAD_URL, "the server redirects to another host; use that address");
	if (resolve_host(s->host, s->port, &list) != 0)
		return -1;
	if (addresses_check(s->host, list) == 0) {
		/*
		 * In the order of RFC 6724, as getaddrinfo() sorts; the first address that answers
		 * is used.
		 */
		for (i = list; i != NULL && s->fd < 0; i = i->ai_next)
			s->fd = connect_one(i);
		e = errno;
		if (s->fd < 0)
			git_fault(fetching, GIT_FAILED, "no connection to %s, port %s: %s", s->host, s->port,
			    /* connect() reports a time-out by SO_SNDTIMEO as EINPROGRESS (socket(7)). */
			    e == EINPROGRESS || e == EAGAIN ? "no answer" : strerror(e));
	}
	freeaddrinfo(list);
	return s->fd < 0 ? -1 : 0;
}

static ssize_t
stream_read(git_stream *base, void *data, size_t len)
{
	struct guarded_stream *s = (struct guarded_stream *)base;
	int64_t most = fetching->q->limits.bytes;
	ssize_t n;

	do
		n = recv(s->fd, data, len, 0);
	while (n < 0 && errno == EINTR);
	/* SO_RCVTIMEO passed without a byte. */
	if (n < 0 && errno == EAGAIN)
		return git_fault(fetching, GIT_TIMEOUT, "%s did not answer for %d seconds", s->host, SILENCE_SECONDS);
	if (n < 0)
		return git_fault(fetching, GIT_FAILED, "the connection to %s broke: %s", s->host, strerror(errno));
	fetching->ended |= n == 0;
	fetching->received += n;
	git_count_bytes(fetching, n);
	/* List of refs and protocol come on top of the pack: WIRE_SLACK. */
	if (most > 0 && fetching->received > most + WIRE_SLACK)
		return git_fault(fetching, GIT_TOO_LARGE, "the server sends more than the limit of %lld bytes",
		    (long long)most);
	return n;
}

static ssize_t
stream_write(git_stream *base, const char *data, size_t len, int flags)
{
	struct guarded_stream *s = (struct guarded_stream *)base;
	ssize_t n;

	do
		/* May send less than len: libgit2 calls again with the rest. */
		n = send(s->fd, data, len, flags | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	/* SO_SNDTIMEO passed, and the peer accepted nothing. */
	if (n < 0 && errno == EAGAIN)
		return git_fault(fetching, GIT_TIMEOUT, "%s did not take anything for %d seconds", s->host, SILENCE_SECONDS);
	if (n < 0)
		return git_fault(fetching, GIT_FAILED, "the connection to %s broke: %s", s->host, strerror(errno));
	git_count_bytes(fetching, n);
	return n;
}

/* libgit2 may call this without a connection and more than once; it closes and then frees. */
static int
stream_close(git_stream *base)
{
	struct guarded_stream *s = (struct guarded_stream *)base;

	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	return 0;
}

/* The memory belongs to the fetch's arena. */
static void
stream_free(git_stream *base)
{
	stream_close(base);
}

/*
 * libgit2 calls this constructor for every plain connection, and for the one below TLS. It copies
 * the names, which libgit2 may free.
 */
static int
stream_new(git_stream **out, const char *host, const char *port)
{
	struct guarded_stream *s = arena_alloc(fetching->arena, sizeof(*s));

	s->base.version = GIT_STREAM_VERSION;
	s->base.connect = stream_connect;
	s->base.read = stream_read;
	s->base.write = stream_write;
	s->base.close = stream_close;
	s->base.free = stream_free;
	s->fd = -1;
	s->host = arena_strdup(fetching->arena, host);
	s->port = arena_strdup(fetching->arena, port);
	*out = &s->base;
	return 0;
}

/* For ssh: libgit2 resolves the name again and may get another answer; git.h says why that is accepted. */
static int
addresses_check_only(const char *host, const char *port)
{
	struct addrinfo *list;
	int e;

	if (resolve_host(host, port, &list) != 0)
		return -1;
	e = addresses_check(host, list);
	freeaddrinfo(list);
	return e;
}

int
git_stream_guard(struct git_fetching *f)
{
	git_stream_registration r = { .version = GIT_STREAM_VERSION, .init = stream_new };

	fetching = f;
	if (f->url.scheme == SCHEME_SSH)
		return addresses_check_only(f->url.host, f->url.port == NULL ? "22" : f->url.port);
	return git_stream_register(GIT_STREAM_STANDARD, &r);
}
