/* Tags in the source of HTML, without a parse (doc_scan.c). */
#ifndef OCTAVO_DOC_SCAN_H
#define OCTAVO_DOC_SCAN_H

#include "../doc_parse.h"

#define HTML_NO_MATCH SIZE_MAX

/* Tags, comments and tags of the dialect, in the order of the source. Of an opaque element one for all of it. */
struct html_tag {
	size_t          from, to;
	struct str      name;    /* as typed; n 0 for what is no tag of HTML */
	enum html_class class;
	bool            end;
	bool            empty;   /* ends with "/>" */
	size_t          match;   /* index of the tag that ends or begins the element, or HTML_NO_MATCH */
	size_t          cuts;    /* tags of the dialect before it, without those in tables and code */
};

struct html_tag *html_scan(struct arena *a, struct str s, size_t *count);
/* Is it a start tag whose element is all there, without a tag of the dialect in it? */
bool html_whole(const struct html_tag *list, size_t k);
/* Where a word (in any case) ends, searched from i on; 0 if it is not there. */
size_t html_find_end(struct str s, size_t i, const char *word);
/*
 * With a quote where a tag ends whose last value has none: browsers let such a value go on to the next
 * quote or to the end of the page, and all words and pictures in between are gone.
 */
struct str html_mend(struct arena *a, struct str s);

#endif
