/* Reads the segments of a JPEG up to its frame header. Contract: base/jpeg.h. */
#include <string.h>

#include "base/jpeg.h"

enum { ORIENTATION = 0x0112, ENTRY = 12 };

/* The number of n bytes at `at`; 0 if the data end before. */
static unsigned
read_number(struct str s, size_t at, size_t n, bool little)
{
	unsigned v = 0;
	size_t i;

	if (at > s.n || n > s.n - at)
		return 0;
	for (i = 0; i < n; i++)
		v = v << 8 | (unsigned char)s.p[at + (little ? n - 1 - i : i)];
	return v;
}

/* The orientation in the first directory of a TIFF; 1 if there is none. */
static int
tiff_turn(struct str s)
{
	bool little = str_starts(s, "II");
	size_t at = read_number(s, 4, 4, little), count, i;
	unsigned turn;

	if (!little && !str_starts(s, "MM"))
		return 1;
	count = read_number(s, at, 2, little);
	for (i = 0, at += 2; i < count && at + ENTRY <= s.n; i++, at += ENTRY) {
		if (read_number(s, at, 2, little) != ORIENTATION)
			continue;
		turn = read_number(s, at + 8, 2, little);
		return turn >= 1 && turn <= 8 ? (int)turn : 1;
	}
	return 1;
}

/* True for a start of frame: C0 to CF, without tables (C4), JPG (C8) and arithmetic coding (CC). */
static bool
is_frame(unsigned marker)
{
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

bool
jpeg_look(struct str bytes, struct jpeg_header *out)
{
	struct str segment;
	size_t i = 2;

	out->turn = 1;
	if (!str_starts(bytes, "\xFF\xD8"))
		return false;
	/* Follow the lengths of segments; each step goes forward, so the loop ends. */
	while (i + 9 < bytes.n) {
		unsigned marker = read_number(bytes, i, 2, false);
		if (marker < 0xFF00)
			return false;
		/* Any number of FF bytes may precede a marker (B.1.1.2). */
		if (marker == 0xFFFF) {
			i++;
			continue;
		}
		if (is_frame(marker & 0xFF)) {
			out->height = (int)read_number(bytes, i + 5, 2, false);
			out->width = (int)read_number(bytes, i + 7, 2, false);
			return true;
		}
		segment = str_slice(bytes, i + 4, bytes.n);
		if (marker == 0xFFE1 && segment.n > 6 && memcmp(segment.p, "Exif\0\0", 6) == 0)
			out->turn = tiff_turn(str_slice(segment, 6, segment.n));
		i += 2 + read_number(bytes, i + 2, 2, false);
	}
	return false;
}
