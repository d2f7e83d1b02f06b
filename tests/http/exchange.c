/*
 * A helper of the HTTP tests: one exchange of HTTP/1.1 (RFC 9112) with a server on this machine, or
 * one of CGI (RFC 3875) with octavo-api of $OCTAVO_BUILD.
 *
 *   exchange METHOD http://localhost:PORT/PATH OUT HEAD BODY [HEADER...]   or 127.0.0.1
 *   exchange METHOD /PATH                      OUT HEAD BODY [HEADER...]
 *
 * BODY: text, @FILE, or '' for none. Over HTTP a header without a value ("Accept:") is not sent.
 * OUT gets the body of the response, HEAD its head as received. Prints the status, 000 if there is
 * no response, and on the following lines the head in lower case, without carriage returns.
 *
 * The tests make some ten thousand exchanges, each by a separate process. curl does the same, but
 * takes four times as long to start: it is linked with some thirty libraries. This program is
 * linked statically. Tests that need more of HTTP (compression, parallel requests, TLS) use curl.
 */
#include <ctype.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 60000, PIECE = 64 << 10, LOCALHOST = 0x7f000001 };   /* ms without a byte, bytes, an address */

struct bytes {
	char  *p;
	size_t n, room;
};

static void
append(struct bytes *b, const char *p, size_t n)
{
	if (b->n + n + 1 > b->room) {
		b->room = 2 * (b->n + n + 1);
		if ((b->p = realloc(b->p, b->room)) == NULL)
			err(2, "memory");
	}
	memcpy(b->p + b->n, p, n);
	b->p[b->n += n] = '\0';
}

static void
append_text(struct bytes *b, const char *text)
{
	append(b, text, strlen(text));
}

static void
append_file(struct bytes *b, const char *path)
{
	char piece[PIECE];
	size_t n;
	FILE *f = fopen(path, "rb");

	if (f == NULL)
		err(2, "%s", path);
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		append(b, piece, n);
	fclose(f);
}

static void
save(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(p, 1, n, f) != n || fclose(f) != 0)
		err(2, "%s", path);
}

static bool
has_name(const char *header, const char *name)
{
	size_t n = strlen(name);

	return strncasecmp(header, name, n) == 0 && header[n] == ':';
}

/* Adds a default header, unless the caller sets or suppresses it. */
static void
append_default(struct bytes *b, char **headers, const char *name, const char *value)
{
	for (; *headers != NULL; headers++)
		if (has_name(*headers, name))
			return;
	append_text(b, name);
	append_text(b, ": ");
	append_text(b, value);
	append_text(b, "\r\n");
}

static struct bytes
content_of(const char *body)
{
	struct bytes content = { 0 };

	if (*body == '@')
		append_file(&content, body + 1);
	else
		append_text(&content, body);
	return content;
}

/* host: includes the port. */
static void
write_request(struct bytes *b, const char *method, const char *host, const char *path, const char *body, char **headers)
{
	struct bytes content = content_of(body);
	char length[32], *colon;

	append_text(b, method);
	append_text(b, " ");
	append_text(b, *path == '\0' ? "/" : path);
	append_text(b, " HTTP/1.1\r\n");
	append_default(b, headers, "Host", host);
	append_default(b, headers, "User-Agent", "octavo-tests");
	append_default(b, headers, "Accept", "*/*");
	snprintf(length, sizeof(length), "%zu", content.n);
	if (*body != '\0')
		append_default(b, headers, "Content-Length", length);
	for (; *headers != NULL; headers++) {
		if ((colon = strchr(*headers, ':')) == NULL)
			errx(2, "no header: %s", *headers);
		if (colon[1] == '\0')
			continue;
		append_text(b, *headers);
		append_text(b, "\r\n");
	}
	append_text(b, "Connection: close\r\n\r\n");
	append(b, content.p, content.n);
	free(content.p);
}

static int
connect_to(int port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(LOCALHOST) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0)
		return -1;
	return fd;
}

/*
 * Sends the request and reads until the server closes. Reads while sending, because a server may
 * refuse a request and close before all of it was sent.
 */
