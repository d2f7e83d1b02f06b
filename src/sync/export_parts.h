/*
 * Shared by export_step.c (which pages, under which names), export_page.c (their bytes),
 * export_toc.c, export_fill.c (variables of book.json) and export_unsafe.c (files that are not
 * exported).
 */
#ifndef OCTAVO_EXPORT_PARTS_H
#define OCTAVO_EXPORT_PARTS_H

#include "export_step.h"
#include "layout/book.h"
#include "layout/write.h"

/* A node that may have to be written, at three points of struct export_step: in_tree, before and after. */
struct export_item {
	const char        *id;
	const struct node *in_tree, *before, *after;   /* of the points of the same name; NULL: not there */
	const char        *old_path, *new_path;     /* path of its file in the tree and after the export; NULL: none */
};

struct export_ctx {
	struct export_step  *step;
	struct db           *db;
	struct arena        *arena;
	const char          *root;        /* folder of the space in the repository, "" or "a/b" */
	const char          *summary;     /* path of the table of contents */
	const char          *root_file;   /* path of the file for the space's first page */
	struct layout_source source;      /* of the tree */
	struct map          *taken;       /* paths of files and folders in use, in lower case */
	struct export_item  *list;        /* the nodes that may have to be written */
	size_t               count;
	struct map          *by_id;       /* id -> struct export_item */
	struct map          *by_path;     /* new path -> id, of nodes that move or are new */
	struct map          *freed_paths; /* path of a removed file -> not NULL, until a new file takes the path */
	const struct book   *book;        /* variables of the tree's book.json; NULL: there is none */
	bool                 moved;       /* some file's path changes */
	bool                 tree;        /* the table of contents may change */
};

/* The path of a node's file after the export; NULL: it has none. */
const char *export_path(struct export_ctx *x, const struct node *n);

/* The path of a node's file in the tree; NULL: none. */
const char *export_old_path(struct export_ctx *x, const struct node *in_tree);

/* The path relative to the space's folder. */
const char *export_relative(const struct export_ctx *x, const char *path);

/* Reads a file of the tree; false: the tree has no such file. */
bool export_read(struct export_ctx *x, const char *path, struct str *out);

/* Adds an edit that writes these bytes; no edit if the tree's file has them already. */
void export_write(struct export_ctx *x, const char *path, struct str bytes);

/*
 * Like export_read() and export_write(), for texts: reading fills in the variables of book.json;
 * writing puts them back into lines that are the same as in the file `from` (NULL: the file is
 * new).
 */
bool export_read_text(struct export_ctx *x, const char *path, struct str *out);
void export_write_text(struct export_ctx *x, const char *path, const char *from, struct str bytes);

void export_remove(struct export_ctx *x, const char *path);

void export_warn(struct export_ctx *x, const char *file, const char *message);

/* The title as files spell it: with the emoji in front. */
const char *export_title(struct arena *a, const struct node *n);

/* Writes a page or reusable content to its file. */
void export_page(struct export_ctx *x, const struct export_item *l);

/* Rewrites pages whose own content stays, but whose link targets have moved. */
void export_links(struct export_ctx *x);

/*
 * Why a file must not be exported, as a message for the user; NULL: it may be. name: its title. The
 * manual has the list (docs/start/git.md).
 */
const char *export_unsafe(const char *name, struct str bytes);

/*
 * Makes a path that every system can check out. It replaces parts that would hide a file or lead
 * out of the folder, and those that Windows reserves or refuses. stand_in: replaces a part that
 * would be empty afterwards.
 */
const char *export_name(struct arena *a, const char *path, const char *stand_in);

/*
 * Like export_name(), for a file's title: always one component, even if it has slashes. It may
 * begin with a dot.
 */
const char *export_file_name(struct arena *a, const char *title);

/* The name of a reusable content's file, without its extension. */
const char *export_reusable_name(struct arena *a, const struct node *n);

/* Writes the table of contents. */
void export_toc(struct export_ctx *x);

#endif
