/* Collections: places that hold spaces and other collections. What other files need of spaces/collections.c. */
#ifndef OCTAVO_API_COLLECTIONS_H
#define OCTAVO_API_COLLECTIONS_H

#include "http/req.h"

extern const struct shape Collection, CollectionList, CollectionsQuery, CollectionCreate, CollectionEdit;

/* Columns of the Collection shape, from collection c. */
#define COLLECTION_COLS \
	"c.id, c.org, c.parent, c.title, c.description, c.default_level, c.ord, c.updated_at"

enum { COLLECTION_DEPTH = 32 };   /* how deep collections nest */

/* How many collections there are from this one up, itself included; NULL: 0. */
int collection_depth(struct req *r, const char *id);

/* Is there room for so many levels of collections below parent? 0 or fail(). */
int depth_or_fail(struct req *r, const char *parent, int height);

/* What lives in a collection, at any depth. */
struct inside {
	const char    *id;
	bool           space;   /* else a collection */
	struct inside *next;
};
struct inside *collection_inside(struct req *r, const char *id);

/* Gives the caller a grant `create` on a space or a collection, of which one is NULL. */
void grant_creator(struct req *r, const char *space, const char *collection);

/* The row of a collection or a space (as collection_row, space_row) that the caller just made or
 * brought here: with such a grant where the rules give less. */
struct stmt *collection_kept(struct req *r, const char *id);

#endif
