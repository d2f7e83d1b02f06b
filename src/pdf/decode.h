/*
 * Reads images. The decoders run in child processes (base/child.h) with limits for time and memory:
 * if one crashes or hangs, a picture is missing, but the document is printed.
 */
#ifndef OCTAVO_PDF_DECODE_H
#define OCTAVO_PDF_DECODE_H

#include <cairo.h>
#include <stdbool.h>

#include "base/str.h"

struct image_size {
	double width, height;   /* pixels; for SVG, at 96 per inch */
	bool   svg;             /* SVG is drawn as vectors */
	int    turn;            /* JPEG only: Exif orientation to apply to the pixels (base/jpeg.h); 0, 1: none */
};

/*
 * Reads the size of an image. False: damaged, more than 64 million pixels, more than 8 MiB of SVG,
 * or of an unknown kind.
 */
bool image_look(struct str bytes, struct image_size *out);

/*
 * Decodes an image whose size image_look() has read; `turn` is not applied. If it is wider than
 * `most` pixels, it is scaled to most x high. The caller destroys the surface. NULL: damaged.
 */
cairo_surface_t *image_pixels(struct str bytes, const struct image_size *size, int most, int high);

/*
 * Draws an SVG into the box. A child draws it first, and only if that succeeds it is drawn here.
 * False: damaged.
 */
bool image_draw(struct str bytes, cairo_t *cr, double x, double y, double w, double h);

#endif
