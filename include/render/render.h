/*
 * Documents (markdown/document_tree.h: the JSON of pages) as HTML.
 *
 * Whatever a document holds, the output is well-formed, and no text of it becomes
 * markup (html.h). Blocks and inlines of unknown types give nothing, as they do in the
 * open-source renderer; what they hold is rendered. It reads and works without script:
 * tabs are radio buttons, what expands is <details>, notes stand at the end.
 *
 * Heading levels: heading-1 is an <h2>, since the title of the page is the <h1>. A level is
 * never left out (WCAG technique G141): a heading that would skip one gets the next, and
 * the class of its own. Siblings of the author are siblings in the page.
 */
#ifndef OCTAVO_RENDER_H
#define OCTAVO_RENDER_H

#include "render/html.h"
#include "render/interface_texts.h"

struct cJSON;

/* Where a ContentRef leads. */
struct render_link {
	const char *href;         /* NULL: nowhere; a broken link */
	const char *title;        /* of the target; NULL: unknown */
	const char *about;        /* description; NULL: none */
	const char *emoji;        /* UTF-8; NULL: none */
	bool        external;     /* on another site */
	int64_t     bytes;        /* of a file; -1: not known */
	int         width, height;/* of an image in a file; 0: not known */
};

/* An entry of the outline. */
struct render_heading {
	const char *anchor, *text;
	int         level;        /* 1 or 2 */
};

struct render_env {
	/* Where a reference leads; false: nowhere. */
	bool (*link)(void *ctx, const struct cJSON *ref, struct render_link *out);
	/* Code as HTML with classes, its lines as in the source; p NULL: as plain text. May be NULL. */
	struct str (*code)(void *ctx, const char *syntax, struct str source);
	/* A formula as MathML; p NULL: as its source. May be NULL. */
	struct str (*math)(void *ctx, const char *formula, bool display);
	/* Markdown (a description in a specification) as a document; NULL: as plain text. May be NULL. */
	const struct cJSON *(*markdown)(void *ctx, const char *text);
	void                *ctx;
	enum text_language   language;
	/* The icon of a name, as HTML that draws it; p NULL: there is none. NULL: icons are left out. */
	struct str (*icon)(void *ctx, const char *name);
	bool                 blank;      /* links to other sites open a window of their own */
	const char          *search;     /* address of the search page, for buttons that search */
	const char          *page;       /* address before the "#" of links to its own headings; NULL: they are relative */
	const char          *frames;     /* hosts whose pages may be embedded, separated by blanks; "": none */
};

struct rendering {
	struct render_heading *outline;
	size_t                 outline_count;
	bool                   wide;         /* a top-level block asks for the full width */
	bool                   updates;      /* it has some: there is a feed of them */
	const char            *first;        /* the first paragraph as text; NULL: there is none */
	const char            *image;        /* address of the first image; NULL: there is none */
};

/* Writes the blocks of a document into out. In the arena. */
void render_document(struct arena *a, struct buf *out, const struct cJSON *document,
    const struct render_env *env, struct rendering *r);

/* "1f600-200d-…" as UTF-8; NULL where it is no such code. */
const char *render_emoji(struct arena *a, const char *code);

/* The plain text of any node of a document. */
const char *render_plain(struct arena *a, const struct cJSON *node);

#endif
