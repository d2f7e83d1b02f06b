/*
 * The texts of a page's body that a reader reads: paragraphs, headings, list items,
 * cells, captions, titles of tabs and columns, labels of buttons. Code, formulas,
 * targets of links, expressions and raw HTML are none. A run of text with equal marks
 * is one text; the text of a link is its own.
 *
 * When texts are put back, everything else stays: blocks without texts keep their bytes,
 * headings keep the anchor that they had (it is written out where the new text would
 * make another), and the result is parsed again and must have the same structure with
 * exactly the new texts. A top-level block for which that does not hold is kept as it
 * was.
 */
#ifndef OCTAVO_BODY_TEXTS_H
#define OCTAVO_BODY_TEXTS_H

#include "base/arena.h"
#include "base/str.h"

struct texts {
	struct arena *arena;
	struct str    body;
	struct doc   *doc;
	struct text_place {
		struct str  *leaf;       /* text of a leaf; otherwise */
		const char **attr;       /* an attribute, a column's title or an option's label */
		size_t       block;      /* index of its top-level node, from 0 */
	}            *places;
	size_t        n, room;
};

/* Parses the body and sets t->n to the number of texts. */
void texts_read(struct texts *t, struct arena *a, struct str body);

struct str texts_get(const struct texts *t, size_t i);
void texts_set(struct texts *t, size_t i, struct str text);

/*
 * Returns the body with the new texts. failed is called for each top-level block that keeps its old
 * text, with its first words, and with "the whole page" if too many blocks, or none that can be
 * named, prevent a correct result; it may be NULL.
 */
struct str texts_write(struct texts *t, void (*failed)(void *ctx, const char *words), void *ctx);

#endif
