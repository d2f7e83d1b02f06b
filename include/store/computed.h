/*
 * What computed pages expand to: pages that are no rows of a revision, and stand in trees,
 * paths and links like those that are.
 *
 * A computed page of the type builtin:openapi stands for pages that its specification is
 * taken apart into: one about the API, one per tag, one of the models where props.models
 * asks for it. In a tree they take its place among its siblings. Where there is nothing to show (no such specification,
 * none of its versions could be read, it was deleted, or something else computes the page) the computed page is left
 * out of the tree, since readers could do nothing with it; whoever wants the rows asks for the tree as it is stored.
 *
 * Which version a revision shows is settled by its time: the newest one that was there
 * when the revision was written. A new version writes a revision of type `computed` in
 * each space that shows it, so that what a revision shows never changes.
 *
 * Ids are the computed page's own id, a hyphen, and a hash of what the page is about; so
 * they stay from one version to the next. Slugs give way to those of pages that people
 * wrote beside them. Links lead to them by path, with or without ".md", and by id; a link
 * to the computed page itself leads to the first of its pages.
 *
 * A specification is named by its slug or by its id, wherever something names one.
 */
#ifndef OCTAVO_STORE_COMPUTED_H
#define OCTAVO_STORE_COMPUTED_H

#include "store/content.h"

/* A page that a computed page expands to. */
struct computed_page {
	struct page page;        /* node.kind is NODE_DOCUMENT; node.props has description, computed, computedSeed */
	const char *spec;        /* slug */
	const char *version;     /* id */
	int64_t     no;          /* of the page in the version */
	const char *kind;        /* info, operations, models */
};

/*
 * Returns the tree with each computed page replaced by the pages that it expands to and by its
 * child pages. above: the path of the page whose children these are, "" for the root.
 */
struct page *computed_expand(struct db *db, struct arena *a, const struct point *p, struct page *first, const char *above);

/* Finds such a page by its id, or by its path (in lower case); NULL: there is none. */
struct computed_page *computed_by_id(struct db *db, struct arena *a, const struct point *p, const char *id);
struct computed_page *computed_by_path(struct db *db, struct arena *a, const struct point *p, const char *path);

/*
 * The pages of all computed pages that are siblings of the one with this id, including its own;
 * chained by page.next, each the first member of a struct computed_page. NULL: none.
 */
struct page *computed_beside(struct db *db, struct arena *a, const struct point *p, const char *id);

/*
 * All such pages at a point, chained by page.next: each is the first member of a struct
 * computed_page.
 */
struct page *computed_all(struct db *db, struct arena *a, const struct point *p);

/* The first page that this computed page expands to; NULL: there is none. */
struct computed_page *computed_first(struct db *db, struct arena *a, const struct point *p, const struct node *computed);

/* True if the id has the form of such a page's id. Ids of stored nodes have no hyphen. */
bool computed_id(const char *id);

/* The id of the computed page that expands to the page with this id (see computed_id()). */
const char *computed_row(struct arena *a, const char *id);

/* The name of the specification that a node of kind NODE_COMPUTED shows; NULL: it shows none. */
const char *computed_spec(struct arena *a, const struct node *n);

/*
 * The slug of the specification with this name in a space; a name that is not the id of one is
 * itself the slug.
 */
const char *computed_slug(struct db *db, struct arena *a, const char *space, const char *name);

/* Id of the version of a specification that a point shows; NULL: none. */
const char *computed_version(struct db *db, struct arena *a, const struct point *p, const char *name);

/* True if a computed page with this name in the space would show something now. */
bool computed_shown(struct db *db, const char *space, const char *name);

/*
 * True if a specification with this name existed when the point's revision was written (for a
 * revision that is being written: if it exists now).
 */
bool computed_known(struct db *db, struct arena *a, const struct point *p, const char *name);

#endif
