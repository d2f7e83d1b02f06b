/*
 * The texts in a page's body that readers see: paragraphs, headings, list items, cells, captions,
 * titles of tabs and columns, labels of buttons. Code, formulas, targets of links, expressions and
 * raw HTML are not included. A run of text with the same marks is one text; the text of a link is a
 * text of its own.
 *
 * When new texts are inserted, everything else stays the same: blocks without texts keep their
 * bytes, and headings keep their anchors (an anchor is written explicitly if the new text would
 * give another one). The result is parsed again, and must have the same structure and exactly the
 * new texts. If a top-level block fails this check, its old text is kept.
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
		struct str  *leaf;       /* the text of a leaf node; NULL: the place is `attr` */
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
 * Returns the body with the new texts. failed (may be NULL) is called for each top-level block that
 * keeps its old text, with its first words. It is called with "the whole page" if too many blocks
 * fail, or if it cannot be determined which ones.
 */
struct str texts_write(struct texts *t, void (*failed)(void *ctx, const char *words), void *ctx);

#endif
