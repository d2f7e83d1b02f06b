/*
 * What the header of a JPEG says (ITU T.81, annex B; Exif 2.3, 4.6): its size, and how the
 * camera was held. Nothing is decoded; any bytes are accepted.
 */
#ifndef OCTAVO_JPEG_H
#define OCTAVO_JPEG_H

#include <stdbool.h>

#include "base/str.h"

struct jpeg_header {
	int width, height;   /* of the pixels, as they are stored */
	int turn;            /* Exif's orientation, 1 to 8; 1: shown as stored; from 5 on width and height change places */
};

/* False: it is none, or damaged before its size is known. */
bool jpeg_look(struct str bytes, struct jpeg_header *out);

#endif
