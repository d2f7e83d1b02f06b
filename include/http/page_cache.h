/*
 * A cache of the HTML pages of room views that are made from cached answers of the API only. The
 * rules are those of the cache of answers (src/http/answers.h): a page is sent again as long as
 * there was no commit since it was made, the session is valid, and the day is the same.
 */
#ifndef OCTAVO_PAGE_CACHE_H
#define OCTAVO_PAGE_CACHE_H

#include "db/recall.h"
#include "http/req.h"

/* What is known about the answers from which a page is made. All members begin as zero. */
struct page_sources {
	bool     some;      /* at least one answer was added */
	bool     lacking;   /* an answer is not cached, or was made from another state of the data: the page must not be cached */
	unsigned moment;    /* the state of the data, as db_moment() */
	int64_t  until;     /* ms: when the first of the answers expires; 0: never */
};

/* Adds the answer of a request. Call it after dispatch(). */
void add_page_source(struct page_sources *s, const struct req *r);

/*
 * Looks up a page, outside of transactions. key: everything that the page depends on besides the data and the
 * day: address, cookies, language. NULL: it is not cached. The result is valid until the next request to the API.
 */
const struct recalled *find_cached_page(struct db *db, const char *key);

/* Caches a page if its sources allow it. */
void cache_page(const struct page_sources *s, const char *key, const struct recalled *page);

#endif
