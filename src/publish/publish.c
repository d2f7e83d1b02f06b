/* What follows from a new revision of a space's primary content. */
#include "publish/comments.h"
#include "store/content.h"
#include "links/links.h"
#include "search/search.h"

void
publish_revision(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	struct point now;

	point_head(db, a, branch, &now);
	comments_follow(db, a, &now, space);
	if (search_changed(db, a, space, branch, seq))
		links_changed(db, a, space, branch, seq);
}
