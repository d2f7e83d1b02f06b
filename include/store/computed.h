/*
 * Expansion of computed pages. A computed page (NODE_COMPUTED) is one row of a revision. Readers see
 * the pages that it expands to, which are not rows but have places in trees, paths and links like
 * other pages.
 *
 * A computed page of the type builtin:openapi expands to the pages of an API specification: one about
 * the API, one for each tag, and one of the models if props.models is set. In a tree they replace the
 * computed page among its siblings. Tags may be below tags. The operations of a large tag have a page
 * each, below that of the tag, which then lists them; so have models of a large page of models.
 * props.pages is "operation" for a page of each operation, "tag" for none. The computed page is left
 * out of trees if it shows nothing: the specification does not exist or was deleted, none of its
 * versions could be parsed, or the page has another type. Callers that need the stored rows use
 * page_tree() without computed_expand().
 *
 * A revision shows the newest version of the specification at the time when the revision was written.
 * A new version adds a revision of type `computed` to each space that shows the specification, so what
 * a revision shows never changes.
 *
 * The id of an expanded page is the computed page's id, a hyphen, and a hash of its subject; so it is
 * the same in all versions. If its slug is used by a page that a user wrote beside it, it gets another
 * slug. Links can name an expanded page by its path, with or without ".md", or by its id; a link to
 * the computed page itself has the first of its pages as target.
 *
 * Wherever a specification is named, its slug or its id can be used.
 */
#ifndef OCTAVO_STORE_COMPUTED_H
#define OCTAVO_STORE_COMPUTED_H

#include "store/content.h"

/* A page that a computed page expands to. */
struct computed_page {
	struct page page;        /* node.kind is NODE_DOCUMENT; node.props has description, computed, computedSeed */
	const char *spec;        /* slug */
	const char *version;     /* id */
	int64_t     no;          /* number of the page in the version (openapi_page.no) */
	const char *kind;        /* info, operations, operation, models, model */
	const char *name;        /* of the tag, the model, or tag and operation; unique within the kind */
	const char *method;      /* HTTP method if the page shows exactly one operation; otherwise NULL */
	bool        split;       /* its operations, or models, each have a page below it */
};

/*
 * Returns the tree with each computed page replaced by the pages that it expands to and by its
 * child pages. above: the path of the page whose children these are, "" for the root.
 */
struct page *computed_expand(struct db *db, struct arena *a, const struct point *p, struct page *first, const char *above);

/* Finds an expanded page by its id, or by its path (in lower case); NULL: there is none. */
struct computed_page *computed_by_id(struct db *db, struct arena *a, const struct point *p, const char *id);
struct computed_page *computed_by_path(struct db *db, struct arena *a, const struct point *p, const char *path);

/*
 * The expanded pages that have the same parent in storage as the one with this id: those of its own
 * computed page and of the computed pages beside it. They are chained by page.next, and each is the
 * first member of a struct computed_page. NULL: there are none.
 */
struct page *computed_siblings(struct db *db, struct arena *a, const struct point *p, const char *id);

/*
 * All expanded pages at a point, chained by page.next: each is the first member of a struct
 * computed_page.
 */
struct page *computed_all(struct db *db, struct arena *a, const struct point *p);

/* The first page that this computed page expands to; NULL: there is none. */
struct computed_page *computed_first(struct db *db, struct arena *a, const struct point *p, const struct node *computed);

/*
 * The id that a page of this kind and name has among the pages of the same computed page; the page
 * need not exist.
 */
char *computed_id_of(struct arena *a, const struct computed_page *c, const char *kind, const char *name);

/* True if the id has the form of an expanded page's id. Ids of stored nodes have no hyphen. */
bool computed_is_id(const char *id);

/* The id of the computed page that expands to the page with this id (see computed_is_id()). */
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

/*
 * True if a computed page of the space that refers to this specification would expand to a page
 * now.
 */
bool computed_shown(struct db *db, const char *space, const char *name);

/*
 * True if a specification with this name existed when the point's revision was written (for a
 * revision that is being written: if it exists now).
 */
bool computed_known(struct db *db, struct arena *a, const struct point *p, const char *name);

#endif
