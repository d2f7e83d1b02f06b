/*
 * Converts a CGI request to FastCGI, and copies the answer as it arrives (FastCGI specification
 * 1.0, sections 3.3, 3.4 and 5). The role is Responder, the request id is 1, and the connection is
 * closed afterwards. Contract: cgi/launch.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch.h"

/* Record types, and the role (FastCGI 1.0 section 8). */
enum { BEGIN = 1, END = 3, PARAMS = 4, STDIN = 5, STDOUT = 6, STDERR = 7, RESPONDER = 1 };
/*
 * RECORD_MAX: largest content length that is a multiple of 8, so that our records need no padding.
 * IN_MAX: largest content and padding that a record header can announce.
 */
enum { HEAD = 8, RECORD_MAX = 65528, OUT_MAX = RECORD_MAX + HEAD, IN_MAX = UINT16_MAX + UINT8_MAX };

static char out[OUT_MAX];
static size_t out_n;

static bool
write_all(int fd, const char *p, size_t n)
{
	ssize_t w;

	for (; n > 0; p += w, n -= (size_t)w)
		if ((w = write(fd, p, n)) < 0) {
			if (errno != EINTR)
				return false;
			w = 0;
		}
	return true;
}

static bool
read_all(int fd, char *p, size_t n)
{
	ssize_t r;

	for (; n > 0; p += r, n -= (size_t)r)
		if ((r = read(fd, p, n)) <= 0) {
			if (r == 0 || errno != EINTR)
				return false;
			r = 0;
		}
	return true;
}

/* Writes a record header: version 1, request id 1, no padding. */
static void
put_head(char *p, int type, size_t n)
{
	const char head[HEAD] = { 1, (char)type, 0, 1, (char)(n >> 8), (char)n, 0, 0 };

	memcpy(p, head, HEAD);
}

static bool
flush_out(int fd)
{
	bool ok = write_all(fd, out, out_n);

	out_n = 0;
	return ok;
}

/*
 * Appends a record to the output buffer, which is written only when it is full: this keeps the
 * number of write() calls low.
 */
static bool
put_record(int fd, int type, const char *p, size_t n)
{
	if (out_n + HEAD + n > sizeof(out) && !flush_out(fd))
		return false;
	put_head(out + out_n, type, n);
	memcpy(out + out_n + HEAD, p, n);
	out_n += HEAD + n;
	return true;
}

/*
 * Encodes a length (FastCGI 1.0 section 3.4): one byte below 128, else four bytes with the highest
 * bit set.
 */
static size_t
put_length(char *p, size_t n)
{
	if (n < 128) {
		*p = (char)n;
		return 1;
	}
	p[0] = (char)(0x80 | n >> 24);
	p[1] = (char)(n >> 16);
	p[2] = (char)(n >> 8);
	p[3] = (char)n;
	return 4;
}

/*
 * Sends the environment as the PARAMS stream. A variable longer than a record is left out; no web
 * server sends one.
 */
static bool
put_environment(int fd)
{
	static char params[RECORD_MAX];
	size_t n = 0, name, value;
	const char *eq;

	for (char **e = environ; *e != NULL; e++) {
		if ((eq = strchr(*e, '=')) == NULL)
			continue;
		name = (size_t)(eq - *e);
		value = strlen(eq + 1);
		if (name + value + 8 > sizeof(params))
			continue;
		if (n + name + value + 8 > sizeof(params)) {
			if (!put_record(fd, PARAMS, params, n))
				return false;
			n = 0;
		}
		n += put_length(params + n, name);
		n += put_length(params + n, value);
		memcpy(params + n, *e, name);
		memcpy(params + n + name, eq + 1, value);
		n += name + value;
	}
	/*
	 * An empty record ends the stream (section 3.3). params is empty only if there is no
	 * environment; then both records end it.
	 */
	return put_record(fd, PARAMS, params, n) && put_record(fd, PARAMS, "", 0);
}

/*
 * Reads only as many bytes of the body as were announced: the web server need not close the pipe
 * (RFC 3875 section 4.2).
 */
static bool
put_body(int fd)
{
	const char *length = getenv("CONTENT_LENGTH");
	long long left = length == NULL ? 0 : strtoll(length, NULL, 10);
	static char part[RECORD_MAX];
	ssize_t n;

	while (left > 0) {
		n = read(STDIN_FILENO, part, left < RECORD_MAX ? (size_t)left : RECORD_MAX);
		if (n < 0 && errno == EINTR)
			continue;
		/*
		 * The client's body ended early: the worker must not take the part for the whole.
		 */
		if (n <= 0)
			return false;
		if (!put_record(fd, STDIN, part, (size_t)n))
			return false;
		left -= n;
	}
	return put_record(fd, STDIN, "", 0) && flush_out(fd);
}

/* Copies the answer until the request ends. False: the connection broke off. *begun: a part of the answer was sent before. */
static bool
pass_answer(int fd, bool *begun)
{
	unsigned char head[HEAD];
	static char body[IN_MAX];
	size_t n, padding;

	while (read_all(fd, (char *)head, HEAD)) {
		n = (size_t)head[4] << 8 | head[5];
		padding = head[6];
		if (!read_all(fd, body, n + padding))
			return false;
		if (head[1] == END)
			return true;
		if (head[1] == STDOUT && !write_all(STDOUT_FILENO, body, n))
			return true;   /* the client closed the connection */
		*begun |= head[1] == STDOUT && n > 0;
		if (head[1] == STDERR)
			write_all(STDERR_FILENO, body, n);
	}
	return false;
}

bool
relay_send(int fd)
{
	static const char begin[8] = { 0, RESPONDER };
	static const char lost[] = "Status: 502 Bad Gateway\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
	    "\r\n{\"error\":{\"code\":502,\"message\":\"No worker answered this request.\"}}";
	bool begun = false;

	/*
	 * A worker that refuses a body answers and closes before the whole body has arrived: ignore
	 * write errors and read its answer.
	 */
	signal(SIGPIPE, SIG_IGN);
	if (!put_record(fd, BEGIN, begin, sizeof(begin)) || !put_environment(fd) || !put_body(fd))
		shutdown(fd, SHUT_WR);
	if (pass_answer(fd, &begun))
		return true;
	/* If a part of the answer was sent, the client would take the text for the rest of it. */
	if (!begun)
		write_all(STDOUT_FILENO, lost, sizeof(lost) - 1);
	return false;
}
