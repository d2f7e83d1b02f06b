/*
 * Extracts the words of a piece of HTML, without markup: for mails and messages, where layout does
 * not matter.
 */
#ifndef OCTAVO_HTML_TEXT_H
#define OCTAVO_HTML_TEXT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* True if a text contains HTML elements, and not only "<" and ">" in plain text. */
bool looks_like_html(struct str text);

/*
 * Returns the text, in the arena: one line per block, an empty line between paragraphs. Leaves out
 * scripts, styles, preformatted and hidden parts; writes a line ">" in place of each quotation.
 * Accepts any bytes; where nesting is too deep for the parser, only the tags are removed.
 */
struct str html_text(struct arena *a, struct str html);

#endif
