/*
 * What is read of the bytes of images. Decoders run in children (base/child.h), with
 * bounded time and memory: one that crashes or hangs costs a picture, not the document.
 */
#ifndef OCTAVO_PDF_DECODE_H
#define OCTAVO_PDF_DECODE_H

#include <cairo.h>
#include <stdbool.h>

#include "base/str.h"

struct image_size {
	double width, height;   /* pixels; of a drawing, at 96 an inch */
	bool   svg;             /* a drawing */
	int    turn;            /* of a JPEG: its pixels have to be turned to be shown (base/jpeg.h); 0, 1: they are not */
};

/* False: damaged, larger than 64 million pixels or 8 MiB of SVG, or of an unknown kind. */
bool image_look(struct str bytes, struct image_size *out);

/*
 * The pixels, as they are stored, of an image that image_look() knows, no wider than `most`; where it is wider
 * it is made most x high. Cairo's, to be destroyed by the caller; NULL: damaged.
 */
cairo_surface_t *image_pixels(struct str bytes, const struct image_size *size, int most, int high);

/* Draws an SVG into the box; false: damaged. A child has drawn it before, else nothing is drawn here. */
bool image_draw(struct str bytes, cairo_t *cr, double x, double y, double w, double h);

#endif
