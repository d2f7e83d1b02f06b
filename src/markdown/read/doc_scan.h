/* Tags in the source of HTML, without a parse (doc_scan.c). */
#ifndef OCTAVO_DOC_SCAN_H
#define OCTAVO_DOC_SCAN_H

#include "../doc_parse.h"

#define HTML_NO_MATCH SIZE_MAX

/* Tags, comments and dialect tags in source order; one entry for all of an opaque element. */
struct html_tag {
	size_t          from, to;
	struct str      name;    /* as typed; n 0 if it is no HTML tag */
	enum html_class class;
	bool            end;
	bool            empty;   /* ends with "/>" */
	size_t          match;   /* index of the matching end or start tag, or HTML_NO_MATCH */
	size_t          cuts;    /* dialect tags before it, except those in tables and code */
};

struct html_tag *html_scan(struct arena *a, struct str s, size_t *count);
/* True for a start tag whose element is complete and contains no dialect tag. */
bool html_whole(const struct html_tag *list, size_t k);
/* Position behind a word (in any case), searched from i on; 0 if absent. */
size_t html_find_end(struct str s, size_t i, const char *word);
/*
 * Adds the missing quote at the end of a tag's last value: browsers would extend the value to the
 * next quote or the page's end, and lose all words and pictures in between.
 */
struct str html_mend(struct arena *a, struct str s);

#endif
