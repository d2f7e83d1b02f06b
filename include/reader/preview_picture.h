/*
 * Preview pictures of pages, which other services show beside links (Open Graph, og:image). They
 * show the site's name, the titles of the page's ancestors, its title and its description.
 *
 * The program octavo-picture (cgi/picture.c) draws them, since loading Cairo and Pango would make the
 * start of each worker slower. It reads PICTURE_LINES lines from its input and prints a PNG in
 * base64, in lines that are short enough for a child's pipe (base/child.h).
 */
#ifndef OCTAVO_PREVIEW_PICTURE_H
#define OCTAVO_PREVIEW_PICTURE_H

enum {
	PICTURE_WIDTH = 1200,    /* pixels, as other services recommend */
	PICTURE_HEIGHT = 630,
	PICTURE_MAX = 1 << 20,   /* largest PNG in bytes; most have about 30 kB */
	PICTURE_LINE = 2000,     /* bytes of a line, with its line feed */
	PICTURE_BASE64 = 3000    /* characters of a line of the answer */
};

/* The lines of the input, in this order. An empty line: unknown, or not shown. */
enum {
	PICTURE_LANGUAGE,        /* tag of RFC 5646: which glyphs Han characters have */
	PICTURE_DIRECTION,       /* "rtl" or "ltr" */
	PICTURE_COLOR,           /* "#rrggbb" */
	PICTURE_SITE,
	PICTURE_PLACE,           /* titles of the page's ancestors */
	PICTURE_TITLE,
	PICTURE_ABOUT,
	PICTURE_LINES
};

#endif
