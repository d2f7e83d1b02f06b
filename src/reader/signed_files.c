/*
 * Serves files: at signed addresses (GET /~files/…, app/download.h; GET /~pdf/…, pdf_files.c) and
 * at a site's own (reader.c), with ranges and conditions (RFC 9110) and headers that keep a browser
 * from running them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/log.h"
#include "base/url.h"
#include "objects/objects.h"
#include "store/content.h"
#include "app/download.h"
#include "base/secret.h"
#include "reader_parts.h"
#include "audience/site_token.h"

enum { PIECE = 64 << 10 };

/* A file of a deleted space is refused at once. */
SQL(q_download,
    "SELECT b.size FROM blob b JOIN space s ON s.id = :space AND s.deleted_at IS NULL "
    "WHERE b.hash = :hash");

/* ---- the address ---- */

bool
split_segments(struct answer *w, const char *uri, const char *below, const char *out[SEGMENTS])
{
	struct str at = url_below(w->set, w->io->param(w->io, "SCRIPT_NAME"),
	    (struct str){ uri, strcspn(uri, "?") }, below);
	size_t i, from = strlen(below) + 1;
	int k = 0;

	for (i = from; i <= at.n; i++) {
		if (i < at.n && at.p[i] != '/')
			continue;
		/* A sixth segment makes it another kind of address. */
		if (k == SEGMENTS)
			return false;
		out[k++] = url_unescape(w->arena, str_slice(at, from, i)).p;
		from = i + 1;
	}
	return k == SEGMENTS;
}

/* ---- the bytes ---- */

/*
 * Writes the value of Content-Disposition (RFC 6266) with two names: one in ASCII for old browsers,
 * and the full one in UTF-8.
 */
static void
write_disposition(struct buf *h, const char *name, bool inside)
{
	const char *p;

	/*
	 * Only types in which browsers run no scripts are shown in place (mime_inline); an uploaded
	 * HTML page is saved.
	 */
	buf_printf(h, "%s; filename=\"", inside ? "inline" : "attachment");
	for (p = name; *p != '\0'; p++)
		buf_char(h, *p >= ' ' && *p < 0x7f && *p != '"' && *p != '\\' && *p != '%' ? *p : '_');
	buf_str(h, "\"; filename*=UTF-8''");
	for (p = name; *p != '\0'; p++)
		if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
		    *p == '-' || *p == '.' || *p == '_')
			buf_char(h, *p);
		else
			buf_printf(h, "%%%02X", (unsigned char)*p);
}

static const char *
type_with_charset(struct arena *a, const char *name)
{
	const char *type = mime_served(name);

	return strncmp(type, "text/", 5) == 0 ? arena_printf(a, "%s; charset=utf-8", type) : type;
}

static bool
is_shown(const struct sent_file *d)
{
	return mime_inline(mime_served(d->name)) && !d->saved;
}

/* Headers of all answers with a file, partial ones too. */
static void
write_headers(struct answer *w, const struct sent_file *d)
{
	const char *allowed = settings_cors(w->set, w->io->param(w->io, "HTTP_ORIGIN"));

	/*
	 * The type follows from the name, not from what the uploader claimed; nosniff keeps
	 * browsers from guessing.
	 */
	buf_printf(&w->h, "Content-Type: %s\r\nContent-Disposition: ", type_with_charset(w->arena, d->name));
	write_disposition(&w->h, d->name, is_shown(d));
	buf_str(&w->h, "\r\nX-Content-Type-Options: nosniff\r\n"
	    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox\r\n"
	    "Cross-Origin-Resource-Policy: cross-origin\r\n");
	buf_printf(&w->h, "Cache-Control: %s\r\n", w->cache != NULL ? w->cache : "private, max-age=86400, immutable");
	/* The answer names the requesting origin, so caches must keep origins apart. */
	if (strcmp(w->set->cors, "*") != 0)
		buf_str(&w->h, "Vary: Origin\r\n");
	if (allowed != NULL)
		buf_printf(&w->h, "Access-Control-Allow-Origin: %s\r\n", allowed);
}

/*
 * Parse "bytes=a-b", "bytes=a-" or "bytes=-n": 1: a range; 0: none, or several (then all is sent);
 * -1: outside of the file.
 */
