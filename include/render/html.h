/*
 * HTML that is escaped by construction (WHATWG HTML, section 13.1).
 *
 * Names of elements and attributes are literals of the program. Everything else
 * comes in through h_text, h_attr or h_url, which escape it, so that no
 * text of an author, a visitor or a client can become markup. Bytes that are HTML
 * already (formulas set by the server) take the one explicit way, h_raw.
 */
#ifndef OCTAVO_HTML_H
#define OCTAVO_HTML_H

#include <stdbool.h>

#include "base/buf.h"

enum { HTML_DEPTH = 600 };

struct html {
	struct buf *out;
	bool        open;                 /* a start tag still takes attributes */
	unsigned    depth;
	const char *stack[HTML_DEPTH];    /* names of the open elements */
};

void h_init(struct html *h, struct buf *out);

/* A start tag; attributes may follow. Void elements have no end. */
void h_open(struct html *h, const char *name);
void h_void(struct html *h, const char *name);
/* The same with attributes: pairs of name and value up to a NULL name; a NULL value leaves its attribute out. */
void h_el(struct html *h, const char *name, ...) __attribute__((sentinel));
/* A void element, likewise. */
void h_one(struct html *h, const char *name, ...) __attribute__((sentinel));
/* Closes the innermost element. */
void h_close(struct html *h);
/* Closes elements until so many are open. */
void h_close_to(struct html *h, unsigned depth);

/* An attribute of the tag that is open; NULL writes nothing. */
void h_attr(struct html *h, const char *name, const char *value);
/* One without a value. */
void h_flag(struct html *h, const char *name);
/*
 * An attribute that holds an address. Only http, https, mailto, tel and addresses
 * without a scheme are written: what a browser would run is left out, and false.
 */
bool h_url(struct html *h, const char *name, const char *url);
/* True if the address is allowed in a page. The rule of h_url. */
bool h_url_safe(const char *url);

void h_text(struct html *h, const char *s);
void h_textn(struct html *h, struct str s);
/* HTML that this program made. */
void h_raw(struct html *h, struct str s);

/* An element with nothing but text. */
void h_leaf(struct html *h, const char *name, const char *class, const char *text);

/* The words of a piece of HTML, markup taken out and references undone: for tests and feeds. */
struct str h_words(struct arena *a, struct str html);

#endif
