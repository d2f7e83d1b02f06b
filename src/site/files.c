/*
 * GET /~files/…: the bytes behind a signed address (app/download.h), with ranges and
 * conditions (RFC 9110), and the headers that keep a browser from running them.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/log.h"
#include "base/url.h"
#include "store/content.h"
#include "app/download.h"
#include "base/secret.h"
#include "site/site.h"

enum { PIECE = 64 << 10, SEGMENTS = 5 };

/* A file of a deleted space is gone at once, whatever its address says. */
SQL(q_download,
    "SELECT b.size FROM blob b JOIN space s ON s.id = :space AND s.deleted_at IS NULL "
    "WHERE b.hash = :hash");

struct answer {
	struct io             *io;
	struct arena          *arena;
	struct db             *db;
	const struct settings *set;
	bool                   head;
	struct buf             h;        /* status and headers */
	jmp_buf                escape;
};

static void
on_failure(void *ctx, enum db_failure f, const char *message)
{
	struct answer *w = ctx;

	log_line("%s", message);
	longjmp(w->escape, f == DB_ERROR ? 500 : 503);
}

static void
refuse(struct answer *w, int status, const char *text)
{
	struct buf b;

	buf_init(&b, w->arena, 4096);
	buf_printf(&b, "Status: %d %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
	    "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n%s\r\n", status, text,
	    status == 503 ? "Retry-After: 1\r\n" : status == 405 ? "Allow: GET, HEAD\r\n" : "");
	if (!w->head)
		buf_printf(&b, "%s\n", text);
	w->io->write(w->io, b.p, b.n);
}

/* ---- the address ---- */

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

static char *
decode(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t i, n = 0;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '%' && i + 2 < s.n && hex_digit(s.p[i + 1]) >= 0 &&
		    hex_digit(s.p[i + 2]) >= 0) {
			out[n++] = (char)(hex_digit(s.p[i + 1]) * 16 + hex_digit(s.p[i + 2]));
			i += 2;
		} else {
			out[n++] = s.p[i];
		}
	}
	return out;
}

/* The five segments after /~files/; false if it is no such address. */
static bool
segments(struct answer *w, const char *uri, const char *out[SEGMENTS])
{
	struct str at = url_below(w->set, w->io->param(w->io, "SCRIPT_NAME"),
	    (struct str){ uri, strcspn(uri, "?") }, "/~files");
	size_t i, from = strlen("/~files/");
	int k = 0;

	for (i = from; i <= at.n; i++) {
		if (i < at.n && at.p[i] != '/')
			continue;
		if (k == SEGMENTS)
			return false;
		out[k++] = decode(w->arena, str_slice(at, from, i));
		from = i + 1;
	}
	return k == SEGMENTS;
}

/* ---- the bytes ---- */

/* RFC 6266: a plain name for old readers, the true one in UTF-8. */
static void
disposition(struct buf *h, const char *name, bool inside)
{
	const char *p;

	buf_printf(h, "Content-Disposition: %s; filename=\"", inside ? "inline" : "attachment");
	for (p = name; *p != '\0'; p++)
		buf_char(h, *p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\' && *p != '%' ? *p : '_');
	buf_str(h, "\"; filename*=UTF-8''");
	for (p = name; *p != '\0'; p++)
		if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
		    *p == '-' || *p == '.' || *p == '_')
			buf_char(h, *p);
		else
			buf_printf(h, "%%%02X", (unsigned char)*p);
	buf_str(h, "\r\n");
}

static void
headers(struct answer *w, const struct download *d)
{
	const char *type = mime_type(d->name);
	const char *allowed = settings_cors(w->set, w->io->param(w->io, "HTTP_ORIGIN"));

	buf_printf(&w->h, "Content-Type: %s%s\r\n", type,
	    strncmp(type, "text/", 5) == 0 ? "; charset=utf-8" : "");
	disposition(&w->h, d->name, mime_inline(type));
	buf_str(&w->h, "X-Content-Type-Options: nosniff\r\n"
	    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox\r\n"
	    "Cross-Origin-Resource-Policy: cross-origin\r\n"
	    "Cache-Control: private, max-age=86400, immutable\r\n");
	if (strcmp(w->set->cors, "*") != 0)
		buf_str(&w->h, "Vary: Origin\r\n");
	if (allowed != NULL)
		buf_printf(&w->h, "Access-Control-Allow-Origin: %s\r\n", allowed);
}

/* "bytes=a-b", "bytes=a-", "bytes=-n". 1: a range, 0: none (or several: all is sent), -1: outside. */
static int
read_range(const char *header, int64_t size, int64_t *from, int64_t *to)
{
	char *end;

	*from = 0;
	*to = size - 1;
	if (header == NULL || strncmp(header, "bytes=", 6) != 0 || strchr(header, ',') != NULL)
		return 0;
	header += 6;
	if (*header == '-') {
		int64_t n = strtoll(header + 1, &end, 10);
		if (end == header + 1 || *end != '\0')
			return 0;
		*from = n >= size ? 0 : size - n;
		return n > 0 && size > 0 ? 1 : -1;
	}
	*from = strtoll(header, &end, 10);
	if (end == header || *end++ != '-')
		return 0;
	if (*end != '\0') {
		*to = strtoll(end, &end, 10);
		if (*end != '\0' || *to < *from)
			return 0;
	}
	if (*to >= size)
		*to = size - 1;
	return *from < size ? 1 : -1;
}

