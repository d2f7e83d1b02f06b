/* Cover, table of contents and bookmarks of a document. */
#ifndef OCTAVO_PDF_FRONT_H
#define OCTAVO_PDF_FRONT_H

#include "paper.h"

/* A page and its bookmarks, collected in the first pass. */
struct printed_page {
	const struct pdf_page *page;
	struct dest           *dest;
	struct heading        *headings;
};

void front_cover(struct paper *p);
/* The table of contents. The first pass only counts its sheets. */
void front_contents(struct paper *p, const struct printed_page *list, size_t n);
void front_bookmarks(struct paper *p, cairo_surface_t *surface, const struct printed_page *list, size_t n);

#endif
