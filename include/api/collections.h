/* Collections contain spaces and other collections. Implemented in spaces/collections.c. */
#ifndef OCTAVO_API_COLLECTIONS_H
#define OCTAVO_API_COLLECTIONS_H

#include "http/req.h"

extern const struct shape Collection, CollectionList, CollectionsQuery, CollectionCreate, CollectionEdit;

/* Columns of the Collection shape, from collection c. */
#define COLLECTION_COLS \
	"c.id, c.org, c.parent, c.title, c.description, c.default_level, c.ord, c.updated_at"

enum { COLLECTION_DEPTH = 32 };   /* maximum nesting of collections */

/* Nesting level of a collection, 1 at the top level; NULL: 0. */
int collection_depth(struct req *r, const char *id);

/* Checks that `height` levels of collections fit below parent. 0 or fail(). */
int depth_or_fail(struct req *r, const char *parent, int height);

/* A space or collection inside a collection, at any depth. */
struct collection_item {
	const char             *id;
	bool                    space;   /* else a collection */
	struct collection_item *next;
};
struct collection_item *collection_inside(struct req *r, const char *id);

/* Gives the caller a grant with the role create on a space or a collection. The other argument is NULL. */
void grant_creator(struct req *r, const char *space, const char *collection);

/*
 * The row of a collection that the caller has just created or transferred here. If the caller's
 * role on it would be lower than create, grants create.
 */
struct stmt *collection_kept(struct req *r, const char *id);

#endif
