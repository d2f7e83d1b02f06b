/*
 * Between export_step.c (which pages, under which names), export_page.c (their bytes), export_toc.c,
 * export_fill.c (variables of book.json) and export_unsafe.c (files that are left out).
 */
#ifndef OCTAVO_EXPORT_PARTS_H
#define OCTAVO_EXPORT_PARTS_H

#include "export_step.h"
#include "layout/book.h"
#include "layout/write.h"

/* Something that may have to be written. */
struct leaving {
	const char        *id;
	const struct node *held, *before, *after;   /* NULL: it was not, is not there */
	const char        *old_path, *new_path;     /* files; NULL: none */
};

struct exporting {
	struct export_step  *step;
	struct db           *db;
	struct arena        *arena;
	const char          *root;        /* folder of the space in the repository, "" or "a/b" */
	const char          *summary;     /* path of the table of contents */
	const char          *root_file;   /* file of the page that stands for the space itself */
	struct layout_source source;      /* of the tree */
	struct map          *taken;       /* files and folders in use, in lower case */
	struct leaving      *list;
	size_t               count;
	struct map          *by_id;       /* id -> struct leaving */
	struct map          *by_path;     /* new paths of what moves or is new -> id */
	struct map          *gone;        /* files that go -> not NULL, until another takes the name */
	const struct book   *book;        /* variables of the tree's book.json; NULL: there is none */
	bool                 moved;       /* files have other paths than before */
	bool                 tree;        /* the table of contents may differ */
};

/* The path of a node's file as the export leaves it; NULL: it has none. */
const char *export_path(struct exporting *x, const struct node *n);

/* The path that it has in the tree; NULL: none. */
const char *export_old_path(struct exporting *x, const struct node *held);

/* Relative to the space's folder. */
const char *export_relative(const struct exporting *x, const char *path);

/* The bytes of a file of the tree; false: it is not there. */
bool export_read(struct exporting *x, const char *path, struct str *out);

/* A file with these bytes; nothing where the tree has it so. */
void export_write(struct exporting *x, const char *path, struct str bytes);

/*
 * The same of texts, whose variables of book.json are filled in where they are read. Lines that are as they
 * were in the file `from` (NULL: it is new) get them back where they are written.
 */
bool export_read_text(struct exporting *x, const char *path, struct str *out);
void export_write_text(struct exporting *x, const char *path, const char *from, struct str bytes);

void export_remove(struct exporting *x, const char *path);

void export_warn(struct exporting *x, const char *file, const char *message);

/* The title as written: with the emoji in front. */
const char *export_title(struct arena *a, const struct node *n);

/* Writes a page or reusable content to its file. */
void export_page(struct exporting *x, const struct leaving *l);

/* Writes pages again whose own content stays, but whose links lead to what has moved. */
void export_links(struct exporting *x);

/*
 * Why a file may not be published, for people to read; NULL: it may. name: as it is titled.
 * The list stands in the manual (docs/start/git.md).
 */
const char *export_unsafe(const char *name, struct str bytes);

/*
 * A new path that every system can check out: parts that would hide a file, climb, or that Windows
 * takes for a device, or not at all, get other names. stand_in: what those are called.
 */
const char *export_name(struct arena *a, const char *path, const char *stand_in);

/* The same of a file's title, which is one name, whatever it holds; it may begin with a dot. */
const char *export_file_name(struct arena *a, const char *title);

/* The name of a reusable content's file, without its end. */
const char *export_reusable_name(struct arena *a, const struct node *n);

/* The table of contents. */
void export_toc(struct exporting *x);

#endif
