/* What cmark-gfm and gumbo would need more than linear time for (doc_cost.c). */
#ifndef OCTAVO_DOC_COST_H
#define OCTAVO_DOC_COST_H

#include "base/str.h"

/*
 * Why that text is not given to the library, as the end of a sentence that begins
 * with "the document"; NULL: it takes time linear in its bytes. Static texts; a
 * function of the bytes alone, in linear time itself.
 */
const char *cost_of_markdown(struct str text);   /* for cmark-gfm */
const char *cost_of_html(struct str html);       /* for gumbo */

#endif
