/*
 * Renders documents (markdown/document_tree.h: the JSON of pages) as HTML.
 *
 * Whatever a document contains, the output is well-formed, and no text of it becomes markup
 * (html.h). Of blocks and inlines of an unknown type only the content is rendered, as in the
 * open-source renderer. Pages need no script: tabs are radio buttons, expandables are <details>,
 * notes are at the end.
 *
 * Heading levels: heading-1 is an <h2>, since the title of the page is the <h1>. No level is
 * skipped (WCAG technique G141): a heading that would skip one gets the next level, with the class
 * of its own. Headings of the same level in the document stay on the same level in the page.
 */
#ifndef OCTAVO_RENDER_H
#define OCTAVO_RENDER_H

#include "render/html.h"
#include "render/interface_texts.h"

struct cJSON;

/* The target of a ContentRef. */
struct render_link {
	const char *href;         /* address; NULL: the link is broken */
	const char *title;        /* of the target; NULL: unknown */
	const char *about;        /* description; NULL: none */
	const char *emoji;        /* UTF-8; NULL: none */
	bool        external;     /* on another site */
	int64_t     bytes;        /* of a file; -1: not known */
	int         width, height;/* of an image in a file; 0: not known */
	const char *variants;     /* smaller versions of the image, as WebP: the value of srcset; NULL: none */
};

/* An entry of the outline. */
struct render_heading {
	const char *anchor, *text;
	int         level;        /* 1 or 2 */
};

struct render_env {
	/* Finds the target of a reference; false: it is broken. */
	bool (*link)(void *ctx, const struct cJSON *ref, struct render_link *out);
	/*
	 * Highlights code: HTML with classes, line by line as in the source; p NULL: write it as
	 * plain text. May be NULL.
	 */
	struct str (*code)(void *ctx, const char *syntax, struct str source);
	/* Typesets a formula as MathML; p NULL: write its source. May be NULL. */
	struct str (*math)(void *ctx, const char *formula, bool display);
	/*
	 * Parses Markdown (of a description in a specification) as a document; NULL: write it as
	 * plain text. May be NULL.
	 */
	const struct cJSON *(*markdown)(void *ctx, const char *text);
	/*
	 * The address of a page that shows one schema of a specification; NULL: there is none. The
	 * callback may be NULL.
	 */
	const char *(*schema)(void *ctx, const char *spec, const char *name);
	void                *ctx;
	enum text_language   language;
	/* HTML that draws the icon with this name; p NULL: unknown. NULL: no icons are drawn. */
	struct str (*icon)(void *ctx, const char *name);
	bool                 blank;      /* links to other sites open a new window */
	const char          *search;     /* address of the search page, for buttons that search */
	const char          *page;       /* address of this page, for links to its own headings; NULL: these links are relative */
	bool                 tries;      /* operations contain the data that a browser needs to send their requests */
	/*
	 * The renderer calls it with the HTML of each block of the top level, and once, with a node
	 * of NULL, with that of the notes at the end. May be NULL.
	 */
	void (*block)(void *ctx, const struct cJSON *node, struct str html);
	bool                 lines;      /* each line of code has the id "line-KEY" */
	const char          *ids;        /* prefix of ids that the renderer makes, if several documents are on one page; NULL: none */
	const char          *diagrams;   /* address of a frame that draws a diagram from its fragment; NULL: only their source is shown */
	const char          *frames;     /* hosts whose pages may be shown in frames, separated by blanks; "": none */
};

struct rendering {
	struct render_heading *outline;
	size_t                 outline_count;
	bool                   wide;         /* a top-level block needs the full width */
	bool                   tries;        /* the document contains requests that a browser can send */
	bool                   updates;      /* it contains updates, so there is a feed */
	const char            *first;        /* the first paragraph as text; NULL: there is none */
	const char            *image;        /* address of the first image; NULL: there is none */
};

/* Writes the blocks of a document to out. The result is in the arena. */
void render_document(struct arena *a, struct buf *out, const struct cJSON *document,
    const struct render_env *env, struct rendering *r);

/* The characters of an emoji from its code, "1f600-200d-…"; NULL: the code is invalid. */
const char *render_emoji(struct arena *a, const char *code);

/* The plain text of any node of a document. */
const char *render_plain(struct arena *a, const struct cJSON *node);

#endif
