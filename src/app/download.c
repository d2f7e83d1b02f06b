/*
 * Signed addresses of files, media types, and sizes of images read from their first bytes. The
 * contract is in app/download.h.
 */
#include <stdlib.h>
#include <strings.h>

#include "base/jpeg.h"
#include "base/json.h"
#include "base/url.h"
#include "app/download.h"
#include "base/secret.h"

/*
 * Media types by the ending of the file's name. Contents are never sniffed, neither here nor,
 * because of nosniff, by browsers.
 */
static const struct { const char *ending, *type; } types[] = {
	{ "png", "image/png" }, { "jpg", "image/jpeg" }, { "jpeg", "image/jpeg" },
	{ "gif", "image/gif" }, { "webp", "image/webp" }, { "avif", "image/avif" },
	{ "svg", "image/svg+xml" }, { "ico", "image/x-icon" }, { "bmp", "image/bmp" },
	{ "tif", "image/tiff" }, { "tiff", "image/tiff" }, { "heic", "image/heic" },
	{ "mp4", "video/mp4" }, { "webm", "video/webm" }, { "mov", "video/quicktime" },
	{ "ogv", "video/ogg" }, { "mp3", "audio/mpeg" }, { "wav", "audio/wav" },
	{ "ogg", "audio/ogg" }, { "m4a", "audio/mp4" }, { "flac", "audio/flac" },
	{ "pdf", "application/pdf" }, { "txt", "text/plain" }, { "log", "text/plain" },
	{ "md", "text/markdown" }, { "csv", "text/csv" }, { "json", "application/json" },
	{ "yaml", "application/yaml" }, { "yml", "application/yaml" }, { "xml", "application/xml" },
	{ "html", "text/html" }, { "htm", "text/html" }, { "xhtml", "application/xhtml+xml" },
	{ "css", "text/css" }, { "js", "text/javascript" }, { "mjs", "text/javascript" },
	{ "zip", "application/zip" }, { "gz", "application/gzip" }, { "tgz", "application/gzip" },
	{ "tar", "application/x-tar" }, { "7z", "application/x-7z-compressed" },
	{ "doc", "application/msword" }, { "xls", "application/vnd.ms-excel" },
	{ "ppt", "application/vnd.ms-powerpoint" }, { "epub", "application/epub+zip" },
	{ "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document" },
	{ "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" },
	{ "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation" },
	{ "woff", "font/woff" }, { "woff2", "font/woff2" }, { "ttf", "font/ttf" },
	{ "otf", "font/otf" }, { "wasm", "application/wasm" },
};

const char *
mime_type(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t i;

	for (i = 0; dot != NULL && i < sizeof(types) / sizeof(types[0]); i++)
		if (strcasecmp(dot + 1, types[i].ending) == 0)
			return types[i].type;
	return "application/octet-stream";
}

const char *
mime_served(const char *name)
{
	static const char *const run[] = { "text/javascript", "text/css", "application/wasm" };
	const char *type = mime_type(name);
	size_t i;

	for (i = 0; i < sizeof(run) / sizeof(*run); i++)
		if (strcmp(type, run[i]) == 0)
			return "application/octet-stream";
	return type;
}

bool
mime_inline(const char *type)
{
	/* SVG runs scripts, and so do HTML and several XML types. */
	if (strcmp(type, "image/svg+xml") == 0)
		return false;
	return strncmp(type, "image/", 6) == 0 || strncmp(type, "video/", 6) == 0 ||
	    strncmp(type, "audio/", 6) == 0 || strcmp(type, "text/plain") == 0 ||
	    strcmp(type, "application/pdf") == 0;
}

/*
 * The space is signed as well, so the same bytes have another address in another space
 * (docs/design/security.md, "S14").
 */
static struct str
signed_text(struct arena *a, const char *space, const char *hash, const char *day, const char *name)
{
	return str_of(arena_printf(a, "%s/%s/%s/%s", space, hash, day, name));
}

