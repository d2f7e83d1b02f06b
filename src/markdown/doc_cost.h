/* Recognises texts for which cmark-gfm and gumbo would need more than linear time (doc_cost.c). */
#ifndef OCTAVO_DOC_COST_H
#define OCTAVO_DOC_COST_H

#include "base/str.h"

/*
 * Why the text must not be given to the library, as the end of a sentence that begins with "the
 * document"; NULL: the library takes linear time for it. The result is a static text and depends
 * only on the bytes. Takes linear time itself.
 */
const char *cost_of_markdown(struct str text);   /* for cmark-gfm */
const char *cost_of_html(struct str html);       /* for gumbo */

#endif
