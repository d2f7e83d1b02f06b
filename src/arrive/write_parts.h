/* Shared by the files of the writer. */
#ifndef OCTAVO_ARRIVE_WRITE_PARTS_H
#define OCTAVO_ARRIVE_WRITE_PARTS_H

#include "arrival.h"

/* A file of the layout. */
struct item {
	struct layout_entry  entry;
	struct arrival_page *page;      /* of a page's file: the page; otherwise NULL */
	struct arrival_file *file;      /* of an unchanged file of the source: that file; otherwise NULL */
	struct str           bytes;     /* if both are NULL: the bytes of the file */
	int64_t              from;      /* for a page: offset of its bytes in the scratch file `pages` */
	int64_t              lines;     /* and offset of its line numbers in the scratch file `lines` */
	size_t               line_count;
};

struct written {
	struct arrival *t;
	struct item    *items;          /* sorted by path when all are added */
	size_t          count, room;
	struct layout_entry *entries;   /* the same files in the form of the layout room */
	struct map     *by_path;        /* path -> item */
	struct map     *taken;          /* page paths and file paths in lower case */
	struct map     *numbers;        /* path in lower case -> the last number that was added to it */
	int             pages, lines;   /* descriptors of scratch files: bytes of pages, and line numbers (uint32_t) */
	int64_t         page_bytes, line_bytes;
	bool          (*alive)(void *ctx, size_t done, size_t total);
	void           *ctx;            /* for alive() */
	char            commit[41];
};

/* ---- write.c ---- */

/* Adds a file with these bytes to the layout. */
void written_add(struct written *w, const char *path, struct str bytes);
/* Marks a file of the source as used, and returns its path in the layout. */
const char *written_file(struct written *w, struct arrival_file *f);

/* ---- write_front.c ---- */

/*
 * Writes the front matter of a page: that of the source, and the properties. Sets title,
 * description, tags, times and flags of the page from the source's front matter unless they are set
 * already.
 */
void front_write_page(struct arrival *t, struct arrival_page *p, const struct front *f, struct buf *out);

/* ---- write_table.c ---- */

/* Writes SUMMARY.md, .gitbook.yaml and tags.yaml. */
void write_settings(struct written *w);

#endif
