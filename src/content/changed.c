/* What follows from a new revision of a space's primary content. */
#include "comments.h"
#include "content.h"
#include "links.h"
#include "search.h"

void
content_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct point now;

	point_head(db, a, branch, &now);
	comments_follow(db, a, &now, space);
	if (search_changed(db, a, space, branch, seq))
		links_changed(db, a, space, branch, seq);
}
