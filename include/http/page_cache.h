/*
 * The cache of pages that are made from cached answers alone (the room views). It has the rules of that
 * of answers (src/http/answers.h): a page is sent again as long as there was no commit since it was made,
 * the session is valid, and the day is the same.
 */
#ifndef OCTAVO_PAGE_CACHE_H
#define OCTAVO_PAGE_CACHE_H

#include "db/recall.h"
#include "http/req.h"

/* What the answers of a page have in common. Begins as zero. */
struct page_sources {
	bool     some;      /* there is an answer */
	bool     lacking;   /* one of them is not cached, or of another state of the data: the page is not cached */
	unsigned moment;    /* the state of the data, as db_moment() */
	int64_t  until;     /* ms: the earliest end of one of them; 0: none ends */
};

/* Adds the answer of a request after dispatch(). */
void add_page_source(struct page_sources *s, const struct req *r);

/*
 * Looks up a page, outside of transactions. key: everything that the page depends on besides the data and the
 * day: address, cookies, language. NULL: it is not cached. The result is valid until the next request to the API.
 */
const struct recalled *find_cached_page(struct db *db, const char *key);

/* Caches a page if its sources allow it. */
void cache_page(const struct page_sources *s, const char *key, const struct recalled *page);

#endif
