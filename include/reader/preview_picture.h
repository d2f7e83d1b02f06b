/*
 * Pictures of pages, which other services show beside links to them (Open Graph, og:image):
 * the site's name, where the page stands, its title, what it is about.
 *
 * octavo-picture draws them (cgi/picture.c), since Cairo and Pango would cost each worker its
 * start. It reads PICTURE_LINES lines from its input and prints a PNG in base64, in lines that
 * a child's pipe takes (base/child.h).
 */
#ifndef OCTAVO_PREVIEW_PICTURE_H
#define OCTAVO_PREVIEW_PICTURE_H

enum {
	PICTURE_WIDTH = 1200,    /* pixels: what services ask for */
	PICTURE_HEIGHT = 630,
	PICTURE_MAX = 1 << 20,   /* bytes of a PNG; one of text has some 30 kB */
	PICTURE_LINE = 2000,     /* bytes of a line, with its line feed */
	PICTURE_BASE64 = 3000    /* characters of a line of the answer */
};

/* The lines, in this order. An empty one says nothing. */
enum {
	PICTURE_LANGUAGE,        /* tag of RFC 5646: which glyphs Han characters have */
	PICTURE_DIRECTION,       /* "rtl" or "ltr" */
	PICTURE_COLOR,           /* "#rrggbb" */
	PICTURE_SITE,
	PICTURE_PLACE,           /* titles of what the page is in */
	PICTURE_TITLE,
	PICTURE_ABOUT,
	PICTURE_LINES
};

#endif