static void
talk(int fd, const struct bytes *request, struct bytes *answer)
{
	struct pollfd p = { .fd = fd };
	char piece[PIECE];
	size_t sent = 0;
	ssize_t n;

	for (;;) {
		p.events = (short)(sent < request->n ? POLLIN | POLLOUT : POLLIN);
		if (poll(&p, 1, PATIENCE) <= 0)
			return;
		if (p.revents & (POLLIN | POLLHUP | POLLERR)) {
			if ((n = read(fd, piece, sizeof(piece))) <= 0)
				return;
			append(answer, piece, (size_t)n);
		} else {
			n = send(fd, request->p + sent, request->n - sent, MSG_NOSIGNAL);
			/* Bytes sent before the close can still be read. */
			sent = n < 0 ? request->n : sent + (size_t)n;
		}
	}
}

/* Sets a header as a variable (RFC 3875, section 4.1.18); Content-Type has a variable without the prefix. */
static void
set_header(const char *header)
{
	char name[256] = "HTTP_";
	const char *value = header + strcspn(header, ":");
	size_t n = strlen(name);

	if (*value == '\0' || (size_t)(value - header) >= sizeof(name) - n)
		errx(2, "no header: %s", header);
	for (const char *p = header; p < value; p++)
		name[n++] = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
	value += 1 + strspn(value + 1, " ");
	setenv(strcmp(name, "HTTP_CONTENT_TYPE") == 0 ? "CONTENT_TYPE" : name, value, 1);
}

/* The program's standard input is a file, as with servers that read the whole body first. */
static void
start_program(const char *method, const char *path, const struct bytes *content, char **headers)
{
	const char *build = getenv("OCTAVO_BUILD"), *query = strchr(path, '?');
	char program[4096], length[32];
	int in = memfd_create("body", 0);

	if (build == NULL)
		errx(2, "OCTAVO_BUILD names no directory of programs");
	if (in < 0 || write(in, content->p, content->n) != (ssize_t)content->n ||
	    lseek(in, 0, SEEK_SET) != 0 || dup2(in, STDIN_FILENO) < 0)
		err(2, "the body");
	setenv("GATEWAY_INTERFACE", "CGI/1.1", 1);
	setenv("REQUEST_METHOD", method, 1);
	setenv("REQUEST_URI", path, 1);
	if (query != NULL)
		setenv("QUERY_STRING", query + 1, 1);
	snprintf(length, sizeof(length), "%zu", content->n);
	if (content->n > 0)
		setenv("CONTENT_LENGTH", length, 1);
	for (; *headers != NULL; headers++)
		if (content->n > 0 || !has_name(*headers, "Content-Type"))
			set_header(*headers);
	snprintf(program, sizeof(program), "%s/octavo-api", build);
	execl(program, program, (char *)NULL);
	err(2, "%s", program);
}

static void
run_program(const char *method, const char *path, const char *body, char **headers, struct bytes *answer)
{
	struct bytes content = content_of(body);
	char piece[PIECE];
	int out[2];
	ssize_t n;
	pid_t pid;

	if (pipe(out) != 0 || (pid = fork()) < 0)
		err(2, "fork");
	if (pid == 0) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		close(out[1]);
		start_program(method, path, &content, headers);
	}
	close(out[1]);
	while ((n = read(out[0], piece, sizeof(piece))) > 0)
		append(answer, piece, (size_t)n);
	waitpid(pid, NULL, 0);
	free(content.p);
}

/* The value of a header; "" if it is missing. */
static const char *
value_of(const char *head, const char *name)
{
	for (const char *p = head; (p = strchr(p, '\n')) != NULL;)
		if (has_name(++p, name))
			return p + strlen(name) + 1 + strspn(p + strlen(name) + 1, " ");
	return "";
}

