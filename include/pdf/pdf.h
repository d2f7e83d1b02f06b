/*
 * Documents on paper. The caller names the pages in reading order and gives the document
 * JSON (markdown/document_tree.h) of each when it is asked; out comes one PDF file: a cover and a
 * table of contents where there is more than one page, then the pages, each on a new
 * sheet, with bookmarks, links within the document, tags, language and title.
 *
 * Memory: one page's document and one sheet at a time; what stays is about 12 kB a sheet
 * (Cairo keeps links and tags). Documents are laid out twice, since the table of contents
 * stands before what it counts.
 *
 * Work: time grows with the length of the text, marks and words without a blank included. There are 20,000
 * sheets at most, else the PDF fails by that name, and 20,000 pictures that are drawn, however often one is:
 * of what comes behind them the room stays empty, with a warning. progress() is asked within long pages too.
 *
 * Cairo and Pango end the process where memory is out: it runs in a process of its own.
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
	int              depth;        /* below the first pages: 0 */
	bool             written;      /* has a document; else a heading with pages below it */
	const void      *data;         /* the caller's own */
};

struct pdf_file {
	const char *name;
	int64_t     size;              /* bytes */
	struct str  bytes;             /* p NULL: they cannot be read, or were not asked for */
};

struct pdf_source {
	const char      *title;        /* of the whole */
	const char      *owner;        /* on the cover, below the title; NULL: none */
	const char      *language;     /* BCP 47; NULL: not known */
	int64_t          at;           /* when the content was written, ms */
	struct pdf_page *pages;
	bool             letter;       /* US Letter paper in place of A4 */
	const char      *font;         /* families for text, separated by commas; "": the usual ones */

	/* The document JSON of a page, in the arena; n 0: there is none. */
	struct str (*document)(void *ctx, struct arena *a, const struct pdf_page *page);
	/* A file by its id: name and size, and the bytes where they are wanted; false: there is none. */
	bool (*file)(void *ctx, struct arena *a, const char *id, bool bytes, struct pdf_file *out);
	/* The name of a user; NULL: not known. */
	const char *(*user)(void *ctx, struct arena *a, const char *id);
	/* The document JSON of Markdown without targets of its own: descriptions of APIs. */
	struct str (*markdown)(void *ctx, struct arena *a, const char *text);
	/*
	 * Code with its words marked, as typeset_code() (typeset/typeset.h) gives it; p NULL: it is
	 * printed plain. The function may be NULL.
	 */
	struct str (*code)(void *ctx, struct arena *a, const char *syntax, struct str source);
	/*
	 * A formula as MathML, as typeset_math() gives it; p NULL: its source is printed, with a warning.
	 * The function may be NULL.
	 */
	struct str (*math)(void *ctx, struct arena *a, const char *formula, bool display);
	/* How far it is: pages of both passes; asked again within a long one. False: stop. */
	bool (*progress)(void *ctx, const char *stage, size_t done, size_t total);
	/* Something could not be printed. page: NULL where it is of no single page. */
	void (*warn)(void *ctx, const struct pdf_page *page, const char *message);
	void  *ctx;
};

struct pdf_result {
	size_t      sheets;
	const char *error;             /* NULL: the file is written; PDF_STOPPED: progress() said so */
};

#define PDF_STOPPED "stopped"

/* Writes the file; what stood there before is overwritten. */
struct pdf_result pdf_write(struct arena *a, const struct pdf_source *s, const char *path);

#endif