static int
read_range(const char *header, int64_t size, int64_t *from, int64_t *to)
{
	char *end;

	*from = 0;
	/* Default: the whole file. */
	*to = size - 1;
	/* A server may ignore a Range that it does not support (RFC 9110 section 14.2). */
	if (header == NULL || strncmp(header, "bytes=", 6) != 0 || strchr(header, ',') != NULL)
		return 0;
	header += 6;
	if (*header == '-') {
		int64_t n = strtoll(header + 1, &end, 10);
		if (end == header + 1 || *end != '\0')
			return 0;
		/* A suffix longer than the file means all of it (section 14.1.2). */
		*from = n >= size ? 0 : size - n;
		return n > 0 && size > 0 ? 1 : -1;
	}
	/*
	 * strtoll() accepts blanks and signs, which ranges must not have (RFC 9110 section 14.1.2).
	 */
	*from = *header >= '0' && *header <= '9' ? strtoll(header, &end, 10) : -1;
	if (*from < 0 || *end++ != '-')
		return 0;
	if (*end != '\0') {
		*to = *end >= '0' && *end <= '9' ? strtoll(end, &end, 10) : -1;
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
	/* Send in pieces, so that memory does not grow with the file. */
	char *piece = arena_alloc(w->arena, PIECE);
	ssize_t n;

	while (from <= to) {
		int64_t left = to - from + 1;
		n = pread(fd, piece, left < PIECE ? (size_t)left : PIECE, from);
		if (n < 0 && errno == EINTR)
			continue;
		/* The client hung up, or the file shrank: there is no way to report it. */
		if (n <= 0 || !w->io->write(w->io, piece, (size_t)n))
			return;
		from += n;
	}
}

/* Use nginx's words, which checks this itself for files that it sends (nginx/locations.conf). */
static void
refuse_condition(struct answer *w)
{
	static const char body[] = "{\"error\":{\"code\":412,\"message\":\"This file is not the one that the "
	    "condition names.\"}}\n";

	buf_printf(&w->h, "Status: 412 Precondition Failed\r\nContent-Type: application/json\r\n"
	    "Cache-Control: no-store\r\nAccess-Control-Allow-Origin: *\r\n\r\n%s", w->head ? "" : body);
	w->io->write(w->io, w->h.p, w->h.n);
}

void
send_file(struct answer *w, const struct sent_file *d)
{
	const char *wanted = w->io->param(w->io, "HTTP_IF_MATCH");
	const char *range = w->io->param(w->io, "HTTP_RANGE"), *tag = d->tag;
	const char *match = w->io->param(w->io, "HTTP_IF_NONE_MATCH");
	const char *if_range = w->io->param(w->io, "HTTP_IF_RANGE");
	int64_t size = d->size, from, to;
	int fd, partial;

	/*
	 * If-Match comes before If-None-Match (RFC 9110 section 13.2.2). Compare weakly, since
	 * Apache changes tags.
	 */
	if (wanted != NULL && !etag_listed(wanted, tag, true)) {
		refuse_condition(w);
		return;
	}
	if (match != NULL && etag_listed(match, tag, true)) {
		buf_printf(&w->h, "Status: 304 Not Modified\r\nETag: \"%s\"\r\n\r\n", tag);
		w->io->write(w->io, w->h.p, w->h.n);
		return;
	}
	/*
	 * The client has part of another version: send the whole file (section 13.1.5). This is a
	 * strong comparison.
	 */
	if (if_range != NULL && !etag_listed(if_range, tag, false))
		range = NULL;
	/* Open it before the headers are sent: afterwards a 404 is impossible. */
	fd = open(d->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		write_refusal(w, 404, "Not Found");
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
	write_headers(w, d);
	if (partial)
		buf_printf(&w->h, "Content-Range: bytes %lld-%lld/%lld\r\n", (long long)from,
		    (long long)to, (long long)size);
	buf_printf(&w->h, "Accept-Ranges: bytes\r\nETag: \"%s\"\r\nContent-Length: %lld\r\n\r\n", tag,
	    (long long)to - from + 1);
	w->io->write(w->io, w->h.p, w->h.n);
	if (!w->head)
		copy_out(w, fd, from, to);
	close(fd);
}

/*
 * Let the web server send the bytes by sendfile(), with our headers. prefix: its internal location
 * for the folder of blobs.
 */
static void
send_by_web_server(struct answer *w, const struct sent_file *d, const char *prefix)
{
	const char *below = d->path + strlen(w->set->dir) + strlen("/blobs/");

	buf_str(&w->h, "Status: 200 OK\r\n");
	write_headers(w, d);
	buf_printf(&w->h, "ETag: \"%s\"\r\nX-Accel-Redirect: %s%s\r\n\r\n", d->tag, prefix, below);
	w->io->write(w->io, w->h.p, w->h.n);
}

/* -1 if the blob or the space does not exist. */
int64_t
file_size(struct answer *w, const char *space, struct str hash)
{
	struct stmt *q = db_use(w->db, &q_download);

	bind_text(q, ":space", space);
	bind_blob(q, ":hash", hash);
	return stmt_int(q, -1);
}

/*
 * Sends the reader to the object store, if that is the setting. Not for a copy of a site, nor for HEAD,
 * which the signature does not cover. False: the file is sent from here.
 */
static bool
send_to_store(struct answer *w, const struct sent_file *d, struct str hash)
{
	struct buf disposition;
	char *address;

	if (w->copy || w->head || !blob_store_sends())
		return false;
	buf_init(&disposition, w->arena, 64 << 10);
	write_disposition(&disposition, d->name, is_shown(d));
	address = blob_send_address(w->arena, w->set->dir, hash, type_with_charset(w->arena, d->name), disposition.p, time_now());
	if (address == NULL)
		return false;
	/* The redirect may be kept for half the time for which the address is valid. */
	buf_printf(&w->h, "Status: 302 Found\r\nLocation: %s\r\nCache-Control: private, max-age=%d\r\n"
	    "Access-Control-Allow-Origin: *\r\nContent-Length: 0\r\n\r\n", address,
	    w->cache != NULL && strstr(w->cache, "no-cache") != NULL ? 0 : OBJECTS_ADDRESS_SECONDS / 2);
	w->io->write(w->io, w->h.p, w->h.n);
	return true;
}

static void
send_from_here(struct answer *w, struct sent_file *d, struct str hash)
{
	const char *accel = w->io->param(w->io, "OCTAVO_ACCEL");
	enum blob_found found;

	d->path = blob_local(w->arena, w->set->dir, hash, &found);
	if (found == BLOB_AWAY || found == BLOB_DAMAGED)
		write_refusal(w, 503, "Service Unavailable");
	else if (found == BLOB_MISSING)
		write_refusal(w, 404, "Not Found");
	else if (accel != NULL && *accel != '\0')
		send_by_web_server(w, d, accel);
	else
		send_file(w, d);
}

void
serve_blob(struct answer *w, struct str hash, const char *name, int64_t size, const char *cache)
{
	struct sent_file f = { .tag = hex(w->arena, hash), .name = name, .size = size };

	/* End the transaction: a slow reader must not hold a snapshot, and an object store may be slow. */
	db_rollback(w->db);
	w->cache = cache;
	if (!send_to_store(w, &f, hash))
		send_from_here(w, &f, hash);
}

void
serve_blob_here(struct answer *w, struct str hash, const char *name, int64_t size, const char *cache)
{
	struct sent_file f = { .tag = hex(w->arena, hash), .name = name, .size = size };

	db_rollback(w->db);
	w->cache = cache;
	send_from_here(w, &f, hash);
}

/*
 * An address given to a site's reader is checked on each request, so caches must not keep its file.
 */
void
serve_download(struct answer *w, const char *uri)
{
	const char *part[SEGMENTS];
	struct download d;
	int64_t size;

	db_begin(w->db, false);
	if (!split_segments(w, uri, "/~files", part) || !download_read(w->arena, part, time_now(), &d) ||
	    (d.reader != NULL && !pass_reads(w->db, w->arena, w->set, d.reader, d.space)) ||
	    (size = file_size(w, d.space, d.hash)) < 0)
		write_refusal(w, 404, "Not Found");
	else
		serve_blob(w, d.hash, d.name, size, d.reader != NULL ? "private, no-cache" : NULL);
}
