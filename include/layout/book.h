/*
 * Fills variables of a legacy book.json into texts: {{ book.NAME }} (layout 2.6), and {{
 * config.NAME }} for any other member of that file.
 *
 * Honkit, and the published service in its first years, fill variables in before a text is read as
 * Markdown: in titles, links, code, frontmatter and the table of contents alike, but not between {%
 * raw %} and {% endraw %}, two tags that are not shown. An import does the same with the bytes that
 * it reads, so a space contains the values. An export fills the variables into the existing file in
 * the same way before it edits it; lines that do not change then get their variables back. Pure
 * functions.
 */
#ifndef OCTAVO_BOOK_H
#define OCTAVO_BOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct book;

/* The values in a book.json, in the arena. NULL: the bytes are no JSON object. */
struct book *book_parse(struct arena *a, struct str bytes);

/* True if the file has at least one variable. */
bool book_has_variables(const struct book *b);

/*
 * Returns the text with the values filled in; the same bytes if the text has no variables or b is
 * NULL. unknown() is called once for each spelling that stays as it is: a name that book.json does
 * not have, or an expression that is more than a name. If the result would be longer than `most`,
 * the text is not changed at all, and unknown() gets "" and line 0. unknown may be NULL.
 */
struct str book_fill(struct arena *a, const struct book *b, struct str text, size_t most,
    void (*unknown)(void *ctx, size_t line, const char *text), void *ctx);

#endif
