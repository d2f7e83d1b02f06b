/*
 * Addresses of files, and what may be done with them in a browser. Used by the
 * API, which writes the addresses, and by octavo-site, which serves them.
 *
 *   /~files/<space>/<hash>/<day>/<signature>/<name>
 *
 * hash: BLAKE2b-256 of the bytes, hex. day: days since 1970 when the address
 * was made; it holds through the day after. The signature covers all the rest.
 *
 * An address may be for somebody alone: "<day>~<reader>" then, and whoever serves it asks
 * whether that reader may have the file now (audience/site_token.h).
 */
#ifndef OCTAVO_DOWNLOAD_H
#define OCTAVO_DOWNLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/settings.h"
#include "base/str.h"

/* reader: a text that names who may follow it; NULL: whoever has it. */
char *download_url(struct arena *a, const struct settings *set, const char *space, struct str hash,
    const char *name, const char *reader, int64_t now);

struct download {
	const char *space;
	struct str  hash;      /* bytes */
	const char *name;      /* decoded */
	const char *reader;    /* NULL: nobody in particular */
};
/* Reads the decoded segments after /~files/; false if the signature is not ours or its time is over. */
bool download_read(struct arena *a, const char *const segment[5], int64_t now,
    struct download *out);

/* Media type by the name's ending; application/octet-stream if it is not known. */
const char *mime_type(const char *name);

/*
 * What a file of that name is sent as: mime_type(), but application/octet-stream for what a page of ours could
 * run as a script or a style, which are allowed from its own host.
 */
const char *mime_served(const char *name);

/* True for the types that a browser may show in place: images but SVG, sound, video, PDF, plain text. */
bool mime_inline(const char *type);

/* Width and height of a PNG, GIF, JPEG (as it is shown) or WebP; false if it is none of them or damaged. */
bool image_size(struct str bytes, int *width, int *height);

#endif
