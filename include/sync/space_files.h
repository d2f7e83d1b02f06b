/*
 * Lists the content of a space, or of a page of it, as files: Markdown in the layout of git sync,
 * with pictures and other files in the folder .gitbook/assets. For archives that people download
 * (jobs/zip_file.h).
 */
#ifndef OCTAVO_SPACE_FILES_H
#define OCTAVO_SPACE_FILES_H

#include "base/settings.h"
#include "store/content.h"

struct space_file {
	struct space_file *next;
	const char        *path;   /* relative, no part of it is "..", below 1,000 bytes in practice */
	struct str         text;   /* of a page, reusable content or the table of contents; for a file: p NULL */
	struct str         hash;   /* of a file: its blob */
	const char        *title;  /* of a file */
};

struct space_files {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	const struct point    *point;
	const char            *page;    /* "": the whole space, with its table of contents; else the id of a page */
	bool                   alone;   /* with page: without the pages below it */
	/* It is called for content that files cannot express, and for links to pages that are not included. */
	void                 (*warn)(void *ctx, const char *path, const char *message);
	void                  *ctx;
};

/*
 * Lists the files in a read transaction; texts are in the arena. With `page`: the page, those below
 * it, and the files and reusable contents that they use. NULL: nothing to list.
 */
struct space_file *space_files(const struct space_files *q);

/*
 * Why a file must be omitted, as a message for the user; NULL: it may be published
 * (docs/start/git.md).
 */
const char *space_file_fault(const struct space_file *f, struct str bytes);

#endif
