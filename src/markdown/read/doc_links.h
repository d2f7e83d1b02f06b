/*
 * Shared by the files that find the links of a body. doc_links.c scans the body for places that may be
 * link targets, and finds out which of them are; doc_link_match.c helps it by comparing the places with
 * the lookups of a parse. Tokens are explained in doc_links.c.
 */
#ifndef OCTAVO_DOC_LINKS_H
#define OCTAVO_DOC_LINKS_H

#include "../doc_parse.h"

/*
 * A place that may be a link target: the bytes of the body from `from` to `to`, without quotes. use is
 * that of the first lookup, and valid only if looked_up is set.
 */
struct place {
	size_t             from, to;
	enum doc_place     how;
	enum lookup_by     by;        /* syntax by which the parse looks it up */
	bool               looked_up; /* the place is a target */
	enum doc_use       use;
	struct str         spelling;  /* decoded; p NULL: not decoded yet */
};

/* places are sorted by from and never overlap. A place's index is the number in its token. */
struct finder {
	struct arena    *a;
	struct str       body;
	struct place    *places;
	size_t           count, room;
	const char      *token;      /* prefix of all tokens */
	size_t           token_n;
	size_t           close;      /* offset of the next "%}", once it was searched */
	struct doc_link *unplaced, **unplaced_end;  /* lookups without a place */
};

/* Adds a lookup that has no place. */
void finder_add_unplaced(struct finder *f, struct str spelling, enum doc_use use);
/* The spelling of a place, decoded as lookups get it. */
struct str place_spelling(const struct finder *f, const struct place *p);
/*
 * Sets looked_up and use of the places that are targets, from the lookups of the document's parse.
 * False if the result is uncertain; then only the spellings of the places were set.
 */
bool match_lookups(struct finder *f, const struct doc *d);

#endif
