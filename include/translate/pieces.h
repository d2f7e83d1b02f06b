/*
 * A text as a row of pieces: those that an engine translates, and those that stay or
 * are settled here, whatever the engine would make of them: blanks around them,
 * placeholders ({{name}}, ${HOME}, %s, --flag, snake_case, addresses), and the terms of
 * the glossary, which become the term of the other language.
 */
#ifndef OCTAVO_PIECES_H
#define OCTAVO_PIECES_H

#include "base/arena.h"
#include "base/str.h"

/* Terms; NULL: none. What looking at a word costs does not depend on how many there are. */
struct glossary;

struct piece {
	struct piece *next;
	struct str    text;      /* to be translated: one line, no blanks at its ends; else what stands there */
	bool          send;
};

/* Adds a term, in whose spelling case does not count; its bytes must stay. False: it is there, and stays as it is. */
bool glossary_add(struct arena *a, struct glossary **g, struct str from, struct str to);

struct piece *pieces_cut(struct arena *a, const struct glossary *g, struct str text);

/* Has the text a letter? Only then there is something to translate. */
bool has_letters(struct str s);

#endif
