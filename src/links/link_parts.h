/* What the files of the links module share. */
#ifndef OCTAVO_LINK_PARTS_H
#define OCTAVO_LINK_PARTS_H

#include "links/links.h"

enum { LINK_SOURCES = NODE_DOCUMENT | NODE_LINK | NODE_REUSABLE };

/* One link of a source, its target without a status yet. */
struct link_seen {
	struct link_target target;
	int64_t            line;
	const char        *spelling;
	bool               tried;     /* the page's map has no target for it: looked for at the point */
};

/* All links of a node that is alive at the point, in order: body, then cover and target. */
struct link_seen *link_read(struct db *db, struct arena *a, const struct point *p,
    const struct node *n, size_t *count);

/* How a target stands at the point. */
enum link_status link_judge(struct db *db, struct arena *a, const struct point *p,
    const struct link_target *t);

/* Does the spelling lead somewhere now? */
bool link_resolves(struct db *db, struct arena *a, const struct point *p, const struct node *from,
    struct str spelling);

#endif
