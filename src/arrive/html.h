/*
 * Converts HTML pages to Markdown, from a tree of gumbo. Each block is first written as one line of
 * plain HTML, with the attributes that our documents have, and hints in the form that the published
 * service writes in tables (layout/rules.md). The markdown room, which reads HTML, then parses this
 * line and writes it as Markdown. Styles, scripts and classes are left out.
 */
#ifndef OCTAVO_ARRIVE_HTML_H
#define OCTAVO_ARRIVE_HTML_H

#include <gumbo.h>

#include "arrival.h"

struct html;

enum html_way {
	HTML_PLAIN,     /* convert by the general rules */
	HTML_INSIDE,    /* convert the content of the element only */
	HTML_NOTHING,   /* leave the element out */
	HTML_WRITTEN    /* the callback has written the element */
};

struct html_rules {
	/* It is called for each element before the general rules. NULL: there are only the general rules. */
	enum html_way (*element)(void *ctx, struct html *h, const GumboNode *n);
	/*
	 * Returns the target of a link (href) or picture (src), as it should be spelled in the
	 * page's Markdown. NULL: it is not changed.
	 */
	struct str    (*target)(void *ctx, struct html *h, struct str spelling);
	/*
	 * True if a link names the id. Other ids are left out, because some programs give an id to
	 * each block.
	 */
	bool          (*id)(void *ctx, struct str id);
	void           *ctx;
	/* The import: it receives warnings about omitted elements, and contains the limits. */
	struct arrival *t;
	struct str      file;
};

struct html {
	struct arena            *arena;
	const struct html_rules *rules;
	struct arena            *block;     /* memory for a block; reset after each */
	struct buf               out;       /* the block that is being written */
	bool                     numbered;  /* the lines of the HTML are those of a file */
	bool                     verbatim;  /* inside <pre>, where line feeds are kept */
	unsigned                 depth;
	struct map              *first_rows; /* of tables, found so far (struct first_row); NULL: none yet */
};

/*
 * Appends the content of a node (NULL: nothing) as lines of Markdown. at: line number for lines
 * without one; 0: use the line numbers of the HTML; SIZE_MAX: the lines have no number.
 */
void html_convert(struct text *out, const GumboNode *n, const struct html_rules *rules, size_t at);
/* The same for HTML as text. Warnings name rules->file as its source. */
void html_text_convert(struct text *out, struct str html, const struct html_rules *rules, size_t at);

/* Adds the fragments that links of a text name, for the callback `id`; they are copied into the arena. */
void html_note_fragments(struct map *m, struct arena *a, struct str html);

/* For callbacks of html_rules. */
const char *html_attribute(const GumboNode *n, const char *name);   /* NULL: none */
bool html_tag_is(const GumboNode *n, GumboTag tag);
bool html_has_class(const GumboNode *n, const char *name);
/* The first element below the node with this class or id; NULL: none. */
const GumboNode *html_find_class(const GumboNode *n, const char *name);
const GumboNode *html_find_id(const GumboNode *n, const char *id);
const GumboNode *html_find_tag(const GumboNode *n, GumboTag tag);
/* All text of a node, with its white space unchanged. */
struct str html_words(struct arena *a, const GumboNode *n);
/* The beginning of that text, without white space around it, for a title; n 0: there is none. Ends with a NUL. */
struct str html_short(struct arena *a, const GumboNode *n);
void html_put_text(struct html *h, struct str s);
void html_put_children(struct html *h, const GumboNode *n);
/* content NULL: the caller writes it, and then html_end_hint(). */
void html_put_hint(struct html *h, const char *style, const char *title, const GumboNode *content);
void html_end_hint(struct html *h);
void html_put_code(struct html *h, const char *language, const char *title, struct str code);
void html_put_details(struct html *h, struct str title, const GumboNode *content);
/*
 * Parses HTML. The tree is freed with the arena, and points into the text. NULL, with a warning, if
 * this would take too long or too much memory.
 */
const GumboNode *html_tree(struct arrival *t, struct arena *a, struct str s, struct str file);

#endif
