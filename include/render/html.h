/*
 * HTML that is escaped by construction (WHATWG HTML, section 13.1).
 *
 * Names of elements and attributes are literals of the program. Everything else is written by
 * h_text, h_attr or h_url, which escape it. So no text of an author, a visitor or a client can
 * become markup. Only h_raw writes bytes unchanged: HTML that the server made, such as formulas.
 */
#ifndef OCTAVO_HTML_H
#define OCTAVO_HTML_H

#include <stdbool.h>

#include "base/buf.h"

enum { HTML_DEPTH = 600 };

struct html {
	struct buf *out;
	bool        open;                 /* a start tag is open and still takes attributes */
	unsigned    depth;
	const char *stack[HTML_DEPTH];    /* names of the open elements */
};

void h_init(struct html *h, struct buf *out);

/* A start tag; attributes may follow. Void elements have no end. */
void h_open(struct html *h, const char *name);
void h_void(struct html *h, const char *name);
/*
 * Opens an element with attributes: pairs of name and value up to a NULL name. A NULL value leaves
 * its attribute out.
 */
void h_el(struct html *h, const char *name, ...) __attribute__((sentinel));
/* A void element with attributes. */
void h_one(struct html *h, const char *name, ...) __attribute__((sentinel));
/* Closes the innermost element. */
void h_close(struct html *h);
/* Closes elements until `depth` are open. */
void h_close_to(struct html *h, unsigned depth);

/* Adds an attribute to the open start tag; a NULL value adds nothing. */
void h_attr(struct html *h, const char *name, const char *value);
/* Adds an attribute without a value. */
void h_flag(struct html *h, const char *name);
/*
 * Adds an attribute that contains an address: http, https, mailto, tel, or an address without a
 * scheme. Any other scheme, which a browser might execute, is not written, and the result is false.
 */
bool h_url(struct html *h, const char *name, const char *url);
/* True if h_url() would write the address. */
bool h_url_safe(const char *url);

void h_text(struct html *h, const char *s);
void h_textn(struct html *h, struct str s);
/* Writes HTML that this program made, without escaping it. */
void h_raw(struct html *h, struct str s);
/* Writes JSON into a script element. It is escaped, so that no text in it ends the element. */
void h_json(struct html *h, struct str json);

/* An element that contains only text. */
void h_leaf(struct html *h, const char *name, const char *class, const char *text);

/* The words of a piece of HTML, without markup and with character references decoded. For tests and feeds. */
struct str h_words(struct arena *a, struct str html);

#endif
