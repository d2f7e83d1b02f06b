/* What stands before the pages of a document, and what is gathered of them for it. */
#ifndef OCTAVO_PDF_FRONT_H
#define OCTAVO_PDF_FRONT_H

#include "paper.h"

/* What the first pass found of each page. */
struct found {
	const struct pdf_page *page;
	struct dest           *dest;
	struct heading        *headings;
};

void front_cover(struct paper *p);
/* The table of contents; in the first pass its sheets are only counted. */
void front_contents(struct paper *p, const struct found *list, size_t n);
void front_bookmarks(struct paper *p, cairo_surface_t *surface, const struct found *list, size_t n);

#endif
