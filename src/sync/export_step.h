/*
 * Makes the edits of a commit's tree from the changes of main between two points. A file that would
 * not change gets no edit, so an unchanged page costs nothing and keeps its bytes.
 *
 *   file of a page   keeps its path as long as the page's path stays; otherwise the page's path with
 *                    .md, or README.md in a folder of that path if the page has children. A page
 *                    that gains its first child, or loses its last, changes between the two. If the
 *                    name is taken, a number is added.
 *   text             the body as stored; a link is rewritten if it would not resolve to its target
 *                    from the page's file, or if the target moved
 *   heading, frontmatter, table of contents: layout/write.h
 *   files            .gitbook/assets/NAME; files that must not be exported are left out with a
 *                    warning
 */
#ifndef OCTAVO_EXPORT_STEP_H
#define OCTAVO_EXPORT_STEP_H

#include "base/map.h"
#include "base/settings.h"
#include "git/git.h"
#include "store/content.h"

/* The paths that exports have given to files of pages, assets and reusable content. */
struct export_paths {
	struct map  *files;    /* id -> path */
	const char **ids;
	size_t       n, room;
};

struct export_step {
	struct db             *db;
	struct arena          *arena;
	const struct settings *set;
	struct git_tree       *tree;     /* of the commit that is edited; NULL: an empty tree */
	const char            *dir;      /* project directory, for a space that was not synchronised before */
	/*
	 * The nodes that `tree` holds: a point of the upstream branch if the tree was fetched, or of main
	 * if a commit of this chain wrote it.
	 */
	struct point           in_tree;
	/* The point of the upstream branch that was synchronised last; its nodes have git_path. branch 0: none. */
	struct point           origin;
	/*
	 * The point of main up to which `tree` has main's changes. It differs from in_tree if the tree was
	 * fetched: the repository may have changes that main lacks, or the reverse.
	 */
	struct point           before;
	struct point           after;    /* the point of main to write */
	struct export_paths   *paths;    /* paths that this chain of exports has given to nodes; new ones are added */
	bool                   fresh;    /* the chain goes on from a commit that it did not write: `paths` does not apply to that tree */
	bool                   whole;    /* first export: write everything */
	struct map            *only;     /* with whole: ids of the nodes to write, without the table of contents; NULL: all */
	/* If set, it is called instead of writing a file's bytes. NULL: the bytes go to `edits`. */
	void                 (*file)(void *ctx, const char *path, const struct node *n);
	/* It is called for content that is left out, or that files cannot express completely. May be NULL. */
	void                 (*warn)(void *ctx, const char *file, const char *message);
	void                  *ctx;
	/* Results: */
	struct git_edit       *edits;
	size_t                 count, room;
	const char            *error;    /* why nothing can be written; NULL: no error */
};

/* Fills edits and count; call it in a read transaction. False: error says why. */
bool export_step(struct export_step *s);

#endif
