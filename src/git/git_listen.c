/*
 * Inspects what a server sends before libgit2 gets it.
 *
 * All data come in pkt-lines (gitprotocol-common(5)). The first one that contains a NUL lists the
 * server's capabilities. One of them, object-format, names the hash of the ids: libgit2 1.5
 * supports only SHA-1, and for other hashes would only report that it cannot parse a line. Later
 * pkt-lines belong to a side band (gitprotocol-pack(5)). Band 3 ends the transfer and gives the
 * reason, which libgit2 does not report either: it says that the connection was closed.
 *
 * So libgit2's subtransports (http, git, ssh) are wrapped: after decryption the bytes are read here
 * and passed on unchanged. If they are no pkt-lines, the rest of the stream is ignored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "git_parts.h"

/*
 * PACKET_MOST: bytes of a packet that are kept, which is more than capabilities and messages need.
 * TEXT_MOST: bytes of the server's last text line that are kept. Lines that only report progress
 * are skipped.
 */
enum { PACKET_MOST = 8192, TEXT_MOST = 200, BAND_PROGRESS = 2, BAND_FATAL = 3 };

struct listener;

/* A stream of libgit2 that reads from another one, `inner`, and shows the listener what it reads. */
struct listened_stream {
	git_smart_subtransport_stream  base;   /* first, as libgit2 requires */
	git_smart_subtransport_stream *inner;
	struct listener               *listener;
};

/* A transport of libgit2 around another one, `inner`, which reads the packets of the server as they pass. */
struct listener {
	git_smart_subtransport  base;          /* first, as libgit2 requires */
	git_smart_subtransport *inner;
	struct git_fetching    *f;             /* gets what the server says */
	struct listened_stream *stream;        /* the open stream: a stateful transport continues with it */
	bool                    ignoring;     /* not pkt-lines: ignore the rest */
	bool                    capabilities_read;
	char                    digits[5];     /* length of the next packet */
	size_t                  digits_n;
	size_t                  left;          /* bytes left of this packet */
	char                    packet[PACKET_MOST + 1];   /* the beginning of this packet, without its length */
	size_t                  packet_n;
	char                    last_text[TEXT_MOST];  /* the server's last line that is not only progress */
};

/* The value of a capability in a list separated by blanks; p NULL: not in the list. */
static struct str
find_capability(struct str list, const char *name)
{
	size_t i = 0, n = strlen(name), end;

	for (; i < list.n; i = end + 1) {
		for (end = i; end < list.n && list.p[end] != ' ' && list.p[end] != '\n'; end++)
			;
		if (end - i > n && memcmp(list.p + i, name, n) == 0 && list.p[i + n] == '=')
			return str_slice(list, i + n + 1, end);
	}
	return (struct str){ NULL, 0 };
}

/*
 * The capabilities follow the NUL of the first reference. A server without object-format has SHA-1.
 */
static int
check_object_format(struct listener *l)
{
	const char *nul = memchr(l->packet, '\0', l->packet_n);
	struct str format;

	if (nul == NULL)
		return 0;
	l->capabilities_read = true;
	format = find_capability((struct str){ nul + 1, l->packet_n - (size_t)(nul + 1 - l->packet) }, "object-format");
	if (format.p == NULL || str_is(format, "sha1"))
		return 0;
	return git_fault(l->f, GIT_NOT_FOUND, GIT_OTHER_IDS, git_ids_named(format));
}

/*
 * Lines of progress end with a carriage return, or contain a percentage; keeps the last other line.
 */
static void
keep_last_text(struct listener *l)
{
	char *line = l->packet + 1, *end;

	for (; *line != '\0'; line = end) {
		size_t n = strcspn(line, "\r\n");

		end = line + n + (line[n] != '\0');
		if (n > 0 && line[n] != '\r' && memchr(line, '%', n) == NULL)
			snprintf(l->last_text, sizeof(l->last_text), "%.*s", (int)n, line);
	}
}

/*
 * Records why the server gave up: objects are missing or unreadable, now and in each further try.
 * If its text mentions a promisor remote, the repository is a partial clone.
 */
static int
report_fatal(struct listener *l)
{
	char *why = l->packet + 1;

	why[strcspn(why, "\r\n")] = '\0';
	if (strstr(l->last_text, "promisor") != NULL || strstr(l->last_text, "lazy fetch") != NULL)
		return git_fault(l->f, GIT_NOT_FOUND, GIT_PARTIAL " (the server says: %.150s)", l->last_text);
	return git_fault(l->f, GIT_NOT_FOUND, "the server cannot send that repository: %.150s%s%.150s", why,
	    l->last_text[0] == '\0' ? "" : "; ", l->last_text);
}

