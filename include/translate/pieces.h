/*
 * Divides a text into pieces: those that an engine translates, and those that are not sent because
 * an engine would damage them. The latter are blanks at the ends, placeholders ({{name}}, ${HOME},
 * %s, --flag, snake_case, addresses), and terms of the glossary, which are replaced by the terms of
 * the other language.
 */
#ifndef OCTAVO_PIECES_H
#define OCTAVO_PIECES_H

#include "base/arena.h"
#include "base/str.h"

/* Terms; NULL: none. The cost of a look-up does not depend on their number. */
struct glossary;

struct piece {
	struct piece *next;
	struct str    text;      /* if send: one line without blanks at its ends; otherwise the text to put into the translation */
	bool          send;      /* the engine translates it */
};

/*
 * Adds a term, which is found in any case; its bytes must stay valid. False: the term exists
 * already and is unchanged.
 */
bool glossary_add(struct arena *a, struct glossary **g, struct str from, struct str to);

/* Divides the text into its pieces, in order. NULL: the text is empty. */
struct piece *pieces_cut(struct arena *a, const struct glossary *g, struct str text);

/* True if the text has a letter; otherwise there is nothing to translate. */
bool has_letters(struct str s);

#endif
