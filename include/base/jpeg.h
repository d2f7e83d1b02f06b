/*
 * Reads the header of a JPEG (ITU T.81, annex B; Exif 2.3, 4.6): its size and orientation. Nothing
 * is decoded; any bytes are accepted.
 */
#ifndef OCTAVO_JPEG_H
#define OCTAVO_JPEG_H

#include <stdbool.h>

#include "base/str.h"

struct jpeg_header {
	int width, height;   /* in pixels, as stored */
	int turn;            /* Exif's orientation, 1 to 8; 1: as stored; from 5 on, width and height are exchanged */
};

/* False: the bytes are no JPEG, or are damaged before the size. */
bool jpeg_look(struct str bytes, struct jpeg_header *out);

#endif
