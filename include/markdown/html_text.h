/*
 * The words of a piece of HTML, without its markup: for what reads mails and
 * messages, where layout does not matter.
 */
#ifndef OCTAVO_HTML_TEXT_H
#define OCTAVO_HTML_TEXT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* Does a text hold elements of HTML, rather than signs that look like some? */
bool html_looks(struct str text);

/*
 * The text, in the arena: a line a block, an empty line between paragraphs.
 * Scripts, styles, preformatted and hidden parts are left out; a line ">" stands for each
 * quotation. Any bytes are accepted; what is nested too deep for the parser loses its tags and no more.
 */
struct str html_text(struct arena *a, struct str html);

#endif