char *
download_url(struct arena *a, const struct settings *set, const char *space, struct str hash,
    const char *name, const char *reader, int64_t now)
{
	const char *h = hex(a, hash);
	/*
	 * The address contains the day and not the exact time, so that it stays the same all day
	 * and caches can use it.
	 */
	const char *day = arena_printf(a, "%lld%s%s", (long long)(now / DAY_MS), reader != NULL ? "~" : "",
	    reader != NULL ? reader : "");

	return url_make(a, set, "/~files/%s/%s/%s/%s/%s", space, h, url_segment(a, str_of(day)),
	    secret_sign(a, SECRET_DOWNLOAD, signed_text(a, space, h, day, name)), url_segment(a, str_of(name)));
}

bool
download_read(struct arena *a, const char *const segment[5], int64_t now, struct download *out)
{
	char *end;
	long long day = strtoll(segment[2], &end, 10);

	/*
	 * Valid on that day and the next: an address made just before midnight works for at least a
	 * day.
	 */
	if ((*end != '\0' && *end != '~') || day > now / DAY_MS || day < now / DAY_MS - 1)
		return false;
	if (!secret_verify(a, SECRET_DOWNLOAD,
	    signed_text(a, segment[0], segment[1], segment[2], segment[4]), str_of(segment[3])))
		return false;
	out->reader = *end == '~' ? end + 1 : NULL;
	out->space = segment[0];
	out->name = segment[4];
	return hex_read(a, str_of(segment[1]), &out->hash) && out->hash.n == HASH_BYTES;
}

/* ---- sizes of images: PNG (RFC 2083), GIF89a, JPEG (ITU T.81), WebP container ---- */

/* Reads two bytes, the high one first. The caller has checked the length. */
static unsigned
read_be16(const unsigned char *p)
{
	return (unsigned)p[0] << 8 | p[1];
}

static unsigned
read_le16(const unsigned char *p)
{
	return (unsigned)p[1] << 8 | p[0];
}

/* The three kinds of first chunk (RFC 9649): extended with 24 bits, lossy and lossless with 14. */
static bool
webp_size(const unsigned char *p, size_t n, int *w, int *h)
{
	if (n < 30)
		return false;
	if (memcmp(p + 12, "VP8X", 4) == 0) {
		*w = (int)(p[24] | p[25] << 8 | p[26] << 16) + 1;
		*h = (int)(p[27] | p[28] << 8 | p[29] << 16) + 1;
	} else if (memcmp(p + 12, "VP8 ", 4) == 0) {
		*w = (int)(read_le16(p + 26) & 0x3FFF);
		*h = (int)(read_le16(p + 28) & 0x3FFF);
	} else if (memcmp(p + 12, "VP8L", 4) == 0) {
		*w = 1 + (p[21] | (p[22] & 0x3F) << 8);
		*h = 1 + (p[22] >> 6 | p[23] << 2 | (p[24] & 0x0F) << 10);
	} else {
		return false;
	}
	return true;
}

bool
image_size(struct str bytes, int *w, int *h)
{
	const unsigned char *p = (const unsigned char *)bytes.p;
	struct jpeg_header jpeg;

	if (bytes.n < 24)
		return false;
	if (memcmp(p, "\x89PNG\r\n\x1a\n", 8) == 0) {
		*w = (int)(read_be16(p + 16) << 16 | read_be16(p + 18));
		*h = (int)(read_be16(p + 20) << 16 | read_be16(p + 22));
		return *w > 0 && *h > 0;
	}
	if (memcmp(p, "GIF8", 4) == 0) {
		*w = (int)read_le16(p + 6);
		*h = (int)read_le16(p + 8);
		return true;
	}
	if (jpeg_look(bytes, &jpeg)) {
		/* Width and height as browsers show it. */
		*w = jpeg.turn >= 5 ? jpeg.height : jpeg.width;
		*h = jpeg.turn >= 5 ? jpeg.width : jpeg.height;
		return true;
	}
	return memcmp(p, "RIFF", 4) == 0 && memcmp(p + 8, "WEBP", 4) == 0 &&
	    webp_size(p, bytes.n, w, h);
}
