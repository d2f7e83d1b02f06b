/*
 * Variables of a legacy book.json in texts: {{ book.NAME }} (layout 2.6), and {{ config.NAME }} for
 * any other member of that file.
 *
 * Honkit and the service's first years fill them in before a text is read as Markdown: in titles, links, code,
 * frontmatter and the table of contents alike, but not between {% raw %} and {% endraw %}, two tags that are not shown. So does
 * an import, with the bytes that it reads; what a space holds are the values. An export fills in
 * the file that is there in the same way before it edits it, and gives lines that stay their
 * variables back. Pure functions.
 */
#ifndef OCTAVO_BOOK_H
#define OCTAVO_BOOK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

struct book;

/* The values in a book.json; NULL: the bytes are no JSON object. It lives in the arena. */
struct book *book_parse(struct arena *a, struct str bytes);

/* Has it any variable? */
bool book_has_variables(const struct book *b);

/*
 * The text with the values in their places; the very bytes where there is none, or where b is NULL. unknown
 * (NULL: nobody) is told of what stays as it is, once for each spelling: a name that book.json lacks, or an
 * expression that is more than a name. A text that would be longer than most stays whole: then it is told "" and
 * line 0.
 */
struct str book_fill(struct arena *a, const struct book *b, struct str text, size_t most,
    void (*unknown)(void *ctx, size_t line, const char *text), void *ctx);

#endif
