/* What the files of the writer share. */
#ifndef OCTAVO_ARRIVE_WRITE_PARTS_H
#define OCTAVO_ARRIVE_WRITE_PARTS_H

#include "arrival.h"

/* A file of the layout. */
struct item {
	struct layout_entry  entry;
	struct arrival_page *page;      /* whose file it is, or */
	struct arrival_file *file;      /* that it is, unchanged */
	struct str           bytes;     /* neither: its bytes */
	int64_t              from;      /* of a page: its first byte in the scratch file */
	int64_t              lines;     /* and its first line number in the other one */
	size_t               line_count;
};

struct written {
	struct arrival *t;
	struct item    *items;          /* sorted by path, once all are there */
	size_t          count, room;
	struct layout_entry *entries;   /* the same, for the layout */
	struct map     *by_path;        /* path -> item */
	struct map     *taken;          /* page paths and file paths in lower case */
	int             pages, lines;   /* scratch files: bytes of pages, numbers of lines (uint32_t) */
	int64_t         page_bytes, line_bytes;
	char            commit[41];
};

/* ---- write.c ---- */

/* Adds a file with these bytes. */
void written_add(struct written *w, const char *path, struct str bytes);
/* Marks a file as used; its path in the layout. */
const char *written_file(struct written *w, struct arrival_file *f);

/* ---- write_front.c ---- */

/*
 * Writes the front matter of a page: that of the source, and the properties. Sets title,
 * description, tags, times and flags of the page from the source's front matter unless they are set
 * already.
 */
void front_write_page(struct arrival *t, struct arrival_page *p, const struct front *f, struct buf *out);

/* ---- write_table.c ---- */

/* SUMMARY.md, .gitbook.yaml and tags.yaml. */
void write_settings(struct written *w);

#endif
