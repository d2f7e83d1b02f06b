/*
 * Shared by the files that find a body's links: doc_links.c scans and lists, doc_asked.c matches.
 */
#ifndef OCTAVO_DOC_LINKS_H
#define OCTAVO_DOC_LINKS_H

#include "../doc_parse.h"

/*
 * from and to are a byte range without quotes. use is set by the first question, and is meaningless
 * before `asked`.
 */
struct place {
	size_t             from, to;
	enum doc_place     how;
	enum ask_by        by;        /* kind of question that can concern it */
	bool               asked;
	enum doc_use       use;
	struct str         spelling;  /* decoded; p NULL: not yet */
};

/* places are sorted by from and never overlap. A place's index is the number in its token. */
struct finder {
	struct arena    *a;
	struct str       body;
	struct place    *places;
	size_t           count, room;
	const char      *token;      /* prefix of all tokens */
	size_t           token_n;
	size_t           close;      /* position of the next "%}" found */
	struct doc_link *loose, **loose_end;  /* questions without a place */
};

/* Adds a question that has no place. */
void finder_loose(struct finder *f, struct str spelling, enum doc_use use);
/* Spelling of a place in the form of lookups. */
struct str place_spelling(const struct finder *f, const struct place *p);
/*
 * Derives from the document's questions which places are targets. False if that is impossible; then
 * only the places' spellings were set.
 */
bool links_told(struct finder *f, const struct doc *d);

#endif
