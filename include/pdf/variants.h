/*
 * Makes smaller WebP versions of a PNG or JPEG (store/variants.h). The decoder and the encoder run in a
 * child process with limits of time and memory, so that a hostile picture costs only its own variants.
 */
#ifndef OCTAVO_PDF_VARIANTS_H
#define OCTAVO_PDF_VARIANTS_H

#include <stdbool.h>

#include "base/str.h"

enum {
	PICTURE_VARIANTS = 6,         /* at most this many of one picture */
	PICTURE_LEAST = 40 << 10,     /* bytes: smaller pictures get no variants */
	PICTURE_MOST = 32 << 20       /* bytes: nor do larger ones */
};

struct picture_variant {
	int        width;       /* pixels, as browsers show it */
	struct str bytes;       /* a WebP */
};

/*
 * Calls back for each variant, the narrowest first; the bytes are valid only during the call.
 * Returns the number of variants: 0 for a picture that is small, animated, damaged, refused, or of
 * another kind.
 */
size_t picture_variants(struct str picture, void (*give)(void *ctx, const struct picture_variant *), void *ctx);

#endif
