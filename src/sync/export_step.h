/*
 * From what main changed between two points to edits of a commit's tree: what the
 * tree holds already is left alone, so an unchanged page costs nothing and keeps its
 * bytes. Rules: layout 3 to 6.
 *
 *   file of a page   the one that it has, as long as the page's path stays; else the
 *                    path with .md, or as README.md in a folder where it has pages
 *                    below it. A page that gets its first page below, or loses its
 *                    last, changes between the two. A name that is taken gets a number.
 *   text             the body as stored; links are spelled anew where they would not
 *                    lead there from the page's file, or where their target moved
 *   heading, frontmatter, table of contents: layout/write.h
 *   files            .gitbook/assets/NAME; what may not be published is left out, and told
 */
#ifndef OCTAVO_EXPORT_STEP_H
#define OCTAVO_EXPORT_STEP_H

#include "base/map.h"
#include "base/settings.h"
#include "git/git.h"
#include "store/content.h"

/* The files that exports have given to pages, files and reusable contents. */
struct export_paths {
	struct map  *files;    /* id -> path */
	const char **ids;
	size_t       n, room;
};

struct export_step {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	struct git_tree       *tree;     /* of the commit that is edited; NULL: it has none */
	const char            *dir;      /* project directory, for a space that was never synchronised */
	struct point           held;     /* what the tree holds */
	struct point           origin;   /* what the last synchronised commit holds: which file is whose */
	struct point           before;   /* main, when the tree got what it holds of it */
	struct point           after;    /* main, as it is to be written */
	struct export_paths   *paths;    /* given since; grows */
	bool                   fresh;    /* the tree knows nothing of those paths: it comes from outside */
	bool                   whole;    /* nothing was ever written: all there is */
	/* Something that is left out, or written less well. May be NULL. */
	void                 (*warn)(void *ctx, const char *file, const char *message);
	void                  *ctx;
	/* Out: */
	struct git_edit       *edits;
	size_t                 count, room;
	const char            *error;    /* why nothing can be written; NULL: it can */
};

/* Fills edits; in a read transaction. False: error. */
bool export_step(struct export_step *s);

#endif
