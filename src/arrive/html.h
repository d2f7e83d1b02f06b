/*
 * Pages that are HTML: a document tree (gumbo) becomes Markdown. Each block is first written as one line of plain HTML
 * with the attributes that documents have, hints as the service writes them into tables (layout/rules.md), and then
 * read and written by the room markdown, which knows HTML: so there is one way to Markdown. Styles, scripts and classes
 * are left out.
 */
#ifndef OCTAVO_ARRIVE_HTML_H
#define OCTAVO_ARRIVE_HTML_H

#include <gumbo.h>

#include "arrival.h"

struct html;

enum html_way {
	HTML_PLAIN,     /* by the general rules */
	HTML_INSIDE,    /* what is in it, without the element itself */
	HTML_NOTHING,   /* left out */
	HTML_WRITTEN    /* the callback has written it */
};

struct html_rules {
	/* Called for each element before the general rules; NULL: only these. */
	enum html_way (*element)(void *ctx, struct html *h, const GumboNode *n);
	/* The target of a link (href) or picture (src) as the page's Markdown spells it; NULL: as it is. */
	struct str    (*target)(void *ctx, struct html *h, struct str spelling);
	/* True if an id is named by a link: others are left out, since some programs give every block one. */
	bool          (*id)(void *ctx, struct str id);
	void           *ctx;
};

struct html {
	struct arena            *arena;
	const struct html_rules *rules;
	struct buf               out;       /* the block under way */
	bool                     verbatim;  /* in <pre>: line feeds count */
	unsigned                 depth;
};

/* Appends the content of a node (NULL: nothing) as lines of Markdown. at: the number of lines without their own; 0: use theirs; SIZE_MAX: they have none. */
void html_convert(struct text *out, const GumboNode *n, const struct html_rules *rules, size_t at);
/* The same for a text of HTML. */
void html_text_convert(struct text *out, struct str html, const struct html_rules *rules, size_t at);

/* Adds the fragments that links of a text name, for rules.id. */
void html_note_fragments(struct map *m, struct str html);

/* For rules. */
const char *html_attribute(const GumboNode *n, const char *name);   /* NULL: none */
bool html_tag_is(const GumboNode *n, GumboTag tag);
bool html_has_class(const GumboNode *n, const char *name);
/* The first element below with this class or id; NULL: none. */
const GumboNode *html_find_class(const GumboNode *n, const char *name);
const GumboNode *html_find_id(const GumboNode *n, const char *id);
const GumboNode *html_find_tag(const GumboNode *n, GumboTag tag);
/* All text, blanks as they are. */
struct str html_words(struct arena *a, const GumboNode *n);
void html_put_text(struct html *h, struct str s);
void html_put_children(struct html *h, const GumboNode *n);
void html_put_hint(struct html *h, const char *style, const char *title, const GumboNode *content);
void html_put_code(struct html *h, const char *language, const char *title, struct str code);
void html_put_details(struct html *h, struct str title, const GumboNode *content);
/* Parses in the arena, which must outlive the tree; freed with the arena. */
GumboOutput *html_tree(struct arena *a, struct str s);

#endif
