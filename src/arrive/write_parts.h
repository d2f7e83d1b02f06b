/* Shared by the files of the writer. */
#ifndef OCTAVO_ARRIVE_WRITE_PARTS_H
#define OCTAVO_ARRIVE_WRITE_PARTS_H

#include "arrival.h"

/* A file of the layout. */
struct item {
	struct layout_entry  entry;
	struct arrival_page *page;      /* of a page's file: the page; otherwise NULL */
	struct arrival_file *file;      /* of an unchanged file of the source: that file; otherwise NULL */
	int64_t              from;      /* of any other: offset of its bytes in the scratch file `pages` */
	int64_t              lines;     /* and offset of its line numbers in the scratch file `lines` */
	size_t               line_count;
};

/* Files that the writer makes besides those of pages: table of contents, settings, tags. */
enum { MADE_FILES = 3 };

struct writer {
	struct arrival *t;
	struct written *out;
	struct item    *items;
	size_t          count;
	struct map     *taken;          /* page paths in lower case */
	struct map     *taken_files;    /* paths of other files in lower case */
	struct map     *numbers;        /* path in lower case -> the last number that was added to it */
	bool          (*alive)(void *ctx, size_t done, size_t total);
	void           *ctx;            /* for alive() */
};

/* ---- write.c ---- */

/* Adds a file with these bytes to the layout. False: the disk failed. */
bool writer_add(struct writer *w, const char *path, struct str bytes);
/* Marks a file of the source as used, and returns its path in the layout. */
const char *writer_file(struct writer *w, struct arrival_file *f);

/* ---- written.c ---- */

/* Makes the scratch files. NULL: the disk failed. */
struct written *written_new(struct arrival *t, const char *scratch);
/*
 * Writes bytes to the scratch files; the lines of an item's file come from these lines of the source.
 * False: the disk failed.
 */
bool written_spool(struct written *w, struct arrival *t, struct item *i, struct str bytes, const uint32_t *numbers, size_t n);
/* Sorts the items, and keeps of them what the import needs. */
void written_close(struct written *w, struct arrival *t, struct item *items, size_t n);

/* ---- write_front.c ---- */

/*
 * Writes the front matter of a page: that of the source, and the properties. Sets title,
 * description, tags, times and flags of the page from the source's front matter unless they are set
 * already.
 */
void front_write_page(struct arrival *t, struct arrival_page *p, const struct front *f, struct buf *out);

/* ---- write_table.c ---- */

/* Writes SUMMARY.md, .gitbook.yaml and tags.yaml. False: the disk failed. */
bool write_settings(struct writer *w);

#endif
