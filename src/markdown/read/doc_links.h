/* What the files that find the links of a body share: doc_links.c scans and lists, doc_asked.c matches. */
#ifndef OCTAVO_DOC_LINKS_H
#define OCTAVO_DOC_LINKS_H

#include "../doc_parse.h"

/*
 * from and to are a byte range in the body, quotes not included. use is set by the first
 * question about the place and means nothing before asked.
 */
struct place {
	size_t             from, to;
	enum doc_place     how;
	enum ask_by        by;        /* what could ask about it */
	bool               asked;
	enum doc_use       use;
	struct str         spelling;  /* decoded; p NULL: not done yet */
};

/*
 * places rise by from and never overlap: the scan goes on behind each one that it adds. The
 * number of a place is the number in its token.
 */
struct finder {
	struct arena    *a;
	struct str       body;
	struct place    *places;
	size_t           count, room;
	const char      *token;      /* what every token begins with */
	size_t           token_n;
	size_t           close;      /* where the next "%}" stands, as far as is known */
	struct doc_link *loose, **loose_end;  /* asked about, place unknown */
};

/* What was asked about and has no place. */
void finder_loose(struct finder *f, struct str spelling, enum doc_use use);
/* The spelling of a place as lookups want it. */
struct str place_spelling(const struct finder *f, const struct place *p);
/*
 * Tells by what the parse of the document asked about which places are targets. False: it cannot be told,
 * and nothing was changed but the spellings of places.
 */
bool links_told(struct finder *f, const struct doc *d);

#endif
