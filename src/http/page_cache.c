/*
 * Cache of pages. Contract: http/page_cache.h. The entries are in the cache of db/recall.h, as are
 * cached answers, whose keys begin with a hash.
 */
#include "http/page_cache.h"

static int64_t
earlier_time(int64_t a, int64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

void
add_page_source(struct page_sources *s, const struct req *r)
{
	s->lacking = s->lacking || !r->cached.is || (s->some && s->moment != r->cached.moment);
	s->until = earlier_time(s->until, r->cached.until);
	s->moment = r->cached.moment;
	s->some = true;
}

const struct recalled *
find_cached_page(struct db *db, const char *key)
{
	unsigned moment;

	return db_unchanged(db, &moment) ? recall_find(moment, key) : NULL;
}

void
cache_page(const struct page_sources *s, const char *key, const struct recalled *page)
{
	if (s->some && !s->lacking)
		recall_put(s->moment, key, &(struct recalled){ page->head, page->body, s->until });
}
