/*
 * Writes documents as PDF. The caller lists the pages in reading order, and returns the document
 * JSON of each (markdown/document_tree.h) on request. The result is one PDF file: a cover and a
 * table of contents if there is more than one page, then the pages, each on a new sheet, with
 * bookmarks, links within the document, tags, language and title.
 *
 * Memory: one page's document and one sheet at a time, plus about 12 kB for each sheet until the
 * end (Cairo keeps links and tags). Documents are laid out twice, because the table of contents,
 * which shows sheet numbers, comes before the pages.
 *
 * Time is linear in the length of the text, even with many marks or very long words. A PDF has at
 * most 20,000 sheets; a longer document fails with an error that names the limit. At most 20,000
 * pictures are drawn, counting repeated ones; the space of further ones stays empty, with a
 * warning. progress() is called within long pages, too.
 *
 * Cairo and Pango abort the process if memory runs out, so call this in a process of its own.
 */
#ifndef OCTAVO_PDF_H
#define OCTAVO_PDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct pdf_page {
	struct pdf_page *next;
	const char      *id;
	const char      *title;
	const char      *description;  /* one paragraph; NULL: none */
	const char      *emoji;        /* code points in hexadecimal, joined by "-"; NULL: none */
	int              depth;        /* nesting of pages; 0: top level */
	bool             written;      /* has a document; false: a heading for the pages below it */
	const void      *data;         /* for the caller's functions */
};

struct pdf_file {
	const char *name;
	int64_t     size;              /* bytes */
	struct str  bytes;             /* p NULL: unreadable, or not requested */
};

struct pdf_source {
	const char      *title;        /* of the whole document */
	const char      *owner;        /* on the cover, below the title; NULL: none */
	const char      *language;     /* BCP 47; NULL: unknown */
	int64_t          at;           /* last change of the content, ms since 1970 */
	struct pdf_page *pages;
	bool             letter;       /* US Letter instead of A4 */
	const char      *font;         /* font families, separated by commas; "": the default */

	/* Returns the document JSON of a page, in the arena; n 0: there is none. */
	struct str (*document)(void *ctx, struct arena *a, const struct pdf_page *page);
	/*
	 * Finds a file by its id and sets name and size, with `bytes` also its content. False:
	 * there is no such file.
	 */
	bool (*file)(void *ctx, struct arena *a, const char *id, bool bytes, struct pdf_file *out);
	/* Returns the name of a user; NULL: unknown. */
	const char *(*user)(void *ctx, struct arena *a, const char *id);
	/* Converts Markdown of API descriptions to document JSON, without resolving links. */
	struct str (*markdown)(void *ctx, struct arena *a, const char *text);
	/*
	 * Highlights code: HTML as typeset_code() returns it (typeset/typeset.h). p NULL: the code
	 * is printed plain. The function may be NULL.
	 */
	struct str (*code)(void *ctx, struct arena *a, const char *syntax, struct str source);
	/*
	 * Converts a formula to MathML as typeset_math() does. p NULL: the formula's source is
	 * printed, with a warning. The function may be NULL.
	 */
	struct str (*math)(void *ctx, struct arena *a, const char *formula, bool display);
	/*
	 * Reports progress in pages of both passes; called again within long pages. Return false to
	 * stop.
	 */
	bool (*progress)(void *ctx, const char *stage, size_t done, size_t total);
	/*
	 * Reports something that could not be printed. page: NULL if it belongs to no single page.
	 */
	void (*warn)(void *ctx, const struct pdf_page *page, const char *message);
	void  *ctx;
};

struct pdf_result {
	size_t      sheets;
	const char *error;             /* NULL: success; PDF_STOPPED: progress() returned false */
};

#define PDF_STOPPED "stopped"

/* Writes the document to path; an existing file is overwritten. */
struct pdf_result pdf_write(struct arena *a, const struct pdf_source *s, const char *path);

#endif