static int
end_packet(struct listener *l)
{
	if (l->packet_n == 0)
		return 0;
	l->packet[l->packet_n] = '\0';
	if (!l->capabilities_read)
		return check_object_format(l);
	if (l->packet[0] == BAND_PROGRESS)
		keep_last_text(l);
	/* During a push this is the message of a hook, which libgit2 reports itself. */
	return l->packet[0] == BAND_FATAL && l->f->push == NULL ? report_fatal(l) : 0;
}

/*
 * Adds a hexadecimal digit to the length of the next packet, which counts its own four digits. Lengths
 * below 4 are markers without content.
 */
static void
read_length_digit(struct listener *l, char digit)
{
	char *end;

	l->digits[l->digits_n++] = digit;
	if (l->digits_n < 4)
		return;
	l->digits_n = 0;
	l->left = strtoul(l->digits, &end, 16);
	l->ignoring = end != l->digits + 4;
	l->left = l->left < 4 ? 0 : l->left - 4;
	l->packet_n = 0;
}

static int
read_packets(struct listener *l, const char *bytes, size_t n)
{
	size_t part, kept;

	while (n > 0 && !l->ignoring) {
		if (l->left == 0) {
			read_length_digit(l, *bytes++);
			n--;
			continue;
		}
		part = n < l->left ? n : l->left;
		kept = part < PACKET_MOST - l->packet_n ? part : PACKET_MOST - l->packet_n;
		memcpy(l->packet + l->packet_n, bytes, kept);
		l->packet_n += kept;
		l->left -= part;
		bytes += part;
		n -= part;
		if (l->left == 0 && end_packet(l) != 0)
			return -1;
	}
	return 0;
}

static int
listen_read(git_smart_subtransport_stream *base, char *buffer, size_t size, size_t *got)
{
	struct listened_stream *s = (struct listened_stream *)base;
	int e = s->inner->read(s->inner, buffer, size, got);

	return e < 0 ? e : read_packets(s->listener, buffer, *got) != 0 ? -1 : e;
}

static int
listen_write(git_smart_subtransport_stream *base, const char *buffer, size_t n)
{
	struct listened_stream *s = (struct listened_stream *)base;

	return s->inner->write(s->inner, buffer, n);
}

/* The memory belongs to the fetch's arena. */
static void
listen_free(git_smart_subtransport_stream *base)
{
	struct listened_stream *s = (struct listened_stream *)base;

	if (s->listener->stream == s)
		s->listener->stream = NULL;
	s->inner->free(s->inner);
}

/*
 * If a stream is open, a stateful transport returns the same one again, and so must this function:
 * libgit2 compares the pointers.
 */
static int
listen_action(git_smart_subtransport_stream **out, git_smart_subtransport *base, const char *url,
    git_smart_service_t service)
{
	struct listener *l = (struct listener *)base;
	git_smart_subtransport_stream *inner = NULL;
	int e = l->inner->action(&inner, l->inner, url, service);

	if (e != 0)
		return e;
	if (l->stream == NULL || l->stream->inner != inner) {
		l->stream = arena_alloc(l->f->arena, sizeof(*l->stream));
		*l->stream = (struct listened_stream){ { base, listen_read, listen_write, listen_free }, inner, l };
		/* A new answer begins. */
		l->ignoring = false;
		l->digits_n = l->left = 0;
	}
	*out = &l->stream->base;
	return 0;
}

static int
listen_close(git_smart_subtransport *base)
{
	struct listener *l = (struct listener *)base;

	return l->inner->close(l->inner);
}

static void
listen_end(git_smart_subtransport *base)
{
	struct listener *l = (struct listener *)base;

	l->inner->free(l->inner);
}

static int
listener_new(git_smart_subtransport **out, git_transport *owner, void *param)
{
	struct git_fetching *f = param;
	struct listener *l = arena_alloc(f->arena, sizeof(*l));
	int e;

	*l = (struct listener){ .base = { listen_action, listen_close, listen_end }, .f = f };
	if (f->url.scheme == SCHEME_SSH)
		e = git_smart_subtransport_ssh(&l->inner, owner, NULL);
	else if (f->url.scheme == SCHEME_GIT)
		e = git_smart_subtransport_git(&l->inner, owner, NULL);
	else
		e = git_smart_subtransport_http(&l->inner, owner, NULL);
	*out = &l->base;
	return e;
}

/* http makes a new request each time; the other protocols continue on one connection. */
int
git_listen(git_transport **out, git_remote *owner, void *payload)
{
	struct git_fetching *f = payload;
	git_smart_subtransport_definition d = { listener_new,
		f->url.scheme == SCHEME_HTTP || f->url.scheme == SCHEME_HTTPS, f };

	return git_transport_smart(out, owner, &d);
}
