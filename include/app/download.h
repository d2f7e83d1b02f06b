/*
 * Signed addresses of files, and what browsers may do with them. The API writes the addresses, and
 * octavo-site serves them.
 *
 *   /~files/<space>/<hash>/<day>/<signature>/<name>
 *
 * hash: BLAKE2b-256 of the bytes, hex. day: days since 1970 when the address was made; it is valid
 * on that day and the next. The signature covers all other parts.
 *
 * An address may be for one reader only: day is then "<day>~<reader>", and the serving program
 * checks whether that reader may have the file now (audience/site_token.h).
 */
#ifndef OCTAVO_DOWNLOAD_H
#define OCTAVO_DOWNLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/* reader: a text that names who may use it; NULL: everybody with the address. */
char *download_url(struct arena *a, const struct settings *set, const char *space, struct str hash,
    const char *name, const char *reader, int64_t now);

struct download {
	const char *space;
	struct str  hash;      /* bytes */
	const char *name;      /* decoded */
	const char *reader;    /* NULL: no particular reader */
};
/*
 * Reads the decoded segments after /~files/; false if the signature is wrong or the address has
 * expired.
 */
bool download_read(struct arena *a, const char *const segment[5], int64_t now,
    struct download *out);

/* Media type by the name's ending; application/octet-stream if the ending is unknown. */
const char *mime_type(const char *name);

/*
 * The media type that a file of that name is sent with: mime_type(), but application/octet-stream
 * for types that a page of ours could run as a script or style, which are allowed from its own
 * host.
 */
const char *mime_served(const char *name);

/*
 * True for types that a browser may show in place: images except SVG, sound, video, PDF, plain
 * text.
 */
bool mime_inline(const char *type);

/*
 * Reads the width and height of a PNG, GIF, JPEG (after its rotation) or WebP. False if the bytes
 * are no such image, or damaged.
 */
bool image_size(struct str bytes, int *width, int *height);

#endif
