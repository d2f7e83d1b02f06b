/* Texts for which cmark-gfm and gumbo would need more than linear time (doc_cost.c). */
#ifndef OCTAVO_DOC_COST_H
#define OCTAVO_DOC_COST_H

#include "base/str.h"

/*
 * Reason not to give the text to the library, continuing "the document"; NULL: its time is linear.
 * Static texts; depends on the bytes alone, in linear time.
 */
const char *cost_of_markdown(struct str text);   /* for cmark-gfm */
const char *cost_of_html(struct str html);       /* for gumbo */

#endif
