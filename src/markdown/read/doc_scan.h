/* Finds the tags in HTML source by a lexical scan, without parsing it (doc_scan.c). */
#ifndef OCTAVO_DOC_SCAN_H
#define OCTAVO_DOC_SCAN_H

#include "../doc_parse.h"

#define HTML_NO_MATCH SIZE_MAX

/*
 * A tag, a comment or a dialect tag ({% … %}). The list is in source order; an element whose content
 * is not scanned (such as <script>) is one entry.
 */
struct html_tag {
	size_t          from, to;    /* bytes of the source */
	struct str      name;    /* as typed; n 0 if it is no HTML tag */
	enum html_class class;
	bool            end;
	bool            empty;   /* ends with "/>" */
	size_t          match;   /* index of the matching end or start tag, or HTML_NO_MATCH */
	size_t          dialect_before;    /* number of dialect tags before it, without those in tables and code */
};

/* Lists the tags of a text. */
struct html_tag *html_scan(struct arena *a, struct str s, size_t *count);
/* True for a start tag whose element is complete and contains no dialect tag. */
bool html_is_whole(const struct html_tag *list, size_t k);
/* Searches a word from position i, ignoring case. Returns the position after it; 0: not found. */
size_t html_find_end(struct str s, size_t i, const char *word);
/*
 * Adds the missing quote at the end of a tag's last value: browsers would extend the value to the
 * next quote or the page's end, and lose all words and pictures in between.
 */
struct str html_mend(struct arena *a, struct str s);

#endif