/* Joins chunks (RFC 9112, section 7.1) into *out. False: a chunk is incomplete. */
static bool
unite_chunks(const char *p, const char *end, struct bytes *out)
{
	char *data;
	size_t n;

	while (p < end) {
		n = strtoul(p, &data, 16);
		if (data == p || (data = strchr(data, '\n')) == NULL)
			return false;
		if (n == 0)
			return true;
		if ((size_t)(end - ++data) < n + 2)
			return false;
		append(out, data, n);
		p = data + n + 2;
	}
	return false;
}

/*
 * A response that ends before its length, or continues after it, is incomplete. A program's output
 * is taken as it is, so that tests detect a body which the web server would drop.
 */
static bool
save_body(const char *path, const char *head, const char *p, const char *end, bool none)
{
	bool http = strncmp(head, "HTTP/", 5) == 0;
	struct bytes body = { 0 };
	const char *length = value_of(head, "Content-Length");
	bool whole = true;

	append_text(&body, "");
	if (none && http)
		whole = p == end;
	else if (strncasecmp(value_of(head, "Transfer-Encoding"), "chunked", 7) == 0)
		whole = unite_chunks(p, end, &body);
	else
		append(&body, p, (size_t)(end - p));
	if (!none && *length != '\0' && strtoul(length, NULL, 10) != body.n)
		whole = false;
	save(path, body.p, body.n);
	free(body.p);
	return whole;
}

static void
print_head(const char *p)
{
	for (; *p != '\0'; p++)
		if (*p != '\r')
			putchar(tolower((unsigned char)*p));
}

/* Writes head and body of a response to files. False: it is incomplete. */
static bool
take(struct bytes *answer, const char *method, const char *out, const char *head_path)
{
	char *head = answer->p, *body;
	char status[4] = "000";
	bool none;

	/* Skips interim responses (100 Continue). */
	while (head != NULL && strncmp(head, "HTTP/1.1 1", 10) == 0)
		head = (body = strstr(head, "\r\n\r\n")) == NULL ? NULL : body + 4;
	/* A CGI program gives the status in a header, which is its first one here: RFC 3875, section 6.3.3. */
	if (head == NULL || (strncmp(head, "HTTP/", 5) != 0 && strncmp(head, "Status: ", 8) != 0) ||
	    (body = strstr(head, "\r\n\r\n")) == NULL)
		return false;
	save(head_path, head, (size_t)(body + 4 - head));
	body[2] = '\0';
	strncpy(status, head + strcspn(head, " ") + 1, 3);
	none = strcmp(method, "HEAD") == 0 || strcmp(status, "204") == 0 || strcmp(status, "304") == 0;
	if (!save_body(out, head, body + 4, answer->p + answer->n, none))
		return false;
	puts(status);
	print_head(head);
	return true;
}

/* Sends the request to a URL on this machine. */
static void
ask_server(const char *method, const char *url, const char *body, char **headers, struct bytes *answer)
{
	static const char by_name[] = "http://localhost:", by_address[] = "http://127.0.0.1:";
	struct bytes request = { 0 };
	char *path, *host;
	int fd;

	_Static_assert(sizeof(by_name) == sizeof(by_address), "both have the port at the same place");
	if (strncmp(url, by_name, sizeof(by_name) - 1) != 0 && strncmp(url, by_address, sizeof(by_address) - 1) != 0)
		errx(2, "not %sPORT/PATH: %s", by_name, url);
	fd = connect_to((int)strtol(url + sizeof(by_name) - 1, &path, 10));
	url += strlen("http://");
	host = strndup(url, (size_t)(path - url));
	write_request(&request, method, host, path, body, headers);
	if (fd >= 0)
		talk(fd, &request, answer);
	free(host);
	free(request.p);
}

int
main(int argc, char **argv)
{
	struct bytes answer = { 0 };

	if (argc < 6)
		errx(2, "usage: exchange METHOD URL|PATH OUT HEAD BODY [HEADER...]");
	append_text(&answer, "");
	if (*argv[2] == '/')
		run_program(argv[1], argv[2], argv[5], argv + 6, &answer);
	else
		ask_server(argv[1], argv[2], argv[5], argv + 6, &answer);
	if (!take(&answer, argv[1], argv[3], argv[4]))
		puts("000");
	return 0;
}
