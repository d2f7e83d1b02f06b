/* What follows from a new revision of a space's primary content. */
#include "content.h"
#include "links.h"
#include "search.h"

void
content_changed(struct db *db, struct arena *a, const char *space, int64_t branch, int64_t seq)
{
	if (search_changed(db, a, space, branch, seq))
		links_changed(db, a, space, branch, seq);
}