static void
copy_out(struct answer *w, int fd, int64_t from, int64_t to)
{
	char *piece = arena_alloc(w->arena, PIECE);
	ssize_t n;

	while (from <= to) {
		int64_t left = to - from + 1;
		n = pread(fd, piece, left < PIECE ? (size_t)left : PIECE, from);
		if (n < 0 && errno == EINTR)
			continue;
		/* A reader that hangs up, or a file that shrank: there is nobody to tell. */
		if (n <= 0 || !w->io->write(w->io, piece, (size_t)n))
			return;
		from += n;
	}
}

static void
send_file(struct answer *w, const struct download *d, int64_t size)
{
	const char *range = w->io->param(w->io, "HTTP_RANGE"), *tag = hex(w->arena, d->hash);
	const char *match = w->io->param(w->io, "HTTP_IF_NONE_MATCH");
	const char *if_range = w->io->param(w->io, "HTTP_IF_RANGE");
	int64_t from, to;
	int fd, partial;

	if (match != NULL && etag_listed(match, tag, true)) {
		buf_printf(&w->h, "Status: 304 Not Modified\r\nETag: \"%s\"\r\n\r\n", tag);
		w->io->write(w->io, w->h.p, w->h.n);
		return;
	}
	if (if_range != NULL && !etag_listed(if_range, tag, false))
		range = NULL;
	fd = open(blob_path(w->arena, w->set->dir, d->hash), O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		refuse(w, 404, "Not Found");
		return;
	}
	partial = read_range(range, size, &from, &to);
	if (partial < 0) {
		buf_printf(&w->h, "Status: 416 Range Not Satisfiable\r\nContent-Range: bytes */%lld\r\n\r\n",
		    (long long)size);
		w->io->write(w->io, w->h.p, w->h.n);
		close(fd);
		return;
	}
	buf_str(&w->h, partial ? "Status: 206 Partial Content\r\n" : "Status: 200 OK\r\n");
	headers(w, d);
	if (partial)
		buf_printf(&w->h, "Content-Range: bytes %lld-%lld/%lld\r\n", (long long)from,
		    (long long)to, (long long)size);
	buf_printf(&w->h, "Accept-Ranges: bytes\r\nETag: \"%s\"\r\nContent-Length: %lld\r\n\r\n", tag,
	    (long long)(to - from + 1));
	w->io->write(w->io, w->h.p, w->h.n);
	if (!w->head)
		copy_out(w, fd, from, to);
	close(fd);
}

static void
hand_over(struct answer *w, const struct download *d, const char *prefix)
{
	char *h = hex(w->arena, d->hash);

	buf_str(&w->h, "Status: 200 OK\r\n");
	headers(w, d);
	buf_printf(&w->h, "ETag: \"%s\"\r\nX-Accel-Redirect: %s%.2s/%s\r\n\r\n", h, prefix, h, h + 2);
	w->io->write(w->io, w->h.p, w->h.n);
}

/* Bytes of the file that the address names; -1: there is none. */
static int64_t
size_of(struct answer *w, const struct download *d)
{
	struct stmt *q = db_use(w->db, &q_download);

	bind_text(q, ":space", d->space);
	bind_blob(q, ":hash", d->hash);
	return stmt_int(q, -1);
}

static void
serve_download(struct answer *w, const char *uri)
{
	const char *part[SEGMENTS], *accel = w->io->param(w->io, "OCTAVO_ACCEL");
	struct download d;
	int64_t size;

	if (!segments(w, uri, part) || !download_read(w->arena, part, time_now(), &d) ||
	    (size = size_of(w, &d)) < 0) {
		refuse(w, 404, "Not Found");
		return;
	}
	if (accel != NULL && *accel != '\0')
		hand_over(w, &d, accel);
	else
		send_file(w, &d, size);
}

void
site_handle(struct io *io, struct arena *a, struct db *db, const struct settings *set)
{
	struct answer *w = arena_alloc(a, sizeof(*w));
	const char *method = io->param(io, "REQUEST_METHOD"), *uri = io->param(io, "REQUEST_URI");
	int status;

	*w = (struct answer){ .io = io, .arena = a, .db = db, .set = set,
		.head = method != NULL && strcmp(method, "HEAD") == 0 };
	buf_init(&w->h, a, 64 << 10);
	if (method == NULL || (!w->head && strcmp(method, "GET") != 0)) {
		refuse(w, 405, "Method Not Allowed");
		return;
	}
	db_on_fail(db, on_failure, w);
	if ((status = setjmp(w->escape)) != 0)
		refuse(w, status, status == 503 ? "Service Unavailable" : "Internal Server Error");
	else if (!site_front(io, a, set, uri != NULL ? uri : "", w->head))
		serve_download(w, uri != NULL ? uri : "");
	db_rollback(db);
}
