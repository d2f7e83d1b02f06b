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

struct glossary {
	struct glossary *next;       /* longest terms first */
	struct str       from, to;   /* as they are spelled; case counts for none of them */
	uint32_t         first;      /* code point that from begins with, in lower case: most terms differ in it */
};

struct piece {
	struct piece *next;
	struct str    text;      /* to be translated: one line, no blanks at its ends; else what stands there */
	bool          send;
};

/* Adds a term in its place. */
void glossary_add(struct arena *a, struct glossary **g, struct str from, struct str to);

struct piece *pieces_cut(struct arena *a, const struct glossary *g, struct str text);

/* Has the text a letter? Only then there is something to translate. */
bool has_letters(struct str s);

#endif
